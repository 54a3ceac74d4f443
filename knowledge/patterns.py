"""Shape patterns: what the board looks like around a move, hashed and found in a table.

A pattern is seen from the mover (own and opponent's stones, not black and white) and is the same
in all eight rotations and reflections. It grows around a centre in the nested sizes of
`templates.py`. There are four families:

    PLAIN      stones, empty points and the edge around the move, all sizes;
    LIBERTIES  the same, and each stone tells whether its chain has 1, 2 or more liberties;
               sizes to 7;
    MARKED     LIBERTIES with a mark where the last move is, sizes to 6, from the one that holds
               the last move on: none if it is farther away or was a pass;
    RESPONSE   the LIBERTIES shape around the last move, its own stone included, sizes to 6,
               with the place of our move, which is at most 12 away.

The least of a hash's eight lanes is the same whichever way the board is turned; mixed with the
family and the size it is the pattern's key. A chain with three or more liberties adds nothing to
its stones' plain words, so a LIBERTIES hash is the PLAIN one and a little more.

No pattern is in the table unless the next smaller size is, so matching goes ring by ring and
stops at the first that is missing. In the table larger sizes have larger ids.

Where to start reading: `read_position`, then `match_patterns`; `write_keys` is for harvesting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from engine.board import U0, U1, U2, U3, U4, liberties_up_to_3, u64
from engine.geometry import AREA, EMPTY, STRIDE
from engine.jit import inner, kernel
from engine.position import Position
from engine.rng import mix
from knowledge.lanes import keep_lanes, labelled_lane, lanes_at, least_lane, no_lanes
from knowledge.templates import (
    FAMILIES,
    FAR,
    FIELD,
    LARGEST,
    LIBERTIES,
    MARK_LANES,
    MARKED,
    N_MARKED,
    N_RESPONSE,
    N_WEAK,
    NUMBER_AT,
    OFF_BOARD,
    OPPOSITE,
    PLACE,
    PLAIN,
    PLAIN_LANES,
    RADIUS,
    RESPONSE,
    RESPONSE_LANES,
    RING,
    RING_BITS,
    SALT,
    SIZE_WITH,
    STEP,
    SYMMETRIES,
    WEAK_LANES,
    WHOLE_BOARD,
    WHOLE_BOARD_SEED,
    WIDTH,
)

_EIGHT = u64(SYMMETRIES)
_S, _W, _R = u64(STRIDE), u64(WIDTH), u64(RADIUS)
_WHOLE = u64(WHOLE_BOARD)
_LARGEST_LIBERTIES = u64(LARGEST[LIBERTIES])
_LARGEST_MARKED, _LARGEST_RESPONSE = u64(LARGEST[MARKED]), u64(LARGEST[RESPONSE])
_PLAIN_BIT, _LIBERTIES_BIT = u64(1 << PLAIN), u64(1 << LIBERTIES)
_MARKED_BIT, _RESPONSE_BIT = u64(1 << MARKED), u64(1 << RESPONSE)
ALL_FAMILIES = u64((1 << len(FAMILIES)) - 1)
_ODD = u64(0x9E3779B97F4A7C15)
_HALF, _ID_BITS = u64(32), u64(0xFFFFFFFF)

# A word with one bit set, times this, has the bit's number in its uppermost six bits, coded.
_DE_BRUIJN = u64(0x03F79D71B4CB0A89)
_BIT_NUMBER = np.zeros(64, np.uint64)
_BIT_NUMBER[[(int(_DE_BRUIJN) << k) % 2**64 >> 58 for k in range(64)]] = np.arange(64)

# What is known of one position while its moves are matched.
PATTERN_SCRATCH = np.dtype(
    [
        ("state", np.uint8, FIELD),  # of each point, as the templates have it
        ("weak", np.uint8, FIELD),  # for stones of weak chains: which word of WEAK_LANES
        ("weak_near", np.uint64, FIELD),  # where such stones are around a point, as bits
        ("response", np.uint64, (LARGEST[RESPONSE] + 1) * SYMMETRIES),  # around the last move
        ("whole", np.uint64, SYMMETRIES),  # of the whole board's stones
        ("whole_is_known", np.uint64),
        ("whole_with_move", np.uint64, SYMMETRIES),
        ("shape", np.uint64, AREA * SYMMETRIES),  # the lanes of each move's shape so far
        ("weakness", np.uint64, AREA * SYMMETRIES),  # what its weak stones add to them
        ("number", np.uint64, AREA),  # of each move's offset to the last move
        ("alive", np.uint16, AREA),  # the moves that may be known in a larger size
        ("key", np.uint64, AREA),  # what to look up for each of these
        ("second_key", np.uint64, AREA),
    ],
    align=True,
)


def new_pattern_scratch() -> np.ndarray:
    """Memory for one thread that matches patterns."""
    return np.zeros(1, PATTERN_SCRATCH)


# --- Hashing shapes -----------------------------------------------------------------------


@inner
def _with_ring(h, w, p, size):
    """The lanes with the ring by which a size is larger than the one before."""
    for k in range(RING[size], RING[size + U1]):
        state = u64(w.state[p + STEP[k]])
        h = h ^ lanes_at(PLAIN_LANES, (u64(k) * U4 + state) * _EIGHT)
    return h


@inner
def _with_weak(h, w, p, bits):
    """The lanes with the words of the weak stones at some offsets, given as bits."""
    while bits != U0:
        low = bits & (~bits + U1)
        k = _BIT_NUMBER[(low * _DE_BRUIJN) >> u64(58)]
        kind = u64(w.weak[p + STEP[k]])
        h = h ^ lanes_at(WEAK_LANES, (k * U4 + kind) * _EIGHT)
        bits ^= low
    return h


@inner
def _with_weak_ring(h, w, p, size):
    """The lanes with the words of the weak stones in a ring."""
    return _with_weak(h, w, p, w.weak_near[p] & RING_BITS[size])


@inner
def _key(h, family, size):
    """The key of a pattern: the least lane, one to one, with its bits mixed."""
    return (least_lane(h) ^ SALT[family, size]) * _ODD


# --- Reading a position -------------------------------------------------------------------


@inner
def _read_stones(b, c, w):
    """Copy the board to the field, as the mover c sees it."""
    w.state[:] = OFF_BOARD
    for row in range(b.size):
        v = (u64(row) + U1) * _S + U1
        p = PLACE[v]
        for column in range(b.size):
            state = b.color[v + u64(column)] & 3
            if c == U2:
                state = (state >> 1 | state << 1) & 3
            w.state[p + u64(column)] = state


@inner
def _note_weak_chain(b, h, kind, w):
    """Tell all points near a chain where its stones are."""
    v = h
    while True:
        p = PLACE[v]
        w.weak[p] = kind
        for k in range(N_WEAK):
            w.weak_near[p - STEP[k]] |= U1 << u64(k)
        v = u64(b.next[v])
        if v == h:
            break


@inner
def _read_weak_chains(b, c, w):
    """Find the chains with one and two liberties."""
    w.weak_near[:] = U0
    for row in range(b.size):
        first = (u64(row) + U1) * _S + U1
        for v in range(first, first + b.size):
            if b.chain[v] == v and b.color[v] != EMPTY:
                libs = liberties_up_to_3(b, u64(v))
                if libs < U3:
                    _note_weak_chain(b, u64(v), u64(b.color[v] != c) * U2 + libs - U1, w)


@inner
def _read_response(w, p):
    """The lanes of the shapes around the last move."""
    h = lanes_at(PLAIN_LANES, u64(w.state[p]) * _EIGHT)
    h = _with_weak_ring(h, w, p, U0)
    for size in range(U1, _LARGEST_RESPONSE + U1):
        h = _with_weak_ring(_with_ring(h, w, p, size), w, p, size)
        keep_lanes(w.response, size * _EIGHT, h)


@inner
def read_position(b, c, last, families, w):
    """Prepare the scratch w for the moves of c; last is the move before, 0 for none or pass."""
    _read_stones(b, c, w)
    w.whole_is_known = U0
    if families & ~_PLAIN_BIT != U0:
        _read_weak_chains(b, c, w)
        if last != U0:
            _read_response(w, PLACE[last])


# --- The whole board ----------------------------------------------------------------------


@inner
def _add_to_whole(lanes, row, column, size, state):
    """Add a point to eight lanes; its place is counted from the board's centre."""
    y = 2 * np.int64(row) + 1 - np.int64(size)
    x = 2 * np.int64(column) + 1 - np.int64(size)
    for lane in range(SYMMETRIES):
        ty = -y if lane & 1 else y
        tx = -x if lane & 2 else x
        if lane & 4:
            ty, tx = tx, ty
        code = (((np.int64(size) * 64 + ty + 32) * 64) + tx + 32) * 4 + np.int64(state)
        lanes[lane] ^= mix(WHOLE_BOARD_SEED + u64(code) * _ODD)


