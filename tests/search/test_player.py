"""The player: limits, levels, resigning, passing, handicap, and what else it is asked.

All tests share the default playouts and the shipped model, which are compiled once.
"""

from __future__ import annotations

import pytest

from engine.clock import Clock, TimeSettings
from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE, point
from engine.parameters import Settings
from engine.player import RESIGN, Player
from engine.rules import RULES
from engine.search import predictor_for
from engine.vertex import parse_vertex, vertex_text
from knowledge.predictor import shipped_predictor
from tests.diagrams import Diagram


def player_of(**chosen) -> Player:
    return Player(Settings({"sims": 200, "threads": 1, "seed": 1, "memory": 64, **chosen}))


def game_of(text: str, to_move: int, komi: float = 0.5, rules: str = "chinese") -> Game:
    game = Diagram(text).game(RULES[rules], to_move)
    game.komi = komi
    return game


# Black has the left side for certain, White the right one; two white stones are dead.
FINISHED = """
    . X . X O . O . .
    X X X X O O O . .
    . X . X O . O . .
    X X X X O O O O O
    O . X . X O . O .
    . . X X X O O O O
    X X X . X O . . .
    . X O X X O . . .
    . X . X O O . . .
"""
# The same without dead stones, and with a neutral point.
ONE_NEUTRAL = """
    . X . X . O O . .
    X X X X O O O . .
    . X . X O . O . .
    X X X X O O O O O
    X . X . X O . O .
    . X X X X O O O O
    X X X . X O . . .
    . X X X X O . . .
    . X . X O O . . .
"""
# Whoever plays a first takes everything.
CAPTURE_FIRST = """
    X X O O O
    X X O O O
    X X O O O
    X a O O O
    X X O O O
"""


def test_it_plays_by_simulations():
    """Who asks for so many gets them all, also when no other move can catch up any more."""
    game = game_of(CAPTURE_FIRST, BLACK)
    for position in (Game(9), game):
        thought = player_of().choose(position, BLACK).thought
        assert thought.sims == 200
        assert thought.ended == "sims"
        assert sum(c.visits for c in thought.candidates) <= thought.visits


def test_a_clock_bounds_a_move():
    clock = Clock(TimeSettings.absolute(20.0))
    decision = player_of(sims=0).choose(Game(9), BLACK, clock)
    assert decision.thought.ended in ("time", "decided")
    assert decision.thought.seconds < 10.0


def test_a_won_and_settled_game_is_passed():
    game = game_of(FINISHED, WHITE, komi=-20.5)
    game.play(WHITE, PASS)
    assert player_of(sims=600).choose(game, BLACK).point == PASS


def test_by_area_a_dead_stone_in_atari_is_taken_before_a_pass():
    """It costs nothing, and nobody has to agree that it was dead."""
    for rules, expected in (("chinese", "C1"), ("japanese", "pass")):
        game = game_of(FINISHED, BLACK, komi=-20.5, rules=rules)
        choice = player_of(sims=600).choose(game, BLACK).point
        assert vertex_text(choice) == expected


def test_by_area_neutral_points_are_played_before_a_pass():
    for rules, expected in (("chinese", "E9"), ("japanese", "pass")):
        game = game_of(ONE_NEUTRAL, BLACK, komi=-20.5, rules=rules)
        choice = player_of(sims=600).choose(game, BLACK).point
        assert vertex_text(choice) == expected


def test_nothing_is_passed_while_a_move_decides():
    """The owners of the search are those after the best move: they must not end the game."""
    for color in (BLACK, WHITE):
        diagram = Diagram(CAPTURE_FIRST)
        game = diagram.game(RULES["chinese"], color)
        game.komi = 0.5
        assert player_of(sims=500, resign=0.0).choose(game, color).point == diagram["a"]


def test_dead_stones_are_captured_where_they_count():
    game = game_of(FINISHED, BLACK, komi=-20.5, rules="tromp-taylor")
    player = player_of(sims=400, resign=0.0)
    dead = set(player.status(game).dead)
    assert dead
    for _ in range(60):
        if game.is_over():
            break
        game.play(game.to_move, player.choose(game, game.to_move).point)
    assert game.score() > 0


