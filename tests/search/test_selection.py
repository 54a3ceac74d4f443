"""What selection compares, on nodes made by hand: the formulas of the papers in plain floats."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
import pytest

from engine.board import u64
from engine.jit import kernel
from engine.priors import PRIOR
from engine.search import Search
from engine.selection import GUIDE, SELECTIONS, child_values, select, widened
from engine.simulation import _write_prior_games
from engine.tree import (
    AVOIDED,
    FUTILE,
    ILLEGAL,
    LOST,
    RAVE_BITS,
    RAVE_UNIT,
    VALUE_BITS,
    VALUE_UNIT,
    WON,
    Arena,
    new_arena,
)
from tests.search.fixed import settings_of

FIRST = 5  # the children stand anywhere but at 0


@kernel
def values_of(t, guides, visits, values):
    child_values(t, u64(FIRST), u64(len(values)), guides[0], np.float64(visits), values)


@kernel
def chosen_child(t, guides, values):
    return np.int64(select(t, u64(0), guides[0], values))


@kernel
def widened_to(guides, visits):
    return np.int64(widened(guides[0], np.float64(visits)))


@kernel
def write_prior_games(t, priors, order, games):
    _write_prior_games(t, u64(FIRST), priors[0], order, games)


@dataclass
class Child:
    """A move's sums: n visits of which `won` were won, the same by RAVE, and its probability."""

    n: int
    won: float
    p: float
    r: float = 0.0
    r_won: float = 0.0
    state: int = 0
    games: float = 0.0
    start: float = 0.0


def node_of(children: list[Child], visits: int) -> Arena:
    """A root with these children."""
    t = new_arena(FIRST + len(children))
    t.first[0], t.count[0] = FIRST, len(children)
    t.stats[0] = visits << int(VALUE_BITS)
    for i, child in enumerate(children, FIRST):
        t.stats[i] = (child.n << int(VALUE_BITS)) | round(child.won * VALUE_UNIT)
        r, r_won = round(child.r * RAVE_UNIT), round(child.r_won * RAVE_UNIT)
        t.rave[i] = (r << int(RAVE_BITS)) | r_won
        t.prior[i], t.state[i] = child.p, child.state
        t.games[i], t.start[i] = child.games, child.start
    return t


def guide_of(**chosen) -> np.ndarray:
    """What the kernels get to know of settings."""
    search = Search(settings_of(**chosen))
    search._write_guide(9)
    guide = np.zeros(1, GUIDE)
    guide[0] = search._root[0]["guide"]
    assert SELECTIONS[guide[0]["selection"]] == chosen["selection"]
    return guide


def values(children: list[Child], visits: int, **chosen) -> np.ndarray:
    out = np.zeros(len(children), np.float32)
    values_of(node_of(children, visits), guide_of(**chosen), visits, out)
    return out


# --- The formulas, from the papers --------------------------------------------------------


def mean(c: Child, games: float, start: float, k: float | None) -> float:
    """A move's value with games in front, and RAVE whose share falls as visits grow."""
    n = c.n + games
    own = (c.won + games * start) / n if n else start
    if k is None or not c.r:
        return own
    share = c.r / (c.r + n + n * c.r / k)
    return (1 - share) * own + share * c.r_won / c.r


def puct(c: Child, big_n: int) -> float:
    return 0.5 * max(c.p, 0.001) * math.sqrt(math.log(big_n) / (1 + c.n))


def alphago(c: Child, big_n: int) -> float:
    return 0.5 * max(c.p, 0.001) * math.sqrt(big_n) / (1 + c.n)


def fuego(c: Child, big_n: int) -> float:
    return -0.03 / math.sqrt(max(c.p, 0.001)) * math.sqrt(5 / (big_n + 5))


def rosin(c: Child, big_n: int) -> float:
    """Without the mean: Rosin's c(t, s) and m(t, i), the penalty weighed."""
    root = math.sqrt(math.log(big_n) / big_n) if big_n > 1 else 1.0
    return math.sqrt(3 * math.log(big_n) / (2 * c.n)) - 0.03 * 2 / max(c.p, 0.001) * root


def nothing(c: Child, big_n: int) -> float:
    return 0.0


SCHEMES = {
    "puct": (puct, dict(selection="puct")),
    "alphago": (alphago, dict(selection="puct", puct_form="root")),
    "prior": (nothing, dict(selection="prior")),
    "fuego": (fuego, dict(selection="additive")),
    "rosin": (rosin, dict(selection="additive", additive_form="rosin")),
    "widening": (nothing, dict(selection="widening")),
    "none": (nothing, dict(selection="none")),
}


