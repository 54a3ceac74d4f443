"""The clock of a match: time settings as GTP says them, and who has overstepped.

A clock is written `SECONDS/move`, `MAIN`, or `MAIN+PERIOD/STONES` (Canadian). An engine loses on
time when it oversteps by more than a second of grace, which is for pipes and a busy machine. There
is one such second in a period, and one in a game without periods.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.geometry import BLACK, WHITE

GRACE = 1.0
_NUMBER = r"(\d+(?:\.\d+)?)"


@dataclass(frozen=True)
class ClockRule:
    """Main time, then `stones` moves in each period of `period` seconds; no stones, no periods."""

    main: float
    period: float = 0.0
    stones: int = 0

    def gtp(self) -> str:
        """The GTP command that announces it."""
        return f"time_settings {self.main:g} {self.period:g} {self.stones}"


def parse_clock(text: str) -> ClockRule:
    """A clock from what somebody wrote; ValueError if it is none."""
    if match := re.fullmatch(rf"{_NUMBER}/move", text):
        rule = ClockRule(0.0, float(match[1]), 1)
    elif match := re.fullmatch(rf"{_NUMBER}(?:\+{_NUMBER}/(\d+))?", text):
        rule = ClockRule(float(match[1]), float(match[2] or 0), int(match[3] or 0))
    else:
        raise ValueError(f"{text!r} is no clock: 5/move, 600, or 600+30/25")
    if rule.main + rule.period <= 0 or (rule.period > 0) != (rule.stones > 0):
        raise ValueError(f"{text!r} leaves no time to think")
    return rule


class MatchClock:
    """What each colour has left."""

    def __init__(self, rule: ClockRule | None) -> None:
        self.rule = rule
        self._main = dict.fromkeys((BLACK, WHITE), rule.main if rule else 0.0)
        self._period = dict.fromkeys((BLACK, WHITE), rule.period if rule else 0.0)
        self._stones = dict.fromkeys((BLACK, WHITE), rule.stones if rule else 0)

    def left(self, color: int) -> tuple[float, int]:
        """Seconds left and, in a period, stones to play in them; 0 stones in main time."""
        if self._main[color] > 0:
            return self._main[color], 0
        return max(0.0, self._period[color]), self._stones[color]

    def charge(self, color: int, seconds: float) -> bool:
        """Take the time of a move; False if it was too much."""
        rule = self.rule
        if rule is None:
            return True
        main = self._main[color]
        self._main[color] = max(0.0, main - seconds)
        if main > 0 and seconds <= main:
            return True
        self._period[color] -= seconds - main  # below zero it is the grace
        if self._period[color] < -GRACE:
            return False
        if rule.stones:
            self._stones[color] -= 1
            if self._stones[color] == 0:
                self._period[color], self._stones[color] = rule.period, rule.stones
        return True
