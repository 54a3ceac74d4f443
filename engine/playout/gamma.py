"""The gamma policy: a move is drawn in proportion to the product of its features' weights.

The features are those of Crazy Stone's playouts: the 3x3 shape, capture, extension out of
atari, self-atari, nearness to the last move. Captures and extensions are those that answer the
last move: elsewhere on the board their gammas were learned to be about 1. The gammas come from
a weights file. Two liberties and nakade are left to the mixed policy, whose rules ask for them
only when nothing is more urgent.

How the draw is kept cheap. The shapes' weights stand by point, with a sum for each row and in
all, both colours packed into one word; a move refreshes only its neighbourhood. The few
points with another feature are listed for each move (`entries`), each with the weight
that its features add. A point's self-atari and legality are only looked at when it is drawn:
a point that was listed too high is accepted with the ratio of its true weight; on a refusal it
goes on with its true weight. Each round accepts in proportion to the true weights, whatever
was refused before, so the draw is exact.

Late in a playout most points are the other side's eyes. A point that turned out to be suicide
is parked: its weight stays off until a chain is put in atari at it. If it has own stones beside
it, they may gain liberties by any capture, so then it is seen again after each. Nothing else can
make it legal: a stone beside an empty point can't be captured but by playing there.
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
    in_atari,
    is_single,
    single_point,
    u64,
)
from engine.geometry import AREA, MAX_SIZE, POINTS, STRIDE
from engine.jit import inlined, inner
from engine.playout.codes import empty_sides, touches
from engine.rng import mix, next_state
from engine.tactics.atari import (
    BAD_SELF_ATARI,
    NO_SELF_ATARI,
    SUICIDE,
    chain_fate,
    is_capture,
    word_after,
)

# Shape weights are integers of at most 16 bits; this one stands for a gamma of 1.
SHAPE_UNIT = 512

# While a point is drawn weights are counted in this fraction of a shape weight's unit, so that
# factors need no float.
PART_BITS = 10
_PARTS = u64(PART_BITS)
_PART = float(1 << PART_BITS)

_LOW = u64(0xFFFFFFFF)
_CODE = u64(0xFFFF)
_S11, _S16, _S32 = u64(11), u64(16), u64(32)
_TO_UNIT_INTERVAL = 2.0**-53
# An entry whose weight is the whole, true weight of its point.
_FINAL = -1.0
_SUICIDE = -1.0
# What a point's pair of weights is masked with: by its colour, and where one colour is shut out.
_OPEN = u64(0x0000FFFF0000FFFF)
_BY_COLOR = np.array([0, 0, 0, 0, 0x0000FFFF0000FFFF], np.uint64)
_WITHOUT = np.array([2**64 - 1, 2**64 - 2**32, 2**32 - 1, 0], np.uint64)
# The points around a point: its four neighbours, then the diagonal ones.
_STEPS = (-STRIDE, -1, 1, STRIDE, -STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1)
_AROUND = np.array([step % 2**64 for step in _STEPS], np.uint64)

# The gammas of the features other than shape. Those of self-atari are at most 1.
FACTORS = np.dtype(
    [
        ("capture", np.float64),  # takes the chain of the last move
        ("extension", np.float64),  # saves a chain in atari that touches the last move
        ("self_atari_bad", np.float64),  # joins a chain that is left with one liberty
        ("self_atari", np.float64),  # the same with a purpose
        ("beside", np.float64),  # next to the last move
        ("diagonal", np.float64),  # diagonally next to the last move
    ],
    align=True,
)

# The policy's own state for a position: see the docstring above.
WEIGHTS = np.dtype(
    [
        ("weight", np.uint64, POINTS),  # Black's in the low half, White's in the high half
        ("mask", np.uint64, POINTS),  # the halves that count: none on stones and the border
        ("row", np.uint64, MAX_SIZE + 4),  # a scan reads on to the end of its block
        ("total", np.uint64),
        ("n_entries", np.uint64),
        ("n_zeroed", np.uint64),
        ("n_parked", np.uint64),
        ("quiet", np.uint64),  # 1 if the last stone left no chain at it in atari
        ("entry_factor", np.float64, AREA),  # the product of a point's factors
        ("entry_weight", np.uint64, AREA),  # the parts it adds to the point's shape weight
        ("code", np.uint16, POINTS),  # the neighbourhood
        ("entry_point", np.uint16, AREA),
        ("entry_of", np.uint16, POINTS),  # 1 + the point's entry, or 0
        ("zeroed", np.uint16, AREA),  # points whose shape weight is off for this draw
        ("parked", np.uint16, AREA),  # suicides that any capture may make legal
        ("is_parked", np.uint8, POINTS),  # whether a point is in that list
    ],
    align=True,
)


# --- Shape weights, kept up move by move --------------------------------------------------


@inner
def _real(n):
    """A whole number below 2**63 as a float: the signed conversion is one instruction."""
    return np.float64(np.int64(n))


@inner
def _whole(x):
    """A float below 2**63 as a whole number, likewise."""
    return u64(np.int64(x))


@inner
def _set_weight(g, v, new):
    delta = new - g.weight[v]
    g.weight[v] = new
    g.row[v // S] += delta
    g.total += delta


@inner
def _seen(g, k, v, stone):
    """Let a point see a stone come (or go, if negative; shifted to its place in the code) and
    take the weight of its new shape; returns the change of weight. No branch: see `place`."""
    code = u64(g.code[v]) + stone
    g.code[v] = code
    # Two halves of 16 bits become two of 32; the mask takes away what is between them.
    pair = u64(k.shapes[code & _CODE])
    new = (pair | (pair << _S16)) & g.mask[v]
    delta = new - g.weight[v]
    g.weight[v] = new
    return delta


@inner
def _refresh(g, k, v):
    """Give a point the weight of its present shape."""
    delta = _seen(g, k, v, U0)
    g.row[v // S] += delta
    g.total += delta


@inlined
def _show_stone(g, k, v, c):
    """Let the eight neighbours of v see a stone of colour c come, see `board.neighbourhood`.

    Their weights follow; the sums are changed once for each row.
    """
    n, s = v + S, v - S
    north = (
        _seen(g, k, n - U1, c << u64(14))
        + _seen(g, k, n, c << u64(12))
        + _seen(g, k, n + U1, c << u64(10))
    )
    middle = _seen(g, k, v - U1, c << u64(8)) + _seen(g, k, v + U1, c << u64(6))
    south = _seen(g, k, s - U1, c << u64(4)) + _seen(g, k, s, c << u64(2)) + _seen(g, k, s + U1, c)
    row = v // S
    g.row[row + U1] += north
    g.row[row] += middle
    g.row[row - U1] += south
    g.total += north + middle + south


@inner
def _is_chain_in_atari(b, n, c):
    """Whether at n there is a stone of colour c whose chain is in atari."""
    return (u64(b.color[n]) == c) & in_atari(b, u64(b.chain[n]))


@inner
def _any_side_in_atari(b, v, c):
    """Whether a chain of colour c beside v is in atari."""
    return (
        _is_chain_in_atari(b, v - S, c)
        | _is_chain_in_atari(b, v - U1, c)
        | _is_chain_in_atari(b, v + U1, c)
        | _is_chain_in_atari(b, v + S, c)
    )


@inner
def _open(g, k, v):
    """Give a parked point its weights back."""
    g.mask[v] = _OPEN
    _refresh(g, k, v)


@inner
def _open_liberty(g, b, k, n, c):
    """If c's chain at n is in atari, its last liberty may have become legal: see it again."""
    if _is_chain_in_atari(b, n, c):
        p = single_point(b.libs[u64(b.chain[n])])
        if g.mask[p] != _OPEN:
            _open(g, k, p)


