"""MM: a strength for every feature, by minorization-maximization (Coulom 2007).

Each move of a game is a competition that the played move won against all other legal moves and
the pass. A move is a team of features, at most one of each group; its strength is the product of
their gammas, and its chance to win is its share of all strengths (the generalized Bradley-Terry
model). Each gamma has also won once and lost once against a gamma of 1: the prior.

All gammas of a group are updated at once, since they exclude each other:

    gamma <- (wins + 1) / (sum over positions of C / E + 2 / (gamma + 1))

where E is the strength of all moves of a position and C that of the team mates of gamma, added
over the moves that have it. No update ever lowers the posterior.

The moves are extracted once and kept in blocks of some thousand positions, with each move's
present strength: so C / E is the sum of strengths over gamma and E, and an update multiplies the
strengths of a group's moves. A group that few moves have is kept as a list of those. Blocks are
shared among threads, and their sums are added in the order of blocks: the number of threads
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from engine.board import BOARD, U0, U1, u64
from engine.console import say
from engine.jit import kernel
from engine.rng import mix
from knowledge.extract.owners import sample_owners
from knowledge.features import FeatureSet, extract_position, new_facts, new_moment
from knowledge.games import Games
from knowledge.groups import OWNER_PLAYOUTS
from knowledge.walk import begin_game, game_arrays, play_on, row_of, spread

ROUNDS = 40
THREADS = 2
MEMORY = 6 << 30  # bytes for all moves of all positions
_BLOCK = 2000  # positions in a block, about
_PILOT = 20  # games that tell how much memory all will take
_SPARE = 0.95  # of the memory is planned for, as the pilot games may mislead a little

Tell = Callable[[int, int], None]  # so much is done, of so much
Progress = Callable[[int, int, str], None]  # the same with a figure
_Result = TypeVar("_Result")


# --- The competitions -----------------------------------------------------------------------


class Column(NamedTuple):
    """A group's values in a block, counted from 1 in each group; 0 is none.

    A dense column has a value for every move, a sparse one only for those that have any.
    """

    values: np.ndarray  # uint8, uint16 or uint32, as the group needs
    offsets: np.ndarray  # uint16, if sparse: which of its position's moves has the value
    firsts: np.ndarray  # uint64, if sparse: where each position's values begin, and the end


class Block(NamedTuple):
    """Some positions with all their moves in a row."""

    starts: np.ndarray  # uint64: a position's first move; one more entry than positions
    winners: np.ndarray  # uint64: the move that was played
    strength: np.ndarray  # float64: of each move, as the gammas are now
    total: np.ndarray  # float64: of each position
    columns: tuple[Column, ...]

    @property
    def nbytes(self) -> int:
        own = (self.starts, self.winners, self.strength, self.total)
        return sum(a.nbytes for part in (own, *self.columns) for a in part)


class Competitions(NamedTuple):
    """All positions to learn from, and how often each feature was in the move played."""

    blocks: list[Block]
    wins: np.ndarray  # int64, by id
    first_ids: np.ndarray  # of each group, and where the last one ends

    @classmethod
    def joined(
        cls, found: Sequence[tuple[Block, np.ndarray]], feature_set: FeatureSet
    ) -> Competitions:
        """All blocks, each with the ids of the moves played in it."""
        wins = np.zeros(feature_set.n_ids, np.int64)
        for _, won in found:
            wins += np.bincount(won.ravel(), minlength=len(wins))
        wins[0] = 0
        blocks = [block for block, _ in found if len(block.winners)]
        return cls(blocks, wins, feature_set.first_ids)

    @property
    def positions(self) -> int:
        return sum(len(block.winners) for block in self.blocks)

    @property
    def nbytes(self) -> int:
        return sum(block.nbytes for block in self.blocks)


def _value_type(count: int) -> type[np.unsignedinteger]:
    """The smallest type for the values 0 to count."""
    return np.uint8 if count < 1 << 8 else np.uint16 if count < 1 << 16 else np.uint32


def _column(ids: np.ndarray, starts: np.ndarray, first: int, count: int) -> Column:
    """A group's column from the ids of all moves, in whichever form is smaller."""
    dtype = np.dtype(_value_type(count))
    rows = np.flatnonzero(ids)
    if len(rows) * (dtype.itemsize + 2) >= len(ids) * dtype.itemsize:
        values = np.where(ids, ids - (first - 1), 0).astype(dtype)
        return Column(values, np.empty(0, np.uint16), np.empty(0, np.uint64))
    ends = starts.astype(np.int64)
    position = np.searchsorted(ends, rows, "right") - 1
    firsts = np.searchsorted(rows, ends).astype(np.uint64)
    values = (ids[rows] - (first - 1)).astype(dtype)
    return Column(values, (rows - ends[position]).astype(np.uint16), firsts)


