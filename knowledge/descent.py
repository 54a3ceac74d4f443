"""Learning by gradient descent, one position after another: what FBT and LFR share.

FBT: for each position the scores of all moves give a push for each, by how much the loss falls
if that move's score rises. The pushes of a position's moves are summed up by feature, and each
feature's row then takes one step. The likelihood of the played move is maximised, so a move is
pushed down by its probability and the played one up by 1. With samples (equation 13 of the FBT
paper) the probabilities are replaced by how often a move comes up among m draws. Thinned, an
unlikely move is taken with a small chance and a weight that makes up for it, which is as true on
average and far cheaper.

LFR pulls scores to 1 for the played move and to 0 for the others, but only for moves that are not
ranked below the played one; full LFR does it for all. It corrects one move after another, each by
the rows as the one before has left them: together, the many moves of a position that share a
feature would push it too far.

The gradient of a pair's product with respect to one vector is the sum of all others: the papers'
factor 1/2 is wrong. Two threads may step on the same row at once; that loses little, and one
thread is exact and gives the same rows each time.
"""

from __future__ import annotations

import numpy as np

from engine.board import U0, U1, u64
from engine.geometry import AREA
from engine.jit import inlined, inner, kernel
from engine.rng import next_state, unit
from knowledge.vectors import (
    WIDTH,
    aligned_rows,
    first_of,
    keep_vector,
    minus,
    no_vector,
    plus,
    scaled,
    sum_of,
    times,
    vector_at,
    vector_of,
)

LIKELIHOOD, SAMPLED, THINNED, RANKED, FULL = 0, 1, 2, 3, 4
SGD, ADAGRAD = 0, 1
MAX_MOVES = AREA + 1
# How many different features the moves of one position may have that are pushed.
_ROOM = 1 << 15

_W = u64(WIDTH)
_HALF, _ONE, _NONE = np.float32(0.5), np.float32(1.0), np.float32(0.0)

# How to learn.
RECIPE = np.dtype(
    [
        ("push", np.int64),
        ("optimizer", np.int64),
        ("samples", np.int64),  # m, for SAMPLED
        ("thin", np.float64),  # the probability below which losers are thinned out
        ("rate_w", np.float32),
        ("rate_v", np.float32),
        ("decay_w", np.float32),  # L2
        ("decay_v", np.float32),
    ],
    align=True,
)

# A thread's own memory; `slot_of` and `gradient` come beside it, since they depend on the model.
WORK = np.dtype(
    [
        ("n_touched", np.uint64),
        ("touched", np.uint32, _ROOM),
        ("scores", np.float32, MAX_MOVES),
        ("push", np.float32, MAX_MOVES),
        ("probability", np.float64, MAX_MOVES),
    ],
    align=True,
)

# What a walk saw: positions, sum of log-probabilities, hits of the first guess.
SEEN = 3


class Worker:
    """One thread's memory."""

    def __init__(self, n_ids: int, blocks: int) -> None:
        self.work = np.zeros(1, WORK)
        self.sums = aligned_rows(MAX_MOVES, blocks)
        self.gradient = aligned_rows(_ROOM, blocks)
        self.slot_of = np.zeros(n_ids, np.uint16)


# --- Scores -------------------------------------------------------------------------------


@inlined
def _block_score(total, squares, is_first):
    pairs = minus(times(total, total), squares)
    if is_first:
        linear = times(total, vector_of(_ONE, _NONE))
        return sum_of(plus(times(pairs, vector_of(_NONE, _HALF)), linear))
    return sum_of(times(pairs, vector_of(_HALF, _HALF)))


@inner
def score_move(rows, blocks, parents, ids, i, columns, sums):
    """A move's score; the sums of its features' rows are kept, since steps need them."""
    score = _NONE
    for block in range(blocks):
        total = no_vector()
        squares = no_vector()
        for j in range(columns):
            feature = u64(ids[i, j])
            while feature != U0:
                row = vector_at(rows, (feature * blocks + block) * _W)
                total = plus(total, row)
                squares = plus(squares, times(row, row))
                feature = u64(parents[feature])
        keep_vector(sums, (u64(i) * blocks + block) * _W, total)
        score += _block_score(total, squares, block == U0)
    return score


