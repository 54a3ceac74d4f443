"""How well a factor model (FBT, LFR, MM) predicts: its kernel for `predictions.py`.

Features that need playouts get them, by the move's number: who else is looked at, and on how many
threads, changes nothing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.board import BOARD, U0, U1, u64
from engine.jit import kernel
from engine.rng import mix
from knowledge.calibration import Calibration
from knowledge.descent import MAX_MOVES
from knowledge.extract.facts import FACTS, MOMENT
from knowledge.extract.owners import sample_owners
from knowledge.factors import FactorModel, score_moves
from knowledge.features import extract_position
from knowledge.games import Games
from knowledge.groups import OWNER_PLAYOUTS
from knowledge.predictions import (
    TEMPERATURES,
    Predictions,
    Tell,
    fitted,
    note_position,
    predict_all,
)
from knowledge.walk import begin_game, game_arrays, play_on, row_of

# A thread's own memory.
_WORK = np.dtype(
    [
        ("moment", MOMENT),
        ("facts", FACTS),
        ("scores", np.float32, MAX_MOVES),
    ],
    align=True,
)
_Memory = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@kernel
def _predict_games(
    first, end, game_arrays, feature_set, slots, model, playouts, komi, memory, bins,
    temperatures, own_temperature, at, out, patterns,
):  # fmt: skip
    """Note each position to learn from, and the played move's pattern."""
    sizes, starts, colors, points, learn, set_starts, set_colors, set_points = game_arrays
    table, blocks, shape_column = model
    boards, work, ids, rng = memory
    t = work[0]
    b, moment, f, s = boards[0], t.moment, t.facts, feature_set[0]
    row = at
    for game in range(first, end):
        begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
        for m in range(starts[game], starts[game + 1]):
            v, c = u64(points[m]), u64(colors[m])
            if learn[m]:
                if playouts != 0:
                    rng[0] = mix(mix(U0) + u64(m))
                    sample_owners(boards[0:1], c, komi[game], playouts, rng, boards[1:2], f.owners)
                n = extract_position(b, c, moment, s, f, slots, ids)
                count = n + U1
                score_moves(table, blocks, ids, count, s.columns, t.scores)
                played = row_of(f.points, n, v)
                if played < count:
                    number = m - starts[game]
                    note_position(
                        t, count, played, number, temperatures, own_temperature, row, out, bins
                    )
                    patterns[row] = ids[played, shape_column] if shape_column >= 0 else U0
                row += 1
            play_on(b, moment, v, c)


def predict(
    model: FactorModel, games: Games, threads: int = 1, tell: Tell | None = None,
    temperature: float | None = None,
) -> Predictions:  # fmt: skip
    """Let a model predict all moves that are to be learned from."""
    features = model.features
    shape = features.groups.index("shape") if "shape" in features.groups else -1
    patterns = np.zeros(int(games.learn.sum()), np.uint32)
    own = model.calibration.temperature if temperature is None else temperature
    scoring = (model.folded(), u64(model.blocks), shape)
    playouts = OWNER_PLAYOUTS if features.needs_playouts else 0
    arrays, komi = game_arrays(games), games.komi.astype(np.float64)

    def new_memory() -> _Memory:
        ids = np.zeros((MAX_MOVES, len(features)), np.uint32)
        return np.zeros(2, BOARD), np.zeros(1, _WORK), ids, np.zeros(1, np.uint64)

    def run(
        memory: _Memory, bins: np.ndarray, first: int, end: int, at: int,
        out: tuple[np.ndarray, ...],
    ) -> None:  # fmt: skip
        _predict_games(
            first, end, arrays, features.record, features.slots, scoring, playouts, komi, memory,
            bins, own * TEMPERATURES, own, at, out, patterns,
        )  # fmt: skip

    predictions, kept = predict_all(games, threads, tell, new_memory, run)
    return replace(predictions, sizes=_sizes(model, patterns[kept], shape), unit=own)


def _sizes(model: FactorModel, ids: np.ndarray, shape: int) -> np.ndarray:
    dictionary = model.features.dictionary
    if shape < 0 or dictionary is None:
        return np.zeros(len(ids), np.uint8)
    index = ids.astype(np.int64) - int(model.features.first_ids[shape])
    return np.where(ids > 0, dictionary.size[np.maximum(index, 0)], 0).astype(np.uint8)


def calibrate(model: FactorModel, games: Games, threads: int = 1) -> Calibration:
    """The temperature and curve that make a model's probabilities honest on some games."""
    return fitted(lambda temperature: predict(model, games, threads, temperature=temperature))
