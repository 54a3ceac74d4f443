"""The twin of `engine/tactics/distance.py`: let every point ask its neighbours, until all agree."""

from __future__ import annotations

import numpy as np

from tests.naive.board import EMPTY, NEIGHBOURS, on_board

FAR = 10_000


def distances(grid: np.ndarray, row: int, column: int) -> np.ndarray:
    """How far every point is from a point: 1 for a step, 0 between stones of one colour."""
    found = np.full(grid.shape, FAR)
    found[row, column] = 0
    while True:
        before = found.copy()
        for r, c in np.ndindex(*grid.shape):
            for up, right in NEIGHBOURS:
                other = r + up, c + right
                if on_board(grid, *other):
                    joined = grid[r, c] != EMPTY and grid[r, c] == grid[other]
                    found[r, c] = min(found[r, c], found[other] + (0 if joined else 1))
        if (found == before).all():
            return found
