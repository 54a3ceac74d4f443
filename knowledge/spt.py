"""Spatial probability trees (Tidwell, Hellman and McGovern 2011): where in the surroundings of a
point will the next move be?

A tree asks questions about a point (`spt_questions.py`) and ends in a leaf, a density over the
window around the point. It is grown from observations (`spt_observations.py`, `spt_tree.py`), and
a position's density is the sum over all points (`spt_density.py`). A forest is the mean of trees
that were grown from different games.

What the paper leaves open, and what we do:

- At each node questions are drawn by chance; a threshold is an answer of one of the node's own
  observations, so that few questions part nothing.
- A density is the labels' frequency with the points that were left out counted again. On validation
  games of professionals the log-evidence is better so, while the plain frequencies of the sample
  have a few more moves among the first twenty.
- One more observation is added to each leaf, spread as in the whole tree: so no legal move has
  density 0.
- A pass is no point. Its chance is its frequency, after a move and after a pass.

Two things go beyond the paper, and `PAPER` switches both off. Each point sees the board turned
towards the last move, and may be asked about directions: that is how the eight symmetries are
learned at once. And several points elsewhere are drawn for each near the move. Both predict the
validation games better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from engine.board import u64
from engine.game import Game
from engine.geometry import PASS
from engine.jit import kernel
from engine.position import Position
from knowledge.calibration import Calibration
from knowledge.factors import Ranked
from knowledge.features import History
from knowledge.games import Games
from knowledge.predictions import Predictions, Tell
from knowledge.progress import Progress
from knowledge.spt_density import (
    DENSITY_WORK,
    MAX_LEAF_SIZE,
    MAX_TREES,
    forest_record,
    packed_nodes,
    score_position,
)
from knowledge.spt_observations import observe
from knowledge.spt_predict import calibrate, predict
from knowledge.spt_questions import COLUMNS, NAMES, PLAIN_COLUMNS, moment_of
from knowledge.spt_tree import LEAF, Tree, grow
from knowledge.walk import spread
from weights.files import BadWeights, load_weights, save_weights

__all__ = ["PAPER", "SptModel", "SptSettings", "calibrate", "fit", "predict"]

KIND = "spt"
THREADS = 2


@dataclass(frozen=True)
class SptSettings:
    """How to learn. The letters are the paper's."""

    depth: int = 24  # d: of a tree, at most
    min_node: int = 10  # m: observations at a node, at least
    samples: int = 300  # r: questions that are tried at a node; 0 for all
    leaf_size: int = 3  # l: the side of a leaf's window
    trees: int = 8
    seed: int = 1
    positions: int = 50_000  # that a tree learns from, at most
    negatives: int = 4  # observations elsewhere for each one near the move
    turned: bool = True  # whether a point sees the board turned, and directions may be asked

    def __post_init__(self) -> None:
        if not (1 <= self.leaf_size <= MAX_LEAF_SIZE and self.leaf_size % 2 == 1):
            raise ValueError(f"a leaf's side is an odd number up to {MAX_LEAF_SIZE}")
        if not 1 <= self.trees <= MAX_TREES:
            raise ValueError(f"a forest has 1 to {MAX_TREES} trees")
        if self.depth < 0 or self.samples < 0 or self.seed < 0:
            raise ValueError("depth, samples and seed can't be negative")
        if min(self.min_node, self.positions, self.negatives) < 1:
            raise ValueError("min_node, positions and negatives are at least 1")


DEFAULT = SptSettings()
PAPER = SptSettings(
    depth=10, min_node=30, trees=20, positions=300, negatives=1, turned=False
)  # fmt: skip


# --- Learning -----------------------------------------------------------------------------


def _chosen(games: Games, settings: SptSettings, number: int) -> tuple[Games, np.ndarray]:
    """The games of one tree, dealt out by chance, and a mask of the moves that it learns from."""
    order = np.random.Generator(np.random.PCG64(settings.seed)).permutation(len(games))
    part = games.select(np.sort(order[number :: settings.trees]))
    lessons = np.flatnonzero(part.learn & (part.points != PASS))
    own = np.random.Generator(np.random.PCG64([settings.seed, number]))
    mask = np.zeros(part.n_moves, np.bool_)
    mask[own.permutation(lessons)[: settings.positions]] = True
    return part, mask


