"""The twin of the gamma policy: every legal move's weight as a plain product, move by move."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.naive.atari import chain, is_bad_self_atari, neighbours, play
from tests.naive.board import DIAGONALS, NEIGHBOURS, is_eye, neighbourhood

Place = tuple[int, int]


def _own_chains(grid: np.ndarray, place: Place, color: int) -> list[tuple[set, set]]:
    """The different chains of a colour beside a place, with their liberties."""
    result: list[tuple[set, set]] = []
    for n in neighbours(grid, place):
        if grid[n] == color and not any(n in stones for stones, _ in result):
            result.append(chain(grid, n))
    return result


def _capture(grid: np.ndarray, place: Place, last: Place) -> str | None:
    """Takes the chain of the last move."""
    return "capture" if chain(grid, last)[1] == {place} else None


def _extension(grid: np.ndarray, place: Place, color: int, last: Place) -> str | None:
    """Saves a chain in atari that the last move touches."""
    saved = any(liberties == {place} for _, liberties in _own_chains(grid, last, color))
    after = play(grid, place, color)
    return "extension" if saved and len(chain(after, place)[1]) >= 2 else None


def _near(place: Place, last: Place) -> str | None:
    step = (place[0] - last[0], place[1] - last[1])
    return "beside" if step in NEIGHBOURS else "diagonal" if step in DIAGONALS else None


def _self_atari(grid: np.ndarray, place: Place, color: int) -> str | None:
    """Only of a chain: a lone stone's is left to its shape."""
    liberties = chain(play(grid, place, color), place)[1]
    if not any(grid[n] == color for n in neighbours(grid, place)) or len(liberties) != 1:
        return None
    return "self_atari_bad" if is_bad_self_atari(grid, place, color) else "self_atari"


def features(
    grid: np.ndarray,
    place: Place,
    color: int,
    last: Place | None,
) -> list[str]:
    """The names of all features but shape that a legal move has."""
    names = [_self_atari(grid, place, color)]
    if last is not None:
        names.append(_capture(grid, place, last))
        names.append(_extension(grid, place, color, last))
        names.append(_near(place, last))
    return [name for name in names if name is not None]


def weights(
    grid: np.ndarray,
    legal: list[Place],
    color: int,
    last: Place | None,
    table: np.ndarray,
    factors: Mapping[str, float],
) -> dict[Place, float]:
    """The product for each legal move; own eyes are left out."""
    result = {}
    for place in legal:
        if is_eye(grid, *place, color):
            continue
        pair = int(table[neighbourhood(grid, *place)])
        weight = float(pair & 0xFFFF if color == 1 else pair >> 16)
        for name in features(grid, place, color, last):
            factor = factors[name]
            weight *= min(factor, 1.0) if name.startswith("self_atari") else factor
        result[place] = weight
    return result
