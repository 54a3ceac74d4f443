"""Letting the player think: what every command that searches has in common.

The clock runs, lines of input may end it early, reports go to whoever wants them, and what was
found out is remembered for the commands that show or explain it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from engine.gtp.live import LiveGraphics, malkovich
from engine.gtp.session import Session
from engine.gtp.thinker import RESIGN, Decision, Report, Status
from engine.vertex import vertex_text

if TYPE_CHECKING:
    from engine.thought import Thought


# How long an analysis takes at least, in seconds, if lines of input wait behind it.
SHORTEST_ANALYSIS = 0.05


def move_text(p: int) -> str:
    """A move as GTP writes it: a vertex, `pass` or `resign`."""
    return "resign" if p == RESIGN else vertex_text(p)


class _Reporter:
    """Hands reports on. If nobody listens any more, the search ends and so does the session."""

    def __init__(self, session: Session, listeners: Iterable[Report]) -> None:
        self._session = session
        self._listeners = list(listeners)

    def __call__(self, thought: Thought) -> None:
        try:
            for listener in self._listeners:
                listener(thought)
        except OSError:
            self._listeners.clear()
            self._session.finished = True
            self._session.player.stop()


def search_move(
    session: Session,
    color: int,
    *,
    timed: bool = True,
    cleanup: bool = False,
    on_report: Report | None = None,
    interval: float = 0.0,
    avoid: Collection[int] = (),
) -> Decision:
    """Choose a move without playing it. The clock runs only if it is `timed`."""
    player, game = session.player, session.game
    clock = session.clock if timed else None
    live = LiveGraphics(session.settings, game)
    listeners = [listener for listener in (on_report, live.show if live.mode else None) if listener]
    if live.mode:
        interval = min(interval, live.interval) if interval else live.interval
    if clock is not None:
        clock.start(color)
    try:
        with session.attention.thinking(player.stop):
            decision = player.choose(
                game,
                color,
                clock,
                cleanup=cleanup,
                on_report=_Reporter(session, listeners) if listeners else None,
                interval=interval,
                avoid=avoid,
            )
    finally:
        if clock is not None:
            clock.stop(color)
        live.clear()
    session.remember(decision.thought)
    return decision


def generate_move(
    session: Session,
    color: int,
    *,
    cleanup: bool = False,
    on_report: Report | None = None,
    interval: float = 0.0,
    avoid: Collection[int] = (),
) -> Decision:
    """Choose a move and play it; a resignation is not played."""
    decision = search_move(
        session, color, cleanup=cleanup, on_report=on_report, interval=interval, avoid=avoid
    )
    if session.settings.flag("malkovich"):
        malkovich(decision.thought)
    if decision.point != RESIGN:
        session.game.play(color, decision.point)
        if session.settings.flag("ponder"):
            session.player.ponder(session.game)
    return decision


def analyze(
    session: Session,
    color: int,
    on_report: Report,
    interval: float,
    avoid: Iterable[int] = (),
) -> Thought:
    """Think until a line of input arrives; if one is there already, until the first report."""
    player = session.player
    session.stop_pondering()
    listeners = [on_report]
    with session.attention.thinking(player.stop, analysis=True):
        # Looked at in here: a line that came just before would be missed, and nothing end it.
        if session.inbox is None or session.inbox.waiting:
            listeners.append(lambda thought: player.stop())
            interval = SHORTEST_ANALYSIS
        thought = player.analyze(
            session.game,
            color,
            _Reporter(session, listeners),
            interval,
            avoid=frozenset(avoid),
        )
    session.remember(thought)
    return thought


def current_thought(session: Session, color: int | None = None) -> Thought:
    """What is known of the position: the last search if it was about it, or a new one."""
    known = session.last_thought()
    if known is not None and color in (None, known[0].color):
        return known[0]
    color = color or session.game.to_move
    decision = search_move(session, color, timed=False)
    if decision.thought is not None:
        return decision.thought
    # The player moved without a search, as its lower levels do.
    return analyze(session, color, lambda thought: session.player.stop(), SHORTEST_ANALYSIS)


def judge_status(session: Session) -> Status:
    """Which stones are alive, dead or in seki. A hurried answer would be remembered, so only
    leaving cuts it short."""
    session.stop_pondering()
    player = session.player
    with session.attention.thinking(player.stop, may_hurry=False):
        return player.status(session.game)
