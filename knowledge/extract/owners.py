"""The groups that need playouts: who owns a point at the end, and whether that decides the game."""

from __future__ import annotations

import numpy as np

from engine.board import BOARD, S, U0, U1, U2, u64
from engine.jit import inner
from engine.playout.light import play_light_game
from engine.playout.run import count_area
from knowledge.extract.facts import NUMBER, put
from knowledge.groups import CRITICALITY_STEPS

_OWNER, _CRITICALITY = NUMBER["owner"], NUMBER["criticality"]
_STEPS = np.array(CRITICALITY_STEPS, np.int64)
_EIGHT = np.int64(8)

PLAYOUT_WORK = BOARD


@inner
def _side(sign):
    """The colour of a sign: Black's is positive, White's negative, 0 is nobody's."""
    return U1 if sign > 0 else U2 if sign < 0 else U0


@inner
def _count_playout(b, komi, w):
    """Add the end of a playout to the counts."""
    w.end[:] = 0
    winner = _side(count_area(b, w.end) - komi)
    w.playouts += 1
    w.wins[winner] += 1
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            owner = _side(w.end[v])
            w.owned[owner, v] += 1
            w.by_winner[v] += (owner == winner) & (owner != U0)


@inner
def sample_owners(start, c, komi, count, rng, work, w):
    """Count the ends of light playouts from a position, which stays as it is.

    `start` and `work` are arrays of one BOARD, `rng` of one word; w is an OWNERS record.
    """
    w.playouts = 0
    w.wins[:] = 0
    w.owned[:] = 0
    w.by_winner[:] = 0
    state = rng[0]
    for _ in range(count):
        work[0] = start[0]
        state, _moves = play_light_game(work[0], c, state)
        _count_playout(work[0], komi, w)
    rng[0] = state


@inner
def _criticality(w, v):
    """The number of steps that a point's criticality reaches."""
    n = w.playouts
    chance = w.wins[1] * w.owned[1, v] + w.wins[2] * w.owned[2, v]
    value = 100 * (n * w.by_winner[v] - chance)
    reached = U0
    for i in range(len(_STEPS)):
        reached += u64(value >= _STEPS[i] * n * n)
    return reached


@inner
def write_owners(c, f, s, out):
    """The groups `owner` and `criticality`."""
    w = f.owners
    for i in range(f.n_moves):
        v = u64(f.points[i])
        put(out, i, s, _OWNER, u64(w.owned[c, v] // _EIGHT))
        if s.first[_CRITICALITY] != 0:
            put(out, i, s, _CRITICALITY, _criticality(w, v))
