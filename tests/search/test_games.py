"""Whole games on all sizes and under all rules: the search never offers an illegal move."""

from __future__ import annotations

import random

import pytest

from engine.game import Game
from engine.geometry import PASS
from engine.rules import RULES
from engine.search import Limits, Search
from tests.search.fixed import settings_of

KOMIS = (-20.0, 0.0, 0.5, 5.5, 6.5, 7.0, 7.5, 30.0)
SELECTIONS = ("puct", "prior", "additive", "widening", "none")


def play_game(search: Search, rng: random.Random) -> int:
    """Play one game with the same search for both sides; returns how long it was.

    Now and then a move is taken back, a side moves out of turn, or another move than the
    search's is played: the tree must follow or start anew.
    """
    size = rng.randrange(5, 14)
    game = Game(size, rng.choice(KOMIS), RULES[rng.choice(list(RULES))])
    if rng.random() < 0.2:
        game.place_handicap(rng.sample(game.position.points(), rng.randrange(2, 5)))
    sims = rng.choice((1, 5, 20, 40))
    for _ in range(2 * size * size):
        color = game.to_move if rng.random() < 0.97 else 3 - game.to_move
        thought = search.think(game, color, Limits(sims=sims))
        for candidate in thought.candidates:
            assert game.why_illegal(color, candidate.point) is None
        chosen = thought.best.point if thought.best else PASS
        if rng.random() < 0.05:
            chosen = rng.choice([*game.legal_points(color), PASS])
        game.play(color, chosen)
        if game.is_over():
            break
        if rng.random() < 0.02 and game.moves:
            game.undo()
    return len(game.moves)


def play_games(seed: int, count: int) -> int:
    rng = random.Random(seed)
    moves = 0
    for i in range(count):
        if i % 5 == 0:
            search = Search(settings_of(selection=rng.choice(SELECTIONS), expand_at=1, seed=i + 1))
            search.settings.chosen["memory"] = 0
        moves += play_game(search, rng)
    return moves


def test_some_games():
    assert play_games(1, 15) > 500


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_two_thousand_games(part):
    assert play_games(100 + part, 100) > 5000