def random_children(rng: random.Random) -> list[Child]:
    children = []
    for _ in range(rng.randrange(2, 40)):
        n = rng.choice((0, 1, 2, rng.randrange(5, 5000)))
        r = round(rng.choice((0, rng.random() * 3000)) * RAVE_UNIT) / RAVE_UNIT
        child = Child(n, round(n * rng.random() * VALUE_UNIT) / VALUE_UNIT, rng.random() ** 8, r)
        child.r_won = round(r * rng.random() * RAVE_UNIT) / RAVE_UNIT
        child.games, child.start = rng.random() * 10, rng.random()
        children.append(child)
    return children


@pytest.mark.parametrize("exploration", [0.0, 0.7])
@pytest.mark.parametrize("rave", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_values_are_the_papers(scheme, rave, exploration):
    extra, chosen = SCHEMES[scheme]
    rng = random.Random(7)
    for _ in range(30):
        children = random_children(rng)
        big_n = sum(c.n for c in children) + rng.randrange(1, 5)
        found = values(
            children, big_n, **chosen, rave=rave, exploration=exploration, even_prior=5,
            first_play=0.6, rave_equivalence=800,
        )  # fmt: skip
        for child, value in zip(children, found, strict=True):
            games, start = (child.games, child.start) if scheme == "prior" else (5.0, 0.6)
            expected = mean(child, games, start, 800 if rave else None)
            if scheme == "rosin" and not child.n:
                # An arm that was never pulled has the mean 1 and no other bonus.
                root = math.sqrt(math.log(big_n) / big_n) if big_n > 1 else 1.0
                expected = 1 - 0.03 * 2 / max(child.p, 0.001) * root
            else:
                expected += extra(child, big_n)
            expected += exploration * math.sqrt(math.log(big_n) / (1 + child.n))
            assert value == pytest.approx(expected, rel=2e-4, abs=2e-4)


def test_values_worked_out_by_hand():
    plain = dict(rave=False, even_prior=0, c_puct=2.0)
    child = [Child(n=3, won=2, p=0.25)]
    # 2/3 + 2 * 0.25 * sqrt(ln 100 / 4) and 2/3 + 2 * 0.25 * 10 / 4
    assert values(child, 100, selection="puct", **plain)[0] == pytest.approx(1.20316, abs=1e-4)
    root = values(child, 100, selection="puct", puct_form="root", **plain)
    assert root[0] == pytest.approx(1.91667, abs=1e-4)
    # 2/3 - 0.1 / 0.5 * sqrt(5 / 25)
    additive = dict(selection="additive", additive_weight=0.1) | plain
    assert values(child, 20, **additive)[0] == pytest.approx(0.57722, abs=1e-4)
    # 2/3 + sqrt(4.5 * ln 20 / 9) - 0.1 * 8 * sqrt(ln 20 / 20)
    found = values(child, 20, additive_form="rosin", **additive)[0]
    assert found == pytest.approx(1.58086, abs=1e-4)
    # 8 RAVE visits of which 2 were won, against 4 visits of which 3 were: 8 / (8 + 4 + 32 / 16)
    mixed = [Child(n=4, won=3, p=0.1, r=8, r_won=2)]
    found = values(mixed, 9, selection="none", even_prior=0, rave_equivalence=16)[0]
    assert found == pytest.approx(0.75 - 0.5 * 8 / 14, abs=1e-4)


@pytest.mark.parametrize("first_play", [0.0, 0.5, 1.1])
def test_an_unvisited_move_is_worth_the_first_play_urgency(first_play):
    """Also when there are no games in front of it."""
    for games in (0, 5):
        chosen = dict(selection="none", rave=False, even_prior=games, first_play=first_play)
        found = values([Child(n=0, won=0, p=0.1), Child(n=4, won=1, p=0.1)], 9, **chosen)
        assert found[0] == pytest.approx(first_play)
        assert found[1] == pytest.approx((1 + games * first_play) / (4 + games), abs=1e-5)


# --- Games from a model's values ----------------------------------------------------------


def prior_games(scores, probabilities, signed, games) -> tuple[list[float], list[float]]:
    """The games and their values that moves get, in the order of the moves."""
    n = len(probabilities)
    t, prior = new_arena(FIRST + n), np.zeros(1, PRIOR)
    prior["n"], prior["is_signed"] = n, signed
    prior["score"][0][:n], prior["probability"][0][:n] = scores, probabilities
    write_prior_games(t, prior, np.arange(n, dtype=np.uint16), float(games))
    return t.games[FIRST:].tolist(), t.start[FIRST:].tolist()


def test_equations_2_and_3_by_hand():
    """V = 2, -1, 1: 7 games a move on average, shared out by |V|; the best wins all of them."""
    games, start = prior_games([2, -1, 1], [0.5, 0.2, 0.3], True, 7)
    assert games == pytest.approx([10.5, 5.25, 5.25])
    assert start == pytest.approx([1.0, 0.0, 0.75])


def test_probabilities_count_by_how_they_differ_from_the_average():
    p = [0.5, 0.25, 0.125, 0.125]
    games, start = prior_games([0] * 4, p, False, 6)
    # The values are ln 2, 0, -ln 2, -ln 2.
    assert games == pytest.approx([8, 0, 8, 8], abs=1e-5)
    assert start == pytest.approx([1.0, 0.5, 0.0, 0.0], abs=1e-5)


@pytest.mark.parametrize("n", [2, 3, 7, 16, 41, 82])
def test_moves_that_are_all_alike_get_even_games(n):
    """Rounding must not decide whether every move starts as won, as lost, or not at all."""
    games, start = prior_games([0] * n, [np.float32(1 / n)] * n, False, 7)
    assert games == pytest.approx([7.0] * n)
    assert start == pytest.approx([0.5] * n)


# --- Which child --------------------------------------------------------------------------


def choice(children: list[Child], visits: int, **chosen) -> int:
    """Which child is walked to, from 0; -1 for none."""
    out = np.zeros(len(children), np.float32)
    guide = guide_of(**(dict(selection="none", even_prior=0, rave=False) | chosen))
    found = chosen_child(node_of(children, visits), guide, out)
    return found - FIRST if found else -1


GOOD, FAIR, BAD = (dict(n=10, won=won, p=0.1) for won in (8, 6, 2))


def test_the_best_value_is_walked_to_and_the_first_of_equals():
    assert choice([Child(**BAD), Child(**GOOD), Child(**FAIR)], 40) == 1
    assert choice([Child(**BAD), Child(**GOOD), Child(**GOOD)], 40) == 1


def test_barred_moves_are_never_walked_to():
    for state in (ILLEGAL, AVOIDED):
        assert choice([Child(**GOOD, state=state), Child(**BAD), Child(**FAIR)], 40) == 2
        assert choice([Child(**GOOD, state=state)] * 2, 40) == -1
    assert choice([Child(**GOOD, state=WON | AVOIDED), Child(**BAD)], 40) == 1


def test_a_proven_win_comes_first_and_a_proven_loss_last():
    assert choice([Child(**GOOD), Child(**BAD, state=WON), Child(**FAIR)], 40) == 1
    assert choice([Child(**GOOD, state=LOST), Child(**BAD), Child(**FAIR)], 40) == 2
    assert choice([Child(**GOOD, state=LOST), Child(**FAIR, state=ILLEGAL)], 40) == 0


def test_a_futile_move_must_be_better_by_the_penalty():
    children = [Child(**GOOD, state=FUTILE), Child(**FAIR)]
    assert choice(children, 40, futile_penalty=0.1) == 0
    assert choice(children, 40, futile_penalty=0.3) == 1
    assert choice([Child(**GOOD, state=FUTILE | LOST), Child(**BAD)], 40, futile_penalty=0.1) == 1
    assert choice([Child(**BAD, state=FUTILE | WON), Child(**GOOD)], 40, futile_penalty=0.9) == 0


def test_widening_looks_at_more_moves_as_visits_grow():
    """Coulom: the n-th move is added at t(n - 1), with t(0) = 0, t(n + 1) = t(n) + 40 * 1.4^n."""
    guide = guide_of(selection="widening")
    t = [0.0]
    for n in range(12):
        t.append(t[-1] + 40 * 1.4**n)
    for visits in range(1, 4000, 7):
        assert widened_to(guide, visits) == sum(threshold <= visits for threshold in t)
    assert widened_to(guide, 39) == 1
    assert widened_to(guide, 40) == 2
    assert widened_to(guide, 96) == 3
    children = [Child(**BAD), Child(**FAIR), Child(**GOOD)]
    found = [choice(children, visits, selection="widening") for visits in (39, 40, 95, 96)]
    assert found == [0, 1, 1, 2]


def test_widening_looks_further_when_all_it_sees_is_barred_or_lost():
    for state in (ILLEGAL, AVOIDED, LOST):
        children = [Child(**GOOD, state=state), Child(**BAD), Child(**FAIR)]
        assert choice(children, 30, selection="widening") == 2
    assert choice([Child(**BAD, state=LOST)] * 3, 30, selection="widening") == 0
