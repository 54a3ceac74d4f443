"""Playouts that the search calls by address, one routine for each policy: see `engine/calls.py`.

Each takes a PLAY record: where the board, the thread's memory and the settings are, whose turn it
is and what was played last. It plays the board to the end, in place.
"""

from __future__ import annotations

import numpy as np

from engine.board import BOARD
from engine.calls import Routine, record_at, routine
from engine.playout.run import (
    SETTINGS,
    WORK,
    play_gamma,
    play_light,
    play_mixed,
    play_rules,
)

PLAY = np.dtype(
    [
        ("function", np.uint64),  # the policy's routine
        ("board", np.uint64),  # addresses of a BOARD, a WORK and a SETTINGS
        ("work", np.uint64),
        ("settings", np.uint64),
        ("color", np.uint64),  # whose turn it is
        ("last", np.uint64),  # the last two moves, 0 for a pass or none
        ("before", np.uint64),
        ("rng", np.uint64),  # the generator's state, in and out
    ],
    align=True,
)


@routine
def _light(address):
    p = record_at(address, PLAY)
    b, w, k = record_at(p.board, BOARD), record_at(p.work, WORK), record_at(p.settings, SETTINGS)
    p.rng = play_light(b, w, k, p.last, p.before, p.color, p.rng)


@routine
def _rules(address):
    p = record_at(address, PLAY)
    b, w, k = record_at(p.board, BOARD), record_at(p.work, WORK), record_at(p.settings, SETTINGS)
    p.rng = play_rules(b, w, k, p.last, p.before, p.color, p.rng)


@routine
def _gamma(address):
    p = record_at(address, PLAY)
    b, w, k = record_at(p.board, BOARD), record_at(p.work, WORK), record_at(p.settings, SETTINGS)
    p.rng = play_gamma(b, w, k, p.last, p.before, p.color, p.rng)


@routine
def _mixed(address):
    p = record_at(address, PLAY)
    b, w, k = record_at(p.board, BOARD), record_at(p.work, WORK), record_at(p.settings, SETTINGS)
    p.rng = play_mixed(b, w, k, p.last, p.before, p.color, p.rng)


PLAYOUT_ROUTINES: dict[str, Routine] = {
    "light": _light,
    "rules": _rules,
    "gamma": _gamma,
    "mixed": _mixed,
}
