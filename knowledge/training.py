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
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

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
    learn_positions,
)
from knowledge.evaluate import predict
from knowledge.factors import FactorModel
from knowledge.games import Games
from knowledge.lessons import Reader
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
        for name in ("samples", "thin", "rate_w", "rate_v", "decay_w", "decay_v"):
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
        self._epoch_seconds = 0.0
        self._spent_before = 0.0  # seconds, before this start
        self._started = time.perf_counter()

    def run(self, tell: Tell | None = None) -> list[Epoch]:
        """Train to the end; returns what each epoch brought, and leaves the best rows."""
        train_together([self], tell)
        return self.epochs

    def _is_going(self) -> bool:
        return (
            self._epoch < self.recipe.epochs
            and self._time_used() < 1.0
            and not self._has_levelled_off()
        )

    def _finish(self) -> None:
        if self.valid is not None and self.recipe.early_stop:
            self.model.rows[:] = self._best

    # --- An epoch -------------------------------------------------------------------------

    def _place(self) -> tuple[int, int]:
        """Where the training is: the epoch, and the chunk of games in it."""
        return self._epoch, self._chunk

    def _read_as(self) -> tuple[object, ...]:
        """What the reading of the games depends on."""
        recipe = self.recipe
        return self.model.features, recipe.seed, recipe.share, recipe.threads

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

    def _learner(self, chunks: int) -> _Learner:
        """What one thread learns with."""
        model, recipe = self.model, self.recipe.record()
        rows = (model.rows, self._spent, self._parents, u64(model.blocks))
        worker = Worker(model.features.n_ids, model.blocks)
        memory = (worker.work, worker.sums, worker.gradient, worker.slot_of)

        def learn(reader: Reader, chunk: int, state: np.uint64, seen: np.ndarray) -> np.uint64:
            return learn_positions(
                reader.count, reader.ids, reader.starts, reader.played, recipe,
                np.float32(self._rate(chunk, chunks)), state, rows, memory, seen,
            )  # fmt: skip

        return learn

    def _count_in(self, learned: _Learned) -> None:
        """A chunk of games has been learned from."""
        self._seen += learned.seen
        self._epoch_seconds += learned.seconds / self.recipe.threads
        self._chunk += 1

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

    def _end_epoch(self) -> None:
        positions, log, hits = (float(n) for n in np.maximum(self._seen, [1.0, -np.inf, 0.0]))
        valid_log = valid_top1 = float("nan")
        if self.valid is not None:
            predictions = predict(self.model, self.valid, self.recipe.threads)
            valid_log = predictions.log_evidence()
            valid_top1 = 100 * float((predictions.ranks < 2).mean())
        train = (log / positions, 100 * hits / positions)
        self.epochs.append(Epoch(*train, valid_log, valid_top1, self._epoch_seconds, positions))
        if self._best_epoch() == len(self.epochs) - 1:
            self._best[:] = self.model.rows
        self._seen, self._epoch_seconds = np.zeros(SEEN), 0.0
        self._epoch, self._chunk = self._epoch + 1, 0
        self._write_checkpoint()

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

    def _write_checkpoint(self) -> None:
        """Write all that the rest of the training depends on, if there is a file for it."""
        if self.checkpoint is None:
            return
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


# --- Several at once ----------------------------------------------------------------------


class _Learned(NamedTuple):
    """What a model has seen in a chunk of games, and how long it would have taken alone."""

    seen: np.ndarray
    seconds: float


_Learner = Callable[[Reader, int, np.uint64, np.ndarray], np.uint64]


class _Desk(NamedTuple):
    """One thread's place: a reader, and what each model learns with."""

    reader: Reader
    learners: list[_Learner]


def train_together(trainings: Sequence[Training], tell: Tell | None = None) -> None:
    """Train models of the same features on the same games, reading each position once.

    Each ends exactly as if it had been trained alone. One that was resumed further on than the
    others waits for them.
    """
    first = trainings[0]
    for training in trainings:
        training._started = time.perf_counter()
        if training._read_as() != first._read_as() or training.games is not first.games:
            raise ValueError("only trainings that read the same can run together")
    while going := [training for training in trainings if training._is_going()]:
        place = min(training._place() for training in going)
        _run_epoch([training for training in going if training._place() == place], tell)
    for training in trainings:
        training._finish()


def _run_epoch(group: Sequence[Training], tell: Tell | None) -> None:
    """The rest of an epoch for trainings that are at the same place of it."""
    first, written = group[0], time.perf_counter()
    chunks = -(-len(first.games) // CHUNK)
    read_chunk = _chunk_reader(group, chunks)
    desks = [
        _Desk(
            Reader(first.games, first.model.features),
            [training._learner(chunks) for training in group],
        )
        for _ in range(first.recipe.threads)
    ]
    # Threads run ahead of what is counted here, so a checkpoint waits for a whole stretch.
    for start, end in first._stretches(chunks):
        for learned in spread(desks, range(start, end), read_chunk):
            for training, one in zip(group, learned, strict=True):
                training._count_in(one)
            if tell is not None:
                done = first._epoch * chunks + first._chunk
                tell(done, first.recipe.epochs * chunks, first._note())
        if time.perf_counter() - written > CHECKPOINT_SECONDS:
            for training in group:
                training._write_checkpoint()
            written = time.perf_counter()
        if any(training._time_used() >= 1.0 for training in group):
            break
    for training in group:
        training._end_epoch()


def _chunk_reader(group: Sequence[Training], chunks: int) -> Callable[[_Desk, int], list[_Learned]]:
    """The work of a thread on a chunk: read each game, and let every model learn from it."""
    first = group[0]
    order, arrays = first._order(), game_arrays(first.games)
    seeds = random_words(first.recipe.seed * 1000 + first._epoch, (chunks,))

    def work(desk: _Desk, chunk: int) -> list[_Learned]:
        reader, learners = desk
        states = [seeds[chunk]] * len(learners)
        seen, seconds = np.zeros((len(learners), SEEN)), np.zeros(len(learners))
        for number in range(chunk * CHUNK, min((chunk + 1) * CHUNK, len(order))):
            now = time.perf_counter()
            reader.read(arrays, int(order[number]), first.recipe.share, seeds[chunk] ^ u64(number))
            seconds += time.perf_counter() - now
            for i, learn in enumerate(learners):
                now = time.perf_counter()
                states[i] = u64(learn(reader, chunk, u64(states[i]), seen[i]))
                seconds[i] += time.perf_counter() - now
        return [_Learned(s, float(t)) for s, t in zip(seen, seconds, strict=True)]

    return work
