"""Life and death that needs no reading: unconditional life, simple seki, the bent four.

Unconditional life (Benson, 1976): chains that the enemy can't capture even if their owner
never answers. A region is a connected set of points without stones of the colour. It is vital
to a chain if all its empty points are liberties of the chain. Chains with fewer than two vital
regions are dropped, and regions that touch a dropped chain, until nothing changes: what is
left lives. This is exact, and sees what the diagonals of `eyes.py` can't.

Simple seki: a black and a white chain that share their last two liberties, or one liberty
beside an eye of one point each. Whoever plays a shared liberty is captured, and the captor has
two eyes then. What is called a seki is one, as long as the chains around it stay; a "no" says
nothing, for there are larger sekis.

The bent four in the corner: the same sharing of two liberties, but one side can give up three
stones and one more in the shape of a bent four in the corner, which leads to a ko that the
other side can't avoid. Rules that settle life and death without ko threats call it dead.
"""

from __future__ import annotations

import numpy as np

from engine.board import (
    EMPTY,
    S,
    U0,
    U1,
    U2,
    U3,
    U4,
    any_liberty,
    in_atari,
    packed,
    second_liberty,
    touching,
    u64,
)
from engine.geometry import AREA, BLACK, POINTS, WHITE
from engine.jit import inner, kernel
from engine.position import Position
from engine.tactics.nakade import is_dead_shape, shape_after

LIFE_SCRATCH = np.dtype(
    [
        ("points", np.uint16, AREA),  # the points of the regions, one region after the other
        ("start", np.uint16, AREA + 1),  # where each region begins in `points`
        ("vital", np.uint16, 4 * AREA),  # the heads of the chains each is vital to, or 0
        ("holds", np.uint8, AREA),  # whether the region touches living chains only, so far
        ("eyes", np.uint16, POINTS),  # at a chain's head: how many vital regions it has
        ("seen", np.uint8, POINTS),
    ],
    align=True,
)


# --- Unconditional life -------------------------------------------------------------------


@inner
def _first_candidates(b, p, c, s, r):
    """Only chains that touch its first empty point can find the region vital: note them."""
    k = U4 * r
    for q in (p - S, p - U1, p + U1, p + S):
        s.vital[k] = b.chain[q] if b.color[q] == c else 0
        for earlier in range(U4 * r, k):
            if s.vital[earlier] == s.vital[k]:
                s.vital[k] = 0
        k += U1


@inner
def _drop_candidates(b, p, s, r):
    """Strike off the chains that don't touch another empty point; returns how many are left."""
    left = U0
    for k in range(U4 * r, U4 * r + U4):
        h = u64(s.vital[k])
        if h != U0:
            if touching(b, p, h) == U0:
                s.vital[k] = 0
            else:
                left += U1
    return left


@inner
def _add_region(b, v, c, s, r, n):
    """Walk the region of a point, and keep it as region r if it is vital to some chain.

    Returns how many points are kept, and how many regions.
    """
    start = n
    s.start[r] = start
    s.points[n] = v
    s.seen[v] = 1
    n += U1
    i = start
    found_empty = False
    candidates = U4
    while i < n:
        p = u64(s.points[i])
        if b.color[p] == EMPTY and candidates != U0:
            if not found_empty:
                _first_candidates(b, p, c, s, r)
                found_empty = True
            candidates = _drop_candidates(b, p, s, r)
        for q in (p - S, p - U1, p + U1, p + S):
            if b.color[q] != c and b.color[q] != U3 and s.seen[q] == 0:
                s.seen[q] = 1
                s.points[n] = q
                n += U1
        i += U1
    if candidates == U0:
        return start, r
    s.start[r + U1] = n
    s.holds[r] = 1
    return n, r + U1


@inner
def _find_regions(b, c, s):
    """Collect the regions that are vital to some chain of colour c; returns how many."""
    s.seen[:] = 0
    n = U0
    regions = U0
    for row in range(b.size):
        v = (u64(row) + U1) * S + U1
        for _ in range(b.size):
            if b.color[v] != c and s.seen[v] == 0:
                n, regions = _add_region(b, v, c, s, regions, n)
            v += U1
    return regions


@inner
def _mark_chain(b, h, out, mark):
    """Write a mark at all stones of a chain."""
    v = h
    while True:
        out[v] = mark
        v = u64(b.next[v])
        if v == h:
            break


@inner
def _touches_dropped(b, r, c, s, alive_out):
    """Whether a region touches a chain of colour c that is not among the living."""
    for i in range(s.start[r], s.start[r + U1]):
        p = u64(s.points[i])
        for q in (p - S, p - U1, p + U1, p + S):
            if b.color[q] == c and alive_out[q] == 0:
                return True
    return False


