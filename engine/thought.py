"""What a search found out: plain data, for whoever chooses, shows or explains moves.

All values are seen from the side that is to move: 1 a certain win, 0 a certain loss. Maps go by
point, numbers of the board's geometry.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Candidate:
    """A move of the root."""

    point: int
    visits: int
    value: float  # the share of its simulations that the mover won
    lower: float  # below its true value with great certainty
    prior: float  # the model's probability
    rave_visits: float
    rave_value: float
    line: tuple[int, ...]  # the principal variation, this move first
    proven: int = 0  # 1 a certain win, -1 a certain loss
    line_visits: tuple[int, ...] = ()  # of each move of the line


@dataclass(frozen=True)
class Thought:
    """The state of a search. The best move comes first in `candidates`."""

    color: int
    sims: int  # of this search
    visits: int  # of the root, with what was kept from before
    seconds: float
    value: float
    score: float  # the mover's mean lead with komi, in points
    score_deviation: float
    candidates: tuple[Candidate, ...]
    owners: dict[int, float] = field(repr=False)  # 1 is Black's for certain, -1 is White's
    criticality: dict[int, float] = field(repr=False)
    histogram: dict[int, int] = field(repr=False)  # leads of Black in points without komi
    nodes: int = 0
    bytes: int = 0
    ended: str = ""  # why the search stopped: sims, time, decided, proven, interrupted, only move

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None
