"""Which child to walk to: the value of each, by the formulas of the papers.

All share a part: a move's mean value with some even games in front of it, mixed with its RAVE
value (all moves as first), whose share falls as the move's own visits grow:

    r / (r + n + n r / k)     for r RAVE visits, n own ones and the equivalence k

To that the scheme adds what knowledge says, for a node of N visits and a move of n visits and
probability P:

    puct        c max(P, cutoff) sqrt(lg N / (1 + n))     lg is the natural logarithm
                or c max(P, cutoff) sqrt(N) / (1 + n)
    prior       nothing: the even games are replaced by those that equations (2) and (3) give
    wins        nothing: to the even games, sqrt(P) times so many won ones are added, as Pachi does
    additive    - w / sqrt(P) sqrt(5 / (N + 5))           Fuego
                + sqrt(3 ln N / (2 n)) - (2 / P) sqrt(ln N / N) w     Rosin
    widening    nothing: only the likeliest moves are looked at, more of them as N grows
    none        nothing

prior and wins may have the term of puct on top, with a weight of its own (`puct_bonus`): FBT on top
of LFR's priors. Every scheme may add a UCB term. The loops are plain and without branches, so that
the compiler makes vector instructions of them; the best is picked in a second loop.
"""

from __future__ import annotations

import math

import numpy as np

from engine.board import U0, U1, u64
from engine.jit import inlined, inner
from engine.tree import (
    BARRED,
    FUTILE,
    LOST,
    RAVE_BITS,
    RAVE_MASK,
    RAVE_UNIT,
    VALUE_BITS,
    VALUE_MASK,
    VALUE_UNIT,
    WON,
)

SELECTIONS = ("puct", "prior", "additive", "widening", "none", "wins")
PUCT, PRIOR, ADDITIVE, WIDENING, NONE, WINS = range(6)

# What selection reads.
GUIDE = np.dtype(
    [
        ("selection", np.int64),
        ("root_form", np.int64),  # puct with sqrt(N) instead of the logarithm
        ("rosin_form", np.int64),
        ("c_puct", np.float32),
        ("puct_bonus", np.float32),  # the same on top of prior and wins
        ("cutoff", np.float32),
        ("additive_weight", np.float32),
        ("exploration", np.float32),
        ("rave_share", np.float32),  # 1 / equivalence
        ("rave_on", np.float32),  # 1 or 0
        ("games", np.float32),  # even games in front of every move
        ("start", np.float32),  # their value
        ("widening_base", np.float32),
        ("widening_growth", np.float32),
        ("futile_penalty", np.float32),  # what a futile move's value is lowered by
    ],
    align=True,
)

_f32 = np.float32
_ZERO, _ONE, _HALF_THREE, _TWO, _FIVE = (_f32(x) for x in (0.0, 1.0, 1.5, 2.0, 5.0))
_TINY = _f32(1e-6)
_VALUE_SCALE = _f32(1.0 / VALUE_UNIT)
_RAVE_SCALE = _f32(1.0 / RAVE_UNIT)
_NEVER, _LOSES = _f32(-1e9), _f32(-1e6)
_MOST = _f32(1e9)


@inlined
def mixed_value(stats, rave, games, start, rave_share, rave_on):
    """A move's value: own games, those in front of them, and RAVE."""
    games += _TINY  # without any games an unvisited move is worth `start`
    n = _f32(stats >> VALUE_BITS) + games
    own = (_f32(stats & VALUE_MASK) * _VALUE_SCALE + games * start) / n
    r = _f32(rave >> RAVE_BITS) * _RAVE_SCALE * rave_on
    others = _f32(rave & RAVE_MASK) * _RAVE_SCALE / (r + _TINY)
    share = r / (r + n + n * r * rave_share)
    return own + share * (others - own) * rave_on


@inner
def _puct_values(t, first, count, g, visits, values):
    scale = g.c_puct * _f32(math.sqrt(math.log(visits)))
    for i in range(count):
        stats = t.stats[first + i]
        value = mixed_value(stats, t.rave[first + i], g.games, g.start, g.rave_share, g.rave_on)
        n = _f32(stats >> VALUE_BITS)
        values[i] = value + scale * max(t.prior[first + i], g.cutoff) / np.sqrt(_ONE + n)


@inner
def _root_puct_values(t, first, count, g, visits, values):
    scale = g.c_puct * _f32(math.sqrt(visits))
    for i in range(count):
        stats = t.stats[first + i]
        value = mixed_value(stats, t.rave[first + i], g.games, g.start, g.rave_share, g.rave_on)
        n = _f32(stats >> VALUE_BITS)
        values[i] = value + scale * max(t.prior[first + i], g.cutoff) / (_ONE + n)


