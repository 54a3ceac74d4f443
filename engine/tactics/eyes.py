"""Eyes of one point, told from the stones around them: real, false, or no eye at all.

A point is an eye of a colour if all its neighbours are stones of that colour or off the
board. It is false if the enemy holds two of its diagonals, or one of them at the edge: then
the stones around it are not all connected there, and the enemy can force the owner to fill it.

The diagonals are a rule of thumb that looks at single points only. Two such "false" eyes are
both real if their stones are connected the other way round (the two-headed dragon), and an
eye called real can be undone while the stones around it are in atari. Playouts need no more
than this; `life.py` has the exact answer for whole chains.
"""

from __future__ import annotations

from enum import IntEnum

from engine.board import S, U0, U1, U2, diagonals_hold, is_eye, u64
from engine.geometry import BLACK, EMPTY, WHITE
from engine.jit import inner, kernel
from engine.position import Position

NO_EYE, FALSE_EYE, REAL_EYE = U0, U1, U2


@inner
def is_enclosed(b, v, c):
    """Whether all neighbours of a point are stones of colour c or off the board."""
    walls = b.color[v - S] & b.color[v - U1] & b.color[v + U1] & b.color[v + S]
    return (u64(walls) & c) != U0


@inner
def is_false_eye(b, v, c):
    """Whether an empty point is an eye of colour c whose diagonals don't hold."""
    return is_enclosed(b, v, c) and not diagonals_hold(b, v, c)


@inner
def eye_kind(b, v, c):
    """NO_EYE, FALSE_EYE or REAL_EYE: what an empty point is to colour c."""
    if is_eye(b, v, c):
        return REAL_EYE
    return FALSE_EYE if is_false_eye(b, v, c) else NO_EYE


# --- The Python face ----------------------------------------------------------------------


@kernel
def _eye_kind(a, v, c):
    return eye_kind(a[0], u64(v), u64(c))


class Eye(IntEnum):
    """What an empty point is to a colour."""

    NONE = int(NO_EYE)
    FALSE = int(FALSE_EYE)
    REAL = int(REAL_EYE)


def eye_at(position: Position, color: int, p: int) -> Eye:
    """What a point is to a colour; a point with a stone is no eye."""
    if color not in (BLACK, WHITE):
        raise ValueError("not a colour")
    if position.color_at(p) != EMPTY:
        return Eye.NONE
    return Eye(int(_eye_kind(position.record, p, color)))
