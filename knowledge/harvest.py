"""Collects the patterns of the moves that were played, as often as it takes to be worth knowing.

The count is exact. For each family the games are replayed once and the keys of all moves, size
by size, are written side by side. Each size's keys are sorted, so that equal ones stand together
and are counted; a move goes on to the next size only if its pattern was frequent enough. Games are
shared among threads, which write to places of their own, so their number changes nothing.

The keys of a move take 8 bytes a size. Where all would be too much, the games are replayed again
for every few sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.board import BOARD, U1, u64
from engine.geometry import PASS
from engine.jit import kernel
from knowledge.dictionary import COLUMNS, NO_PARENT, Dictionary, find_ids, slot_table
from knowledge.extract.facts import new_moment
from knowledge.games import Games
from knowledge.patterns import (
    ALL_FAMILIES,
    match_patterns,
    new_pattern_scratch,
    read_position,
    write_keys,
)
from knowledge.predictions import PHASE_MOVES, PHASES
from knowledge.templates import FAMILIES, LARGEST, WHOLE_BOARD
from knowledge.walk import begin_game, game_arrays, play_on, spread

MIN_COUNT = 10
KEY_BYTES = 2 << 30  # for the keys that are kept at a time
THREADS = 2
_CHUNK = 200  # games that a thread takes at a time
_NOT_WANTED = -1

Tell = Callable[[int, int], None]  # so much is done, of so much


# --- Walking through games ----------------------------------------------------------------


@kernel
def _write_all_keys(first_game, end_game, game_arrays, memory, column, family, first_size, keys):
    """Write the keys of the moves that have a column, in some sizes from the first one on."""
    sizes, starts, colors, points, _, set_starts, set_colors, set_points = game_arrays
    boards, moments, scratch, own = memory
    b, moment, w = boards[0], moments[0], scratch[0]
    for game in range(first_game, end_game):
        begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
        for i in range(starts[game], starts[game + 1]):
            v, c = u64(points[i]), u64(colors[i])
            if column[i] != _NOT_WANTED:
                last = moment.moves[0]
                read_position(b, c, last, U1 << u64(family), w)
                write_keys(b, v, last, family, w, own)
                for row in range(len(keys)):
                    keys[row, column[i]] = own[first_size + row]
            play_on(b, moment, v, c)


@kernel
def _match_all(first_game, end_game, game_arrays, memory, row, slots, ids):
    """Write the ids of the largest known patterns of the moves that have a row."""
    sizes, starts, colors, points, _, set_starts, set_colors, set_points = game_arrays
    boards, moments, scratch, _ = memory
    b, moment, w = boards[0], moments[0], scratch[0]
    for game in range(first_game, end_game):
        begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
        for i in range(starts[game], starts[game + 1]):
            v, c = u64(points[i]), u64(colors[i])
            k = row[i]
            if k != _NOT_WANTED:
                move, out = points[i : i + 1], ids[k : k + 1]
                match_patterns(b, c, moment.moves[0], move, U1, ALL_FAMILIES, w, slots, out)
            play_on(b, moment, v, c)


def _new_memory() -> tuple[np.ndarray, ...]:
    """A thread's board, history, scratch paper, and room for one move's keys."""
    own = np.empty(WHOLE_BOARD + 1, np.uint64)
    return np.zeros(1, BOARD), new_moment(), new_pattern_scratch(), own


def _walk(
    games: Games, work: Callable[..., None], wanted: tuple[Any, ...], threads: int,
    tell: Tell | None,
) -> None:  # fmt: skip
    """Let a kernel go through all games for what is wanted, some at a time on each thread."""
    arrays = game_arrays(games)

    def walk_chunk(memory: tuple[np.ndarray, ...], first: int) -> int:
        end = min(first + _CHUNK, len(games))
        work(first, end, arrays, memory, *wanted)
        return end

    workers = [_new_memory() for _ in range(threads)]
    for end in spread(workers, range(0, len(games), _CHUNK), walk_chunk):
        if tell is not None:
            tell(end, len(games))


def _lessons(games: Games) -> np.ndarray:
    """The numbers of the moves to learn from, passes left out."""
    return np.flatnonzero(games.learn & (games.points != PASS))


def _places(games: Games, moves: np.ndarray) -> np.ndarray:
    """Where the results for each move go, the column or row of an array."""
    result = np.full(games.n_moves, _NOT_WANTED, np.int64)
    result[moves] = np.arange(len(moves))
    return result


# --- Harvesting ---------------------------------------------------------------------------


class _Options(NamedTuple):
    threads: int
    key_bytes: int


class _Level(NamedTuple):
    """The frequent patterns of one family and size, sorted by key."""

    keys: np.ndarray
    counts: np.ndarray
    parents: np.ndarray  # each one's parent by its id in the level before, 0 for none


def _frequent(keys: np.ndarray, min_count: int) -> tuple[np.ndarray, np.ndarray]:
    """The keys that occur often enough, sorted, and how often they do."""
    ordered = np.sort(keys)
    starts = np.flatnonzero(np.diff(ordered, prepend=~ordered[:1]))
    counts = np.diff(starts, append=len(ordered))
    kept = (counts >= min_count) & (ordered[starts] != 0)
    return ordered[starts[kept]], counts[kept].astype(np.uint32)


def _level(
    keys: np.ndarray, before: np.ndarray, min_count: int
) -> tuple[_Level, np.ndarray, np.ndarray]:
    """A size's patterns from the moves' keys and their ids in the size before.

    Also returns the moves' ids in this size, and which moves go on to the next.
    """
    known, counts = _frequent(keys, min_count)
    ids = find_ids(known, slot_table(known), keys)
    parents = np.zeros(len(known), np.uint32)
    parents[ids[ids > 0] - 1] = before[ids > 0]
    # No key means that a mark is farther away: it may come with a larger size.
    return _Level(known, counts, parents), ids, (ids > 0) | (keys == 0)


def _levels(
    games: Games, family: int, largest: int, min_count: int, options: _Options, tell: Tell | None
) -> Iterator[_Level]:
    """A family's frequent patterns, size by size."""
    moves = _lessons(games)
    ids = np.zeros(len(moves), np.uint32)
    size = 1
    while size <= largest:
        at_once = options.key_bytes // (8 * max(len(moves), 1))
        keys = np.empty((min(max(at_once, 1), largest + 1 - size), len(moves)), np.uint64)
        wanted = (_places(games, moves), family, size, keys)
        _walk(games, _write_all_keys, wanted, options.threads, tell if size == 1 else None)
        alive = np.arange(len(moves))
        for row in keys:
            level, ids, goes_on = _level(row[alive], ids, min_count)
            alive, ids = alive[goes_on], ids[goes_on]
            yield level
        size += len(keys)
        moves = moves[alive]


