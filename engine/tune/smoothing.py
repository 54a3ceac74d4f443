"""Which values are best, when each trial is only a few games.

The best single trial was mostly lucky. So a trial's neighbours have a say, the nearer the more:
their points and games are added with a weight that falls with the distance, and the values with
the best lower end of the interval are recommended. That prefers values that many games support.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from engine.match.statistics import Z95
from engine.tune.space import Axis, Values
from engine.tune.trials import Trial

REACH = 0.15  # of an axis' length, for one axis; more axes are emptier and need more


class Judged(NamedTuple):
    """Values with a smoothed share of points and its interval."""

    values: Values
    share: float
    low: float
    high: float


class _Sums:
    """The weighted games that speak for some values."""

    def __init__(self, axes: Sequence[Axis], values: Values) -> None:
        self.axes, self.values = axes, values
        self.points = self.games = self.squares = 0.0

    def add(self, trial: Trial) -> None:
        """Hear what a trial says of these values."""
        places = [
            [axis.place(values[axis.name]) for axis in self.axes]
            for values in (self.values, trial.values)
        ]
        reach = REACH * math.sqrt(len(self.axes))
        weight = math.exp(-0.5 * (math.dist(*places) / reach) ** 2)
        self.points += weight * trial.score.points
        self.games += weight * trial.score.games
        self.squares += weight * weight * trial.score.games

    def judged(self) -> Judged:
        if not self.games:
            return Judged(self.values, 0.5, 0.0, 1.0)
        # n: as many games of equal weight
        n, p = self.games * self.games / self.squares, self.points / self.games
        middle = p + Z95 * Z95 / (2 * n)
        spread = Z95 * math.sqrt(p * (1 - p) / n + Z95 * Z95 / (4 * n * n))
        scale = 1 + Z95 * Z95 / n
        return Judged(self.values, p, (middle - spread) / scale, (middle + spread) / scale)


def judge(axes: Sequence[Axis], trials: Sequence[Trial], values: Values) -> Judged:
    """What all trials say about some values."""
    sums = _Sums(axes, values)
    for trial in trials:
        sums.add(trial)
    return sums.judged()


def recommended(axes: Sequence[Axis], trials: Sequence[Trial]) -> list[Judged]:
    """The values to use among those tried so far, after each trial from the first on."""
    tried: list[_Sums] = []
    found = []
    for number, trial in enumerate(trials):
        new = _Sums(axes, trial.values)
        for before in trials[:number]:
            new.add(before)
        tried.append(new)
        for sums in tried:
            sums.add(trial)
        found.append(max((sums.judged() for sums in tried), key=lambda judged: judged.low))
    return found
