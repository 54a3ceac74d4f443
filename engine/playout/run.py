"""One loop for all policies: play from a position to the end, and count.

A playout ends when both sides pass, when one side is so far ahead in stones that the rest
can't matter (the mercy margin, 0 for never), or at a move limit, since with the simple ko
rule alone a game can go round for ever.
"""

from __future__ import annotations

import numpy as np

from engine.board import S, U0, U1, U3, pass_move, place, u64
from engine.geometry import AREA, BLACK, EMPTY, STRIDE, WHITE
from engine.jit import inner
from engine.playout.gamma import (
    FACTORS,
    WEIGHTS,
    gamma_choose,
    gamma_start,
    gamma_update,
)
from engine.playout.light import MOVES_PER_POINT, light_choose
from engine.playout.mixed import mixed_choose
from engine.playout.replies import ROOM
from engine.playout.rules import CHANCES, rules_choose
from engine.rng import mix

LIGHT, RULES, GAMMA, MIXED = 0, 1, 2, 3

SETTINGS = np.dtype(
    [
        ("policy", np.int64),
        ("mercy", np.int64),  # lead in stones that ends a playout; 0 plays on to the end
        ("chances", CHANCES),
        ("factors", FACTORS),
    ],
    align=True,
)

# What one thread needs to run playouts: its own board, weights and the moves it played.
WORK = np.dtype(
    [
        ("weights", WEIGHTS),
        ("n_moves", np.uint64),
        ("moves", np.uint16, MOVES_PER_POINT * AREA),
        ("replies", np.uint16, ROOM),
    ],
    align=True,
)


@inner
def _lead(b):
    """Black's stones minus White's on the board."""
    lead = 0
    for row in range(b.size):
        start = (row + 1) * STRIDE + 1
        for v in range(start, start + b.size):
            lead += (b.color[v] == BLACK) - (b.color[v] == WHITE)
    return lead


@inner
def start_policy(b, w, k, shapes):
    """Prepare a policy's own state for a position."""
    if k.policy >= GAMMA:
        gamma_start(w.weights, b, shapes)


@inner
def choose_move(b, w, k, shapes, rule_shapes, last, before, c, state):
    """The policy's move for c, 0 for a pass, with the generator's new state."""
    g = w.weights
    out = w.replies
    if k.policy == LIGHT:
        v, _, state = light_choose(b, c, mix(state), state)
        return v, state
    if k.policy == RULES:
        return rules_choose(b, k.chances, rule_shapes, last, before, c, out, state)
    if k.policy == GAMMA:
        return gamma_choose(g, b, shapes, k.factors, last, c, state)
    return mixed_choose(g, b, k, shapes, rule_shapes, last, before, c, out, state)


@inner
def update_policy(b, w, k, shapes, v, c):
    """Keep the policy's own state up after c's stone was placed at v."""
    if k.policy >= GAMMA:
        gamma_update(w.weights, b, shapes, v, c)


@inner
def play_out(b, w, k, shapes, rule_shapes, last, before, c, state):
    """Play the position to the end from c's turn; the moves are left in `w`.

    `last` and `before` are the last two moves, 0 for a pass or none. Returns the generator's
    new state.
    """
    limit = u64(MOVES_PER_POINT) * b.size * b.size
    start_policy(b, w, k, shapes)
    lead = _lead(b) if k.mercy > 0 else 0
    passes = U0
    n = U0
    while passes < 2 and n < limit:
        v, state = choose_move(b, w, k, shapes, rule_shapes, last, before, c, state)
        w.moves[n] = v
        n += U1
        if v == U0:
            pass_move(b)
            passes += U1
        else:
            place(b, v, c)
            passes = U0
            update_policy(b, w, k, shapes, v, c)
            if k.mercy > 0:
                gain = 1 + np.int64(b.n_removed)
                lead += gain if c == U1 else -gain
                if abs(lead) > k.mercy:
                    break
        before = last
        last = v
        c = U3 - c
    w.n_moves = n
    return state


@inner
def point_owner(b, v):
    """Whose a point is at the end of a playout: the stone's, or the only colour beside it."""
    if b.color[v] != EMPTY:
        return u64(b.color[v])
    seen = U0
    for n in (v - S, v - U1, v + U1, v + S):
        if b.color[n] == BLACK or b.color[n] == WHITE:
            seen |= u64(b.color[n])
    return seen if seen != U3 else U0


@inner
def area_lead(b):
    """Black's area minus White's at the end of a playout."""
    lead = 0
    for row in range(b.size):
        start = u64((row + 1) * STRIDE + 1)
        for v in range(start, start + b.size):
            owner = point_owner(b, v)
            lead += (owner == U1) - (owner == u64(2))
    return lead


@inner
def add_owners(b, owners):
    """Add 1 to the entry of each point that is Black's, take 1 for White's."""
    for row in range(b.size):
        start = u64((row + 1) * STRIDE + 1)
        for v in range(start, start + b.size):
            owner = point_owner(b, v)
            owners[v] += (owner == U1) - np.int64(owner == u64(2))
