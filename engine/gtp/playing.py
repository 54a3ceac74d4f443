"""Playing: moves in, moves out, moves back, and a look at the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.gtp.arguments import (
    ILLEGAL_MOVE,
    SYNTAX_ERROR,
    color_argument,
    integer_argument,
    vertex_argument,
)
from engine.gtp.diagram import diagram
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session
from engine.gtp.thinking import generate_move, move_text, search_move
from engine.vertex import color_text, vertex_text

if TYPE_CHECKING:
    from engine.game import Game

CANNOT_UNDO = "cannot undo"


# --- Forward ---------------------------------------------------------------------------------


@command("play", "COLOR VERTEX")
def play(session: Session, args: list[str]) -> str:
    """Play a stone or a pass; the same colour may play twice in a row."""
    color = color_argument(args, 0)
    p = vertex_argument(args, 1, session.size)
    if session.game.why_illegal(color, p):
        raise GtpError(ILLEGAL_MOVE)
    session.stop_pondering()
    session.game.play(color, p)
    return ""


@command("gogui-play_sequence", "COLOR VERTEX ...")
def gogui_play_sequence(session: Session, args: list[str]) -> str:
    """Play several moves, all of them or none."""
    moves = [
        (color_argument(args, i), vertex_argument(args, i + 1, session.size))
        for i in range(0, len(args), 2)
    ]
    game = session.game.replayed()
    for color, p in moves:
        if game.why_illegal(color, p):
            raise GtpError(ILLEGAL_MOVE)
        game.play(color, p)
    session.take_over(game)
    return ""


@command("genmove", "COLOR")
def genmove(session: Session, args: list[str]) -> str:
    """Choose a move for a colour, play it, and say which it was."""
    return move_text(generate_move(session, color_argument(args, 0)).point)


@command("reg_genmove", "COLOR")
def reg_genmove(session: Session, args: list[str]) -> str:
    """Choose a move as genmove does without a clock, but don't play it."""
    return move_text(search_move(session, color_argument(args, 0), timed=False).point)


@command("stop")
def stop(session: Session, args: list[str]) -> str:
    """Stop thinking: a genmove answers with the best move so far, an analysis ends."""
    session.stop_pondering()
    return ""


@command("gogui-interrupt")
def gogui_interrupt(session: Session, args: list[str]) -> str:
    """Tells GoGui that the comment line `# interrupt` does the same as stop."""
    return ""


@command("clear_cache")
def clear_cache(session: Session, args: list[str]) -> str:
    """Forget what was searched so far."""
    session.forget()
    return ""


# --- Back ------------------------------------------------------------------------------------


def _undo(session: Session, count: int) -> str:
    game = session.game
    fixed = 1 if game.handicap else 0
    if count > len(game.events) - fixed:
        raise GtpError(CANNOT_UNDO)
    session.take_over(game.replayed(len(game.events) - count))
    return ""


@command("undo")
def undo(session: Session, args: list[str]) -> str:
    """Take back the last move; handicap stones stay."""
    return _undo(session, 1)


@command("gg-undo", "[NUMBER]")
def gg_undo(session: Session, args: list[str]) -> str:
    """Take back several moves, all of them or none."""
    count = integer_argument(args, 0) if args else 1
    if count < 0:
        raise GtpError(SYNTAX_ERROR)
    return _undo(session, count)


# --- Looking ---------------------------------------------------------------------------------


@command("showboard")
def showboard(session: Session, args: list[str]) -> str:
    """Draw the board, with the last move in brackets."""
    return "\n" + diagram(session.game)


def _moves(game: Game) -> list[str]:
    return [f"{color_text(move.color)} {vertex_text(move.point)}" for move in game.moves]


@command("last_move")
def last_move(session: Session, args: list[str]) -> str:
    """Who moved last, and where."""
    moves = _moves(session.game)
    if not moves:
        raise GtpError("no previous move known")
    return moves[-1]


@command("move_history")
def move_history(session: Session, args: list[str]) -> str:
    """All moves, the last one first, one a line."""
    return "\n".join(reversed(_moves(session.game)))
