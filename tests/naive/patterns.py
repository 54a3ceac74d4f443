"""Shape patterns that anybody can check by reading: the twin of `knowledge/patterns.py`.

A pattern is a set of (dy, dx, what is there), in words, seen from the centre. Of its eight
rotations and reflections the first in alphabetical order stands for all.
"""

from __future__ import annotations

import numpy as np

from tests.naive.board import chain_and_liberties

Place = tuple[int, int]
Cell = tuple[int, int, str]
Pattern = tuple[Cell, ...]

LARGEST = {"plain": 14, "liberties": 7, "marked": 6, "response": 6}


def distance(dy: int, dx: int) -> int:
    return abs(dy) + abs(dx) + max(abs(dy), abs(dx))


class View:
    """A position as the mover sees it: what is at each point, in words."""

    def __init__(self, grid: np.ndarray, color: int) -> None:
        self.size = grid.shape[0]
        self._stones: dict[Place, str] = {}
        self._liberties: dict[Place, int] = {}
        for row, column in np.argwhere(grid > 0).tolist():
            _, liberties = chain_and_liberties(grid, row, column)
            self._stones[row, column] = "own" if grid[row, column] == color else "opponent"
            self._liberties[row, column] = min(int(liberties.sum()), 3)

    def content(self, place: Place, with_liberties: bool) -> str:
        if not all(0 <= x < self.size for x in place):
            return "off"
        if place not in self._stones:
            return "empty"
        owner = self._stones[place]
        return f"{owner} {self._liberties[place]}" if with_liberties else owner

    def shape(self, centre: Place, size: int, with_liberties: bool) -> list[Cell]:
        """All points of a template with what is there."""
        span = range(-size, size + 1)
        return [
            (dy, dx, self.content((centre[0] + dy, centre[1] + dx), with_liberties))
            for dy in span
            for dx in span
            if distance(dy, dx) <= size + 1
        ]

    def whole_board(self, centre: Place) -> list[Cell]:
        span = range(self.size)
        return [
            (row - centre[0], column - centre[1], self.content((row, column), False))
            for row in span
            for column in span
        ]


def _first_of_all_turns(cells: list[Cell]) -> Pattern:
    turns = []
    for sy in (1, -1):
        for sx in (1, -1):
            turns.append(tuple(sorted((sy * y, sx * x, what) for y, x, what in cells)))
            turns.append(tuple(sorted((sx * x, sy * y, what) for y, x, what in cells)))
    return min(turns)


def pattern(family: str, size: int, view: View, move: Place, last: Place | None) -> Pattern | None:
    """The pattern of a move, the same for all that look the same; None where it has none."""
    if size > LARGEST[family]:
        return None
    if family == "plain" and size == 14:
        return _first_of_all_turns(view.whole_board(move))
    if family in ("plain", "liberties"):
        return _first_of_all_turns(view.shape(move, size, family == "liberties"))
    if last is None:
        return None
    away = distance(last[0] - move[0], last[1] - move[1])
    if family == "marked":
        if away > size + 1:
            return None
        mark = (last[0] - move[0], last[1] - move[1], "last move")
        return _first_of_all_turns([*view.shape(move, size, True), mark])
    if away > 12:
        return None
    answer = (move[0] - last[0], move[1] - last[1], "answer")
    return _first_of_all_turns([*view.shape(last, size, True), answer])
