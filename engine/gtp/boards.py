"""Whole boards as GoGui reads them: a value for each point, row by row from the top."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.geometry import point

NOTHING = '""'


def board_text(size: int, text: Callable[[int], str]) -> str:
    """A row of texts for each line of the board; a text must hold no space."""
    rows = ([point(row, column) for column in range(size)] for row in reversed(range(size)))
    return "\n".join(" ".join(text(p) or NOTHING for p in row) for row in rows)


def label_board(size: int, labels: Mapping[int, str]) -> str:
    """Type sboard: a text on some points."""
    return board_text(size, lambda p: labels.get(p, NOTHING))


def number_board(size: int, numbers: Mapping[int, float]) -> str:
    """Type dboard: a number from -1 to 1 for each point, drawn as white and black squares."""
    return board_text(size, lambda p: f"{max(-1.0, min(1.0, numbers.get(p, 0.0))):.3f}")


def color_board(size: int, shares: Mapping[int, float]) -> str:
    """Type cboard: points coloured from blue (little) over green to red (much), by shares of 1."""
    return board_text(size, lambda p: _heat(shares[p]) if shares.get(p, 0.0) > 0 else NOTHING)


def _heat(share: float) -> str:
    """A colour of the rainbow's cold half for small shares, of the warm half for large ones."""
    x = max(0.0, min(1.0, share))
    red = min(1.0, 2 * x)
    green = 1.0 - abs(2 * x - 1)
    blue = max(0.0, 1 - 2 * x)
    return "#" + "".join(f"{round(255 * part):02x}" for part in (red, green, blue))