def test_a_status_is_of_one_board():
    """Two empty boards have the same moves, none, but not the same points."""
    player = player_of()
    for size in (5, 7):
        game = Game(size, 6.5, RULES["japanese"])
        assert player.final_score(game) == -6.5
        assert set(player.status(game).owners) == set(game.position.points())


def test_boards_of_like_size_share_a_model():
    """Each takes hundreds of megabytes, and a client may try all sizes."""
    assert shipped_predictor("fbt", 7) is shipped_predictor("fbt", 9)
    settings = Settings({"knowledge": "fbt"})
    assert predictor_for(settings, 7) is predictor_for(settings, 8)


def test_a_lost_game_is_resigned_after_some_moves():
    game = game_of(FINISHED, WHITE, komi=-60.5)
    for _ in range(5):
        game.play(WHITE, PASS)
        game.play(BLACK, PASS)
    player = player_of(resign=0.2, resign_moves=2)
    # Who only looks, as GoGui's views do, makes no move.
    assert all(player.choose(game, WHITE).point != RESIGN for _ in range(3))
    assert player.choose(game, BLACK).point != RESIGN
    game.play(WHITE, PASS)
    game.play(BLACK, PASS)
    assert player.choose(game, WHITE).point == RESIGN


def test_what_was_lost_long_ago_is_not_in_a_row():
    """Another game that is loaded in its middle must be lost for some moves of its own."""
    player = player_of(resign=0.2, resign_moves=2)
    for passes in (5, 40):
        game = game_of(FINISHED, WHITE, komi=-60.5)
        for _ in range(passes):
            game.play(WHITE, PASS)
            game.play(BLACK, PASS)
        assert player.choose(game, WHITE).point != RESIGN


def test_it_never_resigns_when_told_not_to():
    game = game_of(FINISHED, WHITE, komi=-60.5)
    for _ in range(5):
        game.play(WHITE, PASS)
        game.play(BLACK, PASS)
    player = player_of(resign=0.0)
    assert all(player.choose(game, WHITE).point != RESIGN for _ in range(4))


@pytest.mark.parametrize("level", [1, 3, 4, 9])
def test_every_level_plays_legal_moves(level):
    game = Game(7, 7.5)
    player = player_of(level=level, sims=50)
    for _ in range(30):
        p = player.choose(game, game.to_move).point
        if p == RESIGN:
            break
        game.play(game.to_move, p)


def test_low_levels_play_what_people_play():
    """Beginners' moves come from the model: on an empty board they are not on the first line."""
    player = player_of(level=1)
    moves = {player.choose(Game(9), BLACK).point for _ in range(20)}
    edge = {point(r, c) for r in range(9) for c in range(9) if r in (0, 8) or c in (0, 8)}
    assert len(moves) > 1
    assert not moves & edge


def test_the_komi_is_shifted_in_handicap_games():
    game = Game(19, 0.5)
    game.place_handicap([parse_vertex(v, 19) for v in ("D4", "Q16", "D16", "Q4")])
    player = player_of(sims=50)
    assert player._komi_shift(game, WHITE) > 10
    assert player_of(dynamic_komi=False)._komi_shift(game, WHITE) == 0
    assert player._komi_shift(Game(19), BLACK) == 0


def test_status_and_final_score_agree():
    game = game_of(FINISHED, BLACK, komi=0.5)
    player = player_of()
    status = player.status(game)
    stones = {*game.position.stones(BLACK), *game.position.stones(WHITE)}
    assert {*status.alive, *status.dead, *status.seki} == stones
    assert player.final_score(game) == game.score(status.dead, status.seki)  # no dame is left


def test_pondering_ends_with_the_next_request():
    game = Game(9)
    player = player_of(ponder=True)
    game.play(BLACK, player.choose(game, BLACK).point)
    player.ponder(game)
    game.play(WHITE, PASS)
    decision = player.choose(game, BLACK)
    assert game.why_illegal(BLACK, decision.point) is None
    player.close()
    assert player._ponderer is None


def test_the_choice_by_lower_bound_is_one_of_the_much_visited():
    thought = player_of(sims=400).choose(Game(9), BLACK).thought
    best = player_of(choice="lcb")._best(thought)
    assert best.lower == max(
        c.lower for c in thought.candidates if c.visits >= 0.1 * thought.candidates[0].visits
    )
