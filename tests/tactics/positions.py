"""Positions to compare a tactical reader with its twin on: random ones and those of real games."""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sgfmill import sgf

from engine.geometry import BLACK, WHITE, opponent, point, row_and_column
from engine.position import Position
from tests.naive.board import NO_KO
from tests.naive.ladders import State

SIZES = (3, 4, 5, 6, 7, 9, 11)


def random_positions(count: int, seed: int) -> Iterator[Position]:
    """Positions after random play of random length on small boards, where captures are many."""
    rng = random.Random(seed)
    for _ in range(count):
        position = Position(rng.choice(SIZES))
        color = BLACK
        for _ in range(rng.randrange(4, 2 * position.size**2)):
            moves = [p for p in position.legal_points(color) if not position.is_eye(color, p)]
            if moves:
                position.play(color, rng.choice(moves))
            color = opponent(color)
        yield position


def game_positions(path: Path, games: int, every: int) -> Iterator[Position]:
    """Every so many moves a position of the first games of an .sgf.xz collection."""
    with lzma.open(path) as lines:
        for line, _ in zip(lines, range(games), strict=False):
            game = sgf.Sgf_game.from_bytes(line)
            position = Position(game.get_size())
            for i, node in enumerate(game.get_main_sequence()):
                color, move = node.get_move()
                if color and move:
                    position.play(BLACK if color == "b" else WHITE, point(*move))
                if i % every == every - 1:
                    yield position


def state_of(position: Position) -> State:
    """The twin's view of a position."""
    grid = np.zeros((position.size, position.size), np.int8)
    ko = NO_KO
    for color in (BLACK, WHITE):
        for p in position.stones(color):
            grid[row_and_column(p)] = color
        if position.ko(color):
            ko = (*row_and_column(position.ko(color)), color)
    return State(grid, ko)


def chains(position: Position) -> list[tuple[int, int]]:
    """One stone of each chain, and how many liberties the chain has."""
    seen: set[int] = set()
    result = []
    for p in position.stones(BLACK) + position.stones(WHITE):
        if p not in seen:
            stones, liberties = position.chain(p)
            seen.update(stones)
            result.append((p, len(liberties)))
    return result
