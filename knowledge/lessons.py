"""The positions of a game as rows of features, read once for all the models that learn from them.

Finding the features of a position takes as long as learning from it, or longer. So models of the
same features that are trained on the same games share a `Reader`: it reads a game, and each of
them learns from what it has found.
"""

from __future__ import annotations

import numpy as np

from engine.board import BOARD, U1, u64
from engine.jit import kernel
from engine.rng import next_state, unit
from knowledge.extract.facts import FACTS, MOMENT
from knowledge.features import FeatureSet, extract_position
from knowledge.games import Games
from knowledge.walk import begin_game, play_on, row_of

_WALK = np.dtype([("board", BOARD), ("moment", MOMENT), ("facts", FACTS)], align=True)


class Reader:
    """One thread's memory for a game: the features of all moves at each of its positions.

    Position i has the rows `starts[i]` to `starts[i + 1]` of `ids`, the pass last, and its
    `played[i]`-th was played. One that nothing is learned from has no rows.
    """

    def __init__(self, games: Games, features: FeatureSet) -> None:
        longest = int(np.diff(games.starts).max(initial=0))
        moves = int(games.sizes.max(initial=0)) ** 2 + 1
        self._walk = np.zeros(1, _WALK)
        self._features = features
        self.ids = np.zeros((longest * moves, len(features)), np.uint32)
        self.starts = np.zeros(longest + 1, np.int64)
        self.played = np.zeros(longest, np.uint64)
        self.count = 0

    def read(
        self, arrays: tuple[np.ndarray, ...], game: int, share: float, state: np.uint64
    ) -> None:
        """Read a game; only a share of its positions, drawn by chance, will be learned from."""
        self.count = int(
            _read_game(
                game, arrays, self._features.record, self._features.slots, share, state,
                self._walk, self.ids, self.starts, self.played,
            )
        )  # fmt: skip


@kernel
def _read_game(game, game_arrays, feature_set, slots, share, state, walk, ids, starts, played):
    """Fill a reader's arrays; returns the number of positions."""
    sizes, firsts, colors, points, learn, set_starts, set_colors, set_points = game_arrays
    t = walk[0]
    b, moment, f, s = t.board, t.moment, t.facts, feature_set[0]
    begin_game(b, moment, game, sizes, set_starts, set_colors, set_points)
    i = 0
    starts[0] = 0
    for m in range(firsts[game], firsts[game + 1]):
        v, c = u64(points[m]), u64(colors[m])
        rows = 0
        if learn[m] and (share >= 1.0 or unit(state) < share):
            n = extract_position(b, c, moment, s, f, slots, ids[starts[i] :])
            played[i] = row_of(f.points, n, v)
            if played[i] <= n:
                rows = np.int64(n + U1)
        state = next_state(state)
        starts[i + 1] = starts[i] + rows
        i += 1
        play_on(b, moment, v, c)
    return i
