"""Gradients against finite differences, pushes against their definitions, steps by hand."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from engine.board import u64
from knowledge.descent import (
    ADAGRAD,
    FULL,
    LIKELIHOOD,
    RANKED,
    RECIPE,
    SAMPLED,
    SGD,
    THINNED,
    WORK,
    Worker,
    _softmax,
    add_gradients,
    correct_moves,
    find_pushes,
    score_all,
    take_step,
)
from knowledge.fbt import Incremental
from knowledge.vectors import WIDTH, aligned_rows

MOVES, COLUMNS, IDS = 7, 5, 40


def naive_scores(rows: np.ndarray, parents: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """The model's definition: strengths, and the products of all pairs."""
    result = []
    for move in ids:
        features = []
        for feature in move:
            while feature:
                features.append(int(feature))
                feature = parents[feature]
        score = sum(rows[f, 0] for f in features)
        for i, a in enumerate(features):
            for b in features[i + 1 :]:
                score += rows[a, 1:] @ rows[b, 1:]
        result.append(score)
    return np.array(result)


def naive_loss(scores: np.ndarray, played: int) -> float:
    top = scores.max()
    return float(np.log(np.exp(scores - top).sum()) + top - scores[played])


@numba.njit
def _score(rows, blocks, parents, ids, sums, work):
    score_all(rows, blocks, parents, ids, u64(len(ids)), u64(ids.shape[1]), sums, work[0].scores)


@numba.njit
def _push(rows, blocks, parents, ids, played, recipes, state, work, sums, gradient, slot_of):
    t = work[0]
    count, columns = u64(len(ids)), u64(ids.shape[1])
    score_all(rows, blocks, parents, ids, count, columns, sums, t.scores)
    _softmax(t, count)
    state = find_pushes(t, count, u64(played), recipes[0], u64(state))
    add_gradients(t, count, columns, rows, blocks, parents, ids, sums, gradient, slot_of)
    return state


@numba.njit
def _correct(rows, blocks, parents, ids, played, recipes, sums):
    correct_moves(
        u64(len(ids)), u64(played), recipes[0], np.float32(1.0), rows, blocks, parents, ids,
        u64(ids.shape[1]), sums,
    )  # fmt: skip


@numba.njit
def _step(rows, blocks, spent, recipes, work, gradient, slot_of):
    take_step(work[0], recipes[0], np.float32(1.0), rows, blocks, spent, gradient, slot_of)


class Case:
    """A random model with nested features, and a random position of MOVES moves."""

    def __init__(self, seed: int, k: int, nested: bool) -> None:
        generator = np.random.default_rng(seed)
        self.blocks = 1 + k // WIDTH
        self.rows = aligned_rows(IDS, self.blocks)
        table = self.rows.reshape(IDS, -1)
        table[1:, : k + 1] = generator.normal(0, 0.4, (IDS - 1, k + 1))
        self.parents = np.zeros(IDS, np.uint32)
        if nested:
            # The last column's features: each brings the one before it, from 32 down to 30.
            self.parents[31:33] = [30, 31]
        self.ids = np.zeros((MOVES, COLUMNS), np.uint32)
        for j in range(COLUMNS):
            value = generator.integers(0, 6, MOVES)
            self.ids[:, j] = np.where(value > 0, value + 6 * j, 0)
        self.ids[:, COLUMNS - 1] = generator.choice([0, 30, 31, 32, 33], MOVES)
        self.played = int(generator.integers(MOVES))
        self.worker = Worker(IDS, self.blocks)

    def table(self) -> np.ndarray:
        return self.rows.reshape(IDS, -1).astype(np.float64)

    def gradient(self, recipe: np.ndarray, state: int = 1) -> np.ndarray:
        w = self.worker
        _push(
            self.rows, u64(self.blocks), self.parents, self.ids, self.played, recipe, state,
            w.work, w.sums, w.gradient, w.slot_of,
        )  # fmt: skip
        result = np.zeros((IDS, self.blocks * WIDTH))
        n = int(w.work[0]["n_touched"])
        touched = w.work[0]["touched"][:n]
        result[touched] = w.gradient.reshape(-1, self.blocks * WIDTH)[:n]
        w.slot_of[:] = 0
        return result


def recipe_of(push: int, **changes: float) -> np.ndarray:
    result = np.zeros(1, RECIPE)
    result["push"], result["optimizer"] = push, SGD
    for name, value in changes.items():
        result[name] = value
    return result


@pytest.mark.parametrize("k", [0, 3, 15, 20])
@pytest.mark.parametrize("nested", [False, True])
def test_scores_are_the_models_definition(k: int, nested: bool) -> None:
    for seed in range(5):
        case = Case(seed, k, nested)
        _score(
            case.rows, u64(case.blocks), case.parents, case.ids, case.worker.sums, case.worker.work
        )
        found = case.worker.work[0]["scores"][:MOVES]
        assert np.allclose(found, naive_scores(case.table(), case.parents, case.ids), atol=1e-4)


@pytest.mark.parametrize("k", [0, 3, 20])
def test_gradients_are_those_of_finite_differences(k: int) -> None:
    case = Case(seed=7, k=k, nested=True)
    found = case.gradient(recipe_of(LIKELIHOOD))
    table = case.table()
    step = 1e-5
    for feature in range(1, IDS):
        for q in range(k + 1):
            table[feature, q] += step
            up = naive_loss(naive_scores(table, case.parents, case.ids), case.played)
            table[feature, q] -= 2 * step
            down = naive_loss(naive_scores(table, case.parents, case.ids), case.played)
            table[feature, q] += step
            assert found[feature, q] == pytest.approx((up - down) / (2 * step), abs=2e-3)
    assert (found[:, k + 1 :] == 0).all()


