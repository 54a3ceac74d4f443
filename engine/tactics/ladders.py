"""Ladders: can a chain with one or two liberties be chased until it is taken?

The game that is read, exactly:
- The attacker plays on one of the prey's two liberties; in front of a single one it captures.
- The defender, in atari, extends on the last liberty or captures a chain in atari that touches
  the prey. With two liberties, which only happens at the start, it may also leave it at that
  (pass); else a seki would be called captured, because there whoever moves first loses.
- Three liberties on the attacker's turn are an escape. So a loose ladder, where the attacker
  leaves three liberties for a moment, is never claimed; `nets.py` looks one step wider.

Ko: what the simple ko rule bars isn't available, as if nobody had a ko threat. So CAPTURED
means captured without winning a ko first, and a side whose only good move is barred fails.
The ko of the position itself binds too. Chasing may in theory go round in circles (two kos):
then, as in every reading that grows too big, the answer is GAVE_UP, never a guess.

How: a search without recursion. A node's moves are pruned by looking only: about half of the
reads in real games end there, before a stone is played. A copy of the board is made only at
nodes with a second alternative to come back to; the last alternative is played on in place,
because its answer is the node's answer. So a plain ladder runs across the board on one copy.
"""

from __future__ import annotations

import numpy as np

from engine.board import (
    BOARD,
    S,
    U0,
    U1,
    U2,
    U3,
    any_liberty,
    atari_liberty,
    in_atari,
    is_legal,
    is_single,
    packed,
    pass_move,
    place,
    second_liberty,
    single_point,
    touching,
    u64,
)
from engine.geometry import BLACK, EMPTY, PASS, STRIDE, WHITE
from engine.jit import inner, kernel
from engine.position import Position
from engine.tactics.atari import is_capture

ESCAPES, CAPTURED, GAVE_UP = u64(0), u64(1), u64(2)
_OPEN = u64(3)  # a node that looking alone doesn't decide

# How many stones a read may play. A ladder from corner to corner takes 65 on 19x19, 89 on 25x25.
LADDER_LIMIT = 1000
# How many copies of the board, and how many captures a node may offer; more is giving up.
_DEPTH, _CAPTURES = 48, 12
# How many quiet moves are read against a chain, see nets.py.
NET_CANDIDATES = 12

LADDER_SCRATCH = np.dtype(
    [
        ("boards", BOARD, _DEPTH),
        ("moves", np.uint16, (_DEPTH + 1, _CAPTURES + 4)),  # of each open node, the last goes first
        ("left", np.uint64, _DEPTH + 1),  # how many of them are still to be tried
        ("slot", np.uint64, _DEPTH + 1),  # on which board the node waits
        ("attacks", np.uint8, _DEPTH + 1),  # whether it is the attacker's turn there
        ("freed", np.uint16, _CAPTURES),
        ("best", np.uint64),  # the move that decided a node at sight
        ("first", np.uint64),  # after a read: the first move of the side it went well for
        ("nodes", np.uint64),  # after a read: how many stones it played
        # For nets.py, which reads ladders on top of its own moves.
        ("net_boards", BOARD, 3),
        ("net_moves", np.uint16, NET_CANDIDATES),
        ("net_keys", np.uint64, NET_CANDIDATES),
        ("net_count", np.uint64),
        ("net_captures", np.uint16, _CAPTURES),
        ("net_liberties", np.uint16, 3),
        ("net_nodes", np.uint64),  # after a search: how many stones it played
    ],
    align=True,
)


def new_ladder_scratch() -> np.ndarray:
    """The memory a reader needs, to be allocated once; kernels take its element [0]."""
    return np.zeros(1, LADDER_SCRATCH)


# --- Looking without playing --------------------------------------------------------------