@inner
def gamma_start(g, b, k):
    """Compute all weights for a position."""
    g.total = U0
    g.n_entries = U0
    g.n_zeroed = U0
    g.n_parked = U0
    g.quiet = U0
    # The border too: its points are neighbours of others, and never weigh anything.
    for row in range(b.size + U2):
        start = row * S
        for v in range(start, start + b.size + U2):
            g.weight[v] = U0
            g.mask[v] = _BY_COLOR[b.color[v]]
            g.is_parked[v] = 0
            g.entry_of[v] = 0
        g.row[row] = U0
    for row in range(U1, b.size + U1):
        _start_row(g, b, k, row)


@inner
def _start_row(g, b, k, row):
    """Compute the codes and weights of a row, see `board.neighbourhood`: each row above, in and
    below is a window of three points that moves on by one."""
    v = row * S
    north = (u64(b.color[v + S]) & U3) << U2 | (u64(b.color[v + S + U1]) & U3) << U4
    middle = (u64(b.color[v]) & U3) << U2 | (u64(b.color[v + U1]) & U3) << U4
    south = (u64(b.color[v - S]) & U3) << U2 | (u64(b.color[v - S + U1]) & U3) << U4
    total = U0
    for v in range(row * S + U1, row * S + U1 + b.size):
        north = north >> U2 | (u64(b.color[v + S + U1]) & U3) << U4
        middle = middle >> U2 | (u64(b.color[v + U1]) & U3) << U4
        south = south >> U2 | (u64(b.color[v - S + U1]) & U3) << U4
        beside = (middle & U3) << u64(6) | (middle >> U4) << u64(8)
        g.code[v] = 0
        total += _seen(g, k, v, north | beside | south << u64(10))
    g.row[row] = total
    g.total += total


