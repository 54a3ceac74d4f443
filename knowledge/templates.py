"""The templates of shape patterns: which points belong to a size, and their random words.

The distance of a point from the centre is |dx| + |dy| + max(|dx|, |dy|). Size s holds all points
within s + 1, the centre included, and is nested in size s + 1:

    size     1   2   3   4   5   6   7   8   9   10   11   12   13   14
    points   5   9  13  21  29  37  49  61  73   89  105  121  141   the whole board

Every (offset, state) has a random 64-bit word. A shape's hash is the XOR of its points' words,
kept in eight lanes, one for each symmetry: a row of lanes holds the words of an offset as the
eight symmetries see it. The words go into the keys that are stored with learned weights, so
nothing here may ever change: not a seed, not the order of offsets, states or symmetries.

An empty point's word is 0. A stone's word is for a chain with three or more liberties; a weak
chain's stone adds one more word.
"""

from __future__ import annotations

import numpy as np

from engine.geometry import MAX_SIZE, POINTS, STRIDE
from engine.rng import random_words

PLAIN, LIBERTIES, MARKED, RESPONSE = range(4)
FAMILIES = ("plain", "liberties", "marked", "response")
WHOLE_BOARD = 14
LARGEST = (WHOLE_BOARD, 7, 6, 6)  # the largest size of each family
POINT_COUNTS = (5, 9, 13, 21, 29, 37, 49, 61, 73, 89, 105, 121, 141)  # of sizes 1 to 13
FARTHEST_RESPONSE = 12  # how far from the last move a response may be
SYMMETRIES = 8

# Shapes reach seven points over the edge, so they are read from a field with room all around.
# Its rows share their margins: what is right of one row is left of the next.
RADIUS = 7
WIDTH = MAX_SIZE + RADIUS
FIELD = (MAX_SIZE + 2 * RADIUS + 1) * WIDTH

# States of a point in a template; 0 is empty.
OWN, OPPONENT, OFF_BOARD = 1, 2, 3


def distance(dy: int, dx: int) -> int:
    """How far an offset is from the centre, as the templates measure it."""
    return abs(dx) + abs(dy) + max(abs(dx), abs(dy))


def size_with(dy: int, dx: int) -> int:
    """The smallest size that holds an offset."""
    return max(distance(dy, dx) - 1, 1)


def _symmetric(dy: int, dx: int) -> list[tuple[int, int]]:
    """An offset in all eight symmetries, always in the same order."""
    turned = [(dy, dx), (dx, dy)]
    return [(sy * y, sx * x) for y, x in turned for sy in (1, -1) for sx in (1, -1)]


# --- Offsets ------------------------------------------------------------------------------

_SPAN = range(-RADIUS, RADIUS + 1)
# All of size 13, from the centre outwards. An offset's number is its place in this list.
OFFSETS = sorted(
    ((dy, dx) for dy in _SPAN for dx in _SPAN if distance(dy, dx) <= WHOLE_BOARD),
    key=lambda offset: (distance(*offset), offset),
)
_NUMBER = {offset: k for k, offset in enumerate(OFFSETS)}
_TURNED = np.array([[_NUMBER[turned] for turned in _symmetric(*offset)] for offset in OFFSETS])

# The ring that size s adds to the one before: from RING[s] to RING[s + 1].
RING = np.array([0, 1, *POINT_COUNTS], np.uint64)
STEP = np.array([dy * WIDTH + dx for dy, dx in OFFSETS], np.int64).view(np.uint64)
SIZE_WITH = np.array([size_with(*offset) for offset in OFFSETS], np.uint64)
OPPOSITE = np.array([_NUMBER[-dy, -dx] for dy, dx in OFFSETS], np.uint64)
FAR = np.uint64(len(OFFSETS))  # stands for the number of an offset that is in no template

# How many offsets, from the first on, may hold: a stone that tells its liberties; a mark; a move
# that answers the last one.
N_WEAK = POINT_COUNTS[LARGEST[LIBERTIES] - 1]
N_MARKED = POINT_COUNTS[LARGEST[MARKED] - 1]
N_RESPONSE = POINT_COUNTS[FARTHEST_RESPONSE - 2]


def _number_at() -> np.ndarray:
    """The number of an offset by its row and column, both moved up by the radius; 15 is far."""
    result = np.full((2 * RADIUS + 2, 2 * RADIUS + 2), FAR, np.uint64)
    for k, (dy, dx) in enumerate(OFFSETS):
        result[dy + RADIUS, dx + RADIUS] = k
    return result


def _place() -> np.ndarray:
    """The place in the field of every point of the board."""
    rows, columns = np.divmod(np.arange(POINTS), STRIDE)
    return ((rows - 1 + RADIUS) * WIDTH + columns - 1 + RADIUS).astype(np.uint64)


NUMBER_AT = _number_at()
PLACE = _place()
# Offsets as bits of one word, as far as stones tell their liberties: the ring of each size.
RING_BITS = np.array(
    [sum(1 << k for k in range(RING[s], RING[s + 1])) for s in range(LARGEST[LIBERTIES] + 1)],
    np.uint64,
)


# --- Words --------------------------------------------------------------------------------


def _lanes(words: np.ndarray) -> np.ndarray:
    """From a word for each (offset, state): eight in a row, as each symmetry sees it."""
    return words[_TURNED[: len(words)]].transpose(0, 2, 1).reshape(-1)


def _plain_words() -> np.ndarray:
    words = random_words(seed=101, shape=(len(OFFSETS), 4))
    words[:, 0] = 0
    return words


PLAIN_LANES = _lanes(_plain_words())
# Own stones with one and with two liberties, then the opponent's.
WEAK_LANES = _lanes(random_words(seed=102, shape=(N_WEAK, 4)))
MARK_LANES = _lanes(random_words(seed=103, shape=(N_MARKED, 1)))
RESPONSE_LANES = _lanes(random_words(seed=104, shape=(N_RESPONSE, 1)))
SALT = random_words(seed=105, shape=(len(FAMILIES), WHOLE_BOARD + 1))
WHOLE_BOARD_SEED = random_words(seed=106, shape=(1,))[0]
