"""The view from a point: the board turned so that the last move lies ahead.

Seen from a point, the board is mirrored and turned until the last move is ahead and, if it is not
straight ahead, to the right, at most as far to the right as ahead. Where that leaves a choice, the
nearer edge is ahead, or to the right. So "the point ahead" is the same thing in all eight
symmetries of a position, and what a tree learns in one it knows in all.

A turn is a number of three bits: 1 mirrors rows, 2 mirrors columns, 4 exchanges them afterwards.
"""

from __future__ import annotations

import numpy as np

from engine.board import S, U0, U1, u64
from engine.geometry import EMPTY, MAX_SIZE
from engine.jit import inner

TURNS = 8
MARGIN = 3  # how far a view reaches over the edge
VIEW_STRIDE = MAX_SIZE + 2 * MARGIN
VIEW_POINTS = VIEW_STRIDE * VIEW_STRIDE
_V, _M = u64(VIEW_STRIDE), u64(MARGIN)
_FLIP_ROWS, _FLIP_COLUMNS, _SWAP = u64(1), u64(2), u64(4)

# What a point shows: from own stones with one liberty over empty points to enemy stones with one.
OWN, NOTHING, ENEMY, OFF_BOARD = 0, 3, 6, 7
MOST_SHOWN = 3  # liberties: so many or more
_MOST = u64(MOST_SHOWN)
_ENEMY = u64(ENEMY)


def on_board(turn: int, ahead: int, right: int) -> tuple[int, int]:
    """The rows and columns of the board that a step ahead and to the right goes in a turn."""
    rows, columns = (right, ahead) if turn & 4 else (ahead, right)
    return -rows if turn & 1 else rows, -columns if turn & 2 else columns


def steps(places: list[tuple[int, int]], stride: int) -> np.ndarray:
    """How far apart a point and some places of its view are in an array, for each turn."""
    result = np.empty((TURNS, len(places)), np.int64)
    for turn in range(TURNS):
        for i, place in enumerate(places):
            rows, columns = on_board(turn, *place)
            result[turn, i] = rows * stride + columns
    return result


@inner
def turn_at(size, row, column, last):
    """The turn in which a point sees the board; `last` is the last move, 0 for none."""
    up, right = row, column
    if last != U0:
        up, right = last // S - U1, last % S - U1
    # A row in the lower half has its nearer edge below: mirrored, that is ahead.
    flip_rows = (up < row) | ((up == row) & (row + row + U1 < size))
    flip_columns = (right < column) | ((right == column) & (column + column + U1 < size))
    rows = max(up, row) - min(up, row)
    columns = max(right, column) - min(right, column)
    edge_in_rows = min(row, size - U1 - row)
    edge_in_columns = min(column, size - U1 - column)
    swap = (columns > rows) | ((columns == rows) & (edge_in_columns < edge_in_rows))
    return u64(flip_rows) * _FLIP_ROWS + u64(flip_columns) * _FLIP_COLUMNS + u64(swap) * _SWAP


@inner
def seen_from(turn, rows, columns):
    """How far ahead and to the right something is that lies so many rows and columns away."""
    if turn & _FLIP_ROWS != U0:
        rows = -rows
    if turn & _FLIP_COLUMNS != U0:
        columns = -columns
    if turn & _SWAP != U0:
        return columns, rows
    return rows, columns


@inner
def view_index(row, column):
    """A point's place in an array with a margin."""
    return (row + _M) * _V + column + _M


@inner
def show(b, c, count, shown):
    """Write what every point shows; `count` has a chain's liberties at its head."""
    shown[:] = OFF_BOARD
    for row in range(b.size):
        for column in range(b.size):
            v = (row + U1) * S + column + U1
            color = u64(b.color[v])
            what = u64(NOTHING)
            if color != EMPTY:
                n = min(u64(count[u64(b.chain[v])]), _MOST) - U1
                what = n if color == c else _ENEMY - n
            shown[view_index(row, column)] = what
