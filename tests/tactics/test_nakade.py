"""Nakade: the classic shapes, and every shape and every filling of up to six points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from engine.geometry import BLACK, EMPTY, PASS, WHITE, opponent, point, row_and_column
from engine.position import Position
from engine.tactics.nakade import (
    Status,
    eye_space,
    find_vital_point,
    would_form_dead_shape,
)
from tests.diagrams import Diagram, picture
from tests.naive import nakade as naive
from tests.positions import game_moments, grid_of, random_moments
from tests.tactics.crowded import crowded_positions

GNUGO_GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
BOARD = 19
MIDDLE, EDGE, CORNER = (6, 6), (0, 6), (0, 0)
RECTANGLE = {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)}


# --- Classic shapes -----------------------------------------------------------------------

# The vital point is drawn as v, the other empty points of the space as e.
WITH_VITAL_POINT = {
    "straight three": "e v e",
    "bent three": "e v / . e",
    "T four": "e v e / . e .",
    "bulky five": "e v e / e e .",
    "cross five": ". e . / e v e / . e .",
    "rabbity six": "e e . / e v e / . e .",
}
WITHOUT = {
    "straight four": "e e e e",
    "bent four": "e e e / e . .",
    "zigzag four": "e e . / . e e",
    "square four": "e e / e e",
    "straight five": "e e e e e",
    "T five": "e e e / . e . / . e .",
    "rectangle of six": "e e e / e e e",
    "long cross": ". e . / e e e / . e . / . e .",
}


def walled_in(shape: str) -> Diagram:
    """A little drawing in the middle of a board, everything around it black but two far eyes."""
    rows = [row.split() for row in shape.split("/")]
    text = [["X"] * 9 for _ in range(9)]
    text[0][0] = text[0][2] = "."
    for i, row in enumerate(rows):
        for j, sign in enumerate(row):
            text[3 + i][3 + j] = sign if sign != "." else "X"
    return Diagram("\n".join("".join(row) for row in text))


@pytest.mark.parametrize("name", WITH_VITAL_POINT)
def test_vital_point(name: str) -> None:
    diagram = walled_in(WITH_VITAL_POINT[name])
    for p in diagram.all("e") + diagram.all("v"):
        assert find_vital_point(diagram.position, p, BLACK) == diagram["v"]
        assert find_vital_point(diagram.position, p, WHITE) == PASS
    found = eye_space(diagram.position, diagram["v"], BLACK)
    assert found == (Status.UNSETTLED, diagram["v"], diagram["v"])


@pytest.mark.parametrize("name", WITHOUT)
def test_no_vital_point(name: str) -> None:
    diagram = walled_in(WITHOUT[name])
    p = diagram.all("e")[0]
    assert find_vital_point(diagram.position, p, BLACK) == PASS
    expected = Status.DEAD if name == "square four" else Status.ALIVE
    assert eye_space(diagram.position, p, BLACK).status == expected


def test_a_hole_in_the_wall() -> None:
    diagram = Diagram(
        """
        X X X X X .
        X a . . X .
        X X O X X .
        . O O O . .
        . . . . . .
        . . . . . .
        """
    )
    assert find_vital_point(diagram.position, diagram["a"], BLACK) == PASS
    assert find_vital_point(diagram.position, diagram["a"], WHITE) == PASS
    assert eye_space(diagram.position, diagram["a"], BLACK).status == Status.UNKNOWN


# Black's eye space with white stones in it, marked @; a: White kills, b: Black lives.
READ = {
    "straight four, one stone in it": ("e @ v e", Status.UNSETTLED),
    "straight four, both middle points taken": ("e @ @ e", Status.DEAD),
    "straight four, a stone at its end": ("@ e e e", Status.ALIVE),
    "T four, the middle taken": ("e @ e / . e .", Status.DEAD),
    "T four, a tip taken": ("@ v e / . e .", Status.UNSETTLED),
    "square four, a stone in it": ("@ e / e e", Status.DEAD),
    "bulky five, the vital point taken": ("e @ e / e e .", Status.DEAD),
    "three in a row in a straight five: seki": ("e @ @ @ e", Status.ALIVE),
    "three in a row in a five that makes a T": ("e @ @ @ / . . e .", Status.DEAD),
}


@pytest.mark.parametrize("name", READ)
def test_reading_stones_in_an_eye_space(name: str) -> None:
    shape, expected = READ[name]
    diagram = walled_in(shape)
    for p in diagram.all("e") + diagram.all("@"):
        found = eye_space(diagram.position, p, BLACK)
        assert found.status == expected
        if expected == Status.UNSETTLED:
            assert found.kills_at == found.lives_at == diagram["v"]
        else:
            assert found.kills_at == found.lives_at == PASS


def test_bent_four_in_the_corner_is_a_ko() -> None:
    diagram = Diagram(
        """
        . . . . . .
        . . . . . .
        O O O . . .
        X X X O O .
        e X X X O .
        c v e X O .
        """
    )
    found = eye_space(diagram.position, diagram["c"], BLACK)
    assert found.status == Status.KO
    assert found.kills_at == diagram["v"]
    assert found.lives_at != PASS


DEAD_SHAPES = {
    "one": "a",
    "two": "@ a",
    "three": "@ a @",
    "bent three": "@ a / . @",
    "square four": "@ a / @ @",
    "T four": "@ a @ / . @ .",
    "bulky five": "@ a @ / @ @ .",
    "cross five": ". @ . / @ a @ / . @ .",
    "rabbity six": "@ @ . / @ a @ / . @ .",
}
LIVE_SHAPES = {
    "straight four": "@ a @ @",
    "bent four": "@ @ a / @ . .",
    "zigzag four": "@ a . / . @ @",
    "straight five": "@ @ a @ @",
    "T five": "@ a @ / . @ . / . @ .",
    "rectangle of six": "@ a @ / @ @ @",
    "seven": "@ @ @ / @ a @ / . @ .",
}


@pytest.mark.parametrize("name", [*DEAD_SHAPES, *LIVE_SHAPES])
def test_the_shape_a_stone_makes(name: str) -> None:
    shape = {**DEAD_SHAPES, **LIVE_SHAPES}[name]
    rows = [row.split() for row in shape.split("/")]
    text = [["."] * 9 for _ in range(9)]
    for i, row in enumerate(rows):
        for j, sign in enumerate(row):
            text[3 + i][3 + j] = sign
    diagram = Diagram("\n".join("".join(row) for row in text))
    assert would_form_dead_shape(diagram.position, WHITE, diagram["a"]) == (name in DEAD_SHAPES)
    assert would_form_dead_shape(diagram.position, BLACK, diagram["a"])


@pytest.mark.parametrize("call", [find_vital_point, eye_space])
def test_bad_questions(call) -> None:
    position = Position(9)
    with pytest.raises(ValueError, match="not on the board"):
        call(position, PASS, BLACK)
    with pytest.raises(ValueError, match="not a colour"):
        call(position, point(0, 0), EMPTY)
    position.play(BLACK, point(0, 0))
    with pytest.raises(ValueError, match="not an empty point|a stone of the wall"):
        call(position, point(0, 0), BLACK)


# --- Every shape --------------------------------------------------------------------------


def wall_around(cells: Iterable[naive.Cell]) -> list[int]:
    """The points of a solid wall around some cells, diagonals included."""
    cells = set(cells)
    around = {(r + up, c + right) for r, c in cells for up in (-1, 0, 1) for right in (-1, 0, 1)}
    return [point(r, c) for r, c in around - cells if 0 <= r < BOARD and 0 <= c < BOARD]


def all_spaces(size: int, step: int = 1) -> Iterator[tuple[tuple[int, int], tuple]]:
    """Every shape (or every so manyth) in the middle, at an edge and in a corner."""
    for shape in naive.polyominoes(size)[::step]:
        for place in (MIDDLE, EDGE, CORNER):
            yield place, naive.moved(shape, *place)


def check_vital_points(spaces: Iterable[tuple[tuple[int, int], tuple]]) -> None:
    for place, cells in spaces:
        position = Position.from_stones(BOARD, wall_around(cells), [])
        found = {find_vital_point(position, point(*cell), BLACK) for cell in cells}
        assert len(found) == 1
        (p,) = found
        space = naive.solved(cells, BOARD)
        if place == CORNER and set(cells) in (RECTANGLE, {(c, r) for r, c in RECTANGLE}):
            assert p == PASS
            assert space.wall_falls((), naive.ATTACKER)
        elif p == PASS:
            falls = space.wall_falls((), naive.ATTACKER), space.wall_falls((), naive.DEFENDER)
            assert falls[0] == falls[1], picture(position)
        else:
            assert space.killing_cells(()) == {row_and_column(p)}, picture(position)
            assert row_and_column(p) in space.saving_cells(())


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_vital_points_of_all_shapes(size: int) -> None:
    check_vital_points(all_spaces(size))


def test_vital_points_of_some_shapes_of_six() -> None:
    check_vital_points(all_spaces(6, step=7))


@pytest.mark.slow
def test_vital_points_of_all_shapes_of_six() -> None:
    check_vital_points(all_spaces(6))


def test_shapes_of_seven_have_no_vital_point() -> None:
    for shape in naive.polyominoes(7):
        cells = naive.moved(shape, *MIDDLE)
        position = Position.from_stones(BOARD, wall_around(cells), [])
        assert find_vital_point(position, point(*cells[0]), BLACK) == PASS


@pytest.mark.slow
def test_shapes_of_seven_hold_two_eyes_unless_they_cover_the_corner() -> None:
    for cells in naive.polyominoes(7)[::5]:
        if not {(0, 0), (0, 1), (1, 0), (1, 1)} <= set(cells):
            space = naive.EyeSpace(cells, BOARD, attacker_wins_kos=True)
            assert not space.wall_falls((), naive.ATTACKER), cells


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow), 7])
def test_dead_shapes(size: int) -> None:
    for shape in naive.polyominoes(size):
        cells = naive.moved(shape, *MIDDLE)
        expected = naive.is_dead_shape(cells)
        for cell in cells:
            stones = [point(*other) for other in cells if other != cell]
            position = Position.from_stones(BOARD, stones, [])
            assert would_form_dead_shape(position, BLACK, point(*cell)) == expected


def check_readings(spaces: Iterable[tuple[tuple[int, int], tuple]]) -> None:
    """Compare with the twin for every set of attacking stones that the rules allow."""
    for _, cells in spaces:
        wall = wall_around(cells)
        for n in range(len(cells)):
            for stones in combinations(cells, n):
                try:
                    position = Position.from_stones(BOARD, wall, [point(*cell) for cell in stones])
                except ValueError:
                    continue
                check_reading(position, cells, stones, BLACK)


def check_reading(position: Position, cells: tuple, stones: tuple, wall: int) -> None:
    found = eye_space(position, point(*cells[0]), wall)
    assert found.status.name == naive.status(cells, position.size, stones), picture(position)
    space = naive.solved(cells, position.size, found.status == Status.KO)
    if found.status in (Status.UNSETTLED, Status.KO):
        assert row_and_column(found.kills_at) in space.killing_cells(stones), picture(position)
        if found.lives_at != PASS:
            assert row_and_column(found.lives_at) in space.saving_cells(stones), picture(position)
        else:
            assert found.status == Status.KO
            assert not space.saving_cells(stones), picture(position)
    else:
        assert found.kills_at == found.lives_at == PASS


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_reading_all_spaces(size: int) -> None:
    check_readings(all_spaces(size))


def test_reading_some_larger_spaces() -> None:
    check_readings(all_spaces(5, step=7))
    check_readings(all_spaces(6, step=43))


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 6])
def test_reading_all_larger_spaces(size: int) -> None:
    check_readings(all_spaces(size))


# --- Positions ----------------------------------------------------------------------------


def regions(grid, colors: Iterable[int]) -> Iterator[tuple[naive.Cell, ...]]:
    """The connected regions of points that bear one of these colours."""
    waiting = {cell for cell in np.ndindex(*grid.shape) if grid[cell] in colors}
    while waiting:
        cells = naive.region(grid, min(waiting), colors)
        waiting -= cells
        yield tuple(sorted(cells))


def check_position(position: Position) -> tuple[int, int]:
    """Compare everything; returns how many vital points and eye spaces there are."""
    grid = grid_of(position)
    vital = spaces = 0
    for color in (BLACK, WHITE):
        for cells in regions(grid, [0]):
            expected = naive.vital_cell(grid, cells[0], color)
            vital += expected is not None
            for cell in cells:
                found = find_vital_point(position, point(*cell), color)
                assert found == (point(*expected) if expected else PASS), picture(position)
        for p in position.empty_points():
            expected = naive.forms_dead_shape(grid, row_and_column(p), color)
            assert would_form_dead_shape(position, color, p) == expected, picture(position)
        for cells in regions(grid, [0, opponent(color)]):
            if len(cells) > 6 or not position.stones(color):
                found = eye_space(position, point(*cells[0]), color)
                assert found == (Status.UNKNOWN, PASS, PASS)
            else:
                stones = tuple(cell for cell in cells if grid[cell] != 0)
                check_reading(position, cells, stones, color)
                spaces += 1
    return vital, spaces


def check_positions(positions: Iterable[Position]) -> tuple[int, int]:
    found = [check_position(position) for position in positions]
    return sum(vital for vital, _ in found), sum(spaces for _, spaces in found)


def test_twin_on_random_games() -> None:
    moments = random_moments(seed=11, count=200, sizes=(5, 6, 7, 9))
    vital, spaces = check_positions(moment.position for moment in moments)
    assert vital > 3
    assert spaces > 500
    check_positions(m.position for m in random_moments(seed=12, count=12, sizes=(13, 19)))


def test_twin_on_crowded_positions() -> None:
    vital, spaces = check_positions(crowded_positions(seed=13, count=300, sizes=(4, 5, 6, 7, 9)))
    assert vital > 50
    assert spaces > 500


def test_twin_on_gnugos_games() -> None:
    moments = game_moments(GNUGO_GAMES, games=60, every=15)
    vital, spaces = check_positions(moment.position for moment in moments)
    assert vital > 5
    assert spaces > 100


def test_twin_on_real_games(shared_data: Path) -> None:
    moments = game_moments(shared_data / "dan9-valid.sgf.xz", games=60, every=15)
    vital, spaces = check_positions(moment.position for moment in moments)
    assert vital > 5
    assert spaces > 50
    moments = game_moments(shared_data / "kgs-valid.sgf.xz", games=4, every=60)
    check_positions(moment.position for moment in moments)
