"""Ten thousand random games on the board and on its twin, compared in everything after each move.

The games are made to be nasty: colours that move twice, passes, own eyes filled, captures and
kos sought, suicides where allowed. A difference is reported with the size, the seed and the
moves that lead to it, and `play_and_compare` with these brings it back.
"""

from __future__ import annotations

import random

import numba
import numpy as np
import pytest

from engine import board as engine
from engine.board import BOARD, u64
from engine.geometry import STRIDE
from tests.naive import board as naive
from tests.naive.board_compare import FACTS, add, first_difference, hash_words, point, put_down

# What a comparison can find beyond FACTS: facts about the move, the game so far, a second board.
MOVE_FACTS = ("removed stones", "prisoners", "hash after the move")
HISTORY_FACTS = ("hash equal iff position equal", "situation hash equal iff situation equal")
ALL_FACTS = FACTS + MOVE_FACTS + HISTORY_FACTS + ("set up by hand",)
REMOVED, PRISONERS, HASH_AFTER, REPEATED, SITUATION, SET_UP = range(len(FACTS), len(ALL_FACTS))

# What the games must contain for the comparison to mean something, counted as it happens.
SIGHTS = (
    "captures",
    "captures of 10 stones or more",
    "captures of several chains",
    "kos",
    "kos given up by a pass",
    "suicides of one stone",
    "suicides of several stones",
    "joins of two chains",
    "joins of three chains or more",
    "boards with one empty point",
    "positions that came back",
    "same stones with and without ko",
)
(
    CAPTURES,
    BIG_CAPTURES,
    MULTIPLE_CAPTURES,
    KOS,
    KOS_PASSED,
    SINGLE_SUICIDES,
    LARGE_SUICIDES,
    JOINS_2,
    JOINS_3,
    FULL_BOARDS,
    REPETITIONS,
    KO_TWINS,
) = range(len(SIGHTS))

# Styles of play: how much likelier a move is chosen than a quiet one.
EYE_FILL = (1.0, 0.001, 0.02, 0.001)
CAPTURE = (1.0, 1.0, 20.0, 3.0)
SUICIDE = (1.0, 0.1, 1.0, 10.0)
PASS_CHANCE = (0.02, 0.01, 0.05, 0.0)
SAME_COLOR_CHANCE = 0.05


@numba.njit
def choose(grid, color, style, suicide, outcome):
    """A random playable point by the style's weights, or (-1, -1) to pass."""
    chosen = (-1, -1)
    if np.random.random() < PASS_CHANCE[style]:
        return chosen
    total = 0.0
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            captured, lost = outcome[color, row, column, 0], outcome[color, row, column, 1]
            if captured < 0 or (lost > 0 and not suicide):
                continue
            weight = 1.0
            if captured > 0:
                weight *= CAPTURE[style]
            if lost > 0:
                weight *= SUICIDE[style]
            if naive.is_eye(grid, row, column, color):
                weight *= EYE_FILL[style]
            total += weight
            if np.random.random() * total < weight:
                chosen = (row, column)
    return chosen


@numba.njit
def chains_around(grid, row, column, color):
    """How many different chains of a colour touch a point."""
    done = np.zeros(grid.shape, np.bool_)
    count = 0
    for up, right in naive.NEIGHBOURS:
        r, c = row + up, column + right
        if naive.on_board(grid, r, c) and grid[r, c] == color and not done[r, c]:
            add(done, naive.chain_and_liberties(grid, r, c)[0])
            count += 1
    return count


@numba.njit
def empty_points(grid):
    """How many points are empty."""
    n = 0
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            n += grid[row, column] == naive.EMPTY
    return n


