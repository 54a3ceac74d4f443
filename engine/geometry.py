"""The points of the board as plain numbers, for code that must not wait for NumPy or Numba.

All sizes share one geometry: a stride of 26 with one border column. The point of row r and
column c (from 0, row 0 at the bottom) is (r + 1) * 26 + c + 1. Point 0 is off every board and
stands for pass.
"""

from __future__ import annotations

MIN_SIZE, MAX_SIZE = 2, 25
STRIDE = MAX_SIZE + 1
POINTS = (MAX_SIZE + 2) * STRIDE + 2
AREA = MAX_SIZE * MAX_SIZE
PASS = 0
BLACK, WHITE, OFF, EMPTY = 1, 2, 3, 4


def point(row: int, column: int) -> int:
    """The point of a row and a column, both from 0, row 0 at the bottom."""
    return (row + 1) * STRIDE + column + 1


def row_and_column(p: int) -> tuple[int, int]:
    """The row and column of a point, from 0."""
    return p // STRIDE - 1, p % STRIDE - 1


def opponent(color: int) -> int:
    return BLACK + WHITE - color
