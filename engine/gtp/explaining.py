"""Why this move and not that one: what the search counted, and the features that spoke for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.gtp.arguments import SYNTAX_ERROR, vertex_argument
from engine.gtp.reasons import move_reasons
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session
from engine.gtp.thinking import current_thought
from engine.vertex import color_text, vertex_text

if TYPE_CHECKING:
    from engine.game import Game
    from engine.thought import Candidate, Thought

ALTERNATIVES = 3


def explanation(session: Session, asked: int | None = None) -> str:
    """The last search's move against its alternatives, or a move that somebody asks about."""
    current_thought(session)
    known = session.last_thought()
    if known is None:
        raise GtpError("nothing was searched")
    thought, game = known
    game.to_move = thought.color
    if thought.best is None:
        return "There is no move to explain."
    chosen = thought.best
    subject = chosen.point if asked is None else asked
    if game.why_illegal(thought.color, subject):
        raise GtpError(f"{vertex_text(subject)} is not a legal move there")
    by_point = {candidate.point: candidate for candidate in thought.candidates}
    others = [c for c in thought.candidates[1:] if c.point != subject][:ALTERNATIVES]
    lines = [_sentence(thought, by_point.get(subject), subject)]
    if subject != chosen.point:
        lines.append(f"It chose {_told(chosen)}.")
    for other in others:
        lines.append(f"Against it: {_told(other)}.")
    lines += _why(session, game, subject, chosen.point)
    return "\n".join(lines)


def _told(candidate: Candidate) -> str:
    return (
        f"{vertex_text(candidate.point)}, {candidate.visits} visits, "
        f"wins {100 * candidate.value:.1f}% (at least {100 * max(0.0, candidate.lower):.1f}%)"
    )


def _sentence(thought: Thought, candidate: Candidate | None, p: int) -> str:
    who = color_text(thought.color)
    if candidate is None or not candidate.visits:
        return f"{who} {vertex_text(p)} was not tried: too unlikely in {thought.visits} visits."
    line = " ".join(vertex_text(q) for q in candidate.line)
    share = 100 * candidate.visits / max(1, thought.visits)
    return (
        f"{who} {_told(candidate)}, {share:.0f}% of all visits; "
        f"its probability before the search was {100 * candidate.prior:.1f}%. Then: {line}."
    )


def _why(session: Session, game: Game, subject: int, chosen: int) -> list[str]:
    """What the model says about a move, and about the chosen one if that is another."""
    try:
        points = (subject,) if subject == chosen else (subject, chosen)
        return ["What speaks for and against it:", *move_reasons(session, game, points)]
    except GtpError as error:
        return [str(error)]


@command("explain", "[VERTEX]")
def explain_command(session: Session, args: list[str]) -> str:
    """Why the last move was chosen, or why not another one: visits, values and features."""
    if not args:
        return explanation(session)
    return explanation(session, vertex_argument(args, 0, session.size, SYNTAX_ERROR))


@command("gomill-explain_last_move")
def gomill_explain_last_move(session: Session, args: list[str]) -> str:
    """The same for gomill; nothing if there was no search."""
    return explanation(session) if session.last_thought() else ""
