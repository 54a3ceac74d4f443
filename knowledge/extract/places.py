"""The groups about where a move is: lines, distances to earlier moves, the opening."""

from __future__ import annotations

from engine.board import S, U0, U1, U2, U3, U4, u64
from engine.geometry import EMPTY
from engine.jit import inner
from engine.tactics.distance import cfg_distances
from knowledge import groups as g
from knowledge.extract.facts import NO_VALUE, NOTHING, NUMBER, TOUCHES_LAST, put

_BORDER, _LINE, _POSITION = NUMBER["border"], NUMBER["line"], NUMBER["position"]
_PLACE, _LINE_PHASE = NUMBER["place"], NUMBER["line_phase"]
_CORNER, _SIDE_EXTENSION = NUMBER["corner"], NUMBER["side_extension"]
_U5, _U10, _U17, _U19, _U20 = u64(5), u64(10), u64(17), u64(19), u64(20)
_NEAR_STAR = u64(g.CORNER_APPROACH)  # in the table: only if there is a stone on the star


# --- Tables for a size --------------------------------------------------------------------


@inner
def _to_side(k, size):
    """The line on which a row or column is, from 1; 0 off the board."""
    return min(k, size + U1 - k) if k >= U1 and k <= size else U0


@inner
def _is_star(f, p):
    """Whether a point is a 4-4 point."""
    return f.line[p] == U4 and f.position[p] == U4


@inner
def _knights_moves(v):
    return (
        v + S + S + U1, v + S + S - U1, v - S - S + U1, v - S - S - U1,
        v + S + U2, v + S - U2, v - S + U2, v - S - U2,
    )  # fmt: skip


@inner
def _corner_value(f, v):
    """The value that a point can have of the group `corner`, by its place alone."""
    line, position = u64(f.line[v]), u64(f.position[v])
    if line == U3 and position <= _U5:
        return position - U3
    if line == U4 and position <= _U5:
        return position - U1
    if line == U3:
        for p in _knights_moves(v):
            if _is_star(f, p):
                return _NEAR_STAR
    return u64(NOTHING)