def packed_block(
    ids: np.ndarray, starts: np.ndarray, winners: np.ndarray, first_ids: np.ndarray
) -> Block:
    """A block from the rows of ids of all its moves."""
    bounds = zip(first_ids[:-1].tolist(), np.diff(first_ids).tolist(), strict=True)
    by_group = np.ascontiguousarray(ids.T)
    return Block(
        starts.astype(np.uint64),
        winners.astype(np.uint64),
        np.ones(len(ids)),
        np.diff(starts).astype(np.float64),
        tuple(
            _column(column, starts, *bound) for column, bound in zip(by_group, bounds, strict=True)
        ),
    )


# --- From games to competitions -------------------------------------------------------------


@kernel
def _extract_games(
    boards, moments, facts, feature_set, slots, rng, seed, before, playouts, komi, first_game,
    end_game, sizes, starts, colors, points, learn, set_starts, set_colors, set_points, ids,
    firsts, winners,
):  # fmt: skip
    """Write the moves of all positions to learn from; returns how many positions.

    A move that the features don't know as legal, a suicide, is no competition.
    """
    b, moment, s, f = boards[0], moments[0], feature_set[0], facts[0]
    positions, rows = U0, U0
    for game in range(first_game, end_game):
        begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
        for i in range(starts[game], starts[game + 1]):
            v, c = u64(points[i]), u64(colors[i])
            if learn[i]:
                if playouts != 0:
                    # By the move's number, so that it doesn't matter who else is sampled.
                    rng[0] = mix(mix(u64(seed)) + u64(before) + u64(i))
                    start, work = boards[0:1], boards[1:2]
                    sample_owners(start, c, komi[game], playouts, rng, work, f.owners)
                n = extract_position(b, c, moment, s, f, slots, ids[rows:])
                won = row_of(f.points, n, v)
                if won <= n:
                    winners[positions] = rows + won
                    positions += U1
                    rows += n + U1
                    firsts[positions] = rows
            play_on(b, moment, v, c)
    return positions


class _Worker:
    """One thread's memory for extracting."""

    def __init__(self, feature_set: FeatureSet) -> None:
        self.boards = np.zeros(2, BOARD)
        self.moment, self.facts = new_moment(), new_facts()
        self.rng = np.zeros(1, np.uint64)
        self.set = feature_set

    def block(
        self, games: Games, lessons: np.ndarray, first: int, end: int, seed: int, before: int = 0
    ) -> tuple[Block, np.ndarray]:
        """The block of some games, and the ids of the moves played in it.

        `lessons` counts the positions to learn from before each game; there were `before` moves
        in front of all of them.
        """
        most_moves = games.sizes[first:end].astype(np.int64) ** 2 + 1
        room = int(np.diff(lessons[first : end + 1]) @ most_moves)
        wanted = int(lessons[end] - lessons[first])
        ids = np.empty((room, len(self.set)), np.uint32)
        starts, winners = np.zeros(wanted + 1, np.uint64), np.empty(wanted, np.uint64)
        n = _extract_games(
            self.boards, self.moment, self.facts, self.set.record, self.set.slots, self.rng,
            seed, before, OWNER_PLAYOUTS if self.set.needs_playouts else 0,
            games.komi.astype(np.float64), first, end, *game_arrays(games), ids, starts, winners,
        )  # fmt: skip
        starts, winners = starts[: n + 1], winners[:n]
        ids = ids[: int(starts[-1])]
        return packed_block(ids, starts, winners, self.set.first_ids), ids[winners]


def _lessons_before(games: Games) -> np.ndarray:
    """How many positions to learn from there are before each game, and in all."""
    return np.concatenate([[0], np.cumsum(games.learn)])[games.starts]


