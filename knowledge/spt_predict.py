"""Lets a forest predict the moves of games, with the same figures as all other models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.board import BOARD, U1, u64
from engine.jit import kernel
from knowledge.calibration import Calibration
from knowledge.extract.facts import new_moment
from knowledge.games import Games
from knowledge.predictions import (
    TEMPERATURES,
    Predictions,
    Tell,
    fitted,
    note_position,
    predict_all,
)
from knowledge.spt_density import DENSITY_WORK, score_position
from knowledge.walk import begin_game, game_arrays, play_on, row_of

if TYPE_CHECKING:
    from knowledge.spt import SptModel

_Memory = tuple[np.ndarray, np.ndarray, np.ndarray]


@kernel
def _predict_games(
    first, end, game_arrays, forest, nodes, leaves, memory, bins, temperatures, own_temperature,
    at, out,
):  # fmt: skip
    """Note each position to learn from."""
    sizes, starts, colors, points, learn, set_starts, set_colors, set_points = game_arrays
    board, moments, work = memory
    b, moment, w = board[0], moments[0], work[0]
    row = at
    for game in range(first, end):
        begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
        for m in range(starts[game], starts[game + 1]):
            v, c = u64(points[m]), u64(colors[m])
            if learn[m]:
                n = score_position(b, c, moment, forest[0], nodes, leaves, w)
                count = n + U1
                played = row_of(w.points, n, v)
                if played < count:
                    number = m - starts[game]
                    note_position(
                        w, count, played, number, temperatures, own_temperature, row, out, bins
                    )
                row += 1
            play_on(b, moment, v, c)


def _new_memory() -> _Memory:
    return np.zeros(1, BOARD), new_moment(), np.zeros(1, DENSITY_WORK)


def predict(
    model: SptModel, games: Games, threads: int = 1, tell: Tell | None = None,
    temperature: float | None = None,
) -> Predictions:  # fmt: skip
    """Let a forest predict all moves that are to be learned from."""
    arrays = game_arrays(games)
    own = model.temperature if temperature is None else temperature

    def run(
        memory: _Memory, bins: np.ndarray, first: int, end: int, at: int,
        out: tuple[np.ndarray, ...],
    ) -> None:  # fmt: skip
        _predict_games(
            first, end, arrays, model.forest, model.nodes, model.leaves, memory, bins,
            own * TEMPERATURES, own, at, out,
        )  # fmt: skip

    return replace(predict_all(games, threads, tell, _new_memory, run)[0], unit=own)


def calibrate(model: SptModel, games: Games, threads: int = 1) -> Calibration:
    """The temperature and curve that make a forest's probabilities honest on some games."""
    return fitted(lambda temperature: predict(model, games, threads, temperature=temperature))
