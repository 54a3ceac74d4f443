"""Lets a forest predict the moves of games, with the same figures as all other models."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from engine.board import BOARD, U0, U1, u64
from engine.jit import kernel
from knowledge.calibration import Calibration, rising_curve
from knowledge.evaluate import (
    BINS,
    TEMPERATURES,
    Predictions,
    Tell,
    _fill_bins,
    _log_probability,
    _rank,
)
from knowledge.extract.facts import new_moment
from knowledge.games import Games
from knowledge.spt_density import DENSITY_WORK, score_position
from knowledge.walk import begin_game, game_arrays, play_on, spread

if TYPE_CHECKING:
    from knowledge.spt import SptModel

_CHUNK = 20  # games that a thread takes at a time
_Memory = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@kernel
def _predict_games(
    first, end, game_arrays, forest, nodes, leaves, memory, temperatures, own_temperature, at, out
):
    """Write rank, log-probabilities and number for each position to learn from."""
    sizes, starts, colors, points, learn, set_starts, set_colors, set_points = game_arrays
    board, moments, work, bins = memory
    ranks, logs, numbers, where = out
    b, moment, w = board[0], moments[0], work[0]
    row = at
    for game in range(first, end):
        begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
        for m in range(starts[game], starts[game + 1]):
            v, c = u64(points[m]), u64(colors[m])
            if learn[m]:
                n = score_position(b, c, moment, forest[0], nodes, leaves, w)
                count = n + U1
                played = n if v == U0 else count
                for i in range(n):
                    if u64(w.points[i]) == v:
                        played = u64(i)
                if played < count:
                    ranks[row] = _rank(w, count, played)
                    for k in range(len(temperatures)):
                        logs[row, k] = _log_probability(w, count, played, temperatures[k])
                    own = _log_probability(w, count, played, own_temperature)
                    _fill_bins(w, count, played, own, own_temperature, bins)
                    numbers[row] = m - starts[game]
                    where[row] = 1
                row += 1
            play_on(b, moment, v, c)


def _new_memory() -> _Memory:
    return np.zeros(1, BOARD), new_moment(), np.zeros(1, DENSITY_WORK), np.zeros((BINS, 3))


def predict(
    model: SptModel, games: Games, threads: int = 1, tell: Tell | None = None,
    temperature: float | None = None,
) -> Predictions:  # fmt: skip
    """Let a forest predict all moves that are to be learned from."""
    starts = np.concatenate([[0], np.cumsum(games.learn)])[games.starts]
    total = int(starts[-1])
    ranks, numbers = np.zeros(total, np.float32), np.zeros(total, np.int32)
    logs = np.zeros((total, len(TEMPERATURES)), np.float32)
    where = np.zeros(total, np.uint8)
    arrays = game_arrays(games)
    own = model.temperature if temperature is None else temperature
    workers = [_new_memory() for _ in range(threads)]
    spent = [0.0]

    def work(memory: _Memory, first: int) -> int:
        started = time.thread_time()
        end = min(first + _CHUNK, len(games))
        _predict_games(
            first, end, arrays, model.forest, model.nodes, model.leaves, memory, TEMPERATURES,
            own, int(starts[first]), (ranks, logs, numbers, where),
        )  # fmt: skip
        spent[0] += time.thread_time() - started
        return end

    for end in spread(workers, range(0, len(games), _CHUNK), work):
        if tell is not None:
            done = ranks[: int(starts[end])]
            tell(end, len(games), f"{100 * float((done < 2).mean() if len(done) else 0):.1f}%")
    kept = where > 0
    bins = np.sum([memory[3] for memory in workers], axis=0)
    no_patterns = np.zeros(int(kept.sum()), np.uint8)
    return Predictions(ranks[kept], logs[kept], numbers[kept], no_patterns, bins, spent[0])


def calibrate(model: SptModel, games: Games, threads: int = 1) -> Calibration:
    """The temperature and curve that make a forest's probabilities honest on some games."""
    best = predict(model, games, threads).best_temperature()
    temperature = float(np.clip(best, TEMPERATURES[0], TEMPERATURES[-1]))
    bins = predict(model, games, threads, temperature=temperature).bins
    count = np.maximum(bins[:, 0], 1)
    return Calibration(
        temperature, rising_curve(bins[:, 1] / count, bins[:, 2] / count, bins[:, 0])
    )