@inner
def copy_stones(source, target):
    """Copy what chains and legality need of a board, and only as far as its size reaches.

    The list of empty points, the hash and the prisoners are left behind: `place` keeps them
    going without harm, but they mean nothing on such a copy. The target must once have been
    zeroed or be such a copy itself.
    """
    n = (source.size + U2) * u64(STRIDE) + U2
    for v in range(n):
        target.libs[v] = source.libs[v]
    for v in range(n):
        target.chain[v] = source.chain[v]
    for v in range(n):
        target.next[v] = source.next[v]
    for v in range(n):
        target.stones[v] = source.stones[v]
    for v in range(n):
        target.color[v] = source.color[v]
    target.size = source.size
    target.n_empty = source.n_empty
    target.ko = source.ko
    target.ko_for = source.ko_for


@inner
def barred_by_ko(b, v, c):
    return (v == b.ko) & (c == b.ko_for)


@inner
def _note(p, n, p1, p2, p3):
    """Add a point to a set of up to four of which three are remembered."""
    if p == p1 or p == p2 or p == p3:
        return n, p1, p2, p3
    return n + U1, p, p1, p2


@inner
def extension_liberties(b, e, x, c, enough):
    """How many liberties a stone of colour c at e would have, counting up to `enough` (4 at most).

    The point x is taken as filled (give e for none). What the stone would capture is ignored,
    so with captures it is a lower bound.
    """
    n = p1 = p2 = p3 = U0
    for m in (e - S, e - U1, e + U1, e + S):
        if b.color[m] == EMPTY:
            if m != x:
                n, p1, p2, p3 = _note(m, n, p1, p2, p3)
        elif b.color[m] == c:
            h = u64(b.chain[m])
            rest = b.libs[h] - touching(b, e, h) * packed(e)
            if x != e:
                rest -= touching(b, x, h) * packed(x)
            if rest != U0 and is_single(rest):
                n, p1, p2, p3 = _note(single_point(rest), n, p1, p2, p3)
            elif rest != U0:
                v = h
                while n < enough:
                    for p in (v - S, v - U1, v + U1, v + S):
                        if b.color[p] == EMPTY and p != e and p != x:
                            n, p1, p2, p3 = _note(p, n, p1, p2, p3)
                    v = u64(b.next[v])
                    if v == h:
                        break
        if n >= enough:
            return enough
    return n


@inner
def find_captures(b, h, p, q, moves, freed):
    """Write the moves that capture a chain in atari touching chain h, each once.

    p and q are the liberties of h (the same if it has one). Returns how many moves there are
    (one more than fit in `freed`, if they don't), and 0; but as soon as a move elsewhere than
    at p and q frees two or more neighbours of h, it stops and returns that move as second.
    """
    c = u64(b.color[h])
    n = U0
    v = h
    while True:
        for m in (v - S, v - U1, v + U1, v + S):
            if b.color[m] == U3 - c and in_atari(b, u64(b.chain[m])):
                move = atari_liberty(b, u64(b.chain[m]))
                if barred_by_ko(b, move, c):
                    continue
                i = U0
                while i < n and moves[i] != move:
                    i += U1
                if i == u64(len(freed)):
                    return n + U1, U0
                if i == n:
                    moves[i] = move
                    freed[i] = m
                    n += U1
                elif freed[i] != m and move != p and move != q:
                    return n, move
        v = u64(b.next[v])
        if v == h:
            return n, U0


@inner
def _contains(moves, n, p):
    for i in range(n):
        if moves[i] == p:
            return True
    return False


# --- The moves of a node ------------------------------------------------------------------


@inner
def _outlook(b, x, e, c):
    """How many liberties the prey could get by extending to e after an attack at x.

    3 means that the attack is hopeless or illegal. Also if the attack captures: what it takes
    off had x as its last liberty, so it didn't touch e and wouldn't have helped there.
    """
    return extension_liberties(b, e, x, c, U3) if is_legal(b, x, U3 - c) else U3


