"""The memory of the feature kernels, in records, because passing many arrays is slow.

MOMENT is what came before a position. SET says which groups are wanted and where their ids go.
FACTS is one thread's notes on one position. Chains leave marks at their liberties: so whatever a
move does to the chains around it is one word, `mark`, when its turn comes.
"""

from __future__ import annotations

import numpy as np

from engine.board import U0, U1, u64
from engine.geometry import AREA, POINTS
from engine.jit import inlined, inner
from engine.playout.shapes import CODES
from engine.tactics.ladders import LADDER_SCRATCH
from knowledge.groups import GROUPS
from knowledge.patterns import PATTERN_SCRATCH
from knowledge.templates import FAMILIES

HISTORY = 4
NUMBER = {group.name: u64(i) for i, group in enumerate(GROUPS)}
NO_VALUE = u64(1 << 32)
NOTHING = 255  # no value, in tables of bytes

# --- What came before ---------------------------------------------------------------------

MOMENT = np.dtype(
    [
        ("moves", np.uint64, HISTORY),  # the latest first; 0 for a pass, and before the first
        ("number", np.uint64),  # of moves so far, passes included
        ("after_pass", np.uint64),  # whether the last move was a pass
    ],
    align=True,
)


@inner
def begin(moment):
    """Nothing has been played yet."""
    for i in range(HISTORY):
        moment.moves[i] = U0
    moment.number = U0
    moment.after_pass = U0


@inner
def go_on(moment, v):
    """A move was played, 0 for a pass."""
    moment.moves[3] = moment.moves[2]
    moment.moves[2] = moment.moves[1]
    moment.moves[1] = moment.moves[0]
    moment.moves[0] = v
    moment.number += U1
    moment.after_pass = u64(v == U0)


# --- What is wanted -----------------------------------------------------------------------

SET = np.dtype(
    [
        ("first", np.uint32, len(GROUPS)),  # a group's first id, 0 if it isn't in the set
        ("column", np.uint64, len(GROUPS)),
        ("columns", np.uint64),  # how many there are
        # What has to be found out for some of the groups.
        ("ladders", np.uint64),
        ("self_ataris", np.uint64),
        ("eyes", np.uint64),
        ("families", np.uint64),  # of patterns that are wanted, as bits
        ("family_start", np.uint32, len(FAMILIES)),  # the id of a family's first pattern
        ("classes", np.uint16, (2, CODES)),  # the class of a 3x3 code for each mover
        ("rule_shapes", np.uint8, CODES),
    ],
    align=True,
)


@inlined
def put(out, i, s, group, value):
    """Note a move's value of a group, if there is one and the set wants it."""
    first = u64(s.first[group])
    if first != U0 and value != NO_VALUE:
        out[i, s.column[group]] = first + value


# --- What is known of a position ----------------------------------------------------------

# How many liberties of a chain are counted, and how many places its list of them takes.
MOST_LIBERTIES = u64(6)
LIBERTY_ROOM = u64(8)
NO_CHAIN = 7  # stands for the liberties of empty and off-board points

# Fields for stones' surroundings have room for a stamp around every point.
FIELD_STRIDE, FIELD_MARGIN = 40, 5
FIELD_POINTS = (25 + 2 * FIELD_MARGIN) * FIELD_STRIDE

OWNERS = np.dtype(
    [
        ("playouts", np.int64),
        ("wins", np.int64, 3),  # drawn, Black's, White's
        ("owned", np.int64, (3, POINTS)),  # by nobody, by Black, by White
        ("by_winner", np.int64, POINTS),
        ("end", np.int64, POINTS),  # of one playout
    ],
    align=True,
)

