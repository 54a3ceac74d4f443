"""The 3x3 shapes that playouts look for, as a table by neighbourhood code and mover.

The shapes are the well-known ones of MoGo: hane, cut and edge shapes. In the diagrams the
centre is the move; X and O are the two colours either way round, x is anything but X, o
anything but O, `.` an empty point, `-` off the board, `?` anything.
"""

from __future__ import annotations

from functools import cache

import numpy as np

CODES = 1 << 16
_NEIGHBOURS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))

SHAPES = (
    # Hane: around, without cutting, the turn, the shoulder.
    "XOX ... ???",
    "XO. ... ?.?",
    "XO? X.. x.?",
    ".O. X.. ...",
    # Cuts: unprotected, peeped, pushing through, the knight's.
    "XO? O.o ?o?",
    "XO? O.X ???",
    "?X? O.O ooo",
    "OX? o.O ???",
    # On the edge: chase, block a cut, block a connection, descend, cut.
    "X.? O.? ---",
    "OX? X.O ---",
    "?X? x.O ---",
    "?XO x.x ---",
    "?OX X.O ---",
)

# Which of (empty, X, O, off the board) a sign allows.
_ALLOWED = {
    ".": (True, False, False, False),
    "X": (False, True, False, False),
    "O": (False, False, True, False),
    "x": (True, False, True, True),
    "o": (True, True, False, True),
    "-": (False, False, False, True),
    "?": (True, True, True, True),
}


def _symmetries(grid: np.ndarray) -> list[np.ndarray]:
    turned = [np.rot90(grid, k) for k in range(4)]
    return turned + [np.fliplr(g) for g in turned]


def _matches(grid: np.ndarray, black_is_x: bool) -> np.ndarray:
    """Which of all codes fit a diagram."""
    codes = np.arange(CODES)
    fits = np.ones(CODES, bool)
    for i, (row, column) in enumerate(_NEIGHBOURS):
        allowed = np.array(_ALLOWED[grid[row, column]])
        if not black_is_x:
            allowed = allowed[[0, 2, 1, 3]]
        if not allowed.all():
            fits &= allowed[(codes >> (2 * i)) & 3]
    return fits


@cache
def rule_shapes() -> np.ndarray:
    """For every code whether it is one of the shapes, for either mover."""
    result = np.zeros(CODES, np.uint8)
    for text in SHAPES:
        rows = [list(row) for row in text.split()]
        variants = {tuple(map(tuple, g)) for g in _symmetries(np.array(rows))}
        for variant in sorted(variants):
            for black_is_x in (True, False):
                result |= _matches(np.array(variant), black_is_x)
    result.setflags(write=False)
    return result


def swap_colors(codes: np.ndarray) -> np.ndarray:
    """The codes with Black's and White's stones exchanged."""
    low, high = codes & 0x5555, (codes >> 1) & 0x5555
    off = low & high
    return ((low ^ off) << 1) | (high ^ off) | off | (off << 1)