@inner
def _attacks(b, prey, c, s, node):
    """The attacker's turn: an answer if looking is enough, else the attacks worth reading."""
    h = u64(b.chain[prey])
    if in_atari(b, h):
        s.best = atari_liberty(b, h)
        return ESCAPES if barred_by_ko(b, s.best, U3 - c) else CAPTURED
    p = any_liberty(b, h)
    q = second_liberty(b, h, p)
    if q == U0:
        return ESCAPES
    at_p = _outlook(b, p, q, c)
    at_q = _outlook(b, q, p, c)
    if at_p < at_q:
        p, q = q, p
        at_p, at_q = at_q, at_p
    moves = s.moves[node]
    n = U0
    if at_p < U3:
        moves[n] = p
        n += U1
    if at_q < U3:
        moves[n] = q
        n += U1
    s.left[node] = n
    return _OPEN if n > U0 else ESCAPES


@inner
def _reach(b, e, c):
    """How many liberties the prey gets by extending to its liberty e, captures ignored.

    Ko never bars an extension: a stone just taken at e would have been one of the prey's own.
    """
    return extension_liberties(b, e, e, c, U3)


@inner
def _worth_extending(b, e, c, reach):
    """Whether an extension needs reading: else it is suicide or leaves the prey in atari.

    Also a capture by the extension counts, be it of a chain that didn't touch the prey.
    """
    return reach == U2 or is_capture(b, e, c)


@inner
def _defences_in_atari(b, h, c, s, node):
    """The defender's turn in atari: captures are read before the extension, which runs longer."""
    moves = s.moves[node]
    p = atari_liberty(b, h)
    reach = _reach(b, p, c)
    s.best = p
    if reach == U3:
        return ESCAPES
    n, wide = find_captures(b, h, p, p, moves, s.freed)
    s.best = wide
    if wide != U0:
        return ESCAPES
    if n > u64(_CAPTURES):
        return GAVE_UP
    if _worth_extending(b, p, c, reach) and not _contains(moves, n, p):
        moves[n] = moves[0]
        moves[0] = p
        n += U1
    s.left[node] = n
    return _OPEN if n > U0 else CAPTURED


@inner
def _defences_outside_atari(b, h, c, s, node):
    """The defender's turn with two liberties: a pass is read first, it decides soonest."""
    moves = s.moves[node]
    p = any_liberty(b, h)
    q = second_liberty(b, h, p)
    s.best = U0
    if q == U0:
        return ESCAPES
    at_p = _reach(b, p, c)
    at_q = _reach(b, q, c)
    if at_p == U3 or at_q == U3:
        s.best = p if at_p == U3 else q
        return ESCAPES
    n, s.best = find_captures(b, h, p, q, moves, s.freed)
    if s.best != U0:
        return ESCAPES
    if n > u64(_CAPTURES):
        return GAVE_UP
    for i in range(n):
        if moves[i] != p and moves[i] != q:
            s.best = u64(moves[i])
            return ESCAPES
    if _worth_extending(b, p, c, at_p) and not _contains(moves, n, p):
        moves[n] = p
        n += U1
    if _worth_extending(b, q, c, at_q) and not _contains(moves, n, q):
        moves[n] = q
        n += U1
    moves[n] = PASS
    s.left[node] = n + U1
    return _OPEN


# --- The search ---------------------------------------------------------------------------


@inner
def _board(b, s, slot):
    """The board of a slot: 0 is the caller's, which is never written to."""
    return b if slot == U0 else s.boards[slot - U1]


@inner
def _examine(b, prey, c, attacking, s, node):
    """Look at a node: its answer, or _OPEN with its moves written down."""
    if attacking:
        return _attacks(b, prey, c, s, node)
    h = u64(b.chain[prey])
    if in_atari(b, h):
        return _defences_in_atari(b, h, c, s, node)
    return _defences_outside_atari(b, h, c, s, node)


