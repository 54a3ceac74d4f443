"""Counting a game: who owns each point, area and territory, and the result by the rules.

Nobody here decides which stones are dead: the caller says so, by any stone of each dead chain.
The kernel `find_owners` takes the dead off in thought and gives every empty region to the
colour that alone borders on it. Everything else is adding up, always Black minus White.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from engine.board import S, U0, U1, U3, u64
from engine.geometry import (
    AREA,
    BLACK,
    EMPTY,
    OFF,
    PASS,
    POINTS,
    STRIDE,
    WHITE,
    opponent,
)
from engine.jit import inner, kernel
from engine.position import Position
from engine.rules import Rules
from engine.vertex import vertex_text

# What a stone can be marked as, by point.
DEAD, SEKI = 1, 2
_UNSEEN = 0


# --- Kernels ------------------------------------------------------------------------------


@inner
def find_owners(b, marks, owner, queue):
    """Write the owner of every point: BLACK, WHITE, EMPTY for nobody, OFF outside the board.

    Stones marked DEAD count as empty points. A region that touches a stone marked SEKI is
    nobody's. `marks` and `owner` go by point; `queue` is room for AREA points.
    """
    for v in range(POINTS):
        owner[v] = _UNSEEN if b.color[v] == EMPTY or marks[v] == DEAD else b.color[v]
    for row in range(b.size):
        for column in range(b.size):
            v = u64((row + 1) * STRIDE + column + 1)
            if owner[v] == _UNSEEN:
                _own_region(marks, owner, queue, v)


@inner
def _own_region(marks, owner, queue, start):
    """Give the unseen region around a point to the colour that alone borders on it."""
    queue[0] = start
    owner[start] = EMPTY
    borders = U0
    done, end = U0, U1
    while done < end:
        v = u64(queue[done])
        done += U1
        for n in (v - S, v - U1, v + U1, v + S):
            if owner[n] == _UNSEEN:
                owner[n] = EMPTY
                queue[end] = n
                end += U1
            elif owner[n] == BLACK or owner[n] == WHITE:
                # A stone in seki counts as both colours: nobody owns what it borders.
                borders |= U3 if marks[n] == SEKI else u64(owner[n])
    if borders == U0 or borders == U3:
        return
    for i in range(end):
        owner[u64(queue[i])] = borders


@kernel
def _owners(a, marks, owner, queue):
    find_owners(a[0], marks, owner, queue)


# --- Who owns what ------------------------------------------------------------------------


def owners(
    position: Position, dead: Iterable[int] = (), seki: Iterable[int] = ()
) -> dict[int, int]:
    """The owner of each point of the board: BLACK, WHITE, or EMPTY where it is nobody's."""
    _, owner = _marks_and_owners(position, dead, seki)
    return {p: int(owner[p]) for p in position.points()}


def area_score(position: Position, dead: Iterable[int] = ()) -> int:
    """Area: living stones and what they alone surround. With no dead stones, Tromp-Taylor."""
    _, owner = _marks_and_owners(position, dead, ())
    return _balance(owner)


def territory_score(position: Position, dead: Iterable[int] = (), seki: Iterable[int] = ()) -> int:
    """Territory: surrounded points, prisoners, and the dead stones as further prisoners.

    What stones in seki surround is no territory; name any stone of each chain in seki.
    """
    marks, owner = _marks_and_owners(position, dead, seki)
    color = position.record[0]["color"]
    is_dead = marks == DEAD
    territory = _balance(owner[(color == EMPTY) | is_dead])
    prisoners = position.prisoners(BLACK) - position.prisoners(WHITE)
    return territory + prisoners - _balance(color[is_dead])


def _balance(colors: np.ndarray) -> int:
    """How many more entries are black than white."""
    return int(np.count_nonzero(colors == BLACK) - np.count_nonzero(colors == WHITE))


def _marks_and_owners(
    position: Position, dead: Iterable[int], seki: Iterable[int]
) -> tuple[np.ndarray, np.ndarray]:
    marks = np.zeros(POINTS, np.uint8)
    for mark, name, points in ((DEAD, "dead", dead), (SEKI, "in seki", seki)):
        for p in points:
            if position.color_at(p) not in (BLACK, WHITE):
                raise ValueError(f"no stone to be {name} at {_place(position, p)}")
            if marks[p] not in (0, mark):
                raise ValueError(f"a chain both dead and in seki at {_place(position, p)}")
            if not marks[p]:
                marks[position.chain(p)[0]] = mark
    owner = np.empty(POINTS, np.uint8)
    _owners(position.record, marks, owner, np.empty(AREA, np.uint16))
    return marks, owner


def _place(position: Position, p: int) -> str:
    return "a point off the board" if position.color_at(p) == OFF else vertex_text(p)


# --- By the rules -------------------------------------------------------------------------


class Counted(Protocol):
    """What counting needs to know of a game."""

    @property
    def position(self) -> Position: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def komi(self) -> float: ...
    @property
    def handicap(self) -> int: ...
    @property
    def moves(self) -> Sequence[tuple[int, int]]: ...


def pass_stones(moves: Sequence[tuple[int, int]], handicap: int = 0) -> int:
    """The stones that White handed over by passing, minus those that Black did.

    Each pass gives the opponent one prisoner. White moves last, so White hands over one more
    if Black was last to move (placing a handicap is a move of Black's).
    """
    given = {BLACK: 0, WHITE: 0}
    last = BLACK if handicap else WHITE
    for color, p in moves:
        given[color] += p == PASS
        last = color
    given[WHITE] += opponent(last) == WHITE
    return given[WHITE] - given[BLACK]


def score_game(game: Counted, dead: Iterable[int] = (), seki: Iterable[int] = ()) -> float:
    """Black's result by the game's rules: points, komi, handicap bonus or pass stones.

    Only a territory count without pass stones asks about seki: elsewhere its eyes count.
    """
    rules = game.rules
    points: int
    if rules.scoring == "area":
        points = area_score(game.position, dead) - rules.bonus(game.handicap)
    elif rules.pass_stones:
        points = territory_score(game.position, dead) + pass_stones(game.moves, game.handicap)
    else:
        points = territory_score(game.position, dead, seki)
    return points - game.komi
