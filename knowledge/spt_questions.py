"""What a spatial probability tree may ask about a point, and the kernel that answers it all.

Every question is whether a number is at most a threshold, so the answers are columns of small
numbers for each point of the board. Those of the paper know no direction:

    window counts      own stones, enemy stones, empty points, points off the board in the n x n
                       window around the point; n = 1 is the point itself
    liberties          of the chain that a stone at the point would form, after captures, for a
                       stone of the mover and for one of the enemy; 0 would be suicide. At a stone
                       both are the liberties of its chain
    captures           how many stones the mover would take there, and how many the enemy would
    last moves         how far away the last four moves are, in rows or columns, whichever is
                       more: at most r means within a window of 2 r + 1

The others are asked in the view of `spt_views.py`, turned towards the last move: windows that are
not centred, of one point (with the liberties of its chain) or of nine, and where the last two
moves are.
"""

from __future__ import annotations

import numpy as np

from engine.board import S, U0, U1, U2, U3, atari_liberty, in_atari, u64
from engine.geometry import AREA, EMPTY, MAX_SIZE, PASS, POINTS
from engine.jit import inner, kernel
from engine.position import Position
from knowledge.extract.facts import HISTORY, new_moment
from knowledge.features import History
from knowledge.spt_views import (
    OFF_BOARD,
    VIEW_POINTS,
    VIEW_STRIDE,
    seen_from,
    show,
    steps,
    turn_at,
    view_index,
)

WINDOWS = (1, 3, 5, 7, 9, 11, 15)
MOST_LIBERTIES = 8  # so many or more
MOST_CAPTURES = 20
FARTHEST = MAX_SIZE  # so far, or no such move
NO_WINDOW = 9  # stones in a window whose middle is off the board
# Single points of the view, and the middles of small windows: how far ahead, and to the right.
SINGLE = [
    (ahead, right)
    for ahead in range(-3, 4)
    for right in range(-3, 4)
    if 0 < abs(ahead) + abs(right) + max(abs(ahead), abs(right)) <= 6
]
SMALL = [(2, 0), (-2, 0), (0, 2), (0, -2)]

_COUNTED = ("own stones", "enemy stones", "empty points", "points off the board")
_PLAIN = [
    *((f"{what} in {n}x{n}", n * n) for n in WINDOWS for what in _COUNTED),
    ("liberties if the mover plays here", MOST_LIBERTIES),
    ("liberties if the enemy plays here", MOST_LIBERTIES),
    ("stones the mover would take here", MOST_CAPTURES),
    ("stones the enemy would take here", MOST_CAPTURES),
    *((f"distance to move {i} back", FARTHEST) for i in range(1, HISTORY + 1)),
]
_TURNED = [
    *((f"point {place} of the view", OFF_BOARD) for place in SINGLE),
    *((f"own stones in 3x3 at {place} of the view", NO_WINDOW) for place in SMALL),
    *((f"enemy stones in 3x3 at {place} of the view", NO_WINDOW) for place in SMALL),
    ("how far to the right move 1 back is", FARTHEST),
    ("how far ahead move 2 back is", 2 * FARTHEST),
    ("how far to the right move 2 back is", 2 * FARTHEST),
]
# The columns in order, and the largest answer in each.
NAMES = tuple(name for name, _ in _PLAIN + _TURNED)
LARGEST = np.array([most for _, most in _PLAIN + _TURNED], np.uint8)
COLUMNS, PLAIN_COLUMNS = len(NAMES), len(_PLAIN)

