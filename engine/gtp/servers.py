"""What the Go servers KGS and CGOS ask for. What their users write is never repeated."""

from __future__ import annotations

import json

from engine.geometry import BLACK
from engine.gtp.analysis_text import ownership, score_of
from engine.gtp.arguments import color_argument
from engine.gtp.explaining import explanation
from engine.gtp.live import summary
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session
from engine.gtp.thinking import generate_move, move_text
from engine.thought import Thought
from engine.vertex import vertex_text

_OWNER_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_SHOWN_MOVES = 10
_LONGEST_CHAT = 400


# --- KGS -------------------------------------------------------------------------------------


@command("kgs-genmove_cleanup", "COLOR")
def kgs_genmove_cleanup(session: Session, args: list[str]) -> str:
    """As genmove, but pass only when no dead stone of the opponent is left on the board."""
    return move_text(generate_move(session, color_argument(args, 0), cleanup=True).point)


@command("kgs-game_over")
def kgs_game_over(session: Session, args: list[str]) -> str:
    """The game has ended: stop pondering, keep the board."""
    session.stop_pondering()
    return ""


@command("kgs-chat", "game/private NAME TEXT")
def kgs_chat(session: Session, args: list[str]) -> str:
    """Answer what somebody wrote: winrate, score, variation, visits, why."""
    said = {word.strip("?!.,:;").lower() for word in args[2:]}
    for words, answer in _ANSWERS:
        if said & words:
            try:
                text = answer(session)
            except GtpError as error:
                text = str(error)
            return " ".join(text.split())[:_LONGEST_CHAT]
    return "Ask me: winrate, score, variation, visits, why."


def _searched(session: Session) -> Thought:
    known = session.last_thought()
    if known is None:
        raise GtpError("I have not thought about this position yet.")
    return known[0]


def _winrate(session: Session) -> str:
    thought = _searched(session)
    black = thought.value if thought.color == BLACK else 1 - thought.value
    return f"Black wins {100 * black:.0f}%, White {100 * (1 - black):.0f}%."


def _score(session: Session) -> str:
    thought = _searched(session)
    lead = thought.score if thought.color == BLACK else -thought.score
    leader = "Black" if lead > 0 else "White"
    return f"{leader} leads by {abs(lead):.1f}, give or take {thought.score_deviation:.1f}."


def _variation(session: Session) -> str:
    best = _searched(session).best
    return " ".join(vertex_text(p) for p in best.line) if best else "I see no move."


def _visits(session: Session) -> str:
    return summary(_searched(session))


def _why(session: Session) -> str:
    _searched(session)
    return explanation(session)


_ANSWERS = (
    (frozenset({"winrate", "win", "winning", "wr"}), _winrate),
    (frozenset({"score", "lead"}), _score),
    (frozenset({"variation", "pv", "line", "sequence"}), _variation),
    (frozenset({"visits", "playouts", "search"}), _visits),
    (frozenset({"why", "explain"}), _why),
)


# --- CGOS ------------------------------------------------------------------------------------


def analysis_json(thought: Thought | None, size: int) -> str:
    """A search as the viewer of CGOS reads it: one line of JSON."""
    if thought is None:
        return "{}"
    moves = [
        {
            "move": vertex_text(c.point),
            "visits": c.visits,
            "winrate": round(c.value, 4),
            "score": round(score_of(thought, c, size), 2),
            "prior": round(c.prior, 4),
            "pv": " ".join(vertex_text(p) for p in c.line[1:]),
        }
        for c in thought.candidates[:_SHOWN_MOVES]
        if c.visits
    ]
    signs = (_OWNER_SIGNS[round((x + 1) / 2 * 62)] for x in ownership(thought, size))
    found = {
        "winrate": round(thought.value, 4),
        "score": round(thought.score, 2),
        "visits": thought.visits,
        "moves": moves,
        "ownership": "".join(signs),
    }
    return json.dumps(found, separators=(",", ":"))


@command("cgos-genmove_analyze", "COLOR")
def cgos_genmove_analyze(session: Session, args: list[str]) -> str:
    """Choose and play a move: a line of JSON about it, then `play MOVE`. Dead stones are taken."""
    color = color_argument(args, 0)
    session.settings.set("cleanup", True)
    stream = session.stream
    stream.start()
    decision = generate_move(session, color)
    stream.line(analysis_json(decision.thought, session.size))
    stream.line(f"play {move_text(decision.point)}")
    return ""


@command("cgos-opponent_name", "NAME")
def cgos_opponent_name(session: Session, args: list[str]) -> str:
    """Who the opponent is: a game on CGOS, where dead stones must be taken before passing."""
    session.settings.set("cleanup", True)
    return ""


@command("cgos-opponent_rating", "RATING")
def cgos_opponent_rating(session: Session, args: list[str]) -> str:
    """How strong the opponent is; the engine plays the same against everybody."""
    session.settings.set("cleanup", True)
    return ""


@command("cgos-gameover", "[RESULT]")
def cgos_gameover(session: Session, args: list[str]) -> str:
    """The game has ended: stop pondering, keep the board."""
    session.stop_pondering()
    return ""
