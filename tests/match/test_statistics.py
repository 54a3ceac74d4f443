"""Elo, intervals, and the sequential test, against figures worked out by other means."""

from __future__ import annotations

import math
import random

import pytest

from engine.match.statistics import Score, Sprt, elo, expected_share


def test_elo_and_share_are_inverse() -> None:
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(expected_share(-123.4)) == pytest.approx(-123.4)
    assert (elo(0.0), elo(1.0)) == (-math.inf, math.inf)


def test_intervals_are_wilsons() -> None:
    low, high = Score(90, 0, 10).interval()
    assert (round(low, 3), round(high, 3)) == (0.826, 0.945)
    middle, lowest, highest = Score(90, 0, 10).elo()
    assert lowest < middle < highest
    assert middle == pytest.approx(381.7, abs=0.1)
    assert Score().interval()[0] >= 0
    assert Score(8, 4, 2).points == 10
    assert Score(5, 0, 0).elo()[0::2] == (math.inf, math.inf)
    for games in range(1, 40):
        assert Score(0, 0, games).elo()[:2] == (-math.inf, -math.inf)


def test_superiority() -> None:
    assert Score(10, 7, 10).superiority() == 0.5
    assert Score(0, 9, 0).superiority() == 0.5
    # 15 of 20: the normal distribution at 10 / sqrt(20).
    assert Score(15, 3, 5).superiority() == pytest.approx(0.98733, abs=1e-4)
    assert Score(5, 0, 15).superiority() == pytest.approx(1 - 0.98733, abs=1e-4)


def test_the_ratio_without_draws_is_the_binomial_one() -> None:
    sprt = Sprt(0, 50)
    p0, p1 = 0.5, expected_share(50)
    for wins, losses in ((30, 20), (1, 9), (7, 0)):
        plain = wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))
        assert sprt.ratio(Score(wins, 0, losses)) == pytest.approx(plain, abs=2e-3)
    assert sprt.ratio(Score()) == 0


def test_the_ratio_with_draws_maximises_both_likelihoods() -> None:
    """The same by trying all draw rates."""
    sprt, score = Sprt(-20, 40), Score(40, 30, 30)

    def best(mean: float) -> float:
        rates = [i / 20_000 for i in range(1, 20_000)]
        found = []
        for draw in rates:
            win, loss = mean - draw / 2, 1 - mean - draw / 2
            if win > 0 and loss > 0:
                found.append(40 * math.log(win) + 30 * math.log(draw) + 30 * math.log(loss))
        return max(found)

    expected = best(expected_share(40)) - best(expected_share(-20))
    assert sprt.ratio(score) == pytest.approx(expected, abs=5e-3)


def test_decisions() -> None:
    sprt = Sprt(0, 100)
    assert sprt.bounds() == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert sprt.decision(Score(5, 0, 5)) is None
    assert sprt.decision(Score(60, 0, 20)) == "accepted"
    assert sprt.decision(Score(20, 0, 40)) == "rejected"


@pytest.mark.parametrize(("truth", "expected"), [(0, "rejected"), (80, "accepted")])
def test_the_test_keeps_its_promise(truth: float, expected: str) -> None:
    """At most about 5% wrong answers, with a fifth of the games drawn."""
    sprt, chance = Sprt(0, 80), random.Random(1)
    wrong = 0
    for _ in range(60):
        counts = [0, 0, 0]
        while (decision := sprt.decision(Score(*counts))) is None:
            for _ in range(5):
                win = expected_share(truth) - 0.1
                counts[0 if (r := chance.random()) < win else 1 if r < win + 0.2 else 2] += 1
        wrong += decision != expected
    assert wrong <= 7
