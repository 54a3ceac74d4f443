"""Nets (geta): a quiet move that holds a chain with two liberties where no ladder does.

The candidates are the empty points within two steps of a liberty, the liberties themselves
aside, the dozen nearest to both. A candidate is a net if every escape fails: the defender may
extend on either liberty, capture a chain in atari that touches the prey, or pass. An escape
that leaves the prey one or two liberties fails if the ladder reader takes it from there. Three
liberties are read one step wider than a ladder: the attacker closes one of them, and the
defender, again with two, must be lost by the ladder reader's rules (so this is where a loose
ladder of a single step is seen). Four liberties are free.

All on the safe side: a net stone that would have but one liberty isn't tried, and a ladder that
gave up counts as an escape. What the defender might gain far away isn't read.
"""

from __future__ import annotations

import numpy as np

from engine.board import (
    U0,
    U1,
    U2,
    U3,
    U4,
    any_liberty,
    count_liberties,
    in_atari,
    is_legal,
    liberties,
    pass_move,
    place,
    second_liberty,
    u64,
)
from engine.geometry import EMPTY, STRIDE
from engine.jit import inner, kernel
from engine.position import Position
from engine.tactics.atari import is_capture
from engine.tactics.ladders import (
    CAPTURED,
    LADDER_LIMIT,
    NET_CANDIDATES,
    check_stone,
    copy_stones,
    extension_liberties,
    find_captures,
    new_ladder_scratch,
    read_ladder,
)

# --- Candidates ---------------------------------------------------------------------------


