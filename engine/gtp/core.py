"""The commands that every GTP client relies on: who are you, set up, play, show, count.

Surplus arguments are ignored, because some clients send them. A command that fails changes
nothing.
"""

from __future__ import annotations

import math
import re

from engine import __version__
from engine.geometry import MAX_SIZE, MIN_SIZE
from engine.gtp.diagram import diagram
from engine.gtp.registry import COMMANDS, GtpError, command
from engine.gtp.session import Session
from engine.rules import result_text
from engine.vertex import OffBoard, parse_color, parse_vertex, vertex_text

SYNTAX_ERROR = "syntax error"
ILLEGAL_MOVE = "illegal move"

_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


# --- Reading arguments -----------------------------------------------------------------------


def argument(args: list[str], i: int) -> str:
    """The i-th argument; a missing one is a syntax error."""
    if i >= len(args):
        raise GtpError(SYNTAX_ERROR)
    return args[i]


def integer_argument(args: list[str], i: int) -> int:
    """A whole number in plain digits."""
    text = argument(args, i)
    if _INTEGER.fullmatch(text) is None:
        raise GtpError(SYNTAX_ERROR)
    return int(text)


def number_argument(args: list[str], i: int) -> float:
    """A finite number; `nan` and `inf` are none."""
    text = argument(args, i)
    if _DECIMAL.fullmatch(text) is None or not math.isfinite(float(text)):
        raise GtpError(SYNTAX_ERROR)
    return float(text)


def color_argument(args: list[str], i: int) -> int:
    """A colour."""
    try:
        return parse_color(argument(args, i))
    except ValueError:
        raise GtpError(SYNTAX_ERROR) from None


def vertex_argument(args: list[str], i: int, size: int) -> int:
    """A point of the board, or PASS; a vertex beyond the edge is an illegal move."""
    try:
        return parse_vertex(argument(args, i), size)
    except OffBoard:
        raise GtpError(ILLEGAL_MOVE) from None
    except ValueError:
        raise GtpError(SYNTAX_ERROR) from None


# --- Who are you -----------------------------------------------------------------------------


@command("protocol_version")
def protocol_version(session: Session, args: list[str]) -> str:
    """The version of GTP that is spoken here: 2."""
    return "2"


@command("name")
def name(session: Session, args: list[str]) -> str:
    """The name of the engine."""
    return "Miai"


@command("version")
def version(session: Session, args: list[str]) -> str:
    """The version of the engine."""
    return __version__


@command("known_command", "NAME")
def known_command(session: Session, args: list[str]) -> str:
    """Whether a command exists: true or false."""
    return "true" if args and args[0] in COMMANDS else "false"


@command("list_commands")
def list_commands(session: Session, args: list[str]) -> str:
    """The names of all commands, one a line."""
    return "\n".join(COMMANDS)


@command("quit")
def end(session: Session, args: list[str]) -> str:
    """Answer, and leave."""
    session.finished = True
    return ""


# --- Setting up ------------------------------------------------------------------------------


@command("boardsize", "SIZE")
def boardsize(session: Session, args: list[str]) -> str:
    """Start again on an empty board of a size from 2 to 25; the komi stays."""
    size = integer_argument(args, 0)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise GtpError("unacceptable size")
    session.new_game(size)
    return ""


@command("clear_board")
def clear_board(session: Session, args: list[str]) -> str:
    """Start again on an empty board; the size and the komi stay."""
    session.new_game()
    return ""


@command("komi", "NUMBER")
def komi(session: Session, args: list[str]) -> str:
    """Set the points that White gets for moving second."""
    session.set_komi(number_argument(args, 0))
    return ""


# --- Playing ---------------------------------------------------------------------------------


@command("play", "COLOR VERTEX")
def play(session: Session, args: list[str]) -> str:
    """Play a stone or a pass; the same colour may play twice in a row."""
    color = color_argument(args, 0)
    p = vertex_argument(args, 1, session.size)
    if session.game.why_illegal(color, p):
        raise GtpError(ILLEGAL_MOVE)
    session.game.play(color, p)
    return ""


@command("genmove", "COLOR")
def genmove(session: Session, args: list[str]) -> str:
    """Choose a move for a colour, play it, and say which it was."""
    color = color_argument(args, 0)
    chosen = session.player.choose(session.game, color)
    session.game.play(color, chosen)
    return vertex_text(chosen)


@command("undo")
def undo(session: Session, args: list[str]) -> str:
    """Take back the last move; handicap stones stay."""
    game = session.game
    from engine.game import CannotUndo  # once there is a game, this waits for nothing

    try:
        game.undo()
    except CannotUndo:
        raise GtpError("cannot undo") from None
    return ""


# --- Looking and counting --------------------------------------------------------------------


@command("showboard")
def showboard(session: Session, args: list[str]) -> str:
    """Draw the board, with the last move in brackets."""
    return "\n" + diagram(session.game)


@command("final_score")
def final_score(session: Session, args: list[str]) -> str:
    """Count the game with every stone on the board alive: B+3.5, W+1 or 0."""
    try:
        return result_text(session.game.score())
    except ValueError:
        raise GtpError("cannot score") from None
