"""The board as text, for a person at a terminal: X is Black, O is White, + a star point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.geometry import BLACK, PASS, WHITE, point
from engine.handicap import fixed_points, max_fixed
from engine.vertex import COLUMNS, color_text, vertex_text

if TYPE_CHECKING:
    from engine.game import Game

STONES = {BLACK: "X", WHITE: "O"}


def diagram(game: Game) -> str:
    """The board with coordinates, the last move in brackets, and what else one wants to know."""
    return "\n".join([*_board(game), *_facts(game)])


def _board(game: Game) -> list[str]:
    size = game.size
    letters = "   " + " ".join(COLUMNS[:size])
    stars = set(fixed_points(size, max_fixed(size))) if max_fixed(size) else set()
    last = game.moves[-1].point if game.moves else PASS
    lines = [letters]
    for row in reversed(range(size)):
        line = f"{row + 1:2} "
        for p in (point(row, column) for column in range(size)):
            mark = STONES.get(game.position.color_at(p), "+" if p in stars else ".")
            # The brackets take the place of the spaces to the left and right of the stone.
            line = f"{line[:-1]}({mark})" if p == last else f"{line}{mark} "
        lines.append(f"{line}{row + 1}")
    return [*lines, letters]


def _facts(game: Game) -> list[str]:
    black, white = game.position.prisoners(BLACK), game.position.prisoners(WHITE)
    lines = [
        f"   {color_text(game.to_move)} to move, {game.rules.name} rules, komi {game.komi:g}",
        f"   prisoners: black (X) has taken {black}, white (O) {white}",
    ]
    if game.moves:
        last = game.moves[-1]
        stone = f"{color_text(last.color)} {vertex_text(last.point)}"
        lines.append(f"   move {len(game.moves)} was {stone}")
    return lines
