"""The rules policy: look at the last move, then anywhere, as MoGo and Fuego do.

In order, each with its chance: answer an atari, answer a chain with two liberties, the vital
point of an eye space, a shape next to the last move or the one before, a capture anywhere,
any move. Bad self-ataris and own eyes are filtered out, the former not always: playouts need
their variety more than they need to be right.
"""

from __future__ import annotations

import numpy as np

from engine.board import S, U0, U1, is_eye, is_legal, u64
from engine.geometry import EMPTY
from engine.jit import inlined, inner
from engine.playout.light import is_light_candidate, set_aside
from engine.playout.replies import atari_replies, nakade_replies, two_liberty_replies
from engine.rng import below, mix, next_state
from engine.tactics.atari import is_bad_self_atari, is_capture

# Chances are out of this many.
CHANCE_UNIT = 65536
_MASK16 = u64(0xFFFF)
_S16, _S32, _S48 = u64(16), u64(32), u64(48)
# How many random points are looked at for a capture.
_CAPTURE_DRAWS = 8

CHANCES = np.dtype(
    [
        ("atari", np.uint64),
        ("two_liberties", np.uint64),
        ("nakade", np.uint64),
        ("shape", np.uint64),
        ("capture", np.uint64),
        ("self_atari_filter", np.uint64),
    ],
    align=True,
)


@inner
def pick_reply(b, w, n, c, state):
    """Draw a candidate that is legal, no own eye and no bad self-atari; 0 if there is none."""
    out = w.replies
    while n > U0:
        k = below(mix(state), n)
        state = next_state(state)
        v = u64(out[k])
        if is_legal(b, v, c) and not is_eye(b, v, c) and not is_bad_self_atari(b, v, c):
            return v, state
        n -= U1
        out[k] = out[n]
    return U0, state


@inner
def tactical_reply(b, w, k, last, c, state):
    """The answer to an atari, to two liberties or to an eye space, or 0."""
    bits = mix(state)
    state = next_state(state)
    v = U0
    if (bits & _MASK16) < k.chances.atari:
        v, state = pick_reply(b, w, atari_replies(b, w, last, c), c, state)
        if v != U0:
            return v, state
    if ((bits >> _S16) & _MASK16) < k.chances.two_liberties:
        v, state = pick_reply(b, w, two_liberty_replies(b, w, last, c), c, state)
        if v != U0:
            return v, state
    if ((bits >> _S32) & _MASK16) < k.chances.nakade:
        v, state = pick_reply(b, w, nakade_replies(b, w, last, c), c, state)
    return v, state


@inner
def _add_shape(b, w, k, v, n):
    """Append a point to the replies if it is empty and a stone there makes a known shape."""
    w.replies[n] = v
    return n + u64((b.color[v] == EMPTY) & (k.rule_shapes[w.weights.code[v]] != 0))


@inner
def shape_replies(b, w, k, last):
    """The points around a move where a stone makes a known shape; returns how many."""
    n = _add_shape(b, w, k, last - S - U1, U0)
    n = _add_shape(b, w, k, last - S, n)
    n = _add_shape(b, w, k, last - S + U1, n)
    n = _add_shape(b, w, k, last - U1, n)
    n = _add_shape(b, w, k, last + U1, n)
    n = _add_shape(b, w, k, last + S - U1, n)
    n = _add_shape(b, w, k, last + S, n)
    return _add_shape(b, w, k, last + S + U1, n)


@inner
def _capture_somewhere(b, c, state):
    """A capture at one of a few random points, or 0."""
    for _ in range(_CAPTURE_DRAWS):
        if b.n_empty == U0:
            break
        v = u64(b.empties[below(mix(state), b.n_empty)])
        state = next_state(state)
        if is_capture(b, v, c) and is_legal(b, v, c):
            return v, state
    return U0, state


@inner
def any_move(b, k, c, state):
    """A random move that fills no own eye and, with its chance, is no bad self-atari; or 0."""
    m = b.n_empty
    while m > U0:
        bits = mix(state)
        state = next_state(state)
        i = below(bits, m)
        v = u64(b.empties[i])
        unfiltered = (bits & _MASK16) >= k.chances.self_atari_filter
        if is_light_candidate(b, v, c) and (unfiltered or not is_bad_self_atari(b, v, c)):
            return v, state
        m -= U1
        set_aside(b, i, m)
    return U0, state


@inlined
def rules_choose(b, w, k, last, before, c, state):
    """A move for c by the rules, 0 for a pass; returns it with the generator's new state."""
    v = U0
    bits = mix(state)
    state = next_state(state)
    if last != U0:
        v, state = tactical_reply(b, w, k, last, c, state)
        if v != U0:
            return v, state
        if (bits & _MASK16) < k.chances.shape:
            v, state = pick_reply(b, w, shape_replies(b, w, k, last), c, state)
            if v == U0 and before != U0:
                v, state = pick_reply(b, w, shape_replies(b, w, k, before), c, state)
            if v != U0:
                return v, state
    if ((bits >> _S16) & _MASK16) < k.chances.capture:
        v, state = _capture_somewhere(b, c, state)
        if v != U0:
            return v, state
    return any_move(b, k, c, state)