@inner
def _park(g, v, c):
    """Switch c's weight at a point off until something can have made it legal."""
    g.mask[v] &= _WITHOUT[c]
    _set_weight(g, v, g.weight[v] & _WITHOUT[c])
    if touches(u64(g.code[v]), c) and g.is_parked[v] == 0:
        g.is_parked[v] = 1
        g.parked[g.n_parked] = v
        g.n_parked += U1


@inner
def _unpark(g, b, k):
    """After a capture: see the parked points again."""
    for i in range(g.n_parked):
        v = u64(g.parked[i])
        g.is_parked[v] = 0
        if b.color[v] == EMPTY and g.mask[v] != _OPEN:
            _open(g, k, v)
    g.n_parked = U0


@inner
def _after_captures(g, b, k, c):
    """After c's stone took others off: refresh what they touched."""
    for i in range(b.n_removed):
        s = u64(b.removed[i])
        g.mask[s] = _OPEN
        _show_stone(g, k, s, c - U3)
        _refresh(g, k, s)
    _unpark(g, b, k)


@inlined
def gamma_update(g, b, k, v, c):
    """After c's stone was placed at v: refresh what it touched."""
    _set_weight(g, v, U0)
    g.mask[v] = U0
    _show_stone(g, k, v, c)
    if b.n_removed != U0:
        _after_captures(g, b, k, c)
    # Most moves leave nothing in atari: one branch for the five points together.
    if in_atari(b, u64(b.chain[v])) | _any_side_in_atari(b, v, U3 - c):
        g.quiet = U0
        _open_liberty(g, b, k, v, c)
        for n in (v - S, v - U1, v + U1, v + S):
            _open_liberty(g, b, k, n, U3 - c)
    else:
        g.quiet = U1


# --- Points with further features ---------------------------------------------------------


@inner
def shape_weight(g, v, c):
    return (g.weight[v] >> (_S32 * (c - U1))) & _LOW


@inner
def _multiply(g, v, factor):
    """Multiply a point's weight for this draw by a factor."""
    e = u64(g.entry_of[v])
    if e == U0:
        e = g.n_entries + U1
        g.entry_of[v] = e
        g.entry_point[e - U1] = v
        g.entry_factor[e - U1] = factor
        g.entry_weight[e - U1] = U0
        g.n_entries = e
    else:
        g.entry_factor[e - U1] *= factor


@inner
def near_factor(f, last, v):
    """The gamma of nearness to the last move."""
    d = v - last
    if (d == U1) | (d == S) | (d == U0 - U1) | (d == U0 - S):
        return f.beside
    if (d == S + U1) | (d == S - U1) | (d == U0 - S - U1) | (d == U1 - S):
        return f.diagonal
    return 1.0


@inner
def _beside(g, last):
    """The summed weights, both colours packed, of the four neighbours of the last move."""
    return g.weight[last - S] + g.weight[last - U1] + g.weight[last + U1] + g.weight[last + S]


@inner
def _diagonal(g, last):
    """The same of its four diagonal neighbours."""
    return (
        g.weight[last - S - U1]
        + g.weight[last - S + U1]
        + g.weight[last + S - U1]
        + g.weight[last + S + U1]
    )


@inner
def _near_weights(g, k, last, c):
    """The parts that nearness adds to the eight points around the last move together."""
    half = _S32 * (c - U1)
    beside = (_beside(g, last) >> half) & _LOW
    diagonal = (_diagonal(g, last) >> half) & _LOW
    return k.beside_gain * beside + k.diagonal_gain * diagonal


