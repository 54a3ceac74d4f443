"""Elo, intervals, and the sequential test, against figures worked out by other means."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

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


def test_intervals_and_superiority_go_by_how_pairs_scatter() -> None:
    """106 of 200: nearly all pairs split, none split, and split as often as chance has it."""
    score = Score(106, 0, 94)
    for pairs, width in (
        ((2, 0, 90, 0, 8), 0.5),
        ((47, 0, 0, 0, 53), 2**0.5),
        ((22, 0, 50, 0, 28), 1),
    ):
        low, high = score.interval(pairs)
        alone = score.interval()[1] - score.interval()[0]
        # Ten pairs as chance has them are taken for granted among the hundred.
        assert (high - low) / alone == pytest.approx(width, abs=0.12)
        assert score.z(pairs) == pytest.approx(score.z() / width, abs=0.4)
        assert (score.superiority(pairs) > 0.9) == (width < 1)
    assert Score(20, 0, 0).interval((0, 0, 0, 0, 10)) == Score(20, 0, 0).interval()
    assert Score(0, 8, 0).z((0, 0, 4, 0, 0)) == 0
    # Two pairs say little about how pairs scatter.
    low, high = Score(2, 0, 2).interval((0, 0, 2, 0, 0))
    assert (low, high) == pytest.approx(Score(2, 0, 2).interval(), abs=0.03)


def test_draws_do_not_scatter() -> None:
    """Of 100 games on their own, half of them drawn."""
    chance, outside = random.Random(3), 0
    for _ in range(400):
        points = [chance.choice((0, 1, 1, 2)) for _ in range(100)]
        pairs = [0] * 5
        for first, second in zip(points[::2], points[1::2], strict=True):
            pairs[first + second] += 1
        score = Score(points.count(2), points.count(1), points.count(0))
        low, high = score.interval((pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]))
        outside += not low <= 0.5 <= high
    assert 6 <= outside <= 34


def test_the_ratio_of_pairs_that_are_won_or_lost_is_the_binomial_one() -> None:
    sprt = Sprt(0, 50)
    p0, p1 = 0.5, expected_share(50)
    for won, lost in ((30, 20), (1, 9), (7, 0)):
        plain = won * math.log(p1 / p0) + lost * math.log((1 - p1) / (1 - p0))
        assert sprt.ratio((lost, 0, 0, 0, won)) == pytest.approx(plain, abs=2e-2)
    assert sprt.ratio((0, 0, 0, 0, 0)) == 0


def test_the_ratio_maximises_both_likelihoods() -> None:
    """The same by trying all rates of split pairs."""
    sprt, won, split, lost = Sprt(-20, 40), 40, 30, 30

    def best(mean: float) -> float:
        rates = [i / 20_000 for i in range(1, 20_000)]
        found = []
        for even in rates:
            win, loss = mean - even / 2, 1 - mean - even / 2
            if win > 0 and loss > 0:
                likelihood = won * math.log(win) + split * math.log(even) + lost * math.log(loss)
                found.append(likelihood)
        return max(found)

    expected = best(expected_share(40)) - best(expected_share(-20))
    assert sprt.ratio((lost, 0, split, 0, won)) == pytest.approx(expected, abs=2e-2)


def test_split_pairs_say_the_more_the_rarer_the_others_are() -> None:
    """What counts is how far the points are off beside how much they scatter from pair to pair."""
    sprt = Sprt(0, 30)
    assert sprt.ratio((5, 0, 200, 0, 15)) > 2 * sprt.ratio((105, 0, 0, 0, 115)) > 0


def test_decisions() -> None:
    sprt = Sprt(0, 100)
    assert sprt.bounds() == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert sprt.decision((5, 0, 0, 0, 5)) is None
    assert sprt.decision((5, 0, 20, 0, 25)) == "accepted"
    assert sprt.decision((10, 0, 20, 0, 5)) == "rejected"


def _together(chance: random.Random, share: float) -> int:
    """The half points of a pair whose games mostly end alike, as if one player's style decided."""
    first = chance.random() < share
    second = first if chance.random() < 0.6 else chance.random() < share
    return 2 * first + 2 * second


def _apart(chance: random.Random, share: float) -> int:
    """Of a pair whose opening mostly decides for a colour: one win each."""
    if chance.random() < 0.6:
        return 2
    wins = (share - 0.3) / 0.4  # of the other pairs, so that the mean is the share
    return 4 if chance.random() < wins else 0


def _with_draws(chance: random.Random, share: float) -> int:
    """Of two games on their own, a fifth of them drawn."""

    def points() -> int:
        r = chance.random()
        return 2 if r < share - 0.1 else 1 if r < share + 0.1 else 0

    return points() + points()


@pytest.mark.parametrize("half_points", [_together, _apart, _with_draws])
@pytest.mark.parametrize(("truth", "expected"), [(0, "rejected"), (80, "accepted")])
def test_the_test_keeps_its_promise(
    half_points: Callable[[random.Random, float], int], truth: float, expected: str
) -> None:
    """At most about 5% wrong answers, whatever the two games of a pair have to do with each other:
    of 120 tests at that rate more than 12 are wrong once in a hundred times."""
    sprt, chance = Sprt(0, 80), random.Random(1)
    wrong = 0
    for _ in range(120):
        counts = [0] * 5
        while (decision := sprt.decision((*counts,))) is None:
            for _ in range(5):
                counts[half_points(chance, expected_share(truth))] += 1
        wrong += decision != expected
    assert wrong <= 12
