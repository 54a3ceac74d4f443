"""Playing for a margin: how large a lead is safe, and values by the true komi."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE
from engine.margin import own_leads, safe_lead, with_true_values
from engine.thought import Candidate, Thought
from tests.search.test_player import player_of


def thought_of(leads: dict[int, int], komi: float, color: int = BLACK, value=0.5, moves=()):
    """What a search found: how often Black led by how much, without komi."""
    total = sum(leads.values())
    mean = sum(lead * count for lead, count in leads.items()) / total
    score = (1 if color == BLACK else -1) * (mean - komi)
    candidates = tuple(Candidate(p, 10, v, v / 2, 0.1, 5.0, v, (p,)) for p, v in moves)
    return Thought(
        color=color, sims=total, visits=total, seconds=1.0, value=value, score=score,
        score_deviation=1.0, candidates=candidates, owners={}, criticality={}, histogram=leads,
    )  # fmt: skip


def test_leads_are_the_movers_with_komi():
    leads = {10: 300, 0: 100, -4: 100}
    black, white = (own_leads(thought_of(leads, 7.5, color)) for color in (BLACK, WHITE))
    assert [lead for lead, _ in black] == pytest.approx([-11.5, -7.5, 2.5])
    assert [count for _, count in black] == [100, 100, 300]
    assert [lead for lead, _ in white] == pytest.approx([-2.5, 7.5, 11.5])
    assert [count for _, count in white] == [300, 100, 100]


def test_a_safe_lead_is_one_that_most_results_have():
    """Against a list of all results, sorted."""
    rng = random.Random(2)
    for color in (BLACK, WHITE):
        for share in (0.1, 0.2, 0.45):
            drawn = [round(rng.gauss(25, 12)) for _ in range(500)]
            leads = {lead: drawn.count(lead) for lead in set(drawn)}
            komi = 7.5
            own = sorted((lead - komi) * (1 if color == BLACK else -1) for lead in drawn)
            expected = max(0.0, own[int(share * len(own))])
            found = safe_lead(thought_of(leads, komi, color), share)
            assert found == pytest.approx(expected, abs=1e-6)
            assert (found > 0) == (color == BLACK)


def test_few_results_tell_nothing():
    assert safe_lead(thought_of({40: 99}, 7.5), 0.2) is None
    assert safe_lead(thought_of({40: 100}, 7.5), 0.2) == pytest.approx(32.5)


def test_values_are_told_by_the_true_komi():
    """Counted with a larger komi, half of the playouts were won; by the true one 90% are."""
    thought = thought_of({30: 90, 0: 10}, 7.5, value=0.5, moves=[(5, 0.6), (6, 0.5), (7, 0.2)])
    true = with_true_values(thought)
    assert true.value == pytest.approx(0.9)
    values = [c.value for c in true.candidates]
    assert values == sorted(values, reverse=True)
    assert values[1] == pytest.approx(0.9)
    assert values[0] > 0.9 > values[2] > 0.2
    assert all(0 <= c.lower <= c.value <= 1 for c in true.candidates)
    assert [c.visits for c in true.candidates] == [10, 10, 10]


def test_certain_values_stay_chances():
    thought = thought_of({30: 100}, 7.5, value=1.0, moves=[(5, 1.0), (6, 0.0)])
    found = with_true_values(thought)
    assert found.value == 1.0
    assert all(0 <= c.value <= 1 for c in found.candidates)


def ahead(**chosen):
    """A player that has just searched a game that Black is far ahead in, and that game."""
    game = Game(7, -30.5)
    player = player_of(sims=400, early_stop=False, **chosen)
    player.choose(game, BLACK)
    return player, game


def test_a_player_that_is_ahead_counts_with_its_safe_lead():
    player, game = ahead()
    game.play(BLACK, player.last_thought.best.point)
    game.play(WHITE, PASS)
    lead = player._safe_lead(game, BLACK)
    assert lead > 10
    thought = player.choose(game, BLACK).thought
    root = player._search._root[0]
    assert root["komi"] == pytest.approx(root["true_komi"] + lead)
    # What it says of the game is by the true komi.
    assert thought.value > 0.9
    assert thought.best.value > 0.9


def test_a_search_that_ends_at_once_keeps_the_margin():
    player, game = ahead()
    game.play(BLACK, player.last_thought.best.point)
    game.play(WHITE, PASS)
    player.choose(game, BLACK)
    kept = player._margin
    assert kept > 10
    game.play(BLACK, player.last_thought.best.point)
    game.play(WHITE, PASS)
    player.last_thought = replace(player.last_thought, histogram={20: 3})
    assert player._safe_lead(game, BLACK) == kept


def test_other_games_other_colours_and_other_wishes_have_no_margin():
    player, game = ahead()
    game.play(BLACK, player.last_thought.best.point)
    game.play(WHITE, PASS)
    assert player._safe_lead(game, BLACK) > 0
    assert player._safe_lead(game, WHITE) == 0
    game.play(BLACK, PASS)
    assert player._safe_lead(game, BLACK) == 0
    assert player._safe_lead(Game(7, -30.5), BLACK) == 0
    careless, game = ahead(margin_risk=0.0)
    game.play(BLACK, PASS)
    game.play(WHITE, PASS)
    assert careless._safe_lead(game, BLACK) == 0
