"""Patterns of all moves of a position at once, by plain array work: a second twin.

`tests/naive/patterns.py` can be checked by reading, but takes milliseconds for a move. This one
writes what is around every move into a table, one column for each point of the largest template,
in all eight symmetries. A pattern's name is a random weighted sum of its columns, the least over
the symmetries: two patterns that look the same have the same name, others practically never.
"""

from __future__ import annotations

import numpy as np

from tests.naive.board import chain_and_liberties
from tests.naive.patterns import LARGEST, distance

Place = tuple[int, int]
REACH = 7
EMPTY, OWN, OPPONENT, OFF = range(4)

_SPAN = range(-REACH, REACH + 1)
CELLS = sorted(
    ((dy, dx) for dy in _SPAN for dx in _SPAN if distance(dy, dx) <= 14),
    key=lambda cell: distance(*cell),
)
# How many cells a size has.
ENDS = {size: sum(distance(*cell) <= size + 1 for cell in CELLS) for size in range(1, 14)}
_TURNS = [
    lambda y, x, sy=sy, sx=sx, flip=flip: (sx * x, sy * y) if flip else (sy * y, sx * x)
    for sy in (1, -1)
    for sx in (1, -1)
    for flip in (False, True)
]
_ORDERS = [[CELLS.index(turn(*cell)) for cell in CELLS] for turn in _TURNS]
_PROBES = ((1, 2), (3, -4))
# A weight for every offset on the largest board, whoever looks there.
_WEIGHTS = np.random.default_rng(20).integers(1, 2**63, (51, 51), dtype=np.uint64) | np.uint64(1)
_MARKS = np.random.default_rng(21).integers(1, 2**63, (51, 51), dtype=np.uint64)


def _weights(cells: list[Place], table: np.ndarray) -> np.ndarray:
    return np.array([[table[y + 25, x + 25] for y, x in cells]], np.uint64)


def _fields(grid: np.ndarray, color: int) -> tuple[np.ndarray, np.ndarray]:
    """The board with a margin: what is at each point, without and with liberties."""
    plain = np.full([n + 2 * REACH for n in grid.shape], OFF, np.uint64)
    inside = plain[REACH:-REACH, REACH:-REACH]
    inside[:] = np.where(grid == 0, EMPTY, np.where(grid == color, OWN, OPPONENT))
    weak = plain.copy()
    for row, column in np.argwhere(grid > 0).tolist():
        liberties = int(chain_and_liberties(grid, row, column)[1].sum())
        weak[row + REACH, column + REACH] += np.uint64(4 * min(liberties, 3))
    return plain, weak


def _around(field: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What is at every cell around some places, a row for each."""
    offsets = np.array(CELLS)
    rows = places[:, :1] + offsets[:, 0] + REACH
    columns = places[:, 1:] + offsets[:, 1] + REACH
    return field[rows, columns]


def _sums(around: np.ndarray) -> np.ndarray:
    """The weighted sums up to every cell, in all symmetries: symmetry, move, cell."""
    weights = _weights(CELLS, _WEIGHTS)
    return np.stack(
        [np.cumsum((around[:, order] + np.uint64(1)) * weights, axis=1) for order in _ORDERS]
    )


def _marks(steps: np.ndarray) -> np.ndarray:
    """A word for an offset from each move, as each symmetry in `_ORDERS` sees it.

    Reading cells in the order of a turn moves what was at turn(cell) to the cell: so a mark is
    seen where the opposite turn takes it.
    """
    result = []
    for turn in _TURNS:
        back = next(other for other in _TURNS if all(turn(*other(*p)) == p for p in _PROBES))
        y, x = back(steps[:, 0], steps[:, 1])
        result.append(_MARKS[y + 25, x + 25])
    return np.stack(result)


def _whole_board(plain: np.ndarray, places: np.ndarray) -> np.ndarray:
    size = plain.shape[0] - 2 * REACH
    board = plain[REACH:-REACH, REACH:-REACH].reshape(-1)
    rows, columns = np.divmod(np.arange(size * size), size)
    names = []
    for turn in _TURNS:
        y, x = turn(rows - places[:, :1], columns - places[:, 1:])
        names.append((_WEIGHTS[y + 25, x + 25] * (board + np.uint64(7))).sum(axis=1))
    return np.stack(names)


def names(
    grid: np.ndarray, color: int, moves: list[Place], last: Place | None
) -> dict[tuple[str, int], np.ndarray]:
    """For every family and size the names of all moves' patterns, 0 where there is none."""
    places = np.array(moves).reshape(-1, 2)
    plain, weak = _fields(grid, color)
    shape, liberty = _sums(_around(plain, places)), _sums(_around(weak, places))
    result = {}
    for size in range(1, 14):
        result["plain", size] = shape[:, :, ENDS[size] - 1].min(axis=0)
    result["plain", 14] = _whole_board(plain, places).min(axis=0)
    for size in range(1, LARGEST["liberties"] + 1):
        result["liberties", size] = liberty[:, :, ENDS[size] - 1].min(axis=0)
    nothing = np.zeros(len(places), np.uint64)
    for family in ("marked", "response"):
        for size in range(1, LARGEST[family] + 1):
            result[family, size] = nothing
    if last is None:
        return result
    steps = np.array(last) - places
    away = np.abs(steps).sum(axis=1) + np.abs(steps).max(axis=1)
    mark, answer = _marks(steps), _marks(-steps)
    around_last = _sums(_around(weak, np.array([last])))
    for size in range(1, LARGEST["marked"] + 1):
        name = (liberty[:, :, ENDS[size] - 1] + mark).min(axis=0)
        result["marked", size] = np.where(away <= size + 1, name, 0)
    for size in range(1, LARGEST["response"] + 1):
        name = (around_last[:, :, ENDS[size] - 1] + answer).min(axis=0)
        result["response", size] = np.where(away <= 12, name, 0)
    return result