@inner
def _near_at(g, k, last, c, r):
    """The point around the last move at which the running sum of what nearness adds passes r."""
    half = _S32 * (c - U1)
    gain = k.beside_gain
    s1 = gain * ((g.weight[last - S] >> half) & _LOW)
    s2 = s1 + gain * ((g.weight[last - U1] >> half) & _LOW)
    s3 = s2 + gain * ((g.weight[last + U1] >> half) & _LOW)
    s4 = s3 + gain * ((g.weight[last + S] >> half) & _LOW)
    gain = k.diagonal_gain
    s5 = s4 + gain * ((g.weight[last - S - U1] >> half) & _LOW)
    s6 = s5 + gain * ((g.weight[last - S + U1] >> half) & _LOW)
    s7 = s6 + gain * ((g.weight[last + S - U1] >> half) & _LOW)
    passed = (
        u64(s1 <= r) + u64(s2 <= r) + u64(s3 <= r) + u64(s4 <= r)
        + u64(s5 <= r) + u64(s6 <= r) + u64(s7 <= r)
    )  # fmt: skip
    return last + _AROUND[passed]


@inner
def _capture_entry(g, b, f, last):
    """Take the last move's chain if it is in atari."""
    h = u64(b.chain[last])
    if in_atari(b, h):
        _multiply(g, single_point(b.libs[h]), f.capture)


@inner
def _extension_entries(g, b, f, last, c):
    """Extend the own chains that the last move put in atari."""
    p1 = p2 = p3 = U0
    for n in (last - S, last - U1, last + U1, last + S):
        if _is_chain_in_atari(b, n, c):
            p = single_point(b.libs[u64(b.chain[n])])
            # Several chains may have the same last liberty: the feature counts once.
            if p != p1 and p != p2 and p != p3 and not is_single(word_after(b, p, c)):
                p1, p2, p3 = p, p1, p2
                _multiply(g, p, f.extension)


@inlined
def collect_entries(g, b, f, last, c):
    """List the points with further features for c's move, and the weight they add."""
    if (last == U0) | (g.quiet != U0):
        return
    _capture_entry(g, b, f, last)
    _extension_entries(g, b, f, last, c)
    for e in range(g.n_entries):
        v = u64(g.entry_point[e])
        near = max(near_factor(f, last, v), 1.0)
        gain = max(g.entry_factor[e] - 1.0, 0.0)
        g.entry_weight[e] = _whole(near * gain * _PART * _real(shape_weight(g, v, c)))


# --- Drawing ------------------------------------------------------------------------------


@inlined
def _passed_blocks(sums, first, end, up, r):
    """Go over sums from the first on in blocks of four, as long as the running sum is at most r.

    Returns where the block in question starts and the running sum before it. Every block up to
    the end is looked at, so that no branch depends on r: the processor could not foresee it.
    """
    start = i = first
    before = total = U0
    while i < end:
        total += (sums[i] + sums[i + U1] + sums[i + U2] + sums[i + U3]) << up
        i += U4
        passed = total <= r
        start = i if passed else start
        before = total if passed else before
    return start, before


@inlined
def _point_by_shape(g, b, c, r):
    """The point at which the running sum of c's shape weights passes r.

    The colour's half of a weight is moved to the top, where the other half can't disturb.
    """
    up = _S32 * (U2 - c)
    r = (r << _S32) | _LOW
    row, s0 = _passed_blocks(g.row, U1, b.size - U2, up, r)
    s1 = s0 + (g.row[row] << up)
    s2 = s1 + (g.row[row + U1] << up)
    s3 = s2 + (g.row[row + U2] << up)
    row += u64(s1 <= r) + u64(s2 <= r) + u64(s3 <= r)
    before = s1 if s1 <= r else s0
    before = s2 if s2 <= r else before
    before = s3 if s3 <= r else before
    r -= (before >> _S32) << _S32

    v = row * S + U1
    v, s0 = _passed_blocks(g.weight, v, v + b.size - U3, up, r)
    s1 = s0 + (g.weight[v] << up)
    s2 = s1 + (g.weight[v + U1] << up)
    s3 = s2 + (g.weight[v + U2] << up)
    return v + u64(s1 <= r) + u64(s2 <= r) + u64(s3 <= r)


@inner
def _entries_weight(g):
    """What the entries add together."""
    extra = U0
    for e in range(g.n_entries):
        extra += g.entry_weight[e]
    return extra


@inner
def _entry_at(g, r):
    """The entry at which the running sum of the entries' weights passes r."""
    found = U0
    for e in range(g.n_entries):
        if g.entry_weight[e] > U0:
            found = u64(e)
            if r < g.entry_weight[e]:
                break
            r -= g.entry_weight[e]
    return found


