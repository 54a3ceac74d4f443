"""Answers to the last move: what a player looks at before anything else.

Each function writes candidate moves for the colour c into the replies of `w` and returns how
many; the caller draws one. `last` is the opponent's last move, on the board.
"""

from __future__ import annotations

from engine.board import (
    EMPTY,
    S,
    U0,
    U1,
    U3,
    any_liberty,
    in_atari,
    is_legal,
    is_single,
    second_liberty,
    single_point,
    u64,
)
from engine.jit import inner
from engine.playout.codes import empty_sides
from engine.tactics.atari import attackers_in_atari, extension, gains_third_liberty, word_after
from engine.tactics.nakade import is_narrow, vital_point

ROOM = 40


@inner
def _add(w, n, p):
    if n < u64(ROOM):
        w.replies[n] = p
        return n + U1
    return n


@inner
def _rescue(b, w, h, c, n):
    """Add the moves that save c's chain in atari: extend, or capture an attacker."""
    p = extension(b, h)
    if p != U0 and is_legal(b, p, c):
        n = _add(w, n, p)
    out = w.replies
    found = attackers_in_atari(b, h, out[n:])
    kept = n
    for i in range(n, n + found):
        if is_legal(b, u64(out[i]), c):
            out[kept] = out[i]
            kept += U1
    return kept


@inner
def atari_replies(b, w, last, c):
    """Capture the last move's chain if it is in atari; save own chains it put in atari."""
    n = U0
    h = u64(b.chain[last])
    if in_atari(b, h):
        p = single_point(b.libs[h])
        if is_legal(b, p, c):
            n = _add(w, n, p)
    for m in (last - S, last - U1, last + U1, last + S):
        if u64(b.color[m]) == c:
            h = u64(b.chain[m])
            if in_atari(b, h):
                n = _rescue(b, w, h, c, n)
    return n


@inner
def _is_safe(b, p, c):
    """Whether c may play p and has two liberties or more there."""
    if not is_legal(b, p, c):
        return False
    return not is_single(word_after(b, p, c))


@inner
def two_liberty_replies(b, w, last, c):
    """If the last move's chain has two liberties, take one; if an own neighbour has, gain one."""
    n = U0
    h = u64(b.chain[last])
    p = any_liberty(b, last)
    q = second_liberty(b, h, p)
    if q != U0:
        if _is_safe(b, p, c):
            n = _add(w, n, p)
        if _is_safe(b, q, c):
            n = _add(w, n, q)
    for m in (last - S, last - U1, last + U1, last + S):
        if u64(b.color[m]) == c and not in_atari(b, u64(b.chain[m])):
            h = u64(b.chain[m])
            p = any_liberty(b, m)
            q = second_liberty(b, h, p)
            if q != U0:
                if is_legal(b, p, c) and gains_third_liberty(b, p, q, c):
                    n = _add(w, n, p)
                if is_legal(b, q, c) and gains_third_liberty(b, q, p, c):
                    n = _add(w, n, q)
    return n


@inner
def nakade_replies(b, w, last, c):
    """The vital points of the opponent's small eye spaces that the last move touches."""
    n = U0
    for m in (last - S, last - U1, last + U1, last + S):
        # Most points are told apart before the space around them is walked.
        code = u64(w.weights.code[m])
        if (b.color[m] == EMPTY) & (empty_sides(code) != U0) & is_narrow(code):
            p = vital_point(b, m, U3 - c)
            if p != U0:
                n = _add(w, n, p)
    return n
