"""The model that MM, LFR and FBT share: a strength for each feature, and how pairs of them add.

A move's score is the sum of its features' strengths w and of the inner products of all pairs of
their vectors v (a factorization machine; with k = 0 there are only strengths). Over all legal
moves and the pass the probabilities are the softmax of the scores.

A feature's numbers are one row of sixteen: w first, then v, zeros after it; for k above 15 a row
has further blocks of sixteen. Where patterns are nested, a matched pattern brings all smaller
ones around the same point with it.

Scoring uses the folded table. The pairs' sum is half of |sum v|^2 - sum |v|^2, so the second part
can be taken from w beforehand, and a pattern's row can be the sum over all nested ones: then a
score is a sum of rows, with half of the square of all but the first number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.board import U0, u64
from engine.game import Game
from engine.geometry import PASS
from engine.jit import inlined, inner, kernel
from knowledge.calibration import Calibration
from knowledge.dictionary import COLUMNS, Dictionary
from knowledge.features import PATTERN_GROUPS, Extractor, FeatureSet
from knowledge.vectors import (
    WIDTH,
    aligned_rows,
    no_vector,
    plus,
    sum_of,
    times,
    vector_at,
    vector_of,
)
from weights.files import BadWeights, load_weights, save_weights

KINDS = ("mm", "lfr", "fbt")
_W = u64(WIDTH)
_HALF, _ONE, _NONE = np.float32(0.5), np.float32(1.0), np.float32(0.0)


def blocks_for(k: int) -> int:
    """How many blocks of sixteen a row with k numbers beside w takes."""
    return 1 + k // WIDTH


# --- Scoring ------------------------------------------------------------------------------


@inlined
def pair_score(total, is_first):
    """A block's part of the score: half the squares, but of w the sum itself."""
    if is_first:
        squares = times(times(total, total), vector_of(_NONE, _HALF))
        return sum_of(plus(squares, times(total, vector_of(_ONE, _NONE))))
    return sum_of(times(times(total, total), vector_of(_HALF, _HALF)))


@inner
def score_moves(table, blocks, ids, count, columns, scores):
    """The scores of moves from their rows of ids, by a folded table."""
    for i in range(count):
        score = _NONE
        for block in range(blocks):
            total = no_vector()
            for j in range(columns):
                feature = u64(ids[i, j])
                if feature != U0:
                    total = plus(total, vector_at(table, (feature * blocks + block) * _W))
            score += pair_score(total, block == U0)
        scores[i] = score


@kernel
def _score(table, blocks, ids, scores):
    score_moves(table, u64(blocks), ids, u64(len(ids)), u64(ids.shape[1]), scores)


# --- The model ----------------------------------------------------------------------------


class Ranked(NamedTuple):
    """The moves of a position, the pass (0) last, with scores and probabilities."""

    points: np.ndarray
    scores: np.ndarray
    probabilities: np.ndarray


