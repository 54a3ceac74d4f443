"""The end of a game: which stones are dead, and who has won."""

from __future__ import annotations

from engine.gtp.arguments import SYNTAX_ERROR, argument, vertex_argument
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session
from engine.gtp.thinking import judge_status
from engine.rules import result_text
from engine.vertex import vertex_text


@command("final_score")
def final_score(session: Session, args: list[str]) -> str:
    """Count the game without the dead stones: B+3.5, W+1 or 0."""
    judge_status(session)
    try:
        return result_text(session.player.final_score(session.game))
    except ValueError:
        raise GtpError("cannot score") from None


@command("final_status_list", "STATUS")
def final_status_list(session: Session, args: list[str]) -> str:
    """The stones that are alive, dead, or alive in seki, one chain a line."""
    wanted = argument(args, 0)
    if wanted not in ("alive", "dead", "seki"):
        raise GtpError(SYNTAX_ERROR)
    found = set(getattr(judge_status(session), wanted))
    position = session.game.position
    lines = []
    while found:
        chain, _ = position.chain(min(found))
        lines.append(" ".join(vertex_text(p) for p in chain))
        found.difference_update(chain)
    return "\n".join(lines)


@command("final_status", "VERTEX")
def final_status(session: Session, args: list[str]) -> str:
    """What becomes of a point: alive, dead, seki, or whose territory it is."""
    p = vertex_argument(args, 0, session.size, SYNTAX_ERROR)
    status = judge_status(session)
    for name in ("alive", "dead", "seki"):
        if p in getattr(status, name):
            return name
    owner = status.owners.get(p, 0.0)
    if abs(owner) < 1 / 2:
        return "dame"
    return "black_territory" if owner > 0 else "white_territory"
