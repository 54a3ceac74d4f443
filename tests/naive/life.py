"""The twins of `engine/tactics/life.py`.

Unconditional life is Benson's definition with sets, step by step. Seki is not defined at all:
`Fight` plays out everything that can happen in and around two chains, and tells whether one
side, moving first, can capture the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numba
import numpy as np

from tests.naive.board import EMPTY, NEIGHBOURS, chain_and_liberties, on_board

Cell = tuple[int, int]


def neighbours(grid: np.ndarray, cell: Cell) -> list[Cell]:
    found = [(cell[0] + up, cell[1] + right) for up, right in NEIGHBOURS]
    return [place for place in found if on_board(grid, *place)]


def cells_of(mask: np.ndarray) -> frozenset[Cell]:
    return frozenset((int(row), int(column)) for row, column in np.argwhere(mask))


def chain_at(grid: np.ndarray, cell: Cell) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """The stones and the liberties of the chain at a cell."""
    stones, liberties = chain_and_liberties(grid, *cell)
    return cells_of(stones), cells_of(liberties)


# --- Unconditional life -------------------------------------------------------------------


def _regions(grid: np.ndarray, color: int) -> set[frozenset[Cell]]:
    """The connected sets of points without a stone of the colour."""
    waiting = {cell for cell in np.ndindex(*grid.shape) if grid[cell] != color}
    found = set()
    while waiting:
        region = {waiting.pop()}
        while grown := {n for cell in region for n in neighbours(grid, cell)} & waiting:
            region |= grown
            waiting -= grown
        found.add(frozenset(region))
    return found


def unconditional_life(grid: np.ndarray, color: int) -> tuple[set[Cell], set[Cell]]:
    """The stones that live for ever, and the points of their vital regions."""
    cells = [cell for cell in np.ndindex(*grid.shape) if grid[cell] == color]
    liberties = dict(chain_at(grid, cell) for cell in cells)
    chains, regions = set(liberties), _regions(grid, color)
    border = {r: {n for cell in r for n in neighbours(grid, cell)} - r for r in regions}
    empties = {r: {cell for cell in r if grid[cell] == EMPTY} for r in regions}

    def vital(chain: frozenset[Cell]) -> list[frozenset[Cell]]:
        return [r for r in regions if empties[r] and empties[r] <= liberties[chain]]

    while True:
        kept_chains = {chain for chain in chains if len(vital(chain)) >= 2}
        living = {cell for chain in kept_chains for cell in chain}
        kept_regions = {r for r in regions if border[r] <= living}
        if kept_chains == chains and kept_regions == regions:
            break
        chains, regions = kept_chains, kept_regions
    territory = {cell for chain in chains for r in vital(chain) for cell in r}
    return living, territory


# --- Fights -------------------------------------------------------------------------------

_ILLEGAL, _HUNTER_TAKES, _PREY_TAKES = -1, -2, -3
LARGE = 8


class Fight:
    """Two chains, their liberties, and everything that can be played there.

    The other chains around stay for ever. A chain of LARGE stones or more is one node of the
    graph: once it is captured the fight is over. `cells` are the points that can change.
    """

    def __init__(self, grid: np.ndarray, chains: Iterable[frozenset[Cell]]) -> None:
        self.chains = list(chains)
        small = [chain for chain in self.chains if len(chain) < LARGE]
        large = [chain for chain in self.chains if len(chain) >= LARGE]
        liberties = {cell for chain in self.chains for cell in chain_at(grid, min(chain))[1]}
        self.cells = sorted({cell for chain in small for cell in chain} | liberties)
        nodes = [frozenset([cell]) for cell in self.cells] + large
        known = {cell for node in nodes for cell in node}
        self.touches = np.zeros((len(nodes), len(nodes)), np.bool_)
        self.safe = np.zeros((len(nodes), 3), np.bool_)
        for i, node in enumerate(nodes):
            for n in {n for cell in node for n in neighbours(grid, cell)} - node:
                if n in known:
                    self.touches[i, [n in other for other in nodes].index(True)] = True
                elif grid[n] == EMPTY:
                    raise ValueError("an open fight")
                else:
                    self.safe[i, grid[n]] = True
        self.large = np.array([grid[min(chain)] for chain in large], np.int8)
        self.state = sum(int(grid[cell]) * 3**i for i, cell in enumerate(self.cells))

    def can_capture(self, hunter: int) -> bool:
        """Whether a colour, moving first and winning all kos, can take every enemy stone."""
        wins = _solve(self.touches, self.safe, self.large, len(self.cells), hunter)
        return bool(wins[_key(self.state, hunter, -1, len(self.cells))])


@numba.njit
def _key(state, side, ko, m):
    return (state * 2 + side - 1) * (m + 1) + ko + 1


@numba.njit
def _chain(stones, touches, i):
    """The mask of the nodes connected to node i, by stepping until nothing is new."""
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
def _is_dead(stones, touches, safe, i):
    """Whether the chain of node i has no liberty and no tie to a chain outside."""
    chain = _chain(stones, touches, i)
    for j in range(len(stones)):
        if chain[j]:
            if safe[j, stones[i]]:
                return False
            for k in range(len(stones)):
                if touches[j, k] and stones[k] == EMPTY:
                    return False
    return True


@numba.njit
def _step(stones, side, cell, hunter, touches, safe, m):
    """Play a cell, changing `stones`: how it ends or 0, and the cell that is a ko then or -1."""
    if stones[cell] != EMPTY:
        return _ILLEGAL, -1
    stones[cell] = side
    taken, last = 0, -1
    for i in range(len(stones)):
        if touches[cell, i] and stones[i] == 3 - side and _is_dead(stones, touches, safe, i):
            chain = _chain(stones, touches, i)
            for j in range(len(stones)):
                if chain[j] and j >= m:
                    return (_HUNTER_TAKES if side == hunter else _PREY_TAKES), -1
                if chain[j]:
                    stones[j] = EMPTY
                    taken += 1
                    last = j
    if _is_dead(stones, touches, safe, cell):
        return _ILLEGAL, -1
    if taken == 1 and _chain(stones, touches, cell).sum() == 1:
        stones[last] = 3 - side
        retakes = _is_dead(stones, touches, safe, cell)
        stones[last] = EMPTY
        if retakes:
            return 0, last
    return 0, -1


@numba.njit
def _all_steps(touches, safe, large, m, hunter):
    """For each key and cell: the key after the move, or how it ends. Kos bind the prey only."""
    steps = np.full((3**m * 2 * (m + 1), m), _ILLEGAL, np.int32)
    stones = np.zeros(m + len(large), np.int8)
    for state in range(3**m):
        for side in (1, 2):
            for cell in range(m):
                for i in range(m):
                    stones[i] = state // 3**i % 3
                stones[m:] = large
                after, ko = _step(stones, side, cell, hunter, touches, safe, m)
                if after == 0:
                    number = 0
                    for i in range(m):
                        number += stones[i] * 3**i
                    after = _key(number, 3 - side, ko if side == hunter else -1, m)
                for barred in range(-1, m):
                    if barred != cell:
                        steps[_key(state, side, barred, m), cell] = after
    return steps


@numba.njit
def _has_prey(state, large, m, hunter):
    for color in large:
        if color != hunter:
            return True
    for i in range(m):
        if state // 3**i % 3 == 3 - hunter:
            return True
    return False


@numba.njit
def _solve(touches, safe, large, m, hunter):
    """For each key whether the hunter can force that no enemy stone is left in the fight."""
    steps = _all_steps(touches, safe, large, m, hunter)
    wins = np.zeros(len(steps), np.bool_)
    for state in range(3**m):
        if not _has_prey(state, large, m, hunter):
            first = _key(state, 1, -1, m)
            wins[first : first + 2 * (m + 1)] = True
    changed = True
    while changed:
        changed = False
        for key in range(len(steps)):
            if wins[key]:
                continue
            state, side = key // (m + 1) // 2, key // (m + 1) % 2 + 1
            good = wins[_key(state, 3 - side, -1, m)]  # what a pass leads to
            for step in steps[key]:
                if step != _ILLEGAL:
                    win = step == _HUNTER_TAKES or (step >= 0 and wins[step])
                    good = good or win if side == hunter else good and win
            if good:
                wins[key] = True
                changed = True
    return wins


def shared_pairs(grid: np.ndarray) -> list[tuple[frozenset[Cell], frozenset[Cell]]]:
    """All pairs of a black and a white chain with two liberties each that share one at least."""
    chains = {
        color: {chain_at(grid, cell) for cell in np.ndindex(*grid.shape) if grid[cell] == color}
        for color in (1, 2)
    }
    return [
        (black, white)
        for (black, b_libs), (white, w_libs) in product(chains[1], chains[2])
        if len(b_libs) == len(w_libs) == 2 and b_libs & w_libs
    ]
