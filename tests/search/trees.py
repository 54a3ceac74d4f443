"""What must be so in any search tree, and trees as nested data that can be compared."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.tree import (
    AVOIDED,
    BARRED,
    EXPANDED,
    EXPANDING,
    FUTILE,
    ILLEGAL,
    LEGAL,
    LOST,
    RAVE_BITS,
    RAVE_MASK,
    VALUE_BITS,
    VALUE_MASK,
    VALUE_UNIT,
    WON,
    Arena,
    Tree,
)

ALL_STATES = EXPANDING | EXPANDED | WON | LOST | ILLEGAL | AVOIDED | LEGAL | FUTILE


def visits_in(arena: Arena) -> np.ndarray:
    return (arena.stats >> VALUE_BITS).astype(np.int64)


def check_tree(tree: Tree) -> int:
    """Assert that a tree which nobody is working on makes sense; returns its number of nodes."""
    arena, used = tree.arena, tree.used
    assert 1 <= used <= tree.capacity
    visits = visits_in(arena)
    parent = np.full(used, -1, np.int64)
    waiting = [0]
    for node in waiting:
        _check_node(arena, node, visits)
        first, count = int(arena.first[node]), int(arena.count[node])
        if not first:
            continue
        assert first + count <= used
        # No child belongs to two parents, and none is the root.
        assert (parent[first : first + count] == -1).all()
        parent[first : first + count] = node
        _check_children(arena, node, slice(first, first + count), visits)
        waiting += range(first, first + count)
    assert parent[0] == -1
    return len(waiting)


def _check_node(arena: Arena, node: int, visits: np.ndarray) -> None:
    state, rave = arena.state[node], int(arena.rave[node])
    assert not state & ~ALL_STATES
    assert state & (WON | LOST) != WON | LOST
    assert state & (LEGAL | ILLEGAL) != LEGAL | ILLEGAL
    assert bool(state & EXPANDED) == bool(state & EXPANDING) == bool(arena.first[node])
    assert bool(arena.first[node]) == bool(arena.count[node])
    assert int(arena.stats[node] & VALUE_MASK) <= visits[node] * VALUE_UNIT
    assert rave & int(RAVE_MASK) <= rave >> int(RAVE_BITS)
    if state & ILLEGAL:
        assert not visits[node]
    if node and visits[node]:
        assert state & LEGAL


def _check_children(arena: Arena, node: int, children: slice, visits: np.ndarray) -> None:
    prior, states, moves = arena.prior[children], arena.state[children], arena.move[children]
    assert visits[node] >= visits[children].sum()
    assert abs(prior.astype(np.float64).sum() - 1.0) < 1e-4
    assert (np.diff(prior) <= 0).all()
    assert len(set(moves.tolist())) == len(moves)
    assert 0 in moves
    # What is proven of a node is proven by its children.
    if arena.state[node] & WON:
        assert (states & (LOST | BARRED) != 0).all()
    if arena.state[node] & LOST:
        assert (states & WON != 0).any()


def snapshot(arena: Arena, node: int = 0, least_visits: int = 0, is_root: bool = True) -> Any:
    """A node and all that is below it as nested tuples; nodes with few visits, but not the
    root, without their children."""
    state = int(arena.state[node])
    first, count = int(arena.first[node]), int(arena.count[node])
    enough = is_root or int(arena.stats[node]) >> int(VALUE_BITS) >= least_visits
    if not enough:
        state &= ~int(EXPANDED | EXPANDING)
    facts = (arena.move, arena.stats, arena.rave, arena.prior, arena.games, arena.start)
    children = range(first, first + count) if first and enough else ()
    return (
        *(column[node].item() for column in facts),
        state,
        tuple(snapshot(arena, child, least_visits, False) for child in children),
    )
