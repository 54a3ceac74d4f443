"""Ask the engine's board and its twin everything, and say where they first differ.

Compiled, so that it can be done after every move of thousands of games. `first_difference`
returns a number; `FACTS` has its name. The board under test is a record `b` of
`engine/board.py`; the twin is a grid and a ko of `naive/board.py`.
"""

from __future__ import annotations

import numba
import numpy as np

from engine import board as engine
from engine.board import u64
from engine.geometry import AREA, POINTS, STRIDE
from tests.naive import board as naive

FACTS = ("nothing", "stones", "ko", "empty points", "chains", "shapes", "hash", "moves")
ENGINE_COLOR = (4, 1, 2)  # of the twin's empty, black, white


@numba.njit
def point(row, column):
    return u64((row + 1) * STRIDE + column + 1)


@numba.njit
def count(mask):
    """How many points a mask has."""
    result = 0
    for row in range(mask.shape[0]):
        for column in range(mask.shape[1]):
            result += mask[row, column]
    return result


@numba.njit
def add(mask, more):
    """Put the points of another mask into a mask."""
    for row in range(mask.shape[0]):
        for column in range(mask.shape[1]):
            mask[row, column] |= more[row, column]


@numba.njit
def put_down(b, grid):
    """Set the engine's board up as a position, stone by stone."""
    engine.clear(b, u64(grid.shape[0]))
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            if grid[row, column] != naive.EMPTY:
                engine.put(b, point(row, column), u64(grid[row, column]))


@numba.njit
def hash_words(a, size):
    """What each stone alone changes in the hash of a board of this size, and the empty hash."""
    b = a[0]
    words = np.zeros((3, size, size), np.uint64)
    engine.clear(b, u64(size))
    empty = b.hash
    for color in (1, 2):
        for row in range(size):
            for column in range(size):
                engine.clear(b, u64(size))
                engine.put(b, point(row, column), u64(color))
                words[color, row, column] = b.hash ^ empty
    return words, empty


@numba.njit
def hash_of(grid, words, empty):
    """A position's hash, from nothing: the words of its stones."""
    result = empty
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            result ^= words[grid[row, column], row, column]
    return result


@numba.njit
def _same_stones(b, grid):
    """Every point of the record: the board's colours, and nothing else but border."""
    size = grid.shape[0]
    for v in range(POINTS):
        row, column = v // STRIDE - 1, v % STRIDE - 1
        if 0 <= row < size and 0 <= column < size:
            if b.color[v] != ENGINE_COLOR[grid[row, column]]:
                return False
        elif b.color[v] != 3:
            return False
    return b.size == size


@numba.njit
def _same_ko(b, ko):
    row, column, color = ko
    if color == 0:
        return b.ko == 0
    return b.ko == point(row, column) and b.ko_for == color


@numba.njit
def _same_empties(b, grid):
    """The list holds each empty point once, and `where` finds it there."""
    n = 0
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            if grid[row, column] == naive.EMPTY:
                n += 1
                v = point(row, column)
                if b.where[v] >= b.n_empty or b.empties[b.where[v]] != v:
                    return False
    return b.n_empty == n


@numba.njit
def _same_set(points, n, mask):
    """Whether the first n of these points are exactly those of the mask, each once."""
    seen = np.zeros(mask.shape, np.bool_)
    for i in range(n):
        row, column = points[i] // STRIDE - 1, points[i] % STRIDE - 1
        if not naive.on_board(mask, row, column) or seen[row, column] or not mask[row, column]:
            return False
        seen[row, column] = True
    return n == count(mask)


@numba.njit
def _same_liberties(b, h, mask, out):
    """All ways to ask for a chain's liberties."""
    n = engine.liberties(b, h, out)
    if not _same_set(out, n, mask) or engine.count_liberties(b, h) != n:
        return False
    if engine.liberties_up_to_3(b, h) != min(n, 3) or engine.in_atari(b, h) != (n == 1):
        return False
    if n == 1 and engine.atari_liberty(b, h) != out[0]:
        return False
    found = False
    for i in range(n):
        found |= engine.any_liberty(b, h) == out[i]
        other = u64(out[1 - i]) if n == 2 else u64(0)
        if engine.second_liberty(b, h, u64(out[i])) != other:
            return False
    return found


@numba.njit
def _same_chains(b, grid):
    """Each chain's stones and liberties, and that all its stones name the same head."""
    out = np.zeros(AREA, np.uint16)
    done = np.zeros(grid.shape, np.bool_)
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            if grid[row, column] == naive.EMPTY or done[row, column]:
                continue
            stones, liberties = naive.chain_and_liberties(grid, row, column)
            add(done, stones)
            h = u64(b.chain[point(row, column)])
            n = engine.chain_stones(b, h, out)
            if not _same_set(out, n, stones) or b.stones[h] != n:
                return False
            for i in range(n):
                if b.chain[u64(out[i])] != h:
                    return False
            if not _same_liberties(b, h, liberties, out):
                return False
    return True


@numba.njit
def _same_shapes(b, grid):
    """The 3x3 code of every point, and the eyes of both colours."""
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            v = point(row, column)
            if engine.neighbourhood(b, v) != naive.neighbourhood(grid, row, column):
                return False
            if grid[row, column] == naive.EMPTY:
                for color in (1, 2):
                    eye = naive.is_eye(grid, row, column, color)
                    if engine.is_eye(b, v, u64(color)) != eye:
                        return False
    return True


@numba.njit
def _same_moves(b, grid, ko, words, empty, outcome):
    """Legality of every point for both colours, suicide forbidden and allowed, and the hash that
    each possible move promises. `outcome` gets what each captures and loses; -1 if it is barred."""
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            v = point(row, column)
            for color in (1, 2):
                outcome[color, row, column, 0] = -1
                legal = engine.is_legal(b, v, u64(color))
                playable = engine.is_legal_with_suicide(b, v, u64(color))
                if grid[row, column] != naive.EMPTY or ko == (row, column, color):
                    if legal or playable:
                        return False
                    continue
                after, captured, lost = naive.after_move(grid, row, column, color)
                if not playable or legal != (lost == 0):
                    return False
                promised = engine.position_hash_after(b, v, u64(color))
                if captured + lost == 0:
                    expected = b.hash ^ words[color, row, column]
                else:
                    expected = hash_of(after, words, empty)
                if promised != expected:
                    return False
                outcome[color, row, column, 0] = captured
                outcome[color, row, column, 1] = lost
    return True


@numba.njit
def first_difference(b, grid, ko, words, empty, outcome):
    """The number in FACTS of the first thing that differs, or 0."""
    if not _same_stones(b, grid):
        return 1
    if not _same_ko(b, ko):
        return 2
    if not _same_empties(b, grid):
        return 3
    if not _same_chains(b, grid):
        return 4
    if not _same_shapes(b, grid):
        return 5
    if b.hash != hash_of(grid, words, empty):
        return 6
    if not _same_moves(b, grid, ko, words, empty, outcome):
        return 7
    return 0
