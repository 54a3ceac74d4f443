"""The search against its twin: the same tree, node by node, after the same simulations."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.game import Game
from engine.geometry import BLACK, WHITE
from engine.playout.light import light_candidates
from engine.rules import RULES
from engine.search import Limits
from tests.diagrams import Diagram
from tests.naive.mcts import Plan
from tests.search.fixed import fixed_search, naive_search, same_tree, settings_of

SCHEMES = {
    "puct": dict(selection="puct", c_puct=0.7),
    "puct root": dict(selection="puct", puct_form="root", c_puct=1.3),
    "prior": dict(selection="prior", prior_games=7.0),
    "prior and puct": dict(selection="prior", prior_games=7.0, puct_bonus=0.4),
    "wins": dict(selection="wins", prior_wins=30.0),
    "wins and puct": dict(selection="wins", prior_wins=10.0, puct_bonus=0.6),
    "fuego": dict(selection="additive", additive_form="fuego", additive_weight=0.03),
    "rosin": dict(selection="additive", additive_form="rosin", additive_weight=0.01),
    "widening": dict(selection="widening", widening_base=4.0, widening_growth=1.3),
    "none": dict(selection="none", exploration=0.7),
}
NO_RAVE = dict(rave=False, even_prior=1.0, first_play=1.1, exploration=0.2)


def random_game(seed: int, size: int, moves: int, rules: str = "chinese") -> Game:
    """A game of random moves that fill no eyes, with a pass now and then."""
    rng = random.Random(seed)
    game = Game(size, 0.5 + seed % 3, RULES[rules])
    for _ in range(moves):
        color = game.to_move
        legal = set(game.legal_points(color))
        found = [p for p in light_candidates(game.position, color) if p in legal]
        game.play(color, rng.choice(found) if found and rng.random() < 0.95 else 0)
    return game


def compare(game, sims, knowledge=1, signed=False, color=None, **chosen) -> Counter[str]:
    """Search with both and compare; returns how many nodes there are of which kind."""
    color = color or game.to_move
    plan = Plan(**chosen)
    settings = settings_of(**vars(plan))
    if plan.selection == "widening":
        plan.expand_at = game.size**2
    search = fixed_search(settings, game.size, knowledge, signed)
    twin = naive_search(plan, game, color, knowledge, signed)
    search.think(game, color, Limits(sims=sims, early_stop=False))
    return same_tree(search._tree.arena, twin.run(sims), plan.selection == "prior")


def test_children_come_later_in_a_grown_tree():
    waits = dict(selection="puct", expand_early=2, expand_at=50)
    game = random_game(5, 7, 20)
    grown = compare(game, 500, 5, **waits)["nodes"]
    assert grown < 0.8 * compare(game, 500, 5, **waits | dict(expand_at=2))["nodes"]
    assert grown > 1.2 * compare(game, 500, 5, **waits | dict(expand_early=50))["nodes"]


@pytest.mark.parametrize("mix", [{}, NO_RAVE], ids=["rave", "no rave"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_grows_the_twins_tree(scheme, mix):
    chosen = SCHEMES[scheme] | mix | dict(expand_at=2, rave_equivalence=40.0)
    found = Counter()
    for seed, (size, moves) in enumerate([(3, 2), (4, 9), (5, 14), (7, 30)]):
        # By widening a node waits for as many simulations as the board has points.
        sims = 400 if scheme == "widening" else 120
        found += compare(random_game(seed, size, moves), sims, seed, **chosen)
    assert found["nodes"] > 300


@pytest.mark.parametrize("scheme", ["puct", "prior", "none"])
def test_without_knowledge(scheme):
    game = random_game(5, 6, 12)
    compare(game, 150, None, **SCHEMES[scheme], expand_at=1)


def test_a_models_signed_values_become_games():
    for seed in range(3):
        game = random_game(seed, 5, 6 * seed)
        compare(game, 150, seed, signed=True, selection="prior", prior_games=3.0, expand_at=1)


@pytest.mark.parametrize("size", [9, 13])
def test_larger_boards(size):
    game = random_game(9, size, 40)
    compare(game, 130, 3, selection="puct", c_puct=0.9, expand_at=3)


@pytest.mark.parametrize("rules", RULES)
def test_near_the_end_passes_and_superko_decide(rules):
    """Tiny boards: most lines end by two passes or meet a repetition."""
    found = Counter()
    for seed in range(6):
        game = random_game(seed, 2 + seed % 3, (0, 5, 14)[seed % 3] + seed, rules)
        found += compare(game, 150, seed, expand_at=1, c_puct=1.0, even_prior=2.0)
        found += compare(game, 60, None, color=3 - game.to_move, expand_at=1)
    assert found["won"] > 20
    assert found["lost"] > 20
    assert (found["illegal"] > 5) == (RULES[rules].ko != "simple")


def test_both_sides_of_a_ko():
    diagram = Diagram("""
        . X O . .
        X O a O .
        . X O . .
        . . . . .
        X . . . O
    """)
    for rules in ("japanese", "chinese", "aga"):
        game = diagram.game(RULES[rules])
        game.play(BLACK, diagram["a"])
        for color in (WHITE, BLACK):
            compare(game, 200, 4, color=color, expand_at=1, rave=False, exploration=0.5)


@pytest.mark.parametrize("scheme", ["puct", "wins", "widening"])
def test_critical_points_are_likelier(scheme):
    """Also where some results are no playouts."""
    for seed, (size, moves) in enumerate([(3, 2), (5, 14), (7, 20)]):
        sims = 400 if scheme == "widening" else 150
        chosen = SCHEMES[scheme] | dict(expand_at=2, criticality=9.0)
        compare(random_game(seed, size, moves), sims, seed, **chosen)


def test_margins_count_by_their_weight():
    game = random_game(11, 5, 10)
    compare(game, 100, 2, score_weight=0.5, expand_at=2)
    compare(game, 100, 2, score_weight=0.0, rave_early=4.0, expand_at=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_many_trees(seed):
    rng = random.Random(seed)
    size = rng.choice((3, 4, 5, 6, 7, 9))
    game = random_game(seed, size, rng.randrange(2 * size * size), rng.choice(list(RULES)))
    chosen = SCHEMES[rng.choice(list(SCHEMES))] | rng.choice(({}, NO_RAVE))
    knowledge = rng.choice((None, seed))
    compare(game, 400, knowledge, expand_at=rng.randrange(1, 5), **chosen)
