"""Stones near and far: how close the nearest is, and how much all of them weigh on a point.

Both are kept in fields with a margin all around, one for own and one for enemy stones. The nearest
stones are found by walking through the board twice, there and back, each point looking at four
neighbours. For influence each stone adds a stamp of weights. Sums stay below 256, so eight of them
share a word and are added at once.
"""

from __future__ import annotations

import numpy as np

from engine.board import S, U0, U1, U2, U3, u64
from engine.geometry import EMPTY, POINTS, STRIDE
from engine.jit import inner
from knowledge.extract.facts import FIELD_MARGIN, FIELD_POINTS, FIELD_STRIDE, NUMBER, put
from knowledge.groups import INFLUENCE_REACH, INFLUENCE_STEPS

_NEAREST_OWN, _NEAREST_ENEMY = NUMBER["nearest_own"], NUMBER["nearest_enemy"]
_INFLUENCE = NUMBER["influence"]
_F = u64(FIELD_STRIDE)
_ENEMY = u64(FIELD_POINTS)  # where the enemy's field begins
_FARTHEST = u64(20)
_UNREACHED = 200  # more than any distance on the largest board, and room to add
_STRAIGHT, _DIAGONAL = U2, U3

# The place in a field of every point.
_rows, _columns = np.divmod(np.arange(POINTS), STRIDE)
_PLACE = ((_rows - 1 + FIELD_MARGIN) * FIELD_STRIDE + _columns - 1 + FIELD_MARGIN).astype(np.uint64)

_REACH = 4
_ROWS = 2 * _REACH + 1
_WORD = 8
_U7, _U8 = u64(_WORD - 1), u64(_WORD)


def _stamps() -> np.ndarray:
    """The weights around a stone, row by row, two words of eight bytes each.

    There are eight stamps, one for each place in a word at which a row may begin.
    """
    weights = np.zeros((_ROWS, _ROWS), int)
    for row, column in np.ndindex(weights.shape):
        dy, dx = abs(row - _REACH), abs(column - _REACH)
        weights[row, column] = max(INFLUENCE_REACH - dy - dx - max(dy, dx), 0)
    weights[_REACH, _REACH] = 0
    result = np.zeros((_WORD, _ROWS, 2), np.uint64)
    for start, row, column in np.ndindex(_WORD, _ROWS, _ROWS):
        word, byte = divmod(start + column, _WORD)
        result[start, row, word] += np.uint64(int(weights[row, column]) << 8 * byte)
    return result


_STAMPS = _stamps()
_FIRST_OF_STAMP = u64(_REACH * FIELD_STRIDE + _REACH)
_WORDS_IN_ROW = u64(FIELD_STRIDE // _WORD)
# The class of every sum.
_CLASS = np.searchsorted(INFLUENCE_STEPS, np.arange(256), side="right").astype(np.uint8)


# --- Nearest stones -----------------------------------------------------------------------


@inner
def _put_stones(b, c, f):
    f.nearest[:] = _UNREACHED
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            color = u64(b.color[v])
            p = _PLACE[v]
            f.nearest[p] = U0 if color == c else u64(_UNREACHED)
            f.nearest[p + _ENEMY] = U0 if color == U3 - c else u64(_UNREACHED)


@inner
def _spread(field, start, size):
    """Give every point of a field the distance to the closest stone."""
    for row in range(size):
        p = start + row * _F
        for q in range(p, p + size):
            best = u64(field[q])
            best = min(best, u64(field[q - U1]) + _STRAIGHT)
            best = min(best, u64(field[q - _F]) + _STRAIGHT)
            best = min(best, u64(field[q - _F - U1]) + _DIAGONAL)
            field[q] = min(best, u64(field[q - _F + U1]) + _DIAGONAL)
    for row in range(size):
        p = start + (size - U1 - row) * _F
        for k in range(size):
            q = p + size - U1 - k
            best = u64(field[q])
            best = min(best, u64(field[q + U1]) + _STRAIGHT)
            best = min(best, u64(field[q + _F]) + _STRAIGHT)
            best = min(best, u64(field[q + _F - U1]) + _DIAGONAL)
            field[q] = min(best, u64(field[q + _F + U1]) + _DIAGONAL)


@inner
def _read_nearest(b, c, f):
    _put_stones(b, c, f)
    first = _PLACE[S + U1]
    _spread(f.nearest, first, b.size)
    _spread(f.nearest, first + _ENEMY, b.size)


# --- Influence ----------------------------------------------------------------------------


@inner
def _read_influence(b, c, f):
    f.influence[:] = U0
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            if b.color[v] != EMPTY:
                p = _PLACE[v] if u64(b.color[v]) == c else _PLACE[v] + _ENEMY
                p -= _FIRST_OF_STAMP
                start, word = p & _U7, p // _U8
                for i in range(u64(_ROWS)):
                    f.influence[word] += _STAMPS[start, i, 0]
                    f.influence[word + U1] += _STAMPS[start, i, 1]
                    word += _WORDS_IN_ROW


@inner
def _influence_class(f, p):
    """The class of the weight on a place."""
    return u64(_CLASS[(f.influence[p // _U8] >> ((p & _U7) * _U8)) & u64(255)])


# --- The groups ---------------------------------------------------------------------------


@inner
def _write_nearest(f, s, out, group, start):
    if s.first[group] == 0:
        return
    first, column = u64(s.first[group]), s.column[group]
    for i in range(f.n_moves):
        d = u64(f.nearest[_PLACE[u64(f.points[i])] + start])
        if d < u64(_UNREACHED):
            out[i, column] = first + min(d, _FARTHEST) - U2


@inner
def write_surroundings(b, c, f, s, out):
    """The groups `nearest_own`, `nearest_enemy` and `influence`."""
    if (s.first[_NEAREST_OWN] | s.first[_NEAREST_ENEMY]) != 0:
        _read_nearest(b, c, f)
        _write_nearest(f, s, out, _NEAREST_OWN, U0)
        _write_nearest(f, s, out, _NEAREST_ENEMY, _ENEMY)
    if s.first[_INFLUENCE] != 0:
        _read_influence(b, c, f)
        for i in range(f.n_moves):
            p = _PLACE[u64(f.points[i])]
            own, enemy = _influence_class(f, p), _influence_class(f, p + _ENEMY)
            put(out, i, s, _INFLUENCE, own * u64(len(INFLUENCE_STEPS) + 1) + enemy)
