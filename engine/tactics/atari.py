"""Captures, ataris and self-atari: what a move does to the liberties around it.

All questions are answered without playing the move. The key is `word_after`: the packed
liberties (see `board.py`) that the mover's chain would have, from which "suicide", "one
liberty" and "two liberties" follow exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.board import (
    S,
    U0,
    U1,
    U2,
    U3,
    U4,
    diagonals_hold,
    in_atari,
    is_single,
    packed,
    single_point,
    touching,
    u64,
)
from engine.geometry import BLACK, PASS, WHITE
from engine.jit import inner, kernel
from engine.position import Position
from engine.tactics.nakade import forms_dead_shape

NO_SELF_ATARI, GOOD_SELF_ATARI, BAD_SELF_ATARI, SUICIDE = 0, 1, 2, 3


# --- What the move does to the enemy ------------------------------------------------------


@inner
def is_capture(b, v, c):
    """Whether c's move at the empty point v takes stones off."""
    o = U3 - c
    return (
        ((u64(b.color[v - S]) == o) & in_atari(b, u64(b.chain[v - S])))
        | ((u64(b.color[v - U1]) == o) & in_atari(b, u64(b.chain[v - U1])))
        | ((u64(b.color[v + U1]) == o) & in_atari(b, u64(b.chain[v + U1])))
        | ((u64(b.color[v + S]) == o) & in_atari(b, u64(b.chain[v + S])))
    )


@inner
def _is_first(b, v, n, h):
    """Whether n is the first of v's neighbours in the chain h, so that each chain counts once."""
    if u64(b.chain[v - S]) == h:
        return n == v - S
    if u64(b.chain[v - U1]) == h:
        return n == v - U1
    if u64(b.chain[v + U1]) == h:
        return n == v + U1
    return n == v + S


@inner
def captured_stones(b, v, c):
    """How many stones c's move at v takes off."""
    count = U0
    for n in (v - S, v - U1, v + U1, v + S):
        if u64(b.color[n]) == U3 - c:
            h = u64(b.chain[n])
            if in_atari(b, h) and _is_first(b, v, n, h):
                count += u64(b.stones[h])
    return count


@inner
def atari_count(b, v, c):
    """How many enemy chains c's move at v leaves with one liberty; two is a double atari."""
    count = U0
    word = packed(v)
    for n in (v - S, v - U1, v + U1, v + S):
        if u64(b.color[n]) == U3 - c:
            h = u64(b.chain[n])
            rest = b.libs[h] - touching(b, v, h) * word
            if rest != U0 and is_single(rest) and _is_first(b, v, n, h):
                count += U1
    return count


# --- What the move does to the mover ------------------------------------------------------


@inner
def _joins(b, v, c, m):
    """Whether the point m will belong to the chain that c forms at v."""
    if m == v:
        return True
    return u64(b.color[m]) == c and touching(b, v, u64(b.chain[m])) != U0


@inner
def _captured_word(b, v, c, h):
    """The liberties that capturing the chain h gives to the chain that c forms at v."""
    result = U0
    s = h
    while True:
        sides = (
            u64(_joins(b, v, c, s - S))
            + u64(_joins(b, v, c, s - U1))
            + u64(_joins(b, v, c, s + U1))
            + u64(_joins(b, v, c, s + S))
        )
        result += sides * packed(s)
        s = u64(b.next[s])
        if s == h:
            return result


@inner
def _captures_word(b, v, c):
    """The liberties that all captures by c's move at v give to the chain it forms."""
    result = U0
    for n in (v - S, v - U1, v + U1, v + S):
        h = u64(b.chain[n])
        if u64(b.color[n]) == U3 - c and in_atari(b, h) and _is_first(b, v, n, h):
            result += _captured_word(b, v, c, h)
    return result


@inner
def _if(condition, word):
    """The word if the condition holds, else 0, without a branch."""
    return (U0 - u64(condition)) & word


@inner
def word_kept(b, v, c):
    """The packed liberties of the chain that c forms by playing v, without those that captures
    free: the liberties of the own chains beside v, each chain once, without v itself, and the
    empty neighbours. Empty points are chains of their own, so equal heads mean one chain."""
    n1, n2, n3, n4 = v - S, v - U1, v + U1, v + S
    c1, c2, c3, c4 = u64(b.color[n1]), u64(b.color[n2]), u64(b.color[n3]), u64(b.color[n4])
    h1, h2, h3, h4 = u64(b.chain[n1]), u64(b.chain[n2]), u64(b.chain[n3]), u64(b.chain[n4])
    own = u64(c1 == c) + u64(c2 == c) + u64(c3 == c) + u64(c4 == c)
    return (
        _if(c1 == c, b.libs[h1])
        + _if((c2 == c) & (h2 != h1), b.libs[h2])
        + _if((c3 == c) & (h3 != h1) & (h3 != h2), b.libs[h3])
        + _if((c4 == c) & (h4 != h1) & (h4 != h2) & (h4 != h3), b.libs[h4])
        - own * packed(v)
        + _if(c1 == U4, packed(n1))
        + _if(c2 == U4, packed(n2))
        + _if(c3 == U4, packed(n3))
        + _if(c4 == U4, packed(n4))
    )


