"""Whether two matches are one and the same, so that the games of both may be counted together."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from engine.match.players import START, Entrant
from engine.match.terms import Terms

# What only concerns the machine, or how long somebody waits, or who settles a dispute.
_FREE = ("cores", "apart", "share_cores", "fresh", "patience", "analyze", "referee")
_PYTHON = re.compile(r"python[0-9.]*(\.exe)?")  # it has several names beside each other


def different(one: Terms, other: Terms) -> str:
    """What makes two matches different, in words; nothing if the one may go on as the other."""
    a, b = _told(one), _told(other)
    if not (one.openings and other.openings):  # earlier versions did not note them
        del a["openings"], b["openings"]
    for who in ("first", "second"):
        versions = [getattr(terms, who).version for terms in (one, other)]
        if all(versions):  # the same goes for these
            a[f"{who} version"], b[f"{who} version"] = versions
    names = [name for name in a if a[name] != b[name]]
    return ", ".join(f"{name} {a[name]!r}, not {b[name]!r}" for name in names)


def _told(terms: Terms) -> dict[str, object]:
    players = {"first": identity(terms.first), "second": identity(terms.second)}
    values = {**terms.to_json(), **players}
    return {name: value for name, value in values.items() if name not in _FREE}


def identity(entrant: Entrant) -> str:
    """A player in words that are the same wherever its program, its Python or our clone lies."""
    words = list(entrant.command)
    for home in [word.removesuffix(START) for word in words if Path(word).name == START]:
        words = [word.removeprefix(home) for word in words]
    words[:1] = [Path(word).name for word in words[:1]]
    words = ["python" if _PYTHON.fullmatch(Path(word).name) else word for word in words]
    policy = [f"flat:{entrant.policy}"] if entrant.is_flat else []
    settings = [f"{name}={value}" for name, value in entrant.settings]
    return f"{entrant.name}: {shlex.join([*policy, *words, *settings])}"
