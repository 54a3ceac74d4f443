"""Where the games of an SGF text begin and end.

Games stand in parentheses, so counting these is enough, except in the values of properties,
where a parenthesis is just a letter. Text around the games is passed over. A game whose last
parentheses or whose last bracket is missing must not swallow the next one: properties such as
GM and SZ only stand at the beginning of a game, so a node that starts with one starts a game
wherever it is (within a value, only at the beginning of a line).
"""

from __future__ import annotations

import numpy as np

from engine.board import U0, U1, U2, u64
from engine.jit import inner, kernel
from knowledge.record_facts import LOOKS_LIKE_A_MOVE

_OPEN, _CLOSE, _NODE, _VALUE, _VALUE_END, _ESCAPE = (np.uint8(ord(sign)) for sign in "();[]\\")
_SPACE, _NEW_LINE, _RETURN = (np.uint8(ord(sign)) for sign in " \n\r")
_FIRST_CAPITAL, _LAST_CAPITAL, _FIRST_SMALL, _LAST_SMALL = (np.uint8(ord(s)) for s in "AZaz")
# The properties that only a game's first node has, two letters each as one number.
_ROOT_ONLY = np.array([ord(a) * 256 + ord(b) for a, b in ("GM", "FF", "SZ", "CA", "AP")], np.uint64)
_BYTE = u64(256)


@inner
def _skip_space(data, i):
    n = u64(len(data))
    while i < n and data[i] <= _SPACE:
        i += U1
    return i


@inner
def _first_node(data, i):
    """The place behind `(;` if that stands at i, perhaps with space in between; otherwise 0."""
    i = _skip_space(data, i + U1)
    if i < u64(len(data)) and data[i] == _NODE:
        return i + U1
    return U0


@inner
def _starts_game(data, i):
    """Whether the parenthesis at i starts a game for sure, by the first property behind it."""
    n = u64(len(data))
    i = _first_node(data, i)
    if i == U0:
        return False
    i = _skip_space(data, i)
    capitals, name = U0, U0
    while i < n:
        if _FIRST_CAPITAL <= data[i] <= _LAST_CAPITAL:
            name = name * _BYTE + u64(data[i])
            capitals += U1
        elif not _FIRST_SMALL <= data[i] <= _LAST_SMALL:
            break
        i += U1
    if capitals != U2:
        return False
    known = False
    for each in _ROOT_ONLY:
        known |= name == each
    i = _skip_space(data, i)
    if not known or i >= n or data[i] != _VALUE:
        return False
    while i < n and data[i] != _VALUE_END:
        i += U1
    # In a comment that quotes a game the bracket is escaped.
    return i < n and data[i - U1] != _ESCAPE


@kernel
def _bounds(data, starts, ends):
    """Write where games start and end; returns how many there are."""
    n = u64(len(data))
    games, depth, i = U0, U0, U0
    in_value = False
    while i < n:
        sign = data[i]
        if sign == _OPEN:
            if in_value:
                at_line = data[i - U1] == _NEW_LINE or data[i - U1] == _RETURN
                starts_game = at_line and _starts_game(data, i)
            elif depth == U0:
                starts_game = _first_node(data, i) != U0
            else:
                starts_game = _starts_game(data, i)
            if starts_game:
                if depth > U0:
                    ends[games - U1] = i
                starts[games] = i
                games += U1
                depth = U1
                in_value = False
            elif not in_value and depth > U0:
                depth += U1
        elif in_value:
            if sign == _ESCAPE:
                i += U1
            elif sign == _VALUE_END:
                in_value = False
        elif depth > U0:
            if sign == _VALUE:
                in_value = True
            elif sign == _CLOSE:
                depth -= U1
                if depth == U0:
                    ends[games - U1] = i + U1
        i += U1
    if depth > U0:
        ends[games - U1] = n
    return games


def game_bounds(data: bytes) -> list[tuple[int, int]]:
    """The start and end of each game in a text, in order.

    What follows a game belongs to it if there are moves in it: then something is wrong, which
    must not be overlooked.
    """
    room = data.count(b"(")
    starts, ends = np.empty(room, np.int64), np.empty(room, np.int64)
    n = _bounds(np.frombuffer(data, np.uint8), starts, ends) if room else 0
    begins, bounds = starts[:n].tolist(), []
    for i, (start, end) in enumerate(zip(begins, ends[:n].tolist(), strict=True)):
        following = begins[i + 1] if i + 1 < n else len(data)
        has_moves = following - end > 3 and LOOKS_LIKE_A_MOVE.search(data, end, following)
        bounds.append((start, following if has_moves else end))
    return bounds
