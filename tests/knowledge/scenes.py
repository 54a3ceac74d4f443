"""Moments of games for the tests of features: as positions for kernels, as scenes for twins."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.geometry import BLACK, PASS, WHITE, opponent, point, row_and_column
from engine.playout.light import light_candidates
from engine.position import Position
from engine.tactics.ladders import CAPTURED, LadderReader
from knowledge.records import read_games
from tests.naive.ladders import State
from tests.naive.scene import Place, Scene

_READER = LadderReader()


def position_of(grid: np.ndarray, ko: tuple[int, int, int]) -> Position:
    """The engine's view of a twin's position."""
    stones = {
        color: [point(int(r), int(c)) for r, c in np.argwhere(grid == color)]
        for color in (BLACK, WHITE)
    }
    position = Position.from_stones(len(grid), stones[BLACK], stones[WHITE])
    if ko[2]:
        position.record["ko"], position.record["ko_for"] = point(*ko[:2]), ko[2]
    return position


def read_by_engine(state: State, prey: Place, attacking: bool) -> bool:
    """The engine's ladder reader, which has tests of its own, in place of the naive one."""
    position = position_of(state.grid, state.ko)
    return _READER.read(position, point(*prey), attacking) == CAPTURED


def place_of(p: int) -> Place | None:
    return None if p == PASS else row_and_column(p)


def random_scenes(seed: int, count: int, sizes: Sequence[int]) -> Iterator[Scene]:
    """Moments of random games that fill no eyes, at all stages."""
    rng = random.Random(seed)
    for _ in range(count):
        size = rng.choice(sizes)
        scene, position = Scene.start(size), Position(size)
        for _ in range(rng.randrange(2 * size * size)):
            candidates = light_candidates(position, scene.color)
            p = rng.choice(candidates) if candidates else PASS
            position.play(scene.color, p)
            scene = scene.play(place_of(p))
        yield scene


def game_scenes(file: Path, games: int, every: int) -> Iterator[Scene]:
    """Moments of real games, one every few moves."""
    for record in read_games(file, progress=False).first(games):
        scene = Scene.start(record.size)
        for color, p in zip(record.setup_colors, record.setup_points, strict=True):
            scene.grid[row_and_column(int(p))] = color
        for i, (color, p) in enumerate(zip(record.colors, record.points, strict=True)):
            if i % every == every // 2:
                yield replace(scene, color=int(color))
            scene = scene.play(place_of(int(p)), int(color))


def swapped(scene: Scene) -> Scene:
    """The scene with the colours exchanged."""
    grid = np.where(scene.grid == 0, 0, 3 - scene.grid).astype(scene.grid.dtype)
    row, column, color = scene.ko
    ko = (row, column, 3 - color) if color else scene.ko
    return Scene(grid, opponent(scene.color), ko, scene.moves, scene.captured)


def turned(place: Place, size: int, turn: int) -> Place:
    """A place in one of the eight symmetries of the board."""
    row, column = place
    if turn & 1:
        row = size - 1 - row
    if turn & 2:
        column = size - 1 - column
    return (column, row) if turn & 4 else (row, column)


def turned_scene(scene: Scene, turn: int) -> Scene:
    """The scene in one of the eight symmetries of the board."""
    size = scene.size
    grid = np.zeros_like(scene.grid)
    for place in np.ndindex(size, size):
        grid[turned(place, size, turn)] = scene.grid[place]
    ko = scene.ko
    if ko[2]:
        ko = (*turned(ko[:2], size, turn), ko[2])
    moves = tuple(None if p is None else turned(p, size, turn) for p in scene.moves)
    return Scene(grid, scene.color, ko, moves, scene.captured)