@inner
def _distance(v, p):
    """Steps between two points along the lines of the board."""
    return u64(
        abs(np.int64(v) // STRIDE - np.int64(p) // STRIDE)
        + abs(np.int64(v) % STRIDE - np.int64(p) % STRIDE)
    )


@inner
def _insert(moves, keys, n, v, key):
    """Keep the NET_CANDIDATES points with the smallest keys, sorted; returns how many they are."""
    i = min(n, u64(NET_CANDIDATES))
    n = min(n + U1, u64(NET_CANDIDATES))
    while i > U0 and keys[i - U1] > key:
        if i < u64(NET_CANDIDATES):
            moves[i] = moves[i - U1]
            keys[i] = keys[i - U1]
        i -= U1
    if i < u64(NET_CANDIDATES):
        moves[i] = v
        keys[i] = key
    return n


@inner
def net_candidates(b, h, p, q, moves, keys):
    """Write the quiet moves worth reading against a chain with the liberties p and q.

    A net stone must leave the prey three liberties at most, whichever way it extends; that is
    seen without playing. Returns how many.
    """
    c = u64(b.color[h])
    n = U0
    for centre in (p, q):
        row, column = centre // u64(STRIDE), centre % u64(STRIDE)
        for r in range(max(row, U3) - U2, min(row + U2, b.size) + U1):
            for k in range(max(column, U3) - U2, min(column + U2, b.size) + U1):
                v = u64(r) * u64(STRIDE) + u64(k)
                to_p, to_q = _distance(v, p), _distance(v, q)
                if (to_p if centre == p else to_q) > U2 or (centre == q and to_p <= U2):
                    continue
                if b.color[v] != EMPTY or v == p or v == q or not is_legal(b, v, U3 - c):
                    continue
                if extension_liberties(b, v, v, U3 - c, U2) < U2 and not is_capture(b, v, U3 - c):
                    continue
                if (
                    extension_liberties(b, p, v, c, U4) == U4
                    or extension_liberties(b, q, v, c, U4) == U4
                ):
                    continue
                n = _insert(moves, keys, n, v, to_p + to_q)
    return n


# --- Reading ------------------------------------------------------------------------------


@inner
def _closes(b, prey, s, limit):
    """Whether the attacker, in front of three liberties, can close the net on one of them."""
    c = u64(b.color[prey])
    libs = s.net_liberties
    liberties(b, u64(b.chain[prey]), libs)
    work = s.net_boards[2]
    for i in range(3):
        x = u64(libs[i])
        if is_legal(b, x, U3 - c):
            copy_stones(b, work)
            place(work, x, U3 - c)
            s.net_nodes += U1
            if _ladder(work, prey, U0, s, limit) == CAPTURED:
                return True
    return False


@inner
def _ladder(b, prey, attacking, s, limit):
    """Read a ladder within what is left of the limit, and add up the work.

    `attacking` is 0 or 1, because each literal False and True would compile a reader of its own.
    """
    room = limit - min(limit, s.net_nodes)
    answer = read_ladder(b, u64(b.chain[prey]), attacking != U0, s, room)
    s.net_nodes += s.nodes
    return answer


@inner
def _escape_fails(b, prey, move, s, limit):
    """Whether the prey is caught after the defender's move on the board with the net stone."""
    c = u64(b.color[prey])
    if move != U0 and not is_legal(b, move, c):
        return True
    work = s.net_boards[1]
    copy_stones(b, work)
    if move == U0:
        pass_move(work)
    else:
        place(work, move, c)
    s.net_nodes += U1
    n = count_liberties(work, u64(work.chain[prey]))
    if n <= U2:
        return _ladder(work, prey, U1, s, limit) == CAPTURED
    return n == U3 and _closes(work, prey, s, limit)


@inner
def holds(b, prey, p, q, s, limit):
    """Whether no escape works for the defender, to move, with the liberties p and q."""
    moves = s.net_captures
    n, wide = find_captures(b, u64(b.chain[prey]), p, q, moves, s.freed)
    # Two more liberties by a capture elsewhere make four; too many captures to list: no net.
    if wide != U0 or n > u64(len(s.freed)):
        return False
    if not _escape_fails(b, prey, p, s, limit) or not _escape_fails(b, prey, q, s, limit):
        return False
    for i in range(n):
        if not _escape_fails(b, prey, u64(moves[i]), s, limit):
            return False
    return _escape_fails(b, prey, U0, s, limit)


@inner
def net_capture(b, h, s, limit):
    """A quiet move that catches a chain with two liberties in a net, or 0.

    0 means that there is none among the candidates, or that the limit of played stones, over
    all candidates together, was reached first. Ask the ladder reader before: a chain that a
    ladder takes needs no net. s is a LADDER_SCRATCH record.
    """
    s.net_nodes = U0
    s.net_count = U0
    if in_atari(b, h):
        return U0
    p = any_liberty(b, h)
    q = second_liberty(b, h, p)
    if q == U0:
        return U0
    moves = s.net_moves
    s.net_count = net_candidates(b, h, p, q, moves, s.net_keys)
    work = s.net_boards[0]
    for i in range(s.net_count):
        if s.net_nodes >= limit:
            return U0
        v = u64(moves[i])
        copy_stones(b, work)
        place(work, v, U3 - u64(b.color[h]))
        s.net_nodes += U1
        if holds(work, h, p, q, s, limit):
            return v
    return U0


# --- The Python face ----------------------------------------------------------------------


@kernel
def _net(a, v, scratch, limit):
    b = a[0]
    return net_capture(b, u64(b.chain[u64(v)]), scratch[0], u64(limit))


class NetReader:
    """Finds nets on positions, with memory of its own; `nodes` is the work of the last search."""

    def __init__(self, limit: int = LADDER_LIMIT) -> None:
        if limit < 0:
            raise ValueError("a negative limit")
        self.scratch = new_ladder_scratch()
        self.limit = limit

    @property
    def nodes(self) -> int:
        return int(self.scratch[0]["net_nodes"])

    def capture(self, position: Position, p: int) -> int:
        """The quiet move that catches the chain at a point, or PASS."""
        check_stone(position, p)
        return int(_net(position.record, p, self.scratch, self.limit))

    def candidates(self) -> list[int]:
        """The quiet moves of the last search, in the order they were read."""
        scratch = self.scratch[0]
        return [int(v) for v in scratch["net_moves"][: int(scratch["net_count"])]]
