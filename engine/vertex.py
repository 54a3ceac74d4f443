"""Points and colours as people and GTP write them: D4, pass, black.

Columns are letters without I, rows count from 1 at the bottom. Any case is read; upper case is
written. Nothing here needs NumPy, so a bad vertex is refused before any kernel is loaded.
"""

from __future__ import annotations

import re

from engine.geometry import BLACK, PASS, WHITE, point, row_and_column

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

_VERTEX = re.compile(r"([A-HJ-Z])([0-9]{1,2})")
_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


class OffBoard(ValueError):
    """A well-formed vertex that is not on this board."""


def vertex_text(p: int) -> str:
    """The text of a point, or `pass`."""
    if p == PASS:
        return "pass"
    row, column = row_and_column(p)
    return f"{COLUMNS[column]}{row + 1}"


def parse_vertex(text: str, size: int) -> int:
    """The point of a vertex, or PASS. OffBoard if it is elsewhere, ValueError if it is nonsense."""
    # Some letters beyond ASCII become ASCII in upper case: they are not vertices.
    if not text.isascii():
        raise ValueError("not a vertex")
    if text.lower() == "pass":
        return PASS
    match = _VERTEX.fullmatch(text.upper())
    if match is None:
        raise ValueError("not a vertex")
    row, column = int(match[2]) - 1, COLUMNS.index(match[1])
    if not (0 <= row < size and column < size):
        raise OffBoard("off the board")
    return point(row, column)


def color_text(color: int) -> str:
    """`black` or `white`."""
    return "black" if color == BLACK else "white"


def parse_color(text: str) -> int:
    """BLACK or WHITE from b, w, black or white in any case."""
    try:
        return _COLORS[text.lower()]
    except KeyError:
        raise ValueError("not a colour") from None
