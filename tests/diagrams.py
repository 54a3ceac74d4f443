"""Positions drawn as text, for tests that a person can read.

    board_from('''
        . X O .
        X O a O
        . X O .
        . . . .
    ''')

X is black, O is white, a dot is empty; the first line is the top row and blanks don't matter.
To name points in a test, draw a small letter instead of a dot, # instead of X, or @ instead of
O, and read it with `Diagram`:

    diagram = Diagram(text)
    diagram.position.play(BLACK, diagram["a"])
    stones = diagram.all("@")
"""

from __future__ import annotations

import string

from engine.game import Game
from engine.geometry import BLACK, EMPTY, WHITE, point
from engine.position import Position
from engine.rules import Rules

_COLORS = {".": EMPTY, "X": BLACK, "#": BLACK, "O": WHITE, "@": WHITE}
_COLORS.update(dict.fromkeys(string.ascii_lowercase, EMPTY))
_SIGNS = {EMPTY: ".", BLACK: "X", WHITE: "O"}


class Diagram:
    """A drawn position: its `size`, its `position`, and its marked points."""

    def __init__(self, text: str) -> None:
        rows = [line.split() for line in text.strip().splitlines()]
        rows = ["".join(row) for row in rows]
        self.size = len(rows)
        self._points: dict[str, list[int]] = {}
        for i, row in enumerate(rows):
            if len(row) != self.size:
                raise ValueError(f"row {i + 1} has {len(row)} points, not {self.size}: {row!r}")
            for column, sign in enumerate(row):
                if sign not in _COLORS:
                    raise ValueError(f"unknown sign {sign!r} in row {i + 1}: {row!r}")
                p = point(self.size - 1 - i, column)
                self._points.setdefault(sign, []).append(p)
        self.position = Position.from_stones(self.size, self.stones(BLACK), self.stones(WHITE))

    def __getitem__(self, mark: str) -> int:
        """The point that bears a mark; KeyError unless exactly one does."""
        points = self.all(mark)
        if len(points) != 1:
            raise KeyError(f"{len(points)} points are marked {mark!r}")
        return points[0]

    def all(self, mark: str) -> list[int]:
        """All points drawn with a sign, sorted."""
        return sorted(self._points.get(mark, []))

    def stones(self, color: int) -> list[int]:
        """The stones of a colour, marked or not, sorted."""
        return sorted(
            p for sign, points in self._points.items() if _COLORS[sign] == color for p in points
        )

    def game(self, rules: Rules, to_move: int = BLACK) -> Game:
        """A game that starts from this position."""
        game = Game(self.size, rules=rules)
        game.set_up(self.stones(BLACK), self.stones(WHITE), (), to_move)
        return game


def board_from(text: str) -> Position:
    """The position of a diagram."""
    return Diagram(text).position


def picture(position: Position) -> str:
    """A position drawn as text, without marks: what a failing test shows."""
    rows = range(position.size - 1, -1, -1)
    return "\n".join(
        " ".join(_SIGNS[position.color_at(point(row, column))] for column in range(position.size))
        for row in rows
    )


def check_board(position: Position, text: str) -> None:
    """Assert that a position is the drawn one; marks don't matter."""
    assert picture(position) == picture(board_from(text))
