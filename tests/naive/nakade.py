"""Eye spaces by playing the little game out: the twin of `engine/tactics/nakade.py`.

An eye space is a few cells inside a wall of the defender's, a single chain without liberties
outside. Every way to fill the cells is a state, every move a step to another state, and
`_solve` finds out from which of them the attacker captures the wall whatever the defender
does. Nothing here knows a shape: what the engine's rules say must come out of the play.

Kos are settled by saying who wins them: the rule that bars taking back then binds only the
other side. Where the two answers differ, the matter is a ko.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache

import numba
import numpy as np

from tests.naive.board import on_board

Cell = tuple[int, int]
STEPS = ((1, 0), (0, -1), (0, 1), (-1, 0))
EMPTY, ATTACKER, DEFENDER = 0, 1, 2
_ILLEGAL, _WALL_FALLS = -1, -2


@cache
def polyominoes(size: int) -> list[tuple[Cell, ...]]:
    """Every shape of connected cells, in every turn and reflection, moved to row and column 0."""
    shapes = {((0, 0),)}
    for _ in range(size - 1):
        shapes = {
            _moved_to_zero({*shape, (row + up, column + right)})
            for shape in shapes
            for row, column in shape
            for up, right in STEPS
            if (row + up, column + right) not in shape
        }
    return sorted(shapes)


def _moved_to_zero(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    row, column = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - row, c - column) for r, c in cells))


def moved(cells: Iterable[Cell], row: int, column: int) -> tuple[Cell, ...]:
    """The same shape elsewhere."""
    return tuple((r + row, c + column) for r, c in cells)


class EyeSpace:
    """The cells of an eye space on a square board, solved for all stones inside."""

    def __init__(self, cells: Iterable[Cell], board: int, attacker_wins_kos: bool) -> None:
        self.cells = tuple(cells)
        n = len(self.cells)
        self.touches = np.zeros((n, n), np.bool_)
        self.walled = np.zeros(n, np.bool_)
        for i, (row, column) in enumerate(self.cells):
            for up, right in STEPS:
                cell = row + up, column + right
                if cell in self.cells:
                    self.touches[i, self.cells.index(cell)] = True
                elif 0 <= cell[0] < board and 0 <= cell[1] < board:
                    self.walled[i] = True
        self._ko_loser = DEFENDER if attacker_wins_kos else ATTACKER
        self._falls = _solve(_all_steps(self.touches, self.walled, self._ko_loser), n)

    def wall_falls(self, attackers: Iterable[Cell], first: int) -> bool:
        """Whether the attacker, with these stones inside, captures the wall; this side begins."""
        return bool(self._falls[_key(self._state(attackers), first, -1, len(self.cells))])

    def killing_cells(self, attackers: Iterable[Cell]) -> set[Cell]:
        """The cells where an attacking stone captures the wall in the end."""
        return self._cells_by_outcome(attackers, ATTACKER, falls=True)

    def saving_cells(self, attackers: Iterable[Cell]) -> set[Cell]:
        """The cells where a stone of the defender's saves the wall."""
        return self._cells_by_outcome(attackers, DEFENDER, falls=False)

    def _cells_by_outcome(self, attackers: Iterable[Cell], side: int, falls: bool) -> set[Cell]:
        found = set()
        for i, cell in enumerate(self.cells):
            after, ko = _step(self._state(attackers), side, i, self.touches, self.walled)
            if after == _ILLEGAL:
                continue
            if after != _WALL_FALLS:
                ko = ko if 3 - side == self._ko_loser else -1
            if falls == (
                after == _WALL_FALLS or self._falls[_key(after, 3 - side, ko, len(self.cells))]
            ):
                found.add(cell)
        return found

    def _state(self, attackers: Iterable[Cell]) -> int:
        return sum(ATTACKER * 3 ** self.cells.index(cell) for cell in attackers)


