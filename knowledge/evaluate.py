"""How well a model predicts: the rank and the probability of every move that was played.

All legal moves and the pass compete, in all positions that are to be learned from. Equal scores
share their ranks. The figures are those of the papers: how often the played move is among the
first n, the mean log-probability (log-evidence), both also by phases of 30 moves, and the first
guess by the size of the matched pattern.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.board import U0, U1, u64
from engine.jit import inner, kernel
from knowledge.calibration import Calibration, rising_curve
from knowledge.descent import MAX_MOVES, WORK
from knowledge.factors import FactorModel, score_moves
from knowledge.features import extract_position
from knowledge.games import Games
from knowledge.walk import begin_game, game_arrays, play_on, spread

TOPS = (1, 5, 10, 20)
PHASE_MOVES, PHASES = 30, 12
BINS = 50
TEMPERATURES = np.round(np.arange(0.70, 1.51, 0.05), 2)
_CHUNK = 20

Tell = Callable[[int, int, str], None]  # so much is done, of so much, and a note


@inner
def _rank(t, count, played):
    """How many moves are ahead, plus half of the equals, plus 1.

    What can't be compared is ahead: a model that went astray must not look clever.
    """
    own = t.scores[played]
    ahead = equal = 0
    for i in range(count):
        if i != played:
            equal += t.scores[i] == own
            ahead += not (t.scores[i] <= own)
    return ahead + 0.5 * equal + 1.0


@inner
def _log_probability(t, count, played, temperature):
    top = t.scores[0]
    for i in range(count):
        top = max(top, t.scores[i])
    total = 0.0
    for i in range(count):
        total += np.exp((np.float64(t.scores[i]) - top) / temperature)
    return (np.float64(t.scores[played]) - top) / temperature - np.log(total)


@inner
def _fill_bins(t, count, played, log_probability, temperature, bins):
    """Add every candidate to the bin of its probability: how many, how likely, how many played."""
    own = np.float64(t.scores[played])
    for i in range(count):
        p = np.exp((np.float64(t.scores[i]) - own) / temperature + log_probability)
        # A model that went astray may say anything, even nothing at all.
        k = max(min(int(p * BINS), BINS - 1), 0) if p >= 0.0 else 0
        bins[k, 0] += 1.0
        bins[k, 1] += p
        bins[k, 2] += i == played


@kernel
def _predict_games(
    first, end, game_arrays, feature_set, slots, model, memory, temperatures, at, out
):
    """Write rank, log-probabilities, number and pattern for each position to learn from."""
    sizes, starts, colors, points, learn, set_starts, set_colors, set_points = game_arrays
    table, blocks, shape_column, own_temperature = model
    work, ids = memory
    ranks, logs, numbers, patterns, bins, where = out
    t = work[0]
    b, moment, f, s = t.board, t.moment, t.facts, feature_set[0]
    row = at
    for game in range(first, end):
        begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
        for m in range(starts[game], starts[game + 1]):
            v, c = u64(points[m]), u64(colors[m])
            if learn[m]:
                n = extract_position(b, c, moment, s, f, slots, ids)
                count = n + U1
                score_moves(table, blocks, ids, count, s.columns, t.scores)
                played = n if v == U0 else count
                for i in range(n):
                    if u64(f.points[i]) == v:
                        played = u64(i)
                if played < count:
                    ranks[row] = _rank(t, count, played)
                    for k in range(len(temperatures)):
                        logs[row, k] = _log_probability(t, count, played, temperatures[k])
                    own = _log_probability(t, count, played, own_temperature)
                    _fill_bins(t, count, played, own, own_temperature, bins)
                    numbers[row] = m - starts[game]
                    patterns[row] = ids[played, shape_column] if shape_column >= 0 else U0
                    where[row] = 1
                row += 1
            play_on(b, moment, v, c)


@dataclass(frozen=True, eq=False)
class Predictions:
    """One entry for each position, in the order of the games."""

    ranks: np.ndarray
    logs: np.ndarray  # log-probabilities of the played move, for each of TEMPERATURES
    numbers: np.ndarray  # moves before it in its game
    sizes: np.ndarray  # of the matched pattern, 0 for none
    bins: np.ndarray  # of all candidates by probability: how many, sum of it, how many played
    seconds: float  # of one thread

    def figures(self, temperature: float = 1.0) -> dict[str, object]:
        """All figures, ready for JSON."""
        ranks = self.ranks
        log = self.log_evidence(temperature)
        phases = np.minimum(self.numbers // PHASE_MOVES, PHASES - 1)
        by_phase = [_share(ranks[phases == i] < 2) for i in range(PHASES)]
        known = [share for share in by_phase if share is not None]
        return {
            "positions": len(ranks),
            **{f"top{n}": _share(ranks < n + 1) for n in TOPS},
            "log_evidence": round(log, 4),
            "phases": by_phase,
            "phase_mean": round(float(np.mean(known)), 2) if known else None,
            "by_pattern_size": {
                int(size): [_share(ranks[self.sizes == size] < 2), int((self.sizes == size).sum())]
                for size in np.unique(self.sizes)
            },
            "microseconds": round(1e6 * self.seconds / max(len(ranks), 1), 1),
        }

    def log_evidence(self, temperature: float = 1.0) -> float:
        """The mean log-probability of the played moves."""
        mean = self.logs.mean(axis=0)
        return float(np.interp(temperature, TEMPERATURES, mean))

    def best_temperature(self) -> float:
        """The temperature with the largest log-evidence, by a parabola through the three best."""
        mean = self.logs.mean(axis=0)
        i = int(np.clip(np.argmax(mean), 1, len(mean) - 2))
        left, middle, right = mean[i - 1 : i + 2]
        bend = left - 2 * middle + right
        shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
        best = TEMPERATURES[i] + shift * (TEMPERATURES[1] - TEMPERATURES[0])
        return float(np.clip(best, TEMPERATURES[0], TEMPERATURES[-1]))


def _share(hits: np.ndarray) -> float | None:
    """A percentage; None if there is nothing to count."""
    return round(100 * float(hits.mean()), 2) if len(hits) else None


def predict(
    model: FactorModel, games: Games, threads: int = 1, tell: Tell | None = None,
    temperature: float | None = None,
) -> Predictions:  # fmt: skip
    """Let a model predict all moves that are to be learned from."""
    features = model.features
    starts = np.concatenate([[0], np.cumsum(games.learn)])[games.starts]
    total = int(starts[-1])
    ranks, numbers = np.zeros(total, np.float32), np.zeros(total, np.int32)
    logs = np.zeros((total, len(TEMPERATURES)), np.float32)
    patterns, where = np.zeros(total, np.uint32), np.zeros(total, np.uint8)
    arrays = game_arrays(games)
    shape = features.groups.index("shape") if "shape" in features.groups else -1
    own = model.calibration.temperature if temperature is None else temperature
    scoring = (model.folded(), u64(model.blocks), shape, own)
    workers = [
        (np.zeros(1, WORK), np.zeros((MAX_MOVES, len(features)), np.uint32), np.zeros((BINS, 3)))
        for _ in range(threads)
    ]
    spent = [0.0]

    def work(worker: tuple[np.ndarray, np.ndarray, np.ndarray], first: int) -> int:
        started = time.thread_time()
        end = min(first + _CHUNK, len(games))
        _predict_games(
            first, end, arrays, features.record, features.slots, scoring, worker[:2],
            TEMPERATURES, int(starts[first]), (ranks, logs, numbers, patterns, worker[2], where),
        )  # fmt: skip
        spent[0] += time.thread_time() - started
        return end

    for end in spread(workers, range(0, len(games), _CHUNK), work):
        if tell is not None:
            done = ranks[: int(starts[end])]
            tell(end, len(games), f"{100 * float((done < 2).mean() if len(done) else 0):.1f}%")
    kept = where > 0
    sizes = _sizes(model, patterns[kept], shape)
    bins = np.sum([worker[2] for worker in workers], axis=0)
    return Predictions(ranks[kept], logs[kept], numbers[kept], sizes, bins, spent[0])


def _sizes(model: FactorModel, ids: np.ndarray, shape: int) -> np.ndarray:
    dictionary = model.features.dictionary
    if shape < 0 or dictionary is None:
        return np.zeros(len(ids), np.uint8)
    index = ids.astype(np.int64) - int(model.features.first_ids[shape])
    return np.where(ids > 0, dictionary.size[np.maximum(index, 0)], 0).astype(np.uint8)


def calibrate(model: FactorModel, games: Games, threads: int = 1) -> Calibration:
    """The temperature and curve that make a model's probabilities honest on some games."""
    temperature = predict(model, games, threads).best_temperature()
    bins = predict(model, games, threads, temperature=temperature).bins
    count = np.maximum(bins[:, 0], 1)
    return Calibration(
        temperature, rising_curve(bins[:, 1] / count, bins[:, 2] / count, bins[:, 0])
    )
