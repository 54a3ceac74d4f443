"""The light policy: uniformly random legal moves that fill no own single-point eye.

It is the yardstick for the board's speed, and what better policies fall back on.
"""

from __future__ import annotations

import numpy as np

from engine.board import (
    U0,
    U1,
    U3,
    enclosed_is_legal,
    has_empty_neighbour,
    is_eye,
    pass_move,
    place,
    u64,
)
from engine.geometry import AREA
from engine.jit import inlined, inner, kernel
from engine.position import Position
from engine.rng import below, mix, next_state

# With the simple ko rule alone a game can cycle for ever; this many moves per point is plenty.
MOVES_PER_POINT = 3


@inner
def is_light_candidate(b, v, c):
    """Whether the light policy may play at an empty point: legal, and no own eye."""
    if has_empty_neighbour(b, v):
        return True
    return not is_eye(b, v, c) and enclosed_is_legal(b, v, c)


@inner
def set_aside(b, k, m):
    """Swap the empty points at two places of the list: k was rejected, m ends the drawing range."""
    v = b.empties[k]
    w = b.empties[m]
    b.empties[m] = v
    b.where[v] = m
    b.empties[k] = w
    b.where[w] = k


@inlined
def light_draw(b, c, bits, state):
    """A light move for c, each candidate equally likely, 0 (a pass) if there is none.

    Draws from the list of empty points and swaps what is rejected beyond the drawing range.
    `bits` are the random bits of `state`, always computed a draw ahead, so that they are there
    when a mispredicted branch starts over. Returns the move with the new bits and state.
    """
    m = b.n_empty
    while m > U0:
        k = below(bits, m)
        state = next_state(state)
        bits = mix(state)
        v = u64(b.empties[k])
        if is_light_candidate(b, v, c):
            return v, bits, state
        m -= U1
        set_aside(b, k, m)
    return U0, bits, state


@inlined
def light_choose(b, w, k, last, before, c, state):
    """The same with the signature that all policies share."""
    v, _, state = light_draw(b, c, mix(state), state)
    return v, state


@inner
def play_light_game(b, c, state):
    """Play light moves from c's turn until both pass; returns the new state and the moves."""
    cap = u64(MOVES_PER_POINT) * b.size * b.size
    bits = mix(state)
    passes = U0
    moves = U0
    while passes < 2 and moves < cap:
        v, bits, state = light_draw(b, c, bits, state)
        if v == U0:
            pass_move(b)
            passes += U1
        else:
            place(b, v, c)
            passes = U0
        moves += U1
        c = U3 - c
    return state, moves


@kernel
def _light_playouts(start, work, rng, color, count):
    """Play a number of light games from one position; returns the number of moves in all."""
    state = rng[0]
    total = U0
    for _ in range(count):
        work[0] = start[0]
        state, moves = play_light_game(work[0], u64(color), state)
        total += moves
    rng[0] = state
    return total


@kernel
def _light_candidates(a, color, out):
    """Write the points that the light policy chooses from; returns how many."""
    b = a[0]
    n = 0
    for i in range(b.n_empty):
        v = u64(b.empties[i])
        if is_light_candidate(b, v, u64(color)):
            out[n] = v
            n += 1
    return n


def light_playouts(position: Position, color: int, rng: np.ndarray, count: int) -> int:
    """Play light games from a position, which stays as it is; returns the moves they took."""
    return int(_light_playouts(position.record, np.empty_like(position.record), rng, color, count))


def light_candidates(position: Position, color: int) -> list[int]:
    """The points that the light policy chooses from, sorted."""
    out = np.empty(AREA, np.uint16)
    n = _light_candidates(position.record, color, out)
    return sorted(int(p) for p in out[:n])
