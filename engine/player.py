"""Who chooses the moves: today a player that moves at random but fills no own eye."""

from __future__ import annotations

import random

from engine.game import Game
from engine.geometry import PASS
from engine.playout.light import light_candidates


class RandomPlayer:
    """Plays every sensible legal move with the same chance; the same seed, the same games."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game, color: int) -> int:
        """A legal move that fills no own eye, or PASS if there is none."""
        candidates = light_candidates(game.position, color)
        legal = [p for p in candidates if game.why_illegal(color, p) is None]
        return self._random.choice(legal) if legal else PASS
