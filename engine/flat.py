"""A flat Monte-Carlo player: no tree, the same number of playouts for every move.

It plays weakly, but it hears nothing except its playouts, so it is the fair way to compare
playout policies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.game import Game
from engine.geometry import PASS
from engine.playout.light import light_candidates
from engine.playout.policy import Policy, Runner


class Choice(NamedTuple):
    """A move and the share of playouts that it won."""

    point: int
    winrate: float


class FlatPlayer:
    """Chooses the move whose playouts win most often."""

    def __init__(self, policy: Policy, playouts: int, seed: int = 0) -> None:
        self.playouts = playouts
        self._runner = Runner(policy, seed)

    def consider(self, game: Game, color: int) -> Choice:
        """The best move by about `playouts` playouts in all; PASS if only own eyes are left."""
        candidates = light_candidates(game.position, color)
        legal = [p for p in candidates if game.why_illegal(color, p) is None]
        if not legal:
            return Choice(PASS, 0.5)
        last = game.moves[-1].point if game.moves else PASS
        each = max(1, self.playouts // len(legal))
        rates = self._runner.winrates(game.position, color, legal, each, game.komi, last)
        best = int(np.argmax(rates))
        return Choice(legal[best], float(rates[best]))
