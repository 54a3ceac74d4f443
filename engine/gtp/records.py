"""Games in and out of SGF files. Only the file that the command names is read or written."""

from __future__ import annotations

import os
import stat

from engine.gtp.arguments import argument, integer, integer_argument, quoted
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session

CANNOT_LOAD = "cannot load file"
CANNOT_SAVE = "cannot save file"
# Far beyond any game record, and far below what would trouble a small machine.
LARGEST_FILE = 8 << 20


@command("loadsgf", "FILE [MOVE]")
def loadsgf(session: Session, args: list[str]) -> str:
    """Go on with a game from a file, with the position before a move if one is given."""
    path, before = _file_and_move(args)
    rules, komi = session.rules, session.komi
    session.game  # noqa: B018  (wait for the kernels, which reading needs)
    from engine.sgf import load_game

    try:
        game = load_game(_read(path), before, rules, komi)
    except (OSError, ValueError):
        raise GtpError(CANNOT_LOAD) from None
    session.take_over(game)
    session.remembered = None
    return ""


def _file_and_move(args: list[str]) -> tuple[str, int | None]:
    """A file name and maybe a number. Without quotes, what is before the number is the name."""
    words = quoted(args)
    if argument(args, 0).startswith('"'):
        return words[0], integer_argument(words, 1) if len(words) > 1 else None
    number = integer(words[-1]) if len(words) > 1 else None
    return " ".join(words if number is None else words[:-1]), number


def _read(path: str) -> bytes:
    """The content of a regular file: a pipe or a device could keep us waiting for ever."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ValueError("not a file")
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ValueError("too large")
    return data


@command("printsgf", "[FILE]")
def printsgf(session: Session, args: list[str]) -> str:
    """The game as SGF, in the reply or in a file."""
    game = session.game
    from engine.sgf import dump_game, save_game

    # A name with spaces is one name: its first word could be another file.
    path = " ".join(quoted(args))
    if path in ("", "-"):
        return "\n" + dump_game(game).decode("utf-8").strip()
    try:
        # A device or a pipe would be replaced by a file.
        if os.path.lexists(path) and not os.path.isfile(path):
            raise ValueError("not a file")
        save_game(game, path)
    except (OSError, ValueError):
        raise GtpError(CANNOT_SAVE) from None
    return ""
