"""What a model says of the moves that were played: ranks, probabilities, and the figures of both.

All legal moves and the pass compete, in all positions that are to be learned from. Equal scores
share their ranks. The figures are those of the papers: how often the played move is among the
first n, the mean log-probability (log-evidence), both also by phases of 30 moves, the first guess
by the size of the matched pattern, and how often a move is played that is said to be so likely.

Every learner has a kernel of its own that scores positions. It calls `note_position` for each, and
`predict_all` lets threads run it over the games.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from engine.jit import inner
from knowledge.calibration import Calibration, rising_curve
from knowledge.games import Games
from knowledge.walk import spread

TOPS = (1, 5, 10, 20)
PHASE_MOVES, PHASES = 30, 12
BINS = 50
BINS_TOLD = 5  # bins that are told of as one
# Temperatures that are tried, as multiples of the one that is used.
TEMPERATURES = np.round(np.arange(0.70, 1.51, 0.05), 2)
_TRIALS = 12  # of finding the right one, each twice the last or half of it
_CHUNK = 20  # games that a thread takes at a time

Tell = Callable[[int, int, str], None]  # so much is done, of so much, and a note
_Memory = TypeVar("_Memory")


# --- For kernels --------------------------------------------------------------------------


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


@inner
def note_position(t, count, played, number, temperatures, own_temperature, row, out, bins):
    """Write what the scores `t.scores` say of the played move; `out` as `predict_all` gives it."""
    ranks, logs, numbers, where = out
    ranks[row] = _rank(t, count, played)
    for k in range(len(temperatures)):
        logs[row, k] = _log_probability(t, count, played, temperatures[k])
    own = _log_probability(t, count, played, own_temperature)
    _fill_bins(t, count, played, own, own_temperature, bins)
    numbers[row] = number
    where[row] = 1


# --- The figures --------------------------------------------------------------------------


def _share(hits: np.ndarray) -> float | None:
    """A percentage; None if there is nothing to count."""
    return round(100 * float(hits.mean()), 2) if len(hits) else None


@dataclass(frozen=True, eq=False)
class Predictions:
    """One entry for each position, in the order of the games."""

    ranks: np.ndarray
    logs: np.ndarray  # log-probabilities of the played move, for `unit` times each of TEMPERATURES
    numbers: np.ndarray  # moves before it in its game
    sizes: np.ndarray  # of the matched pattern, 0 for none
    bins: np.ndarray  # of all candidates by probability: how many, sum of it, how many played
    seconds: float  # of one thread
    unit: float = 1.0  # the temperature that was used

    def figures(self, calibration: Calibration | None = None) -> dict[str, Any]:
        """All figures, ready for JSON."""
        used = calibration or Calibration()
        ranks = self.ranks
        phases = np.minimum(self.numbers // PHASE_MOVES, PHASES - 1)
        by_phase = [_share(ranks[phases == i] < 2) for i in range(PHASES)]
        known = [share for share in by_phase if share is not None]
        return {
            "positions": len(ranks),
            **{f"top{n}": _share(ranks < n + 1) for n in TOPS},
            "log_evidence": round(self.log_evidence(used.temperature), 4),
            "phases": by_phase,
            "phase_mean": round(float(np.mean(known)), 2) if known else None,
            "by_pattern_size": {
                int(size): [_share(ranks[self.sizes == size] < 2), int((self.sizes == size).sum())]
                for size in np.unique(self.sizes)
            },
            "calibration": self.curve(used),
            "microseconds": round(1e6 * self.seconds / max(len(ranks), 1), 1),
        }

    def log_evidence(self, temperature: float = 1.0) -> float:
        """The mean log-probability of the played moves."""
        mean = self.logs.mean(axis=0)
        return float(np.interp(temperature / self.unit, TEMPERATURES, mean))

    def best_temperature(self) -> float:
        """The temperature with the largest log-evidence, by a parabola through the three best."""
        mean = self.logs.mean(axis=0)
        i = int(np.clip(np.argmax(mean), 1, len(mean) - 2))
        left, middle, right = mean[i - 1 : i + 2]
        bend = left - 2 * middle + right
        shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
        best = TEMPERATURES[i] + shift * (TEMPERATURES[1] - TEMPERATURES[0])
        return self.unit * float(np.clip(best, TEMPERATURES[0], TEMPERATURES[-1]))

    def curve(self, calibration: Calibration) -> list[list[float]]:
        """For moves from unlikely to likely, in percent: what the model said of them, what the
        calibration makes of it, how many were played; and how many moves these are.
        """
        merged = self.bins.reshape(-1, BINS_TOLD, 3).sum(axis=1)
        told = []
        for count, said, played in merged[merged[:, 0] > 0].tolist():
            mapped = float(np.interp(said / count, *calibration.curve))
            shares = (said / count, mapped, played / count)
            told.append([*(round(100 * share, 2) for share in shares), int(count)])
        return told


# --- Going through games ------------------------------------------------------------------

# From here on a kernel is called as run(memory, bins, first game, end, first row, out).
Run = Callable[[_Memory, np.ndarray, int, int, int, tuple[np.ndarray, ...]], None]


def predict_all(
    games: Games, threads: int, tell: Tell | None, new_memory: Callable[[], _Memory],
    run: Run[_Memory],
) -> tuple[Predictions, np.ndarray]:  # fmt: skip
    """Let a kernel predict all moves that are to be learned from.

    The predictions know of no patterns. Also returned is which of the positions they are of: a
    move that is no candidate, a suicide, has none.
    """
    starts = np.concatenate([[0], np.cumsum(games.learn)])[games.starts]
    total = int(starts[-1])
    ranks, numbers = np.zeros(total, np.float32), np.zeros(total, np.int32)
    logs = np.zeros((total, len(TEMPERATURES)), np.float32)
    where = np.zeros(total, np.uint8)
    workers = [(new_memory(), np.zeros((BINS, 3))) for _ in range(threads)]
    spent = [0.0]

    def work(worker: tuple[_Memory, np.ndarray], first: int) -> int:
        started = time.thread_time()
        end = min(first + _CHUNK, len(games))
        run(*worker, first, end, int(starts[first]), (ranks, logs, numbers, where))
        spent[0] += time.thread_time() - started
        return end

    for end in spread(workers, range(0, len(games), _CHUNK), work):
        if tell is not None:
            done = ranks[: int(starts[end])]
            tell(end, len(games), f"{100 * float((done < 2).mean() if len(done) else 0):.1f}%")
    kept = where > 0
    bins = np.sum([bins for _, bins in workers], axis=0)
    sizes = np.zeros(int(kept.sum()), np.uint8)
    return Predictions(ranks[kept], logs[kept], numbers[kept], sizes, bins, spent[0]), kept


def _best_temperature(predict: Callable[[float], Predictions]) -> float:
    """The best temperature, wherever it is: the scores of LFR are between 0 and 1."""
    unit = 1.0
    for _ in range(_TRIALS):
        found = predict(unit).best_temperature() / unit
        if TEMPERATURES[1] < found < TEMPERATURES[-2]:
            return unit * found
        unit *= 0.5 if found < 1.0 else 2.0
    return 1.0  # it is of no use at any temperature


def fitted(predict: Callable[[float], Predictions]) -> Calibration:
    """The temperature and curve that make probabilities honest.

    `predict` predicts the same games with the temperature it is given.
    """
    temperature = _best_temperature(predict)
    bins = predict(temperature).bins
    count = np.maximum(bins[:, 0], 1)
    return Calibration(
        temperature, rising_curve(bins[:, 1] / count, bins[:, 2] / count, bins[:, 0])
    )