@inner
def word_after(b, v, c):
    """The packed liberties of the chain that c forms by playing v: 0 would be suicide."""
    result = word_kept(b, v, c)
    if is_capture(b, v, c):
        result += _captures_word(b, v, c)
    return result


@inner
def gains_third_liberty(b, v, q, c):
    """Whether the chain that c forms at v has three liberties or more, q known to be one."""
    sides = (
        u64(_joins(b, v, c, q - S))
        + u64(_joins(b, v, c, q - U1))
        + u64(_joins(b, v, c, q + U1))
        + u64(_joins(b, v, c, q + S))
    )
    rest = word_after(b, v, c) - sides * packed(q)
    return rest != U0 and not is_single(rest)


@inner
def stones_after(b, v, c):
    """How many stones the chain has that c forms by playing v."""
    n1, n2, n3, n4 = v - S, v - U1, v + U1, v + S
    c1, c2, c3, c4 = u64(b.color[n1]), u64(b.color[n2]), u64(b.color[n3]), u64(b.color[n4])
    h1, h2, h3, h4 = u64(b.chain[n1]), u64(b.chain[n2]), u64(b.chain[n3]), u64(b.chain[n4])
    return (
        U1
        + _if(c1 == c, u64(b.stones[h1]))
        + _if((c2 == c) & (h2 != h1), u64(b.stones[h2]))
        + _if((c3 == c) & (h3 != h1) & (h3 != h2), u64(b.stones[h3]))
        + _if((c4 == c) & (h4 != h1) & (h4 != h2) & (h4 != h3), u64(b.stones[h4]))
    )


@inner
def empty_neighbours(b, v):
    """How many neighbours of a point are empty."""
    return (
        (u64(b.color[v - S]) >> U2)
        + (u64(b.color[v - U1]) >> U2)
        + (u64(b.color[v + U1]) >> U2)
        + (u64(b.color[v + S]) >> U2)
    )


@inner
def is_self_atari(b, v, c):
    """Whether c's legal move at v leaves the stone with exactly one liberty."""
    if empty_neighbours(b, v) >= U2:
        return False
    word = word_after(b, v, c)
    return word != U0 and is_single(word)


@inner
def is_snapback_or_ko(b, v, c):
    """Whether a single stone thrown in at v, in atari at q, costs the captor as much or more.

    After the capture v is empty again, so the captor's chain is the one it would form by
    playing q today. If that chain has v as its only liberty it can be taken back: a snapback,
    or a ko if it is a single stone.
    """
    word = word_after(b, v, c)
    if word == U0 or not is_single(word) or stones_after(b, v, c) != U1:
        return False
    q = single_point(word)
    back = word_after(b, q, U3 - c)
    return is_single(back) and single_point(back) == v


@inner
def is_snapback(b, v, c):
    """Whether c's stone at v, if captured, recaptures two stones or more at the same point."""
    if not is_snapback_or_ko(b, v, c):
        return False
    q = single_point(word_after(b, v, c))
    return stones_after(b, q, U3 - c) > U1


@inner
def _walls_are(b, v, q, o):
    """Whether every neighbour of v but q is of colour o or off the board."""
    return (
        ((v - S == q) | ((u64(b.color[v - S]) & o) != U0))
        & ((v - U1 == q) | ((u64(b.color[v - U1]) & o) != U0))
        & ((v + U1 == q) | ((u64(b.color[v + U1]) & o) != U0))
        & ((v + S == q) | ((u64(b.color[v + S]) & o) != U0))
    )


@inner
def _threatens(b, v, q, c):
    """Whether c's stone at v leaves an enemy chain with q as its only liberty."""
    word = packed(v)
    for n in (v - S, v - U1, v + U1, v + S):
        if u64(b.color[n]) == U3 - c:
            h = u64(b.chain[n])
            rest = b.libs[h] - touching(b, v, h) * word
            if rest != U0 and is_single(rest) and single_point(rest) == q:
                return True
    return False


@inner
def _has_purpose(b, v, q, c):
    """Whether a self-atari at v, in atari at q, is worth it: see `self_atari_kind`."""
    o = U3 - c
    single = stones_after(b, v, c) == U1
    if is_capture(b, v, c) and (single or captured_stones(b, v, c) >= U2):
        return True
    if single:
        back = word_after(b, q, o)
        if is_single(back) and single_point(back) == v:
            return True
        if _walls_are(b, v, q, o) and not diagonals_hold(b, v, o):
            return True
    return _threatens(b, v, q, c) and forms_dead_shape(b, v, c)


