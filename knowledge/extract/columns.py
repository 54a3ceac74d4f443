"""The groups of patterns: the largest known ones, and 3x3 shapes by their class."""

from __future__ import annotations

import numpy as np

from engine.board import U0, U1, neighbourhood, u64
from engine.jit import inner
from knowledge.extract.facts import NUMBER
from knowledge.templates import FAMILIES

_SHAPE3X3 = NUMBER["shape3x3"]
# The groups of patterns, in the order of the families.
PATTERN_GROUPS = ("shape", "liberty_shape", "marked_shape", "response")
_NUMBERS = np.array([NUMBER[name] for name in PATTERN_GROUPS], np.uint64)


@inner
def write_patterns(f, s, out):
    """The groups that a dictionary has the values of, from what was matched."""
    for family in range(u64(len(FAMILIES))):
        group = _NUMBERS[family]
        if s.first[group] == 0:
            continue
        # The ids of a family's patterns are in a row, both in the dictionary and in the set.
        first, column = u64(s.first[group]) - u64(s.family_start[family]), s.column[group]
        for i in range(f.n_moves):
            found = u64(f.matched[i, family])
            if found != U0:
                out[i, column] = first + found


@inner
def write_small_shapes(b, c, f, s, out):
    """The group `shape3x3`."""
    if s.first[_SHAPE3X3] == 0:
        return
    first, column = u64(s.first[_SHAPE3X3]), s.column[_SHAPE3X3]
    for i in range(f.n_moves):
        out[i, column] = first + u64(s.classes[c - U1, neighbourhood(b, u64(f.points[i]))])
