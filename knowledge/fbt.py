"""Factorization Bradley-Terry (Xiao and Mueller 2016): features and their pairs compete.

A move wins against the others of its position with the probability of the softmax of their
scores (`factors.py`); training maximises the likelihood of the played moves (`training.py`).
With k = 0 it is the plain Bradley-Terry model, fitted by gradients.

The paper keeps every group's strength and updates it when a parameter changes (its equations 10
to 12) instead of computing it anew. `Incremental` is that scheme, with the paper's stray factor
1/2 left out: dE/dv is the sum of the other vectors. Training does not use it: a position's
features are extracted again faster than the strengths of millions of groups could be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from knowledge.training import Recipe

SPREAD = 0.03
# The paper's own settings: plain gradient descent, N(0, 0.1) to begin with.
PAPER_SPREAD = 0.1
_PAPER = Recipe(
    push="likelihood", optimizer="sgd", rate_w=0.001, rate_v=0.001, decay_w=0.001, decay_v=0.002,
    falling=False, epochs=40,
)  # fmt: skip


def recipe(optimizer: str = "adagrad", samples: int = 0, **changes: Any) -> Recipe:
    """How to train: with AdaGrad, or with the paper's SGD; `samples` as in equation 13."""
    base = Recipe() if optimizer == "adagrad" else _PAPER
    if samples:
        base = replace(base, push="sampled", samples=samples)
    return replace(base, optimizer=optimizer, **changes)


class Incremental:
    """Strengths of many groups, kept up while parameters change one at a time."""

    def __init__(self, groups: Sequence[Sequence[int]], w: np.ndarray, v: np.ndarray) -> None:
        self.groups = [tuple(group) for group in groups]
        self.w, self.v = w.astype(np.float64), v.astype(np.float64)
        self._members: dict[int, list[int]] = {}
        for i, group in enumerate(self.groups):
            for feature in group:
                self._members.setdefault(feature, []).append(i)
        self.sums = np.array([self.v[list(group)].sum(axis=0) for group in self.groups])
        self.strengths = np.array([self.strength(i) for i in range(len(self.groups))])

    def strength(self, i: int) -> float:
        """A group's strength, computed anew."""
        members = list(self.groups[i])
        v = self.v[members]
        pairs = 0.5 * ((v.sum(axis=0) ** 2).sum() - (v**2).sum())
        return float(self.w[members].sum() + pairs)

    def set_w(self, feature: int, value: float) -> None:
        """Change a feature's strength."""
        step = value - self.w[feature]
        self.w[feature] = value
        for i in self._members.get(feature, []):
            self.strengths[i] += step

    def set_v(self, feature: int, q: int, value: float) -> None:
        """Change one number of a feature's vector."""
        old = self.v[feature, q]
        self.v[feature, q] = value
        for i in self._members.get(feature, []):
            others = self.sums[i, q] - old
            self.strengths[i] += (value - old) * others
            self.sums[i, q] = others + value