@numba.njit
def note_sights(seen, before, after, row, column, color, captured, lost, ko):
    """Count what a move brought about."""
    dead_chains = 0
    done = np.zeros(before.shape, np.bool_)
    for r in range(before.shape[0]):
        for c in range(before.shape[1]):
            if before[r, c] == 3 - color and after[r, c] == 0 and not done[r, c]:
                add(done, naive.chain_and_liberties(before, r, c)[0])
                dead_chains += 1
    joined = chains_around(before, row, column, color)
    seen[CAPTURES] += captured > 0
    seen[BIG_CAPTURES] += captured >= 10
    seen[MULTIPLE_CAPTURES] += dead_chains > 1
    seen[KOS] += ko[2] != 0
    seen[SINGLE_SUICIDES] += lost == 1
    seen[LARGE_SUICIDES] += lost > 1
    seen[JOINS_2] += joined == 2
    seen[JOINS_3] += joined > 2
    seen[FULL_BOARDS] += empty_points(after) == 1


@numba.njit
def removal_differs(b, before, after, row, column, captured, lost, prisoners):
    """Whether the list of removed stones or the prisoners are not as on the twin."""
    if b.prisoners[1] != prisoners[1] or b.prisoners[2] != prisoners[2]:
        return PRISONERS
    if b.n_removed != captured + lost:
        return REMOVED
    listed = np.zeros(before.shape, np.bool_)
    for i in range(b.n_removed):
        r, c = b.removed[i] // STRIDE - 1, b.removed[i] % STRIDE - 1
        stood = before[r, c] != 0 or (r == row and c == column)
        if listed[r, c] or not stood or after[r, c] != 0:
            return REMOVED
        listed[r, c] = True
    return 0


@numba.njit
def ko_for(ko, color):
    """The row and column barred to a colour, or (-1, -1)."""
    return (ko[0], ko[1]) if ko[2] == color else (-1, -1)


@numba.njit
def all_hashes(b):
    """The hash of the position, and of the situations with Black and with White to move."""
    return b.hash, engine.situation_hash(b, u64(1)), engine.situation_hash(b, u64(2))


@numba.njit
def history_differs(grids, kos, hashes, seen):
    """Whether the newest position and an earlier one are equal and their hashes are not, or the
    other way round; likewise the situations: stones, side to move and the ko that binds it."""
    newest = len(grids) - 1
    here = hashes[newest]
    if here[1] == here[2]:
        return SITUATION
    repeated = False
    for i in range(newest):
        equal = naive.same(grids[i], grids[newest])
        if (hashes[i][0] == here[0]) != equal:
            return REPEATED
        repeated |= equal
        for color in (1, 2):
            same_ko = ko_for(kos[i], color) == ko_for(kos[newest], color)
            if (hashes[i][color] == here[color]) != (equal and same_ko):
                return SITUATION
            if hashes[i][color] == here[3 - color]:
                return SITUATION
            seen[KO_TWINS] += equal and not same_ko
    seen[REPETITIONS] += repeated
    return 0


@numba.njit
def set_up_differs(b, grid, words, empty):
    """Whether a board set up by hand as this position is anything else."""
    put_down(b, grid)
    outcome = np.zeros((3, grid.shape[0], grid.shape[1], 2), np.int64)
    return first_difference(b, grid, naive.NO_KO, words, empty, outcome) != 0


@numba.njit
def play_both(b, grid, ko, row, column, color, prisoners, seen):
    """Play a move or a pass on both boards. Returns the difference and the twin's new state."""
    after, captured, lost, new_ko = grid, 0, 0, naive.NO_KO
    promised = b.hash
    if row < 0:
        engine.pass_move(b)
        seen[KOS_PASSED] += ko[2] != 0
    else:
        promised = engine.position_hash_after(b, point(row, column), u64(color))
        engine.place(b, point(row, column), u64(color))
        after, captured, lost = naive.after_move(grid, row, column, color)
        new_ko = naive.ko_after(grid, after, color, captured)
        prisoners[color] += captured
        prisoners[3 - color] += lost
        note_sights(seen, grid, after, row, column, color, captured, lost, new_ko)
    fact = removal_differs(b, grid, after, row, column, captured, lost, prisoners)
    if b.hash != promised:
        fact = HASH_AFTER
    return fact, after, new_ko