@inner
def score_all(rows, blocks, parents, ids, count, columns, sums, scores):
    """The scores of moves, and the sums of their features' rows."""
    for i in range(count):
        scores[i] = score_move(rows, blocks, parents, ids, i, columns, sums)


# --- Pushes -------------------------------------------------------------------------------


@inner
def _softmax(t, count):
    top = t.scores[0]
    for i in range(count):
        top = max(top, t.scores[i])
    total = 0.0
    for i in range(count):
        t.probability[i] = np.exp(np.float64(t.scores[i] - top))
        total += t.probability[i]
    for i in range(count):
        t.probability[i] /= total


@inner
def _push_by_likelihood(t, count, played):
    for i in range(count):
        t.push[i] = t.probability[i]
    t.push[played] -= _ONE


@inner
def _push_by_samples(t, count, played, m, state):
    for i in range(count):
        t.push[i] = _NONE
    for _ in range(m):
        r = unit(state)
        state = next_state(state)
        i = U0
        while i + U1 < count and r >= t.probability[i]:
            r -= t.probability[i]
            i += U1
        t.push[i] += np.float32(1.0 / m)
    t.push[played] -= _ONE
    return state


@inner
def _push_thinned(t, count, played, thin, state):
    for i in range(count):
        p = t.probability[i]
        if p >= thin or i == played:
            t.push[i] = p
        else:
            t.push[i] = thin if unit(state) * thin < p else 0.0
            state = next_state(state)
    t.push[played] -= _ONE
    return state


@inner
def find_pushes(t, count, played, recipe, state):
    """By how much the loss rises with each move's score; returns the generator's new state."""
    if recipe.push == LIKELIHOOD:
        _push_by_likelihood(t, count, played)
    elif recipe.push == SAMPLED:
        state = _push_by_samples(t, count, played, recipe.samples, state)
    else:
        state = _push_thinned(t, count, played, recipe.thin, state)
    return state


# --- Steps --------------------------------------------------------------------------------


@inner
def add_gradients(t, count, columns, rows, blocks, parents, ids, sums, gradient, slot_of):
    """Sum up the gradient of every feature of the pushed moves."""
    t.n_touched = U0
    for i in range(count):
        push = t.push[i]
        if push == _NONE:
            continue
        for j in range(columns):
            feature = u64(ids[i, j])
            while feature != U0:
                slot = u64(slot_of[feature])
                if slot == U0:
                    slot = t.n_touched + U1
                    t.n_touched = slot
                    slot_of[feature] = slot
                    t.touched[slot - U1] = feature
                    for block in range(blocks):
                        keep_vector(gradient, ((slot - U1) * blocks + block) * _W, no_vector())
                for block in range(blocks):
                    at = ((slot - U1) * blocks + block) * _W
                    row = vector_at(rows, (feature * blocks + block) * _W)
                    others = minus(vector_at(sums, (u64(i) * blocks + block) * _W), row)
                    if block == U0:
                        others = plus(times(others, vector_of(_NONE, _ONE)), vector_of(_ONE, _NONE))
                    keep_vector(gradient, at, plus(vector_at(gradient, at), scaled(others, push)))
                feature = u64(parents[feature])


@inner
def take_step(t, recipe, rate, rows, blocks, spent, gradient, slot_of):
    """Move every touched row against its gradient; `spent` holds AdaGrad's sums of squares."""
    for s in range(t.n_touched):
        feature = u64(t.touched[s])
        slot_of[feature] = 0
        step_w, step_v = recipe.rate_w * rate, recipe.rate_v * rate
        for block in range(blocks):
            decay = vector_of(recipe.decay_w if block == U0 else recipe.decay_v, recipe.decay_v)
            at = (u64(s) * blocks + block) * _W
            row = vector_at(rows, (feature * blocks + block) * _W)
            keep_vector(gradient, at, plus(vector_at(gradient, at), times(row, decay)))
        if recipe.optimizer == ADAGRAD:
            squares = _NONE
            for block in range(blocks):
                g = vector_at(gradient, (u64(s) * blocks + block) * _W)
                squares += sum_of(times(g, g))
            w = first_of(vector_at(gradient, u64(s) * blocks * _W))
            spent[feature, 0] += w * w
            spent[feature, 1] += squares - w * w
            step_w /= np.sqrt(spent[feature, 0])
            step_v /= np.sqrt(spent[feature, 1])
        for block in range(blocks):
            steps = vector_of(step_w if block == U0 else step_v, step_v)
            at = (feature * blocks + block) * _W
            g = vector_at(gradient, (u64(s) * blocks + block) * _W)
            keep_vector(rows, at, minus(vector_at(rows, at), times(g, steps)))


