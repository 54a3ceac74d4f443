"""The legal moves: the chains beside each, the liberties it leads to, and eyes."""

from __future__ import annotations

from engine.board import S, U0, U1, U2, U3, U4, enclosed_is_legal, u64
from engine.geometry import EMPTY, PASS
from engine.jit import inner
from engine.tactics.atari import is_bad_self_atari
from engine.tactics.eyes import FALSE_EYE, REAL_EYE, eye_kind
from knowledge.extract.facts import (
    BAD,
    DIES,
    ENEMY_FALSE,
    ENEMY_REAL,
    GUARDS,
    LIBERTY_ROOM,
    MOST_LIBERTIES,
    NEAR_MOVES,
    NO_CHAIN,
    OWN_FALSE,
    OWN_REAL,
    SPOILS,
    TAKES,
)

_MOST_AFTER = u64(5)
_NO_CHAIN = u64(NO_CHAIN)


# --- The new chain's liberties ------------------------------------------------------------


@inner
def _touches(b, p, g1, g2, g3, g4):
    """Whether a point touches one of up to four chains, by their heads; 0 is none."""
    result = False
    for m in (p - S, p - U1, p + U1, p + S):
        h = u64(b.chain[m])
        result |= (h == g1) | (h == g2) | (h == g3) | (h == g4)
    return result


@inner
def _kept(b, v, f, g, g1, g2, g3):
    """How many liberties the chain g brings to the new one, those of earlier chains aside."""
    n = u64(f.count[g])
    if g1 | g2 | g3 == U0:
        return n - U1
    result = U0
    for i in range(n):
        p = u64(f.liberties[g * LIBERTY_ROOM + i])
        result += u64((p != v) & (not _touches(b, p, g1, g2, g3, U0)))
    return result


@inner
def _freed(b, c, v, f, g1, g2, g3, g4):
    """How many liberties captures bring to the new chain."""
    result = U0
    for n in (v - S, v - U1, v + U1, v + S):
        h = u64(b.chain[n])
        if u64(b.color[n]) != U3 - c or f.count[h] != U1:
            continue
        # A chain that touches v more than once counts once.
        if n != v - S and u64(b.chain[v - S]) == h:
            continue
        if n == v + U1 and u64(b.chain[v - U1]) == h:
            continue
        if n == v + S and (u64(b.chain[v - U1]) == h or u64(b.chain[v + U1]) == h):
            continue
        p = h
        while result < _MOST_AFTER:
            beside = (p == v - S) | (p == v - U1) | (p == v + U1) | (p == v + S)
            result += u64(beside | _touches(b, p, g1, g2, g3, g4))
            p = u64(b.next[p])
            if p == h:
                break
    return result


@inner
def _liberties_after(b, c, v, f, g1, g2, g3, g4):
    """The liberties of the new chain up to 5, from the own chains beside v; 0 is none."""
    if (
        (f.count[g1] == MOST_LIBERTIES)
        | (f.count[g2] == MOST_LIBERTIES)
        | (f.count[g3] == MOST_LIBERTIES)
        | (f.count[g4] == MOST_LIBERTIES)
    ):
        return _MOST_AFTER
    n = U0
    if g1 != U0:
        n += _kept(b, v, f, g1, U0, U0, U0)
    if g2 != U0:
        n += _kept(b, v, f, g2, g1, U0, U0)
    if g3 != U0:
        n += _kept(b, v, f, g3, g1, g2, U0)
    if g4 != U0:
        n += _kept(b, v, f, g4, g1, g2, g3)
    for m in (v - S, v - U1, v + U1, v + S):
        if b.color[m] == EMPTY:
            n += u64(not _touches(b, m, g1, g2, g3, g4))
    if f.mark[v] & TAKES != U0:
        n += _freed(b, c, v, f, g1, g2, g3, g4)
    return min(n, _MOST_AFTER)


# --- The list of moves --------------------------------------------------------------------


@inner
def _list_empty(b, out):
    """Write all empty points, row by row; returns how many."""
    n = U0
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            out[n] = v
            n += u64(b.color[v] == EMPTY)
    return n


@inner
def _if_own(color, c, h):
    """The head if it is of colour c, else 0."""
    return h if color == c else U0


@inner
def _state(count, fewest):
    """A side's state for the group `contact`."""
    return U0 if count == U0 else min(fewest, U4) + (U4 if count > U1 else U0)


