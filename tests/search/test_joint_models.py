"""Two models in one search: the probabilities of one, and the other one's values as prior games."""

from __future__ import annotations

import numpy as np
import pytest

from engine.game import Game
from engine.search import Limits, Search
from tests.search.fixed import settings_of
from tests.search.test_twin import random_game


def first_children(game: Game, **chosen) -> dict[int, tuple[float, float, float]]:
    """Probability, prior games and their value of every move, after one simulation."""
    search = Search(settings_of(selection="prior", **chosen))
    search.think(game, game.to_move, Limits(sims=1))
    arena, children = search._arena(), search._children()
    rows = zip(arena.prior[children], arena.games[children], arena.start[children], strict=True)
    moves = arena.move[children].tolist()
    return {p: tuple(map(float, row)) for p, row in zip(moves, rows, strict=True)}


# MM has no values but its probabilities, which change when eyes are left out: there are none yet
# on an empty board.
@pytest.mark.parametrize(("valued", "games"), [("lfr", 3), ("mm", 1)])
def test_probabilities_of_one_and_values_of_the_other(valued, games):
    for seed in range(games):
        game = random_game(seed, 9, 20 * seed)
        both = first_children(game, knowledge="fbt", prior_model=valued)
        likely = first_children(game, knowledge="fbt")
        values = first_children(game, knowledge=valued)
        assert set(both) == set(likely) == set(values)
        for p, (probability, *prior) in both.items():
            assert probability == likely[p][0]
            assert tuple(prior) == pytest.approx(values[p][1:], rel=1e-3, abs=1e-4)
    # Each model has something of its own to say, or this shows nothing.
    assert not np.allclose([row[1] for row in both.values()], [likely[p][1] for p in both])


@pytest.mark.parametrize("knowledge", ["none", "spt"])
def test_a_model_that_cannot_be_joined_gives_way_with_a_word(knowledge, capsys):
    game = random_game(4, 9, 12)
    found = first_children(game, knowledge=knowledge, prior_model="lfr")
    assert found == first_children(game, knowledge="lfr")
    assert "used alone" in capsys.readouterr().err


def test_only_selection_prior_asks_a_second_model(capsys):
    game = random_game(4, 9, 12)
    search = Search(settings_of(selection="puct", knowledge="none", prior_model="lfr"))
    search.think(game, game.to_move, Limits(sims=1))
    assert len(set(search._arena().prior[search._children()].tolist())) == 1
    assert not capsys.readouterr().err