@inner
def prepare_size(size, f):
    """Fill the tables for boards of a size, if they are for another."""
    if f.size == size:
        return
    f.size = size
    for v in range(u64(len(f.line))):
        r, k = _to_side(v // S, size), _to_side(v % S, size)
        on_board = (r != U0) & (k != U0)
        f.line[v] = min(r, k) if on_board else U0
        f.position[v] = max(r, k) if on_board else U0
    for row in range(U1, size + U1):
        for v in range(row * S + U1, row * S + U1 + size):
            line, position = u64(f.line[v]), u64(f.position[v])
            f.border_value[v] = line - U1 if line <= U4 else u64(NOTHING)
            f.line_value[v] = min(line, _U5) - U1
            f.position_value[v] = min(position, _U10) - U1
            k = min(line, _U10) - U1
            f.place_value[v] = k * (_U19 - k) // U2 + min(position, _U10) - U1
            f.corner_value[v] = _corner_value(f, v)


# --- Lines --------------------------------------------------------------------------------


@inner
def _write_table(f, s, out, group, table, shift):
    """A group whose value is a point's entry in a table, and more."""
    if s.first[group] == 0:
        return
    first, column = u64(s.first[group]) + shift, s.column[group]
    for i in range(f.n_moves):
        value = u64(table[u64(f.points[i])])
        if value != u64(NOTHING):
            out[i, column] = first + value


@inner
def write_lines(f, s, out, phase):
    _write_table(f, s, out, _BORDER, f.border_value, U0)
    _write_table(f, s, out, _LINE, f.line_value, U0)
    _write_table(f, s, out, _POSITION, f.position_value, U0)
    _write_table(f, s, out, _PLACE, f.place_value, U0)
    _write_table(f, s, out, _LINE_PHASE, f.line_value, phase * _U5)


# --- The opening --------------------------------------------------------------------------


@inner
def _corner(b, c, v, f):
    around = (
        b.color[v - S - U1] & b.color[v - S] & b.color[v - S + U1] & b.color[v - U1]
        & b.color[v + U1] & b.color[v + S - U1] & b.color[v + S] & b.color[v + S + U1]
    )  # fmt: skip
    value = u64(f.corner_value[v])
    if around & EMPTY == 0:
        return NO_VALUE
    if value != _NEAR_STAR:
        return value
    result = NO_VALUE
    for p in _knights_moves(v):
        if _is_star(f, p):
            if u64(b.color[p]) == U3 - c:
                return u64(g.CORNER_APPROACH)
            if u64(b.color[p]) == c:
                result = u64(g.CORNER_ENCLOSURE)
    return result


@inner
def _room(b, v, along, across):
    """How far it is along the third line to a stone near it, or off the board."""
    steps = U1
    p = v + along
    while b.color[p] & b.color[p + across] & b.color[p - across] & EMPTY != 0:
        p += along
        steps += U1
    return steps


@inner
def _side_extension(b, v):
    # Along a row if the third line is one, else along a column.
    row = v // S
    along, across = (U1, S) if row == U3 or row == b.size - U2 else (S, U1)
    left, right = _room(b, v, U0 - along, across), _room(b, v, along, across)
    return min(left + right + min(left, right), _U20) - U3


@inner
def write_opening(b, c, f, s, out):
    corner, side = s.first[_CORNER] != 0, s.first[_SIDE_EXTENSION] != 0
    if not corner and not side:
        return
    for i in range(f.n_moves):
        v = u64(f.points[i])
        if side and f.line[v] == U3 and f.position[v] > U3:
            put(out, i, s, _SIDE_EXTENSION, _side_extension(b, v))
        if corner and f.corner_value[v] != u64(NOTHING):
            put(out, i, s, _CORNER, _corner(b, c, v, f))


# --- Distances to earlier moves -----------------------------------------------------------

_DISTANCE_LAST, _DISTANCE_BEFORE = NUMBER["distance_last"], NUMBER["distance_before"]
_DISTANCE_SECOND, _CONTIGUITY = NUMBER["distance_second"], NUMBER["contiguity"]
_LAST_CONTEXT, _SECOND_CONTEXT = NUMBER["last_context"], NUMBER["second_context"]
_THIRD_CONTEXT, _FOURTH_CONTEXT = NUMBER["third_context"], NUMBER["fourth_context"]
_CFG_LAST, _CFG_SECOND = NUMBER["cfg_last"], NUMBER["cfg_second"]
_BESIDE, _DIAGONAL = U2, U3


@inner
def _measure(f, p):
    """Write the distance of all moves to a point, at most 17."""
    row, column = p // S, p % S
    for i in range(f.n_moves):
        v = u64(f.points[i])
        r, k = v // S, v % S
        dy = r - row if r > row else row - r
        dx = k - column if k > column else column - k
        f.distance[i] = min(dx + dy + max(dx, dy), _U17)


@inner
def _write_distance(f, s, out, group, shift, with_zero):
    """A distance from 2 on; or from 0, and then 0 is a value of its own."""
    if s.first[group] == 0:
        return
    first, column = u64(s.first[group]) + shift, s.column[group]
    for i in range(f.n_moves):
        d = u64(f.distance[i])
        if with_zero:
            out[i, column] = first + (d - U1 if d > U0 else U0)
        elif d > U0:
            out[i, column] = first + d - U2


@inner
def _write_contiguity(f, s, out):
    for i in range(f.n_moves):
        d = u64(f.distance[i])
        if d == _BESIDE:
            put(out, i, s, _CONTIGUITY, u64(g.CONTIGUITY_BESIDE))
        elif d == _DIAGONAL:
            put(out, i, s, _CONTIGUITY, u64(g.CONTIGUITY_DIAGONAL))


@inner
def _write_fates(b, p, f, s, out, group, least):
    """A common-fate distance from `least` on, up to 4."""
    if s.first[group] == 0:
        return
    cfg_distances(b, p, U3, f.fate, f.queue)
    first, column = u64(s.first[group]) - least, s.column[group]
    for i in range(f.n_moves):
        d = u64(f.fate[u64(f.points[i])])
        if d >= least:
            out[i, column] = first + d


@inner
def write_distances(b, moment, f, s, out):
    """The groups about how far the last four moves are."""
    for back in range(U0, U4):
        p = moment.moves[back]
        if p == U0:
            continue
        _measure(f, p)
        if back == U0:
            _write_distance(f, s, out, _DISTANCE_LAST, U0, False)
            _write_distance(f, s, out, _LAST_CONTEXT, f.context * u64(16), False)
            if s.first[_CONTIGUITY] != 0:
                _write_contiguity(f, s, out)
            _write_fates(b, p, f, s, out, _CFG_LAST, U1)
        elif back == U1:
            _write_distance(f, s, out, _DISTANCE_BEFORE, U0, False)
            _write_distance(f, s, out, _DISTANCE_SECOND, U0, True)
            _write_fates(b, p, f, s, out, _CFG_SECOND, U0)
        if back > U0:
            group = _THIRD_CONTEXT if back == U2 else _FOURTH_CONTEXT
            group = _SECOND_CONTEXT if back == U1 else group
            _write_distance(f, s, out, group, f.context * _U17, True)


# --- Chains beside the move ---------------------------------------------------------------

_CONTACT, _ANSWER = NUMBER["contact"], NUMBER["answer"]


@inner
def write_contacts(f, s, out):
    if s.first[_CONTACT] == 0:
        return
    first, column = u64(s.first[_CONTACT]) - U1, s.column[_CONTACT]
    for i in range(f.n_moves):
        state = u64(f.own_state[i]) * u64(g.CONTACT_STATES) + u64(f.enemy_state[i])
        if state != U0:
            out[i, column] = first + state


@inner
def write_answers(f, s, out):
    """The group `answer`."""
    if s.first[_ANSWER] == 0 or f.last_chain == U0:
        return
    most = min(u64(f.count[f.last_chain]), U4)
    for i in range(f.n_moves):
        v = u64(f.points[i])
        theirs = most if f.mark[v] & TOUCHES_LAST != U0 else U0
        ours = u64(f.ours[v]) if f.ours[v] <= U4 else U0
        if theirs | ours != U0:
            put(out, i, s, _ANSWER, theirs * u64(g.ANSWER_STATES) + ours - U1)
