"""Life and death without reading: drawn positions, Benson's definition, and fights played out."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import pytest

from engine.geometry import BLACK, EMPTY, WHITE, opponent, point, row_and_column
from engine.position import Position
from engine.tactics.eyes import Eye, eye_at
from engine.tactics.life import is_dead_bent_four, stands_in_seki, unconditional_life
from engine.tactics.nakade import Status, eye_space
from tests.diagrams import Diagram, picture
from tests.naive import life as naive
from tests.naive import nakade
from tests.positions import game_moments, grid_of, random_moments
from tests.tactics.crowded import crowded_positions

GNUGO_GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
# --- Unconditional life: # lives, e is its territory; X and dots don't -----------------------

LIFE = {
    "two eyes in the corner": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        # # # # . . .
        # # # # . . .
        e # e # . . .
    """,
    "two points are one eye": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X X . . . .
        X X X . . . .
        . . X . . . .
    """,
    "two chains live by two eyes they share": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        # # . . . . .
        # e # . . . .
        e # # . . . .
    """,
    "an eye may hold dead stones": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        # # # # # . .
        # @ e # e # .
        # e # # # # .
        # # # . . . .
    """,
    "a point inside that is no liberty spoils the region": """
        X X X X . . .
        . . . X . . .
        . . . X . . .
        . . . X . . .
        X X X X . . .
        X . X . . . .
        X X X . . . .
    """,
    "the two-headed dragon": """
        # # # # # # #
        # # # # # # #
        # # O O O O #
        e # O . . # e
        # O O O O # #
        # # # # # # #
        # # # # # # #
    """,
}


@pytest.mark.parametrize("name", LIFE)
def test_unconditional_life(name: str) -> None:
    diagram = Diagram(LIFE[name])
    stones, territory = unconditional_life(diagram.position, BLACK)
    assert stones == diagram.all("#"), name
    assert territory == sorted(diagram.all("e") + diagram.all("@")), name


def test_the_dragons_eyes_look_false() -> None:
    diagram = Diagram(LIFE["the two-headed dragon"])
    for p in diagram.all("e"):
        assert eye_at(diagram.position, BLACK, p) == Eye.FALSE


def test_a_colour_must_be_black_or_white() -> None:
    with pytest.raises(ValueError, match="not a colour"):
        unconditional_life(Position(5), EMPTY)


def check_life(positions: Iterable[Position]) -> int:
    """Compare with the twin for both colours; returns how many points were found."""
    total = 0
    for position in positions:
        grid = grid_of(position)
        for color in (BLACK, WHITE):
            stones, territory = unconditional_life(position, color)
            expected = naive.unconditional_life(grid, color)
            assert {row_and_column(p) for p in stones} == expected[0], picture(position)
            assert {row_and_column(p) for p in territory} == expected[1], picture(position)
            total += len(stones) + len(territory)
    return total


def test_life_on_random_positions() -> None:
    moments = random_moments(seed=41, count=150, sizes=(5, 6, 7, 9))
    assert check_life(moment.position for moment in moments) > 1000
    large = random_moments(seed=42, count=8, sizes=(13, 19))
    check_life(moment.position for moment in large)
    assert check_life(crowded_positions(seed=43, count=200, sizes=(4, 5, 7, 9))) > 1000


def test_life_on_gnugos_games() -> None:
    """Some of these games are played on until nothing dead is left, so that much lives."""
    moments = game_moments(GNUGO_GAMES, games=60, every=30)
    assert check_life(moment.position for moment in moments) > 100


def test_life_on_real_games(shared_data: Path) -> None:
    moments = game_moments(shared_data / "dan9-valid.sgf.xz", games=25, every=25)
    check_life(moment.position for moment in moments)
    moments = game_moments(shared_data / "kgs-valid.sgf.xz", games=2, every=100)
    check_life(moment.position for moment in moments)


def test_nobody_captures_what_lives() -> None:
    """The enemy plays alone, at random and with suicide, and takes none of it."""
    rng = random.Random(44)
    for moment in random_moments(seed=44, count=40, sizes=(5, 6, 7, 9)):
        for color in (BLACK, WHITE):
            position = moment.position.copy()
            stones, _ = unconditional_life(position, color)
            if not stones:
                continue
            for _ in range(200):
                moves = position.legal_points(opponent(color), suicide=True)
                if not moves:
                    break
                position.play(opponent(color), rng.choice(moves), suicide=True)
                assert {position.color_at(p) for p in stones} == {color}, picture(moment.position)


# --- Seki ---------------------------------------------------------------------------------

SEKI = {
    "two shared liberties": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        O O O O O O O O .
        # # # # # # # O .
        # . @ @ @ . # O .
    """,
    "an eye each and one shared liberty": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X X O O O O O .
        @ @ @ # # # # O .
        . @ . # . # # O .
    """,
}
NO_SEKI = {
    "one of the liberties makes a T": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . O O O O O O O .
        O O X X X O O O .
        # # # . # # # O .
        # . @ @ @ # # O .
    """,
    "two stones make three, a nakade": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        O O O O O O O . .
        # # # # # # O . .
        # . @ @ . # O . .
    """,
    "seven stones in the corner lead to a ko": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        O O O . . . . . .
        # # O O O O . . .
        . # # # # O . . .
        @ @ @ # # O . . .
        @ @ @ . # O . . .
    """,
    "an open point beside a shared one": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        O O O O O O O O .
        # # # # # # # O .
        # . @ @ @ @ . . .
    """,
    "an outside liberty": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        O O O O O O O O .
        # # # # # # # O .
        # . @ @ @ . # . .
    """,
    "an eye against no eye": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X X O O O O O .
        @ @ @ # # # # O .
        @ . . # . # # O .
    """,
    "an eye against an outside liberty": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X X O O O O O .
        @ @ @ # # # # O .
        @ @ . # . # # O .
    """,
    "a wall in atari": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        O O O O O O O X .
        # # # # # # # O X
        # . @ @ @ . # O .
    """,
    "two eyes": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        O O O O O O . . .
        # # # # # O . . .
        . # . # # O . . .
    """,
}


