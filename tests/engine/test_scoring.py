"""Counting: against the twin on random positions, by hand on diagrams, and against GNU Go."""

from __future__ import annotations

import dataclasses
import random

import pytest

from engine.game import Game
from engine.geometry import BLACK, EMPTY, PASS, WHITE, opponent, point, row_and_column
from engine.handicap import free_points
from engine.position import Position
from engine.rules import RULES
from engine.scoring import area_score, owners, pass_stones, score_game, territory_score
from engine.vertex import parse_vertex
from tests.diagrams import Diagram, board_from
from tests.gnugo import gnugo
from tests.naive import scoring as naive

AGA = RULES["aga"]
AGA_BY_TERRITORY = dataclasses.replace(AGA, scoring="territory")
NAMES = {BLACK: naive.BLACK, WHITE: naive.WHITE, EMPTY: naive.EMPTY}


def random_position(size: int, rng: random.Random) -> Position:
    """Some way into a random game that now and then fills its own eyes."""
    position = Position(size)
    color = BLACK
    for _ in range(rng.randrange(2 * size * size)):
        points = position.legal_points(color)
        sensible = [p for p in points if not position.is_eye(color, p)]
        choice = sensible if sensible and rng.random() < 0.98 else points
        position.play(color, rng.choice(choice) if choice else PASS)
        color = opponent(color)
    return position


def twin_of(position: Position) -> tuple[naive.Grid, dict[str, int]]:
    grid = {row_and_column(p): NAMES[position.color_at(p)] for p in position.points()}
    prisoners = {NAMES[color]: position.prisoners(color) for color in (BLACK, WHITE)}
    return grid, prisoners


# --- The kernel against its twin ----------------------------------------------------------


