"""Crowded positions: full boards but for a few points, where eyes, sekis and nakades abound."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from engine.geometry import BLACK, WHITE, point
from engine.position import Position


def crowded_positions(
    seed: int, count: int, sizes: Sequence[int], black_shares: Sequence[float] = (0.1, 0.5, 0.9)
) -> Iterator[Position]:
    """Random positions whose stones stick together more or less; those with dead chains are
    skipped."""
    rng = random.Random(seed)
    while count > 0:
        size = rng.choice(sizes)
        cells = [(row, column) for row in range(size) for column in range(size)]
        black_share = rng.choice(black_shares)
        colors = {cell: BLACK if rng.random() < black_share else WHITE for cell in cells}
        for _ in range(rng.randrange(3)):
            colors = {cell: _majority(colors, cell) for cell in cells}
        for cell in rng.sample(cells, rng.randrange(2, 3 + size * size // 4)):
            del colors[cell]
        black, white = (
            [point(*cell) for cell, found in colors.items() if found == color]
            for color in (BLACK, WHITE)
        )
        try:
            position = Position.from_stones(size, black, white)
        except ValueError:
            continue
        count -= 1
        yield position


def _around(row: int, column: int) -> list[tuple[int, int]]:
    return [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]


def _majority(colors: dict[tuple[int, int], int], cell: tuple[int, int]) -> int:
    """The colour that most of a cell and its neighbours have; its own if they are even."""
    found = [colors[other] for other in [cell, *_around(*cell)] if other in colors]
    black = found.count(BLACK)
    if 2 * black == len(found):
        return colors[cell]
    return BLACK if 2 * black > len(found) else WHITE