# --- Move by move -------------------------------------------------------------------------


@inner
def _correct_move(error, recipe, rate, rows, blocks, parents, ids, i, columns, sums):
    """A step for every feature of a move whose score is too large by `error`."""
    steps_w, steps_v = recipe.rate_w * rate, recipe.rate_v * rate
    for block in range(blocks):
        total = vector_at(sums, (u64(i) * blocks + block) * _W)
        steps = vector_of(steps_w if block == U0 else steps_v, steps_v)
        decay = vector_of(recipe.decay_w if block == U0 else recipe.decay_v, recipe.decay_v)
        for j in range(columns):
            feature = u64(ids[i, j])
            while feature != U0:
                at = (feature * blocks + block) * _W
                row = vector_at(rows, at)
                others = minus(total, row)
                if block == U0:
                    others = plus(times(others, vector_of(_NONE, _ONE)), vector_of(_ONE, _NONE))
                g = plus(scaled(others, error), times(row, decay))
                keep_vector(rows, at, minus(row, times(g, steps)))
                feature = u64(parents[feature])


@inner
def correct_moves(count, played, recipe, rate, rows, blocks, parents, ids, columns, sums):
    """Correct the played move, then all others that are not ranked below it.

    Row 0 belongs to no feature: its first number is the constant part that all scores share, so
    no rank depends on it.
    """
    own = _NONE
    for n in range(count):
        # The played move comes first.
        i = played if n == 0 else u64(n) - U1 if u64(n) <= played else u64(n)
        score = score_move(rows, blocks, parents, ids, i, columns, sums)
        if n == 0 or recipe.push == FULL or score >= own:
            error = score + rows[0] - (_ONE if n == 0 else _NONE)
            rows[0] -= recipe.rate_w * rate * error
            _correct_move(error, recipe, rate, rows, blocks, parents, ids, i, columns, sums)
            own = score_move(rows, blocks, parents, ids, played, columns, sums)


# --- Learning -----------------------------------------------------------------------------


@inner
def _note(t, count, played, seen):
    """Count a position in: its log-probability, and whether the played move was the first guess."""
    better = 0
    for i in range(count):
        better += t.scores[i] > t.scores[played]
    seen[0] += 1.0
    seen[1] += np.log(max(t.probability[played], 1e-30))
    seen[2] += better == 0


@kernel
def learn_positions(count, ids, starts, played, recipes, rate, state, model, memory, seen):
    """Learn from the positions that a reader has read; returns the generator's new state.

    `model` and `memory` are tuples of arrays.
    """
    rows, spent, parents, blocks = model
    work, sums, gradient, slot_of = memory
    t, recipe, columns = work[0], recipes[0], ids.shape[1]
    for p in range(count):
        state = next_state(state)
        moves = u64(starts[p + 1] - starts[p])
        if moves == U0:
            continue
        own, move = ids[starts[p] : starts[p + 1]], played[p]
        score_all(rows, blocks, parents, own, moves, columns, sums, t.scores)
        _softmax(t, moves)
        _note(t, moves, move, seen)
        if recipe.push >= RANKED:
            correct_moves(moves, move, recipe, rate, rows, blocks, parents, own, columns, sums)
        else:
            state = find_pushes(t, moves, move, recipe, state)
            add_gradients(t, moves, columns, rows, blocks, parents, own, sums, gradient, slot_of)
            take_step(t, recipe, rate, rows, blocks, spent, gradient, slot_of)
    return state
