"""Eyes of one point: drawn ones, and the twin on every point of many positions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.geometry import BLACK, EMPTY, PASS, WHITE, point, row_and_column
from engine.position import Position
from engine.tactics.eyes import Eye, eye_at
from tests.diagrams import Diagram, picture
from tests.naive.eyes import eye_kind
from tests.positions import game_moments, grid_of, random_moments
from tests.tactics.crowded import crowded_positions

GNUGO_GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
REAL = {
    "centre, one diagonal lost": """
        . . . . .
        . X X O .
        . X a X .
        . X X X .
        . . . . .
    """,
    "edge, all diagonals held": """
        . . . . .
        . . . . .
        . . . . .
        . X X X .
        . X a X .
    """,
    "edge, a diagonal still empty": """
        . . . . .
        . . . . .
        . . . . .
        . X X . .
        . X a X .
    """,
    "corner": """
        . . . . .
        . . . . .
        . . . . .
        X X . . .
        a X . . .
    """,
}
FALSE = {
    "centre, two diagonals lost": """
        . . . . .
        . X X O .
        . X a X .
        . O X X .
        . . . . .
    """,
    "edge, one diagonal lost": """
        . . . . .
        . . . . .
        . . . . .
        . X X O .
        . X a X .
    """,
    "corner, its diagonal lost": """
        . . . . .
        . . . . .
        . . . . .
        X O . . .
        a X . . .
    """,
}
NONE = {
    "an open side": """
        . . . . .
        . . X . .
        . X a X .
        . . . . .
        . . . . .
    """,
    "an enemy beside": """
        . . . . .
        . . X . .
        . X a X .
        . . O . .
        . . . . .
    """,
}
KINDS = [
    *((Eye.REAL, text) for text in REAL.values()),
    *((Eye.FALSE, text) for text in FALSE.values()),
    *((Eye.NONE, text) for text in NONE.values()),
]


@pytest.mark.parametrize(("kind", "text"), KINDS, ids=[*REAL, *FALSE, *NONE])
def test_drawn_eyes(kind: Eye, text: str) -> None:
    diagram = Diagram(text)
    assert eye_at(diagram.position, BLACK, diagram["a"]) == kind
    assert eye_at(diagram.position, WHITE, diagram["a"]) == Eye.NONE


def test_what_is_no_empty_point_is_no_eye() -> None:
    position = Position(5)
    position.play(BLACK, point(0, 0))
    assert eye_at(position, BLACK, point(0, 0)) == Eye.NONE
    assert eye_at(position, BLACK, PASS) == Eye.NONE


def test_a_colour_must_be_black_or_white() -> None:
    with pytest.raises(ValueError, match="not a colour"):
        eye_at(Position(5), EMPTY, point(0, 0))


def check(positions: Iterable[Position]) -> dict[str, int]:
    """Compare every point and colour; returns how many eyes of each kind there were."""
    counts = {"NONE": 0, "FALSE": 0, "REAL": 0}
    for position in positions:
        grid = grid_of(position)
        for color in (BLACK, WHITE):
            for p in position.points():
                expected = eye_kind(grid, *row_and_column(p), color)
                kind = eye_at(position, color, p)
                assert kind.name == expected, picture(position)
                assert position.is_eye(color, p) == (kind == Eye.REAL)
                counts[expected] += 1
    return counts


def test_twin_on_random_positions() -> None:
    moments = random_moments(seed=21, count=60, sizes=(2, 3, 5, 7, 9, 13, 19))
    counts = check(moment.position for moment in moments)
    assert min(counts.values()) > 20
    crowded = check(crowded_positions(seed=22, count=100, sizes=(4, 5, 6, 7, 9)))
    assert crowded["REAL"] > 100


def test_twin_on_gnugos_games() -> None:
    counts = check(moment.position for moment in game_moments(GNUGO_GAMES, games=60, every=25))
    assert min(counts.values()) > 5


def test_twin_on_real_games(shared_data: Path) -> None:
    moments = game_moments(shared_data / "dan9-valid.sgf.xz", games=20, every=20)
    check(moment.position for moment in moments)
