"""Grows one spatial probability tree: greedy splits by the likelihood ratio (Tidwell 2011).

An observation is a point of a position: the answers to all questions, and a label that says where
in the window around the point the next move was, or that it was elsewhere. At each node some
questions are drawn by chance, a column and, from one of the node's own observations, a threshold.
The best one is kept: that under which two densities, one for each answer, explain the node's labels
better than one density for all does.

All nodes of a tree stand in flat arrays, a node's two children side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.board import u64
from engine.jit import inner, kernel
from engine.rng import below, mix, new_rng, next_state
from knowledge.spt_questions import COLUMNS, LARGEST

LEAF = 255  # in place of a column
_VALUES = 256
_LEAST_GAIN = 1e-9  # what rounding alone can't bring about


class Tree(NamedTuple):
    """A node asks whether the answer in its column is at most its threshold.

    If so it goes on to `child`, else to the node after that. For a leaf, `child` is its number.
    """

    column: np.ndarray  # uint8, LEAF for a leaf
    threshold: np.ndarray  # uint8
    child: np.ndarray  # uint32
    counts: np.ndarray  # int64: how many observations of each label came to a leaf


@inner
def _explained(counts, total, logs):
    """The log-likelihood of labels under their own density, from a table of n log n."""
    result = -logs[total]
    for k in range(len(counts)):
        result += logs[counts[k]]
    return result


@inner
def _draw_questions(answers, order, begin, end, samples, state, drawn):
    """Mark the questions to try, by column and threshold; returns the generator's new state."""
    drawn[:] = samples == 0
    for _ in range(samples):
        column = below(mix(state), u64(len(drawn)))
        state = next_state(state)
        i = u64(begin) + below(mix(state), u64(end - begin))
        state = next_state(state)
        drawn[column, answers[order[i], column]] = True
    return state


@inner
def _tally(answers, labels, order, begin, end, table, all_of):
    """Count the node's labels, for each column and answer and in all."""
    table[:] = 0
    all_of[:] = 0
    for i in range(begin, end):
        j = order[i]
        label = labels[j]
        all_of[label] += 1
        for column in range(len(table)):
            table[column, answers[j, column], label] += 1


@inner
def _best_question(table, all_of, size, drawn, least, largest, logs, yes, no):
    """The drawn question with the highest likelihood ratio, by column and threshold.

    The column is LEAF if none leaves enough observations on both sides and explains more.
    """
    best = _LEAST_GAIN
    best_column, best_threshold = LEAF, 0
    null = _explained(all_of, size, logs)
    for column in range(len(table)):
        yes[:] = 0
        n = 0
        for value in range(largest[column]):
            for k in range(len(yes)):
                yes[k] += table[column, value, k]
                n += table[column, value, k]
            if not drawn[column, value] or n < least:
                continue
            if size - n < least:
                break
            for k in range(len(yes)):
                no[k] = all_of[k] - yes[k]
            gain = _explained(yes, n, logs) + _explained(no, size - n, logs) - null
            if gain > best:
                best, best_column, best_threshold = gain, column, value
    return best_column, best_threshold


@inner
def _part(answers, order, begin, end, column, threshold):
    """Bring the observations that say yes to the front; returns where the others begin."""
    middle = begin
    for i in range(begin, end):
        j = order[i]
        if answers[j, column] <= threshold:
            order[i] = order[middle]
            order[middle] = j
            middle += 1
    return middle


@kernel
def _grow(
    answers, labels, order, depth, least, samples, rng, largest, logs, table, drawn, counts,
    column, threshold, child, begins, ends, levels, leaf_counts,
):  # fmt: skip
    """Grow a tree level by level; returns how many nodes and leaves it has."""
    all_of, yes, no = counts[0], counts[1], counts[2]
    state = rng[0]
    begins[0], ends[0], levels[0] = 0, len(order), 0
    nodes = 1
    leaves = 0
    node = 0
    while node < nodes:
        begin, end = begins[node], ends[node]
        size = end - begin
        column[node] = LEAF
        if levels[node] < depth and size >= 2 * least:
            state = _draw_questions(answers, order, begin, end, samples, state, drawn)
            _tally(answers, labels, order, begin, end, table, all_of)
            column[node], threshold[node] = _best_question(
                table, all_of, size, drawn, least, largest, logs, yes, no
            )
        if column[node] == LEAF:
            child[node] = leaves
            for i in range(begin, end):
                leaf_counts[leaves, labels[order[i]]] += 1
            leaves += 1
        else:
            middle = _part(answers, order, begin, end, column[node], threshold[node])
            child[node] = nodes
            begins[nodes], ends[nodes] = begin, middle
            begins[nodes + 1], ends[nodes + 1] = middle, end
            levels[nodes] = levels[nodes + 1] = levels[node] + 1
            nodes += 2
        node += 1
    rng[0] = state
    return nodes, leaves


def grow(
    answers: np.ndarray, labels: np.ndarray, n_labels: int, columns: int, depth: int,
    min_node: int, samples: int, seed: int,
) -> Tree:  # fmt: skip
    """The tree of some observations, asking only about the first columns.

    A node at `depth`, or one that no question parts into two of at least `min_node` observations,
    is a leaf. `samples` is how many questions are drawn at a node; 0 tries them all.
    """
    n = len(labels)
    if n == 0 or answers.shape != (n, COLUMNS):
        raise ValueError("a tree needs observations with an answer in every column")
    room = 2 * (n // min_node) + 1
    logs = np.zeros(n + 1)
    logs[1:] = np.arange(1, n + 1) * np.log(np.arange(1, n + 1))
    column, threshold = np.zeros(room, np.uint8), np.zeros(room, np.uint8)
    child = np.zeros(room, np.uint32)
    counts = np.zeros((room // 2 + 1, n_labels), np.int64)
    nodes, leaves = _grow(
        answers, labels, np.arange(n, dtype=np.int32), depth, min_node, samples, new_rng(seed),
        LARGEST, logs, np.zeros((columns, _VALUES, n_labels), np.int64),
        np.zeros((columns, _VALUES), np.bool_), np.zeros((3, n_labels), np.int64),
        column, threshold, child, np.zeros(room, np.int64), np.zeros(room, np.int64),
        np.zeros(room, np.int64), counts,
    )  # fmt: skip
    return Tree(column[:nodes], threshold[:nodes], child[:nodes], counts[:leaves])
