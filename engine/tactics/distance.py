"""Distance in the common-fate graph: how far points are from a move, as Go sees it.

The stones of a chain live and die together, so they count as one place: a step from a point to
its neighbour costs 1, a walk within a chain nothing. A move at one end of a long chain is near
to everything the chain touches.
"""

from __future__ import annotations

import numpy as np

from engine.board import EMPTY, S, U0, U1, U3, u64
from engine.geometry import AREA, OFF, POINTS
from engine.jit import inner, kernel
from engine.position import Position

LARGEST_LIMIT = 254


@inner
def _reach(b, v, distance, out, queue, n):
    """Give a point, and with a stone its whole chain, a distance and a place in the queue."""
    p = v
    while True:
        out[p] = distance
        queue[n] = p
        n += U1
        p = u64(b.next[p]) if b.color[v] != EMPTY else v
        if p == v:
            return n


@inner
def cfg_distances(b, v, limit, out, queue):
    """Write the distance from v to every point, limit + 1 for what is farther or off the board.

    `out` has POINTS bytes, so the limit is 254 at most. `queue` has room for AREA points and
    receives all that are within the limit, nearest first; returns how many.
    """
    out[:POINTS] = limit + U1
    n = _reach(b, v, U0, out, queue, U0)
    i = U0
    while i < n:
        p = u64(queue[i])
        distance = u64(out[p]) + U1
        if distance > limit:
            break
        for q in (p - S, p - U1, p + U1, p + S):
            if b.color[q] != U3 and out[q] > limit:
                n = _reach(b, q, distance, out, queue, n)
        i += U1
    return n


# --- The Python face ----------------------------------------------------------------------


@kernel
def _cfg_distances(a, v, limit, out, queue):
    return cfg_distances(a[0], u64(v), u64(limit), out, queue)


def distances_from(position: Position, p: int, limit: int = LARGEST_LIMIT) -> dict[int, int]:
    """The distance from a point of every point within the limit, nearest first."""
    if position.color_at(p) == OFF:
        raise ValueError("a point that is not on the board")
    if not 0 <= limit <= LARGEST_LIMIT:
        raise ValueError(f"a limit that is not in 0 to {LARGEST_LIMIT}")
    out, queue = np.empty(POINTS, np.uint8), np.empty(AREA, np.uint16)
    n = int(_cfg_distances(position.record, p, limit, out, queue))
    return {int(q): int(out[q]) for q in queue[:n]}