@cache
def solved(cells: tuple[Cell, ...], board: int, attacker_wins_kos: bool = False) -> EyeSpace:
    return EyeSpace(cells, board, attacker_wins_kos)


def in_the_middle(cells: Iterable[Cell]) -> EyeSpace:
    """The same shape, far from every edge."""
    return solved(moved(_moved_to_zero(cells), 9, 9), 26)


def is_dead_shape(cells: Collection[Cell]) -> bool:
    """Whether an empty space of this shape falls if the attacker begins."""
    return len(cells) <= 6 and in_the_middle(cells).wall_falls((), ATTACKER)


# --- On a board ---------------------------------------------------------------------------


def region(grid: np.ndarray, place: Cell, colors: Collection[int]) -> set[Cell]:
    """The points connected to a place that bear one of these colours."""
    found, waiting = {place}, [place]
    while waiting:
        row, column = waiting.pop()
        for up, right in STEPS:
            cell = row + up, column + right
            if on_board(grid, *cell) and cell not in found and grid[cell] in colors:
                found.add(cell)
                waiting.append(cell)
    return found


def vital_cell(grid: np.ndarray, place: Cell, wall: int) -> Cell | None:
    """The one cell that decides the life of the empty region at a place, edges left aside."""
    cells = region(grid, place, [0])
    beyond = region(grid, place, [0, 3 - wall])
    if len(cells) > 6 or beyond != cells:
        return None
    space = in_the_middle(cells)
    if space.wall_falls((), DEFENDER) or not space.wall_falls((), ATTACKER):
        return None
    (cell,) = space.killing_cells(())
    corner = min(r for r, _ in cells), min(c for _, c in cells)
    return cell[0] - 9 + corner[0], cell[1] - 9 + corner[1]


def forms_dead_shape(grid: np.ndarray, place: Cell, color: int) -> bool:
    """Whether a colour's chain has a dead shape after a stone at a place, captures left aside."""
    after = grid.copy()
    after[place] = color
    return is_dead_shape(region(after, place, [color]))


def status(cells: tuple[Cell, ...], board: int, attackers: Collection[Cell]) -> str:
    """What becomes of an eye space with the attacker's stones in it."""
    space, with_kos = solved(cells, board), solved(cells, board, True)
    if space.wall_falls(attackers, DEFENDER):
        return "DEAD"
    if space.wall_falls(attackers, ATTACKER):
        return "UNSETTLED"
    return "KO" if with_kos.wall_falls(attackers, ATTACKER) else "ALIVE"


# --- The little game ----------------------------------------------------------------------


@numba.njit
def _key(state, side, ko, n):
    """One number for the stones inside, the side to move and the cell that ko bars to it."""
    return (state * 2 + side - 1) * (n + 1) + ko + 1


@numba.njit
def _stones(state, n):
    stones = np.zeros(n, np.int8)
    for i in range(n):
        stones[i] = state // 3**i % 3
    return stones


@numba.njit
def _chain(stones, touches, i):
    """The mask of the stones connected to the stone in cell i, by stepping until nothing new."""
    n = len(stones)
    chain = np.zeros(n, np.bool_)
    chain[i] = True
    for _ in range(n):
        for j in range(n):
            for k in range(n):
                if chain[j] and touches[j, k] and stones[k] == stones[i]:
                    chain[k] = True
    return chain


@numba.njit
def _liberties(stones, touches, chain):
    """How many empty cells touch a chain inside."""
    n = len(stones)
    count = 0
    for k in range(n):
        if stones[k] == EMPTY:
            for j in range(n):
                if chain[j] and touches[j, k]:
                    count += 1
                    break
    return count


@numba.njit
def _wall_has_liberty(stones, touches, walled):
    """Whether the wall, or a stone connected to it, touches an empty cell."""
    n = len(stones)
    for i in range(n):
        if walled[i] and stones[i] == EMPTY:
            return True
        joined = walled[i] and stones[i] == DEFENDER
        if joined and _liberties(stones, touches, _chain(stones, touches, i)) > 0:
            return True
    return False


