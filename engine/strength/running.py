"""Plays the matches of a strength table; what was played before counts, and more can be added.

Games stay on the machine that played them; figures are published. So a row that has fewer games
here than its published figures keeps those, if it is still the same row. What a row does not say
itself, our other settings and the weights, has a fingerprint: games with another one are never
counted together, and the page says which figures have an older one.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.cluster import Workers
from engine.console import say
from engine.match.live import LiveLine
from engine.match.openings import parse_openings
from engine.match.players import Entrant, find_program, parse_player
from engine.match.results import GAMES, BadResults, Results, score_of
from engine.match.run import play_match
from engine.match.terms import FIRST, SECOND, Terms
from engine.parameters import PARAMETERS
from engine.rules import RULES
from engine.strength.tables import DEFAULT_GAMES, QUICK_GAMES, TABLES, Options, Row
from knowledge.report import write_atomically
from weights.files import BadWeights, kind_of, nearest

OPENINGS = "random:2"  # so that engines with little chance don't repeat a game

Figures = dict[str, Any]
# What pages read of each row.
FIELDS = {"games", "points", "share", "low", "high", "faults", "sims", "model", "cpu"}


class MissingModel(ValueError):
    """A row needs weights that are not there; the text says which."""


@dataclass(frozen=True)
class Plan:
    """How a table is played."""

    name: str
    out: Path  # where its page and its games are kept
    quick: bool = False
    games: int | None = None
    sims: int | None = None  # instead of each row's own
    weights: Mapping[str, Path] = field(default_factory=dict)  # by label
    share_cores: bool = False
    keep: bool = True
    only: str = ""  # a part of the names of the rows to play; the page has all that were played

    @property
    def stem(self) -> str:
        """What the names of its files begin with: a variant does not touch the table itself."""
        quick, sims = "-quick" if self.quick else "", f"-{self.sims}-sims" if self.sims else ""
        return f"{self.name}{quick}{sims}"

    @property
    def folder(self) -> Path:
        """Where its games are."""
        return self.out / f"{self.stem}-games"

    @property
    def command(self) -> str:
        """What somebody else would type."""
        words = ["miai", "reproduce", self.name, *["--quick"] * self.quick]
        words += ["--games", str(self.wanted)]
        words += ["--sims", str(self.sims)] if self.sims else []
        words += [f"--only={self.only}"] if self.only else []
        for label, file in sorted(self.weights.items()):
            words += ["--weights", f"{label}={file.name}"]
        return shlex.join(words)

    def rows(self) -> list[Row]:
        rows = list(TABLES[self.name](self.quick))
        if not self.sims:
            return rows
        # Rows that differ by their simulations alone are now the same.
        alike = {(row.text(), row.models): replace(row, sims=self.sims) for row in reversed(rows)}
        return list(reversed(alike.values()))

    def chosen(self) -> set[str]:
        """The names of the rows to play: the one that is called so, or those with it in theirs."""
        names = {row.key for row in self.rows()}
        return {self.only} & names or {name for name in names if self.only in name}

    @property
    def wanted(self) -> int:
        return self.games or (QUICK_GAMES if self.quick else DEFAULT_GAMES)


def option_words(options: Options, models: Mapping[str, tuple[str, str]]) -> list[str]:
    """Settings as options of `miai gtp`; models by label are a kind and a file."""
    words: list[str] = []
    for name, value in options:
        if name == "model":
            kind, file = models[value]
            words += ["--knowledge", kind, "--weights", file]
        elif PARAMETERS[name].kind is bool:
            on = PARAMETERS[name].parse(value)
            words.append(f"--{'' if on else 'no-'}{name.replace('_', '-')}")
        else:
            words += [f"--{name.replace('_', '-')}", value]
    return words


def find_models(row: Row, weights: Mapping[str, Path]) -> dict[str, tuple[str, str]]:
    """The kind and the file of each model that a row needs."""
    found: dict[str, tuple[str, str]] = {}
    for label, kinds in row.models:
        try:
            path = weights.get(label) or _installed(kinds, row.size)
            found[label] = kind_of(path), str(path)
        except BadWeights as error:
            raise MissingModel(f"{error} (give them by --weights {label}=FILE)") from None
    return found


def _installed(kinds: Sequence[str], size: int) -> Path:
    for kind in kinds[:-1]:
        try:
            return nearest(kind, size)
        except BadWeights:
            continue
    return nearest(kinds[-1], size)


def fingerprint(row: Row, models: Mapping[str, tuple[str, str]]) -> str:
    """Of what a row's options don't say: our settings on its board, and the weights."""
    settings = {
        name: parameter.default_for(row.size)
        for name, parameter in PARAMETERS.items()
        if parameter.family in ("search", "knowledge", "playouts", "player")
        and name not in ("threads", "memory", "seed")
    }
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode("ascii"))
    files = [Path(file) for _, (_, file) in sorted(models.items())]
    for file in (*files, nearest("playout", row.size)):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:8]


def terms_of(row: Row, plan: Plan, models: Mapping[str, tuple[str, str]]) -> Terms:
    """The match of a row."""

    def ours(options: Options, name: str) -> Entrant:
        base = parse_player("miai", row.sims, threads=1)
        return Entrant(name, (*base.command, *option_words(options, models)))

    first = ours(row.options, row.key)
    if isinstance(row.opponent, str):
        second = parse_player(row.opponent)
    else:
        second = ours(row.opponent, "baseline")
    referee = parse_player("gnugo:10") if find_program("gnugo") else None
    return Terms(
        first, second, size=row.size, komi=row.komi, referee=referee, analyze=False,
        share_cores=plan.share_cores, patience=300.0, openings=OPENINGS,
    )  # fmt: skip


def published(path: Path, rows: Sequence[Row]) -> dict[str, Figures]:
    """Figures from a file of this experiment, of those rows that are still the same."""
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))["rows"]
        if not isinstance(saved, dict):
            raise ValueError
        kept = {row.key: saved[row.key] for row in rows if row.key in saved}
        if not all("missing" in figures or figures.keys() >= FIELDS for figures in kept.values()):
            raise ValueError
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadResults(f"{path} is damaged") from None
    texts = {row.key: (row.text(), row.sims) for row in rows}
    return {
        key: figures for key, figures in kept.items()
        if (figures.get("played"), figures.get("sims")) == texts[key]
    }  # fmt: skip


def play_table(
    plan: Plan,
    workers: Workers,
    finished: Callable[[dict[str, Figures]], None],
    before: Mapping[str, Figures],
) -> dict[str, Figures]:
    """Play what is missing of each row; figures by key. `finished` hears of them after each.

    Figures from `before` stay until there are more games here.
    """
    rows, chosen = plan.rows(), plan.chosen()
    done: dict[str, Figures] = {row.key: before[row.key] for row in rows if row.key in before}
    for number, row in enumerate(rows, 1):
        wanted = plan.wanted if row.key in chosen else 0
        try:
            models = find_models(row, plan.weights)
        except MissingModel as error:
            if wanted:
                say(f"left out: {row.key}: {error}")
                done.setdefault(row.key, {"missing": str(error).partition(" (")[0]})
                finished(done)
            continue
        mark = fingerprint(row, models)
        folder = plan.folder / f"{row.key}-{row.sims}-{mark}"
        if not wanted and not folder.exists():
            continue
        say(f"{plan.name} {number} of {len(rows)}: {row.key}")
        terms = terms_of(row, plan, models)
        results = Results(terms, folder)
        live = LiveLine(terms.first.name, terms.second.name)
        openings = parse_openings(OPENINGS, row.size, RULES[terms.rules], terms.seed)
        play_match(results, wanted, openings, workers, keep=plan.keep, on_game=live.show)
        live.end()
        if len(results.lines) >= before.get(row.key, {}).get("games", 0):
            day = datetime.date.fromtimestamp((folder / GAMES).stat().st_mtime)
            about = {"date": day.isoformat(), "fingerprint": mark}
            done[row.key] = {**figures_of(row, terms, results), **about}
        finished(done)
    return done


def figures_of(row: Row, terms: Terms, results: Results) -> Figures:
    """What the games of a row say."""
    lines = list(results.lines.values())
    score = score_of(lines)
    low, high = score.interval(results.pairs())
    used = {
        who: [line["cpu"][who] for line in lines if line["cpu"].get(who) is not None]
        for who in (FIRST, SECOND)
    }
    words = terms.first.command
    return {
        "games": score.games,
        "points": score.points,
        "share": round(100 * score.share, 1),
        "low": round(100 * low, 1),
        "high": round(100 * high, 1),
        "faults": sum(1 for line in lines if line["fault"]),
        "sims": row.sims,
        "played": row.text(),
        "model": words[words.index("--knowledge") + 1] if row.models else None,
        "moves": round(sum(line["moves"] for line in lines) / max(1, len(lines)), 1),
        "cpu": {who: round(sum(seconds) / len(seconds), 2) if seconds else None
                for who, seconds in used.items()},
    }  # fmt: skip


def write_all(folder: Path, files: Mapping[str, str]) -> None:
    """Write pages and pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_atomically(folder / name, text)
