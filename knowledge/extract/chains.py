"""What every chain is asked once a position: its liberties, and what it has to do with the last
move. The chains with one or two liberties then mark the points where a move changes their fate."""

from __future__ import annotations

from engine.board import (
    S,
    U0,
    U1,
    U2,
    U3,
    U4,
    atari_liberty,
    has_empty_neighbour,
    in_atari,
    neighbourhood,
    u64,
)
from engine.geometry import EMPTY
from engine.jit import inner
from engine.tactics.nakade import is_narrow, vital_point
from knowledge.extract.facts import (
    ATTACKS,
    ATTACKS_BIG,
    ATTACKS_LAST,
    ATTACKS_TWO,
    LIBERTY_ROOM,
    MOST_LIBERTIES,
    NEAR_TWO,
    NO_CHAIN,
    SAVES,
    SAVES_NEW,
    TAKES,
    TAKES_BESIDE_NEW,
    TAKES_BESIDE_WEAK,
    TAKES_LAST,
    TOUCHES_LAST,
    VITAL,
)

BIG = u64(3)  # a chain of so many stones is big
_BESIDE_NEW, _BESIDE_WEAK = U1, U2
_NO_ONE_NEAR = U3


# --- Liberties ----------------------------------------------------------------------------


@inner
def _list_liberties(b, h, f):
    """Write a chain's liberties until there are enough; returns how many."""
    start = h * LIBERTY_ROOM
    n = U0
    v = h
    while True:
        for p in (v - S, v - U1, v + U1, v + S):
            if b.color[p] == EMPTY:
                known = False
                for i in range(n):
                    known |= f.liberties[start + i] == p
                if not known:
                    f.liberties[start + n] = p
                    n += U1
                    if n == MOST_LIBERTIES:
                        return n
        v = u64(b.next[v])
        if v == h:
            return n


@inner
def _list_heads(b, f):
    """Write the heads of all chains, without a branch for every point."""
    n = U0
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            f.heads[n] = v
            n += u64((b.chain[v] == v) & (b.color[v] != EMPTY))
    f.n_heads = n


@inner
def read_chains(b, f):
    """Count and list the liberties of all chains, and list the weak chains."""
    f.count[:] = NO_CHAIN
    f.beside[:] = 0
    f.mark[:] = 0
    f.taken[:] = 0
    f.saved[:] = 0
    f.ours[:] = NO_CHAIN
    f.hopeless[:] = 0
    _list_heads(b, f)
    weak = U0
    for j in range(f.n_heads):
        h = u64(f.heads[j])
        if in_atari(b, h):
            n = U1
            f.liberties[h * LIBERTY_ROOM] = atari_liberty(b, h)
        else:
            n = _list_liberties(b, h, f)
        f.count[h] = n
        f.weak[weak] = h
        weak += u64(n <= U2)
    f.n_weak = weak


@inner
def first_liberty(f, h):
    return u64(f.liberties[h * LIBERTY_ROOM])


@inner
def other_liberty(f, h):
    """The second liberty of a chain that has two."""
    return u64(f.liberties[h * LIBERTY_ROOM + U1])


# --- The last move ------------------------------------------------------------------------


@inner
def is_near(f, h):
    """Whether an own chain touches the last stone."""
    for i in range(f.n_near):
        if f.near[i] == h:
            return True
    return False


@inner
def _mark_liberties(b, h, f, count):
    """Tell all liberties of a chain that it is the last one (count 0), or a near one."""
    v = h
    while True:
        for p in (v - S, v - U1, v + U1, v + S):
            if b.color[p] == EMPTY:
                if count == U0:
                    f.mark[p] |= TOUCHES_LAST
                else:
                    f.ours[p] = min(u64(f.ours[p]), count)
        v = u64(b.next[v])
        if v == h:
            break


@inner
def read_last(b, c, last, f):
    """Find the last chain, the own chains beside the last stone, and vital points there."""
    f.last_chain = U0
    f.n_near = U0
    f.context = _NO_ONE_NEAR
    if last == U0 or u64(b.color[last]) != U3 - c:
        return
    f.last_chain = u64(b.chain[last])
    _mark_liberties(b, f.last_chain, f, U0)
    for m in (last - S, last - U1, last + U1, last + S):
        if u64(b.color[m]) == c:
            h = u64(b.chain[m])
            if not is_near(f, h):
                f.near[f.n_near] = h
                f.n_near += U1
                f.context = min(f.context, u64(f.count[h]) - U1)
                _mark_liberties(b, h, f, min(u64(f.count[h]), U4))
        elif b.color[m] == EMPTY and has_empty_neighbour(b, m) and is_narrow(neighbourhood(b, m)):
            f.mark[vital_point(b, m, U3 - c)] |= VITAL


# --- Marks of chains that need no reading -------------------------------------------------


@inner
def _tell_attackers(b, c, h, f):
    """Tell the enemy chains in atari around an own chain in atari that taking them helps it."""
    kind = _BESIDE_NEW if is_near(f, h) else _BESIDE_WEAK
    v = h
    while True:
        for m in (v - S, v - U1, v + U1, v + S):
            if u64(b.color[m]) == U3 - c:
                f.beside[u64(b.chain[m])] |= kind
        v = u64(b.next[v])
        if v == h:
            break


@inner
def _mark_capture(b, h, f):
    """An enemy chain in atari."""
    p = first_liberty(f, h)
    mark = TAKES
    if h == f.last_chain:
        mark |= TAKES_LAST
    if f.beside[h] & _BESIDE_NEW != U0:
        mark |= TAKES_BESIDE_NEW
    if f.beside[h] & _BESIDE_WEAK != U0:
        mark |= TAKES_BESIDE_WEAK
    f.mark[p] |= mark
    f.taken[p] += b.stones[h]


@inner
def _mark_attacks(b, h, f):
    """An enemy chain with two liberties."""
    mark = ATTACKS
    if h == f.last_chain:
        mark |= ATTACKS_LAST
    if u64(b.stones[h]) >= BIG:
        mark |= ATTACKS_BIG
    for p in (first_liberty(f, h), other_liberty(f, h)):
        if f.mark[p] & ATTACKS != U0:
            f.mark[p] |= ATTACKS_TWO
        f.mark[p] |= mark


@inner
def _mark_rescue(b, h, f):
    """An own chain in atari."""
    p = first_liberty(f, h)
    f.mark[p] |= SAVES | SAVES_NEW if is_near(f, h) else SAVES
    f.saved[p] += b.stones[h]


@inner
def mark_chains(b, c, f):
    """Let all weak chains mark their liberties."""
    for j in range(f.n_weak):
        h = u64(f.weak[j])
        if u64(b.color[h]) == c and f.count[h] == U1:
            _tell_attackers(b, c, h, f)
    for j in range(f.n_weak):
        h = u64(f.weak[j])
        if u64(b.color[h]) != c:
            if f.count[h] == U1:
                _mark_capture(b, h, f)
            else:
                _mark_attacks(b, h, f)
        elif f.count[h] == U1:
            _mark_rescue(b, h, f)
        elif is_near(f, h):
            f.mark[first_liberty(f, h)] |= NEAR_TWO
            f.mark[other_liberty(f, h)] |= NEAR_TWO
