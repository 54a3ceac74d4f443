"""The 3x3 shapes of the rules policy."""

from __future__ import annotations

import numpy as np
import pytest

from engine.geometry import BLACK, WHITE
from engine.playout.policy import eye_codes
from engine.playout.shapes import CODES, rule_shapes, swap_colors
from tests.diagrams import Diagram
from tests.naive.board import is_eye, neighbourhood

KNOWN = {
    "hane": ". . . . .\n. X O X .\n. . a . .\n. . . . .\n. . . . .",
    "cut": ". . . . .\n. X O . .\n. O a X .\n. . . . .\n. . . . .",
    "push through": ". . . . .\n. . X . .\n. O a O .\n. . . . .\n. . . . .",
    "edge block": ". . . . .\n. . . . .\n. . . . .\n. O X . .\n. X a O .",
}
UNKNOWN = {
    "alone": ". . . . .\n. . . . .\n. . a . .\n. . . . .\n. . . . .",
    "solid connection": ". . . . .\n. . X . .\n. . a X .\n. . . . .\n. . . . .",
    "own eye": ". X X X .\n. X a X .\n. X X X .\n. . . . .\n. . . . .",
}


@pytest.mark.parametrize("name", [*KNOWN, *UNKNOWN])
def test_known_shapes(name: str) -> None:
    diagram = Diagram({**KNOWN, **UNKNOWN}[name])
    assert rule_shapes()[diagram.position.neighbourhood(diagram["a"])] == (name in KNOWN)


def _turned(codes: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    return sum(((codes >> (2 * j)) & 3) << (2 * i) for i, j in enumerate(order))


def test_shapes_know_no_direction_and_no_colour() -> None:
    codes, shapes = np.arange(CODES), rule_shapes()
    quarter_turn, mirror = (2, 4, 7, 1, 6, 0, 3, 5), (2, 1, 0, 4, 3, 7, 6, 5)
    assert (shapes == shapes[_turned(codes, quarter_turn)]).all()
    assert (shapes == shapes[_turned(codes, mirror)]).all()
    assert (shapes == shapes[swap_colors(codes)]).all()
    assert 0 < shapes.sum() < CODES // 2


def test_swapping_colours_twice_changes_nothing() -> None:
    codes = np.arange(CODES)
    assert (swap_colors(swap_colors(codes)) == codes).all()
    assert swap_colors(np.array([0b01_10_11_00]))[0] == 0b10_01_11_00


def test_eye_codes_are_the_eyes_of_the_twin() -> None:
    black, white = eye_codes(), eye_codes()[swap_colors(np.arange(CODES))]
    rng = np.random.default_rng(4)
    seen = 0
    for _ in range(4000):
        grid = rng.choice([0, 1, 1, 1, 2, 2], size=(5, 5)).astype(np.int8)
        row, column = (int(n) for n in rng.integers(0, 5, size=2))
        if grid[row, column] == 0:
            code = neighbourhood(grid, row, column)
            for eyes, color in ((black, BLACK), (white, WHITE)):
                assert eyes[code] == is_eye(grid, row, column, color)
                seen += int(eyes[code])
    assert seen > 20