def harvest(
    games: Games,
    min_count: int | Sequence[int] = MIN_COUNT,
    largest: Sequence[int] = LARGEST,
    threads: int = THREADS,
    tell: Tell | None = None,
    key_bytes: int = KEY_BYTES,
) -> Dictionary:
    """The patterns that were played at least so often, for all families or for each its own.

    `largest` is the size up to which each family is harvested, 0 for not at all.
    """
    needed = [min_count] * len(FAMILIES) if isinstance(min_count, int) else list(min_count)
    if len(needed) != len(FAMILIES) or len(largest) != len(FAMILIES) or min(needed) < 1:
        raise ValueError("harvesting needs a count above 0 and a largest size for each family")
    columns = {name: [np.empty(0, dtype)] for name, dtype in COLUMNS.items()}
    start = 0
    for family in range(len(FAMILIES)):
        before = start
        told = None if tell is None else _part_of(tell, family)
        limit = min(largest[family], LARGEST[family])
        options = _Options(threads, key_bytes)
        for size, level in enumerate(
            _levels(games, family, limit, needed[family], options, told), 1
        ):
            n = len(level.keys)
            parents = level.parents.astype(np.int64)
            columns["keys"].append(level.keys)
            columns["counts"].append(level.counts)
            columns["family"].append(np.full(n, family, np.uint8))
            columns["size"].append(np.full(n, size, np.uint8))
            columns["parent"].append(np.where(parents > 0, before + parents - 1, NO_PARENT))
            before, start = start, start + n
    return Dictionary(
        **{name: np.concatenate(columns[name]).astype(COLUMNS[name]) for name in COLUMNS}
    )


def _part_of(tell: Tell, family: int) -> Tell:
    """Tell of a family's walk through the games as a part of the whole."""
    return lambda done, total: tell((family * total + done) // len(FAMILIES), total)


# --- What was played ----------------------------------------------------------------------


def played_patterns(
    games: Games, dictionary: Dictionary, threads: int = THREADS, tell: Tell | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The moves to learn from, by number, and the ids of their largest known patterns."""
    moves = _lessons(games)
    rows = _places(games, moves)
    ids = np.zeros((len(moves), len(FAMILIES)), np.uint32)
    _walk(games, _match_all, (rows, dictionary.slots, ids), threads, tell)
    return moves, ids


def sizes_by_phase(games: Games, moves: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """How many moves matched in each size (a column) in each phase of 30 moves (a row)."""
    number = moves - games.starts[games.owner[moves]]
    phase = np.minimum(number // PHASE_MOVES, PHASES - 1)
    result = np.zeros((PHASES, WHOLE_BOARD + 1), np.int64)
    np.add.at(result, (phase, sizes), 1)
    return result