@inner
def chain_fate(b, v, c):
    """What becomes of the chain that c forms at v, ko aside: SUICIDE, or the kind of self-atari
    of `self_atari_kind`. Captures are only walked if the chain is short of liberties."""
    word = word_kept(b, v, c)
    if word != U0 and not is_single(word):
        return NO_SELF_ATARI
    if is_capture(b, v, c):
        word += _captures_word(b, v, c)
        if not is_single(word):
            return NO_SELF_ATARI
    elif word == U0:
        return SUICIDE
    return GOOD_SELF_ATARI if _has_purpose(b, v, single_point(word), c) else BAD_SELF_ATARI


@inner
def self_atari_kind(b, v, c):
    """What c's legal move at v is: NO_SELF_ATARI, GOOD_SELF_ATARI or BAD_SELF_ATARI.

    It is good if it captures two stones or more, or a ko; if a single stone thrown in can be
    taken back (snapback, ko) or spoils an eye, because the diagonals around v are the
    mover's; or if it is a nakade: an enemy chain is left with the same last liberty, and the
    stones it would have to capture form a dead shape.
    """
    if empty_neighbours(b, v) >= U2:
        return NO_SELF_ATARI
    fate = chain_fate(b, v, c)
    return NO_SELF_ATARI if fate == SUICIDE else fate


@inner
def is_bad_self_atari(b, v, c):
    """Whether c's legal move at v is a self-atari without a purpose."""
    return self_atari_kind(b, v, c) == BAD_SELF_ATARI


# --- Chains in atari ----------------------------------------------------------------------


@inner
def extension(b, h):
    """The move that takes a chain in atari out of it by extending, or 0 if it does not."""
    v = single_point(b.libs[h])
    word = word_after(b, v, u64(b.color[h]))
    return v if word != U0 and not is_single(word) else U0


@inner
def attackers_in_atari(b, h, out):
    """Write the liberties of the enemy chains in atari that touch a chain, each once, as far as
    `out` reaches; playing there captures an attacker. Returns how many were written."""
    o = U3 - u64(b.color[h])
    n = U0
    room = u64(len(out))
    v = h
    while True:
        for m in (v - S, v - U1, v + U1, v + S):
            if u64(b.color[m]) == o and in_atari(b, u64(b.chain[m])):
                p = single_point(b.libs[u64(b.chain[m])])
                known = False
                for i in range(n):
                    known |= u64(out[i]) == p
                if not known and n < room:
                    out[n] = p
                    n += U1
        v = u64(b.next[v])
        if v == h:
            return n


# --- Faces --------------------------------------------------------------------------------


@kernel
def _effect(a, v, c, out):
    b = a[0]
    v = u64(v)
    c = u64(c)
    word = word_after(b, v, c)
    out[0] = captured_stones(b, v, c)
    out[1] = atari_count(b, v, c)
    out[2] = 0 if word == U0 else 1 if is_single(word) else 2
    out[3] = stones_after(b, v, c)
    out[4] = is_capture(b, v, c)
    out[5] = is_self_atari(b, v, c)
    out[6] = is_bad_self_atari(b, v, c)
    out[7] = is_snapback(b, v, c)


@kernel
def _rescues(a, v, out):
    b = a[0]
    h = u64(b.chain[u64(v)])
    return extension(b, h), attackers_in_atari(b, h, out)


class Effect(NamedTuple):
    """What a legal move does: stones it captures, chains it puts in atari, the chain it forms
    (liberties up to 2, stones), and what kind of self-atari it is, if one."""

    captured: int
    ataris: int
    liberties: int
    stones: int
    capture: bool
    self_atari: bool
    bad_self_atari: bool
    snapback: bool


def effect(position: Position, color: int, p: int) -> Effect:
    """The effect of a move that is legal by simple ko and suicide; ValueError for another."""
    if p == PASS or not position.is_legal(color, p):
        raise ValueError("illegal move")
    out = np.zeros(8, np.int64)
    _effect(position.record, p, color, out)
    captured, ataris, liberties, stones = (int(n) for n in out[:4])
    capture, self_atari, bad_self_atari, snapback = (bool(flag) for flag in out[4:])
    return Effect(
        captured, ataris, liberties, stones, capture, self_atari, bad_self_atari, snapback
    )


class Rescues(NamedTuple):
    """How a chain in atari can be saved: the extension (or PASS if that is none), and where
    attackers can be captured."""

    extension: int
    captures: list[int]


def rescues(position: Position, p: int) -> Rescues:
    """The rescues of the chain in atari at a point; ValueError if there is none in atari."""
    if position.color_at(p) not in (BLACK, WHITE) or len(position.chain(p)[1]) != 1:
        raise ValueError("no chain in atari there")
    out = np.zeros(64, np.uint16)
    extending, count = _rescues(position.record, p, out)
    return Rescues(int(extending), sorted(int(q) for q in out[:count]))