@inner
def read_ladder(b, h, attacking, s, limit):
    """Read the ladder against the chain with head h: CAPTURED, ESCAPES or GAVE_UP.

    `attacking` says that the attacker is to move, else the defender; s is a LADDER_SCRATCH
    record; `limit` is how many stones may be played. On the attacker's turn in front of three
    liberties the answer is ESCAPES. Afterwards s.first is the first move of the side that the
    answer is good for (meaningless if that side wasn't to move), s.nodes the work it took.
    """
    c = u64(b.color[h])
    slot = nodes = open_nodes = U0
    s.best = U0
    s.first = U0
    while True:
        answer = _examine(_board(b, s, slot), h, c, attacking, s, open_nodes)
        if answer == _OPEN:
            s.slot[open_nodes] = slot
            s.attacks[open_nodes] = u64(attacking)
            open_nodes += U1
        else:
            if slot == U0:
                s.first = s.best
            # A node whose mover is content with the answer is done and passes it on.
            while open_nodes > U0 and s.attacks[open_nodes - U1] == u64(answer == CAPTURED):
                open_nodes -= U1
            if open_nodes == U0 or answer == GAVE_UP:
                break

        node = open_nodes - U1
        left = s.left[node] - U1
        move = u64(s.moves[node, left])
        slot = s.slot[node]
        attacking = s.attacks[node] != 0
        needs_copy = left > U0 or slot == U0
        if nodes == limit or (needs_copy and slot == u64(_DEPTH)):
            answer = GAVE_UP
            break
        if slot == U0:
            s.first = move
        s.left[node] = left
        if left == U0:
            open_nodes = node
        if needs_copy:
            copy_stones(_board(b, s, slot), s.boards[slot])
            slot += U1
        if move == U0:
            pass_move(s.boards[slot - U1])
        else:
            place(s.boards[slot - U1], move, U3 - c if attacking else c)
        nodes += U1
        attacking = not attacking
    s.nodes = nodes
    return answer


@inner
def ladder_attack(b, h, s, limit):
    """A first move that takes the chain in a ladder, or 0: none, or the read gave up."""
    return s.first if read_ladder(b, h, True, s, limit) == CAPTURED else U0


@inner
def ladder_defence(b, h, s, limit):
    """A move that saves a chain in atari from the ladder, or 0: none, or the read gave up.

    For a chain with two liberties, 0 may also mean that it needs no defence.
    """
    return s.first if read_ladder(b, h, False, s, limit) == ESCAPES else U0


# --- The Python face ----------------------------------------------------------------------

_IF_ATTACKED, _IF_DEFENDED, _ATTACK, _DEFENCE = 0, 1, 2, 3


@kernel
def _ask(a, v, question, scratch, limit):
    """All questions in one entry point, because each would cost seconds to compile."""
    b, s = a[0], scratch[0]
    h = u64(b.chain[u64(v)])
    if question == _ATTACK:
        return ladder_attack(b, h, s, u64(limit))
    if question == _DEFENCE:
        return ladder_defence(b, h, s, u64(limit))
    return read_ladder(b, h, question == _IF_ATTACKED, s, u64(limit))


class LadderReader:
    """Reads ladders on positions, with memory of its own; `nodes` is the work of the last read."""

    def __init__(self, limit: int = LADDER_LIMIT) -> None:
        if limit < 0:
            raise ValueError("a negative limit")
        self.scratch = new_ladder_scratch()
        self.limit = limit

    @property
    def nodes(self) -> int:
        return int(self.scratch[0]["nodes"])

    def _ask(self, position: Position, p: int, question: int) -> int:
        check_stone(position, p)
        return int(_ask(position.record, p, question, self.scratch, self.limit))

    def read(self, position: Position, p: int, attacking: bool) -> int:
        """CAPTURED, ESCAPES or GAVE_UP for the chain at a point; `attacking`: attacker to move."""
        return self._ask(position, p, _IF_ATTACKED if attacking else _IF_DEFENDED)

    def attack(self, position: Position, p: int) -> int:
        """The first move that takes the chain at a point in a ladder, or PASS."""
        return self._ask(position, p, _ATTACK)

    def defence(self, position: Position, p: int) -> int:
        """A move that saves the chain in atari at a point, or PASS."""
        return self._ask(position, p, _DEFENCE)


def check_stone(position: Position, p: int) -> None:
    """ValueError unless there is a stone at the point."""
    if position.color_at(p) not in (BLACK, WHITE):
        raise ValueError("no stone there")
