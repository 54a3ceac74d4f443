"""The gamma policy: a move is drawn in proportion to the product of its features' weights.

The features are those of Crazy Stone's playouts: the 3x3 shape, capture, extension out of
atari, self-atari, nearness to the last move; and two more that answer the last move: two
liberties and nakade. Captures and extensions are those that answer the last move: elsewhere on
the board their gammas were learned to be about 1. The gammas come from a weights file.

How the draw is kept cheap. The shapes' weights stand by point, with a sum for each row and in
all, both colours packed into one word; a move refreshes only its neighbourhood. The few
points with another feature are listed for each move (`entries`), each with the weight
that its features add. A point's self-atari and legality are only looked at when it is drawn:
a point that was listed too high is accepted with the ratio of its true weight; on a refusal it
goes on with its true weight. Each round accepts in proportion to the true weights, whatever
was refused before, so the draw is exact.

Late in a playout most points are the other side's eyes. A point that turned out to be suicide
is parked: its weight stays off until its neighbourhood changes, until a chain is put in atari
at it, or until anything is captured; nothing else can make it legal.
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
from engine.tactics.nakade import is_narrow, vital_point

# Shape weights are integers of at most 16 bits; this one stands for a gamma of 1.
SHAPE_UNIT = 512

_LOW = u64(0xFFFFFFFF)
_LOW16 = u64(0xFFFF)
_S11, _S16, _S32 = u64(11), u64(16), u64(32)
_TO_UNIT_INTERVAL = 2.0**-53
# An entry whose weight is the whole, true weight of its point.
_FINAL = -1.0
_SUICIDE = -1.0

# The gammas of the features other than shape. Those of self-atari are at most 1.
FACTORS = np.dtype(
    [
        ("capture", np.float64),  # takes the chain of the last move
        ("extension", np.float64),  # saves a chain in atari that touches the last move
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
        ("n_entries", np.uint64),
        ("n_zeroed", np.uint64),
        ("n_parked", np.uint64),
        ("entry_factor", np.float64, AREA),  # the product of a point's factors
        ("entry_weight", np.float64, AREA),  # what the entry adds to the point's shape weight
        ("code", np.uint16, POINTS),  # the neighbourhood
        ("entry_point", np.uint16, AREA),
        ("entry_of", np.uint16, POINTS),  # 1 + the point's entry, or 0
        ("zeroed", np.uint16, AREA),  # points whose shape weight is off for this draw
        ("parked", np.uint16, AREA),  # points whose weight is off because they are suicide
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
def _seen(g, b, shapes, v, stone):
    """Let a point, if empty, see a stone come (or go, if negative; shifted to its place in the
    code) and take the weight of its new shape; returns the change of weight."""
    if b.color[v] != EMPTY:
        return U0
    g.code[v] += stone
    new = _present_weight(g, shapes, v)
    delta = new - g.weight[v]
    g.weight[v] = new
    return delta


@inner
def _refresh(g, b, shapes, v):
    """Give a point, if empty, the weight of its present shape."""
    delta = _seen(g, b, shapes, v, U0)
    g.row[v // S] += delta
    g.total += delta


@inner
def _show_stone(g, b, shapes, v, c):
    """Let the eight neighbours of v see a stone of colour c come, see `board.neighbourhood`.

    Their weights follow; the sums are changed once for each row.
    """
    n, s = v + S, v - S
    north = (
        _seen(g, b, shapes, n - U1, c << u64(14))
        + _seen(g, b, shapes, n, c << u64(12))
        + _seen(g, b, shapes, n + U1, c << u64(10))
    )
    middle = _seen(g, b, shapes, v - U1, c << u64(8)) + _seen(g, b, shapes, v + U1, c << u64(6))
    south = (
        _seen(g, b, shapes, s - U1, c << u64(4))
        + _seen(g, b, shapes, s, c << u64(2))
        + _seen(g, b, shapes, s + U1, c)
    )
    row = v // S
    g.row[row + U1] += north
    g.row[row] += middle
    g.row[row - U1] += south
    g.total += north + middle + south


@inner
def _note_atari(g, b, shapes, n):
    """If the stone at n is in atari, its last liberty may have become legal: see it again."""
    h = u64(b.chain[n])
    if in_atari(b, h):
        p = single_point(b.libs[h])
        if g.is_parked[p] != 0:
            _refresh(g, b, shapes, p)


@inner
def gamma_start(g, b, shapes):
    """Compute all weights for a position."""
    g.total = U0
    g.n_entries = U0
    g.n_zeroed = U0
    g.n_parked = U0
    # The border too: its points are neighbours of others, and never weigh anything.
    for row in range(b.size + U2):
        g.row[row] = U0
        for v in range(row * S, row * S + b.size + U2):
            g.weight[v] = U0
            g.is_parked[v] = 0
            g.entry_of[v] = 0
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            if b.color[v] == EMPTY:
                g.code[v] = neighbourhood(b, v)
                _refresh(g, b, shapes, v)


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
    """After c's stone was placed at v: refresh what it touched. Stones' codes are not kept up."""
    _set_weight(g, v, U0)
    _show_stone(g, b, shapes, v, c)
    if b.n_removed != U0:
        for i in range(b.n_removed):
            _show_stone(g, b, shapes, u64(b.removed[i]), c - U3)
        for i in range(b.n_removed):
            s = u64(b.removed[i])
            g.code[s] = neighbourhood(b, s)
            _refresh(g, b, shapes, s)
        _unpark(g, b, shapes)
    o = U3 - c
    _note_atari(g, b, shapes, v)
    if u64(b.color[v - S]) == o:
        _note_atari(g, b, shapes, v - S)
    if u64(b.color[v - U1]) == o:
        _note_atari(g, b, shapes, v - U1)
    if u64(b.color[v + U1]) == o:
        _note_atari(g, b, shapes, v + U1)
    if u64(b.color[v + S]) == o:
        _note_atari(g, b, shapes, v + S)


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
def _near_weights(g, f, last, c):
    """What nearness adds to the eight points around the last move together."""
    half = _S32 * (c - U1)
    beside = _real((_beside(g, last) >> half) & _LOW)
    diagonal = _real((_diagonal(g, last) >> half) & _LOW)
    return max(f.beside - 1.0, 0.0) * beside + max(f.diagonal - 1.0, 0.0) * diagonal


@inner
def _near_at(g, f, last, c, r):
    """The point around the last move at which the running sum of what nearness adds passes r."""
    half = _S32 * (c - U1)
    gain = max(f.beside - 1.0, 0.0)
    beside = (_beside(g, last) >> half) & _LOW
    if r < gain * _real(beside):
        rest = min(u64(r / gain), beside - U1)
        for v in (last - S, last - U1, last + U1):
            weight = (g.weight[v] >> half) & _LOW
            if rest < weight:
                return v
            rest -= weight
        return last + S
    r -= gain * _real(beside)
    rest = min(u64(r / max(f.diagonal - 1.0, 1e-9)), ((_diagonal(g, last) >> half) & _LOW) - U1)
    for v in (last - S - U1, last - S + U1, last + S - U1):
        weight = (g.weight[v] >> half) & _LOW
        if rest < weight:
            return v
        rest -= weight
    return last + S + U1


@inner
def _attack_entries(g, b, f, last):
    """Take the last move's chain if it is in atari, press it if it has two liberties."""
    h = u64(b.chain[last])
    if in_atari(b, h):
        _multiply(g, single_point(b.libs[h]), f.capture)
    elif f.attack_two != 1.0:
        p = any_liberty(b, last)
        q = second_liberty(b, h, p)
        if q != U0:
            _multiply(g, p, f.attack_two)
            _multiply(g, q, f.attack_two)


