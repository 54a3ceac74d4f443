"""Shape patterns: the kernels tell apart exactly what the twin tells apart."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from engine.geometry import BLACK, PASS, WHITE, opponent, point, row_and_column
from engine.position import Position
from knowledge.dictionary import Dictionary
from knowledge.harvest import harvest
from knowledge.patterns import match_moves, pattern_keys
from knowledge.records import read_games
from knowledge.templates import (
    FAMILIES,
    LARGEST,
    LIBERTIES,
    MARKED,
    OFFSETS,
    PLAIN,
    POINT_COUNTS,
    RESPONSE,
    RING,
    WHOLE_BOARD,
    distance,
)
from tests.diagrams import Diagram
from tests.naive import pattern_fields as fields
from tests.naive import patterns as naive
from tests.positions import Moment, game_moments, grid_of, random_moments

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


@pytest.fixture(scope="module")
def dictionary() -> Dictionary:
    """What is played more than twice in our own games."""
    return harvest(read_games(GAMES), 3)


def moments() -> list[Moment]:
    """Empty boards, random and real positions."""
    empty = [Moment(Position(size), BLACK, PASS, PASS) for size in (9, 13, 19)]
    real = random.Random(7).sample(list(game_moments(GAMES, 100, 9)), 70)
    return [*empty, *random_moments(7, 40, (5, 9, 13, 19)), *real]


# --- Templates ----------------------------------------------------------------------------


def test_each_size_has_its_number_of_points() -> None:
    counts = [sum(distance(*offset) <= size + 1 for offset in OFFSETS) for size in range(1, 14)]
    assert tuple(counts) == POINT_COUNTS
    for size in range(1, 14):
        ring = OFFSETS[int(RING[size]) : int(RING[size + 1])]
        assert {distance(*offset) for offset in ring} == {size + 1}
    assert OFFSETS[0] == (0, 0)


# --- Keys ---------------------------------------------------------------------------------


class Pairing:
    """Says whether two names always go together, one to one."""

    def __init__(self) -> None:
        self._forward: dict[object, object] = {}
        self._backward: dict[object, object] = {}

    def agrees(self, one: object, other: object) -> bool:
        return (
            self._forward.setdefault(one, other) == other
            and self._backward.setdefault(other, one) == one
        )

    def __len__(self) -> int:
        return len(self._forward)


def compare_with_twin(found: Iterable[Moment], moves_each: int) -> dict[tuple[str, int], int]:
    """Compare keys with the twin's patterns; returns how many different ones were seen."""
    rng = random.Random(3)
    pairings = {(name, size): Pairing() for name in FAMILIES for size in range(1, 15)}
    for position, color, last, _ in found:
        view = naive.View(grid_of(position), color)
        legal = position.legal_points(color)
        by_last = [p for p in legal if last and max(near(p, last)) <= 2]
        chosen = rng.sample(legal, min(moves_each, len(legal))) + by_last[:moves_each]
        before = row_and_column(last) if last else None
        for p in chosen:
            keys = pattern_keys(position, color, last, p)
            for (name, size), pairing in pairings.items():
                key = int(keys[FAMILIES.index(name), size])
                shape = naive.pattern(name, size, view, row_and_column(p), before)
                assert (key == 0) == (shape is None), (name, size)
                if shape is not None:
                    assert pairing.agrees(key, hash(repr(shape))), (name, size)
    return {which: len(pairing) for which, pairing in pairings.items()}


def near(p: int, q: int) -> tuple[int, int]:
    (r, c), (s, d) = row_and_column(p), row_and_column(q)
    return abs(r - s), abs(c - d)


def test_keys_are_the_twins_patterns() -> None:
    seen = compare_with_twin(moments(), 3)
    assert seen["plain", 1] < seen["plain", 2] < seen["plain", 3] < seen["plain", 14]
    assert seen["plain", 1] < seen["liberties", 1]
    for family, name in enumerate(FAMILIES):
        assert seen[name, 1] > 20
        assert seen[name, LARGEST[family]] > 100


