"""The mixed policy: the rules' answers to the last move, with gammas where the rules guess.

Answers to atari, two liberties and eye spaces are the rules'. Among the shapes next to the
last moves one is drawn by its learned weight, and so is the move anywhere else.
"""

from __future__ import annotations

from engine.board import U0, U1, is_legal, u64
from engine.jit import inlined, inner
from engine.playout.gamma import gamma_choose, shape_weight
from engine.playout.rules import shape_replies, tactical_reply
from engine.rng import below, mix, next_state
from engine.tactics.atari import is_bad_self_atari

_MASK16 = u64(0xFFFF)


@inner
def shape_reply(b, w, k, last, c, state):
    """A known shape next to a move, drawn by its weight for c; 0 if there is none."""
    g = w.weights
    out = w.replies
    n = shape_replies(b, w, k, last)
    while n > U0:
        total = U0
        for i in range(n):
            total += shape_weight(g, u64(out[i]), c)
        if total == U0:
            break
        r = below(mix(state), total)
        state = next_state(state)
        i = U0
        while r >= shape_weight(g, u64(out[i]), c):
            r -= shape_weight(g, u64(out[i]), c)
            i += U1
        v = u64(out[i])
        if is_legal(b, v, c) and not is_bad_self_atari(b, v, c):
            return v, state
        n -= U1
        out[i] = out[n]
    return U0, state


@inlined
def mixed_choose(b, w, k, last, before, c, state):
    """A move for c, 0 for a pass; returns it with the generator's new state."""
    if last != U0:
        v, state = tactical_reply(b, w, k, last, c, state)
        if v != U0:
            return v, state
        bits = mix(state)
        state = next_state(state)
        if (bits & _MASK16) < k.chances.shape:
            v, state = shape_reply(b, w, k, last, c, state)
            if v == U0 and before != U0:
                v, state = shape_reply(b, w, k, before, c, state)
            if v != U0:
                return v, state
    # The answers to the last move were the rules' business: here no move is the last.
    return gamma_choose(b, w, k, U0, U0, c, state)
