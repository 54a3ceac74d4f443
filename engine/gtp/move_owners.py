"""Who owns the board after each move, for clients that ask (`movesOwnership`).

The search counts owners for its root alone. So a few playouts are made from the position after a
move when it is first shown; an analysis keeps what it found. That takes a while where many moves
are shown, so nothing new is looked at when somebody waits for the analysis to end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.geometry import PASS, opponent

if TYPE_CHECKING:
    from engine.parameters import Settings
    from engine.position import Position

_PLAYOUTS = 64
_SEED = 1


class MoveOwners:
    """The owners after a colour's moves in a position."""

    def __init__(self, settings: Settings, position: Position, color: int) -> None:
        from engine.playout.policy import Runner, named_policy

        size = position.size
        self._position, self._color = position, color
        self._runner = Runner(named_policy(settings.text("playouts", size), size), _SEED)
        self._found: dict[int, Mapping[int, float]] = {}

    def after(self, p: int, known_only: bool = False) -> Mapping[int, float]:
        """Each point's mean owner after a move: 1 is Black's, -1 is White's; nothing for a move
        that was not looked at if only what is known is wanted."""
        if p not in self._found:
            if known_only:
                return {}
            position = self._position.copy()
            if p != PASS:
                position.play(self._color, p, suicide=True)
            reply = opponent(self._color)
            _, self._found[p] = self._runner.sample(position, reply, _PLAYOUTS, last=p)
        return self._found[p]