FACTS = np.dtype(
    [
        # Of every point, for boards of this size.
        ("size", np.uint64),
        ("line", np.uint8, POINTS),
        ("position", np.uint8, POINTS),
        ("border_value", np.uint8, POINTS),
        ("line_value", np.uint8, POINTS),
        ("position_value", np.uint8, POINTS),
        ("place_value", np.uint8, POINTS),
        ("corner_value", np.uint8, POINTS),
        # Of a chain, at its head.
        ("count", np.uint8, POINTS),  # its liberties, up to MOST_LIBERTIES
        ("beside", np.uint8, POINTS),  # whether it touches own chains in atari
        ("liberties", np.uint16, POINTS * int(LIBERTY_ROOM)),
        # The heads of all chains, and of those with one or two liberties.
        ("n_heads", np.uint64),
        ("heads", np.uint16, AREA),
        ("n_weak", np.uint64),
        ("weak", np.uint16, AREA),
        # The last chain, and the own chains that touch the last stone.
        ("last_chain", np.uint64),
        ("n_near", np.uint64),
        ("near", np.uint64, 4),
        ("context", np.uint64),
        # Of a point: what chains say that a move there does.
        ("mark", np.uint32, POINTS),
        ("taken", np.uint16, POINTS),  # stones that the move captures
        ("saved", np.uint16, POINTS),  # own stones in atari that it extends
        ("ours", np.uint8, POINTS),  # see the group `answer`
        ("hopeless", np.uint8, POINTS),  # extends a chain that a long ladder still takes
        # Of a legal move, in the order of `points`; a pass comes last.
        ("n_moves", np.uint64),
        ("points", np.uint16, AREA + 1),
        ("empties", np.uint8, AREA),  # empty neighbours
        ("after", np.uint8, AREA),  # the new chain's liberties, up to 5
        ("own_state", np.uint8, AREA),  # see the group `contact`
        ("enemy_state", np.uint8, AREA),
        ("fewest", np.uint8, AREA),  # the fewest liberties, from 2 on, of an own chain
        ("distance", np.uint8, AREA),
        # The moves whose points are marked, and the empty points without empty neighbours.
        ("n_hot", np.uint64),
        ("hot", np.uint16, AREA),
        ("n_enclosed", np.uint64),
        ("enclosed", np.uint16, AREA),
        # Surroundings.
        ("fate", np.uint8, POINTS),
        ("queue", np.uint16, AREA),
        ("nearest", np.uint8, 2 * FIELD_POINTS),
        ("influence", np.uint64, 2 * FIELD_POINTS // 8),  # eight points in a word
        ("owners", OWNERS),
        # For what is read by others.
        ("matched", np.uint32, (AREA, len(FAMILIES))),
        ("patterns", PATTERN_SCRATCH),
        ("ladders", LADDER_SCRATCH),
    ],
    align=True,
)

# The marks: what a move at a point does.
TAKES = u64(1 << 0)
TAKES_LAST = u64(1 << 1)
TAKES_LAST_LOST = u64(1 << 2)
TAKES_BESIDE_NEW = u64(1 << 3)  # a taken chain touches one newly in atari
TAKES_BESIDE_WEAK = u64(1 << 4)  # or another own one in atari
TAKES_ESCAPER = u64(1 << 5)
SAVES = u64(1 << 6)
SAVES_NEW = u64(1 << 7)
SAVES_FREE = u64(1 << 8)  # one of the saved is not lost
SAVES_NEW_FREE = u64(1 << 9)
ATTACKS = u64(1 << 10)
ATTACKS_TWO = u64(1 << 11)
ATTACKS_LAST = u64(1 << 12)
ATTACKS_BIG = u64(1 << 13)
LADDER = u64(1 << 14)
BIG_LADDER = u64(1 << 15)
OTHER_LADDER = u64(1 << 16)
NEAR_TWO = u64(1 << 17)  # extends a chain beside the last stone that has two liberties
THREATENED = u64(1 << 18)  # extends a chain that a ladder threatens
TOUCHES_LAST = u64(1 << 19)
VITAL = u64(1 << 20)
NETS_BIG = u64(1 << 21)
NETS_SMALL = u64(1 << 22)
OWN_REAL, OWN_FALSE = u64(1 << 23), u64(1 << 24)
ENEMY_REAL, ENEMY_FALSE = u64(1 << 25), u64(1 << 26)
GUARDS, SPOILS = u64(1 << 27), u64(1 << 28)
DIES = u64(1 << 29)  # the new chain has one liberty
BAD = u64(1 << 30)  # and no purpose
NEAR_MOVES = u64(1 << 31)  # beside or diagonal to one of the last two moves


def new_facts() -> np.ndarray:
    """Memory for one thread that extracts features."""
    return np.zeros(1, FACTS)


def new_moment() -> np.ndarray:
    return np.zeros(1, MOMENT)
