"""A strict arbiter: counts one player's time by itself, move by move, and forgives nothing."""

from __future__ import annotations

import math
from collections.abc import Callable

ROUNDINGS: dict[str, Callable[[float], float]] = {
    "exact": lambda seconds: seconds,
    "floor": math.floor,
    "ceil": math.ceil,
    "nearest": lambda seconds: math.floor(seconds + 0.5),
}


class Arbiter:
    """One player's clock under one system; `lost` once it was overstepped."""

    def __init__(
        self,
        system: str,
        main: float = 0.0,
        period: float = 0.0,
        count: int = 0,
        increment: float = 0.0,
        cap: float = math.inf,
    ) -> None:
        self.system = system
        self.main = main
        self.period = period
        self.increment = increment
        self.cap = cap
        self.count = count
        self.periods_left = count if system == "byoyomi" else 1
        self.stones_left = count
        self.in_period = period
        self.lost = False
        self.main_used = 0.0

    def says(self, rounding: str) -> tuple[float, int]:
        """What a client would send as time_left before a move."""
        shown = ROUNDINGS[rounding]
        if self.system in ("absolute", "fischer") or self.main > 0:
            return shown(self.main), 0
        if self.system == "byoyomi":
            return shown(self.period), self.periods_left
        return shown(self.in_period), self.stones_left

    def move(self, seconds: float) -> None:
        """Charge a move."""
        if self.system == "none":
            return
        from_main = min(self.main, seconds)
        self.main -= from_main
        self.main_used += from_main
        over = seconds - from_main
        if self.system in ("absolute", "fischer"):
            if over > 0:
                self.lost = True
            self.main = max(self.main, min(self.main + self.increment, self.cap))
        elif self.system == "byoyomi":
            while over > self.period:
                over -= self.period
                self.periods_left -= 1
            if self.periods_left < 1:
                self.lost = True
        elif over > 0 or (self.main == 0 and from_main == 0):
            self.in_period -= over
            if self.in_period < 0:
                self.lost = True
            self.stones_left -= 1
            if self.stones_left == 0:
                self.stones_left = self.count
                self.in_period = self.period