@pytest.mark.parametrize("size", range(2, 26))
def test_all_counts_agree_with_the_twin(size):
    rng = random.Random(size)
    for _ in range(4 + 400 // size**2):
        position = random_position(size, rng)
        grid, prisoners = twin_of(position)
        stones = position.stones(BLACK) + position.stones(WHITE)
        rng.shuffle(stones)
        dead = stones[: rng.choice([0, 0, 1, 2, 5])]
        gone = {p for stone in dead for p in position.chain(stone)[0]}
        seki = [p for p in stones if p not in gone][: rng.choice([0, 1, 2])]
        dead_there, seki_there = [[row_and_column(p) for p in list_] for list_ in (dead, seki)]

        here = {row_and_column(p): NAMES[c] for p, c in owners(position, dead, seki).items()}
        assert here == naive.owners(grid, dead_there, seki_there)
        assert area_score(position, dead) == naive.area(grid, dead_there)
        expected = naive.territory(grid, prisoners, dead_there, seki_there)
        assert territory_score(position, dead, seki) == expected


def test_counting_leaves_the_position_as_it_was():
    position = random_position(9, random.Random(1))
    before = position.copy()
    owners(position, position.stones(BLACK))
    # Field by field: a copy need not have the same bytes between the fields.
    for field in before.record.dtype.names:
        assert (position.record[field] == before.record[field]).all(), field


# --- By hand ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 9, 19, 25])
def test_the_empty_board_is_nobodys(size):
    position = Position(size)
    assert set(owners(position).values()) == {EMPTY}
    assert area_score(position) == territory_score(position) == 0


@pytest.mark.parametrize("size", [2, 9, 19, 25])
def test_one_stone_owns_the_whole_board(size):
    position = Position(size)
    position.play(WHITE, point(0, 1))
    assert area_score(position) == -size * size
    assert territory_score(position) == 1 - size * size


# Black's wall and White's meet but for one point between them.
DAME = """
    . . X O .
    . . X O .
    . . X a O
    . . X O .
    . . X O .
"""


def test_a_point_between_both_is_nobodys():
    drawn = Diagram(DAME)
    position = drawn.position
    assert owners(position)[drawn["a"]] == EMPTY
    assert area_score(position) == 15 - 9
    assert territory_score(position) == 10 - 4


# The marked white stone can't live in there, nor the marked black one.
DEAD = """
    . . X O .
    . @ X O .
    . . X O .
    . . X O #
    . . X O .
"""


def test_dead_stones_give_way_to_what_surrounds_them():
    drawn = Diagram(DEAD)
    position, dead = drawn.position, [drawn["@"], drawn["#"]]
    assert area_score(position) == 6 - 6
    assert area_score(position, dead) == 15 - 10
    # Each side has its territory, the point under the dead stone too, and a prisoner.
    assert territory_score(position, dead) == (10 + 1) - (5 + 1)


def test_any_stone_of_a_chain_marks_all_of_it():
    drawn = Diagram(
        """
        . @ X O .
        . @ X O .
        . . X O .
        . . X O .
        . . X O .
        """
    )
    one, other = drawn.all("@")
    for dead in ([one], [other], [one, other], [one, one, other]):
        assert area_score(drawn.position, dead) == 15 - 10
        assert territory_score(drawn.position, dead) == (10 + 2) - 5


def test_prisoners_count_in_territory_only():
    position = Position(5)
    for color, row, column in [
        (WHITE, 0, 0),
        (BLACK, 0, 1),
        (BLACK, 1, 0),
        (WHITE, 4, 4),
        (WHITE, 4, 0),
        (BLACK, 4, 1),
    ]:
        position.play(color, point(row, column))
    assert position.prisoners(BLACK) == 1
    # Black's are three stones and the corner; the rest of the board touches both.
    assert area_score(position) == 4 - 2
    assert territory_score(position) == 1 + 1


def test_japanese_and_chinese_counts_differ_by_the_stones_played():
    """Filling one's own territory costs a point by territory and nothing by area."""
    results = {}
    for waste in (False, True):
        for name in ("japanese", "chinese"):
            game = Game(5, komi=0.5, rules=RULES[name])
            for row in range(5):
                game.play(BLACK, point(row, 2))
                game.play(WHITE, point(row, 3))
            game.play(BLACK, point(0, 0) if waste else PASS)
            game.play(WHITE, PASS)
            results[name, waste] = game.score()
    assert results == {
        ("japanese", False): 10 - 5 - 0.5,
        ("japanese", True): 9 - 5 - 0.5,
        ("chinese", False): 15 - 10 - 0.5,
        ("chinese", True): 15 - 10 - 0.5,
    }


# Each side has one eye, and whoever plays on the point in the middle is captured.
SEKI = """
    a @ # b #
    @ @ # # #
    @ @ c # #
    @ @ @ # #
    @ @ @ # #
"""


def test_stones_in_seki_have_no_territory():
    drawn = Diagram(SEKI)
    position, white, black = drawn.position, drawn.all("@")[:1], drawn.all("#")[:1]
    eyes_and_dame = [drawn[letter] for letter in "abc"]
    assert [owners(position)[p] for p in eyes_and_dame] == [WHITE, BLACK, EMPTY]
    in_seki = owners(position, seki=black + white)
    assert [in_seki[p] for p in eyes_and_dame] == [EMPTY, EMPTY, EMPTY]
    assert territory_score(position, seki=white) == 1
    assert territory_score(position, seki=black) == -1
    assert territory_score(position, seki=black + white) == 0


def test_seki_matters_by_japanese_rules_only():
    drawn = Diagram(SEKI)
    scores = {}
    for name in ("japanese", "chinese", "aga"):
        game = drawn.game(RULES[name])
        scores[name] = game.score(seki=drawn.all("#")[:1]) - game.score()
    assert scores == {"japanese": -1, "chinese": 0, "aga": 0}


def test_territory_of_other_chains_counts_beside_a_seki():
    drawn = Diagram(
        """
        . # O O O
        # # O . O
        . . O O O
        X X O . O
        . X O . O
        """
    )
    assert territory_score(drawn.position) == 2 - 3
    assert territory_score(drawn.position, seki=drawn.all("#")[:1]) == 1 - 3


@pytest.mark.parametrize("p", [point(0, 0), point(0, 4), PASS, -1, 10_000])
def test_a_dead_point_without_a_stone_is_refused(p):
    position = board_from(DAME)
    for count in (area_score, territory_score, owners):
        with pytest.raises(ValueError, match="^no stone to be dead at "):
            count(position, [p])
    with pytest.raises(ValueError, match="^no stone to be in seki at "):
        territory_score(position, seki=[p])


def test_a_chain_is_not_both_dead_and_in_seki():
    drawn = Diagram(DEAD)
    with pytest.raises(ValueError, match="^a chain both dead and in seki"):
        territory_score(drawn.position, dead=[drawn["@"]], seki=[drawn["@"]])


# --- By the rules -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "bonus"),
    [("tromp-taylor", 0), ("chinese", 4), ("aga", 3), ("new-zealand", 0), ("japanese", 4)],
)
def test_komi_and_handicap_are_white_points(name, bonus):
    game = Game(9, komi=0.5, rules=RULES[name])
    game.place_handicap(free_points(9, 4))
    # Black owns the board; by territory the four points under the stones don't count.
    assert game.score() == 81 - bonus - 0.5


