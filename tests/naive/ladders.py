"""Ladders and nets by plain recursion: the twin of `ladders.py` and `nets.py` in the engine.

Every move of the game is tried on a copy of the board, nothing is pruned. A position is a grid
and a ko, as in `tests/naive/board.py`; a point is a pair (row, column); PASS is None. A search
that grows out of hand, beyond its `Budget` or by going round in circles, ends with `TooBig`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.naive.board import NO_KO, after_move, chain_and_liberties, is_legal, ko_after

Point = tuple[int, int]
Ko = tuple[int, int, int]
LONGEST = 200  # moves in a row; no ladder on the boards of the tests is as long


class TooBig(Exception):
    """The search needs more moves than it may make."""


@dataclass
class Budget:
    moves: int

    def spend(self) -> None:
        self.moves -= 1
        if self.moves < 0:
            raise TooBig


@dataclass(frozen=True)
class State:
    """A position, the ko that binds in it, and how many moves led here."""

    grid: np.ndarray
    ko: Ko = NO_KO
    moves: int = 0

    def may_play(self, color: int, p: Point) -> bool:
        return bool(is_legal(self.grid, self.ko, p[0], p[1], color, False))

    def after(self, color: int, p: Point | None) -> State:
        """The position after a legal move, or a pass."""
        if self.moves == LONGEST:
            raise TooBig
        if p is None:
            return State(self.grid, NO_KO, self.moves + 1)
        grid, captured, _ = after_move(self.grid, p[0], p[1], color)
        return State(grid, ko_after(self.grid, grid, color, captured), self.moves + 1)

    def chain(self, p: Point) -> tuple[set[Point], set[Point]]:
        """The stones and the liberties of the chain at a point."""
        stones, liberties = chain_and_liberties(self.grid, p[0], p[1])
        return _points(stones), _points(liberties)

    def neighbours(self, p: Point) -> list[Point]:
        size = len(self.grid)
        around = [(p[0] + 1, p[1]), (p[0] - 1, p[1]), (p[0], p[1] + 1), (p[0], p[1] - 1)]
        return [(r, c) for r, c in around if 0 <= r < size and 0 <= c < size]


def _points(mask: np.ndarray) -> set[Point]:
    return {(int(r), int(c)) for r, c in np.argwhere(mask)}


def defences(state: State, prey: Point) -> list[Point | None]:
    """The defender's moves: extend, capture a touching chain in atari; outside atari also pass."""
    color = int(state.grid[prey])
    stones, liberties = state.chain(prey)
    moves = set(liberties)
    for stone in stones:
        for p in state.neighbours(stone):
            if state.grid[p] == 3 - color:
                _, last = state.chain(p)
                if len(last) == 1:
                    moves |= last
    legal: list[Point | None] = [p for p in sorted(moves) if state.may_play(color, p)]
    return legal if len(liberties) == 1 else [*legal, None]


def attacker_captures(state: State, prey: Point, budget: Budget) -> bool:
    """The attacker's turn: can it take the prey?"""
    return bool(good_attacks(state, prey, budget, only_one=True))


def good_attacks(state: State, prey: Point, budget: Budget, only_one: bool = False) -> list[Point]:
    """The attacker's first moves that take the prey; all of them, or just the first found."""
    color = int(state.grid[prey])
    _, liberties = state.chain(prey)
    good: list[Point] = []
    if len(liberties) > 2:
        return good
    for p in sorted(liberties):
        if state.may_play(3 - color, p):
            budget.spend()
            if len(liberties) == 1 or not defender_escapes(state.after(3 - color, p), prey, budget):
                good.append(p)
                if only_one:
                    return good
    return good


def defender_escapes(state: State, prey: Point, budget: Budget) -> bool:
    """The defender's turn: can the prey be kept from being taken?"""
    return bool(good_defences(state, prey, budget, only_one=True))


def good_defences(
    state: State, prey: Point, budget: Budget, only_one: bool = False
) -> list[Point | None]:
    """The defender's first moves that hold; all of them, or just the first found."""
    color = int(state.grid[prey])
    good: list[Point | None] = []
    for p in defences(state, prey):
        budget.spend()
        if not attacker_captures(state.after(color, p), prey, budget):
            good.append(p)
            if only_one:
                return good
    return good


# --- Nets ---------------------------------------------------------------------------------


def net_area(state: State, prey: Point) -> set[Point]:
    """Where a net stone may stand: on legal points within two steps of a liberty, not on one."""
    color = int(state.grid[prey])
    _, liberties = state.chain(prey)
    size = len(state.grid)
    return {
        (r, c)
        for r in range(size)
        for c in range(size)
        if any(abs(r - p[0]) + abs(c - p[1]) <= 2 for p in liberties)
        and (r, c) not in liberties
        and state.may_play(3 - color, (r, c))
    }


def is_net(state: State, prey: Point, p: Point, budget: Budget) -> bool:
    """Whether every escape fails after the attacker's quiet move."""
    color = int(state.grid[prey])
    budget.spend()
    closed = state.after(3 - color, p)
    return all(
        _is_caught(closed.after(color, escape), prey, budget) for escape in defences(closed, prey)
    )


def _is_caught(state: State, prey: Point, budget: Budget) -> bool:
    """The attacker's turn after an escape: a ladder, or closing one of three liberties."""
    budget.spend()
    color = int(state.grid[prey])
    _, liberties = state.chain(prey)
    if len(liberties) < 3:
        return attacker_captures(state, prey, budget)
    return len(liberties) == 3 and any(
        not defender_escapes(state.after(3 - color, p), prey, budget)
        for p in sorted(liberties)
        if state.may_play(3 - color, p)
    )
