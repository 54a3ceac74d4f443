"""Captures, ataris and self-atari: classic cases, and the twin on thousands of moves."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.geometry import BLACK, PASS, WHITE, point, row_and_column
from engine.position import Position
from engine.tactics.atari import effect, rescues
from tests.diagrams import Diagram, picture
from tests.naive import atari as naive
from tests.positions import Moment, game_moments, grid_of, random_moments


def check_moment(position: Position) -> None:
    """Compare everything about every legal move of both colours, and every chain in atari."""
    grid = grid_of(position)
    for color in (BLACK, WHITE):
        for p in position.legal_points(color):
            place = row_and_column(p)
            ours = effect(position, color, p)
            after = naive.play(grid, place, color)
            stones, liberties = naive.chain(after, place)
            theirs = (
                naive.captured(grid, place, color),
                naive.ataris(grid, place, color),
                min(len(liberties), 2),
                len(stones),
                naive.captured(grid, place, color) > 0,
                len(liberties) == 1,
                naive.is_bad_self_atari(grid, place, color),
                naive.is_snapback(grid, place, color),
            )
            assert ours == theirs, f"{color} at {place} in\n{picture(position)}"
        for p in position.stones(color):
            if len(position.chain(p)[1]) == 1:
                extension, captures = naive.rescues(grid, row_and_column(p))
                found = rescues(position, p)
                assert found.extension == (point(*extension) if extension else PASS)
                assert set(found.captures) == {point(*place) for place in captures}


def check_moments(moments: Iterable[Moment]) -> None:
    for moment in moments:
        check_moment(moment.position)


def test_twin_on_random_positions() -> None:
    check_moments(random_moments(seed=5, count=250, sizes=(5, 6, 7, 9)))
    check_moments(random_moments(seed=6, count=12, sizes=(13, 19)))


def test_twin_on_real_games(shared_data: Path) -> None:
    check_moments(game_moments(shared_data / "dan9-valid.sgf.xz", games=40, every=12))
    check_moments(game_moments(shared_data / "kgs-valid.sgf.xz", games=6, every=60))


CASES = {
    "a plain self-atari is bad": (
        """
        . . . . .
        . X X . .
        X O O X .
        . X a X .
        . . . . .
        """,
        WHITE,
        dict(self_atari=True, bad_self_atari=True, stones=3, liberties=1),
    ),
    "a throw-in that is a snapback is not": (
        """
        X X X X X .
        X O O O X .
        X O a . X .
        X O O O X .
        X X X X X .
        . . . . . .
        """,
        BLACK,
        dict(self_atari=True, bad_self_atari=False, snapback=True, ataris=1),
    ),
    "taking a ko is not": (
        """
        . . . . .
        . X O . .
        X O a O .
        . X O . .
        . . . . .
        """,
        BLACK,
        dict(captured=1, self_atari=True, bad_self_atari=False, snapback=False),
    ),
    "a nakade is not": (
        """
        X X X X X X .
        X O O O O X .
        X O a . O X .
        X O X O O X .
        X O O O O X .
        X X X X X X .
        . . . . . . .
        """,
        BLACK,
        dict(self_atari=True, bad_self_atari=False, stones=2, ataris=1),
    ),
    "giving up a straight four is bad": (
        """
        X X X X X X X X .
        X O O O O O O O X
        X O X X X a . O X
        X O O O O O O O X
        X X X X X X X X .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        BLACK,
        dict(self_atari=True, bad_self_atari=True, stones=4),
    ),
    "a throw-in that spoils an eye is not": (
        """
        . . . . . . .
        . . X O O O .
        . . O a . O .
        . . X O O O .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        BLACK,
        dict(self_atari=True, bad_self_atari=False, snapback=False),
    ),
    "a throw-in into a real eye is": (
        """
        . . . . . . .
        . . O O O O .
        . . O a . O .
        . . O O O O .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        BLACK,
        dict(self_atari=True, bad_self_atari=True),
    ),
    "connecting to a chain with liberties is no self-atari": (
        """
        . . . . .
        . O O . .
        O X a O .
        . O X X .
        . . . . .
        """,
        BLACK,
        dict(self_atari=False, bad_self_atari=False, liberties=2, stones=4),
    ),
    "double atari": (
        """
        . . . . . .
        . . X X . .
        . X O . . .
        . X O a . .
        . . X O O X
        . . . X X .
        """,
        BLACK,
        dict(ataris=2, captured=0),
    ),
    "capturing two chains at once": (
        """
        . X X . .
        X O a X .
        . X O X .
        . . X . .
        . . . . .
        """,
        BLACK,
        dict(captured=2, capture=True),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    text, color, expected = CASES[name]
    diagram = Diagram(text)
    found = effect(diagram.position, color, diagram["a"])
    assert {key: getattr(found, key) for key in expected} == expected


def test_a_chain_in_atari_extends() -> None:
    diagram = Diagram(
        """
        . . . . .
        . X X . .
        X @ O X .
        . X a . .
        . . . . .
        """
    )
    assert rescues(diagram.position, diagram["@"]) == (diagram["a"], [])


def test_extending_into_the_same_atari_is_no_rescue() -> None:
    diagram = Diagram(
        """
        . . . . .
        . X X . .
        X @ O X .
        . X . X .
        . . . . .
        """
    )
    assert rescues(diagram.position, diagram["@"]) == (PASS, [])


def test_an_attacker_in_atari_can_be_captured() -> None:
    diagram = Diagram(
        """
        . . . . . .
        . X X O . .
        X @ O X O .
        . X a b . .
        . . . . . .
        . . . . . .
        """
    )
    assert rescues(diagram.position, diagram["@"]) == (diagram["a"], [diagram["b"]])


def test_questions_about_nothing_are_refused() -> None:
    position = Position(5)
    with pytest.raises(ValueError, match="no chain in atari"):
        rescues(position, point(0, 0))
    with pytest.raises(ValueError, match="illegal move"):
        effect(position, BLACK, PASS)