@pytest.mark.parametrize(("push", "changes"), [(SAMPLED, {"samples": 3}), (THINNED, {"thin": 0.2})])
def test_cheap_gradients_are_right_on_average(push: int, changes: dict[str, float]) -> None:
    case = Case(seed=3, k=3, nested=True)
    exact = case.gradient(recipe_of(LIKELIHOOD))
    total = np.zeros_like(exact)
    rounds = 20_000
    state = 12345
    for i in range(rounds):
        total += case.gradient(recipe_of(push, **changes), state + 7919 * i)
    assert np.abs(total / rounds - exact).max() < 0.02
    single = case.gradient(recipe_of(push, **changes), 5)
    assert np.abs(single - exact).max() > 0.02


def test_a_step_of_each_optimizer_by_hand() -> None:
    for optimizer in (SGD, ADAGRAD):
        case = Case(seed=1, k=3, nested=False)
        recipe = recipe_of(
            LIKELIHOOD, optimizer=optimizer, rate_w=0.1, rate_v=0.05, decay_w=0.01, decay_v=0.02
        )
        before = case.table()
        spent = np.ones((IDS, 2), np.float32)
        w = case.worker
        gradient = case.gradient(recipe)
        _push(
            case.rows, u64(case.blocks), case.parents, case.ids, case.played, recipe, 1,
            w.work, w.sums, w.gradient, w.slot_of,
        )  # fmt: skip
        _step(case.rows, u64(case.blocks), spent, recipe, w.work, w.gradient, w.slot_of)
        touched = np.unique(case.ids[case.ids > 0])
        full = gradient + before * np.array([0.01, *[0.02] * (WIDTH - 1)])
        rates = np.tile([0.1, *[0.05] * (WIDTH - 1)], (IDS, 1))
        if optimizer == ADAGRAD:
            rates[:, 0] /= np.sqrt(1 + full[:, 0] ** 2)
            rates[:, 1:] /= np.sqrt(1 + (full[:, 1:] ** 2).sum(axis=1))[:, None]
        expected = before.copy()
        expected[touched] -= (rates * full)[touched]
        assert np.allclose(case.table(), expected, atol=1e-5)
        assert not w.slot_of.any()


def corrected_by_definition(
    case: Case, full: bool, rates: tuple[float, float], decays: tuple[float, float]
) -> np.ndarray:
    """LFR's algorithm 1 with gradients by finite differences, a move after the other."""
    table = case.table()
    others = [i for i in range(MOVES) if i != case.played]
    for i in (case.played, *others):
        scores = naive_scores(table, case.parents, case.ids)
        if not (full or scores[i] >= scores[case.played]):
            continue
        error = scores[i] + table[0, 0] - (i == case.played)
        slope = np.zeros_like(table)
        for feature, q in np.ndindex(table.shape):
            moved = table.copy()
            moved[feature, q] += 1e-4
            up = naive_scores(moved, case.parents, case.ids[i : i + 1])[0]
            slope[feature, q] = (up - scores[i]) / 1e-4
        present = slope[:, :1] != 0
        rate = np.array([rates[0], *[rates[1]] * (table.shape[1] - 1)])
        decay = np.array([decays[0], *[decays[1]] * (table.shape[1] - 1)])
        bias = table[0, 0] - rates[0] * error
        table = table - present * rate * (error * slope + decay * table)
        table[0, 0] = bias
    return table


@pytest.mark.parametrize("push", [RANKED, FULL])
@pytest.mark.parametrize("k", [0, 3, 20])
def test_lfr_corrects_one_move_after_another(push: int, k: int) -> None:
    rates, decays = (0.05, 0.04), (0.01, 0.02)
    for seed in range(3):
        case = Case(seed, k, nested=True)
        recipe = recipe_of(
            push, rate_w=rates[0], rate_v=rates[1], decay_w=decays[0], decay_v=decays[1]
        )
        expected = corrected_by_definition(case, push == FULL, rates, decays)
        _correct(
            case.rows, u64(case.blocks), case.parents, case.ids, case.played, recipe,
            case.worker.sums,
        )  # fmt: skip
        found = case.table()
        assert np.allclose(found[:, : k + 1], expected[:, : k + 1], atol=2e-4)
        assert (found[:, k + 1 :] == 0).all()


def test_strengths_kept_up_equal_those_computed_anew() -> None:
    generator = np.random.default_rng(5)
    groups = [generator.choice(20, 6, replace=False).tolist() for _ in range(30)]
    kept = Incremental(groups, generator.normal(size=20), generator.normal(size=(20, 4)))
    for _ in range(500):
        feature = int(generator.integers(20))
        if generator.random() < 0.3:
            kept.set_w(feature, float(generator.normal()))
        else:
            kept.set_v(feature, int(generator.integers(4)), float(generator.normal()))
    anew = [kept.strength(i) for i in range(len(groups))]
    assert np.allclose(kept.strengths, anew, atol=1e-9)


def test_work_has_room_for_the_largest_board() -> None:
    assert np.zeros(1, WORK)[0]["scores"].shape == (626,)
