"""A tuning run in pictures: how the trials did, and each parameter's values against the share.

A screening is one picture: what each parameter does.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.match.report import STEEPEST
from engine.tune.screening import Effect
from engine.tune.smoothing import judge, recommended
from engine.tune.space import Axis
from engine.tune.trials import Trial
from knowledge.report import Line, dot_chart, interval_chart, line_chart


def progress_plot(axes: Sequence[Axis], trials: Sequence[Trial]) -> str:
    """The share of each trial, and what would have been recommended after it."""
    shares = [(trial.number + 1.0, 100 * trial.score.share) for trial in trials]
    best = [
        (float(end), 100 * found.share) for end, found in enumerate(recommended(axes, trials), 1)
    ]
    lines = [Line("trial", shares, dashed=True), Line("recommended, smoothed", best)]
    return line_chart("Trials", "trial", "percent of points", lines)


def parameter_plots(axes: Sequence[Axis], trials: Sequence[Trial]) -> dict[str, str]:
    """For each parameter its values against the trials' shares, raw and smoothed."""
    smoothed = [judge(axes, trials, trial.values) for trial in trials]
    plots = {}
    for axis in axes:
        raw = [(trial.values[axis.name], 100 * trial.score.share) for trial in trials]
        calm = [(found.values[axis.name], 100 * found.share) for found in smoothed]
        dots = [Line("trial", raw), Line("smoothed", calm)]
        plots[axis.name] = dot_chart(axis.name, axis.name, "percent of points", dots)
    return plots


def effects_plot(effects: Sequence[Effect]) -> str:
    """The Elo of each parameter's high end over its low one, with its 95% interval."""
    rows = {}
    for effect in effects:
        axis = effect.axis
        middle, low, high = (max(-STEEPEST, min(STEEPEST, value)) for value in effect.elo())
        name = f"{axis.name} {axis.text(axis.low)} to {axis.text(axis.high)}"
        rows[name] = (low, middle, high)
    return interval_chart("What the settings do", "Elo of the high end over the low one", rows)
