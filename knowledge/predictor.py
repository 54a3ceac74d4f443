"""Trained weights behind one face: scores and probabilities of moves, whatever the learner was.

`load_predictor` takes the weight file of any kind. Factor models (FBT, LFR, MM) can also explain
themselves, see `explain.py`.
"""

from __future__ import annotations

import threading
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.game import Game
from knowledge import evaluate
from knowledge.calibration import Calibration
from knowledge.factors import KINDS, FactorModel, Ranked
from knowledge.games import Games
from knowledge.predictions import Predictions, Tell
from weights.files import BadWeights, kind_of, nearest


class Predictor(Protocol):
    """What every learner's model can do."""

    kind: str

    @property
    def calibration(self) -> Calibration:
        """What makes its probabilities honest."""

    @property
    def temperature(self) -> float:
        """The temperature that does most of it."""

    def rank(self, game: Game, color: int | None = None) -> Ranked:
        """All legal moves and the pass, with scores and probabilities."""

    def predict(self, games: Games, threads: int = 1, tell: Tell | None = None) -> Predictions:
        """The rank and probability of every move of games that is to be learned from."""


class FactorPredictor:
    """FBT, LFR or MM."""

    def __init__(self, model: FactorModel) -> None:
        self.model = model
        self.kind = model.kind

    @property
    def calibration(self) -> Calibration:
        return self.model.calibration

    @property
    def temperature(self) -> float:
        return self.model.calibration.temperature

    @cached_property
    def table(self) -> np.ndarray:
        """The model's table for scoring: large and slow to make, so all searches share it."""
        return self.model.folded()

    def rank(self, game: Game, color: int | None = None) -> Ranked:
        return self.model.rank(game, color)

    def predict(self, games: Games, threads: int = 1, tell: Tell | None = None) -> Predictions:
        return evaluate.predict(self.model, games, threads, tell)


def load_predictor(path: Path | str) -> Predictor:
    """The model of a weight file; BadWeights says why it can't be one."""
    kind = kind_of(path)
    if kind in KINDS:
        return FactorPredictor(FactorModel.load(path, kind))
    if kind == "spt":
        from knowledge.spt import SptModel

        return SptModel.load(path)
    raise BadWeights(f"{path}: weights of kind {kind!r} predict no moves")


# Who needs a model while another thread loads it waits, rather than load it twice.
_LOADING = threading.Lock()


@cache
def _kept(path: Path) -> Predictor:
    return load_predictor(path)


def shipped_predictor(kind: str, size: int) -> Predictor:
    """The model of a kind that comes with the engine, for the board size nearest to a size. It is
    kept, one for all the sizes that share it, since it takes time and memory."""
    with _LOADING:
        return _kept(nearest(kind, size))
