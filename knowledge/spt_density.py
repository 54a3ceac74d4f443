"""The density of moves over a whole position: each point drops down each tree, and what the
leaves say about the points around is added up.

A tree's sum is normalised over the legal moves, and a forest's density is the mean of its
trees'. A node is one word: the column it asks, the threshold, and where to go on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.board import S, U0, U1, U2, U3, U4, is_legal, u64
from engine.geometry import AREA, MAX_SIZE
from engine.jit import inlined, inner
from knowledge.spt_questions import ASKED, COLUMNS, ask
from knowledge.spt_tree import LEAF, Tree
from knowledge.spt_views import TURNS, steps

MAX_LEAF_SIZE = 9
MAX_TREES = 64
_RADIUS = MAX_LEAF_SIZE // 2
_GRID_STRIDE = MAX_SIZE + 2 * _RADIUS
_C = u64(COLUMNS)
_G, _R = u64(_GRID_STRIDE), u64(_RADIUS)
# A node's word: the column, the threshold, the node for "yes", and the number of a leaf.
_THRESHOLD, _NEXT, _NUMBER = u64(8), u64(16), u64(40)
_BYTE, _NODE = u64(0xFF), u64(0xFFFFFF)
_MOST_ANSWER = 255
NO_LEAF = (1 << 24) - 1  # the number of a node that is no leaf
_NO_LEAF = u64(NO_LEAF)

FOREST = np.dtype(
    [
        ("trees", np.uint64),
        ("roots", np.uint64, MAX_TREES),
        ("turned", np.bool_),
        ("cells", np.uint64),  # of a leaf
        ("steps", np.int64, (TURNS, MAX_LEAF_SIZE**2)),  # to each cell from the point, in the grid
        ("pass_chance", np.float64, 2),  # after a move, and after a pass
    ],
    align=True,
)

DENSITY_WORK = np.dtype(
    [
        ("asked", ASKED),
        ("grid", np.float32, _GRID_STRIDE**2),
        ("points", np.uint16, AREA + 1),
        ("density", np.float64, AREA + 1),
        ("scores", np.float32, AREA + 1),  # the logarithms
    ],
    align=True,
)


def forest_record(
    trees: Sequence[Tree], leaf_size: int, turned: bool, pass_chance: np.ndarray
) -> np.ndarray:
    """What kernels need to know of a forest beside its nodes and densities."""
    radius = leaf_size // 2
    span = range(-radius, radius + 1)
    cells = [(ahead, right) for ahead in span for right in span]
    result = np.zeros(1, FOREST)
    record = result[0]
    record["trees"] = len(trees)
    sizes = [len(tree.column) for tree in trees]
    record["roots"][: len(trees)] = np.cumsum([0, *sizes[:-1]])
    record["turned"] = turned
    record["cells"] = len(cells)
    record["steps"][:, : len(cells)] = steps(cells, _GRID_STRIDE)
    record["pass_chance"] = pass_chance
    return result


def packed_nodes(trees: Sequence[Tree]) -> np.ndarray:
    """The nodes of all trees in a row, one word each; leaves are numbered through.

    A leaf leads to itself, whatever the answer, so that points may drop down side by side.
    """
    total = sum(len(tree.column) for tree in trees)
    if total >= NO_LEAF:
        raise ValueError(f"a forest of {total:,} nodes is too large")
    parts = []
    nodes = leaves = 0
    for tree in trees:
        is_leaf = tree.column == LEAF
        child = tree.child.astype(np.uint64)
        column = np.where(is_leaf, 0, tree.column).astype(np.uint64)
        threshold = np.where(is_leaf, _MOST_ANSWER, tree.threshold).astype(np.uint64)
        own = np.arange(len(child), dtype=np.uint64)
        follows = np.where(is_leaf, own, child) + u64(nodes)
        number = np.where(is_leaf, child + u64(leaves), u64(NO_LEAF))
        parts.append(column | threshold << _THRESHOLD | follows << _NEXT | number << _NUMBER)
        nodes += len(tree.column)
        leaves += len(tree.counts)
    return np.concatenate(parts)


@inlined
def _step(nodes, word, answers, start):
    """The node that follows a node by a point's answers."""
    answer = u64(answers[start + (word & _BYTE)])
    above = u64(answer > (word >> _THRESHOLD) & _BYTE)
    return nodes[((word >> _NEXT) & _NODE) + above]


