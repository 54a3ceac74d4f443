"""Takes the observations that a tree learns from out of games.

Of a position every point from which the window reaches the next move is a positive observation;
its label is the move's place in the window. From all other points some are drawn for each
positive one, and their label says "elsewhere". The paper draws one, so that both kinds are
equally frequent. How many other points each drawn one stands for is told too, so that the
densities can be put right again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.board import BOARD, S, U1, u64
from engine.geometry import PASS
from engine.jit import inner, kernel
from engine.rng import below, mix, next_state
from knowledge.extract.facts import new_moment
from knowledge.games import Games
from knowledge.spt_questions import COLUMNS, ask, new_asked
from knowledge.spt_views import seen_from
from knowledge.walk import begin_game, play_on

_C = u64(COLUMNS)


class Observations(NamedTuple):
    """Answers and labels, the label leaf_size ** 2 meaning elsewhere."""

    answers: np.ndarray  # uint8[n, COLUMNS]
    labels: np.ndarray  # uint8[n]
    weight: float  # how many points each one labelled elsewhere stands for


@inner
def _copy_row(w, i, answers, n):
    for column in range(_C):
        answers[n, column] = w.answers[i * _C + column]


@inner
def _observe_near(b, v, radius, w, answers, labels, n):
    """Write the points whose window holds the move; returns where the next one goes."""
    row, column = v // S - U1, v % S - U1
    side = np.int64(radius + radius + U1)
    for r in range(row - min(row, radius), min(row + radius + U1, b.size)):
        for k in range(column - min(column, radius), min(column + radius + U1, b.size)):
            i = r * b.size + k
            rows = np.int64(row) - np.int64(r)
            columns = np.int64(column) - np.int64(k)
            ahead, right = seen_from(u64(w.turn[i]), rows, columns)
            _copy_row(w, i, answers, n)
            labels[n] = (ahead + np.int64(radius)) * side + right + np.int64(radius)
            n += 1
    return n


@inner
def _observe_far(b, v, radius, count, state, elsewhere, w, answers, labels, n):
    """Write some points drawn from those whose window doesn't hold the move."""
    row, column = v // S - U1, v % S - U1
    while count > 0:
        i = below(mix(state), b.size * b.size)
        state = next_state(state)
        r, k = i // b.size, i % b.size
        rows, columns = max(r, row) - min(r, row), max(k, column) - min(k, column)
        if rows > radius or columns > radius:
            _copy_row(w, i, answers, n)
            labels[n] = elsewhere
            n += 1
            count -= 1
    return n


@kernel
def _observe(
    a, moments, asked, sizes, starts, colors, points, set_starts, set_colors, set_points, chosen,
    radius, turned, negatives, seed, answers, labels,
):  # fmt: skip
    """Write the observations of the chosen moves; returns how many, and the points elsewhere."""
    b = a[0]
    moment = moments[0]
    w = asked[0]
    reach = u64(radius)
    elsewhere = (2 * radius + 1) ** 2
    n = 0
    others = 0
    for game in range(len(sizes)):
        begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
        for i in range(starts[game], starts[game + 1]):
            v, c = u64(points[i]), u64(colors[i])
            if chosen[i]:
                ask(b, c, moment, turned, w)
                before = n
                n = _observe_near(b, v, reach, w, answers, labels, n)
                far = np.int64(b.size * b.size) - (n - before)
                others += far
                if far > 0:
                    # The move's own generator: whoever else was chosen changes nothing.
                    state = mix(u64(seed) + (u64(i) << u64(20)))
                    count = negatives * (n - before)
                    n = _observe_far(b, v, reach, count, state, elsewhere, w, answers, labels, n)
            play_on(b, moment, v, c)
    return n, others


def observe(
    games: Games, chosen: np.ndarray, leaf_size: int, turned: bool, negatives: int, seed: int
) -> Observations:
    """The observations from the positions before some moves; `chosen` is a mask without passes."""
    assert not (chosen & (games.points == PASS)).any()
    room = int(chosen.sum()) * leaf_size * leaf_size * (1 + negatives)
    answers, labels = np.empty((room, COLUMNS), np.uint8), np.empty(room, np.uint8)
    n, others = _observe(
        np.zeros(1, BOARD), new_moment(), new_asked(), games.sizes, games.starts, games.colors,
        games.points, games.setup_starts, games.setup_colors, games.setup_points, chosen,
        leaf_size // 2, turned, negatives, seed, answers, labels,
    )  # fmt: skip
    drawn = int((labels[:n] == leaf_size * leaf_size).sum())
    return Observations(answers[:n], labels[:n], others / drawn if drawn else 1.0)
