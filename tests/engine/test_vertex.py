"""Vertices and colours, compared with sgfmill's reading of them."""

from __future__ import annotations

import pytest
from sgfmill.common import format_vertex, move_from_vertex

from engine.geometry import BLACK, PASS, WHITE, point
from engine.vertex import OffBoard, color_text, parse_color, parse_vertex, vertex_text


@pytest.mark.parametrize("size", range(2, 26))
def test_every_point_is_written_and_read_as_sgfmill_does(size):
    for row in range(size):
        for column in range(size):
            p = point(row, column)
            text = vertex_text(p)
            assert text == format_vertex((row, column))
            assert move_from_vertex(text, size) == (row, column)
            assert parse_vertex(text, size) == parse_vertex(text.lower(), size) == p


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass"])
def test_pass_in_any_case(text):
    assert parse_vertex(text, 9) == PASS
    assert vertex_text(PASS) == "pass"


@pytest.mark.parametrize(
    ("text", "size"), [("K1", 9), ("A10", 9), ("T19", 9), ("A26", 25), ("Z99", 25), ("A0", 9)]
)
def test_a_vertex_beyond_the_edge_is_off_the_board(text, size):
    with pytest.raises(OffBoard):
        parse_vertex(text, size)


@pytest.mark.parametrize(
    "text",
    ["", "A", "5", "I5", "i5", "AA1", "A1x", "A100", "A-1", "A+1", "A 1", "pass1", "resign"],
)
def test_nonsense_is_no_vertex(text):
    with pytest.raises(ValueError, match="not a vertex"):
        parse_vertex(text, 25)


@pytest.mark.parametrize("text", ["\u017f5", "\u01315", "\uff21\uff15", "A\uff15", "\ufffd1"])
def test_letters_beyond_ascii_are_none(text):
    """The long s and the dotless i become ASCII in upper case; wide digits are digits to int()."""
    with pytest.raises(ValueError, match="not a vertex"):
        parse_vertex(text, 25)


def test_colors():
    assert [parse_color(text) for text in ("b", "B", "black", "Black")] == [BLACK] * 4
    assert [parse_color(text) for text in ("w", "W", "white", "WHITE")] == [WHITE] * 4
    assert [parse_color(color_text(color)) for color in (BLACK, WHITE)] == [BLACK, WHITE]


@pytest.mark.parametrize("text", ["", "bl", "x", "blackwhite", "e", "empty", "\ufffd"])
def test_nonsense_is_no_color(text):
    with pytest.raises(ValueError, match="not a colour"):
        parse_color(text)
