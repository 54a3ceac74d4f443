"""The rows of an experiment: each is one model (or one count of patterns), learned and tested.

A row says all that it is made from; running it gives figures ready for JSON. Validation games stop
the training, test games give the reported figures and nothing else.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.console import say
from knowledge import fbt, mm, spt
from knowledge.dictionary import Dictionary
from knowledge.evaluate import predict
from knowledge.factors import FactorModel
from knowledge.features import PATTERN_GROUPS, FeatureSet
from knowledge.filters import Filters
from knowledge.games import Games
from knowledge.groups import SETS
from knowledge.harvest import harvest, played_patterns, sizes_by_phase
from knowledge.predictions import PHASE_MOVES, PHASES, TEMPERATURES, Predictions
from knowledge.progress import Progress
from knowledge.records import read_games
from knowledge.templates import PLAIN, WHOLE_BOARD
from knowledge.training import Epoch, Recipe, Training, train_together
from weights.files import BadWeights

CUMULATIVE = 20  # the share of moves among the first 1, 2, ... so many is kept
# The papers know plain shapes only.
PLAIN_ONLY = (WHOLE_BOARD, 0, 0, 0)
Figures = dict[str, Any]


class CannotReproduce(ValueError):
    """Something that the run needs is missing or wrong; the text says what."""


# --- Where games come from ------------------------------------------------------------------


class Sources:
    """Game records by the names of their files, read once."""

    def __init__(self, files: Mapping[str, Path], filters: Filters | None = None) -> None:
        self._files = dict(files)
        self._filters = filters or Filters(size=19)
        self._read: dict[Path, Games] = {}

    def check(self, names: Sequence[str]) -> None:
        """Whether all files are there; else CannotReproduce."""
        for name in names:
            if not self._files[name].is_file():
                raise CannotReproduce(
                    f"there is no {self._files[name]} (--data says where the game records are)"
                )

    def games(self, name: str, first: int | None = None) -> Games:
        """The first games of a file, or all."""
        path = self._files[name]
        if path not in self._read:
            self._read[path] = read_games([path], self._filters)
        games = self._read[path]
        return games if first is None else games.first(first)


@dataclass
class Bench:
    """What a row is run with."""

    sources: Sources
    threads: int
    checkpoint: Path | None = None
    _dictionary: tuple[object, Dictionary] | None = field(default=None, repr=False)

    def features(
        self, lesson: Lesson, groups: str | Sequence[str], min_count: int, largest: Sequence[int]
    ) -> FeatureSet:
        """A feature set with the patterns of a row's training games."""
        names = SETS[groups] if isinstance(groups, str) else tuple(groups)
        if not any(name in PATTERN_GROUPS for name in names):
            return FeatureSet(groups)
        return FeatureSet(groups, self.dictionary(lesson, min_count, tuple(largest)))

    def dictionary(self, lesson: Lesson, min_count: int, largest: tuple[int, ...]) -> Dictionary:
        """The patterns of a row's training games; the next row often wants the same."""
        wanted = (lesson.train, lesson.first, min_count, largest)
        if self._dictionary is None or self._dictionary[0] != wanted:
            with Progress("Harvesting patterns") as progress:
                games = self.sources.games(lesson.train, lesson.first)
                found = harvest(games, min_count, largest, self.threads, progress.update)
            self._dictionary = (wanted, found)
        return self._dictionary[1]


# --- Rows -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lesson:
    """The games of a row: how many of the first it learns from, is stopped by, is tested on."""

    train: str
    first: int | None
    test: str
    test_first: int | None = None
    valid: str = ""
    valid_first: int | None = None

    def names(self) -> list[str]:
        return [name for name in (self.train, self.test, self.valid) if name]


@dataclass(frozen=True)
class Limits:
    """Less than the whole experiment: what there is time for. None is no limit."""

    games: int | None = None  # to learn from
    test_games: int | None = None
    valid_games: int | None = None
    epochs: int | None = None
    total: int | None = None  # games gone through, all epochs together
    only: str = ""  # rows with this in their key; others stay as they are

    def told(self) -> str:
        """A sentence for the page; nothing if there are no limits."""
        named = (
            ("games to learn from", self.games), ("test games", self.test_games),
            ("validation games", self.valid_games), ("epochs", self.epochs),
            ("games gone through in all epochs of a row together", self.total),
        )  # fmt: skip
        parts = [f"{n:,} {what}" for what, n in named if n]
        if not parts:
            return ""
        told = f"This run was smaller than the paper's: at most {', '.join(parts)}."
        if self.total or self.epochs:
            told += (
                " Where that is fewer epochs than the paper's constant rate needs, the rate begins"
                " higher and falls, so that all steps together are as long."
            )
        return told