@inner
def _count_eyes(s, regions):
    """Count for each chain the vital regions that hold."""
    for k in range(U4 * regions):
        s.eyes[s.vital[k]] = 0
    for r in range(regions):
        if s.holds[r] != 0:
            for k in range(4 * r, 4 * r + 4):
                s.eyes[s.vital[k]] += 1


@inner
def unconditionally_alive(b, c, alive_out, territory_out, s):
    """Mark the stones of c that can't be captured even if c always passes, and their regions.

    Both `_out` arrays have POINTS bytes and get 1 or 0 everywhere. The territory is every point
    of the vital regions, dead enemy stones included: the enemy can't live there. `s` is a
    LIFE_SCRATCH record. Returns how many points were marked.
    """
    alive_out[:POINTS] = 0
    territory_out[:POINTS] = 0
    regions = _find_regions(b, c, s)
    for k in range(U4 * regions):
        if s.vital[k] != 0:
            _mark_chain(b, u64(s.vital[k]), alive_out, U1)
    changed = True
    while changed:
        changed = False
        for r in range(regions):
            if s.holds[r] != 0 and _touches_dropped(b, u64(r), c, s, alive_out):
                s.holds[r] = 0
        _count_eyes(s, regions)
        for k in range(U4 * regions):
            h = u64(s.vital[k])
            if h != U0 and alive_out[h] != 0 and s.eyes[h] < 2:
                _mark_chain(b, h, alive_out, U0)
                changed = True
    for r in range(regions):
        if s.holds[r] != 0:
            for i in range(s.start[r], s.start[r + 1]):
                territory_out[s.points[i]] = 1
    marked = U0
    for v in range(POINTS):
        marked += u64(alive_out[v]) + u64(territory_out[v])
    return marked


# --- Two chains that share liberties ------------------------------------------------------


@inner
def _has_exactly(b, h, p, q):
    """Whether p and q are the liberties of a chain, both and no others."""
    at_p, at_q = touching(b, p, h), touching(b, q, h)
    return at_p != U0 and at_q != U0 and b.libs[h] == at_p * packed(p) + at_q * packed(q)


@inner
def _only_enemy(b, h, p, q):
    """The one enemy chain at p, if p touches nothing else but the chain h and perhaps the empty
    point q; otherwise 0."""
    enemy = U0
    for m in (p - S, p - U1, p + U1, p + S):
        color = b.color[m]
        if color == U3 or m == q or u64(b.chain[m]) == h:
            continue
        if color == EMPTY or color == b.color[h] or (enemy != U0 and enemy != b.chain[m]):
            return U0
        enemy = u64(b.chain[m])
    return enemy


@inner
def _neighbour_in_atari(b, h):
    """Whether an enemy chain that touches this one is in atari."""
    o = U3 - u64(b.color[h])
    v = h
    while True:
        for m in (v - S, v - U1, v + U1, v + S):
            if b.color[m] == o and in_atari(b, u64(b.chain[m])):
                return True
        v = u64(b.next[v])
        if v == h:
            return False


# --- What becomes of a captor -------------------------------------------------------------

_ONE_EYE, _TWO_EYES, _BENT_FOUR, _MISTRUSTED = U0, U1, U2, U3


@inner
def _joins(b, w, v, c):
    """Whether the point w belongs to the chain that c forms by playing v."""
    return w == v or (b.color[w] == c and touching(b, v, u64(b.chain[w])) != U0)


@inner
def _space_left(b, v, c):
    """What the captor of the chain that c forms at v is left with.

    The corner has shapes of its own: the bent four leads to a ko, the rectangle of six (the
    only one with seven joints) is dead, and among those of seven to nine points that cover the
    four points of the corner are a few more, so these are all mistrusted. All else of seven
    points and more is taken for two eyes.
    """
    n, top, degrees = shape_after(b, v, c)
    if is_dead_shape(n, top, degrees):
        return _ONE_EYE
    if n > u64(9):
        return _TWO_EYES
    low, up, right = S + U1, S * (b.size - U1), b.size - U1
    for k, beside, above, inside in (
        (low, low + U1, low + S, low + S + U1),
        (low + right, low + right - U1, low + right + S, low + right + S - U1),
        (low + up, low + up + U1, low + up - S, low + up - S + U1),
        (low + up + right, low + up + right - U1, low + up + right - S, low + up + right - S - U1),
    ):
        if _joins(b, k, v, c) and _joins(b, beside, v, c) and _joins(b, above, v, c):
            if n == U4:
                return _BENT_FOUR
            if n == u64(6) and degrees == u64(14):
                return _MISTRUSTED
            if n > u64(6) and _joins(b, inside, v, c):
                return _MISTRUSTED
    return _TWO_EYES


