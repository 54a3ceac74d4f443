"""A whole position: the facts first, then group after group."""

from __future__ import annotations

from engine.board import U0, U3, u64
from engine.jit import inner
from knowledge import groups as g
from knowledge.extract.chains import mark_chains, read_chains, read_last
from knowledge.extract.columns import write_patterns, write_small_shapes
from knowledge.extract.facts import NUMBER, put
from knowledge.extract.moves import list_hot_moves, list_moves, mark_around, mark_eyes
from knowledge.extract.owners import write_owners
from knowledge.extract.places import (
    prepare_size,
    write_answers,
    write_contacts,
    write_distances,
    write_lines,
    write_opening,
)
from knowledge.extract.reading import read_weak_chains
from knowledge.extract.surroundings import write_surroundings
from knowledge.extract.tactics import write_liberties, write_tactics
from knowledge.patterns import match_patterns

_PASS, _PASS_PHASE, _PLAYOUT = NUMBER["pass"], NUMBER["pass_phase"], NUMBER["playout"]
_OWN_LIBERTIES = NUMBER["own_liberties"]
_OWNER, _CRITICALITY = NUMBER["owner"], NUMBER["criticality"]
_LAST_PHASE = u64(g.PHASES - 1)


@inner
def _phase(number, size):
    """A phase is 30 moves on 19x19, and as much of a game on other sizes."""
    return min(number * u64(361) // (u64(30) * size * size), _LAST_PHASE)


@inner
def _clear(s, f, out):
    for i in range(f.n_moves + u64(1)):
        for k in range(s.columns):
            out[i, k] = 0


@inner
def _write_pass(moment, phase, f, s, out):
    put(out, f.n_moves, s, _PASS, moment.after_pass)
    put(out, f.n_moves, s, _PASS_PHASE, moment.after_pass * u64(g.PASS_PHASES) + phase // U3)


@inner
def extract_position(b, c, moment, s, f, slots, out):
    """Write the ids of all legal moves of c, and of the pass after them; returns how many moves.

    b is a BOARD after the last real move, `moment` a MOMENT, s a SET, f a FACTS with the playouts
    in `owners` if the set needs them, and `slots` the table of the set's dictionary. The points
    are in f.points. `out` has a row for each move and a column for each group of the set.
    """
    phase = _phase(moment.number, b.size)
    last, second = moment.moves[0], moment.moves[1]
    prepare_size(b.size, f)
    read_chains(b, f)
    read_last(b, c, last, f)
    mark_chains(b, c, f)
    if s.ladders != U0:
        read_weak_chains(b, c, s, f)
    list_moves(b, c, s, f)
    if s.eyes != U0:
        mark_eyes(b, c, f)
    if s.first[_PLAYOUT] != 0:
        mark_around(f, last)
        mark_around(f, second)
    list_hot_moves(f)

    _clear(s, f, out)
    _write_pass(moment, phase, f, s, out)
    write_tactics(b, c, moment, f, s, out)
    if s.first[_OWN_LIBERTIES] != 0:
        write_liberties(f, s, out)
    write_contacts(f, s, out)
    write_answers(f, s, out)
    write_lines(f, s, out, phase)
    write_opening(b, c, f, s, out)
    write_distances(b, moment, f, s, out)
    write_surroundings(b, c, f, s, out)
    if (s.first[_OWNER] | s.first[_CRITICALITY]) != 0:
        write_owners(c, f, s, out)
    write_small_shapes(b, c, f, s, out)
    if s.families != U0:
        match_patterns(b, c, last, f.points, f.n_moves, s.families, f.patterns, slots, f.matched)
        write_patterns(f, s, out)
    return f.n_moves
