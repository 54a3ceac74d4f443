"""Replays games to find illegal moves: one kernel call for any number of games.

The simple ko rule holds for all, superko for none, since many records were played without it.
Suicide is legal: where a record has it, its rules allowed it.
"""

from __future__ import annotations

import numpy as np

from engine.board import (
    BOARD,
    U0,
    clear,
    has_dead_chain,
    is_legal_with_suicide,
    pass_move,
    place,
    put,
    u64,
)
from engine.geometry import EMPTY
from engine.jit import kernel
from engine.vertex import vertex_text
from knowledge.games import Games

_LEGAL, _SETUP, _OCCUPIED, _KO = 0, 1, 2, 3
_REASONS = {_OCCUPIED: "occupied", _KO: "ko"}


@kernel
def _replay(a, sizes, starts, colors, points, set_starts, set_colors, set_points, why, move):
    """Write for each game what is wrong with it, and at which move."""
    b = a[0]
    for game in range(len(sizes)):
        clear(b, u64(sizes[game]))
        why[game] = _LEGAL
        for i in range(set_starts[game], set_starts[game + 1]):
            put(b, u64(set_points[i]), u64(set_colors[i]))
        if set_starts[game] < set_starts[game + 1] and has_dead_chain(b):
            why[game] = _SETUP
            continue
        for i in range(starts[game], starts[game + 1]):
            v, c = u64(points[i]), u64(colors[i])
            if v == U0:
                pass_move(b)
            elif is_legal_with_suicide(b, v, c):
                place(b, v, c)
            else:
                why[game] = _KO if b.color[v] == EMPTY else _OCCUPIED
                move[game] = i - starts[game]
                break


def illegal_games(games: Games) -> dict[int, str]:
    """The games that hold an illegal move or setup, by number, each with what is wrong.

    All points must be on their boards, and no two stones of a setup on one point.
    """
    why, move = np.empty(len(games), np.uint8), np.empty(len(games), np.int64)
    _replay(
        np.zeros(1, BOARD), games.sizes, games.starts, games.colors, games.points,
        games.setup_starts, games.setup_colors, games.setup_points, why, move,
    )  # fmt: skip
    return {i: _reason(games, i, why[i], move[i]) for i in np.flatnonzero(why).tolist()}


def _reason(games: Games, game: int, why: int, move: int) -> str:
    if why == _SETUP:
        return "the stones set up include a chain without liberties"
    vertex = vertex_text(int(games.points[games.starts[game] + move]))
    return f"move {move + 1} at {vertex} is illegal: {_REASONS[why]}"
