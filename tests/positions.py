"""Positions to compare kernels with their twins on: random ones, and those of real games."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.geometry import BLACK, EMPTY, PASS, opponent, point
from engine.playout.light import light_candidates
from engine.position import Position


class Moment(NamedTuple):
    """A position in the course of a game: whose turn it is, and the last two moves."""

    position: Position
    color: int
    last: int
    before: int


def random_moments(seed: int, count: int, sizes: Sequence[int] = (5, 7, 9, 13, 19)) -> list[Moment]:
    """Positions from random games that fill no eyes, at all stages."""
    rng = random.Random(seed)
    result = []
    while len(result) < count:
        size = rng.choice(sizes)
        moves: list[int] = []
        position, color = Position(size), BLACK
        stops = {rng.randrange(3, 2 * size * size) for _ in range(4)}
        while len(moves) <= max(stops) and moves[-2:] != [PASS, PASS]:
            candidates = light_candidates(position, color)
            p = rng.choice(candidates) if candidates else PASS
            position.play(color, p)
            moves.append(p)
            color = opponent(color)
            if len(moves) in stops:
                result.append(Moment(position.copy(), color, moves[-1], ([PASS, *moves])[-2]))
    return result[:count]


def game_moments(file: Path, games: int, every: int) -> Iterator[Moment]:
    """Positions of real games, one every few moves."""
    from knowledge.records import Filters, read_games

    for record in read_games(file, Filters(even=True, first=games)):
        position, last, before = Position(record.size), PASS, PASS
        for i, (color, p) in enumerate(zip(record.colors, record.points, strict=True)):
            if i % every == every // 2:
                yield Moment(position.copy(), int(color), last, before)
            position.play(int(color), int(p))
            last, before = int(p), last


def grid_of(position: Position) -> np.ndarray:
    """The position as the twins see it: 0 empty, 1 black, 2 white, row 0 at the bottom."""
    size = position.size
    grid = np.zeros((size, size), np.int8)
    for row in range(size):
        for column in range(size):
            color = position.color_at(point(row, column))
            grid[row, column] = 0 if color == EMPTY else color
    return grid