@inner
def _only_loses(b, h, p, q):
    """Whether a chain gives its captor two eyes, whichever of two shared liberties it plays."""
    c = u64(b.color[h])
    return _space_left(b, p, c) == _TWO_EYES and _space_left(b, q, c) == _TWO_EYES


# --- Seki and the bent four ---------------------------------------------------------------


@inner
def _sharing_enemy(b, h, p, q):
    """The enemy chain that shares both its liberties p and q with a chain, if there is nothing
    else around them: then whoever plays one of them can be captured at the other. Or 0."""
    enemy = _only_enemy(b, h, p, q)
    if enemy == U0 or _only_enemy(b, h, q, p) != enemy or not _has_exactly(b, enemy, p, q):
        return U0
    if _neighbour_in_atari(b, h) or _neighbour_in_atari(b, enemy):
        return U0
    return enemy


@inner
def _is_own_eye(b, p, h):
    """Whether all neighbours of a point are stones of one chain or off the board."""
    for m in (p - S, p - U1, p + U1, p + S):
        if b.color[m] != U3 and u64(b.chain[m]) != h:
            return False
    return True


@inner
def _is_seki_with_eyes(b, h, eye, shared):
    """Whether a chain with an eye shares its other liberty with an enemy that is just like it.

    Whoever captures the other has an eye already and gets the second in the space it gains.
    """
    if not _is_own_eye(b, eye, h):
        return False
    enemy = _only_enemy(b, h, shared, U0)
    if enemy == U0:
        return False
    other = second_liberty(b, enemy, shared)
    return (
        other != U0
        and _is_own_eye(b, other, enemy)
        and not _neighbour_in_atari(b, h)
        and not _neighbour_in_atari(b, enemy)
    )


@inner
def is_simple_seki(b, h):
    """Whether the chain with this head stands in one of the two simple kinds of seki.

    That holds as long as no chain around is captured; a neighbour in atari makes it a "no".
    """
    p = any_liberty(b, h)
    q = second_liberty(b, h, p)
    if q == U0:
        return False
    if _is_seki_with_eyes(b, h, p, q) or _is_seki_with_eyes(b, h, q, p):
        return True
    enemy = _sharing_enemy(b, h, p, q)
    return enemy != U0 and _only_loses(b, h, p, q) and _only_loses(b, enemy, p, q)


@inner
def is_bent_four(b, h):
    """Whether the chain with this head is dead by a bent four in the corner.

    That is: it stands alone around three enemy stones with which it shares its only two
    liberties; it can't play there; and the enemy can, whenever it likes, make its stones a bent
    four in the corner and start a ko. Four empty points of that shape are another matter, for
    their owner can still play there: see `nakade.read_eye_space`.
    """
    p = any_liberty(b, h)
    q = second_liberty(b, h, p)
    if q == U0:
        return False
    enemy = _sharing_enemy(b, h, p, q)
    if enemy == U0 or not _only_loses(b, h, p, q):
        return False
    o = u64(b.color[enemy])
    at_p, at_q = _space_left(b, p, o), _space_left(b, q, o)
    return (at_p == _BENT_FOUR or at_q == _BENT_FOUR) and at_p != _ONE_EYE and at_q != _ONE_EYE


# --- The Python face ----------------------------------------------------------------------


@kernel
def _unconditionally_alive(a, c, alive, territory, scratch):
    return unconditionally_alive(a[0], u64(c), alive, territory, scratch[0])


@kernel
def _is_simple_seki(a, v):
    return is_simple_seki(a[0], u64(a[0].chain[u64(v)]))


@kernel
def _is_bent_four(a, v):
    return is_bent_four(a[0], u64(a[0].chain[u64(v)]))


def unconditional_life(position: Position, color: int) -> tuple[list[int], list[int]]:
    """The stones of a colour that live even if it always passes, and their territory; sorted."""
    if color not in (BLACK, WHITE):
        raise ValueError("not a colour")
    alive, territory = np.empty(POINTS, np.uint8), np.empty(POINTS, np.uint8)
    scratch = np.zeros(1, LIFE_SCRATCH)
    _unconditionally_alive(position.record, color, alive, territory, scratch)
    return [int(p) for p in np.flatnonzero(alive)], [int(p) for p in np.flatnonzero(territory)]


def stands_in_seki(position: Position, p: int) -> bool:
    """Whether the chain at a point stands in a simple seki."""
    _check_stone(position, p)
    return bool(_is_simple_seki(position.record, p))


def is_dead_bent_four(position: Position, p: int) -> bool:
    """Whether the chain at a point is dead by a bent four in the corner."""
    _check_stone(position, p)
    return bool(_is_bent_four(position.record, p))


def _check_stone(position: Position, p: int) -> None:
    if position.color_at(p) not in (BLACK, WHITE):
        raise ValueError("no stone there")