@inner
def _read_whole_board(b, w):
    """The lanes of all stones; the empty points go without saying."""
    w.whole[:] = U0
    for row in range(b.size):
        for column in range(b.size):
            state = w.state[(u64(row) + _R) * _W + u64(column) + _R]
            if state != 0:
                _add_to_whole(w.whole, row, column, b.size, state)
    w.whole_is_known = U1


@inner
def _whole_board_key(b, v, w):
    """The key of the whole board with a move at v, in a state that no stone has."""
    if w.whole_is_known == U0:
        _read_whole_board(b, w)
    keep_lanes(w.whole_with_move, U0, lanes_at(w.whole, U0))
    _add_to_whole(w.whole_with_move, v // _S - U1, v % _S - U1, b.size, OFF_BOARD)
    return _key(lanes_at(w.whole_with_move, U0), PLAIN, _WHOLE)


# --- Matching -----------------------------------------------------------------------------
#
# All moves of a position go through a family together, size by size: first their keys are made,
# then all are looked up, and who is found stays alive for the next size. So the searches in the
# table, which is too large for the fast caches, don't wait for each other, and there are next to
# no branches that a processor can't foresee.


@inner
def find_slot(slots, key):
    """What the table knows under a key: the pattern's id, or 0.

    A slot holds the key's upper half as a label, and the id. The lower bits name a line of eight
    slots, which are compared at once; only if it is full may the key be in the next line.
    """
    mask = u64(len(slots)) - _EIGHT
    i = key & mask
    label = key >> _HALF
    while True:
        found = labelled_lane(lanes_at(slots, i), label)
        # 1 if the line has room. Written as a condition it would become a branch of its own.
        has_room = ((slots[i + u64(7)] & _ID_BITS) - U1) >> u64(63)
        if found | has_room != U0:
            return found
        i = (i + _EIGHT) & mask


@inner
def _note(out, i, family, found):
    """Remember the largest pattern: a larger size has a larger id, and none is 0."""
    out[i, family] = max(found, u64(out[i, family]))


@inner
def _hash_moves(w, points, n, size, with_liberties):
    """Let the shapes of all moves that are alive grow to a size, and make their keys."""
    for j in range(n):
        i = u64(w.alive[j])
        p = PLACE[points[i]]
        h = _with_ring(lanes_at(w.shape, i * _EIGHT), w, p, size)
        keep_lanes(w.shape, i * _EIGHT, h)
        w.key[j] = _key(h, PLAIN, size)
        if with_liberties:
            x = _with_weak_ring(lanes_at(w.weakness, i * _EIGHT), w, p, size)
            keep_lanes(w.weakness, i * _EIGHT, x)
            w.second_key[j] = _key(h ^ x, LIBERTIES, size)


@inner
def _look_up_moves(w, n, with_liberties, slots, out):
    """Look the keys up; returns how many moves stay alive.

    A family that has dropped out is looked up in vain while the other goes on.
    """
    left = U0
    for j in range(n):
        i = u64(w.alive[j])
        plain = find_slot(slots, w.key[j])
        _note(out, i, PLAIN, plain)
        liberties = U0
        if with_liberties:
            liberties = find_slot(slots, w.second_key[j])
            _note(out, i, LIBERTIES, liberties)
        w.alive[left] = i
        left += u64(plain | liberties != U0)
    return left


@inner
def _match_around(w, points, n, liberties, slots, out):
    """Match plain shapes and, if they are wanted, those with liberties.

    Almost every move is known in size 2, so size 1 is looked up last and only where it must be.
    Returns how many moves, now first in `alive`, are known in size 13.
    """
    for i in range(n):
        p = PLACE[points[i]]
        w.alive[i] = i
        keep_lanes(w.shape, u64(i) * _EIGHT, _with_ring(no_lanes(), w, p, U1))
        if liberties:
            keep_lanes(w.weakness, u64(i) * _EIGHT, _with_weak_ring(no_lanes(), w, p, U1))
    left = u64(n)
    for size in range(U2, _WHOLE):
        with_liberties = liberties and size <= _LARGEST_LIBERTIES
        _hash_moves(w, points, left, size, with_liberties)
        left = _look_up_moves(w, left, with_liberties, slots, out)
    for i in range(n):
        p = PLACE[points[i]]
        if out[i, PLAIN] == 0:
            h = _with_ring(no_lanes(), w, p, U1)
            _note(out, i, PLAIN, find_slot(slots, _key(h, PLAIN, U1)))
        if liberties and out[i, LIBERTIES] == 0:
            h = _with_weak_ring(_with_ring(no_lanes(), w, p, U1), w, p, U1)
            _note(out, i, LIBERTIES, find_slot(slots, _key(h, LIBERTIES, U1)))
    return left


@inner
def _offset_number(p, q):
    """The number of the offset that leads from one place of the field to another."""
    dy = min(q // _W - p // _W + _R, u64(15))
    dx = min(q % _W - p % _W + _R, u64(15))
    return NUMBER_AT[dy, dx]


@inner
def _list_near(w, points, n, last, limit):
    """Make those moves alive whose offset to the last move has a number below a limit."""
    left = U0
    for i in range(n):
        k = _offset_number(PLACE[points[i]], PLACE[last])
        w.alive[left] = i
        w.number[i] = k
        left += u64(k < limit)
    return left


@inner
def _match_marked(w, points, n, last, slots, out):
    """Match the shapes that hold the last move."""
    left = _list_near(w, points, n, last, u64(N_MARKED))
    for j in range(left):
        i = u64(w.alive[j])
        keep_lanes(w.shape, i * _EIGHT, lanes_at(MARK_LANES, w.number[i] * _EIGHT))
    for size in range(U1, _LARGEST_MARKED + U1):
        n, left = left, U0
        for j in range(n):
            i = u64(w.alive[j])
            p = PLACE[points[i]]
            h = _with_ring(lanes_at(w.shape, i * _EIGHT), w, p, size)
            h = _with_weak_ring(h, w, p, size)
            keep_lanes(w.shape, i * _EIGHT, h)
            w.key[j] = _key(h, MARKED, size)
        for j in range(n):
            i = u64(w.alive[j])
            begun = size >= SIZE_WITH[w.number[i]]
            found = find_slot(slots, w.key[j]) if begun else U0
            _note(out, i, MARKED, found)
            w.alive[left] = i
            left += u64((found != U0) | (not begun))


@inner
def _match_responses(w, points, n, last, slots, out):
    """Match the moves near the last one as answers to the shape around it."""
    left = _list_near(w, points, n, last, u64(N_RESPONSE))
    for size in range(U1, _LARGEST_RESPONSE + U1):
        around_last = lanes_at(w.response, size * _EIGHT)
        n, left = left, U0
        for j in range(n):
            i = u64(w.alive[j])
            h = around_last ^ lanes_at(RESPONSE_LANES, OPPOSITE[w.number[i]] * _EIGHT)
            found = find_slot(slots, _key(h, RESPONSE, size))
            _note(out, i, RESPONSE, found)
            w.alive[left] = i
            left += u64(found != U0)


@inner
def match_patterns(b, c, last, points, n, families, w, slots, out):
    """Write the largest known pattern of each family for n moves of c: an id, or 0 for none.

    `points` are empty points of the board, `last` is the move before, 0 for none or pass, `w`
    a PATTERN_SCRATCH, `slots` a dictionary's table, and `out` has a row of four for each move.
    `families` are those that are wanted, as bits; PLAIN is always matched.
    """
    read_position(b, c, last, families, w)
    for i in range(n):
        out[i, :] = 0
    known = _match_around(w, points, n, families & _LIBERTIES_BIT != U0, slots, out)
    for j in range(known):
        i = u64(w.alive[j])
        _note(out, i, PLAIN, find_slot(slots, _whole_board_key(b, u64(points[i]), w)))
    if last != U0 and families & _MARKED_BIT != U0:
        _match_marked(w, points, n, last, slots, out)
    if last != U0 and families & _RESPONSE_BIT != U0:
        _match_responses(w, points, n, last, slots, out)


# --- Keys for harvesting ------------------------------------------------------------------


@inner
def _write_response_keys(k, w, keys):
    place = lanes_at(RESPONSE_LANES, OPPOSITE[k] * _EIGHT)
    for size in range(U1, _LARGEST_RESPONSE + U1):
        h = lanes_at(w.response, size * _EIGHT) ^ place
        keys[size] = _key(h, RESPONSE, size)


@inner
def write_keys(b, v, last, family, w, keys):
    """Write the keys of a move's patterns of a family by size, 0 where it has none.

    `read_position` must have been called. `keys` has room for sizes 0 to 14.
    """
    keys[:] = U0
    p = PLACE[v]
    k = _offset_number(p, PLACE[last]) if last != U0 else FAR
    if family == RESPONSE:
        if k < u64(N_RESPONSE):
            _write_response_keys(k, w, keys)
        return
    h = no_lanes()
    if family == MARKED:
        if k >= u64(N_MARKED):
            return
        h = lanes_at(MARK_LANES, k * _EIGHT)
    for size in range(U1, min(u64(LARGEST[family]), _WHOLE - U1) + U1):
        h = _with_ring(h, w, p, size)
        if family != PLAIN:
            h = _with_weak_ring(h, w, p, size)
        if family != MARKED or size >= SIZE_WITH[k]:
            keys[size] = _key(h, family, size)
    if family == PLAIN:
        keys[WHOLE_BOARD] = _whole_board_key(b, v, w)


# --- The Python face ----------------------------------------------------------------------


@kernel
def _match(a, c, last, points, families, scratch, slots, out):
    n = u64(len(points))
    match_patterns(a[0], u64(c), u64(last), points, n, u64(families), scratch[0], slots, out)


@kernel
def _keys(a, c, last, v, scratch, out):
    read_position(a[0], u64(c), u64(last), ALL_FAMILIES, scratch[0])
    for family in range(len(FAMILIES)):
        write_keys(a[0], u64(v), u64(last), family, scratch[0], out[family])


def match_moves(
    position: Position,
    color: int,
    last: int,
    points: Sequence[int],
    slots: np.ndarray,
    families: Iterable[int] = range(len(FAMILIES)),
) -> np.ndarray:
    """The ids of the largest known patterns of moves, a column for each family; 0 is none.

    The points must be empty; last is the move before, or PASS. PLAIN is always matched.
    """
    wanted = sum(1 << family for family in families)
    moves = np.array(points, np.uint16)
    out = np.zeros((len(moves), len(FAMILIES)), np.uint32)
    _match(position.record, color, last, moves, wanted, new_pattern_scratch(), slots, out)
    return out


def pattern_keys(position: Position, color: int, last: int, p: int) -> np.ndarray:
    """The keys of a move's patterns by family and size (from 0); 0 where there is none."""
    out = np.zeros((len(FAMILIES), WHOLE_BOARD + 1), np.uint64)
    _keys(position.record, color, last, p, new_pattern_scratch(), out)
    return out