@pytest.mark.parametrize("name", [*SEKI, *NO_SEKI])
def test_seki(name: str) -> None:
    diagram = Diagram({**SEKI, **NO_SEKI}[name])
    for p in diagram.all("#") + diagram.all("@"):
        assert stands_in_seki(diagram.position, p) == (name in SEKI), name
        assert not is_dead_bent_four(diagram.position, p)


def test_questions_about_no_stone() -> None:
    for call in (stands_in_seki, is_dead_bent_four):
        with pytest.raises(ValueError, match="no stone there"):
            call(Position(5), point(0, 0))


BENT_FOUR = {
    "three along the edge": """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        O O O . . . .
        # # O O O O .
        . # # # # O .
        @ @ @ . # O .
    """,
    "three around the corner": """
        . . . . . . .
        . . . . . . .
        O O . . . . .
        # # O . . . .
        . # O O O . .
        @ # # # O . .
        @ @ . # O . .
    """,
}


@pytest.mark.parametrize("name", BENT_FOUR)
def test_bent_four_in_the_corner(name: str) -> None:
    diagram = Diagram(BENT_FOUR[name])
    for p in diagram.all("#"):
        assert is_dead_bent_four(diagram.position, p), name
    for p in diagram.all("@") + diagram.all("O"):
        assert not is_dead_bent_four(diagram.position, p), name
    for p in diagram.all("#") + diagram.all("@"):
        assert not stands_in_seki(diagram.position, p)