def _grown(games: Games, settings: SptSettings, number: int) -> tuple[Tree, float]:
    """One tree, and how many points each observation elsewhere stands for."""
    part, chosen = _chosen(games, settings, number)
    if not chosen.any():
        raise ValueError(f"too few games with moves to learn from for {settings.trees} trees")
    seed = settings.seed * MAX_TREES + number
    seen = observe(part, chosen, settings.leaf_size, settings.turned, settings.negatives, seed)
    tree = grow(
        seen.answers, seen.labels, settings.leaf_size**2 + 1,
        COLUMNS if settings.turned else PLAIN_COLUMNS,
        settings.depth, settings.min_node, settings.samples, seed,
    )  # fmt: skip
    return tree, seen.weight


def _pass_chance(games: Games) -> np.ndarray:
    """How often a move is a pass, after a move and after a pass; once more and once less each."""
    after_pass = np.zeros(games.n_moves, np.int64)
    after_pass[1:] = games.points[:-1] == PASS
    first = games.starts[:-1][np.diff(games.starts) > 0]
    after_pass[first] = 0
    lessons = games.learn
    seen = np.bincount(after_pass[lessons], minlength=2)
    passed = np.bincount(after_pass[lessons & (games.points == PASS)], minlength=2)
    return (passed + 1) / (seen + 2)


def fit(
    games: Games,
    settings: SptSettings = DEFAULT,
    progress: Progress | None = None,
    threads: int = THREADS,
) -> SptModel:
    """Learn a forest. The same games, settings and seed give the same one, on any threads."""
    grown = []
    for result in spread(
        range(threads), range(settings.trees), lambda _, number: _grown(games, settings, number)
    ):
        grown.append(result)
        if progress is not None:
            progress.update(len(grown), settings.trees)
    trees, weights = zip(*grown, strict=True)
    size = int(np.bincount(games.sizes).argmax())
    return SptModel(settings, trees, np.array(weights), _pass_chance(games), size=size)


# --- The model ----------------------------------------------------------------------------


@kernel
def _score(a, color, moments, forest, nodes, leaves, work):
    return score_position(a[0], u64(color), moments[0], forest[0], nodes, leaves, work[0])


def leaf_densities(counts: np.ndarray, weight: float) -> np.ndarray:
    """The densities of a tree's leaves, in float32, from how many of each label came to them."""
    near = counts[:, :-1].astype(np.float64)
    seen = near.sum(axis=1) + weight * counts[:, -1]
    average = (near.sum(axis=0) + 1.0) / (seen.sum() + near.shape[1] + 1.0)
    return ((near + average) / (seen + 1.0)[:, np.newaxis]).astype(np.float32)


