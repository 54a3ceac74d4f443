"""The gamma policy: a move is drawn in proportion to the product of its features' weights.

The features are those of Crazy Stone's playouts: the 3x3 shape, capture, extension out of
atari, self-atari, nearness to the last move; and two more that answer the last move: two
liberties and nakade. Their weights, the gammas, come from a weights file.

How the draw is kept cheap. The shapes' weights stand by point, with a sum for each row and in
all, both colours packed into one word; a move refreshes only its neighbourhood. The few
points with another feature are listed anew for each move (`entries`), each with the weight
that its features add. A point's self-atari and legality are only looked at when it is drawn:
a point that was listed too high is accepted with the ratio of its true weight; on a refusal it
goes on with its true weight. Each round accepts in proportion to the true weights, whatever
was refused before, so the draw is exact.

Late in a playout most points are the other side's eyes. A point that turned out to be suicide
is parked: its weight stays off until its neighbourhood changes, until it becomes some chain's
last liberty, or until anything is captured; nothing else can make it legal.
"""

from __future__ import annotations

import numpy as np

from engine.board import (
    S,
    U0,
    U1,
    U2,
    U3,
    any_liberty,
    enclosed_is_legal,
    has_empty_neighbour,
    in_atari,
    is_single,
    neighbourhood,
    second_liberty,
    single_point,
    touching,
    u64,
)
from engine.geometry import AREA, EMPTY, MAX_SIZE, POINTS
from engine.jit import inner
from engine.rng import mix, next_state
from engine.tactics.atari import (
    BAD_SELF_ATARI,
    NO_SELF_ATARI,
    gains_third_liberty,
    self_atari_kind,
    word_after,
)
from engine.tactics.nakade import vital_point

# Shape weights are integers of at most 16 bits; this one stands for a gamma of 1.
SHAPE_UNIT = 512

_LOW = u64(0xFFFFFFFF)
_LOW16 = u64(0xFFFF)
_S11, _S16, _S32 = u64(11), u64(16), u64(32)
_TO_UNIT_INTERVAL = 2.0**-53
_EVEN_BITS, _S2_MASK, _S2_SUM = u64(0x5555), u64(0x3333), u64(0x1111)
# An entry whose weight is the whole, true weight of its point.
_FINAL = -1.0
_SUICIDE = -1.0

# The gammas of the features other than shape. Those of self-atari are at most 1.
FACTORS = np.dtype(
    [
        ("capture_last", np.float64),  # takes the chain of the last move
        ("capture", np.float64),  # takes another chain
        ("extension_new", np.float64),  # saves a chain in atari that touches the last move
        ("extension", np.float64),  # saves another chain in atari
        ("self_atari_bad", np.float64),  # joins a chain that is left with one liberty
        ("self_atari", np.float64),  # the same with a purpose
        ("beside", np.float64),  # next to the last move
        ("diagonal", np.float64),  # diagonally next to the last move
        ("attack_two", np.float64),  # takes one of two liberties of the last move's chain
        ("defend_two", np.float64),  # from two liberties to three, for a chain that it touches
        ("nakade", np.float64),  # the vital point of an eye space that the last move touches
    ],
    align=True,
)

# The policy's own state for a position: see the docstring above.
WEIGHTS = np.dtype(
    [
        ("weight", np.uint64, POINTS),  # Black's in the low half, White's in the high half
        ("row", np.uint64, MAX_SIZE + 2),
        ("total", np.uint64),
        ("n_listed", np.uint64),
        ("n_entries", np.uint64),
        ("n_zeroed", np.uint64),
        ("n_parked", np.uint64),
        ("entry_factor", np.float64, AREA),  # the product of a point's factors
        ("entry_weight", np.float64, AREA),  # what the entry adds to the point's shape weight
        ("code", np.uint16, POINTS),  # the neighbourhood
        ("listed", np.uint16, AREA),  # points that are, or were, a chain's last liberty
        ("entry_point", np.uint16, AREA),
        ("entry_of", np.uint16, POINTS),  # 1 + the point's entry, or 0
        ("zeroed", np.uint16, AREA),  # points whose shape weight is off for this draw
        ("parked", np.uint16, AREA),  # points whose weight is off because they are suicide
        ("is_listed", np.uint8, POINTS),
        ("is_parked", np.uint8, POINTS),
    ],
    align=True,
)


