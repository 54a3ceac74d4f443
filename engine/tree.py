"""The search tree: nodes in flat arrays, shared by threads without locks.

A node is a move and what is known of it; its children stand side by side, the likeliest first.
Node 0 is the root. Two sums are packed into one word each, so that one atomic addition keeps them
in step: visits above the value they brought (`stats`), and the same for RAVE (`rave`). Values are
those of the side that made the move.

Nodes are never freed one by one. When the game moves on, or when the arena is full, what is worth
keeping is copied to a second arena of the same size; both together stay within the memory limit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.board import U0, U1, u64
from engine.geometry import AREA
from engine.jit import inlined, kernel

# What is packed into `stats`: visits above VALUE_BITS bits of value in units of 1 / VALUE_UNIT.
VALUE_BITS = u64(36)
VALUE_UNIT = 256.0
ONE_VISIT = u64(1 << 36)
VALUE_MASK = u64((1 << 36) - 1)
# What is packed into `rave`: weight above value, both in units of 1 / RAVE_UNIT.
RAVE_BITS = u64(32)
RAVE_UNIT = 32.0
RAVE_MASK = u64((1 << 32) - 1)

# The state of a node, as bits. WON and LOST are proven, for the side that made the move.
# FUTILE is a move that only helps if a ladder works, and it doesn't.
EXPANDING, EXPANDED, WON, LOST, ILLEGAL, AVOIDED, LEGAL, FUTILE = (
    np.uint32(1 << i) for i in range(8)
)
BARRED = ILLEGAL | AVOIDED


class Arena(NamedTuple):
    """Room for nodes. A node without children has `first` 0."""

    stats: np.ndarray
    rave: np.ndarray
    prior: np.ndarray  # the move's probability
    games: np.ndarray  # how many games the prior is worth, and their value: selection `prior`
    start: np.ndarray
    first: np.ndarray  # the first child
    state: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # of children; nobody counts in this tuple
    move: np.ndarray


_DTYPES = (
    np.uint64, np.uint64, np.float32, np.float32, np.float32, np.uint32, np.uint32, np.uint16,
    np.uint16,
)  # fmt: skip
NODE_BYTES = sum(np.dtype(kind).itemsize for kind in _DTYPES)
# The root and one full set of children must fit in any case.
LEAST_NODES = 4 * (AREA + 2)


def new_arena(nodes: int) -> Arena:
    """An arena of empty nodes. The system gives the memory when it is first written to."""
    return Arena(*(np.zeros(nodes, kind) for kind in _DTYPES))


@inlined
def visits_of(stats):
    return stats >> VALUE_BITS


@inlined
def value_of(stats):
    """The mean value of a node that was visited."""
    return np.float64(stats & VALUE_MASK) / (np.float64(max(stats >> VALUE_BITS, U1)) * VALUE_UNIT)


@inlined
def _copy_node(t, i, to, j):
    to.stats[j] = t.stats[i]
    to.rave[j] = t.rave[i]
    to.prior[j] = t.prior[i]
    to.games[j] = t.games[i]
    to.start[j] = t.start[i]
    to.first[j] = t.first[i]
    to.state[j] = t.state[i]
    to.count[j] = t.count[i]
    to.move[j] = t.move[i]


@kernel
def copy_subtree(t, node, to, least_visits):
    """Copy a node as the root of another arena, with the descendants of all nodes that have so
    many visits; returns how many nodes that took, or 0 if there was no room."""
    _copy_node(t, u64(node), to, U0)
    used = U1
    i = U0
    # A copied node still names its children's old place, until its own turn comes.
    while i < used:
        first = u64(to.first[i])
        count = u64(to.count[i])
        if first != U0:
            if i != U0 and visits_of(to.stats[i]) < u64(least_visits):
                to.first[i] = 0
                to.count[i] = 0
                to.state[i] &= ~(EXPANDED | EXPANDING)
            else:
                if used + count > u64(len(to.stats)):
                    return 0
                for k in range(count):
                    _copy_node(t, first + k, to, used + k)
                to.first[i] = used
                used += count
        i += U1
    return np.int64(used)


@kernel
def _clear_root(t):
    t.stats[0] = U0
    t.rave[0] = U0
    t.first[0] = 0
    t.count[0] = 0
    t.state[0] = 0
    t.move[0] = 0


class Tree:
    """Two arenas, of which one is in use."""

    def __init__(self, memory: int) -> None:
        """Room within so many bytes."""
        self.memory = memory
        self.capacity = max(LEAST_NODES, memory // (2 * NODE_BYTES))
        self._arenas = [new_arena(self.capacity), new_arena(self.capacity)]
        self.used = 1

    @property
    def arena(self) -> Arena:
        return self._arenas[0]

    def clear(self) -> None:
        """Forget everything."""
        _clear_root(self.arena)
        self.used = 1

    def descend(self, moves: list[int]) -> bool:
        """Make the node after some moves the root, and keep what is below it.

        False if it isn't there: then the tree is empty.
        """
        node = 0
        for move in moves:
            child = self.child(node, move)
            if child is None:
                self.clear()
                return False
            node = child
        if node:
            self._keep(node, 0)
        return True

    def child(self, node: int, move: int) -> int | None:
        """The child of a node by its move."""
        first, count = int(self.arena.first[node]), int(self.arena.count[node])
        if not first:
            return None
        found = np.flatnonzero(self.arena.move[first : first + count] == move)
        return first + int(found[0]) if len(found) else None

    def collect(self) -> None:
        """Make room: keep the descendants of nodes with many visits only."""
        least = 16
        while True:
            self._keep(0, least)
            if self.used <= self.capacity // 2:
                return
            least *= 2

    def _keep(self, node: int, least_visits: int) -> None:
        used = copy_subtree(self.arena, node, self._arenas[1], least_visits)
        # A subtree always fits into an arena of the same size.
        assert used
        self._arenas.reverse()
        self.used = int(used)
