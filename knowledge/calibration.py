"""Honest probabilities: a map from what a model says to how often it is right.

The scores are divided by a temperature before the softmax; then each probability goes through a
rising curve of straight pieces, and all are made to add up to 1 again. Both are fitted on
validation games. A model that was never calibrated has temperature 1 and no curve.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


def _straight() -> np.ndarray:
    return np.array([[0.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Calibration:
    """A temperature, and a curve: its places and heights from 0 to 1."""

    temperature: float = 1.0
    curve: np.ndarray = field(default_factory=_straight)

    def __post_init__(self) -> None:
        rising = self.curve.ndim == 2 and len(self.curve) == 2 and (np.diff(self.curve) >= 0).all()
        if not (rising and self.temperature > 0):
            raise ValueError("a calibration needs a temperature above 0 and a rising curve")

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """The probabilities of moves by their scores."""
        scaled = np.asarray(scores, np.float64) / self.temperature
        raw = np.exp(scaled - scaled.max())
        mapped = np.interp(raw / raw.sum(), *self.curve)
        return mapped / mapped.sum()

    def arrays(self) -> dict[str, np.ndarray]:
        return {"temperature": np.array(self.temperature), "curve": self.curve}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Calibration:
        return cls(float(arrays["temperature"]), np.asarray(arrays["curve"], np.float64))


def rising_curve(said: np.ndarray, seen: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The curve through bins of probabilities: what was said, what was seen, how often.

    Neighbours that would fall are pooled (isotonic regression), so the curve only rises.
    """
    pools: list[list[float]] = []
    for x, y, n in zip(said, seen, weight, strict=True):
        if n <= 0:
            continue
        pools.append([float(x), float(y), float(n)])
        while len(pools) > 1 and pools[-2][1] > pools[-1][1]:
            x2, y2, n2 = pools.pop()
            x1, y1, n1 = pools[-1]
            both = n1 + n2
            pools[-1] = [(x1 * n1 + x2 * n2) / both, (y1 * n1 + y2 * n2) / both, both]
    inside = [pool for pool in pools if 0.0 < pool[0] < 1.0]
    places = [0.0, *(pool[0] for pool in inside), 1.0]
    heights = [0.0, *(pool[1] for pool in inside)]
    heights.append(max(heights[-1], 1.0 if len(inside) < 2 else heights[-1]))
    return np.array([places, np.maximum.accumulate(heights)])
