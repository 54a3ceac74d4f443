"""Ladders: the classic cases as diagrams, and the reader against its twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest

from engine.geometry import BLACK, PASS, WHITE, opponent, point, row_and_column
from engine.position import Position
from engine.tactics.ladders import CAPTURED, ESCAPES, GAVE_UP, LADDER_LIMIT, LadderReader
from tests.diagrams import Diagram, board_from, picture
from tests.naive.ladders import Budget, TooBig, good_attacks, good_defences
from tests.tactics.ladder_diagrams import DIAGRAMS
from tests.tactics.positions import chains, game_positions, random_positions, state_of

ANSWERS = {"captured": CAPTURED, "escapes": ESCAPES}
PLENTY = 100_000


def _point(p: int) -> tuple[int, int] | None:
    """A point as the twin names it."""
    return None if p == PASS else row_and_column(p)


# --- The classic cases ---------------------------------------------------------------------


@pytest.mark.parametrize("name", DIAGRAMS)
def test_classic_case(name):
    text, if_attacked, if_defended = DIAGRAMS[name]
    diagram = Diagram(text)
    prey = diagram.all("@")[0]
    reader = LadderReader()
    before = diagram.position.record.copy()
    assert reader.read(diagram.position, prey, attacking=True) == ANSWERS[if_attacked]
    assert reader.read(diagram.position, prey, attacking=False) == ANSWERS[if_defended]
    attacks = diagram.all("a") + diagram.all("e")
    assert reader.attack(diagram.position, prey) in (attacks or [PASS])
    good = good_attacks(state_of(diagram.position), row_and_column(prey), Budget(PLENTY))
    assert sorted(good) == sorted(row_and_column(p) for p in attacks)
    if len(diagram.position.chain(prey)[1]) == 1:
        defences = diagram.all("d") + diagram.all("e")
        assert reader.defence(diagram.position, prey) in (defences or [PASS])
    assert diagram.position.record == before


@pytest.mark.parametrize("name", DIAGRAMS)
def test_the_answer_is_the_same_from_every_side_and_for_both_colours(name):
    text, if_attacked, if_defended = DIAGRAMS[name]
    diagram = Diagram(text)
    reader = LadderReader()
    grid = state_of(diagram.position).grid
    marks = np.zeros_like(grid)
    marks[row_and_column(diagram.all("@")[0])] = 1
    for turns in range(4):
        for flip in (False, True):
            for swap in (False, True):
                turned, marked = (np.rot90(x, turns) for x in (grid, marks))
                if flip:
                    turned, marked = turned.T, marked.T
                position = _position_of((3 - turned) % 3 if swap else turned)
                ((row, column),) = np.argwhere(marked)
                prey = point(int(row), int(column))
                assert reader.read(position, prey, attacking=True) == ANSWERS[if_attacked]
                assert reader.read(position, prey, attacking=False) == ANSWERS[if_defended]


def _position_of(grid: np.ndarray) -> Position:
    stones = {
        color: [point(int(r), int(c)) for r, c in np.argwhere(grid == color)]
        for color in (BLACK, WHITE)
    }
    return Position.from_stones(len(grid), stones[BLACK], stones[WHITE])


def _ladder_start(size: int) -> tuple[Position, int]:
    """A stone in the lower left corner that a ladder chases towards the opposite one."""
    black = [point(1, 0), point(0, 1), point(0, 2)]
    prey = point(1, 1)
    return Position.from_stones(size, black, [prey]), prey


@pytest.mark.parametrize("size", [9, 13, 19, 25])
def test_a_ladder_runs_from_corner_to_corner(size):
    position, prey = _ladder_start(size)
    reader = LadderReader()
    assert reader.attack(position, prey) == point(2, 1)
    assert 4 * size - 20 < reader.nodes < LADDER_LIMIT // 4
    breaker = Position.from_stones(size, position.stones(BLACK), [prey, point(size - 3, size - 3)])
    assert reader.read(breaker, prey, attacking=True) == ESCAPES


def test_the_chase_is_what_it_was_read_to_be():
    position, prey = _ladder_start(19)
    reader = LadderReader()
    for _ in range(200):
        move = reader.attack(position, prey)
        assert move != PASS
        position.play(BLACK, move)
        if position.color_at(prey) != WHITE:
            break
        assert reader.read(position, prey, attacking=False) == CAPTURED
        (last,) = position.chain(prey)[1]
        if position.is_legal(WHITE, last):
            position.play(WHITE, last)
    assert position.color_at(prey) != WHITE
    assert len(position.removed()) > 30


# --- Ko ------------------------------------------------------------------------------------


def test_a_stone_that_just_took_a_ko_cannot_be_taken_at_once():
    diagram = Diagram("""
        . X O . .
        X O a O .
        . X O . .
        . . . . .
        . . . . .
    """)
    position, reader = diagram.position, LadderReader()
    position.play(BLACK, diagram["a"])
    assert reader.read(position, diagram["a"], attacking=True) == ESCAPES
    assert reader.attack(position, diagram["a"]) == PASS
    position.play(BLACK, PASS)
    assert reader.read(position, diagram["a"], attacking=True) == CAPTURED


def test_a_defence_that_ko_bars_is_none():
    diagram = Diagram("""
        X X X X
        . X O X
        O O O X
        O O @ a
    """)
    position, reader = diagram.position, LadderReader()
    prey, retake = point(1, 3), diagram["@"]
    position = Position.from_stones(
        4, [*position.stones(BLACK), retake], [p for p in position.stones(WHITE) if p != retake]
    )
    position.play(WHITE, diagram["a"])
    assert position.ko(BLACK) == retake
    assert reader.read(position, prey, attacking=False) == CAPTURED
    position.play(WHITE, PASS)
    assert reader.read(position, prey, attacking=False) == ESCAPES
    assert reader.defence(position, prey) == retake


# --- Limits --------------------------------------------------------------------------------


@pytest.mark.parametrize("attacking", [True, False])
@pytest.mark.parametrize("name", DIAGRAMS)
def test_it_gives_up_exactly_when_the_limit_is_too_low(name, attacking):
    diagram = Diagram(DIAGRAMS[name][0])
    prey = diagram.all("@")[0]
    reader = LadderReader()
    answer = reader.read(diagram.position, prey, attacking)
    needed = reader.nodes
    for limit in range(needed):
        reader.limit = limit
        assert reader.read(diagram.position, prey, attacking) == GAVE_UP
        assert reader.nodes == limit
        assert reader.attack(diagram.position, prey) == PASS or not attacking
    reader.limit = needed
    assert reader.read(diagram.position, prey, attacking) == answer


def test_a_chase_in_circles_ends_at_the_limit():
    position = board_from("""
        X O .
        . X O
        X O .
    """)
    for limit in (10, LADDER_LIMIT, PLENTY):
        reader = LadderReader(limit)
        assert reader.read(position, point(1, 1), attacking=False) == GAVE_UP
        assert reader.nodes == limit


def test_it_gives_up_in_front_of_more_captures_than_it_can_list():
    comb = [point(1, column) for column in range(25)]
    teeth = [point(2, column) for column in range(1, 25, 2)]
    shut_in = [point(2, column) for column in range(0, 25, 2)]
    lid = [point(3, column) for column in range(1, 25, 2)]
    floor = [point(0, column) for column in range(25) if column != 12]
    position = Position.from_stones(25, shut_in + lid + floor, comb + teeth)
    reader = LadderReader()
    assert reader.read(position, comb[0], attacking=False) == GAVE_UP
    assert reader.nodes == 0
    freed = [point(3, 0), point(3, 2)]
    position = Position.from_stones(25, shut_in + lid + floor + freed, comb + teeth)
    assert reader.read(position, comb[0], attacking=False) == ESCAPES
    assert reader.nodes > 0


def test_bad_questions_are_refused():
    position, _ = _ladder_start(9)
    reader = LadderReader()
    for p in (PASS, point(5, 5), -1, 10_000):
        with pytest.raises(ValueError, match="^no stone there$"):
            reader.read(position, p, attacking=True)
        with pytest.raises(ValueError, match="^no stone there$"):
            reader.attack(position, p)
        with pytest.raises(ValueError, match="^no stone there$"):
            reader.defence(position, p)
    with pytest.raises(ValueError, match="^a negative limit$"):
        LadderReader(limit=-1)


def test_three_liberties_are_free_whoever_moves():
    position = Position.from_stones(9, [point(4, 3)], [point(4, 4)])
    reader = LadderReader()
    assert reader.read(position, point(4, 4), attacking=True) == ESCAPES
    assert reader.read(position, point(4, 4), attacking=False) == ESCAPES
    assert reader.nodes == 0


# --- Against the twin ----------------------------------------------------------------------


def _compare(positions: Iterable[Position]) -> Counter[str]:
    """Read every chain with one or two liberties both ways, first moves included; count them."""
    reader = LadderReader(PLENTY)
    seen: Counter[str] = Counter()
    for position in positions:
        state = state_of(position)
        for prey, n in chains(position):
            for attacking in (True, False) if n <= 2 else ():
                answer = reader.read(position, prey, attacking)
                if answer == GAVE_UP:
                    assert reader.nodes == PLENTY
                    seen["gave up"] += 1
                    continue
                first = int(reader.scratch[0]["first"])
                find = good_attacks if attacking else good_defences
                try:
                    good = find(state, row_and_column(prey), Budget(PLENTY))
                except TooBig:
                    seen["too big"] += 1
                    continue
                wins = answer == (CAPTURED if attacking else ESCAPES)
                story = f"{picture(position)}\n{row_and_column(prey)} {attacking} {good}"
                assert wins == bool(good), story
                assert not wins or _point(first) in good, story
                seen["captured" if answer == CAPTURED else "escapes"] += 1
                seen["long"] += reader.nodes >= 10
                seen["ko"] += position.ko(opponent(position.color_at(prey))) != PASS
                seen["ko"] += position.ko(position.color_at(prey)) != PASS
    return seen


def test_it_agrees_with_its_twin_in_random_positions():
    seen = _compare(random_positions(count=250, seed=1))
    assert min(seen["captured"], seen["escapes"]) > 600
    assert seen["long"] > 10
    assert seen["ko"] > 5
    assert seen["gave up"] + seen["too big"] < 5


@pytest.mark.parametrize(("name", "games", "every"), [("dan9-valid", 15, 5), ("kgs-valid", 3, 20)])
def test_it_agrees_with_its_twin_in_real_games(shared_data, name, games, every):
    seen = _compare(game_positions(shared_data / f"{name}.sgf.xz", games, every))
    assert min(seen["captured"], seen["escapes"]) > 60
    assert seen["gave up"] + seen["too big"] == 0


@pytest.mark.slow
def test_it_agrees_with_its_twin_in_many_random_positions():
    seen = _compare(random_positions(count=3000, seed=2))
    assert seen["captured"] + seen["escapes"] > 20_000
    assert seen["ko"] > 80
    assert seen["gave up"] + seen["too big"] < 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games", "every"), [("dan9-valid", 100, 3), ("kgs-valid", 40, 10)]
)
def test_it_agrees_with_its_twin_in_many_real_games(shared_data, name, games, every):
    seen = _compare(game_positions(shared_data / f"{name}.sgf.xz", games, every))
    assert seen["captured"] + seen["escapes"] > 4000
    assert seen["gave up"] + seen["too big"] < 10