@inner
def _defend_two(g, b, f, n, c):
    """Let c's chain at n, if it has two liberties, gain a third."""
    p = any_liberty(b, n)
    q = second_liberty(b, u64(b.chain[n]), p)
    if q != U0:
        if gains_third_liberty(b, p, q, c):
            _multiply(g, p, f.defend_two)
        if gains_third_liberty(b, q, p, c):
            _multiply(g, q, f.defend_two)


@inner
def _defence_entries(g, b, f, last, c):
    """Help the own chains that the last move touches: extend out of atari, gain liberties."""
    h1 = h2 = h3 = p1 = p2 = p3 = U0
    for n in (last - S, last - U1, last + U1, last + S):
        h = u64(b.chain[n])
        if u64(b.color[n]) == c and h != h1 and h != h2 and h != h3:
            h1, h2, h3 = h, h1, h2
            if not in_atari(b, h):
                if f.defend_two != 1.0:
                    _defend_two(g, b, f, n, c)
            else:
                p = single_point(b.libs[h])
                # Several chains may have the same last liberty: the feature counts once.
                if p != p1 and p != p2 and p != p3 and not is_single(word_after(b, p, c)):
                    p1, p2, p3 = p, p1, p2
                    _multiply(g, p, f.extension)


@inner
def _nakade_entries(g, b, f, last, o):
    """The vital points of the opponent's small eye spaces that the last move touches."""
    p1 = p2 = p3 = U0
    for n in (last - S, last - U1, last + U1, last + S):
        if b.color[n] == EMPTY and has_empty_neighbour(b, n) and is_narrow(u64(g.code[n])):
            p = vital_point(b, n, o)
            if p != U0 and p != p1 and p != p2 and p != p3:
                p1, p2, p3 = p, p1, p2
                _multiply(g, p, f.nakade)


@inner
def collect_entries(g, b, f, last, c):
    """List the points with further features for c's move, and the weight they add."""
    if last == U0:
        return
    _attack_entries(g, b, f, last)
    _defence_entries(g, b, f, last, c)
    if f.nakade != 1.0:
        _nakade_entries(g, b, f, last, U3 - c)
    for e in range(g.n_entries):
        v = u64(g.entry_point[e])
        near = max(near_factor(f, last, v), 1.0)
        gain = max(g.entry_factor[e] - 1.0, 0.0)
        g.entry_weight[e] = near * gain * _real(shape_weight(g, v, c))


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
    """What the entries add together."""
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
        look = drawn_factor(b, f, v, c)
        accept = look * _overstated(g, f, last, v)
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
        _refuse(g, v, c, look * listed_factor(g, f, last, v))
    end_draw(g, b, shapes)
    return v, state
