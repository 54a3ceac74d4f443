"""A Go board that anybody can check by reading: the twin of `engine/board.py`.

The board is a square array: 0 empty, 1 black, 2 white; row 0 is at the bottom. Nothing is kept
up to date along the way: every question is answered by flood fill, a move's legality by
trying it on a copy, and ko and superko by comparing whole positions. Nothing here is shared
with the engine. The functions are compiled so that the tests can ask millions of times.
"""

from __future__ import annotations

import numba
import numpy as np

EMPTY, BLACK, WHITE = 0, 1, 2
NEIGHBOURS = ((1, 0), (0, -1), (0, 1), (-1, 0))
DIAGONALS = ((1, -1), (1, 1), (-1, -1), (-1, 1))
NO_KO = (-1, -1, 0)  # else the row and column of the point, and the colour that is barred


@numba.njit
def empty_grid(size):
    return np.zeros((size, size), np.int8)


@numba.njit
def on_board(grid, row, column):
    return 0 <= row < grid.shape[0] and 0 <= column < grid.shape[1]


@numba.njit
def same(grid, other):
    """Whether two positions are equal."""
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            if grid[row, column] != other[row, column]:
                return False
    return True


@numba.njit
def chain_and_liberties(grid, row, column):
    """Two masks: the stones connected to the stone at a point, and their liberties."""
    color = grid[row, column]
    stones = np.zeros(grid.shape, np.bool_)
    liberties = np.zeros(grid.shape, np.bool_)
    stones[row, column] = True
    waiting = [(row, column)]
    while len(waiting) > 0:
        row, column = waiting.pop()
        for up, right in NEIGHBOURS:
            r, c = row + up, column + right
            if on_board(grid, r, c):
                if grid[r, c] == EMPTY:
                    liberties[r, c] = True
                elif grid[r, c] == color and not stones[r, c]:
                    stones[r, c] = True
                    waiting.append((r, c))
    return stones, liberties


@numba.njit
def has_liberty(grid, row, column):
    """Whether the chain at a point has a liberty; the same flood fill, left at the first one."""
    color = grid[row, column]
    seen = np.zeros(grid.shape, np.bool_)
    seen[row, column] = True
    waiting = [(row, column)]
    while len(waiting) > 0:
        row, column = waiting.pop()
        for up, right in NEIGHBOURS:
            r, c = row + up, column + right
            if on_board(grid, r, c):
                if grid[r, c] == EMPTY:
                    return True
                if grid[r, c] == color and not seen[r, c]:
                    seen[r, c] = True
                    waiting.append((r, c))
    return False


@numba.njit
def remove_chain(grid, row, column):
    """Take the chain at a point off; returns how many stones it had."""
    stones, _ = chain_and_liberties(grid, row, column)
    count = 0
    for r in range(grid.shape[0]):
        for c in range(grid.shape[1]):
            if stones[r, c]:
                grid[r, c] = EMPTY
                count += 1
    return count


@numba.njit
def after_move(grid, row, column, color):
    """The position after a stone is put on an empty point: first the enemy's chains without
    liberties are taken off, then the mover's own. Returns it with the number of each."""
    result = grid.copy()
    result[row, column] = color
    captured = 0
    for up, right in NEIGHBOURS:
        r, c = row + up, column + right
        if on_board(grid, r, c) and result[r, c] == 3 - color and not has_liberty(result, r, c):
            captured += remove_chain(result, r, c)
    lost = 0 if has_liberty(result, row, column) else remove_chain(result, row, column)
    return result, captured, lost


@numba.njit
def ko_after(before, after, color, captured):
    """The ko that a capture by a colour leaves behind: the point where the opponent would bring
    back, stone by stone, the position before it."""
    if captured == 0:
        return NO_KO
    for row in range(before.shape[0]):
        for column in range(before.shape[1]):
            if before[row, column] == 3 - color and after[row, column] == EMPTY:
                again, _, _ = after_move(after, row, column, 3 - color)
                if same(again, before):
                    return row, column, 3 - color
    return NO_KO


@numba.njit
def is_legal(grid, ko, row, column, color, suicide):
    """Whether a colour may play at a point: empty, not barred by ko, suicide only if allowed."""
    if grid[row, column] != EMPTY or ko == (row, column, color):
        return False
    _, _, lost = after_move(grid, row, column, color)
    return suicide or lost == 0


@numba.njit
def is_eye(grid, row, column, color):
    """Whether an empty point is a single-point eye: all neighbours own, and fewer than two
    enemies on the diagonals, or none where the point lies at the edge."""
    if grid[row, column] != EMPTY:
        return False
    for up, right in NEIGHBOURS:
        r, c = row + up, column + right
        if on_board(grid, r, c) and grid[r, c] != color:
            return False
    enemies, at_edge = 0, False
    for up, right in DIAGONALS:
        r, c = row + up, column + right
        if not on_board(grid, r, c):
            at_edge = True
        elif grid[r, c] == 3 - color:
            enemies += 1
    return enemies == 0 if at_edge else enemies < 2


@numba.njit
def neighbourhood(grid, row, column):
    """The eight points around a point as digits to the base 4: 0 empty, 1 black, 2 white, 3 off;
    the north-west one is the lowest digit, then on eastwards and row by row to the south."""
    code, unit = 0, 1
    for up in (1, 0, -1):
        for right in (-1, 0, 1):
            if up == 0 and right == 0:
                continue
            r, c = row + up, column + right
            code += unit * (grid[r, c] if on_board(grid, r, c) else 3)
            unit *= 4
    return code


@numba.njit
def every_chain_has_a_liberty(grid):
    """Whether a position can arise in play at all."""
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            if grid[row, column] != EMPTY and not has_liberty(grid, row, column):
                return False
    return True


class NaiveGame:
    """A game with its history: whole positions, each with the side to move after it.

    `ko_rule` is simple, positional or situational. Points are pairs of row and column, None is
    a pass, and either colour may move at any time.
    """

    def __init__(self, size: int, ko_rule: str, suicide: bool) -> None:
        self.ko_rule = ko_rule
        self.suicide = suicide
        self.grid = empty_grid(size)
        self.ko = NO_KO
        self.prisoners = [0, 0, 0]  # by the colour that took them
        self.to_move = BLACK
        self.history = [(self.grid.tobytes(), BLACK)]
        self._earlier: list[tuple] = []

    def why_illegal(self, color: int, at: tuple[int, int] | None) -> str | None:
        """What forbids a move, or None."""
        if at is None:
            return None
        if self.grid[at] != EMPTY:
            return "occupied"
        if self.ko == (*at, color):
            return "ko"
        after, _, lost = after_move(self.grid, *at, color)
        if lost and not self.suicide:
            return "suicide"
        for position, to_move in self.history:
            if position == after.tobytes() and (
                self.ko_rule == "positional"
                or (self.ko_rule == "situational" and to_move == 3 - color)
            ):
                return "superko"
        return None

    def play(self, color: int, at: tuple[int, int] | None) -> None:
        """Play a legal move."""
        self._earlier.append((self.grid, self.ko, list(self.prisoners), self.to_move))
        if at is None:
            self.ko = NO_KO
        else:
            before = self.grid
            self.grid, captured, lost = after_move(before, *at, color)
            self.ko = ko_after(before, self.grid, color, captured)
            self.prisoners[color] += captured
            self.prisoners[3 - color] += lost
        self.to_move = 3 - color
        self.history.append((self.grid.tobytes(), self.to_move))

    def undo(self) -> None:
        """Take the last move back."""
        self.grid, self.ko, self.prisoners, self.to_move = self._earlier.pop()
        self.history.pop()
