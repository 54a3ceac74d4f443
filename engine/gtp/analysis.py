"""Analysis for Sabaki, Lizzie, LizGoban and others: reports while the engine thinks.

`lz-analyze`, `kata-analyze` think until the next line of input. Their genmove forms think as
long as for a move, play it, and end with `play MOVE`; other commands wait for them.

`analyze` and `genmove_analyze` are not listed: Sabaki would take them before the others and read
fractions where these write integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.geometry import PASS
from engine.gtp.analysis_text import Wish, kata_line, lz_line
from engine.gtp.arguments import SYNTAX_ERROR, integer
from engine.gtp.move_owners import MoveOwners
from engine.gtp.registry import GtpError, command
from engine.gtp.session import Session
from engine.gtp.thinker import Report
from engine.gtp.thinking import analyze, generate_move, move_text
from engine.thought import Thought
from engine.vertex import parse_color, parse_vertex

# Nobody reads faster than this.
SHORTEST_INTERVAL = 0.05

_TRUTHS = {"true": True, "false": False}
# What is shown only if asked for: KataGo's keys, and the names of the wishes.
_WISHES = {
    "rootinfo": "root_info",
    "ownership": "ownership",
    "ownershipstdev": "ownership_spread",
    "movesownership": "moves_ownership",
    "movesownershipstdev": "moves_ownership_spread",
    "pvvisits": "line_visits",
    "pvedgevisits": "line_edge_visits",
}


def parse_wish(session: Session, args: list[str]) -> Wish:
    """`[COLOUR] [CENTISECONDS] (KEY VALUE)*`, in the orders that clients use."""
    words = list(args)
    wish = Wish(_leading_color(session, words))
    if words and integer(words[0]) is not None:
        wish.interval = _interval(words.pop(0))
    while words:
        key = words.pop(0).lower()
        if key in ("avoid", "allow"):
            _restrict(session, wish, key, words)
        elif not words:
            raise GtpError(SYNTAX_ERROR)
        else:
            _take_key(wish, key, words.pop(0))
    return wish


def _leading_color(session: Session, words: list[str]) -> int:
    if words:
        try:
            color = parse_color(words[0])
        except ValueError:
            pass
        else:
            words.pop(0)
            return color
    return session.game.to_move


def _interval(text: str) -> float:
    hundredths = integer(text)
    if hundredths is None or hundredths < 0:
        raise GtpError(SYNTAX_ERROR)
    return max(SHORTEST_INTERVAL, hundredths / 100)


def _count(text: str) -> int:
    count = integer(text)
    if count is None or count < 0:
        raise GtpError(SYNTAX_ERROR)
    return count


def _truth(text: str) -> bool:
    if text.lower() not in _TRUTHS:
        raise GtpError(SYNTAX_ERROR)
    return _TRUTHS[text.lower()]


def _take_key(wish: Wish, key: str, value: str) -> None:
    if key == "interval":
        wish.interval = _interval(value)
    elif key == "minmoves":
        wish.min_moves = _count(value)
    elif key == "maxmoves":
        wish.max_moves = _count(value)
    elif key in _WISHES:
        setattr(wish, _WISHES[key], _truth(value))
    else:
        raise GtpError(SYNTAX_ERROR)


def _restrict(session: Session, wish: Wish, key: str, words: list[str]) -> None:
    """`avoid COLOUR V,V DEPTH`: what binds the side to move binds it at the root here."""
    if len(words) < 3:
        raise GtpError(SYNTAX_ERROR)
    color, vertices, depth = words.pop(0), words.pop(0), words.pop(0)
    try:
        is_ours = parse_color(color) == wish.color
        points = [parse_vertex(vertex, session.size) for vertex in vertices.split(",")]
    except ValueError:
        raise GtpError(SYNTAX_ERROR) from None
    if _count(depth) > 0 and is_ours:
        (wish.avoid if key == "avoid" else wish.allow).extend(points)


def _forbidden(session: Session, wish: Wish) -> set[int]:
    """The legal moves that a client does not want to see; it must leave some."""
    legal = {*session.game.legal_points(wish.color), PASS}
    allowed = legal.intersection(wish.allow or legal) - set(wish.avoid)
    if not allowed:
        raise GtpError("no move is allowed")
    return legal - allowed


# --- Thinking until somebody speaks ------------------------------------------------------------


def _analyze(session: Session, args: list[str], text: Callable[..., str]) -> str:
    wish = parse_wish(session, args)
    avoid = _forbidden(session, wish)
    stream = session.stream
    stream.start()
    analyze(
        session,
        wish.color,
        lambda thought: stream.line(text(thought, wish)),
        wish.interval,
        avoid=avoid,
    )
    return ""


def _kata(session: Session) -> Callable[..., str]:
    """KataGo's words for the position as it is now; it may have changed when they are spoken."""
    position = session.game.position.copy()
    owners: MoveOwners | None = None

    def text(thought: Thought, wish: Wish) -> str:
        nonlocal owners
        if owners is None and (wish.moves_ownership or wish.moves_ownership_spread):
            owners = MoveOwners(session.settings, position, wish.color)
        return kata_line(thought, wish, position.size, owners_after if owners else None)

    def owners_after(p: int) -> Mapping[int, float]:
        assert owners is not None
        return owners.after(p, known_only=session.attention.is_pressing)

    return text


@command("lz-analyze", "[COLOR] [CENTISECONDS] [KEY VALUE ...]")
def lz_analyze(session: Session, args: list[str]) -> str:
    """Think until the next line of input; report moves as Leela Zero does."""
    return _analyze(session, args, lz_line)


@command("kata-analyze", "[COLOR] [CENTISECONDS] [KEY VALUE ...]")
def kata_analyze(session: Session, args: list[str]) -> str:
    """Think until the next line of input; report moves, score and owners as KataGo does."""
    return _analyze(session, args, _kata(session))


@command("analyze", "[COLOR] [CENTISECONDS] [KEY VALUE ...]", listed=False)
def plain_analyze(session: Session, args: list[str]) -> str:
    """The same as lz-analyze."""
    return lz_analyze(session, args)


# --- Thinking about a move ---------------------------------------------------------------------


def _genmove(session: Session, args: list[str], text: Callable[..., str]) -> str:
    wish = parse_wish(session, args)
    avoid = _forbidden(session, wish)
    stream = session.stream
    stream.start()
    reported = False

    def report(thought: object) -> None:
        nonlocal reported
        reported = True
        stream.line(text(thought, wish))

    on_report: Report = report
    decision = generate_move(
        session, wish.color, on_report=on_report, interval=wish.interval, avoid=avoid
    )
    if not reported and decision.thought is not None:
        report(decision.thought)
    stream.line(f"play {move_text(decision.point)}")
    return ""


@command("lz-genmove_analyze", "[COLOR] [CENTISECONDS] [KEY VALUE ...]")
def lz_genmove_analyze(session: Session, args: list[str]) -> str:
    """Choose and play a move, with reports on the way and `play MOVE` at the end."""
    return _genmove(session, args, lz_line)


@command("kata-genmove_analyze", "[COLOR] [CENTISECONDS] [KEY VALUE ...]")
def kata_genmove_analyze(session: Session, args: list[str]) -> str:
    """The same with KataGo's reports."""
    return _genmove(session, args, _kata(session))


@command("genmove_analyze", "[COLOR] [CENTISECONDS] [KEY VALUE ...]", listed=False)
def plain_genmove_analyze(session: Session, args: list[str]) -> str:
    """The same as lz-genmove_analyze."""
    return lz_genmove_analyze(session, args)
