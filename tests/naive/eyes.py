"""The twin of `engine/tactics/eyes.py`: look at the neighbours, then at the diagonals."""

from __future__ import annotations

import numpy as np

from tests.naive.board import DIAGONALS, EMPTY, NEIGHBOURS, on_board


def around(grid: np.ndarray, row: int, column: int, steps: tuple) -> list[int]:
    """The colours at some steps from a point; what is off the board is missing."""
    places = [(row + up, column + right) for up, right in steps]
    return [int(grid[place]) for place in places if on_board(grid, *place)]


def eye_kind(grid: np.ndarray, row: int, column: int, color: int) -> str:
    """What a point is to a colour: "NONE", "FALSE" or "REAL"."""
    if grid[row, column] != EMPTY:
        return "NONE"
    if any(found != color for found in around(grid, row, column, NEIGHBOURS)):
        return "NONE"
    diagonals = around(grid, row, column, DIAGONALS)
    enemies = diagonals.count(3 - color)
    allowed = 1 if len(diagonals) == 4 else 0
    return "REAL" if enemies <= allowed else "FALSE"