# --- Shape weights, kept up move by move --------------------------------------------------


@inner
def _real(n):
    """A whole number below 2**63 as a float: the signed conversion is one instruction."""
    return np.float64(np.int64(n))


@inner
def _set_weight(g, v, new):
    delta = new - g.weight[v]
    g.weight[v] = new
    g.row[v // S] += delta
    g.total += delta


@inner
def _present_weight(g, shapes, v):
    """Both colours' weights for the shape that a point has now."""
    pair = u64(shapes[g.code[v]])
    return (pair & _LOW16) | ((pair >> _S16) << _S32)


@inner
def _refreshed(g, b, shapes, v):
    """Give a point, if empty, its present weight; returns the change."""
    if b.color[v] != EMPTY:
        return U0
    new = _present_weight(g, shapes, v)
    delta = new - g.weight[v]
    g.weight[v] = new
    return delta


@inner
def _refresh(g, b, shapes, v):
    delta = _refreshed(g, b, shapes, v)
    g.row[v // S] += delta
    g.total += delta


@inner
def _refresh_around(g, b, shapes, v):
    """Refresh the eight neighbours; the sums are changed once for each row."""
    n, s = v + S, v - S
    north = (
        _refreshed(g, b, shapes, n - U1)
        + _refreshed(g, b, shapes, n)
        + _refreshed(g, b, shapes, n + U1)
    )
    middle = _refreshed(g, b, shapes, v - U1) + _refreshed(g, b, shapes, v + U1)
    south = (
        _refreshed(g, b, shapes, s - U1)
        + _refreshed(g, b, shapes, s)
        + _refreshed(g, b, shapes, s + U1)
    )
    row = v // S
    g.row[row + U1] += north
    g.row[row] += middle
    g.row[row - U1] += south
    g.total += north + middle + south


@inner
def _see(g, b, v, stone):
    """Let an empty point see a stone come, or go if it is subtracted; `stone` is shifted."""
    if b.color[v] == EMPTY:
        g.code[v] += stone


@inner
def _show_stone(g, b, v, c):
    """Let the eight neighbours see a stone of colour c at v, see `board.neighbourhood`."""
    _see(g, b, v - S + U1, c)
    _see(g, b, v - S, c << u64(2))
    _see(g, b, v - S - U1, c << u64(4))
    _see(g, b, v + U1, c << u64(6))
    _see(g, b, v - U1, c << u64(8))
    _see(g, b, v + S + U1, c << u64(10))
    _see(g, b, v + S, c << u64(12))
    _see(g, b, v + S - U1, c << u64(14))


@inner
def _list_liberty(g, b, shapes, n):
    """If the stone at n is in atari, remember where."""
    h = u64(b.chain[n])
    if in_atari(b, h):
        p = single_point(b.libs[h])
        if g.is_parked[p] != 0:
            _refresh(g, b, shapes, p)
        if g.is_listed[p] == 0:
            g.is_listed[p] = 1
            g.listed[g.n_listed] = p
            g.n_listed += U1


@inner
def codes_start(g, b):
    """Compute the neighbourhood codes of a position."""
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            g.code[v] = neighbourhood(b, v)


@inner
def codes_update(g, b, v, c):
    """After c's stone was placed at v: refresh the codes of the empty points around it, of
    what it took, and around that. The codes of stones are not kept up."""
    _show_stone(g, b, v, c)
    if b.n_removed != U0:
        for i in range(b.n_removed):
            _show_stone(g, b, u64(b.removed[i]), c - U3)
        for i in range(b.n_removed):
            g.code[u64(b.removed[i])] = neighbourhood(b, u64(b.removed[i]))


@inner
def gamma_start(g, b, shapes):
    """Compute all weights for a position."""
    codes_start(g, b)
    g.total = U0
    g.n_listed = U0
    g.n_entries = U0
    g.n_zeroed = U0
    g.n_parked = U0
    # The border too: its points are neighbours of others, and never weigh anything.
    for row in range(b.size + U2):
        g.row[row] = U0
        for v in range(row * S, row * S + b.size + U2):
            g.weight[v] = U0
            g.is_listed[v] = 0
            g.is_parked[v] = 0
            g.entry_of[v] = 0
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            if b.color[v] == EMPTY:
                _refresh(g, b, shapes, v)
            elif u64(b.chain[v]) == v:
                _list_liberty(g, b, shapes, v)


@inner
def _park(g, v, c):
    """Switch c's weight at a point off until something can have made it legal."""
    _set_weight(g, v, g.weight[v] & ~(_LOW << (_S32 * (c - U1))))
    if g.is_parked[v] == 0:
        g.is_parked[v] = 1
        g.parked[g.n_parked] = v
        g.n_parked += U1


@inner
def _unpark(g, b, shapes):
    for i in range(g.n_parked):
        v = u64(g.parked[i])
        g.is_parked[v] = 0
        _refresh(g, b, shapes, v)
    g.n_parked = U0


@inner
def gamma_update(g, b, shapes, v, c):
    """After c's stone was placed at v: refresh what it touched."""
    codes_update(g, b, v, c)
    _set_weight(g, v, U0)
    _refresh_around(g, b, shapes, v)
    if b.n_removed != U0:
        for i in range(b.n_removed):
            s = u64(b.removed[i])
            _refresh(g, b, shapes, s)
            _refresh_around(g, b, shapes, s)
        _unpark(g, b, shapes)
    o = U3 - c
    _list_liberty(g, b, shapes, v)
    if u64(b.color[v - S]) == o:
        _list_liberty(g, b, shapes, v - S)
    if u64(b.color[v - U1]) == o:
        _list_liberty(g, b, shapes, v - U1)
    if u64(b.color[v + U1]) == o:
        _list_liberty(g, b, shapes, v + U1)
    if u64(b.color[v + S]) == o:
        _list_liberty(g, b, shapes, v + S)


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
        g.entry_weight[e - U1] = 0.0
        g.n_entries = e
    else:
        g.entry_factor[e - U1] *= factor


@inner
def _last_liberty_factor(b, f, v, last, c):
    """The gammas of capturing and of saving chains whose last liberty is v; 0 if it is none's."""
    capture = 1.0
    extension = 1.0
    found = False
    for n in (v - S, v - U1, v + U1, v + S):
        color = u64(b.color[n])
        if color == U1 or color == U2:
            h = u64(b.chain[n])
            if in_atari(b, h):
                found = True
                if color != c:
                    if last != U0 and u64(b.chain[last]) == h:
                        capture = f.capture_last
                    elif capture == 1.0:
                        capture = f.capture
                elif last != U0 and touching(b, last, h) != U0:
                    extension = f.extension_new
                elif extension == 1.0:
                    extension = f.extension
    if not found:
        return 0.0
    if extension != 1.0 and is_single(word_after(b, v, c)):
        extension = 1.0
    return capture * extension


@inner
def _last_liberty_entries(g, b, f, last, c):
    """Captures and extensions; points that are no longer a last liberty leave the list."""
    i = U0
    while i < g.n_listed:
        v = u64(g.listed[i])
        factor = _last_liberty_factor(b, f, v, last, c) if b.color[v] == EMPTY else 0.0
        if factor == 0.0:
            g.is_listed[v] = 0
            g.n_listed -= U1
            g.listed[i] = g.listed[g.n_listed]
        else:
            if factor != 1.0:
                _multiply(g, v, factor)
            i += U1


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
def _near_weight(g, v, c, gain):
    """What nearness adds to a point's weight; points with an entry have it counted there."""
    return gain * _real(shape_weight(g, v, c)) if g.entry_of[v] == 0 else 0.0


@inner
def _near_weights(g, f, last, c):
    """What nearness adds to the eight points around the last move together."""
    beside = max(f.beside - 1.0, 0.0)
    diagonal = max(f.diagonal - 1.0, 0.0)
    return (
        _near_weight(g, last - S, c, beside)
        + _near_weight(g, last - U1, c, beside)
        + _near_weight(g, last + U1, c, beside)
        + _near_weight(g, last + S, c, beside)
        + _near_weight(g, last - S - U1, c, diagonal)
        + _near_weight(g, last - S + U1, c, diagonal)
        + _near_weight(g, last + S - U1, c, diagonal)
        + _near_weight(g, last + S + U1, c, diagonal)
    )


@inner
def _near_at(g, f, last, c, r):
    """The point around the last move at which the running sum of those weights passes r."""
    found = U0
    gain = max(f.beside - 1.0, 0.0)
    for v in (last - S, last - U1, last + U1, last + S):
        weight = _near_weight(g, v, c, gain)
        if weight > 0.0:
            found = v
            if r < weight:
                return v
            r -= weight
    gain = max(f.diagonal - 1.0, 0.0)
    for v in (last - S - U1, last - S + U1, last + S - U1, last + S + U1):
        weight = _near_weight(g, v, c, gain)
        if weight > 0.0:
            found = v
            if r < weight:
                return v
            r -= weight
    return found


@inner
def _defend_two(g, b, f, n, c):
    """Let a chain with two liberties at n, if c's, gain a third."""
    h = u64(b.chain[n])
    p = any_liberty(b, n)
    q = second_liberty(b, h, p)
    if q != U0:
        if gains_third_liberty(b, p, q, c):
            _multiply(g, p, f.defend_two)
        if gains_third_liberty(b, q, p, c):
            _multiply(g, q, f.defend_two)


@inner
def _two_liberty_entries(g, b, f, last, c):
    """Attack the last move's chain if it has two liberties, defend own ones that touch it."""
    p = any_liberty(b, last)
    q = second_liberty(b, u64(b.chain[last]), p)
    if q != U0:
        _multiply(g, p, f.attack_two)
        _multiply(g, q, f.attack_two)
    h1 = h2 = h3 = U0
    for n in (last - S, last - U1, last + U1, last + S):
        h = u64(b.chain[n])
        if u64(b.color[n]) == c and h != h1 and h != h2 and h != h3:
            h1, h2, h3 = h, h1, h2
            if not in_atari(b, h):
                _defend_two(g, b, f, n, c)


@inner
def _is_narrow(g, v):
    """Whether at most five of the eight points around v are empty, as in every dead shape."""
    code = u64(g.code[v])
    empty = ~(code | (code >> U1)) & _EVEN_BITS
    pairs = (empty & _S2_MASK) + ((empty >> U2) & _S2_MASK)
    return (pairs * _S2_SUM) >> u64(12) & u64(15) <= u64(5)


@inner
def _nakade_entries(g, b, f, last, o):
    """The vital points of the opponent's small eye spaces that the last move touches."""
    p1 = p2 = p3 = U0
    for n in (last - S, last - U1, last + U1, last + S):
        if b.color[n] == EMPTY and has_empty_neighbour(b, n) and _is_narrow(g, n):
            p = vital_point(b, n, o)
            if p != U0 and p != p1 and p != p2 and p != p3:
                p1, p2, p3 = p, p1, p2
                _multiply(g, p, f.nakade)


@inner
def collect_entries(g, b, f, last, c):
    """List the points with further features for c's move, and the weight they add."""
    _last_liberty_entries(g, b, f, last, c)
    if last != U0:
        if f.attack_two != 1.0 or f.defend_two != 1.0:
            _two_liberty_entries(g, b, f, last, c)
        if f.nakade != 1.0:
            _nakade_entries(g, b, f, last, U3 - c)
    for e in range(g.n_entries):
        v = u64(g.entry_point[e])
        if last != U0:
            g.entry_factor[e] *= near_factor(f, last, v)
        gain = max(g.entry_factor[e] - 1.0, 0.0)
        g.entry_weight[e] = gain * _real(shape_weight(g, v, c))


# --- Drawing ------------------------------------------------------------------------------


@inner
def _point_by_shape(g, b, c, r):
    """The point at which the running sum of c's shape weights passes r."""
    half = _S32 * (c - U1)
    row = U1
    while True:
        s = (g.row[row] >> half) & _LOW
        if r < s:
            break
        r -= s
        row += U1
    v = row * S + U1
    while True:
        s = (g.weight[v] >> half) & _LOW
        if r < s:
            return v
        r -= s
        v += U1


@inner
def _entries_weight(g):
    extra = 0.0
    for e in range(g.n_entries):
        extra += g.entry_weight[e]
    return extra


@inner
def _entry_at(g, r):
    """The entry at which the running sum of the entries' weights passes r."""
    found = U0
    for e in range(g.n_entries):
        if g.entry_weight[e] > 0.0:
            found = u64(e)
            if r < g.entry_weight[e]:
                break
            r -= g.entry_weight[e]
    return found


@inner
def drawn_factor(b, f, v, c):
    """The gamma that is only looked at when a point is drawn: of self-atari, 0 for a ko.

    A lone stone's self-atari is left to its shape, which shows it; here it is that of a chain.
    """
    if not (has_empty_neighbour(b, v) or enclosed_is_legal(b, v, c)):
        return 0.0 if v == b.ko else _SUICIDE
    if (
        (u64(b.color[v - S]) != c)
        & (u64(b.color[v - U1]) != c)
        & (u64(b.color[v + U1]) != c)
        & (u64(b.color[v + S]) != c)
    ):
        return 1.0
    kind = self_atari_kind(b, v, c)
    if kind == NO_SELF_ATARI:
        return 1.0
    return f.self_atari_bad if kind == BAD_SELF_ATARI else f.self_atari


@inner
def _refuse(g, v, c, factor):
    """Let a point go on in this draw with its true weight: its shape's times a factor."""
    half = _S32 * (c - U1)
    true = factor * _real((g.weight[v] >> half) & _LOW)
    _set_weight(g, v, g.weight[v] & ~(_LOW << half))
    g.zeroed[g.n_zeroed] = v
    g.n_zeroed += U1
    if g.entry_of[v] == 0:
        if true == 0.0:
            return
        _multiply(g, v, 1.0)
    e = u64(g.entry_of[v]) - U1
    g.entry_weight[e] = true
    g.entry_factor[e] = _FINAL


@inner
def end_draw(g, b, shapes):
    """Put the shape weights back and forget the entries."""
    for i in range(g.n_zeroed):
        _refresh(g, b, shapes, u64(g.zeroed[i]))
    for e in range(g.n_entries):
        g.entry_of[u64(g.entry_point[e])] = 0
    g.n_zeroed = U0
    g.n_entries = U0


@inner
def _draw(g, b, f, last, c, near, extra, base, state):
    """Draw a point from what is listed; returns it, and whether its weight is final."""
    bits = mix(state)
    r = _real(bits >> _S11) * _TO_UNIT_INTERVAL * (near + extra + _real(base))
    if r < extra:
        e = _entry_at(g, r)
        return u64(g.entry_point[e]), g.entry_factor[e] == _FINAL
    r -= extra
    if r < near:
        return _near_at(g, f, last, c, r), False
    if base == U0:
        return U0, False
    return _point_by_shape(g, b, c, min(u64(max(r - near, 0.0)), base - U1)), False


@inner
def listed_factor(g, f, last, v):
    """The product of gammas with which a point was listed."""
    if g.entry_of[v] != 0:
        return g.entry_factor[u64(g.entry_of[v]) - U1]
    return near_factor(f, last, v) if last != U0 else 1.0


@inner
def gamma_choose(g, b, shapes, f, last, c, state):
    """Draw a move for c in proportion to the product of gammas; 0, a pass, if none is left.

    Returns the move and the generator's new state.
    """
    collect_entries(g, b, f, last, c)
    v = U0
    while True:
        base = (g.total >> (_S32 * (c - U1))) & _LOW
        near = _near_weights(g, f, last, c) if last != U0 else 0.0
        extra = _entries_weight(g)
        if base == U0 and extra == 0.0:
            v = U0
            break
        v, final = _draw(g, b, f, last, c, near, extra, base, state)
        state = next_state(state)
        if final:
            break
        if v == U0:
            continue
        factor = listed_factor(g, f, last, v)
        look = drawn_factor(b, f, v, c)
        accept = look * min(factor, 1.0)
        if accept == 1.0:
            break
        if look == _SUICIDE:
            _park(g, v, c)
            if g.entry_of[v] != 0:
                g.entry_weight[u64(g.entry_of[v]) - U1] = 0.0
            continue
        bits = mix(state)
        state = next_state(state)
        if _real(bits >> _S11) * _TO_UNIT_INTERVAL < accept:
            break
        _refuse(g, v, c, look * factor)
    end_draw(g, b, shapes)
    return v, state
