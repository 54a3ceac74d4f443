from __future__ import annotations

import pytest

from engine.geometry import point, row_and_column
from engine.handicap import fixed_points, free_points, max_fixed
from engine.vertex import vertex_text
from tests.gnugo import gnugo


def vertices(points):
    return [vertex_text(p) for p in points]


@pytest.mark.parametrize(
    ("size", "n", "expected"),
    [
        (19, 2, "D4 Q16"),
        (19, 3, "D4 Q16 D16"),
        (19, 4, "D4 Q16 D16 Q4"),
        (19, 5, "D4 Q16 D16 Q4 K10"),
        (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
        (19, 7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
        (13, 5, "D4 K10 D10 K4 G7"),
        (12, 4, "C3 K10 C10 K3"),
        (9, 5, "C3 G7 C7 G3 E5"),
        (7, 4, "C3 E5 C5 E3"),
        (25, 3, "D4 W22 D22"),
    ],
)
def test_fixed_handicap_stands_where_gtp_says(size, n, expected):
    assert vertices(fixed_points(size, n)) == expected.split()


def test_fixed_handicap_agrees_with_gnu_go():
    # It goes to the fourth line on 12x12 already, GTP from 13x13.
    sizes = [size for size in range(7, 20) if size != 12]
    wanted = [(size, n) for size in sizes for n in range(2, max_fixed(size) + 1)]
    script = []
    for size, n in wanted:
        script += [f"boardsize {size}", "clear_board", f"fixed_handicap {n}"]
    replies = gnugo(script)[2::3]
    assert len(replies) == len(wanted) == 66
    for (size, n), reply in zip(wanted, replies, strict=True):
        assert set(vertices(fixed_points(size, n))) == set(reply.split()), (size, n)


@pytest.mark.parametrize(
    ("size", "n"),
    [(19, 0), (19, 1), (19, 10), (19, -2), (18, 5), (8, 5), (7, 5), (6, 2), (2, 2), (9, 10)],
)
def test_impossible_fixed_handicaps_are_refused(size, n):
    with pytest.raises(ValueError, match="^invalid number of stones$"):
        fixed_points(size, n)


@pytest.mark.parametrize("size", range(2, 26))
def test_free_handicap_gives_any_number_of_different_points(size):
    board = {point(row, column) for row in range(size) for column in range(size)}
    numbers = range(2, size * size) if size <= 9 else [2, 5, 9, 10, 25, 60, size * size - 1]
    for n in numbers:
        points = free_points(size, n)
        assert len(points) == n
        assert len(set(points)) == n
        assert set(points) <= board


@pytest.mark.parametrize("size", range(7, 26))
def test_free_handicap_starts_with_the_fixed_points(size):
    for n in range(2, max_fixed(size) + 1):
        assert free_points(size, n) == fixed_points(size, n)


@pytest.mark.parametrize("size", range(9, 26))
def test_reasonable_free_handicaps_stay_off_the_low_lines_and_apart(size):
    points = [row_and_column(p) for p in free_points(size, 13)]
    assert all(2 <= row < size - 2 and 2 <= column < size - 2 for row, column in points)
    steps = [
        abs(row - row2) + abs(column - column2)
        for i, (row, column) in enumerate(points)
        for row2, column2 in points[:i]
    ]
    assert min(steps) >= 2


@pytest.mark.parametrize(("size", "n"), [(9, 0), (9, 1), (9, 81), (2, 4), (1, 2), (26, 4), (9, -1)])
def test_impossible_free_handicaps_are_refused(size, n):
    with pytest.raises(ValueError, match="^invalid number of stones$"):
        free_points(size, n)
