"""Common-fate-graph distance: drawn cases, and the twin from every point of many positions."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from engine.geometry import PASS, point, row_and_column
from engine.position import Position
from engine.tactics.distance import distances_from
from tests.diagrams import Diagram, picture
from tests.naive.distance import distances
from tests.positions import game_moments, grid_of, random_moments

GNUGO_GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


def test_on_an_empty_board_it_counts_steps() -> None:
    found = distances_from(Position(9), point(4, 4))
    assert len(found) == 81
    assert found[point(4, 4)] == 0
    assert found[point(4, 5)] == 1
    assert found[point(0, 0)] == 8


def test_a_chain_is_one_place() -> None:
    diagram = Diagram(
        """
        . . . . . . .
        . # # # # # b
        . X O O O O .
        a X O . c O .
        . X O O O O d
        . . . . . . .
        . . . . . . .
        """
    )
    found = distances_from(diagram.position, diagram["a"])
    assert {found[p] for p in diagram.all("#")} == {1}
    assert found[diagram["b"]] == 2
    assert found[diagram["c"]] == 3
    assert found[diagram["d"]] == 3


def test_a_stone_starts_with_its_whole_chain() -> None:
    diagram = Diagram(
        """
        . . . . .
        # # # # a
        . . . . .
        . . . . b
        . . . . .
        """
    )
    for p in diagram.all("#"):
        found = distances_from(diagram.position, p)
        assert {found[q] for q in diagram.all("#")} == {0}
        assert found[diagram["a"]] == 1
        assert found[diagram["b"]] == 3


def test_the_limit() -> None:
    found = distances_from(Position(19), point(9, 9), limit=2)
    assert len(found) == 13
    assert set(found.values()) == {0, 1, 2}
    assert distances_from(Position(19), point(9, 9), limit=0) == {point(9, 9): 0}


def test_bad_questions() -> None:
    with pytest.raises(ValueError, match="not on the board"):
        distances_from(Position(9), PASS)
    for limit in (-1, 255):
        with pytest.raises(ValueError, match="a limit that is not in 0 to 254"):
            distances_from(Position(9), point(0, 0), limit)


def check(positions: Iterable[Position], seed: int, starts: int) -> None:
    """Compare from some points of each position, with and without a limit."""
    rng = random.Random(seed)
    for position in positions:
        grid = grid_of(position)
        for p in rng.sample(position.points(), starts):
            expected = {
                point(row, column): int(distance)
                for (row, column), distance in np.ndenumerate(distances(grid, *row_and_column(p)))
            }
            found = distances_from(position, p)
            assert found == expected, picture(position)
            assert list(found.values()) == sorted(found.values())
            limit = rng.randrange(6)
            near = {q: distance for q, distance in expected.items() if distance <= limit}
            assert distances_from(position, p, limit) == near


def test_twin_on_random_positions() -> None:
    small = random_moments(seed=31, count=60, sizes=(5, 6, 7, 9))
    check((moment.position for moment in small), seed=31, starts=6)
    large = random_moments(seed=32, count=4, sizes=(13, 19))
    check((moment.position for moment in large), seed=32, starts=3)


def test_twin_on_gnugos_games() -> None:
    moments = game_moments(GNUGO_GAMES, games=60, every=60)
    check((moment.position for moment in moments), seed=35, starts=2)


def test_twin_on_real_games(shared_data: Path) -> None:
    moments = game_moments(shared_data / "dan9-valid.sgf.xz", games=5, every=15)
    check((moment.position for moment in moments), seed=33, starts=3)
    moments = game_moments(shared_data / "kgs-valid.sgf.xz", games=1, every=90)
    check((moment.position for moment in moments), seed=34, starts=2)
