"""Latent Factor Ranking (Wistuba and Schmidt-Thieme 2013): ranking as regression.

The same model as FBT, but the score itself is to be 1 for the played move and 0 for the others.
Only moves that are ranked at or above the played one are corrected; full LFR corrects all. The
settings are the paper's: plain gradient descent with a small fixed rate, until three epochs bring
nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from knowledge.training import Recipe

SPREAD = 0.1
_PAPER = Recipe(
    push="ranked", optimizer="sgd", rate_w=0.001, rate_v=0.001, decay_w=0.001, decay_v=0.002,
    falling=False, epochs=40,
)  # fmt: skip


def recipe(full: bool = False, **changes: Any) -> Recipe:
    """How to train; `full` corrects all moves."""
    return replace(_PAPER, push="full" if full else "ranked", **changes)