@dataclass(eq=False)
class FactorModel:
    """A feature set with a row of numbers for each feature."""

    kind: str
    features: FeatureSet
    k: int
    nested: bool
    rows: np.ndarray  # float32, flat: see `aligned_rows`
    calibration: Calibration = field(default_factory=Calibration)
    size: int = 19  # the board size it was trained on

    @classmethod
    def new(
        cls, kind: str, features: FeatureSet, k: int, nested: bool, seed: int, spread: float = 0.03,
        size: int = 19,
    ) -> FactorModel:  # fmt: skip
        """A model that knows nothing yet: small random vectors, so that pairs can grow apart."""
        rows = aligned_rows(features.n_ids, blocks_for(k))
        table = rows.reshape(features.n_ids, -1)
        generator = np.random.Generator(np.random.PCG64(seed))
        table[1:, 1 : k + 1] = generator.normal(0.0, spread, (features.n_ids - 1, k))
        return cls(kind, features, k, nested, rows, size=size)

    @property
    def blocks(self) -> int:
        return blocks_for(self.k)

    def table(self) -> np.ndarray:
        """The rows, one for each id."""
        return self.rows.reshape(self.features.n_ids, -1)

    def parents(self) -> np.ndarray:
        """For each id the id of the next smaller pattern that comes with it, 0 for none."""
        result = np.zeros(self.features.n_ids, np.uint32)
        dictionary = self.features.dictionary
        if not self.nested or dictionary is None:
            return result
        for column, name in enumerate(self.features.groups):
            if name in PATTERN_GROUPS:
                family = PATTERN_GROUPS.index(name)
                members = np.flatnonzero(dictionary.family == family)
                parent = dictionary.parent[members]
                first = int(self.features.first_ids[column])
                start = int(members[0]) if len(members) else 0
                has = parent >= 0
                ids = first + np.arange(len(members))
                result[ids[has]] = first + parent[has] - start
        return result

    def folded(self) -> np.ndarray:
        """The table for scoring, flat: see the top of this file."""
        result = aligned_rows(self.features.n_ids, self.blocks)
        table = result.reshape(self.features.n_ids, -1)
        table[:] = self.table()
        table[:, 0] -= 0.5 * (table[:, 1:].astype(np.float64) ** 2).sum(axis=1)
        parents = self.parents()
        # A pattern's id is larger than that of any smaller one: in the order of sizes each
        # parent is complete before its children need it.
        dictionary = self.features.dictionary
        if self.nested and dictionary is not None and parents.any():
            depth = np.zeros(self.features.n_ids, np.uint8)
            has = np.flatnonzero(parents)
            for _ in range(int(dictionary.size.max())):
                depth[has] = depth[parents[has]] + 1
            for level in range(1, int(depth.max()) + 1):
                ids = np.flatnonzero(depth == level)
                table[ids] += table[parents[ids]]
        return result

    def take_over(self, other: FactorModel) -> int:
        """Begin with what another model has learned, as far as both know the same features.

        Returns how many these are. Groups count by name, patterns by key.
        """
        taken = 0
        width = min(self.k, other.k) + 1
        for column, name in enumerate(self.features.groups):
            if name not in other.features.groups:
                continue
            own, theirs = self._ids_of(column), other._ids_of(other.features.groups.index(name))
            if name in PATTERN_GROUPS:
                mine, known = self.features.dictionary, other.features.dictionary
                if mine is None or known is None:
                    continue
                family = PATTERN_GROUPS.index(name)
                found = known.ids(mine.keys[mine.family == family]).astype(np.int64)
                own = own[found > 0]
                theirs = theirs[found[found > 0] - 1 - np.searchsorted(known.family, family)]
            self.table()[own, :width] = other.table()[theirs, :width]
            taken += len(own)
        return taken

    @classmethod
    def averaged(cls, models: Sequence[FactorModel]) -> FactorModel:
        """One model whose scores are the means of those of others with the same features.

        Strengths are averaged, and vectors set one behind another: the product of two such long
        vectors is the sum of the models' products.
        """
        first, count = models[0], len(models)
        k = sum(model.k for model in models)
        result = cls.new(first.kind, first.features, k, first.nested, 0, 0.0, first.size)
        table, start = result.table(), 1
        for model in models:
            if model.features is not first.features or model.nested != first.nested:
                raise ValueError("only models of the same features can be averaged")
            table[:, 0] += model.table()[:, 0] / np.float32(count)
            end = start + model.k
            table[:, start:end] = model.table()[:, 1 : model.k + 1] / np.float32(count**0.5)
            start = end
        return result

    def _ids_of(self, column: int) -> np.ndarray:
        """The ids of a group's values."""
        return np.arange(*self.features.first_ids[column : column + 2])

    # --- For a position -------------------------------------------------------------------

    def rank(self, game: Game, color: int | None = None) -> Ranked:
        """All legal moves of a position and the pass."""
        points, ids = Extractor(self.features).extract(game, color)
        scores = self.score(ids)
        return Ranked(points, scores, self.calibration.probabilities(scores))

    def score(self, ids: np.ndarray) -> np.ndarray:
        """The scores of moves from their rows of ids."""
        scores = np.empty(len(ids), np.float32)
        _score(self.folded(), self.blocks, ids, scores)
        return scores

    def best(self, game: Game, color: int | None = None) -> int:
        """The likeliest move."""
        ranked = self.rank(game, color)
        return int(ranked.points[int(np.argmax(ranked.scores))]) if len(ranked.points) else PASS

    # --- Files ----------------------------------------------------------------------------

    def arrays(self) -> dict[str, np.ndarray]:
        """What to save: numbers in half precision, patterns by their keys."""
        kept = self.table()[:, : self.k + 1]
        arrays = {
            "rows": kept.astype(np.float16),
            "groups": np.array(self.features.groups),
            "feature_set": np.array(self.features.name),
            "k": np.array(self.k),
            "nested": np.array(self.nested),
            "size": np.array(self.size),
            **self.calibration.arrays(),
        }
        if self.features.dictionary is not None:
            saved = self.features.dictionary.to_arrays()
            arrays |= {f"pattern_{name}": array for name, array in saved.items()}
        return arrays

    def save(self, path: Path | str) -> None:
        save_weights(path, self.kind, self.arrays())

    @classmethod
    def load(cls, path: Path | str, kind: str) -> FactorModel:
        """The model of a weight file; BadWeights says what is wrong with it."""
        arrays = load_weights(path, kind)
        try:
            return cls._from_arrays(kind, arrays)
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise BadWeights(f"{path}: not a model of moves ({error})") from None

    @classmethod
    def _from_arrays(cls, kind: str, arrays: Mapping[str, np.ndarray]) -> FactorModel:
        dictionary = None
        if "pattern_keys" in arrays:
            dictionary = Dictionary.from_arrays({n: arrays[f"pattern_{n}"] for n in COLUMNS})
        features = FeatureSet([str(name) for name in arrays["groups"]], dictionary)
        features.name = str(arrays["feature_set"])
        k = int(arrays["k"])
        saved = arrays["rows"]
        if saved.shape != (features.n_ids, k + 1):
            raise ValueError("other features than this version of Miai knows")
        rows = aligned_rows(features.n_ids, blocks_for(k))
        rows.reshape(features.n_ids, -1)[:, : k + 1] = saved
        calibration = Calibration.from_arrays(arrays)
        return cls(
            kind, features, k, bool(arrays["nested"]), rows, calibration, int(arrays["size"])
        )