def test_four_empty_points_in_the_corner_are_not_dead_yet() -> None:
    diagram = Diagram(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        O O O . . . .
        # # O O O . .
        a # # # O . .
        . . . # O . .
        """
    )
    assert not is_dead_bent_four(diagram.position, diagram.all("#")[0])
    found = eye_space(diagram.position, diagram["a"], BLACK)
    assert found.status == Status.KO
    assert found.lives_at != 0


# --- All small spaces, and fights -----------------------------------------------------------

BOARD = 11
PLACES = ((0, 0), (0, 3), (3, 3))


def spaces_with_two_liberties(size: int) -> Iterator[tuple[Position, tuple, tuple]]:
    """Every shape of an eye space, in a corner, at an edge and in the middle, filled by one white
    chain but for two points, that are the liberties of both sides."""
    for shape in nakade.polyominoes(size):
        for place in PLACES:
            cells = nakade.moved(shape, *place)
            around = {(r + i, c + j) for r, c in cells for i in (-1, 0, 1) for j in (-1, 0, 1)}
            wall = {(r, c) for r, c in around if r >= 0 and c >= 0} - set(cells)
            rest = {(r, c) for r in range(BOARD) for c in range(BOARD)} - wall - set(cells)
            rest -= {(BOARD - 1, BOARD - 1), (BOARD - 1, BOARD - 3)}  # White's eyes
            for stones in combinations(cells, size - 2):
                white = [point(*cell) for cell in [*rest, *stones]]
                try:
                    position = Position.from_stones(BOARD, [point(*cell) for cell in wall], white)
                except ValueError:
                    continue
                outer = position.chain(point(*min(wall)))
                inner = position.chain(point(*stones[0]))
                connected = len(outer[0]) == len(wall) and len(inner[0]) == len(stones)
                if connected and outer[1] == inner[1]:
                    yield position, cells, stones


@pytest.mark.parametrize("size", [4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_all_spaces_with_two_liberties(size: int) -> None:
    """A seki is what neither side can capture; a bent four is exactly the ko that it must be."""
    sekis = 0
    for position, cells, stones in spaces_with_two_liberties(size):
        space = nakade.solved(cells, BOARD)
        with_kos = nakade.solved(cells, BOARD, True)
        lives = not with_kos.wall_falls(stones, nakade.ATTACKER)
        is_ko = with_kos.wall_falls(stones, nakade.DEFENDER)
        is_ko = is_ko and not space.wall_falls(stones, nakade.ATTACKER)
        wall = position.stones(BLACK)[0]
        inside = point(*stones[0])
        assert stands_in_seki(position, wall) == lives, picture(position)
        assert stands_in_seki(position, inside) == lives, picture(position)
        assert is_dead_bent_four(position, wall) == is_ko, picture(position)
        assert not is_dead_bent_four(position, inside), picture(position)
        sekis += lives
    assert (sekis > 100) == (size > 4)


def check_sekis(positions: Iterable[Position], largest: int) -> int:
    """Play out what is called a seki, unless it is too large; returns how many were."""
    played_out = 0
    for position in positions:
        grid = None
        for color in (BLACK, WHITE):
            waiting = set(position.stones(color))
            while waiting:
                p = min(waiting)
                stones, _ = position.chain(p)
                waiting -= set(stones)
                if not stands_in_seki(position, p):
                    continue
                grid = grid_of(position) if grid is None else grid
                chain = {row_and_column(q) for q in stones}
                fights = [
                    naive.Fight(grid, pair) for pair in naive.shared_pairs(grid) if chain in pair
                ]
                assert fights, picture(position)
                if max(len(fight.cells) for fight in fights) <= largest:
                    played_out += 1
                    assert any(
                        not fight.can_capture(BLACK) and not fight.can_capture(WHITE)
                        for fight in fights
                    ), picture(position)
    return played_out


def test_sekis_on_crowded_positions() -> None:
    positions = crowded_positions(45, 1000, sizes=(4, 5, 6, 7), black_shares=(0.5,))
    assert check_sekis(positions, largest=7) > 1


@pytest.mark.slow
def test_sekis_on_many_crowded_positions() -> None:
    positions = crowded_positions(46, 20000, sizes=(4, 5, 6, 7, 9), black_shares=(0.5,))
    assert check_sekis(positions, largest=8) > 50


def test_sekis_on_real_games(shared_data: Path) -> None:
    moments = game_moments(shared_data / "dan9-valid.sgf.xz", games=150, every=11)
    check_sekis((moment.position for moment in moments), largest=8)
