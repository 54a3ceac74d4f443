"""The Go board: points, chains, liberties, captures, ko and hashes, as Numba kernels.

Where to start reading: `BOARD`, the record that is a position; `place`, which plays a move;
`is_legal`; then `Board`, the Python face at the end.

Points. All sizes share the geometry of `geometry.py`, a stride of 26 with one border column, so
that a single compiled kernel serves every board.

Colours are bits: black 1, white 2, off the board 3, empty 4. So the OR of four neighbours
holds bit 4 if one is empty, and the AND holds bit c if all are of colour c or off the board.

Chains. The stones of a chain form a ring through `next`; `chain` names one of them, the head,
at which the chain's numbers are kept. Its liberties are counted once for each stone they
touch, and packed into one word: how many, the sum of their points, the sum of the squares.
A word then tells "none" (0) and "all the same point" (n * squares == sum * sum, which is
atari, exactly), and gives that point (sum / n). Playing a stone, merging and capturing just
add and subtract words. Further liberties are peeled off one by one, see `second_liberty`.

Empty and off-board points are chains of their own with a word near `HUGE`, so that the four
neighbours of a stone can be updated without asking what they are.

In kernels all indices are unsigned 64-bit: signed ones make Numba emit wrap-around code. A
plain literal would turn the sum into a signed one, hence the named constants.
"""

from __future__ import annotations

import numpy as np

from engine.geometry import AREA, EMPTY, MAX_SIZE, OFF, POINTS, STRIDE
from engine.jit import inlined, inner
from engine.rng import random_words

u64 = np.uint64
U0, U1, U2, U3, U4 = u64(0), u64(1), u64(2), u64(3), u64(4)
S = u64(STRIDE)
HUGE = u64(1 << 62)
_SUM_UNIT, _SQUARE_UNIT = u64(1 << 11), u64(1 << 32)
_SUM_SHIFT, _SQUARE_SHIFT = u64(11), u64(32)
_COUNT_MASK, _SUM_MASK = u64((1 << 11) - 1), u64((1 << 21) - 1)

