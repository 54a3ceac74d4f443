"""Walking through games in kernels, some games at a time on each thread.

What a kernel needs to walk is one tuple of arrays, `game_arrays(games)`; it calls `begin_game`,
then `play_on` for each move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

import numpy as np

from engine.board import U0, U1, clear, pass_move, place, put, u64
from engine.jit import inner
from knowledge.extract.facts import begin, go_on
from knowledge.games import Games

_Worker = TypeVar("_Worker")
_Result = TypeVar("_Result")


def game_arrays(games: Games) -> tuple[np.ndarray, ...]:
    """The arrays of games that kernels read."""
    return (
        games.sizes, games.starts, games.colors, games.points, games.learn,
        games.setup_starts, games.setup_colors, games.setup_points,
    )  # fmt: skip


@inner
def begin_game(b, moment, game, sizes, set_starts, set_colors, set_points):
    """Set up a game's first position."""
    clear(b, u64(sizes[game]))
    begin(moment)
    for i in range(set_starts[game], set_starts[game + 1]):
        put(b, u64(set_points[i]), u64(set_colors[i]))


@inner
def play_on(b, moment, v, c):
    """Play a move of the record, 0 for a pass."""
    if v == U0:
        pass_move(b)
    else:
        place(b, v, c)
    go_on(moment, v)


@inner
def row_of(points, n, v):
    """The row of a move among n candidates, the pass (0) after them; n + 1 if it is none."""
    if v == U0:
        return n
    for i in range(n):
        if u64(points[i]) == v:
            return u64(i)
    return n + U1


def spread(
    workers: Sequence[_Worker], tasks: Sequence[int], work: Callable[[_Worker, int], _Result]
) -> Iterator[_Result]:
    """Do all tasks, each with a worker of its own for the time; results come in their order."""
    idle: SimpleQueue[_Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def run(task: int) -> _Result:
        worker = idle.get()
        try:
            return work(worker, task)
        finally:
            idle.put(worker)

    with ThreadPoolExecutor(len(workers)) as pool:
        yield from pool.map(run, tasks)