@numba.njit
def play_and_compare(boards, size, seed, n_moves, suicide, style, moves, seen):
    """Play one game on both boards. Returns the first difference (0 if none) and the moves made.

    `boards` are three records: the board, one to copy it to, one to set up by hand. `moves`
    gets the row, column and colour of each move.
    """
    np.random.seed(seed)
    words, empty = hash_words(boards, size)
    b = boards[0]
    engine.clear(b, u64(size))
    outcome = np.zeros((3, size, size, 2), np.int64)
    prisoners = np.zeros(3, np.int64)
    grid, ko, color = naive.empty_grid(size), naive.NO_KO, 1
    grids, kos, hashes = [grid], [ko], [all_hashes(b)]
    for n in range(n_moves + 1):
        fact = first_difference(b, grid, ko, words, empty, outcome)
        if fact == 0:
            fact = history_differs(grids, kos, hashes, seen)
        if fact != 0 or n == n_moves:
            return fact, n

        if n % 16 == 15:
            if set_up_differs(boards[2], grid, words, empty):
                return SET_UP, n
            # Go on with a copy, the original spoilt in between, as searches do.
            boards[1] = boards[0]
            engine.clear(boards[0], u64(size))
            boards[0] = boards[1]

        if np.random.random() < SAME_COLOR_CHANCE:
            color = 3 - color
        row, column = choose(grid, color, style, suicide, outcome)
        moves[n, 0], moves[n, 1], moves[n, 2] = row, column, color
        fact, grid, ko = play_both(b, grid, ko, row, column, color, prisoners, seen)
        if fact != 0:
            return fact, n + 1
        grids.append(grid)
        kos.append(ko)
        hashes.append(all_hashes(b))
        color = 3 - color
    return 0, n_moves


def play_games(sizes: range, games: int, moves_per_point: float, seed: int) -> np.ndarray:
    """Play random games of these sizes and return the sights; a difference is an error."""
    draw = random.Random(seed)
    seen = np.zeros(len(SIGHTS), np.int64)
    boards = np.zeros(3, BOARD)
    for _ in range(games):
        # The smaller of two, because what goes wrong on a large board goes wrong on a small one.
        size = min(draw.choice(sizes), draw.choice(sizes))
        game_seed, suicide, style = draw.randrange(2**32), draw.random() < 0.5, draw.randrange(4)
        n_moves = int(size * size * moves_per_point) + 4
        moves = np.zeros((n_moves, 3), np.int64)
        fact, n = play_and_compare(boards, size, game_seed, n_moves, suicide, style, moves, seen)
        if fact:
            pytest.fail(
                f"{ALL_FACTS[fact]}: size {size}, seed {game_seed}, {n_moves} moves, suicide "
                f"{suicide}, style {style}: differs after move {n} of (row, column, color) "
                f"{[tuple(move) for move in moves[:n].tolist()]}"
            )
    return seen


def check_seen(seen: np.ndarray, at_least: int, but_not: str = "") -> None:
    """Assert that the games had every sight so often, except one that large boards can't have."""
    for sight, count in zip(SIGHTS, seen, strict=True):
        assert count >= at_least or sight == but_not, f"only {count} {sight}"


def test_small_boards() -> None:
    check_seen(play_games(range(2, 10), games=9420, moves_per_point=3, seed=1), at_least=100)


def test_medium_boards() -> None:
    seen = play_games(range(10, 20), games=500, moves_per_point=1.4, seed=2)
    check_seen(seen, at_least=10, but_not="boards with one empty point")


def test_large_boards() -> None:
    seen = play_games(range(20, 26), games=80, moves_per_point=1.1, seed=3)
    check_seen(seen, at_least=1, but_not="boards with one empty point")
