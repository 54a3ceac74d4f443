"""Nakade: eye spaces of up to six points, and the stones that kill them from inside.

An eye space is a connected region inside the walls of one colour. Most shapes of four points
and more hold two eyes. Those that don't, and the point on which both sides want to play, are
told by counting how many neighbours each point has within the shape, its degree:

    points  dead shapes                                      vital point
    1, 2    all                                              none
    3       straight, bent                                   the middle, degree 2
    4       T                                                degree 3
            square (all degrees 2): dead even if defended    none
    5       cross; bulky (the only one with five joints)     degree 4; degree 3
    6       rabbity (a degree 4 and six joints)              degree 4

These are all there are in the middle and at the edge: the tests play every shape out. They
take the wall for one chain without liberties outside. In the corner there are two more, which
the fast functions leave aside: the bent four, which is a ko, and the rectangle of six, which
dies only without outside liberties.

`vital_point` and `forms_dead_shape` are made for playouts. `read_eye_space` takes regions in
which the attacker already has stones, plays them out and knows the corner too.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from engine.board import EMPTY, S, U0, U1, U2, U3, U4, u64
from engine.geometry import BLACK, OFF, WHITE
from engine.jit import inner, kernel
from engine.position import Position

U5, U6, U8 = u64(5), u64(6), u64(8)

# A region of up to six points is kept in one word, ten bits a point, so that it needs no memory.
LARGEST = U6
_LANE_BITS = u64(10)
_LANE = u64((1 << 10) - 1)
_ONES = u64(sum(1 << 10 * i for i in range(6)))
_TOPS = u64(sum(1 << 10 * i + 9 for i in range(6)))
_EVEN_BITS, _PAIRS, _SUM_OF_PAIRS, _TOP_PAIR = u64(0x5555), u64(0x3333), u64(0x1111), u64(12)


@inner
def _contains(region, p):
    """Whether a point is in a region: whether a lane of the difference is zero."""
    difference = region ^ (p * _ONES)
    return (difference - _ONES) & ~difference & _TOPS != U0


# --- Shapes -------------------------------------------------------------------------------


@inner
def is_dead_shape(n, top, degrees):
    """Whether n points with this highest degree and sum of degrees hold one eye only."""
    if n <= U3:
        return True
    if n == U4:
        return (top == U3) | (degrees == U8)
    if n == U5:
        return (top == U4) | (degrees == u64(10))
    return (n == U6) & (top == U4) & (degrees == u64(12))


@inner
def is_narrow(code):
    """Whether at most five of the eight points around a point are empty, by its neighbourhood
    code: so it is in every space with a vital point, unless there are gaps across a wall."""
    empty = ~(code | (code >> U1)) & _EVEN_BITS
    pairs = (empty & _PAIRS) + ((empty >> U2) & _PAIRS)
    return ((pairs * _SUM_OF_PAIRS) >> _TOP_PAIR) & u64(15) <= U5


@inner
def vital_point(b, v, wall):
    """The point that decides the life of the empty region around v, or 0 if there is none.

    The region must be closed in by stones of the colour `wall` and have at most six points.
    """
    o = U3 - wall
    region = v
    n = U1
    i = U0
    top = U0
    centre = U0
    degrees = U0
    while i < n:
        p = (region >> (i * _LANE_BITS)) & _LANE
        c1, c2 = u64(b.color[p - S]), u64(b.color[p - U1])
        c3, c4 = u64(b.color[p + U1]), u64(b.color[p + S])
        if (c1 == o) | (c2 == o) | (c3 == o) | (c4 == o):
            return U0
        degree = (c1 >> U2) + (c2 >> U2) + (c3 >> U2) + (c4 >> U2)
        for q, color in ((p - S, c1), (p - U1, c2), (p + U1, c3), (p + S, c4)):
            if color == EMPTY and not _contains(region, q):
                if n == LARGEST:
                    return U0
                region |= q << (n * _LANE_BITS)
                n += U1
        degrees += degree
        if degree > top:
            top = degree
            centre = p
        i += U1
    square = (n == U4) & (top == U2)
    return centre if (n >= U3) & is_dead_shape(n, top, degrees) & (not square) else U0


@inner
def _degree(b, p, v, c):
    """How many neighbours of p are stones of colour c or the point v."""
    return (
        u64((b.color[p - S] == c) | (p - S == v))
        + u64((b.color[p - U1] == c) | (p - U1 == v))
        + u64((b.color[p + U1] == c) | (p + U1 == v))
        + u64((b.color[p + S] == c) | (p + S == v))
    )


@inner
def shape_after(b, v, c):
    """The shape of the chain that c forms by playing v: its stones, highest degree and sum of
    degrees. With more than six stones only their number is right."""
    n = U1
    top = _degree(b, v, v, c)
    degrees = top
    h1 = h2 = h3 = U0
    for m in (v - S, v - U1, v + U1, v + S):
        h = u64(b.chain[m])
        if b.color[m] != c or h == h1 or h == h2 or h == h3:
            continue
        h1, h2, h3 = h, h1, h2
        n += u64(b.stones[h])
        p = h
        while n <= LARGEST:
            degree = _degree(b, p, v, c)
            degrees += degree
            top = max(top, degree)
            p = u64(b.next[p])
            if p == h:
                break
    return n, top, degrees


@inner
def forms_dead_shape(b, v, c):
    """Whether the chain that c forms by playing v leaves, once captured, one eye at most.

    So if it is captured inside an eye space it fills, it has killed from inside.
    """
    n, top, degrees = shape_after(b, v, c)
    return is_dead_shape(n, top, degrees)


# --- Reading an eye space with stones in it -------------------------------------------------
#
# The points of the region are numbered, sets of them are masks of six bits, and `touch` holds
# six such masks: the neighbours of each point. A state is one number of 16 bits: the
# attacker's stones, the defender's, who is to move, and the point that ko bars (plus one).

UNKNOWN, ALIVE, KO, UNSETTLED, DEAD = u64(0), u64(1), u64(2), u64(3), u64(4)

EYE_SCRATCH = np.dtype(
    [
        ("memo", np.uint8, 1 << 16),  # what is known of each state
        ("path", np.uint32, 256),  # the states from the root to the one being read
    ],
    align=True,
)
_DEEPEST = u64(255)
_ATTACKER, _DEFENDER = U0, U1
_MASK = u64(63)
_DEFENDER_SHIFT, _SIDE_SHIFT, _KO_SHIFT, _NEXT_SHIFT = U6, u64(12), u64(13), u64(16)
_STATE = u64((1 << 16) - 1)
_ILLEGAL, _WALL_FALLS = u64(1 << 20), u64(1 << 21)
_NOT_READ, _OPEN, _STANDS, _FALLS = U0, U1, U2, U3


@inner
def _around(touch, mask):
    """The neighbours of a set of points, within the region."""
    result = U0
    while mask != U0:
        i = U0
        while (mask >> i) & U1 == U0:
            i += U1
        mask &= mask - U1
        result |= (touch >> (i * U6)) & _MASK
    return result


@inner
def _chain_of(touch, stones, seed):
    """The stones connected to some of them."""
    while True:
        grown = seed | (_around(touch, seed) & stones)
        if grown == seed:
            return seed
        seed = grown


@inner
def _wall_liberties(touch, walled, defenders, empty):
    wall = _chain_of(touch, defenders, defenders & walled)
    return (walled | _around(touch, wall)) & empty


@inner
def _liberties(touch, walled, chain, by_defender, defenders, empty):
    """The liberties of a chain; one of the defender's that reaches the wall has the wall's."""
    if by_defender and chain & walled != U0:
        return _wall_liberties(touch, walled, defenders, empty)
    return _around(touch, chain) & empty


@inner
def _state(attackers, defenders, side, ko):
    return attackers | defenders << _DEFENDER_SHIFT | side << _SIDE_SHIFT | ko << _KO_SHIFT


@inner
def _step(space, state, i, ko_loser):
    """The state after the side to move plays the point i (n is a pass), or how that ends."""
    n, touch, walled = space
    attackers = state & _MASK
    defenders = (state >> _DEFENDER_SHIFT) & _MASK
    side = (state >> _SIDE_SHIFT) & U1
    if i == n:
        return _state(attackers, defenders, U1 - side, U0)
    stone = U1 << i
    if (attackers | defenders) & stone != U0 or state >> _KO_SHIFT == i + U1:
        return _ILLEGAL
    empty = ((U1 << n) - U1) & ~(attackers | defenders | stone)
    by_defender = side == _DEFENDER
    if by_defender:
        defenders |= stone
    else:
        attackers |= stone
        if _wall_liberties(touch, walled, defenders, empty) == U0:
            return _WALL_FALLS
    own, others = (defenders, attackers) if by_defender else (attackers, defenders)
    dead = U0
    waiting = _around(touch, stone) & others
    while waiting != U0:
        chain = _chain_of(touch, others, waiting & (~waiting + U1))
        waiting &= ~chain
        if _liberties(touch, walled, chain, not by_defender, defenders, empty) == U0:
            dead |= chain
    attackers &= ~dead
    defenders &= ~dead
    chain = _chain_of(touch, own, stone)
    free = _liberties(touch, walled, chain, by_defender, defenders, empty | dead)
    if free == U0:
        return _ILLEGAL
    ko = U0
    is_alone = chain == stone and not (by_defender and stone & walled != U0)
    if is_alone and free == dead and U1 - side == ko_loser and dead & (dead - U1) == U0:
        while dead >> ko != U0:
            ko += U1
    return _state(attackers, defenders, U1 - side, ko)


@inner
def _search(space, root, ko_loser, s):
    """Read a state depth first, noting what becomes of every state on the way.

    A line that comes back to one of its own states lets the wall stand at first: that is noted
    as a guess. Falls are never guessed. Returns the outcome, the move that brings it about,
    whether there were guesses, and how many states were newly found to fall.
    """
    n = space[0]
    guessed = False
    found = U0
    depth = U0
    s.path[0] = root
    s.memo[root] = _OPEN
    while True:
        entry = u64(s.path[depth])
        state, i = entry & _STATE, entry >> _NEXT_SHIFT
        attacking = (state >> _SIDE_SHIFT) & U1 == _ATTACKER
        outcome = _STANDS if attacking else _FALLS
        # The attacker gains by a pass only where a ko bars it: the defender could pass too.
        choices = n if attacking and state >> _KO_SHIFT == U0 else n + U1
        if i < choices:
            after = _step(space, state, i, ko_loser)
            if after == _WALL_FALLS:
                outcome = _FALLS
            elif after != _ILLEGAL:
                outcome = u64(s.memo[after])
                if outcome == _NOT_READ and depth < _DEEPEST:
                    # Read that state first; this move is looked at again afterwards.
                    depth += U1
                    s.path[depth] = after
                    s.memo[after] = _OPEN
                    continue
                if outcome != _FALLS:
                    guessed |= outcome != _STANDS
                    outcome = _STANDS
            if (outcome == _FALLS) != attacking:
                s.path[depth] = state | (i + U1) << _NEXT_SHIFT
                continue
        s.memo[state] = outcome
        found += u64(outcome == _FALLS)
        if depth == U0:
            return outcome == _FALLS, i, guessed, found
        depth -= U1


@inner
def _read(space, attackers, first, ko_loser, s):
    """Whether the attacker can force the wall to fall, and the first side's move that decides.

    What stands by a guess is read again, until a whole search finds nothing new to fall: then
    the defender can go on for ever among the states that stand.
    """
    s.memo[:] = _NOT_READ
    root = attackers | first << _SIDE_SHIFT
    while True:
        falls, i, guessed, found = _search(space, root, ko_loser, s)
        if falls or not guessed or found == U0:
            return falls, i
        for state in range(len(s.memo)):
            if s.memo[state] != _FALLS:
                s.memo[state] = _NOT_READ


@inner
def _lay_out(b, v, wall):
    """The region of points around v that are not of the colour `wall`: its points, how many, the
    masks of neighbours, of points at the wall and of stones. Zero points if it is too large."""
    region = v
    n = U1
    i = U0
    walled = U0
    attackers = U0
    while i < n:
        p = (region >> (i * _LANE_BITS)) & _LANE
        if b.color[p] != EMPTY:
            attackers |= U1 << i
        for q in (p - S, p - U1, p + U1, p + S):
            color = u64(b.color[q])
            if color == wall:
                walled |= U1 << i
            elif color != U3 and not _contains(region, q):
                if n == LARGEST:
                    return region, U0, U0, U0, U0
                region |= q << (n * _LANE_BITS)
                n += U1
        i += U1
    touch = U0
    for i in range(n):
        for j in range(n):
            p = (region >> (u64(i) * _LANE_BITS)) & _LANE
            q = (region >> (u64(j) * _LANE_BITS)) & _LANE
            if (p == q + S) | (p == q + U1) | (q == p + S) | (q == p + U1):
                touch |= U1 << (u64(i) * U6 + u64(j))
    return region, n, touch, walled, attackers


@inner
def read_eye_space(b, v, wall, s):
    """What becomes of the walls around the region at v: a status, where the attacker kills or
    starts the ko, and where the defender lives (0 where there is no such point).

    The region is all that is connected to v and not of the colour `wall`, stones of the other
    colour included, and has at most six points; otherwise the status is UNKNOWN. The walls are
    taken for one chain that has no liberties and no eyes elsewhere: then DEAD is dead whoever
    plays first, UNSETTLED goes to the side that does, KO is a ko if the attacker begins, and
    ALIVE stands, be it with two eyes or in seki. `s` is an EYE_SCRATCH record.
    """
    region, n, touch, walled, attackers = _lay_out(b, v, wall)
    if n == U0 or walled == U0:
        return UNKNOWN, U0, U0
    space = (n, touch, walled)
    falls, i = _read(space, attackers, _ATTACKER, _ATTACKER, s)
    if falls:
        kill = (region >> (i * _LANE_BITS)) & _LANE if i < n else U0
        falls, i = _read(space, attackers, _DEFENDER, _ATTACKER, s)
        if falls:
            return DEAD, U0, U0
        return UNSETTLED, kill, (region >> (i * _LANE_BITS)) & _LANE if i < n else U0
    falls, i = _read(space, attackers, _ATTACKER, _DEFENDER, s)
    if falls:
        kill = (region >> (i * _LANE_BITS)) & _LANE if i < n else U0
        falls, i = _read(space, attackers, _DEFENDER, _DEFENDER, s)
        return KO, kill, (region >> (i * _LANE_BITS)) & _LANE if i < n and not falls else U0
    return ALIVE, U0, U0


# --- The Python face ----------------------------------------------------------------------


@kernel
def _vital_point(a, v, wall):
    return vital_point(a[0], u64(v), u64(wall))


@kernel
def _forms_dead_shape(a, v, c):
    return forms_dead_shape(a[0], u64(v), u64(c))


@kernel
def _read_eye_space(a, v, wall, scratch):
    return read_eye_space(a[0], u64(v), u64(wall), scratch[0])


class Status(IntEnum):
    """What becomes of the walls of an eye space; `read_eye_space` explains the words."""

    UNKNOWN = int(UNKNOWN)
    ALIVE = int(ALIVE)
    KO = int(KO)
    UNSETTLED = int(UNSETTLED)
    DEAD = int(DEAD)


class EyeSpace(NamedTuple):
    """A status, and the points where the attacker kills and the defender lives (or PASS)."""

    status: Status
    kills_at: int
    lives_at: int


def find_vital_point(position: Position, p: int, wall: int) -> int:
    """The vital point of the empty region at a point, walled in by a colour, or PASS."""
    _check(position, p, wall)
    if position.color_at(p) != EMPTY:
        raise ValueError("not an empty point")
    return int(_vital_point(position.record, p, wall))


def would_form_dead_shape(position: Position, color: int, p: int) -> bool:
    """Whether the chain that a stone at an empty point makes has a dead shape."""
    _check(position, p, color)
    if position.color_at(p) != EMPTY:
        raise ValueError("not an empty point")
    return bool(_forms_dead_shape(position.record, p, color))


def eye_space(position: Position, p: int, wall: int) -> EyeSpace:
    """Read the eye space at a point that is empty or holds an attacker's stone."""
    _check(position, p, wall)
    if position.color_at(p) == wall:
        raise ValueError("a stone of the wall")
    scratch = np.zeros(1, EYE_SCRATCH)
    status, kills_at, lives_at = _read_eye_space(position.record, p, wall, scratch)
    return EyeSpace(Status(int(status)), int(kills_at), int(lives_at))


def _check(position: Position, p: int, color: int) -> None:
    if color not in (BLACK, WHITE):
        raise ValueError("not a colour")
    if position.color_at(p) == OFF:
        raise ValueError("a point that is not on the board")