@inlined
def _add_leaf(forest, densities, w, word, i, row, column):
    """Add the density of a point's leaf to the grid."""
    leaf = word >> _NUMBER
    turn = u64(w.asked.turn[i])
    here = np.int64(_grid_index(row, column))
    for cell in range(forest.cells):
        w.grid[u64(here + forest.steps[turn, cell])] += densities[leaf, cell]


@inner
def _grid_index(row, column):
    return (row + _R) * _G + column + _R


@inner
def _add_leaves(b, forest, root, nodes, densities, w):
    """Let every point drop down a tree and add its leaf's density to the grid.

    Four points drop at a time, because each step waits for memory.
    """
    w.grid[:] = 0
    answers = w.asked.answers
    last = b.size * b.size - U1
    i = U0
    while i <= last:
        # At the end some of the four are the last point again, and are not added.
        i1, i2, i3 = min(i + U1, last), min(i + U2, last), min(i + U3, last)
        a0, a1, a2, a3 = i * _C, i1 * _C, i2 * _C, i3 * _C
        w0 = w1 = w2 = w3 = nodes[root]
        while (
            (w0 >> _NUMBER == _NO_LEAF)
            | (w1 >> _NUMBER == _NO_LEAF)
            | (w2 >> _NUMBER == _NO_LEAF)
            | (w3 >> _NUMBER == _NO_LEAF)
        ):
            w0 = _step(nodes, w0, answers, a0)
            w1 = _step(nodes, w1, answers, a1)
            w2 = _step(nodes, w2, answers, a2)
            w3 = _step(nodes, w3, answers, a3)
        _add_leaf(forest, densities, w, w0, i, i // b.size, i % b.size)
        if i1 == i + U1:
            _add_leaf(forest, densities, w, w1, i1, i1 // b.size, i1 % b.size)
        if i2 == i + U2:
            _add_leaf(forest, densities, w, w2, i2, i2 // b.size, i2 % b.size)
        if i3 == i + U3:
            _add_leaf(forest, densities, w, w3, i3, i3 // b.size, i3 % b.size)
        i += U4


@inner
def _list_moves(b, c, w):
    """Write the legal moves; returns how many."""
    n = U0
    for row in range(U1, b.size + U1):
        for v in range(row * S + U1, row * S + U1 + b.size):
            if is_legal(b, v, c):
                w.points[n] = v
                w.density[n] = 0.0
                n += U1
    return n


@inner
def _add_tree(n, share, w):
    """Add a tree's grid, normalised over the legal moves, to the forest's density."""
    total = 0.0
    for i in range(n):
        v = u64(w.points[i])
        total += w.grid[_grid_index(v // S - U1, v % S - U1)]
    for i in range(n):
        v = u64(w.points[i])
        w.density[i] += share * w.grid[_grid_index(v // S - U1, v % S - U1)] / total


@inner
def move_density(b, c, moment, forest, nodes, densities, w):
    """Write all legal moves of c and their densities, the pass last; returns how many moves.

    b is a BOARD, `moment` a MOMENT, `forest` a FOREST with its nodes and leaf densities, and w a
    DENSITY_WORK, in whose `points` and `density` the results are, n of moves and one of the pass.
    All densities add up to 1; without a legal move the pass has it all.
    """
    ask(b, c, moment, forest.turned, w.asked)
    n = _list_moves(b, c, w)
    passing = forest.pass_chance[moment.after_pass] if n != U0 else 1.0
    if n != U0:
        for t in range(forest.trees):
            _add_leaves(b, forest, forest.roots[t], nodes, densities, w)
            _add_tree(n, (1.0 - passing) / np.float64(forest.trees), w)
    w.points[n] = 0
    w.density[n] = passing
    return n


@inner
def score_position(b, c, moment, forest, nodes, densities, w):
    """The same, with the logarithms of the densities in w.scores."""
    n = move_density(b, c, moment, forest, nodes, densities, w)
    for i in range(n + U1):
        w.scores[i] = np.log(w.density[i])
    return n
