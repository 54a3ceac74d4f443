"""The clock: time settings in, a plan for the next move out.

Five systems are known, each by name:

    none       no limit
    absolute   main time, and when it is used up the game is lost
    canadian   after the main time, a period for every so many stones, over and over
    byoyomi    after the main time, a number of periods; a move made within one doesn't use it up
    fischer    main time that grows by an increment after every move, up to a cap

A `Clock` holds what both colours have left. It believes a client's `time_left` as far as whole
seconds can be believed, and counts by itself in between, so it is right with clients that never
send any. Its own count charges the full lag for each move: it may be behind the true clock, but
never ahead of it while the lag is what it was said to be.

A `Plan` has two durations from now on: what the move deserves, and what it may take at most. The
most leaves room for the lag and for the moment until a search that is told to stop has stopped.
Nothing here needs NumPy.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from engine.geometry import BLACK, WHITE

# A search answers within this time after its limit is over.
INTERRUPTION = 0.05
# What is thought about a move when there is no time for it: some simulations rather than none.
INSTANT = 0.01
# How much longer than planned a move may take where the clock allows it.
STRETCH = 3.0
# Searches that end early leave time unused. A move is given up to so many times its share for it,
# and each move has this weight in what is known of how much of their time moves take.
LARGEST_AMENDS = 2.0
_NEWS = 0.15
# Of main time that must last, so much may be kept back for the lag of a game that never ends.
LARGEST_RESERVE = 0.25
# Below this many seconds whole seconds are too coarse to go by: the own count knows better.
_COARSE = 4.0


class Plan(NamedTuple):
    """Seconds from now: what the move deserves, and the most it may take."""

    desired: float
    longest: float


@dataclass(frozen=True)
class TimeSettings:
    """A time system; make one with the methods named after the systems."""

    system: Literal["none", "absolute", "canadian", "byoyomi", "fischer"]
    main: float = 0.0
    period: float = 0.0
    count: int = 0  # stones a period (canadian) or periods (byoyomi)
    increment: float = 0.0
    cap: float = math.inf  # main time never grows beyond this (fischer)
    move_cap: float = math.inf  # no single move may take longer than this (fischer)

    @classmethod
    def none(cls) -> TimeSettings:
        """No limit."""
        return cls("none")

    @classmethod
    def absolute(cls, main: float) -> TimeSettings:
        """Main time only."""
        return cls("absolute", _seconds("main time", main))

    @classmethod
    def canadian(cls, main: float, period: float, stones: int) -> TimeSettings:
        """Main time, then a period for every so many stones; without a period, main time only."""
        _seconds("period", period)
        if stones < 0:
            raise ValueError("the number of stones is negative")
        if period == 0 or stones == 0:
            return cls.absolute(main)
        return cls("canadian", _seconds("main time", main), period, stones)

    @classmethod
    def byoyomi(cls, main: float, period: float, periods: int) -> TimeSettings:
        """Main time, then a number of periods; without any, main time only."""
        _seconds("period", period)
        if periods < 0:
            raise ValueError("the number of periods is negative")
        if period == 0 or periods == 0:
            return cls.absolute(main)
        return cls("byoyomi", _seconds("main time", main), period, periods)

    @classmethod
    def fischer(
        cls, main: float, increment: float, cap: float = math.inf, move_cap: float = math.inf
    ) -> TimeSettings:
        """Main time that grows after each move. A negative cap stands for none."""
        if math.isnan(cap) or math.isnan(move_cap):
            raise ValueError("a cap is not a number")
        return cls(
            "fischer",
            _seconds("main time", main),
            increment=_seconds("increment", increment),
            cap=math.inf if cap < 0 else cap,
            move_cap=math.inf if move_cap < 0 else move_cap,
        )

    @classmethod
    def gtp(cls, main: float, period: float, stones: int) -> TimeSettings:
        """GTP's time_settings: a period for no stones means no limit."""
        if _seconds("period", period) > 0 and stones == 0:
            _seconds("main time", main)
            return cls.none()
        return cls.canadian(main, period, stones)

    @property
    def limited(self) -> bool:
        """Whether there is any limit at all."""
        return self.system != "none"

    @property
    def has_overtime(self) -> bool:
        return self.system in ("canadian", "byoyomi")