NO_LIMITS = Limits()


def _least(a: int | None, b: int | None) -> int | None:
    """The smaller of two limits."""
    return min((n for n in (a, b) if n is not None), default=None)


@dataclass(frozen=True)
class Row(ABC):
    """One model of an experiment."""

    key: str
    lesson: Lesson

    def limited(self, limits: Limits) -> Row:
        """The same row with less to learn from and to be tested on."""
        lesson = self.lesson
        first, test_first = lesson.first, lesson.test_first
        smaller = replace(
            lesson, first=_least(first, limits.games),
            test_first=_least(test_first, limits.test_games),
            valid_first=_least(lesson.valid_first, limits.valid_games if lesson.valid else None),
        )  # fmt: skip
        return replace(self, lesson=smaller)

    @abstractmethod
    def run(self, bench: Bench) -> Figures:
        """Learn and test; figures ready for JSON."""


def measured(predictions: Predictions) -> Figures:
    """The figures of a tested model, with how often the move is among the first 1, 2, ...

    Too long steps can end in numbers that are none. What ranks such a model gives means nothing,
    so it has no figures.
    """
    ranks = predictions.ranks
    if not np.isfinite(predictions.logs).all():
        return {"positions": len(ranks), "astray": True}
    shares = [round(100 * float((ranks < n + 1).mean()), 2) for n in range(1, CUMULATIVE + 1)]
    phases = np.minimum(predictions.numbers // PHASE_MOVES, PHASES - 1)
    one = int(np.argmin(np.abs(TEMPERATURES - 1.0)))
    logs = [predictions.logs[phases == i, one] for i in range(PHASES)]
    return {
        **predictions.figures(),
        "cumulative": shares,
        "log_phases": [round(float(part.mean()), 3) if len(part) else None for part in logs],
    }


@dataclass(frozen=True)
class DescentRow(Row):
    """FBT or LFR with the features and the recipe of a paper."""

    kind: str
    k: int
    features: str | tuple[str, ...]
    recipe: Recipe
    min_count: int = 10
    spread: float = fbt.PAPER_SPREAD

    def limited(self, limits: Limits) -> Row:
        smaller = super().limited(limits)
        assert isinstance(smaller, DescentRow)
        most = limits.epochs
        if limits.total is not None and smaller.lesson.first is not None:
            most = _least(most, max(1, limits.total // smaller.lesson.first))
        return smaller if most is None else replace(smaller, recipe=hurried(self.recipe, most))

    def run(self, bench: Bench) -> Figures:
        return run_together([self], bench)[0]

    def reads_like(self, other: Row) -> bool:
        """Whether both see the same features of the same positions."""
        return isinstance(other, DescentRow) and (
            (self.lesson, self.features, self.min_count)
            == (other.lesson, other.features, other.min_count)
        )

    def training(
        self, bench: Bench, games: Games, features: FeatureSet, checkpoint: Path | None
    ) -> Training:
        """The training that makes the model, gone on with if it was broken off."""
        valid = bench.sources.games(self.lesson.valid, self.lesson.valid_first)
        recipe = replace(self.recipe, threads=bench.threads)
        size = int(games.sizes.max())
        model = FactorModel.new(self.kind, features, self.k, False, 1, self.spread, size)
        result = Training(model, games, recipe, valid, checkpoint)
        if checkpoint is not None and checkpoint.exists():
            try:
                result.resume()
            except BadWeights as error:
                say(f"starting afresh: {error}")
        return result

    def tested(self, bench: Bench, training: Training) -> Figures:
        """The figures of the trained model."""
        model, lesson = training.model, self.lesson
        test = bench.sources.games(lesson.test, lesson.test_first)
        return {
            **measured(predict(model, test, bench.threads)),
            "features": model.features.n_ids - 1,
            "epochs": [
                {"valid_top1": _accuracy(epoch), "seconds": round(epoch.seconds, 2)}
                for epoch in training.epochs
            ],
            "pairs": _pairs(model) if model.features.dictionary is None and self.k == 1 else None,
        }


def hurried(recipe: Recipe, epochs: int) -> Recipe:
    """A recipe with no more than so many epochs, whose steps add up to as much all the same.

    The papers' small constant rate wants many epochs. With fewer of them it begins higher and
    falls to almost nothing.
    """
    if epochs >= recipe.epochs:
        return recipe
    if recipe.falling:
        return replace(recipe, epochs=epochs)
    raised = 2.0 * recipe.epochs / epochs  # twice, since a rate that falls is half of it on average
    return replace(
        recipe, epochs=epochs, falling=True,
        rate_w=raised * recipe.rate_w, rate_v=raised * recipe.rate_v,
    )  # fmt: skip


def run_together(rows: Sequence[DescentRow], bench: Bench) -> list[Figures]:
    """Learn and test rows that read the same, each position read once for all of them."""
    first = rows[0]
    features = bench.features(first.lesson, first.features, first.min_count, PLAIN_ONLY)
    games = bench.sources.games(first.lesson.train, first.lesson.first)
    trainings = []
    for i, row in enumerate(rows):
        checkpoint = bench.checkpoint
        if checkpoint is not None and i:
            checkpoint = checkpoint.with_name(f"{checkpoint.name}-{i}")
        trainings.append(row.training(bench, games, features, checkpoint))
    with Progress(f"{', '.join(row.key for row in rows)}: training", "chunks") as progress:
        train_together(trainings, progress.update)
    for training in trainings:
        if training.checkpoint is not None:
            training.checkpoint.unlink(missing_ok=True)
    return [row.tested(bench, training) for row, training in zip(rows, trainings, strict=True)]


def _accuracy(epoch: Epoch) -> float | None:
    """The first guess on validation games; None if the model had gone astray."""
    return round(epoch.valid_top1, 2) if math.isfinite(epoch.valid_log_evidence) else None


def _pairs(model: FactorModel) -> Figures | None:
    """What each pair of features adds to a score, for models with few enough to be shown."""
    if model.features.n_ids > 100:
        return None
    v = model.table()[1:, 1 : model.k + 1].astype(np.float64)
    names = [model.features.name_of(i) for i in range(1, model.features.n_ids)]
    return {"names": names, "products": np.round(v @ v.T, 4).tolist()}


@dataclass(frozen=True)
class MMRow(Row):
    """MM, also with features that need playouts."""

    features: str | tuple[str, ...]
    rounds: int
    min_count: int = 10
    largest: tuple[int, ...] = PLAIN_ONLY

    def run(self, bench: Bench) -> Figures:
        lesson, sources = self.lesson, bench.sources
        games = sources.games(lesson.train, lesson.first)
        test = sources.games(lesson.test, lesson.test_first)
        features = bench.features(lesson, self.features, self.min_count, self.largest)
        with Progress(f"{self.key}: MM", "rounds") as progress:
            result = mm.fit(games, features, self.rounds, bench.threads, progress.update)
        model = FactorModel.new("mm", features, 0, False, 0, size=int(games.sizes.max()))
        model.table()[:, 0] = result.log_gammas
        predictions = predict(model, test, bench.threads)
        known = [i for i in range(1, features.n_ids) if features.pattern_of(i) is None]
        return {
            **measured(predictions),
            "features": features.n_ids - 1,
            "learned_positions": result.positions,
            "gammas": {
                features.name_of(i): round(float(np.exp(result.log_gammas[i])), 3) for i in known
            },
        }


@dataclass(frozen=True)
class PatternsRow(Row):
    """The patterns of training games, and how large they match in test games."""

    min_count: int = 10

    def run(self, bench: Bench) -> Figures:
        lesson = self.lesson
        test = bench.sources.games(lesson.test, lesson.test_first)
        dictionary = bench.dictionary(lesson, self.min_count, PLAIN_ONLY)
        with Progress("Matching") as progress:
            moves, ids = played_patterns(test, dictionary, bench.threads, progress.update)
        sizes = dictionary.sizes_of(ids[:, PLAIN])
        return {
            "positions": len(moves),
            "patterns": len(dictionary),
            "by_size": dictionary.table()[PLAIN, 1:].tolist(),
            "phases": sizes_by_phase(test, moves, sizes).tolist(),
        }


@dataclass(frozen=True)
class SptRow(Row):
    """A forest of spatial probability trees."""

    settings: spt.SptSettings

    def run(self, bench: Bench) -> Figures:
        lesson = self.lesson
        games = bench.sources.games(lesson.train, lesson.first)
        test = bench.sources.games(lesson.test, lesson.test_first)
        with Progress(f"{self.key}: growing", "trees") as progress:
            model = spt.fit(games, self.settings, progress, bench.threads)
        leaves = [len(tree.counts) for tree in model.trees]
        with Progress(f"{self.key}: testing") as progress:
            predictions = model.predict(test, bench.threads, progress.update)
        return {**measured(predictions), "leaves": round(float(np.mean(leaves)), 1)}
