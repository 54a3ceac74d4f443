"""What to try next: Optuna's tree-structured Parzen estimator, all parameters together.

A trial is a handful of games, so its result is mostly noise. The estimator copes: it only asks
which trials are in the better part, not by how much, and draws from where those lie close; it
takes whole numbers and logarithmic ranges as they are, needs no gradient, and is good for the
hundred or so trials that one can afford. Results come in any order and may be told later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.tune.space import Axis, Values
from engine.tune.trials import Trial

RANDOM_TRIALS = 12  # before there is something to estimate from


class OptimiserMissing(RuntimeError):
    """Optuna is not installed."""


class Optimiser:
    """Suggests values; learns from trials, also those of an earlier run."""

    def __init__(self, axes: Sequence[Axis], done: Sequence[Trial], seed: int) -> None:
        try:
            import optuna
        except ImportError:
            raise OptimiserMissing("tuning needs Optuna: pip install 'miai[tune]'") from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._optuna = optuna
        self._axes = list(axes)
        # Another seed after each interruption: the estimator must not repeat its first steps.
        sampler = optuna.samplers.TPESampler(
            n_startup_trials=RANDOM_TRIALS,
            multivariate=True,
            constant_liar=True,
            seed=(seed + len(done)) % 2**32,
        )
        self._study: Any = optuna.create_study(direction="maximize", sampler=sampler)
        self._open: dict[int, Any] = {}
        for trial in done:
            self._study.add_trial(
                optuna.trial.create_trial(
                    params={axis.name: self._typed(axis, trial.values) for axis in axes},
                    distributions=self._distributions(),
                    value=trial.score.share,
                )
            )
        default = {axis.name: self._default(axis) for axis in axes}
        if all(trial.values != default for trial in done):
            self._study.enqueue_trial(default)

    def _distributions(self) -> dict[str, Any]:
        kinds = self._optuna.distributions
        return {
            axis.name: kinds.IntDistribution(int(axis.low), int(axis.high), log=axis.log)
            if axis.whole
            else kinds.FloatDistribution(axis.low, axis.high, log=axis.log)
            for axis in self._axes
        }

    @staticmethod
    def _typed(axis: Axis, values: Values) -> float | int:
        return round(values[axis.name]) if axis.whole else values[axis.name]

    @staticmethod
    def _default(axis: Axis) -> float | int:
        return round(axis.default) if axis.whole else axis.default

    def ask(self, number: int) -> Values:
        """Values for a new trial."""
        trial = self._study.ask(self._distributions())
        self._open[number] = trial
        return {name: float(value) for name, value in trial.params.items()}

    def tell(self, trial: Trial) -> None:
        """The result of a trial that was asked for."""
        self._study.tell(self._open.pop(trial.number), trial.score.share)