@inlined
def drawn_factor(g, b, f, v, c):
    """The gamma that is only looked at when a point is drawn: of self-atari, 0 for a ko.

    A lone stone's self-atari is left to its shape, which shows it; here it is that of a chain.
    """
    code = u64(g.code[v])
    empty = empty_sides(code)
    if empty >= U2:
        return 1.0
    if not touches(code, c):
        if (empty != U0) | (is_capture(b, v, c) & ((v != b.ko) | (c != b.ko_for))):
            return 1.0
        return 0.0 if v == b.ko else _SUICIDE
    fate = chain_fate(b, v, c)
    if fate == NO_SELF_ATARI:
        return 1.0
    if fate == SUICIDE:
        return _SUICIDE
    return f.self_atari_bad if fate == BAD_SELF_ATARI else f.self_atari


@inner
def _refuse(g, v, c, factor):
    """Let a point go on in this draw with its true weight: its shape's times a factor."""
    half = _S32 * (c - U1)
    true = _whole(factor * _PART * _real((g.weight[v] >> half) & _LOW))
    _set_weight(g, v, g.weight[v] & ~(_LOW << half))
    g.zeroed[g.n_zeroed] = v
    g.n_zeroed += U1
    if g.entry_of[v] == 0:
        if true == U0:
            return
        _multiply(g, v, 1.0)
    e = u64(g.entry_of[v]) - U1
    g.entry_weight[e] = true
    g.entry_factor[e] = _FINAL


@inlined
def end_draw(g, b, k):
    """Put the shape weights back and forget the entries."""
    for i in range(g.n_zeroed):
        _refresh(g, k, u64(g.zeroed[i]))
    for e in range(g.n_entries):
        g.entry_of[u64(g.entry_point[e])] = 0
    g.n_zeroed = U0
    g.n_entries = U0


@inlined
def _draw(g, b, k, last, c, near, extra, base, state):
    """Draw a point from what is listed; returns it, and whether its weight is final."""
    total = (base << _PARTS) + near + extra
    r = min(_whole(_real(mix(state) >> _S11) * _TO_UNIT_INTERVAL * _real(total)), total - U1)
    if r < extra:
        e = _entry_at(g, r)
        return u64(g.entry_point[e]), g.entry_factor[e] == _FINAL
    r -= extra
    if r < near:
        return _near_at(g, k, last, c, r), False
    return _point_by_shape(g, b, c, (r - near) >> _PARTS), False


@inner
def listed_factor(g, f, last, v):
    """The product of the gammas of a point's features but shape and self-atari."""
    entry = u64(g.entry_of[v])
    factor = g.entry_factor[entry - U1] if entry != U0 else 1.0
    return factor * near_factor(f, last, v) if last != U0 else factor


@inner
def _overstated(g, f, last, v):
    """The share of its listed weight that a point keeps for features with a gamma below 1."""
    entry = u64(g.entry_of[v])
    share = min(g.entry_factor[entry - U1], 1.0) if entry != U0 else 1.0
    return share * min(near_factor(f, last, v), 1.0) if last != U0 else share


@inlined
def gamma_choose(b, w, k, last, before, c, state):
    """Draw a move for c in proportion to the product of gammas; 0, a pass, if none is left.

    Returns the move and the generator's new state.
    """
    g = w.weights
    f = k.factors
    collect_entries(g, b, f, last, c)
    v = U0
    while True:
        base = (g.total >> (_S32 * (c - U1))) & _LOW
        near = _near_weights(g, k, last, c) if last != U0 else U0
        extra = _entries_weight(g)
        if (base | extra) == U0:
            v = U0
            break
        v, final = _draw(g, b, k, last, c, near, extra, base, state)
        state = next_state(state)
        if final:
            break
        look = drawn_factor(g, b, f, v, c)
        accept = look * _overstated(g, f, last, v)
        if accept == 1.0:
            break
        if look == _SUICIDE:
            _park(g, v, c)
            if g.entry_of[v] != 0:
                g.entry_weight[u64(g.entry_of[v]) - U1] = U0
            continue
        bits = mix(state)
        state = next_state(state)
        if _real(bits >> _S11) * _TO_UNIT_INTERVAL < accept:
            break
        _refuse(g, v, c, look * listed_factor(g, f, last, v))
    end_draw(g, b, k)
    return v, state
