"""Everything there is on the smallest boards: all colourings, and all lines of play on 2x2.

The numbers of legal positions are known (57, 12,675 and 24,318,165 on 2x2, 3x3 and 4x4: those in
which every chain has a liberty), so they check the board's chain and liberty code without a
twin.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numba
import numpy as np
import pytest

from engine import board as engine
from engine.board import BOARD, u64
from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE, row_and_column
from engine.position import Position
from engine.rules import Rules
from tests.naive import board as naive
from tests.naive.board_compare import FACTS, first_difference, hash_words, point, put_down

# --- Colourings ---------------------------------------------------------------------------


@numba.njit
def next_coloring(grid):
    """Count on by one, the points being the digits to the base 3; False after the last."""
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            grid[row, column] = (grid[row, column] + 1) % 3
            if grid[row, column] != 0:
                return True
    return False


@numba.njit
def compare_colorings(boards, size):
    """Put every colouring down; returns how many are legal and the first difference if any."""
    words, empty = hash_words(boards, size)
    grid = naive.empty_grid(size)
    outcome = np.zeros((3, size, size, 2), np.int64)
    legal = 0
    while True:
        put_down(boards[0], grid)
        dead = engine.has_dead_chain(boards[0])
        if dead == naive.every_chain_has_a_liberty(grid):
            return legal, 1
        if not dead:
            legal += 1
            fact = first_difference(boards[0], grid, naive.NO_KO, words, empty, outcome)
            if fact != 0:
                return legal, fact
        if not next_coloring(grid):
            return legal, 0


@numba.njit
def count_legal(boards, size):
    """The number of colourings without a dead chain.

    Level k of the boards has the first k points filled, so that most are put down only once.
    """
    area = size * size
    choice = np.zeros(area + 1, np.int64)
    engine.clear(boards[0], u64(size))
    legal = 0
    level = 0
    while level >= 0:
        if level == area:
            legal += not engine.has_dead_chain(boards[level])
            level -= 1
        elif choice[level] == 3:
            choice[level] = 0
            level -= 1
        else:
            boards[level + 1] = boards[level]
            if choice[level] != 0:
                v = point(level // size, level % size)
                engine.put(boards[level + 1], v, u64(choice[level]))
            choice[level] += 1
            level += 1
    return legal


@pytest.mark.parametrize(("size", "expected"), [(2, 57), (3, 12_675)])
def test_all_colorings_against_the_twin(size: int, expected: int) -> None:
    legal, fact = compare_colorings(np.zeros(1, BOARD), size)
    assert FACTS[fact] == "nothing"
    assert legal == expected


@pytest.mark.parametrize(("size", "expected"), [(2, 57), (3, 12_675)])
def test_all_colorings_through_the_python_face(size: int, expected: int) -> None:
    points = Position(size).points()
    hashes = set()
    for colors in itertools.product((0, BLACK, WHITE), repeat=size * size):
        black = [p for p, color in zip(points, colors, strict=True) if color == BLACK]
        white = [p for p, color in zip(points, colors, strict=True) if color == WHITE]
        try:
            position = Position.from_stones(size, black, white)
        except ValueError:
            continue
        assert (position.stones(BLACK), position.stones(WHITE)) == (black, white)
        hashes.add(position.hash)
    assert len(hashes) == expected


@pytest.mark.slow
def test_all_colorings_of_4x4() -> None:
    assert count_legal(np.zeros(17, BOARD), 4) == 24_318_165


# --- Lines of play ------------------------------------------------------------------------


@numba.njit
def compare_lines(boards, size, depth, suicide, alternate):
    """Play every line of moves and passes; returns their number and the first difference.

    A choice at a level is a colour and a point, the one after the last point being a pass. If
    colours need not alternate, each may move at any time.
    """
    words, empty = hash_words(boards, size)
    engine.clear(boards[0], u64(size))
    grids = [naive.empty_grid(size) for _ in range(depth + 1)]
    kos = [naive.NO_KO for _ in range(depth + 1)]
    outcomes = np.zeros((depth + 1, 3, size, size, 2), np.int64)
    choice = np.zeros(depth + 1, np.int64)
    per_color = size * size + 1
    lines, level = 0, 0
    fact = first_difference(boards[0], grids[0], kos[0], words, empty, outcomes[0])
    while level >= 0 and fact == 0:
        if level == depth or choice[level] == 2 * per_color:
            lines += level == depth
            choice[level] = 0
            level -= 1
            continue
        color, index = 1 + choice[level] // per_color, choice[level] % per_color
        choice[level] += 1
        if alternate and color != 1 + level % 2:
            continue
        row, column = index // size, index % size
        boards[level + 1] = boards[level]
        if row == size:
            engine.pass_move(boards[level + 1])
            grids[level + 1], kos[level + 1] = grids[level], naive.NO_KO
        else:
            if not naive.is_legal(grids[level], kos[level], row, column, color, suicide):
                continue
            engine.place(boards[level + 1], point(row, column), u64(color))
            after, captured, _ = naive.after_move(grids[level], row, column, color)
            kos[level + 1] = naive.ko_after(grids[level], after, color, captured)
            grids[level + 1] = after
        level += 1
        fact = first_difference(
            boards[level], grids[level], kos[level], words, empty, outcomes[level]
        )
    return lines, fact


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize(
    ("size", "depth", "alternate"), [(2, 11, True), (2, 6, False), (3, 5, True)]
)
def test_all_lines(size: int, depth: int, alternate: bool, suicide: bool) -> None:
    lines, fact = compare_lines(np.zeros(depth + 1, BOARD), size, depth, suicide, alternate)
    assert FACTS[fact] == "nothing"
    assert lines > 10_000


def compare_games(game: Game, twin: naive.NaiveGame, depth: int, seen: Counter) -> None:
    """Play on in all legal ways, comparing what the rules forbid; counts the reasons seen."""
    if depth == 0:
        return
    for color in (BLACK, WHITE):
        legal = []
        for p in game.position.points():
            reason = game.why_illegal(color, p)
            assert reason == twin.why_illegal(color, row_and_column(p)), game.moves
            seen[reason] += 1
            if reason is None:
                legal.append(p)
        assert game.legal_points(color) == legal, game.moves
        if color == game.to_move:
            for p in [*legal, PASS]:
                game.play(color, p)
                twin.play(color, row_and_column(p) if p != PASS else None)
                compare_games(game, twin, depth - 1, seen)
                game.undo()
                twin.undo()


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko_rule", ["simple", "positional", "situational"])
def test_all_games(ko_rule: str, suicide: bool) -> None:
    game = Game(2, rules=Rules("", "area", ko_rule, suicide))
    seen: Counter[str | None] = Counter()
    compare_games(game, naive.NaiveGame(2, ko_rule, suicide), depth=7, seen=seen)
    assert game.moves == []
    assert (seen["suicide"] > 0) == (not suicide)
    assert (seen["superko"] > 0) == (ko_rule != "simple")
    assert seen["ko"] == 0  # on 2x2 a stone that captures one stone never stands alone
