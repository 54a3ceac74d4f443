"""The gamma policy draws moves by the product of gammas: checked by counting draws."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

import numba
import numpy as np
import pytest

from engine.board import BOARD, U0, U1, U3, is_legal, pass_move, place, u64
from engine.geometry import EMPTY, PASS, point, row_and_column
from engine.playout.gamma import (
    WEIGHTS,
    collect_entries,
    end_draw,
    gamma_choose,
    gamma_start,
    gamma_update,
)
from engine.playout.policy import Gammas, Policy, Runner
from engine.playout.run import WORK
from engine.position import Position
from tests.naive import gamma as naive
from tests.positions import Moment, game_moments, grid_of, random_moments

DRAWS = 100_000


def chi_square_excess(moment: Moment, runner: Runner, gammas: Gammas) -> float:
    """How far the draws are from the twin's product, in standard deviations of chi-square."""
    position, color, last = moment.position, moment.color, moment.last
    legal = [row_and_column(p) for p in position.legal_points(color)]
    grid = grid_of(position)
    last_place = row_and_column(last) if last != PASS and grid[row_and_column(last)] else None
    weights = naive.weights(grid, legal, color, last_place, gammas.table(), gammas.factors)
    counts = runner.draws(position, color, DRAWS, PASS if last_place is None else last)
    if not weights:
        assert counts == {PASS: DRAWS}
        return 0.0
    assert set(counts) <= {point(*place) for place in weights}
    total = sum(weights.values())
    expected = {point(*place): DRAWS * w / total for place, w in weights.items()}
    # Rare moves go into one bin, as the test wants at least some draws in each.
    rare = [p for p, e in expected.items() if e < 10]
    bins = [(counts.get(p, 0), e) for p, e in expected.items() if e >= 10]
    if rare:
        bins.append((sum(counts.get(p, 0) for p in rare), sum(expected[p] for p in rare)))
    statistic = sum((seen - e) ** 2 / e for seen, e in bins if e > 0)
    freedom = max(len(bins) - 1, 1)
    return (statistic - freedom) / math.sqrt(2 * freedom)


def check_draws(moments: Iterable[Moment], size: int, at_least: int) -> None:
    gammas = Gammas.shipped(size)
    runner = Runner(Policy("gamma", gammas), seed=11)
    excesses = [chi_square_excess(moment, runner, gammas) for moment in moments]
    assert len(excesses) >= at_least
    # Sums of many: a wrong weight anywhere shows in its position, a small bias in the mean.
    assert max(excesses) < 6.5, sorted(excesses)[-5:]
    assert np.mean(excesses) < 4 / math.sqrt(len(excesses))


def test_draws_follow_the_product_in_random_positions() -> None:
    check_draws(random_moments(seed=3, count=80, sizes=(7, 9)), size=9, at_least=80)


def test_draws_follow_the_product_in_real_games(shared_data: Path) -> None:
    small = game_moments(shared_data / "dan9-valid.sgf.xz", games=60, every=10)
    check_draws(small, size=9, at_least=200)
    large = game_moments(shared_data / "kgs-valid.sgf.xz", games=4, every=40)
    check_draws(large, size=19, at_least=15)


def test_draws_after_a_ko_and_after_captures() -> None:
    gammas = Gammas.shipped(9)
    runner = Runner(Policy("gamma", gammas), seed=5)
    seen = 0
    for moment in random_moments(seed=9, count=400, sizes=(5, 6, 7)):
        if moment.position.ko(moment.color) != PASS or len(moment.position.removed()) > 2:
            assert chi_square_excess(moment, runner, gammas) < 6.5
            seen += 1
    assert seen >= 20


@numba.njit
def _mismatch(start, work, w, fresh, settings, count, seed):
    """Play gamma games; the first move at which the kept weights differ from fresh ones."""
    state = u64(seed)
    b = work[0]
    g = w[0].weights
    for _ in range(count):
        work[0] = start[0]
        gamma_start(g, b, settings[0])
        last = U0
        c = U1
        for n in range(2 * int(b.size) * int(b.size)):
            v, state = gamma_choose(b, w[0], settings[0], last, U0, c, state)
            if v == U0:
                pass_move(b)
            else:
                if not is_legal(b, v, c):
                    return n, 1
                place(b, v, c)
                gamma_update(g, b, settings[0], v, c)
            gamma_start(fresh[0], b, settings[0])
            total = U0
            for row in range(1, int(b.size) + 1):
                row_total = U0
                for p in range(row * 26 + 1, row * 26 + 1 + int(b.size)):
                    q = u64(p)
                    if b.color[q] == EMPTY and g.code[q] != fresh[0].code[q]:
                        return n, 2
                    for half, mover in ((u64(0), U1), (u64(32), u64(2))):
                        kept = (g.weight[q] >> half) & u64(0xFFFFFFFF)
                        new = (fresh[0].weight[q] >> half) & u64(0xFFFFFFFF)
                        # Parked points are off, and only suicides may be.
                        if kept != new and (kept != U0 or is_legal(b, q, mover)):
                            return n, 3
                    row_total += g.weight[q]
                if g.row[row] != row_total:
                    return n, 4
                total += row_total
            if g.total != total:
                return n, 5
            if v != U0:
                # A move after which nothing is looked at must leave nothing to be found.
                collect_entries(fresh[0], b, settings[0].factors, v, U3 - c)
                if fresh[0].n_entries != U0 and g.quiet != U0:
                    return n, 6
                end_draw(fresh[0], b, settings[0])
            last = v
            c = U3 - c
    return -1, 0


@pytest.mark.parametrize("size", [5, 9, 13])
def test_kept_weights_equal_fresh_ones(size: int) -> None:
    policy = Policy("gamma", Gammas.shipped(size))
    start = Position(size).record
    work, w, fresh = np.zeros(1, BOARD), np.zeros(1, WORK), np.zeros(1, WEIGHTS)
    assert _mismatch(start, work, w, fresh, policy.settings(), 40, size) == (-1, 0)


def test_eyes_have_no_weight_and_all_else_has() -> None:
    table = Gammas.shipped(9).table()
    black = table & 0xFFFF
    assert 0 < (black == 0).sum() < 3000
    assert (black[: 1 << 4] > 0).all()