def compare_all_moves(found: Iterable[Moment]) -> int:
    """Compare the keys of all legal moves with the second twin's names; returns how many moves."""
    keys: list[np.ndarray] = []
    names: dict[tuple[str, int], list[np.ndarray]] = {}
    for position, color, last, _ in found:
        legal = position.legal_points(color)
        if legal:
            keys += [pattern_keys(position, color, last, p) for p in legal]
            before = row_and_column(last) if last else None
            places = [row_and_column(p) for p in legal]
            for which, row in fields.names(grid_of(position), color, places, before).items():
                names.setdefault(which, []).append(row)
    table = np.array(keys)
    for (family, size), rows in names.items():
        name, key = np.concatenate(rows), table[:, FAMILIES.index(family), size]
        assert np.array_equal(name == 0, key == 0), (family, size)
        # One to one: as many pairs as there are names, and as there are keys.
        pairs = len(np.unique(np.stack([name, key]), axis=1).T)
        assert pairs == len(np.unique(name)) == len(np.unique(key)), (family, size)
    return len(keys)


def test_both_twins_tell_apart_the_same() -> None:
    assert compare_all_moves(moments()[:60]) > 3000


@pytest.mark.slow
def test_keys_are_the_twins_patterns_on_many_positions(shared_data: Path) -> None:
    assert compare_all_moves(random_moments(11, 2000, (9, 13, 19))) > 100_000
    real: list[Moment] = []
    for name in ("pro13", "kgs-valid", "dan9-valid"):
        real += islice(game_moments(shared_data / f"{name}.sgf.xz", 300, 7), 700)
    assert len(real) > 2000
    assert compare_all_moves(real) > 200_000


def test_keys_never_change() -> None:
    """They are stored with weights. If this fails, every weight file with patterns is void."""
    diagram = Diagram(
        """
        . . . . . . .
        . . O O . . .
        . . X a O . .
        . X . X @ . .
        . . X O . . .
        . . . . . . .
        . . . . . . .
        """
    )
    keys = pattern_keys(diagram.position, BLACK, diagram["@"], diagram["a"])
    assert keys[PLAIN, 1] == 0x8ACFF33CCFC5720C
    assert keys[PLAIN, 13] == 0x31C8E5E6F047BC1F
    assert keys[PLAIN, 14] == 0x4AE0BD171EFA07A9
    assert keys[LIBERTIES, 7] == 0x4DBF7CB74A619D1A
    assert keys[MARKED, 2] == 0xF38C1B238401CDB6
    assert keys[RESPONSE, 6] == 0xB6DB6CC24B1D524D


# --- Invariance ---------------------------------------------------------------------------


def turned(p: int, size: int, turn: int) -> int:
    """A point in one of the eight symmetries of the board."""
    if p == PASS:
        return PASS
    row, column = row_and_column(p)
    row = size - 1 - row if turn & 1 else row
    column = size - 1 - column if turn & 2 else column
    return point(column, row) if turn & 4 else point(row, column)


def changed(position: Position, turn: int, swap: bool) -> Position:
    """A position turned, and perhaps with colours exchanged."""
    colors = (WHITE, BLACK) if swap else (BLACK, WHITE)
    black, white = (
        [turned(p, position.size, turn) for p in position.stones(color)] for color in colors
    )
    return Position.from_stones(position.size, black, white)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("turn", range(8))
def test_turns_and_colours_change_nothing(turn: int, swap: bool, dictionary: Dictionary) -> None:
    for position, color, last, _ in random.Random(turn).sample(moments(), 40):
        size = position.size
        other = changed(position, turn, swap)
        mover = opponent(color) if swap else color
        points = position.empty_points()
        there = [turned(p, size, turn) for p in points]
        ours = match_moves(position, color, last, points, dictionary.slots)
        theirs = match_moves(other, mover, turned(last, size, turn), there, dictionary.slots)
        assert (ours == theirs).all()
        for p, q in list(zip(points, there, strict=True))[:4]:
            keys = pattern_keys(other, mover, turned(last, size, turn), q)
            assert (keys == pattern_keys(position, color, last, p)).all()


