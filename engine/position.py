"""The Python face of one board: points in, facts out, arguments checked.

A `Position` knows the stones, the simple ko and the prisoners; what came before it (superko,
undo, handicap) is the business of `Game`. Points are the board's own numbers;
colours are BLACK and WHITE; PASS is a point too (all from `geometry.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.board import (
    BOARD,
    chain_stones,
    clear,
    count_liberties,
    has_dead_chain,
    is_eye,
    is_legal,
    is_legal_with_suicide,
    liberties,
    neighbourhood,
    pass_move,
    place,
    position_hash_after,
    put,
    situation_hash,
    u64,
)
from engine.geometry import (
    AREA,
    BLACK,
    EMPTY,
    MAX_SIZE,
    MIN_SIZE,
    OFF,
    PASS,
    POINTS,
    WHITE,
    point,
)
from engine.jit import kernel

# --- Entry points: what Python calls. All integers arrive as int64, so each compiles once. ---


@kernel
def _clear(a, size):
    clear(a[0], u64(size))


@kernel
def _set_up(a, size, colors):
    """Put down the stones of an array by point; returns whether every chain has a liberty."""
    b = a[0]
    clear(b, u64(size))
    for v in range(POINTS):
        if colors[v] == BLACK or colors[v] == WHITE:
            put(b, u64(v), u64(colors[v]))
    return not has_dead_chain(b)


@kernel
def _play(a, v, c):
    if v == PASS:
        pass_move(a[0])
    else:
        place(a[0], u64(v), u64(c))


@kernel
def _is_legal(a, v, c, suicide):
    if suicide:
        return is_legal_with_suicide(a[0], u64(v), u64(c))
    return is_legal(a[0], u64(v), u64(c))


@kernel
def _legal_points(a, c, suicide, out):
    b = a[0]
    n = 0
    for i in range(b.n_empty):
        v = u64(b.empties[i])
        if is_legal_with_suicide(b, v, u64(c)) if suicide else is_legal(b, v, u64(c)):
            out[n] = v
            n += 1
    return n


@kernel
def _hash_after(a, v, c):
    return position_hash_after(a[0], u64(v), u64(c))


@kernel
def _situation_hash(a, c):
    return situation_hash(a[0], u64(c))


@kernel
def _chain(a, v, stones, libs):
    """A chain's stones and liberties; returns how many of each."""
    b = a[0]
    h = u64(b.chain[u64(v)])
    return chain_stones(b, h, stones), liberties(b, h, libs), count_liberties(b, h)


@kernel
def _neighbourhood(a, v):
    return neighbourhood(a[0], u64(v))


@kernel
def _is_eye(a, v, c):
    return is_eye(a[0], u64(v), u64(c))


class Position:
    """One position. `record` is the kernels' view of it: pass it on, don't index it."""

    def __init__(self, size: int = 19) -> None:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError(f"board size {size} is not in {MIN_SIZE} to {MAX_SIZE}")
        self.record = np.zeros(1, BOARD)
        _clear(self.record, size)

    @classmethod
    def from_stones(cls, size: int, black: Iterable[int], white: Iterable[int]) -> Position:
        """The position with these stones; refused if a chain has no liberty or points collide."""
        result = cls(size)
        colors = np.zeros(POINTS, np.uint8)
        for color, points in ((BLACK, black), (WHITE, white)):
            for p in points:
                result._check_on_board(p)
                if colors[p]:
                    raise ValueError("two stones on one point")
                colors[p] = color
        if not _set_up(result.record, size, colors):
            raise ValueError("a chain has no liberty")
        return result

    def copy(self) -> Position:
        """A position of its own, equal to this one."""
        result = object.__new__(Position)
        result.record = self.record.copy()
        return result

    @property
    def size(self) -> int:
        return int(self.record[0]["size"])

    def color_at(self, p: int) -> int:
        """BLACK, WHITE, EMPTY, or OFF for what is not on the board."""
        return int(self.record[0]["color"][p]) if 0 <= p < POINTS else OFF

    def points(self) -> list[int]:
        """All points of the board, row by row from the bottom."""
        return [point(row, column) for row in range(self.size) for column in range(self.size)]

    def stones(self, color: int) -> list[int]:
        """The points of all stones of a colour."""
        return [int(p) for p in np.flatnonzero(self.record[0]["color"] == color)]

    def empty_points(self) -> list[int]:
        """The empty points, sorted."""
        return self.stones(EMPTY)

    def prisoners(self, by: int) -> int:
        """How many stones a colour has taken (the opponent's suicides included)."""
        return int(self.record[0]["prisoners"][by])

    def set_prisoners(self, by: int, count: int) -> None:
        """Say how many stones a colour has taken, for positions that were set up."""
        self.record[0]["prisoners"][by] = count

    def removed(self) -> list[int]:
        """The stones that the last move took off."""
        record = self.record[0]
        return [int(p) for p in record["removed"][: int(record["n_removed"])]]

    def ko(self, color: int) -> int:
        """The point that the ko rule bars to a colour now, or PASS if there is none."""
        record = self.record[0]
        return int(record["ko"]) if int(record["ko_for"]) == color else PASS

    @property
    def hash(self) -> int:
        """The hash of the stones."""
        return int(self.record[0]["hash"])

    def situation_hash(self, color: int) -> int:
        """The hash of the stones, the side to move and the ko that binds it."""
        return int(_situation_hash(self.record, color))

    def hash_after(self, color: int, p: int) -> int:
        """The hash of the stones after a move."""
        return self.hash if p == PASS else int(_hash_after(self.record, p, color))

    def is_legal(self, color: int, p: int, suicide: bool = False) -> bool:
        """Whether the move is legal by occupation, suicide and simple ko. Pass always is."""
        if p == PASS:
            return True
        return self.color_at(p) == EMPTY and bool(_is_legal(self.record, p, color, suicide))

    def legal_points(self, color: int, suicide: bool = False) -> list[int]:
        """All legal points by the same rules, sorted; without pass."""
        out = np.empty(AREA, np.uint16)
        n = _legal_points(self.record, color, suicide, out)
        return sorted(int(p) for p in out[:n])

    def play(self, color: int, p: int, suicide: bool = False) -> None:
        """Play a stone or pass; ValueError for an illegal move, which changes nothing."""
        if color not in (BLACK, WHITE):
            raise ValueError("not a colour")
        if not self.is_legal(color, p, suicide):
            raise ValueError("illegal move")
        _play(self.record, p, color)

    def chain(self, p: int) -> tuple[list[int], list[int]]:
        """The stones and the liberties of the chain at a point, both sorted."""
        if self.color_at(p) not in (BLACK, WHITE):
            raise ValueError("no stone there")
        stones, libs = np.empty(AREA, np.uint16), np.empty(AREA, np.uint16)
        n, m, _ = _chain(self.record, p, stones, libs)
        return sorted(int(q) for q in stones[:n]), sorted(int(q) for q in libs[:m])

    def is_eye(self, color: int, p: int) -> bool:
        """Whether an empty point is a single-point eye of a colour that looks real."""
        return self.color_at(p) == EMPTY and bool(_is_eye(self.record, p, color))

    def neighbourhood(self, p: int) -> int:
        """The 16-bit code of the 3x3 shape around a point, see `board.neighbourhood`."""
        self._check_on_board(p)
        return int(_neighbourhood(self.record, p))

    def _check_on_board(self, p: int) -> None:
        if self.color_at(p) == OFF:
            raise ValueError("a point that is not on the board")