_C = u64(COLUMNS)
_RADII = tuple((n - 1) // 2 for n in WINDOWS)
_LIBERTIES = u64(4 * len(WINDOWS))
_CAPTURES = _LIBERTIES + U2
_DISTANCES = _CAPTURES + U2
_SINGLES = u64(PLAIN_COLUMNS)
_SMALLS = _SINGLES + u64(len(SINGLE))
_PLACES = _SMALLS + u64(2 * len(SMALL))
_N_SINGLE, _N_SMALL = u64(len(SINGLE)), u64(len(SMALL))
_TO_SINGLE, _TO_SMALL = steps(SINGLE, VIEW_STRIDE), steps(SMALL, VIEW_STRIDE)
_OF_3X3 = u64(4 * WINDOWS.index(3))

_MOST, _MOST_TAKEN = u64(MOST_LIBERTIES), u64(MOST_CAPTURES)
_ROOM = u64(16)  # for the liberties of a chain, of which one more than the most is listed
_SUMS = u64(MAX_SIZE + 1)
_ENEMY = u64(16)  # the bit from which a word of two counts holds the enemy's
_HALF = u64(0xFFFF)

ASKED = np.dtype(
    [
        ("answers", np.uint8, AREA * COLUMNS),  # a row for each point, from the bottom left
        ("turn", np.uint8, AREA),  # in which each point sees the board
        ("sums", np.uint32, (MAX_SIZE + 1) ** 2),  # own and enemy stones below and left
        ("count", np.uint8, POINTS),  # of a chain's liberties, at its head
        ("liberties", np.uint16, POINTS * int(_ROOM)),
        ("found", np.uint64, 16),
        ("shown", np.uint8, VIEW_POINTS),
        ("near_own", np.uint8, VIEW_POINTS),  # stones in the 3x3 window around each point
        ("near_enemy", np.uint8, VIEW_POINTS),
    ],
    align=True,
)


def new_asked() -> np.ndarray:
    """Memory for one thread that asks."""
    return np.zeros(1, ASKED)


# --- Window counts ------------------------------------------------------------------------


@inner
def _sum_stones(b, c, w):
    """For each corner of points, how many own and enemy stones lie below and left of it."""
    for column in range(b.size + U1):
        w.sums[column] = 0
    for row in range(b.size):
        here = (row + U1) * _SUMS
        w.sums[here] = 0
        in_row = U0
        for column in range(b.size):
            color = u64(b.color[(row + U1) * S + column + U1])
            in_row += u64(color == c) + (u64(color == U3 - c) << _ENEMY)
            w.sums[here + column + U1] = u64(w.sums[here - _SUMS + column + U1]) + in_row


@inner
def _answer_windows(b, w, row, column, start):
    """Write the counts of all windows around a point."""
    for k in range(len(_RADII)):
        radius = u64(_RADII[k])
        low = row - min(row, radius)
        left = column - min(column, radius)
        high = min(row + radius + U1, b.size)
        right = min(column + radius + U1, b.size)
        stones = (
            u64(w.sums[high * _SUMS + right])
            - u64(w.sums[low * _SUMS + right])
            - u64(w.sums[high * _SUMS + left])
            + u64(w.sums[low * _SUMS + left])
        )
        own, enemy = stones & _HALF, stones >> _ENEMY
        inside = (high - low) * (right - left)
        side = radius + radius + U1
        at = start + u64(4 * k)
        w.answers[at] = own
        w.answers[at + U1] = enemy
        w.answers[at + U2] = inside - own - enemy
        w.answers[at + U3] = side * side - inside


# --- Liberties and captures ---------------------------------------------------------------


@inner
def _list_liberties(b, h, w):
    """Write a chain's liberties until there are enough."""
    start = h * _ROOM
    n = U0
    v = h
    while True:
        for p in (v - S, v - U1, v + U1, v + S):
            if b.color[p] == EMPTY and n <= _MOST:
                known = False
                for i in range(n):
                    known |= w.liberties[start + i] == p
                if not known:
                    w.liberties[start + n] = p
                    n += U1
        v = u64(b.next[v])
        if v == h or n > _MOST:
            break
    w.count[h] = n


@inner
def _read_chains(b, w):
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            if b.color[v] != EMPTY and b.chain[v] == v:
                if in_atari(b, v):
                    w.count[v] = 1
                    w.liberties[v * _ROOM] = atari_liberty(b, v)
                else:
                    _list_liberties(b, v, w)


@inner
def _is_first(b, v, m):
    """Whether no neighbour of v before m, in the usual order, is of the chain at m."""
    h = b.chain[m]
    if m == v - S:
        return True
    if m == v - U1:
        return b.chain[v - S] != h
    if m == v + U1:
        return (b.chain[v - S] != h) & (b.chain[v - U1] != h)
    return (b.chain[v - S] != h) & (b.chain[v - U1] != h) & (b.chain[v + U1] != h)


@inner
def _joins(b, v, c, p):
    """Whether a point will belong to the chain that c forms at v."""
    if p == v:
        return True
    h = b.chain[p]
    return u64(b.color[p]) == c and (
        (b.chain[v - S] == h)
        | (b.chain[v - U1] == h)
        | (b.chain[v + U1] == h)
        | (b.chain[v + S] == h)
    )


@inner
def _freed(b, v, c, h):
    """How many liberties capturing the chain h gives to the chain that c forms at v."""
    n = U0
    p = h
    while True:
        n += u64(
            _joins(b, v, c, p - S)
            or _joins(b, v, c, p - U1)
            or _joins(b, v, c, p + U1)
            or _joins(b, v, c, p + S)
        )
        p = u64(b.next[p])
        if p == h or n >= _MOST:
            return n


@inner
def _find(w, n, p):
    """Add a liberty to those found, if it is new and they are not enough; returns how many."""
    for i in range(n):
        if w.found[i] == p:
            return n
    if n < _MOST:
        w.found[n] = p
        n += U1
    return n


@inner
def _effect(b, v, c, w):
    """The liberties of the chain that c forms at the empty point v, and the stones it takes."""
    n = U0
    taken = U0
    freed = U0
    for m in (v - S, v - U1, v + U1, v + S):
        color = u64(b.color[m])
        h = u64(b.chain[m])
        if color == EMPTY:
            n = _find(w, n, m)
        elif color == U3 or not _is_first(b, v, m):
            continue
        elif color != c:
            if w.count[h] == 1:
                taken += u64(b.stones[h])
                freed += _freed(b, v, c, h)
        elif u64(w.count[h]) > _MOST:
            freed = _MOST  # enough without v, whatever else there is
        else:
            for i in range(h * _ROOM, h * _ROOM + u64(w.count[h])):
                if w.liberties[i] != v:
                    n = _find(w, n, u64(w.liberties[i]))
    return min(n + freed, _MOST), min(taken, _MOST_TAKEN)


@inner
def _answer_tactics(b, c, v, w, start):
    """Write liberties and captures for both sides."""
    at, taken_at = start + _LIBERTIES, start + _CAPTURES
    if b.color[v] == EMPTY:
        w.answers[at], w.answers[taken_at] = _effect(b, v, c, w)
        w.answers[at + U1], w.answers[taken_at + U1] = _effect(b, v, U3 - c, w)
    else:
        n = min(u64(w.count[u64(b.chain[v])]), _MOST)
        w.answers[at] = n
        w.answers[at + U1] = n
        w.answers[taken_at] = 0
        w.answers[taken_at + U1] = 0


# --- Last moves ---------------------------------------------------------------------------


@inner
def _answer_distances(moment, row, column, w, start):
    for i in range(HISTORY):
        last = moment.moves[i]
        away = u64(FARTHEST)
        if last != U0:
            r, k = last // S - U1, last % S - U1
            away = max(max(row, r) - min(row, r), max(column, k) - min(column, k))
        w.answers[start + _DISTANCES + u64(i)] = away


@inner
def _place_seen(move, turn, row, column):
    """How far ahead and to the right a move is, as seen from a point."""
    rows = np.int64(move // S) - np.int64(row + U1)
    columns = np.int64(move % S) - np.int64(column + U1)
    return seen_from(turn, rows, columns)


# --- The view -----------------------------------------------------------------------------


@inner
def _count_near(b, w):
    """Write the counts of all 3x3 windows where the views find them."""
    w.near_own[:] = NO_WINDOW
    w.near_enemy[:] = NO_WINDOW
    start = _OF_3X3
    for row in range(b.size):
        for column in range(b.size):
            at = view_index(row, column)
            w.near_own[at] = w.answers[start]
            w.near_enemy[at] = w.answers[start + U1]
            start += _C


@inner
def _answer_view(b, moment, row, column, w, turn, start):
    """Write what lies where in the view from a point."""
    here = np.int64(view_index(row, column))
    for i in range(_N_SINGLE):
        w.answers[start + _SINGLES + i] = w.shown[u64(here + _TO_SINGLE[turn, i])]
    for i in range(_N_SMALL):
        there = u64(here + _TO_SMALL[turn, i])
        w.answers[start + _SMALLS + i] = w.near_own[there]
        w.answers[start + _SMALLS + _N_SMALL + i] = w.near_enemy[there]
    last, before = moment.moves[0], moment.moves[1]
    at = start + _PLACES
    w.answers[at] = FARTHEST
    w.answers[at + U1] = 2 * FARTHEST
    w.answers[at + U2] = 2 * FARTHEST
    if last != U0:
        _, right = _place_seen(last, turn, row, column)
        w.answers[at] = right
    if before != U0:
        ahead, right = _place_seen(before, turn, row, column)
        w.answers[at + U1] = ahead + FARTHEST
        w.answers[at + U2] = right + FARTHEST


# --- All of it ----------------------------------------------------------------------------


@inner
def ask(b, c, moment, turned, w):
    """Write the answers for every point of a position with c to move into w, an ASKED.

    b is a BOARD and `moment` a MOMENT. Unless `turned` is set every point sees the board as it
    is, and the questions about the view stay unanswered.
    """
    _sum_stones(b, c, w)
    _read_chains(b, w)
    start = U0
    for row in range(b.size):
        for column in range(b.size):
            v = (row + U1) * S + column + U1
            _answer_windows(b, w, row, column, start)
            _answer_tactics(b, c, v, w, start)
            _answer_distances(moment, row, column, w, start)
            start += _C
    if not turned:
        w.turn[:] = 0
        return
    show(b, c, w.count, w.shown)
    _count_near(b, w)
    i = U0
    for row in range(b.size):
        for column in range(b.size):
            turn = turn_at(b.size, row, column, moment.moves[0])
            w.turn[i] = turn
            _answer_view(b, moment, row, column, w, turn, i * _C)
            i += U1


@kernel
def _ask(a, color, moments, turned, asked):
    ask(a[0], u64(color), moments[0], turned, asked[0])


def moment_of(history: History) -> np.ndarray:
    """What kernels know of what came before."""
    result = new_moment()
    result[0]["moves"] = [*history.moves, *[PASS] * HISTORY][:HISTORY]
    result[0]["number"], result[0]["after_pass"] = history.number, history.after_pass
    return result


def answers_at(position: Position, color: int, history: History, turned: bool) -> np.ndarray:
    """The answers for all points, row by row from the bottom left; a column for each of NAMES."""
    asked = new_asked()
    _ask(position.record, color, moment_of(history), turned, asked)
    count = position.size * position.size
    rows = asked[0]["answers"].reshape(AREA, COLUMNS)[:count]
    return rows.copy() if turned else rows[:, :PLAIN_COLUMNS].copy()