def block_bounds(games: Games) -> list[tuple[int, int]]:
    """The first game of each block, and where it ends."""
    firsts = np.flatnonzero(np.diff(_lessons_before(games)[:-1] // _BLOCK, prepend=-1))
    return list(pairwise([*firsts.tolist(), len(games)])) if len(games) else []


def one_block(
    games: Games, feature_set: FeatureSet, seed: int, before: int
) -> tuple[Block, np.ndarray]:
    """All these games as one block, and the ids of the moves played in it."""
    lessons = _lessons_before(games)
    return _Worker(feature_set).block(games, lessons, 0, len(games), seed, before)


def extract(
    games: Games,
    feature_set: FeatureSet,
    threads: int = THREADS,
    tell: Tell | None = None,
    seed: int = 0,
) -> Competitions:
    """The competitions in the moves to learn from; `tell` hears of games."""
    lessons, bounds = _lessons_before(games), block_bounds(games)

    def work(worker: _Worker, i: int) -> tuple[Block, np.ndarray]:
        return worker.block(games, lessons, *bounds[i], seed)

    found = []
    workers = [_Worker(feature_set) for _ in range(threads)]
    for i, block in enumerate(spread(workers, range(len(bounds)), work)):
        found.append(block)
        if tell is not None:
            tell(bounds[i][1], len(games))
    return Competitions.joined(found, feature_set)


# Whoever makes training data of games: here, or on other machines.
Extractor = Callable[[Games, FeatureSet, int, Tell | None, int], Competitions]


def share_that_fits(games: Games, feature_set: FeatureSet, memory: int, threads: int) -> float:
    """The share of the positions that fits into memory, by the sizes of a few games."""
    lessons = int(games.learn.sum())
    widths = [np.dtype(_value_type(count)).itemsize for count in feature_set.counts]
    most_moves = int(games.sizes.max(initial=0)) ** 2 + 1
    if lessons * (most_moves * (8 + sum(widths)) + 24) <= memory:
        return 1.0
    pilot = extract(games.sample(_PILOT, seed=0), feature_set, threads)
    each = pilot.nbytes / max(pilot.positions, 1)
    return min(1.0, _SPARE * memory / max(each * lessons, 1.0))


def _thinned(games: Games, share: float, seed: int) -> Games:
    """The same games with a share of their moves to learn from."""
    chosen = np.random.Generator(np.random.PCG64(seed)).random(games.n_moves) < share
    return games.learning(games.learn & chosen)


# --- One update -----------------------------------------------------------------------------


@kernel
def _add_shares(values, offsets, firsts, starts, strength, total, sums):
    """Add each move's share of its position's strength to the sum of its value."""
    for j in range(u64(len(total))):
        scale = 1.0 / total[j]
        if len(firsts) == 0:
            for i in range(starts[j], starts[j + U1]):
                sums[values[i]] += strength[i] * scale
        else:
            for e in range(firsts[j], firsts[j + U1]):
                sums[values[e]] += strength[starts[j] + u64(offsets[e])] * scale


@kernel
def _multiply(values, offsets, firsts, starts, factors, strength, total):
    """Multiply each move's strength by the factor of its value."""
    for j in range(u64(len(total))):
        if len(firsts) == 0:
            whole = 0.0
            for i in range(starts[j], starts[j + U1]):
                strength[i] *= factors[values[i]]
                whole += strength[i]
            total[j] = whole
        else:
            for e in range(firsts[j], firsts[j + U1]):
                i = starts[j] + u64(offsets[e])
                change = strength[i] * (factors[values[e]] - 1.0)
                strength[i] += change
                total[j] += change


@kernel
def _log_evidence(starts, winners, strength, total):
    """Add up the strengths of each position anew; returns the winners' log-probabilities' sum."""
    result = 0.0
    for j in range(u64(len(total))):
        whole = 0.0
        for i in range(starts[j], starts[j + U1]):
            whole += strength[i]
        total[j] = whole
        result += np.log(strength[winners[j]] / whole)
    return result


class Learner:
    """Competitions with the gammas so far, all 1 or as given."""

    def __init__(
        self, data: Competitions, threads: int = THREADS, log_gammas: np.ndarray | None = None
    ) -> None:
        self.data = data
        self._threads = threads
        self.log_evidence = 0.0  # the sum over all positions, by the last `set_gammas`
        self.set_gammas(np.zeros(len(data.wins)) if log_gammas is None else log_gammas)

    def set_gammas(self, log_gammas: np.ndarray) -> None:
        """Give all features these strengths, and work out those of all moves."""
        self._log_gammas = np.array(log_gammas, np.float64)
        self.gammas = np.exp(self._log_gammas)
        self.log_evidence = sum(self._over_blocks(self._refreshed))

    def update(self, column: int) -> None:
        """The MM step for all gammas of a group."""
        first, end = self.data.first_ids[column : column + 2].tolist()
        if first == end:
            return
        gamma, wins = self.gammas[first:end], self.data.wins[first:end]
        count = end - first + 1
        sums = np.zeros(count)
        for part in self._over_blocks(lambda block: _shares(block, column, count)):
            sums += part
        new = (wins + 1.0) / (sums[1:] / gamma + 2.0 / (gamma + 1.0))
        factors = np.concatenate([[1.0], new / gamma])
        for _ in self._over_blocks(lambda block: _scale(block, column, factors)):
            pass
        self.gammas[first:end] = new
        self._log_gammas[first:end] = np.log(new)

    def round(self) -> None:
        """Update every group once."""
        for column in range(len(self.data.first_ids) - 1):
            self.update(column)
        # Anew from the logarithms: products of many factors drift, and going on from saved
        # logarithms must lead to the same.
        self.set_gammas(self._log_gammas)

    def log_gammas(self) -> np.ndarray:
        # They are kept: a logarithm of a power of e may be another number in the last digit.
        return self._log_gammas.copy()

    def log_posterior(self) -> float:
        """What no update lowers: log-evidence and prior as they are now."""
        evidence = sum(
            _log_evidence(block.starts, block.winners, block.strength, block.total)
            for block in self.data.blocks
        )
        return float(evidence + (self.log_gammas() - 2.0 * np.log1p(self.gammas))[1:].sum())

    def _refreshed(self, block: Block) -> float:
        block.strength.fill(1.0)
        ends = pairwise(self.data.first_ids.tolist())
        for column, (first, end) in enumerate(ends):
            _scale(block, column, np.concatenate([[1.0], self.gammas[first:end]]))
        return _log_evidence(block.starts, block.winners, block.strength, block.total)

    def _over_blocks(self, work: Callable[[Block], _Result]) -> Iterator[_Result]:
        blocks = self.data.blocks
        threads = range(max(1, min(self._threads, len(blocks))))
        return spread(threads, range(len(blocks)), lambda _, i: work(blocks[i]))


def _shares(block: Block, column: int, count: int) -> np.ndarray:
    sums = np.zeros(count)
    _add_shares(*block.columns[column], block.starts, block.strength, block.total, sums)
    return sums


def _scale(block: Block, column: int, factors: np.ndarray) -> None:
    _multiply(*block.columns[column], block.starts, factors, block.strength, block.total)


# --- Learning -------------------------------------------------------------------------------


class MMResult(NamedTuple):
    """What was learned; logarithms of gammas are the w of a model without pairs."""

    log_gammas: np.ndarray  # float64, by id; 0 for id 0
    history: list[float]  # the mean log-evidence after each round
    positions: int
    valid_history: list[float]  # the same on validation games, if there are any


def learn(
    data: Competitions,
    rounds: int = ROUNDS,
    threads: int = THREADS,
    progress: Progress | None = None,
    valid: Competitions | None = None,
    start: MMResult | None = None,
    keep: Callable[[MMResult], None] | None = None,
) -> MMResult:
    """Update all groups so many times in all.

    `keep` is given the result after each round. Going on from such a result, `start`, leads to
    the same as never having stopped.
    """
    if not data.positions:
        raise ValueError("there are no moves to learn from")
    learner = Learner(data, threads, None if start is None else start.log_gammas)
    judge = None if valid is None or not valid.positions else Learner(valid, threads)
    result = start or MMResult(learner.log_gammas(), [], data.positions, [])
    for done in range(len(result.history) + 1, rounds + 1):
        learner.round()
        figure = learner.log_evidence / data.positions
        note = f"log-evidence {figure:.4f}"
        judged = list(result.valid_history)
        if judge is not None:
            judge.set_gammas(learner.log_gammas())
            judged.append(judge.log_evidence / judge.data.positions)
            note += f", validation {judged[-1]:.4f}"
        history = [*result.history, figure]
        result = MMResult(learner.log_gammas(), history, data.positions, judged)
        if keep is not None:
            keep(result)
        if progress is not None:
            progress(done, rounds, note)
    return result


def fit(
    games: Games,
    feature_set: FeatureSet,
    rounds: int = ROUNDS,
    threads: int = THREADS,
    progress: Progress | None = None,
    valid: Games | None = None,
    tell: Tell | None = None,
    memory: int = MEMORY,
    seed: int = 0,
    start: MMResult | None = None,
    keep: Callable[[MMResult], None] | None = None,
    extractor: Extractor = extract,
) -> MMResult:
    """Learn from games; `tell` hears of games extracted, `progress` of rounds with a figure.

    Where all positions would take too much memory, a share of them is drawn. The seed is for
    that and for the playouts of sets that need them.
    """
    parts = [games] if valid is None else [games, valid]
    share = share_that_fits(Games.joined(parts), feature_set, memory, threads)
    if share < 1.0:
        say(f"MM learns from {share:.1%} of the positions: more would need too much memory")
        parts = [_thinned(part, share, seed + i) for i, part in enumerate(parts)]
    data, *judge = (
        extractor(part, feature_set, threads, tell, seed + i) for i, part in enumerate(parts)
    )
    judged = judge[0] if judge else None
    return learn(data, rounds, threads, progress, judged, start, keep)