def test_a_shifted_shape_is_the_same_but_the_whole_board_is_not() -> None:
    stones = [(6, 6), (7, 8), (8, 6)]
    keys = []
    for shift in (0, 1):
        black = [point(row + shift, column) for row, column in stones]
        position = Position.from_stones(19, black, [])
        keys.append(pattern_keys(position, BLACK, PASS, point(7 + shift, 7)))
    assert (keys[0][PLAIN, 1:6] == keys[1][PLAIN, 1:6]).all()
    assert keys[0][PLAIN, WHOLE_BOARD] != keys[1][PLAIN, WHOLE_BOARD]


def test_the_whole_board_knows_its_size() -> None:
    keys = [
        pattern_keys(Position(size), BLACK, PASS, point(size // 2, size // 2)) for size in (17, 19)
    ]
    assert keys[0][PLAIN, 13] == keys[1][PLAIN, 13]
    assert keys[0][PLAIN, WHOLE_BOARD] != keys[1][PLAIN, WHOLE_BOARD]


def test_without_a_last_move_there_is_neither_mark_nor_response() -> None:
    keys = pattern_keys(Position(9), BLACK, PASS, point(4, 4))
    assert not keys[[MARKED, RESPONSE]].any()
    assert keys[PLAIN, 1:].all()


def test_a_last_move_that_took_itself_off_is_marked_all_the_same() -> None:
    keys = pattern_keys(Position(9), BLACK, point(4, 4), point(4, 4))
    assert keys[MARKED, 1:7].all()
    assert keys[RESPONSE, 1:7].all()


# --- Matching -----------------------------------------------------------------------------


def largest_by_hand(dictionary: Dictionary, keys: np.ndarray) -> list[int]:
    """The largest pattern of each family that is known in all sizes from its first on."""
    result = []
    for family in range(len(FAMILIES)):
        best = 0
        for key in keys[family][keys[family] > 0]:
            places = np.flatnonzero(dictionary.keys == key)
            if not len(places):
                break
            best = int(places[0]) + 1
        result.append(best)
    return result


def test_matching_finds_the_largest_known_pattern(dictionary: Dictionary) -> None:
    sizes = []
    for position, color, last, _ in moments():
        points = position.legal_points(color)
        ids = match_moves(position, color, last, points, dictionary.slots)
        sizes.append(dictionary.sizes_of(ids))
        for i in random.Random(0).sample(range(len(points)), min(12, len(points))):
            keys = pattern_keys(position, color, last, points[i])
            assert ids[i].tolist() == largest_by_hand(dictionary, keys)
    found = np.concatenate(sizes)
    for family, largest in enumerate(LARGEST):
        assert {0, 1, 2, 3, largest} <= set(found[:, family].tolist()), family


@pytest.mark.parametrize("families", [[], [PLAIN], [LIBERTIES], [MARKED], [RESPONSE, MARKED]])
def test_families_that_are_not_wanted_are_left_out(
    families: list[int], dictionary: Dictionary
) -> None:
    for position, color, last, _ in moments()[::3]:
        points = position.legal_points(color)
        expected = match_moves(position, color, last, points, dictionary.slots)
        left_out = [family for family in (LIBERTIES, MARKED, RESPONSE) if family not in families]
        expected[:, left_out] = 0
        some = match_moves(position, color, last, points, dictionary.slots, families)
        assert (some == expected).all()


def test_nothing_is_known_to_an_empty_dictionary() -> None:
    nothing = harvest(read_games(GAMES).first(1), 10**6)
    assert len(nothing) == 0
    points = Position(9).empty_points()
    assert not match_moves(Position(9), BLACK, point(4, 4), points, nothing.slots).any()


def test_one_scratch_serves_positions_of_all_sizes(dictionary: Dictionary) -> None:
    """What was left behind by a larger board with more stones must not shine through."""
    from knowledge.patterns import _match, new_pattern_scratch

    scratch = new_pattern_scratch()
    for position, color, last, _ in sorted(moments(), key=lambda m: -m.position.size):
        points = np.array(position.legal_points(color), np.uint16)
        out = np.full((len(points), 4), 77, np.uint32)
        _match(position.record, color, last, points, 15, scratch, dictionary.slots, out)
        fresh = match_moves(position, color, last, points.tolist(), dictionary.slots)
        assert (out == fresh).all()