def _seconds(name: str, value: float) -> float:
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"{name}: {value:g} is no number of seconds")
    return float(value)


@dataclass
class _Side:
    """One colour's clock. `count` is 0 in main time, then the stones or the periods left."""

    left: float
    count: int = 0
    started: float | None = None
    lag: float = 0.0  # of the last plan: charged for each move
    planned: float | None = None  # what the running move deserves, as planned at a moment
    planned_at: float = 0.0
    usage: float = 1.0  # how much of what was planned for them the last moves took, on average
    # Whether `count` is surely right: when main time ended is only known to some moves' lag.
    sure: bool = True


@dataclass
class Clock:
    """Both colours' clocks. `now` tells the time in seconds and never goes back."""

    settings: TimeSettings
    now: Callable[[], float] = time.monotonic
    _sides: dict[int, _Side] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Set both clocks to the beginning of a game."""
        settings = self.settings
        in_overtime = settings.has_overtime and settings.main == 0
        self._sides = {
            color: _Side(settings.period, settings.count) if in_overtime else _Side(settings.main)
            for color in (BLACK, WHITE)
        }

    # --- Counting ----------------------------------------------------------------------

    def set_left(self, color: int, seconds: float, stones: int = 0) -> None:
        """What a client says a colour has left; stones (or periods) is 0 in main time."""
        if not math.isfinite(seconds):
            raise ValueError("the time left is not a number")
        settings, side = self.settings, self._sides[color]
        overtime = settings.has_overtime and stones > 0
        if settings.system == "byoyomi" and seconds > settings.period + 1:
            overtime = False  # some clients send the periods along with the main time
        if settings.has_overtime and not overtime and seconds <= 0:
            side.left, side.count = settings.period, settings.count
        else:
            count = min(stones, settings.count) if overtime else 0
            side.left, side.count = self._believed(color, seconds, count), count
        side.sure = True
        if side.started is not None:
            side.started = self.now()

    def _believed(self, color: int, seconds: float, count: int) -> float:
        """What is surely left when a client says so many seconds.

        Whole seconds may be rounded up or down. The own count is right if it agrees with one of
        the two; otherwise the number may have been rounded up from almost a second less.
        """
        if seconds != math.floor(seconds):
            return seconds
        own = self._own_count(color, count)
        if own is None or not seconds - 1 <= own <= seconds + 1:
            return seconds - 1
        return min(own, seconds) if own >= _COARSE else own

    def _own_count(self, color: int, count: int) -> float | None:
        """What we think a colour has left, if we think it is where the client says."""
        settings = self.settings
        if count and (settings.system == "byoyomi" or count == settings.count):
            return settings.period  # a move has just begun a new period
        left, own_count = self.left(color)
        return left if own_count == count else None

    def start(self, color: int) -> None:
        """A colour's clock begins to run."""
        self._sides[color].started = self.now()

    def stop(self, color: int) -> None:
        """A colour has moved: charge what it took, and what the move earns."""
        side, settings = self._sides[color], self.settings
        if side.started is None:
            return
        spent = self.now() - side.started + side.lag
        side.started = None
        if side.planned is not None:
            used = min((self.now() - side.planned_at) / side.planned, STRETCH)
            side.usage += _NEWS * (used - side.usage)
            side.planned = None
        left, count = self._after(side.left, side.count, spent)
        side.sure = side.sure and (side.count > 0 or not settings.has_overtime)
        if settings.system == "fischer":
            left = max(left, min(left + settings.increment, settings.cap))
        elif count and settings.system == "byoyomi":
            left = settings.period
        elif count:
            count -= 1
            if count == 0:
                left, count = settings.period, settings.count
        side.left, side.count = left, count

    def left(self, color: int) -> tuple[float, int]:
        """The seconds a colour has at this moment, and its stones or periods (0 in main time)."""
        side = self._sides[color]
        running = 0.0 if side.started is None else self.now() - side.started
        return self._after(side.left, side.count, running)

    def _after(self, left: float, count: int, spent: float) -> tuple[float, int]:
        """What is left of a clock, main time or period, after some more seconds."""
        settings = self.settings
        left -= spent
        if count == 0 and settings.has_overtime and left <= 0:
            left, count = left + settings.period, settings.count
        while settings.system == "byoyomi" and count > 1 and left <= 0:
            left, count = left + settings.period, count - 1
        return left, count

    # --- Planning ----------------------------------------------------------------------

    def plan(self, color: int, size: int, moves: int, lag: float = 0.0) -> Plan:
        """How long a colour should think from now on, `moves` having been played by both.

        `lag` is what a move costs on its way to whoever counts, at most.
        """
        settings = self.settings
        if not settings.limited:
            return Plan(math.inf, math.inf)
        side = self._sides[color]
        side.lag = lag
        left, count = self.left(color)
        cost = lag + INTERRUPTION
        if count:
            desired, longest = self._plan_overtime(left, count, cost, side.sure)
        else:
            desired, longest = self._plan_main(left, size, moves, cost, side)
        longest = max(INSTANT, min(longest, settings.move_cap - cost))
        desired = max(INSTANT, min(desired, longest))
        if side.started is not None:
            side.planned, side.planned_at = desired, self.now()
        return Plan(desired, longest)

    def _plan_overtime(
        self, left: float, count: int, cost: float, sure: bool
    ) -> tuple[float, float]:
        """Within a period. Further byo-yomi periods are never begun: they pay for accidents."""
        settings = self.settings
        if settings.system == "byoyomi":
            return 0.9 * (left - cost), left - cost
        if not sure:
            # Moves that all take their even part are right wherever a period may begin; less, if
            # the move that began it has used up more than its own.
            even = min(left / count, settings.period / settings.count) - cost - INSTANT
            return even, even
        # Each stone of the period costs its lag, and the last ones need their time too.
        spare = left - count * (cost + INSTANT)
        desired = spare / count
        return desired, spare if count == 1 else min(spare, STRETCH * desired)

    def _plan_main(
        self, left: float, size: int, moves: int, cost: float, side: _Side
    ) -> tuple[float, float]:
        """In main time: a share of it, and what each move gets for nothing on top; more where the
        moves don't take what they are given."""
        settings = self.settings
        share = _share(size, moves)
        amends = max(1.0, min(1.0 / max(side.usage, 1e-9), LARGEST_AMENDS))
        rate, beyond = 0.0, 0.0
        if settings.has_overtime:
            rate, beyond = self._plan_overtime(settings.period, settings.count, cost, side.sure)
        if rate > 0:
            # What comes after the main time is enough to move in, so nothing is kept back.
            desired = amends * (rate + left * share)
            return desired, min(left + beyond, STRETCH * desired)
        rate = settings.increment - cost
        spare = left - cost - self._reserve(size, moves, max(0.0, -rate))
        desired = amends * (max(0.0, rate) + spare * share)
        # Time above the cap would be lost.
        desired = max(desired, min(left + rate - settings.cap, spare / 2))
        return desired, min(spare, STRETCH * desired)

    def _reserve(self, size: int, moves: int, drain: float) -> float:
        """Main time to keep when each move costs more than it earns, thinking aside."""
        expected = _moves_left(size, moves)
        further = max(0, _most_moves_left(size, moves) - expected)
        return drain * expected + min(drain * further, LARGEST_RESERVE * self.settings.main)


def _share(size: int, moves: int) -> float:
    """The share of the time for the moves to come that the next one gets."""
    area = size * size
    return _worth(moves / area) / sum(
        _worth((moves + 2 * i) / area) for i in range(_moves_left(size, moves))
    )


def _worth(progress: float) -> float:
    """What thinking is worth, by the moves played as a share of the board's points.

    The opening is known and the end is small; most is decided from 20% to 40%. From there on a game
    may be over at any move, and what was kept for the moves after it was kept for nothing.
    """
    if progress < 0.2:
        return 0.6 + 2.0 * progress
    return max(0.2, min(1.0, 1.0 - 2.6 * (progress - 0.4)))


def _moves_left(size: int, moves: int) -> int:
    """How many moves a colour still has to make: a game takes about three quarters of the points.

    A game that takes longer may go on for long: then the rest is spent by ever smaller parts.
    """
    area = size * size
    return math.ceil(max((0.75 * area - moves) / 2, 8, area / 12))


def _most_moves_left(size: int, moves: int) -> int:
    """How many moves a colour has to make if the game is a very long one."""
    return math.ceil(max((max(1.5 * size * size, 360) - moves) / 2, 40))
