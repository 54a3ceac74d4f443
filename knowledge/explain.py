"""Why a model likes a move: which features speak for and against it, adding up to its score.

A score is the sum of the features' own weights and of the products of all pairs. Half of each
pair's product goes to either of its features, so the features' shares add up to the score
exactly; the strongest pairs are named beside them. Nested patterns count as one feature, the
largest of them, with all that the smaller ones bring along.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.game import Game
from engine.vertex import vertex_text
from knowledge.factors import FactorModel
from knowledge.features import Extractor


@dataclass(frozen=True)
class Reason:
    """One feature of a move: its own weight, and its half of all pairs that it is in."""

    group: str
    name: str
    sentence: str
    weight: float
    pairs: float

    @property
    def share(self) -> float:
        return self.weight + self.pairs


@dataclass(frozen=True)
class Pair:
    """Two features of a move whose product adds to its score."""

    first: str
    second: str
    product: float


@dataclass(frozen=True)
class Explanation:
    """A move with its score, and what the score is made of."""

    point: int
    score: float
    probability: float
    reasons: tuple[Reason, ...]  # the largest share first
    pairs: tuple[Pair, ...]  # the strongest first, for or against

    def text(self, most: int = 8) -> str:
        """For people."""
        lines = [
            f"{vertex_text(self.point)}  {100 * self.probability:.1f}%, score {self.score:.3f}"
        ]
        strongest = sorted(self.reasons, key=lambda reason: -abs(reason.share))
        for reason in sorted(strongest[:most], key=lambda reason: -reason.share):
            lines.append(f"  {reason.share:+7.3f}  {reason.group}: {reason.sentence}")
        rest = sum(reason.share for reason in strongest[most:])
        if len(strongest) > most:
            lines.append(f"  {rest:+7.3f}  {len(strongest) - most} more")
        for pair in self.pairs[:3]:
            lines.append(f"  {pair.product:+7.3f}  of it by {pair.first} with {pair.second}")
        return "\n".join(lines)


def _nested_rows(model: FactorModel, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each feature of a move, with the smaller patterns it brings: the sums of w and v, and
    the products of all pairs within."""
    table, parents = model.table().astype(np.float64), model.parents()
    w, v, inner = [], [], []
    for feature in ids:
        path = []
        while feature:
            path.append(int(feature))
            feature = parents[feature]
        rows = table[path]
        total = rows[:, 1:].sum(axis=0)
        w.append(rows[:, 0].sum())
        v.append(total)
        inner.append(0.5 * (total @ total - (rows[:, 1:] ** 2).sum()))
    return np.array(w), np.array(v), np.array(inner)


def explain_move(
    model: FactorModel, point: int, ids: np.ndarray, probability: float
) -> Explanation:
    """Take a move's score apart."""
    used = [int(feature) for feature in ids if feature]
    if not used:
        return Explanation(point, 0.0, probability, (), ())
    features = model.features
    w, v, inner = _nested_rows(model, np.array(used))
    products = v @ v.T
    np.fill_diagonal(products, 0.0)
    reasons = [
        Reason(
            features.groups[features.column_of(feature)], features.value_of(feature),
            features.sentence_of(feature), float(w[i] + inner[i]), float(0.5 * products[i].sum()),
        )
        for i, feature in enumerate(used)
    ]  # fmt: skip
    upper = [(i, j) for i in range(len(used)) for j in range(i + 1, len(used))]
    upper.sort(key=lambda pair: -abs(products[pair]))
    pairs = [
        Pair(features.name_of(used[i]), features.name_of(used[j]), float(products[i, j]))
        for i, j in upper
    ]
    reasons.sort(key=lambda reason: -reason.share)
    score = sum(reason.share for reason in reasons)
    return Explanation(point, score, probability, tuple(reasons), tuple(pairs))


def explain(
    model: FactorModel, game: Game, top: int = 5, points: tuple[int, ...] = ()
) -> list[Explanation]:
    """The best candidates of a position, and further moves that were asked for."""
    found, ids = Extractor(model.features).extract(game)
    scores = model.score(ids)
    probabilities = model.calibration.probabilities(scores)
    order = [int(i) for i in np.argsort(-scores, kind="stable")]
    chosen = order[:top] + [i for i in order[top:] if int(found[i]) in points]
    return [explain_move(model, int(found[i]), ids[i], float(probabilities[i])) for i in chosen]
