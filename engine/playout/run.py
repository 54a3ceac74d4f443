"""One loop for each policy: play from a position to the end, and count.

A playout ends when both sides pass, when one side is so far ahead in stones that the rest
can't matter (the mercy margin, 0 for never), or at a move limit, since with the simple ko
rule alone a game can go round for ever.
"""

from __future__ import annotations

import numpy as np

from engine.board import S, U0, U1, U3, pass_move, place, u64
from engine.geometry import AREA, BLACK, EMPTY, STRIDE, WHITE
from engine.jit import inner
from engine.playout.codes import start_codes, update_codes
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
from engine.playout.shapes import CODES

# What a policy keeps up from move to move.
NOTHING_KEPT, CODES_KEPT, WEIGHTS_KEPT = 0, 1, 2

SETTINGS = np.dtype(
    [
        ("mercy", np.int64),  # lead in stones that ends a playout; 0 plays on to the end
        ("limit", np.uint64),  # moves after which a playout ends; 0 for three times the board
        ("chances", CHANCES),
        ("factors", FACTORS),
        ("beside_gain", np.uint64),  # what nearness adds to a shape weight, see `gamma.PART_BITS`
        ("diagonal_gain", np.uint64),
        ("shapes", np.uint32, CODES),  # integer weights, Black's in the low half, White's high
        ("rule_shapes", np.uint8, CODES),  # whether a stone makes a shape that is worth a move
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


def _loop(choose, kept):
    """The loop of a playout for one policy.

    Each policy has its own copy, since a compiler that sees all policies in one loop makes
    every one of them slower. A kernel that can play any of them should exist once for each, too.
    """

    @inner
    def loop(b, w, k, last, before, c, state):
        limit = k.limit if k.limit > U0 else u64(MOVES_PER_POINT) * b.size * b.size
        if kept == CODES_KEPT:
            start_codes(w.weights.code, b)
        elif kept == WEIGHTS_KEPT:
            gamma_start(w.weights, b, k)
        lead = _lead(b) if k.mercy > 0 else 0
        mercy = k.mercy if k.mercy > 0 else np.int64(AREA)
        passes = U0
        n = U0
        while passes < 2 and n < limit:
            v, state = choose(b, w, k, last, before, c, state)
            w.moves[n] = v
            n += U1
            if v == U0:
                pass_move(b)
                passes += U1
            else:
                place(b, v, c)
                passes = U0
                if kept == CODES_KEPT:
                    update_codes(w.weights.code, b, v, c)
                elif kept == WEIGHTS_KEPT:
                    gamma_update(w.weights, b, k, v, c)
                gain = 1 + np.int64(b.n_removed)
                lead += gain if c == U1 else -gain
                if abs(lead) > mercy:
                    break
            before = last
            last = v
            c = U3 - c
        w.n_moves = n
        return state

    return loop


# Each policy's loop: plays the position to the end from c's turn and leaves the moves in `w`.
# `last` and `before` are the last two moves, 0 for a pass or none. They return the generator's
# new state.
play_light = _loop(light_choose, NOTHING_KEPT)
play_rules = _loop(rules_choose, CODES_KEPT)
play_gamma = _loop(gamma_choose, WEIGHTS_KEPT)
play_mixed = _loop(mixed_choose, WEIGHTS_KEPT)


@inner
def owner_of(b, v):
    """Whose a point is at the end of a playout: the stone's, or the only colour beside it.

    1 for Black, -1 for White, 0 for nobody. Colours are bits, so no branch is needed: an empty
    point is the one whose stones alone are beside it, the border counting for neither.
    """
    c1, c2, c3, c4 = b.color[v - S], b.color[v - U1], b.color[v + U1], b.color[v + S]
    black = (c1 == BLACK) | (c2 == BLACK) | (c3 == BLACK) | (c4 == BLACK)
    white = (c1 == WHITE) | (c2 == WHITE) | (c3 == WHITE) | (c4 == WHITE)
    empty = b.color[v] == EMPTY
    mine = (b.color[v] == BLACK) | (empty & black & (not white))
    yours = (b.color[v] == WHITE) | (empty & white & (not black))
    return np.int64(mine) - np.int64(yours)


@inner
def count_area(b, owners):
    """Black's area minus White's at the end of a playout; each point's owner is added to
    `owners`, 1 for Black, -1 for White."""
    lead = 0
    for row in range(b.size):
        start = u64((row + 1) * STRIDE + 1)
        for v in range(start, start + b.size):
            owner = owner_of(b, v)
            owners[v] += owner
            lead += owner
    return lead