@inner
def _prior_values(t, first, count, g, values):
    for i in range(count):
        values[i] = mixed_value(
            t.stats[first + i], t.rave[first + i], t.games[first + i], t.start[first + i],
            g.rave_share, g.rave_on,
        )  # fmt: skip


@inner
def _add_puct(t, first, count, g, visits, values):
    scale = g.puct_bonus * _f32(math.sqrt(math.log(visits)))
    for i in range(count):
        n = _f32(t.stats[first + i] >> VALUE_BITS)
        values[i] += scale * max(t.prior[first + i], g.cutoff) / np.sqrt(_ONE + n)


@inner
def _plain_values(t, first, count, g, values):
    for i in range(count):
        values[i] = mixed_value(
            t.stats[first + i], t.rave[first + i], g.games, g.start, g.rave_share, g.rave_on
        )


@inner
def _add_fuego(t, first, count, g, visits, values):
    scale = g.additive_weight * _f32(math.sqrt(5.0 / (visits + 5.0)))
    for i in range(count):
        values[i] -= scale / np.sqrt(max(t.prior[first + i], g.cutoff))


@inner
def _rosin_values(t, first, count, g, visits, values):
    """Rosin's PUCB: an unvisited move has value 1 and no second term."""
    log = _f32(math.log(visits))
    share = _ONE if visits < 2.0 else _f32(math.sqrt(math.log(visits) / visits))
    for i in range(count):
        n = _f32(t.stats[first + i] >> VALUE_BITS)
        penalty = g.additive_weight * _TWO / max(t.prior[first + i], g.cutoff) * share
        if n > _ZERO:
            values[i] += np.sqrt(_HALF_THREE * log / n) - penalty
        else:
            values[i] = _ONE - penalty


@inner
def _add_exploration(t, first, count, g, visits, values):
    log = _f32(math.log(visits))
    for i in range(count):
        n = _f32(t.stats[first + i] >> VALUE_BITS)
        values[i] += g.exploration * np.sqrt(log / (n + _ONE))


@inner
def widened(g, visits):
    """How many moves are looked at after so many visits: the n-th waits for
    t(n) = t(n - 1) + base growth^(n - 2), t(1) = 0."""
    count = U1
    threshold = np.float64(g.widening_base)
    step = threshold
    while threshold <= visits and count < u64(1000):
        count += U1
        step *= np.float64(g.widening_growth)
        threshold += step
    return count


@inner
def child_values(t, first, count, g, visits, values):
    """Write the value of each child of a node with so many visits."""
    if g.selection == PUCT:
        if g.root_form != 0:
            _root_puct_values(t, first, count, g, visits, values)
        else:
            _puct_values(t, first, count, g, visits, values)
    elif g.selection == PRIOR or g.selection == WINS:
        _prior_values(t, first, count, g, values)
        if g.puct_bonus != _ZERO:
            _add_puct(t, first, count, g, visits, values)
    else:
        _plain_values(t, first, count, g, values)
        if g.selection == ADDITIVE:
            if g.rosin_form != 0:
                _rosin_values(t, first, count, g, visits, values)
            else:
                _add_fuego(t, first, count, g, visits, values)
    if g.exploration != _ZERO:
        _add_exploration(t, first, count, g, visits, values)


@inner
def _best(t, first, count, values, penalty):
    """The child with the best value, futile ones lowered by the penalty; 0 if all are barred."""
    best = U0
    highest = _NEVER
    for i in range(count):
        state = t.state[first + i]
        value = values[i]
        if state & (BARRED | WON | LOST | FUTILE) != 0:
            if state & BARRED != 0:
                continue
            if state & WON != 0:
                value = _MOST
            elif state & LOST != 0:
                value += _LOSES
            else:
                value -= penalty
        if value > highest:
            highest = value
            best = first + i
    return best


@inner
def select(t, node, g, values):
    """The child to walk to: the best value, but a proven win at once, a proven loss last, a futile
    move only if it is better by the penalty, and none that is barred. 0 if all are barred.

    Where all moves that widening looks at are barred or lost, it looks at the others, too."""
    first = u64(t.first[node])
    count = u64(t.count[node])
    visits = np.float64(max(t.stats[node] >> VALUE_BITS, U1))
    seen = min(count, widened(g, visits)) if g.selection == WIDENING else count
    child_values(t, first, seen, g, visits, values)
    best = _best(t, first, seen, values, g.futile_penalty)
    if seen < count and (best == U0 or t.state[best] & LOST != 0):
        child_values(t, first, count, g, visits, values)
        best = _best(t, first, count, values, g.futile_penalty)
    return best
