"""Ladders and nets: each weak chain is read once, and tells its liberties how it ended.

A caller of the ladder reader takes seconds to compile, so there is only one, and it holds the
whole course of the reading.
"""

from __future__ import annotations

from engine.board import S, U0, U1, U2, U3, U4, is_legal, place, u64
from engine.jit import inner
from engine.tactics.atari import is_capture
from engine.tactics.ladders import (
    CAPTURED,
    LADDER_LIMIT,
    copy_stones,
    extension_liberties,
    read_ladder,
)
from engine.tactics.nets import holds
from knowledge.extract.chains import BIG, first_liberty, is_near, other_liberty
from knowledge.extract.facts import (
    BIG_LADDER,
    LADDER,
    NETS_BIG,
    NETS_SMALL,
    NUMBER,
    OTHER_LADDER,
    SAVES_FREE,
    SAVES_NEW_FREE,
    TAKES_ESCAPER,
    TAKES_LAST_LOST,
    THREATENED,
)

_LIMIT = u64(LADDER_LIMIT)
# A ladder of so many stones is too long to be seen without reading it.
_LONG = u64(8)
_CAPTURE, _EXTENSION, _ATARI = NUMBER["capture"], NUMBER["extension"], NUMBER["atari"]
_TAKE, _SAVE, _OWN_LIBERTIES = NUMBER["take"], NUMBER["save"], NUMBER["own_liberties"]
_THREAT, _NET = NUMBER["threat"], NUMBER["net"]


@inner
def _is_asked(b, c, h, f, s):
    """Whether a group of the set asks for the ladder against a weak chain."""
    one = f.count[h] == U1
    if u64(b.color[h]) != c:
        if one:
            return (s.first[_CAPTURE] | s.first[_TAKE]) != 0
        return (s.first[_ATARI] | s.first[_THREAT] | s.first[_NET]) != 0
    if one:
        return s.first[_SAVE] != 0 or (s.first[_EXTENSION] != 0 and is_near(f, h))
    return s.first[_OWN_LIBERTIES] != 0


@inner
def _note_ladder(b, c, h, f, captured):
    """Mark how the ladder ended against a chain of either side; not for attacks."""
    p = first_liberty(f, h)
    if f.count[h] != U1:
        if captured:
            f.mark[p] |= THREATENED
            f.mark[other_liberty(f, h)] |= THREATENED
    elif u64(b.color[h]) == c:
        if not captured:
            f.mark[p] |= SAVES_FREE | SAVES_NEW_FREE if is_near(f, h) else SAVES_FREE
    elif not captured:
        f.mark[p] |= TAKES_ESCAPER
    elif h == f.last_chain:
        f.mark[p] |= TAKES_LAST_LOST


@inner
def _is_worth_reading(b, p, c):
    """Whether c's extension to p leaves two liberties, so that a ladder might go on."""
    return extension_liberties(b, p, p, c, U3) == U2 and not is_capture(b, p, c)


@inner
def may_work(b, h, p, q):
    """Whether an atari at p is legal and may capture the chain h, whose other liberty is q."""
    c = u64(b.color[h])
    return is_legal(b, p, U3 - c) and extension_liberties(b, q, p, c, U3) < U3


@inner
def _note_attack(b, h, p, q, f):
    """Mark a ladder that works at p against a chain whose other liberty is q."""
    f.mark[p] |= LADDER | BIG_LADDER if u64(b.stones[h]) >= BIG else LADDER
    f.mark[q] |= OTHER_LADDER


@inner
def _may_hold(b, h, v, p, q):
    """Whether a move at v is worth reading as a net around a chain with the liberties p and q."""
    c = u64(b.color[h])
    if v == U0 or not is_legal(b, v, U3 - c):
        return False
    if extension_liberties(b, v, v, U3 - c, U2) < U2 and not is_capture(b, v, U3 - c):
        return False
    return extension_liberties(b, p, v, c, U4) < U4 and extension_liberties(b, q, v, c, U4) < U4


@inner
def _between(p, q):
    """The points beside both p and q, of which one is a liberty of a chain that has both."""
    low, high = min(p, q), max(p, q)
    step = high - low
    if step == U2:
        return low + U1, U0
    if step == S + S:
        return low + S, U0
    if step == S + U1:
        return low + U1, low + S
    if step == S - U1:
        return low - U1, low + S
    return U0, U0


@inner
def read_weak_chains(b, c, s, f):
    """Read the ladders and nets that the groups of a set ask for."""
    k = f.ladders
    work = k.net_boards[0]
    for j in range(f.n_weak):
        h = u64(f.weak[j])
        if not _is_asked(b, c, h, f, s):
            continue
        two = f.count[h] == U2
        captured = read_ladder(b, h, two, k, _LIMIT)
        if not two or u64(b.color[h]) == c:
            _note_ladder(b, c, h, f, captured == CAPTURED)
            if two and captured == CAPTURED:
                # Which of its liberties would only make the chain longer?
                p, q = first_liberty(f, h), other_liberty(f, h)
                for _ in range(2):
                    if _is_worth_reading(b, p, c):
                        copy_stones(b, work)
                        place(work, p, c)
                        taken = read_ladder(work, p, two, k, _LIMIT) == CAPTURED
                        f.hopeless[p] = taken and k.nodes >= _LONG
                    p, q = q, p
            continue

        p, q = first_liberty(f, h), other_liberty(f, h)
        if captured != U0:
            # The other liberty is read too; and both if the reader gave up somewhere.
            first = k.first if captured == CAPTURED else U0
            for _ in range(2):
                works = p == first
                if not works and may_work(b, h, p, q):
                    copy_stones(b, work)
                    place(work, p, c)
                    works = read_ladder(work, h, not two, k, _LIMIT) == CAPTURED
                if works:
                    _note_attack(b, h, p, q, f)
                p, q = q, p
        elif s.first[_NET] != 0:
            v, other = _between(p, q)
            for _ in range(2):
                if _may_hold(b, h, v, p, q):
                    copy_stones(b, work)
                    place(work, v, c)
                    k.net_nodes = U0
                    if holds(work, h, p, q, k, _LIMIT):
                        f.mark[v] |= NETS_BIG if u64(b.stones[h]) >= BIG else NETS_SMALL
                v, other = other, v