@numba.njit
def _is_dead(stones, touches, walled, i):
    """Whether the chain in cell i has no liberty; a part of the wall lives with the wall."""
    chain = _chain(stones, touches, i)
    if stones[i] == DEFENDER:
        for j in range(len(stones)):
            if chain[j] and walled[j]:
                return not _wall_has_liberty(stones, touches, walled)
    return _liberties(stones, touches, chain) == 0


@numba.njit
def _step(state, side, cell, touches, walled):
    """The state after a move and the cell where taking back would be a ko (or -1)."""
    n = len(walled)
    stones = _stones(state, n)
    if stones[cell] != EMPTY:
        return _ILLEGAL, -1
    stones[cell] = side
    if side == ATTACKER and not _wall_has_liberty(stones, touches, walled):
        return _WALL_FALLS, -1
    taken, last = 0, -1
    for i in range(n):
        if touches[cell, i] and stones[i] == 3 - side and _is_dead(stones, touches, walled, i):
            chain = _chain(stones, touches, i)
            for j in range(n):
                if chain[j]:
                    stones[j] = EMPTY
                    taken += 1
                    last = j
    if _is_dead(stones, touches, walled, cell):
        return _ILLEGAL, -1
    after = 0
    for i in range(n):
        after += stones[i] * 3**i
    if taken == 1:
        stones[last] = 3 - side
        retakes = _is_dead(stones, touches, walled, cell)
        alone = _chain(stones, touches, cell).sum() == 1 and not (side == DEFENDER and walled[cell])
        if retakes and alone:
            return after, last
    return after, -1


@numba.njit
def _all_steps(touches, walled, ko_loser):
    """For each key and cell: the key after the move, or that it is illegal, or kills."""
    n = len(walled)
    steps = np.full((3**n * 2 * (n + 1), n), _ILLEGAL, np.int32)
    for state in range(3**n):
        for side in (ATTACKER, DEFENDER):
            for cell in range(n):
                after, ko = _step(state, side, cell, touches, walled)
                if after >= 0:
                    after = _key(after, 3 - side, ko if 3 - side == ko_loser else -1, n)
                for barred in range(-1, n):
                    if barred != cell:
                        steps[_key(state, side, barred, n), cell] = after
    return steps


@numba.njit
def _solve(steps, n):
    """For each key whether the attacker can force the wall's fall in a finite number of moves."""
    falls = np.zeros(len(steps), np.bool_)
    changed = True
    while changed:
        changed = False
        for key in range(len(steps)):
            if falls[key]:
                continue
            state, side = key // (n + 1) // 2, key // (n + 1) % 2 + 1
            wins = falls[_key(state, 3 - side, -1, n)]  # what a pass leads to
            for step in steps[key]:
                if step != _ILLEGAL:
                    falling = step == _WALL_FALLS or falls[step]
                    wins = wins or falling if side == ATTACKER else wins and falling
            if wins:
                falls[key] = True
                changed = True
    return falls


def vital_places(grid: np.ndarray, color: int, last: Cell) -> set[Cell]:
    """The vital cells of the enemy's narrow eye spaces that a stone at `last` touches."""
    result = set()
    for n in [(last[0] + up, last[1] + right) for up, right in STEPS]:
        if not on_board(grid, *n) or grid[n] != 0:
            continue
        around = [(n[0] + up, n[1] + right) for up in (-1, 0, 1) for right in (-1, 0, 1)]
        empty = {p for p in around if p != n and on_board(grid, *p) and grid[p] == 0}
        open_side = any((n[0] + up, n[1] + right) in empty for up, right in STEPS)
        vital = vital_cell(grid, n, 3 - color) if open_side and len(empty) <= 5 else None
        if vital is not None:
            result.add(vital)
    return result