@dataclass(eq=False)
class SptModel:
    """A forest. Kernels take `forest`, `nodes` and `leaves`: see `score_position`."""

    settings: SptSettings
    trees: tuple[Tree, ...]
    weights: np.ndarray  # float64: how many points each tree's observations elsewhere stand for
    pass_chance: np.ndarray  # float64[2]
    calibration: Calibration = field(default_factory=Calibration)
    size: int = 19  # the board size it was trained on
    kind: str = field(init=False, default=KIND)
    forest: np.ndarray = field(init=False, repr=False)
    nodes: np.ndarray = field(init=False, repr=False)
    leaves: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        settings = self.settings
        self.forest = forest_record(
            self.trees, settings.leaf_size, settings.turned, self.pass_chance
        )
        self.nodes = packed_nodes(self.trees)
        self.leaves = np.concatenate(
            [
                leaf_densities(tree.counts, weight)
                for tree, weight in zip(self.trees, self.weights, strict=True)
            ]
        )

    def scores(self, game: Game, color: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The legal points, the pass last, and the logarithms of their densities."""
        mover = game.to_move if color is None else color
        return self.scores_at(game.position, mover, History.of(game))

    def scores_at(
        self, position: Position, color: int, history: History
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same for a position that no game goes with."""
        moments, work = moment_of(history), np.zeros(1, DENSITY_WORK)
        n = 1 + int(
            _score(position.record, color, moments, self.forest, self.nodes, self.leaves, work)
        )
        return work[0]["points"][:n].copy(), work[0]["scores"][:n].copy()

    @property
    def temperature(self) -> float:
        """The temperature that makes its probabilities honest."""
        return self.calibration.temperature

    def rank(self, game: Game, color: int | None = None) -> Ranked:
        """The same with honest probabilities."""
        points, scores = self.scores(game, color)
        return Ranked(points, scores, self.calibration.probabilities(scores))

    def predict(self, games: Games, threads: int = 1, tell: Tell | None = None) -> Predictions:
        """The rank and probability of every move of games that is to be learned from."""
        return predict(self, games, threads, tell)

    # --- Files ----------------------------------------------------------------------------

    def save(self, path: Path | str) -> None:
        arrays = {
            "questions": np.array(NAMES),
            "nodes": np.array([len(tree.column) for tree in self.trees]),
            "column": np.concatenate([tree.column for tree in self.trees]),
            "threshold": np.concatenate([tree.threshold for tree in self.trees]),
            "child": np.concatenate([tree.child for tree in self.trees]),
            "counts": np.concatenate([tree.counts for tree in self.trees]).astype(np.uint32),
            "weights": self.weights,
            "pass_chance": self.pass_chance,
            "size": np.array(self.size),
            **{f"setting_{name}": np.array(value) for name, value in asdict(self.settings).items()},
            **self.calibration.arrays(),
        }
        save_weights(path, KIND, arrays)

    @classmethod
    def load(cls, path: Path | str) -> SptModel:
        """The model of a weight file; BadWeights says what is wrong with it."""
        arrays = load_weights(path, KIND)
        try:
            return cls._from_arrays(arrays)
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise BadWeights(f"{path}: not a forest of moves ({error})") from None

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> SptModel:
        if tuple(arrays["questions"].tolist()) != NAMES:
            raise ValueError("other questions than this version of Miai knows")
        settings = SptSettings(
            **{name: arrays[f"setting_{name}"].item() for name in asdict(SptSettings())}
        )
        if len(arrays["nodes"]) != settings.trees or arrays["nodes"].sum() != len(arrays["column"]):
            raise ValueError("a wrong number of nodes")
        ends = np.cumsum(arrays["nodes"])
        n_labels = settings.leaf_size**2 + 1
        trees = []
        leaves = 0
        for start, end in zip(ends - arrays["nodes"], ends, strict=True):
            column = arrays["column"][start:end]
            n = int((column == LEAF).sum())
            counts = arrays["counts"][leaves : leaves + n].astype(np.int64)
            leaves += n
            tree = Tree(column, arrays["threshold"][start:end], arrays["child"][start:end], counts)
            _check_tree(tree, n_labels)
            trees.append(tree)
        if leaves != len(arrays["counts"]):
            raise ValueError("a wrong number of leaves")
        weights, passing = arrays["weights"], arrays["pass_chance"]
        if weights.shape != (settings.trees,) or not (weights > 0).all():
            raise ValueError("a wrong weight of the points left out")
        if passing.shape != (2,) or not ((passing > 0) & (passing < 1)).all():
            raise ValueError("a chance of passing that is none")
        return cls(
            settings, tuple(trees), weights, passing,
            Calibration.from_arrays(arrays), int(arrays["size"]),
        )  # fmt: skip


def _check_tree(tree: Tree, n_labels: int) -> None:
    """Whether every way down ends in a leaf of the tree; else ValueError."""
    is_leaf = tree.column == LEAF
    inside = ~is_leaf
    n = len(tree.column)
    child = tree.child.astype(np.int64)
    if tree.column.dtype != np.uint8 or tree.threshold.dtype != np.uint8 or n == 0:
        raise ValueError("nodes of a wrong kind")
    if tree.counts.shape != (int(is_leaf.sum()), n_labels):
        raise ValueError("leaves of a wrong shape")
    if (tree.column[inside] >= COLUMNS).any() or (child[is_leaf] >= len(tree.counts)).any():
        raise ValueError("a node that leads nowhere")
    if (child[inside] <= np.flatnonzero(inside)).any() or (child[inside] + 1 >= n).any():
        raise ValueError("a node that leads nowhere")
