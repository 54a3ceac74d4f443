"""Training by gradient descent: epochs, learning rate, early stop, checkpoints.

Games come in a new order each epoch, in chunks that threads share. The learning rate falls in a
straight line to almost nothing at the planned end. After each epoch the model is tried on
validation games; after three epochs without a gain training stops, and the best rows are kept.

A checkpoint holds all that the rest of the training depends on, so a run that was broken off and
resumed ends with the same model as one that was not (with one thread; two threads never repeat
exactly). It is written every few minutes, whole or not at all.

A training may be given a time. Then the rate falls with the time that is spent, where that is
faster, and what is reached in time is the end: a busy machine learns less, but never stops at
full speed. Such a training can't be repeated exactly.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from engine.board import u64
from engine.rng import random_words
from knowledge.descent import (
    ADAGRAD,
    FULL,
    LIKELIHOOD,
    RANKED,
    RECIPE,
    SAMPLED,
    SEEN,
    SGD,
    THINNED,
    Worker,
    learn_games,
)
from knowledge.evaluate import predict
from knowledge.factors import FactorModel
from knowledge.games import Games
from knowledge.walk import game_arrays, spread
from weights.files import BadWeights, load_weights, save_weights

PUSHES = {
    "likelihood": LIKELIHOOD,
    "sampled": SAMPLED,
    "thinned": THINNED,
    "ranked": RANKED,
    "full": FULL,
}
OPTIMIZERS = {"sgd": SGD, "adagrad": ADAGRAD}
FLAT_EPOCHS = 3
CHUNK = 16
CHECKPOINT_SECONDS = 180.0
CHECKPOINT_KIND = "checkpoint"
# The learning rate at the end, as a share of the first.
LAST_RATE = 0.02

Tell = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Recipe:
    """How to train. The defaults are good for FBT (docs/results/prediction.md)."""

    push: str = "thinned"
    optimizer: str = "adagrad"
    samples: int = 0
    thin: float = 0.01
    rate_w: float = 0.2
    rate_v: float = 0.1
    decay_w: float = 3e-5
    decay_v: float = 3e-4
    share: float = 1.0
    epochs: int = 3
    falling: bool = True  # whether the learning rate falls
    early_stop: bool = True
    seed: int = 1
    threads: int = 2
    seconds: float | None = None  # of training, whatever is reached then
    rising: float = 0.0  # the share of the plan in which the learning rate rises first

    def __post_init__(self) -> None:
        if self.push not in PUSHES or self.optimizer not in OPTIMIZERS:
            raise ValueError(f"unknown push {self.push!r} or optimizer {self.optimizer!r}")
        if self.push == "sampled" and self.samples < 1:
            raise ValueError("a sampled gradient needs at least one sample")
        if not (0 < self.share <= 1 and self.epochs > 0 and self.threads > 0):
            raise ValueError("the share must be above 0 and at most 1, epochs and threads above 0")
        if (self.seconds is not None and not self.seconds > 0) or not 0 <= self.rising <= 1:
            raise ValueError("a training needs time, and the rate rises in a share of it")

    def record(self) -> np.ndarray:
        """What the kernel reads."""
        result = np.zeros(1, RECIPE)
        result["push"], result["optimizer"] = PUSHES[self.push], OPTIMIZERS[self.optimizer]
        for name in ("samples", "thin", "rate_w", "rate_v", "decay_w", "decay_v", "share"):
            result[name] = getattr(self, name)
        return result


@dataclass(frozen=True)
class Epoch:
    """What an epoch brought: on the training games as they passed, and on the validation games."""

    train_log_evidence: float
    train_top1: float
    valid_log_evidence: float
    valid_top1: float
    seconds: float
    positions: float = 0.0  # that were learned from


class Training:
    """One training run of a model."""

    def __init__(
        self, model: FactorModel, games: Games, recipe: Recipe, valid: Games | None = None,
        checkpoint: Path | None = None,
    ) -> None:  # fmt: skip
        self.model, self.games, self.recipe, self.valid = model, games, recipe, valid
        self.checkpoint = checkpoint
        self.epochs: list[Epoch] = []
        n_ids = model.features.n_ids
        # AdaGrad's sums start at 1: at 0 the first steps would be far too long.
        self._spent = np.ones((n_ids, 2), np.float32)
        self._parents = model.parents()
        self._best = model.rows.copy()
        self._epoch = self._chunk = 0
        self._seen = np.zeros(SEEN)
        self._spent_before = 0.0  # seconds, before this start
        self._started = time.perf_counter()

    def run(self, tell: Tell | None = None) -> list[Epoch]:
        """Train to the end; returns what each epoch brought, and leaves the best rows."""
        self._started = time.perf_counter()
        while (
            self._epoch < self.recipe.epochs
            and self._time_used() < 1.0
            and not self._has_levelled_off()
        ):
            self._run_epoch(tell)
        if self.valid is not None and self.recipe.early_stop:
            self.model.rows[:] = self._best
        return self.epochs

    # --- An epoch -------------------------------------------------------------------------

    def _order(self) -> np.ndarray:
        generator = np.random.Generator(np.random.PCG64([self.recipe.seed, self._epoch]))
        return generator.permutation(len(self.games))

    def _rate(self, chunk: int, chunks: int) -> float:
        if not self.recipe.falling:
            return 1.0
        done = (self._epoch + chunk / chunks) / self.recipe.epochs
        done = min(max(done, self._time_used()), 1.0)
        rate = 1.0 - (1.0 - LAST_RATE) * done
        return rate * min(done / self.recipe.rising, 1.0) if self.recipe.rising else rate

    def _seconds(self) -> float:
        return self._spent_before + time.perf_counter() - self._started

    def _time_used(self) -> float:
        """The share of the given time that is spent."""
        return 0.0 if self.recipe.seconds is None else self._seconds() / self.recipe.seconds

    def _run_epoch(self, tell: Tell | None) -> None:
        started = written = time.perf_counter()
        order = self._order()
        model, features = self.model, self.model.features
        chunks = -(-len(order) // CHUNK)
        seeds = random_words(self.recipe.seed * 1000 + self._epoch, (chunks,))
        arrays, record = game_arrays(self.games), self.recipe.record()
        rows = (model.rows, self._spent, self._parents, u64(model.blocks))
        workers = [
            Worker(features.n_ids, len(features), model.blocks) for _ in range(self.recipe.threads)
        ]

        def work(worker: Worker, chunk: int) -> np.ndarray:
            seen = np.zeros(SEEN)
            first = chunk * CHUNK
            learn_games(
                order, first, min(first + CHUNK, len(order)), arrays, features.record,
                features.slots, record, np.float32(self._rate(chunk, chunks)), seeds[chunk], rows,
                (worker.work, worker.ids, worker.sums, worker.gradient, worker.slot_of), seen,
            )  # fmt: skip
            return seen

        # Threads run ahead of what is counted here, so a checkpoint waits for a whole stretch.
        for first, last in self._stretches(chunks):
            for seen in spread(workers, range(first, last), work):
                self._seen += seen
                self._chunk += 1
                if tell is not None:
                    done = self._epoch * chunks + self._chunk
                    tell(done, self.recipe.epochs * chunks, self._note())
            if self.checkpoint is not None and time.perf_counter() - written > CHECKPOINT_SECONDS:
                self.save_checkpoint()
                written = time.perf_counter()
            if self._time_used() >= 1.0:
                break
        self._end_epoch(time.perf_counter() - started)

    def _stretches(self, chunks: int) -> list[tuple[int, int]]:
        length = max(self.recipe.threads * 16, 1)
        starts = range(self._chunk, chunks, length)
        return [(first, min(first + length, chunks)) for first in starts]

    def _note(self) -> str:
        positions, log, hits = self._seen
        if not positions:
            return ""
        valid = f", valid {self.epochs[-1].valid_top1:.2f}%" if self.epochs else ""
        return f"train {100 * hits / positions:.2f}% {log / positions:.3f}{valid}"

    def _end_epoch(self, seconds: float) -> None:
        positions, log, hits = (float(n) for n in np.maximum(self._seen, [1.0, -np.inf, 0.0]))
        valid_log = valid_top1 = float("nan")
        if self.valid is not None:
            predictions = predict(self.model, self.valid, self.recipe.threads)
            valid_log = predictions.log_evidence()
            valid_top1 = 100 * float((predictions.ranks < 2).mean())
        self.epochs.append(
            Epoch(
                log / positions, 100 * hits / positions, valid_log, valid_top1, seconds, positions
            )
        )
        if self._best_epoch() == len(self.epochs) - 1:
            self._best[:] = self.model.rows
        self._seen = np.zeros(SEEN)
        self._epoch, self._chunk = self._epoch + 1, 0
        if self.checkpoint is not None:
            self.save_checkpoint()

    def _best_epoch(self) -> int:
        """The epoch with the largest validation log-evidence (accuracy for LFR)."""
        by_rank = self.recipe.push in ("ranked", "full")
        found = [e.valid_top1 if by_rank else e.valid_log_evidence for e in self.epochs]
        # An epoch in which the model went astray is worse than any other.
        return int(np.argmax(np.nan_to_num(found, nan=-np.inf)))

    def _has_levelled_off(self) -> bool:
        if self.valid is None or not self.recipe.early_stop:
            return False
        return bool(self.epochs) and len(self.epochs) - 1 - self._best_epoch() >= FLAT_EPOCHS

    # --- Checkpoints ----------------------------------------------------------------------

    def _identity(self) -> str:
        """What a checkpoint must agree with to be gone on with."""
        features = self.model.features
        free = ("threads", "seconds")  # a training may go on with more of these, or less
        settings = {k: v for k, v in asdict(self.recipe).items() if k not in free}
        return (
            f"{self.model.kind} {features.name} {features.n_ids} k={self.model.k} "
            f"nested={self.model.nested} games={len(self.games)} {settings}"
        )

    def save_checkpoint(self) -> None:
        """Write all that the rest of the training depends on."""
        assert self.checkpoint is not None
        save_weights(
            self.checkpoint,
            CHECKPOINT_KIND,
            {
                "identity": np.array(self._identity()),
                "rows": self.model.rows,
                "best": self._best,
                "spent": self._spent,
                "at": np.array([self._epoch, self._chunk]),
                "seconds": np.array(self._seconds()),
                "seen": self._seen,
                "epochs": np.array([list(asdict(e).values()) for e in self.epochs]).reshape(-1, 6),
            },
        )

    def resume(self) -> None:
        """Go on from the checkpoint; BadWeights says why it can't be."""
        assert self.checkpoint is not None
        saved = load_weights(self.checkpoint, CHECKPOINT_KIND)
        if str(saved["identity"]) != self._identity():
            raise BadWeights(f"{self.checkpoint}: a checkpoint of another training")
        self.model.rows[:] = saved["rows"]
        self._best[:] = saved["best"]
        self._spent[:] = saved["spent"]
        self._epoch, self._chunk = (int(n) for n in saved["at"])
        self._seen = saved["seen"].copy()
        self._spent_before = float(saved["seconds"])
        self.epochs = [Epoch(*map(float, row)) for row in saved["epochs"]]