# 2**32 divided by 4, 1, 2 and 3, rounded up: at the last two bits of the divisor.
_RECIPROCAL = np.array([1 << 30, 1 << 32, 1 << 31, (1 << 32) // 3 + 1], np.uint64)

# One word for each colour and point, the last row for the ko point; then one for each size.
_ZOBRIST = random_words(seed=1, shape=(3, POINTS))
_SIZE_HASH = random_words(seed=2, shape=(MAX_SIZE + 1,))
WHITE_TO_MOVE = random_words(seed=3, shape=(1,))[0]

BOARD = np.dtype(
    [
        ("libs", np.uint64, POINTS),  # at a chain's head: its packed liberties
        ("hash", np.uint64),  # of the stones and the size
        ("size", np.uint64),
        ("n_empty", np.uint64),
        ("n_removed", np.uint64),  # how many stones the last move took off
        ("ko", np.uint64),  # the point where `ko_for` may not play now, or 0
        ("ko_for", np.uint64),
        ("prisoners", np.uint64, 4),  # by the colour that took them
        ("color", np.uint8, POINTS),
        ("chain", np.uint16, POINTS),
        ("next", np.uint16, POINTS),
        ("stones", np.uint16, POINTS),  # at a chain's head: how many stones
        ("where", np.uint16, POINTS),  # an empty point's place in `empties`
        ("empties", np.uint16, AREA),
        ("removed", np.uint16, AREA),  # the stones that the last move took off
    ],
    align=True,
)


# --- Packed liberties ---------------------------------------------------------------------


@inner
def packed(v):
    """The word of a single liberty."""
    return v * (_SUM_UNIT + v * _SQUARE_UNIT) + U1


@inner
def is_single(word):
    """Whether all liberties in a word are the same point."""
    n = word & _COUNT_MASK
    total = (word >> _SUM_SHIFT) & _SUM_MASK
    return n * (word >> _SQUARE_SHIFT) == total * total


@inner
def single_point(word):
    """The point of a word for which `is_single` holds.

    It is the sum divided by the count, which is at most 4, as a point has four neighbours:
    so multiplying by a reciprocal is exact, and quicker than a division.
    """
    return (((word >> _SUM_SHIFT) & _SUM_MASK) * _RECIPROCAL[word & U3]) >> _SQUARE_SHIFT


@inner
def touching(b, v, h):
    """How many neighbours of a point belong to a chain."""
    return (
        u64(u64(b.chain[v - S]) == h)
        + u64(u64(b.chain[v - U1]) == h)
        + u64(u64(b.chain[v + U1]) == h)
        + u64(u64(b.chain[v + S]) == h)
    )


# --- Chains and their liberties -----------------------------------------------------------


@inner
def in_atari(b, h):
    """Whether the chain with this head has exactly one liberty."""
    return is_single(b.libs[h])


@inner
def atari_liberty(b, h):
    """The only liberty of a chain in atari."""
    return single_point(b.libs[h])


@inner
def empty_neighbour(b, v):
    """An empty neighbour of a point, or 0."""
    if b.color[v - S] == EMPTY:
        return v - S
    if b.color[v - U1] == EMPTY:
        return v - U1
    if b.color[v + U1] == EMPTY:
        return v + U1
    if b.color[v + S] == EMPTY:
        return v + S
    return U0


@inner
def any_liberty(b, h):
    """Some liberty of a chain: the first on the way round its ring."""
    v = h
    while True:
        p = empty_neighbour(b, v)
        if p != U0:
            return p
        v = u64(b.next[v])
        if v == h:
            return U0


@inner
def without_liberty(b, h, p):
    """A chain's packed liberties with the liberty p peeled off."""
    return b.libs[h] - touching(b, p, h) * packed(p)


@inner
def second_liberty(b, h, p):
    """The other liberty of a chain that has exactly two of which p is one; otherwise 0."""
    rest = without_liberty(b, h, p)
    if rest != U0 and is_single(rest):
        return single_point(rest)
    return U0


@inner
def liberties_up_to_3(b, h):
    """How many liberties a chain has, 3 meaning 3 or more: the cheap question of playouts."""
    if in_atari(b, h):
        return U1
    return U2 if second_liberty(b, h, any_liberty(b, h)) != U0 else U3


@inner
def _first_touching(b, p, h):
    """The first of a point's neighbours that belongs to the chain, in a fixed order."""
    if b.chain[p - S] == h:
        return p - S
    if b.chain[p - U1] == h:
        return p - U1
    if b.chain[p + U1] == h:
        return p + U1
    return p + S


@inner
def liberties(b, h, out):
    """Write a chain's liberties, each once, as far as `out` reaches; returns how many there are.

    A liberty is taken at the first of the chain's stones that touch it, so no marks are needed.
    """
    n = U0
    room = u64(len(out))
    v = h
    while True:
        for p in (v - S, v - U1, v + U1, v + S):
            if b.color[p] == EMPTY and _first_touching(b, p, h) == v:
                if n < room:
                    out[n] = p
                n += U1
        v = u64(b.next[v])
        if v == h:
            return n


@inner
def count_liberties(b, h):
    """How many liberties a chain has, exactly."""
    n = U0
    v = h
    while True:
        for p in (v - S, v - U1, v + U1, v + S):
            if b.color[p] == EMPTY and _first_touching(b, p, h) == v:
                n += U1
        v = u64(b.next[v])
        if v == h:
            return n


@inner
def chain_stones(b, h, out):
    """Write the points of a chain's stones; returns how many."""
    n = U0
    v = h
    while True:
        out[n] = v
        n += U1
        v = u64(b.next[v])
        if v == h:
            return n


# --- Neighbourhoods -----------------------------------------------------------------------


@inner
def has_empty_neighbour(b, v):
    return (b.color[v - S] | b.color[v - U1] | b.color[v + U1] | b.color[v + S]) & EMPTY != 0


@inner
def neighbourhood(b, v):
    """The 3x3 shape around a point: two bits a neighbour, 0 empty, 1 black, 2 white, 3 off.

    From the lowest bits: north west, north, north east, west, east, south west, south, south
    east, where north is the higher row.
    """
    return (
        (u64(b.color[v + S - U1]) & U3)
        | (u64(b.color[v + S]) & U3) << U2
        | (u64(b.color[v + S + U1]) & U3) << U4
        | (u64(b.color[v - U1]) & U3) << u64(6)
        | (u64(b.color[v + U1]) & U3) << u64(8)
        | (u64(b.color[v - S - U1]) & U3) << u64(10)
        | (u64(b.color[v - S]) & U3) << u64(12)
        | (u64(b.color[v - S + U1]) & U3) << u64(14)
    )


@inner
def diagonals_hold(b, v, c):
    """Whether the diagonals let c's eye be real: fewer than two enemies, none at the edge."""
    o = U3 - c
    d1 = u64(b.color[v - S - U1])
    d2 = u64(b.color[v - S + U1])
    d3 = u64(b.color[v + S - U1])
    d4 = u64(b.color[v + S + U1])
    enemies = u64(d1 == o) + u64(d2 == o) + u64(d3 == o) + u64(d4 == o)
    edge = u64((d1 == U3) | (d2 == U3) | (d3 == U3) | (d4 == U3))
    return enemies + edge < U2


@inner
def is_eye(b, v, c):
    """Whether an empty point is a single-point eye of colour c that looks real."""
    walls = b.color[v - S] & b.color[v - U1] & b.color[v + U1] & b.color[v + S]
    return (u64(walls) & c) != U0 and diagonals_hold(b, v, c)


# --- Legality -----------------------------------------------------------------------------


@inner
def _helps(b, n, v, c, word, h1, h2, h3, h4):
    """Whether a neighbour makes a stone at v live: an own chain that keeps a liberty, or an
    enemy chain that loses its last one."""
    h = u64(b.chain[n])
    color = u64(b.color[n])
    dies = b.libs[h] == word * (u64(h1 == h) + u64(h2 == h) + u64(h3 == h) + u64(h4 == h))
    return (color != U3) & ((color == c) ^ dies)


@inner
def enclosed_is_legal(b, v, c):
    """Whether c may play at an empty point that has no empty neighbour."""
    if (v == b.ko) & (c == b.ko_for):
        return False
    word = packed(v)
    n1, n2, n3, n4 = v - S, v - U1, v + U1, v + S
    h1, h2, h3, h4 = u64(b.chain[n1]), u64(b.chain[n2]), u64(b.chain[n3]), u64(b.chain[n4])
    return (
        _helps(b, n1, v, c, word, h1, h2, h3, h4)
        | _helps(b, n2, v, c, word, h1, h2, h3, h4)
        | _helps(b, n3, v, c, word, h1, h2, h3, h4)
        | _helps(b, n4, v, c, word, h1, h2, h3, h4)
    )


@inner
def is_legal(b, v, c):
    """Whether c may play at a point of the board: empty, no simple ko, no suicide.

    With an empty neighbour it is neither: a ko point has none.
    """
    return b.color[v] == EMPTY and (has_empty_neighbour(b, v) or enclosed_is_legal(b, v, c))


@inner
def is_legal_with_suicide(b, v, c):
    """The same under rules that allow suicide."""
    return b.color[v] == EMPTY and not ((v == b.ko) & (c == b.ko_for))


# --- Playing ------------------------------------------------------------------------------


@inner
def _fill_point(b, v, c):
    """The point's own part of a move: its colour, the hash and the list of empty points."""
    n = b.n_empty - U1
    b.n_empty = n
    last = b.empties[n]
    at = b.where[v]
    b.empties[at] = last
    b.where[last] = at
    b.color[v] = c
    b.hash ^= _ZOBRIST[c, v]


@inner
def _merge(b, x, y):
    """Join two chains; the smaller takes the head of the larger, which is returned."""
    if b.stones[x] < b.stones[y]:
        x, y = y, x
    v = y
    while True:
        b.chain[v] = x
        v = u64(b.next[v])
        if v == y:
            break
    b.next[x], b.next[y] = b.next[y], b.next[x]
    b.stones[x] += b.stones[y]
    b.libs[x] += b.libs[y]
    return x


@inner
def _remove_chain(b, h, by):
    """Take a chain off the board as prisoners of a colour, and give its neighbours liberties."""
    c = u64(b.color[h])
    n = b.n_empty
    k = b.n_removed
    v = h
    while True:
        b.color[v] = EMPTY
        b.chain[v] = v
        b.libs[v] = HUGE
        b.hash ^= _ZOBRIST[c, v]
        b.empties[n] = v
        b.where[v] = n
        b.removed[k] = v
        n += U1
        k += U1
        word = packed(v)
        b.libs[u64(b.chain[v - S])] += word
        b.libs[u64(b.chain[v - U1])] += word
        b.libs[u64(b.chain[v + U1])] += word
        b.libs[u64(b.chain[v + S])] += word
        v = u64(b.next[v])
        if v == h:
            break
    b.prisoners[by] += k - b.n_removed
    b.n_empty = n
    b.n_removed = k


@inner
def _capture(b, v, c):
    """After c's stone at v took some chain's last liberty: remove the dead, note a ko."""
    o = U3 - c
    last = U0
    for n in (v - S, v - U1, v + U1, v + S):
        if b.color[n] == o:
            h = u64(b.chain[n])
            if b.libs[h] == U0:
                _remove_chain(b, h, c)
                last = n
    if b.n_removed == U1 and b.stones[v] == 1 and b.chain[v] == v and b.libs[v] == packed(last):
        b.ko = last
        b.ko_for = o


@inlined
def place(b, v, c):
    """Play a stone of colour c at the empty point v: the kernel everything else waits for.

    The move must not be barred by ko. A suicide takes the mover's own stones off. Branches
    that a processor can't foresee cost more than all the arithmetic here, so the four
    neighbours are treated alike and only rare work stands behind an `if`.
    """
    word = packed(v)
    n1, n2, n3, n4 = v - S, v - U1, v + U1, v + S
    h1, h2, h3, h4 = u64(b.chain[n1]), u64(b.chain[n2]), u64(b.chain[n3]), u64(b.chain[n4])
    c1, c2, c3, c4 = u64(b.color[n1]), u64(b.color[n2]), u64(b.color[n3]), u64(b.color[n4])
    b.libs[h1] -= word
    b.libs[h2] -= word
    b.libs[h3] -= word
    b.libs[h4] -= word
    captures = (
        ((c1 != c) & (b.libs[h1] == U0))
        | ((c2 != c) & (b.libs[h2] == U0))
        | ((c3 != c) & (b.libs[h3] == U0))
        | ((c4 != c) & (b.libs[h4] == U0))
    )

    _fill_point(b, v, c)

    new = (
        (c1 >> U2) * packed(n1)
        + (c2 >> U2) * packed(n2)
        + (c3 >> U2) * packed(n3)
        + (c4 >> U2) * packed(n4)
    )
    h = v
    h = h1 if c1 == c else h
    h = h2 if c2 == c else h
    h = h3 if c3 == c else h
    h = h4 if c4 == c else h
    b.chain[v] = h
    if h == v:
        b.next[v] = v
        b.stones[v] = 1
        b.libs[v] = new
    else:
        b.next[v] = b.next[h]
        b.next[h] = v
        b.stones[h] += 1
        b.libs[h] += new
        if ((c1 == c) & (h1 != h)) | ((c2 == c) & (h2 != h)) | ((c3 == c) & (h3 != h)):
            for m in (n1, n2, n3):
                if b.color[m] == c and b.chain[m] != b.chain[v]:
                    h = _merge(b, u64(b.chain[v]), u64(b.chain[m]))

    b.ko = U0
    b.n_removed = U0
    if captures:
        _capture(b, v, c)
    if b.libs[h] == U0:
        _remove_chain(b, h, U3 - c)


@inner
def pass_move(b):
    """Nobody plays: a ko may be taken back now."""
    b.ko = U0
    b.n_removed = U0


@inner
def position_hash_after(b, v, c):
    """The position hash that playing a stone would give, captures and suicide included."""
    result = b.hash ^ _ZOBRIST[c, v]
    word = packed(v)
    o = U3 - c
    lives = has_empty_neighbour(b, v)
    n1, n2, n3, n4 = v - S, v - U1, v + U1, v + S
    for n in (n1, n2, n3, n4):
        h = u64(b.chain[n])
        dies = b.libs[h] == word * touching(b, v, h)
        if b.color[n] == o and dies:
            lives = True
            # A chain that touches v more than once is taken off once.
            if _first_touching(b, v, h) == n:
                result ^= _chain_hash(b, h, o)
        elif b.color[n] == c and not dies:
            lives = True
    if not lives:
        result = b.hash
        for n in (n1, n2, n3, n4):
            h = u64(b.chain[n])
            if b.color[n] == c and _first_touching(b, v, h) == n:
                result ^= _chain_hash(b, h, c)
    return result


@inner
def _chain_hash(b, h, c):
    result = U0
    v = h
    while True:
        result ^= _ZOBRIST[c, v]
        v = u64(b.next[v])
        if v == h:
            return result


@inner
def situation_hash(b, c):
    """The hash of the position with c to move and the ko that binds c."""
    result = b.hash
    if c == U2:
        result ^= WHITE_TO_MOVE
    if b.ko != U0 and b.ko_for == c:
        result ^= _ZOBRIST[0, b.ko]
    return result


# --- Setting up ---------------------------------------------------------------------------


@inner
def clear(b, size):
    """Make it the empty board of a size."""
    for v in range(POINTS):
        b.color[v] = OFF
        b.chain[v] = v
        b.libs[v] = HUGE
        b.next[v] = v
        b.stones[v] = 0
        b.where[v] = 0
    n = U0
    for row in range(size):
        for column in range(size):
            v = u64((row + 1) * STRIDE + column + 1)
            b.color[v] = EMPTY
            b.empties[n] = v
            b.where[v] = n
            n += U1
    b.n_empty = n
    b.size = size
    b.hash = _SIZE_HASH[size]
    b.prisoners[1] = b.prisoners[2] = U0
    pass_move(b)


@inner
def put(b, v, c):
    """Put a stone down without capturing anything: for setting up positions only.

    It leaves chains without liberties standing, so that a whole position can be put down in
    any order; `has_dead_chain` tells afterwards whether it is one that can arise.
    """
    word = packed(v)
    for n in (v - S, v - U1, v + U1, v + S):
        b.libs[u64(b.chain[n])] -= word
    _fill_point(b, v, c)
    b.chain[v] = v
    b.next[v] = v
    b.stones[v] = 1
    b.libs[v] = U0
    for n in (v - S, v - U1, v + U1, v + S):
        if b.color[n] == EMPTY:
            b.libs[u64(b.chain[v])] += packed(n)
    for n in (v - S, v - U1, v + U1, v + S):
        if b.color[n] == c and b.chain[n] != b.chain[v]:
            _merge(b, u64(b.chain[v]), u64(b.chain[n]))


@inner
def has_dead_chain(b):
    """Whether some chain has no liberty: no such position arises in play."""
    for row in range(b.size):
        for column in range(b.size):
            v = u64((row + 1) * STRIDE + column + 1)
            if b.color[v] != EMPTY and b.libs[u64(b.chain[v])] == U0:
                return True
    return False
