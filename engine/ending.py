"""The searches at the end of a game: which stones are dead, whether a pass keeps what there is,
and how dead stones come off the board.

They are made beside the search for a move, with a tree of their own, and play lopsided games to
the end too, where mercy would leave dead stones standing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import NamedTuple

from engine.endgame import Status, judge, sign
from engine.game import Game
from engine.geometry import PASS, opponent
from engine.parameters import Settings
from engine.passing import (
    dead_to_capture,
    hangs_on_dead,
    is_harmless,
    liberties_of_dead,
    neutral_points,
    safe_to_pass,
    settled,
    space_of_dead,
)
from engine.scoring import area_score
from engine.search import Limits, Search, area_komi

# A status needs so many simulations for each point of the board, and so many on small ones.
_STATUS_SIMS, _LEAST_STATUS_SIMS = 20, 4000
# Each of the two searches for it takes this part of the time there is.
_STATUS_TIME = 0.2
# A move that wins so often keeps what there is. A capture is played if it is as good as the best
# move, less this.
_HOLDS, _AS_GOOD = 0.5, 0.1
# A pass is checked when there is so much time for it, in seconds.
_LEAST_CHECK = 0.05
# What the searches may use, in MB.
_MEMORY = 64


class Judgement(NamedTuple):
    """Which stones are dead, and the owners of the playouts that say so."""

    status: Status
    owners: dict[int, float]


class EndSearch:
    """Looks at finished positions until `deadline`. `stop` may come from any thread."""

    def __init__(self, settings: Settings) -> None:
        self.deadline = math.inf
        self._search = Search(settings, memory=_MEMORY, to_the_end=True)
        self._judgement: tuple[object, Judgement] | None = None

    def stop(self) -> None:
        """End what is going on."""
        self._search.stop()

    # --- What is so ---------------------------------------------------------------------

    def judged(self, game: Game) -> Judgement:
        """The status with its map. One that was cut short is not kept for later."""
        place = (game.size, game.komi, game.rules, list(game.events))
        if self._judgement is not None and self._judgement[0] == place:
            return self._judgement[1]
        seconds = self._share(_STATUS_TIME)
        limits = Limits(_status_sims(game), seconds, early_stop=False)
        # A pass would end the game with all stones standing, which tells nothing.
        first, second = (
            self._search.think(game, side, limits, avoid=(PASS,))
            for side in (game.to_move, opponent(game.to_move))
        )
        owners = {p: (first.owners[p] + second.owners[p]) / 2 for p in first.owners}
        judgement = Judgement(judge(game.position, owners), owners)
        if first.ended == second.ended == "sims":
            self._judgement = (place, judgement)
        return judgement

    def still_won(self, game: Game, color: int, status: Status) -> bool:
        """Whether the game is as well decided when the opponent moves first: the owners of a
        search are those after our best move, which a pass gives away."""
        left = self.deadline - time.monotonic()
        if left < _LEAST_CHECK:
            return False
        after = game.replayed()
        after.play(color, PASS)
        seconds = left if math.isfinite(left) else 0.0
        limits = Limits(_status_sims(game), seconds, early_stop=False)
        reply = self._search.think(after, opponent(color), limits, avoid=(PASS,))
        second = judge(game.position, reply.owners)
        return set(second.dead) == set(status.dead) and safe_to_pass(
            game, color, second, reply.owners, agreed=True
        )

    def is_contested(self, game: Game, color: int) -> bool:
        """Whether somebody might call our stones dead and the enemy's alive, where taking the
        enemy's off costs nothing: by area."""
        if game.rules.scoring != "area":
            return False
        return hangs_on_dead(game.position, color, self.judged(game).status)

    # --- Taking dead stones off ----------------------------------------------------------

    def cleaning_move(self, game: Game, color: int) -> int | None:
        """A move that takes dead stones of the enemy off, or sees to it that they are dead; None
        if there are none, or none that can be taken without harm."""
        status, owners = self.judged(game)
        space = space_of_dead(game.position, opponent(color), status)
        if not space:
            open_ones = any(game.position.color_at(p) != color for p in status.doubtful)
            return self._keeping_move(game, color, status) if open_ones else None
        if not settled(game.position, status, owners, dame=False):
            return self._keeping_move(game, color, status)
        # A neutral point may be worth one, and the dead can wait.
        for p in neutral_points(game.position, status):
            if is_harmless(game, color, p, status):
                return p
        capture = dead_to_capture(game, color, status)
        return self._keeping_move(game, color, status, space) if capture is None else capture.point

    def _keeping_move(
        self, game: Game, color: int, status: Status, among: Collection[int] = ()
    ) -> int | None:
        """A move after which no point is lost and the dead are still dead: a capture if one is as
        good as the best; maybe only among some points."""
        legal = {*game.legal_points(color), PASS}
        wanted = game.replayed()
        # With this komi a single point decides, so the search cares for every stone.
        lead = area_score(game.position, status.dead)
        wanted.komi += lead - sign(color) / 2 - area_komi(game, color)
        limits = Limits(_status_sims(game), self._share(2 * _STATUS_TIME))
        avoid = {PASS} if not among else legal - set(among)
        thought = self._search.think(wanted, color, limits, avoid=avoid)
        best = thought.best
        if best is None or best.value < _HOLDS:
            return None
        captures = liberties_of_dead(game.position, opponent(color), status)
        good = [c for c in thought.candidates if c.lower >= best.lower - _AS_GOOD]
        return next((c.point for c in good if c.point in captures), best.point)

    # --- Limits -------------------------------------------------------------------------

    def _share(self, part: float) -> float:
        """A part of the seconds left for this move; 0, which is no limit, if there is none."""
        left = self.deadline - time.monotonic()
        return max(0.001, part * left) if math.isfinite(left) else 0.0


def _status_sims(game: Game) -> int:
    return max(_STATUS_SIMS * game.size * game.size, _LEAST_STATUS_SIMS)
