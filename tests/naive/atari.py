"""The twin of `engine/tactics/atari.py`: play the move on a copy, and look."""

from __future__ import annotations

import numpy as np

from tests.naive.board import NEIGHBOURS, after_move, chain_and_liberties, is_eye, on_board


def _points(mask: np.ndarray) -> set[tuple[int, int]]:
    return {(int(r), int(c)) for r, c in zip(*np.nonzero(mask), strict=True)}


def chain(grid: np.ndarray, place: tuple[int, int]) -> tuple[set, set]:
    """The stones and the liberties of the chain at a place."""
    stones, liberties = chain_and_liberties(grid, *place)
    return _points(stones), _points(liberties)


def neighbours(grid: np.ndarray, place: tuple[int, int]) -> list[tuple[int, int]]:
    found = [(place[0] + dr, place[1] + dc) for dr, dc in NEIGHBOURS]
    return [p for p in found if on_board(grid, *p)]


def play(grid: np.ndarray, place: tuple[int, int], color: int) -> np.ndarray:
    return after_move(grid, *place, color)[0]


def captured(grid: np.ndarray, place: tuple[int, int], color: int) -> int:
    after = play(grid, place, color)
    return int((grid != 0).sum() - (after != 0).sum() + 1)


def ataris(grid: np.ndarray, place: tuple[int, int], color: int) -> int:
    """How many enemy chains beside the new stone have one liberty then."""
    after = play(grid, place, color)
    chains = set()
    for n in neighbours(after, place):
        if after[n] == 3 - color:
            stones, liberties = chain(after, n)
            if len(liberties) == 1:
                chains.add(frozenset(stones))
    return len(chains)


def is_dead_shape(stones: set) -> bool:
    """Whether stones form a shape that holds one eye at most, told by the classic list."""
    degrees = sorted(sum((r + dr, c + dc) in stones for dr, dc in NEIGHBOURS) for r, c in stones)
    return len(stones) <= 3 or degrees in (
        [1, 1, 1, 3],  # T
        [2, 2, 2, 2],  # square
        [1, 1, 1, 1, 4],  # cross
        [1, 2, 2, 2, 3],  # bulky five
        [1, 1, 2, 2, 2, 4],  # rabbity six
    )


def is_bad_self_atari(grid: np.ndarray, place: tuple[int, int], color: int) -> bool:
    other = 3 - color
    after = play(grid, place, color)
    stones, liberties = chain(after, place)
    if len(liberties) != 1:
        return False
    (gap,) = liberties
    taken = captured(grid, place, color)
    if taken >= 2 or (taken == 1 and len(stones) == 1):
        return False
    if len(stones) == 1:
        back = play(after, gap, other)
        if chain(back, gap)[1] == {place}:
            return False
        walled = all(n == gap or grid[n] == other for n in neighbours(grid, place))
        filled = grid.copy()
        filled[gap] = other
        if walled and not is_eye(filled, *place, other):
            return False
    threatened = any(
        after[n] == other and chain(after, n)[1] == {gap} for n in neighbours(after, place)
    )
    return not (threatened and is_dead_shape(stones))


def is_snapback(grid: np.ndarray, place: tuple[int, int], color: int) -> bool:
    """A lone stone that, once captured, takes back two stones or more at the same place."""
    after = play(grid, place, color)
    stones, liberties = chain(after, place)
    if len(stones) != 1 or len(liberties) != 1:
        return False
    (gap,) = liberties
    captor, room = chain(play(after, gap, 3 - color), gap)
    return room == {place} and len(captor) > 1


def rescues(grid: np.ndarray, place: tuple[int, int]) -> tuple[tuple | None, set]:
    """For a chain in atari: the extension if it helps, and where attackers can be captured."""
    color = int(grid[place])
    stones, liberties = chain(grid, place)
    (gap,) = liberties
    after = play(grid, gap, color)
    extends = after[gap] == color and len(chain(after, gap)[1]) >= 2
    captures = set()
    for stone in stones:
        for n in neighbours(grid, stone):
            if grid[n] == 3 - color and len(chain(grid, n)[1]) == 1:
                captures |= chain(grid, n)[1]
    return gap if extends else None, captures