def test_each_pass_hands_a_stone_over_and_white_passes_last():
    assert pass_stones([]) == 0
    assert pass_stones([(BLACK, PASS), (WHITE, PASS)]) == 0
    assert pass_stones([(BLACK, 40), (WHITE, PASS), (BLACK, PASS)]) == 1
    assert pass_stones([(BLACK, PASS), (WHITE, PASS), (BLACK, PASS)]) == 0
    assert pass_stones([(BLACK, PASS), (WHITE, 40)]) == -1
    assert pass_stones([], handicap=2) == 1
    assert pass_stones([(WHITE, PASS), (BLACK, PASS)], handicap=2) == 1


@pytest.mark.parametrize("seed", range(60))
def test_aga_territory_and_area_counts_agree(seed):
    rng = random.Random(seed)
    size = rng.randrange(3, 14)
    game = Game(size, komi=rng.choice([0, 0.5, 7.5]), rules=AGA)
    color = BLACK
    if seed % 2:
        game.place_handicap(free_points(size, rng.randrange(2, 6)))
        color = WHITE
    while not game.is_over():
        points = [p for p in game.legal_points(color) if not game.position.is_eye(color, p)]
        game.play(color, rng.choice(points) if points and rng.random() < 0.95 else PASS)
        color = opponent(color)
    stones = game.position.stones(BLACK) + game.position.stones(WHITE)
    dead = rng.sample(stones, min(len(stones), seed % 3))
    by_area = score_game(game, dead)
    game.rules = AGA_BY_TERRITORY
    assert score_game(game, dead) == by_area


# --- Against GNU Go -----------------------------------------------------------------------


def gnugo_game(rules: str, seed: int) -> tuple[Game, list[int], list[int], float]:
    """A 9x9 game of GNU Go with itself: the game, what it calls dead and seki, its score."""
    moves = ["genmove black", "genmove white"] * 45
    script = ["boardsize 9", "clear_board", "komi 0.5", *moves]
    script += ["final_status_list dead", "final_status_list seki", "final_score"]
    replies = gnugo(script, f"--{rules}-rules", "--level", "1", "--seed", str(seed))
    game = Game(9, komi=0.5, rules=dataclasses.replace(RULES[rules], ko="simple"))
    for i, reply in enumerate(replies[3:-3]):
        if game.is_over():
            break
        game.play((BLACK, WHITE)[i % 2], parse_vertex(reply, 9))
    assert game.is_over(), "the game did not end"
    dead, seki = ([parse_vertex(v, 9) for v in reply.split()] for reply in replies[-3:-1])
    sign = 1 if replies[-1][0] == "B" else -1
    return game, dead, seki, sign * float(replies[-1][2:])


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_scores_agree_with_gnu_go(rules):
    with_dead = 0
    for seed in range(1, 6):
        game, dead, seki, expected = gnugo_game(rules, seed)
        assert game.score(dead, seki) == expected, seed
        with_dead += bool(dead)
    assert with_dead