@inner
def _look_around(b, c, v, f, i):
    """Note what stands beside a move."""
    n1, n2, n3, n4 = v - S, v - U1, v + U1, v + S
    c1, c2, c3, c4 = u64(b.color[n1]), u64(b.color[n2]), u64(b.color[n3]), u64(b.color[n4])
    h1, h2, h3, h4 = u64(b.chain[n1]), u64(b.chain[n2]), u64(b.chain[n3]), u64(b.chain[n4])
    # Each chain once: the head of one that was seen before becomes 0, which is no chain.
    h2 = h2 if h2 != h1 else U0
    h3 = h3 if (h3 != h1) & (h3 != h2) else U0
    h4 = h4 if (h4 != h1) & (h4 != h2) & (h4 != h3) else U0
    g1, g2, g3, g4 = _if_own(c1, c, h1), _if_own(c2, c, h2), _if_own(c3, c, h3), _if_own(c4, c, h4)
    o = U3 - c
    e1, e2, e3, e4 = _if_own(c1, o, h1), _if_own(c2, o, h2), _if_own(c3, o, h3), _if_own(c4, o, h4)
    k1, k2, k3, k4 = u64(f.count[g1]), u64(f.count[g2]), u64(f.count[g3]), u64(f.count[g4])
    m1, m2, m3, m4 = u64(f.count[e1]), u64(f.count[e2]), u64(f.count[e3]), u64(f.count[e4])
    own = u64(g1 != U0) + u64(g2 != U0) + u64(g3 != U0) + u64(g4 != U0)
    enemy = u64(e1 != U0) + u64(e2 != U0) + u64(e3 != U0) + u64(e4 != U0)
    f.own_state[i] = _state(own, min(min(k1, k2), min(k3, k4)))
    f.enemy_state[i] = _state(enemy, min(min(m1, m2), min(m3, m4)))
    # Chains in atari don't count here.
    k1 = k1 if k1 > U1 else _NO_CHAIN
    k2 = k2 if k2 > U1 else _NO_CHAIN
    k3 = k3 if k3 > U1 else _NO_CHAIN
    k4 = k4 if k4 > U1 else _NO_CHAIN
    f.fewest[i] = min(min(k1, k2), min(k3, k4))
    empties = (c1 >> U2) + (c2 >> U2) + (c3 >> U2) + (c4 >> U2)
    f.empties[i] = empties
    after = empties
    if own != U0 or f.mark[v] & TAKES != U0:
        after = _liberties_after(b, c, v, f, g1, g2, g3, g4)
    f.after[i] = after


@inner
def list_moves(b, c, s, f):
    """List the legal moves, the pass last, and what is around each."""
    n_empty = _list_empty(b, f.queue)
    n = enclosed = U0
    for j in range(n_empty):
        v = u64(f.queue[j])
        sides = b.color[v - S] | b.color[v - U1] | b.color[v + U1] | b.color[v + S]
        if sides & EMPTY == 0:
            f.enclosed[enclosed] = v
            enclosed += U1
            if not enclosed_is_legal(b, v, c):
                continue
        f.points[n] = v
        _look_around(b, c, v, f, n)
        if f.after[n] == U1:
            f.mark[v] |= DIES
            if s.self_ataris != U0 and is_bad_self_atari(b, v, c):
                f.mark[v] |= BAD
        n += U1
    f.points[n] = PASS
    f.n_moves = n
    f.n_enclosed = enclosed


# --- Marks that only points have ----------------------------------------------------------


@inner
def _is_last_guard(b, e, c):
    """Whether one more enemy on a diagonal makes c's real eye at e false."""
    d1, d2 = u64(b.color[e - S - U1]), u64(b.color[e - S + U1])
    d3, d4 = u64(b.color[e + S - U1]), u64(b.color[e + S + U1])
    o = U3 - c
    enemies = u64(d1 == o) + u64(d2 == o) + u64(d3 == o) + u64(d4 == o)
    edge = u64((d1 == U3) | (d2 == U3) | (d3 == U3) | (d4 == U3))
    return enemies + edge == U1


@inner
def _mark_eye(b, e, c, f, real, false, diagonal):
    """Mark an enclosed point that is an eye of c, and what its diagonals mean to it."""
    kind = eye_kind(b, e, c)
    if kind == REAL_EYE:
        f.mark[e] |= real
        if _is_last_guard(b, e, c):
            for p in (e - S - U1, e - S + U1, e + S - U1, e + S + U1):
                f.mark[p] |= diagonal
    elif kind == FALSE_EYE:
        f.mark[e] |= false


@inner
def mark_eyes(b, c, f):
    """Mark the eyes of both sides."""
    for j in range(f.n_enclosed):
        e = u64(f.enclosed[j])
        _mark_eye(b, e, c, f, OWN_REAL, OWN_FALSE, GUARDS)
        _mark_eye(b, e, U3 - c, f, ENEMY_REAL, ENEMY_FALSE, SPOILS)


@inner
def mark_around(f, p):
    """Mark the eight points around a move, if there is one."""
    if p != U0:
        for q in (p - S - U1, p - S, p - S + U1, p - U1, p + U1, p + S - U1, p + S, p + S + U1):
            f.mark[q] |= NEAR_MOVES


@inner
def list_hot_moves(f):
    """List the moves whose points are marked: all others have no tactics."""
    n = U0
    for i in range(f.n_moves):
        f.hot[n] = i
        n += u64(f.mark[u64(f.points[i])] != U0)
    f.n_hot = n
