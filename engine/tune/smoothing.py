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


def judge(axes: Sequence[Axis], trials: Sequence[Trial], values: Values) -> Judged:
    """What all trials say about some values."""
    here = [axis.place(values[axis.name]) for axis in axes]
    reach = REACH * math.sqrt(len(axes))
    points = games = squares = 0.0
    for trial in trials:
        there = [axis.place(trial.values[axis.name]) for axis in axes]
        distance = math.dist(here, there)
        weight = math.exp(-0.5 * (distance / reach) ** 2)
        points += weight * trial.score.points
        games += weight * trial.score.games
        squares += weight * weight * trial.score.games
    if not games:
        return Judged(values, 0.5, 0.0, 1.0)
    n, p = games * games / squares, points / games  # n: as many games of equal weight
    middle = p + Z95 * Z95 / (2 * n)
    spread = Z95 * math.sqrt(p * (1 - p) / n + Z95 * Z95 / (4 * n * n))
    scale = 1 + Z95 * Z95 / n
    return Judged(values, p, (middle - spread) / scale, (middle + spread) / scale)


def recommend(axes: Sequence[Axis], trials: Sequence[Trial]) -> Judged | None:
    """The values to use, among all that were tried; None before the first trial."""
    judged = [judge(axes, trials, trial.values) for trial in trials]
    return max(judged, key=lambda found: found.low, default=None)
