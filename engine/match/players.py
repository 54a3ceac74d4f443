"""Who plays: what people write on the command line, as a name and a command.

    gnugo:10             GNU Go at level 10, by area rules
    miai                 ourselves, in the same Python
    miai:--sims 2000     ourselves with options of `miai gtp`
    flat:rules           a flat Monte-Carlo player with a playout policy, in the worker itself
    anything else        the command line of a GTP program

Each may be given a name of its own, which tables show: `old=miai:--sims 2000`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from engine.playout import POLICIES

GNUGO_RULES = ("--chinese-rules", "--positional-superko", "--forbid-suicide")
START = "gtp_main.py"  # in the clone; installed as a package there is none
_NAMED = re.compile(r"([\w.+-]+)=(.+)", re.DOTALL)


class BadPlayer(ValueError):
    """Nobody plays under this name; the text says what to change."""


@dataclass(frozen=True)
class Entrant:
    """A player as a work item carries it: a command, or a policy for a flat player."""

    name: str
    command: tuple[str, ...] = ()
    policy: str = ""
    settings: tuple[tuple[str, str], ...] = ()  # told to a running Miai before each game
    version: str = ""  # of ourselves, where it is known

    @property
    def is_flat(self) -> bool:
        return bool(self.policy)

    def can_become(self, other: Entrant) -> bool:
        """Whether the same program, told the other's settings, is the other."""
        names = ([name for name, _ in entrant.settings] for entrant in (self, other))
        same = self.command == other.command and next(names) == next(names)
        return self == other or (bool(self.command) and same)


def find_program(name: str) -> str | None:
    """Where a program is; games may lie beside the usual places."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/games"))
    return shutil.which(name, path=path)


def parse_player(text: str, sims: int | None = None, threads: int | None = None) -> Entrant:
    """The player that somebody wrote; `sims` and `threads` are for Miai where it names none."""
    if match := _NAMED.fullmatch(text.strip()):
        return replace(parse_player(match[2], sims, threads), name=match[1])
    kind, _, detail = text.strip().partition(":")
    if kind == "flat":
        if detail not in POLICIES:
            raise BadPlayer(f"unknown player {text!r}: flat:{'|'.join(POLICIES)}")
        return Entrant(text, policy=detail)
    if kind == "gnugo":
        return _gnugo(text, detail)
    words = _options(detail) if kind == "miai" else _split(text)
    name = text.encode("utf-8", "replace").decode("utf-8")  # a path may have bytes that are no text
    if kind == "miai":
        for option, value in (("--sims", sims), ("--threads", threads)):
            if value is not None and not any(word.partition("=")[0] == option for word in words):
                words += [option, str(value)]
        here = Path(__file__).resolve().parents[2] / START
        start = [str(here)] if here.exists() else ["-m", "engine.commands.main"]
        return Entrant(name, (sys.executable, *start, "gtp", *words))
    if not words:
        raise BadPlayer("a player has no name")
    found = find_program(words[0])
    if found is None:
        raise BadPlayer(f"there is no program {words[0]!r} (players: {shorthands()})")
    if shutil.which(words[0]) is None:  # where only we look, and who starts it does not
        words[0] = found
    return Entrant(name, tuple(words))


def plain_text(text: str) -> str:
    """What somebody wrote, without the name in front."""
    match = _NAMED.fullmatch(text.strip())
    return plain_text(match[2]) if match else text.strip()


def shorthands() -> str:
    """The short names, for help texts."""
    return (
        "gnugo:LEVEL, miai, miai:'OPTIONS', flat:POLICY or the command line of a GTP program, "
        "each also as NAME=PLAYER"
    )


def _gnugo(text: str, level: str) -> Entrant:
    if not re.fullmatch("[0-9]{0,3}", level):
        raise BadPlayer(f"{text!r}: GNU Go's level is a number, as in gnugo:10")
    program = find_program("gnugo")
    if program is None:
        raise BadPlayer("GNU Go is not installed (Debian's package is named gnugo)")
    return Entrant(
        f"gnugo:{level or 10}",
        (program, "--mode", "gtp", "--level", level or "10", *GNUGO_RULES),
    )


def own_options(player: Entrant) -> list[str] | None:
    """The options of a player that is ourselves, as `miai gtp` takes them."""
    words = list(player.command)
    ours = words[:1] == [sys.executable] and "gtp" in words[2:4]
    return words[words.index("gtp") + 1 :] if ours else None


def _options(text: str) -> list[str]:
    """Options from `miai:...`; quotes around all of them are none of theirs, but a shell's that
    came through because the whole player was quoted as well."""
    words = _split(text)
    whole = len(words) == 1 and text[0] == text[-1] and text[0] in "'\""
    return _split(words[0]) if whole else words


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, posix=os.name == "posix")
    except ValueError as error:
        raise BadPlayer(f"{text!r} is no command line: {error}") from None
