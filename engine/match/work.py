"""A game as a work item: what a worker, here or on another machine, is asked to do.

A worker that only plays one match keeps its cores and its programs from game to game, which saves
their start; a program that was at fault is started anew. A worker of a cluster gives everything
back after each game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.match.contestants import Contestant, sit_down
from engine.match.cores import Claim, claim_cores
from engine.match.play import play_game
from engine.match.terms import FIRST, SECOND, GameItem, Terms

FUNCTION = "engine.match.work:play_item"


class Bench:
    """The cores and the programs of one match."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._claims: dict[str, Claim] = {}
        self._players: dict[str, Contestant] = {}

    def seat(self, who: str) -> Contestant:
        """A player, started if it doesn't run."""
        if who not in self._players:
            terms = self.terms
            entrant = terms.first if who == FIRST else terms.second
            self._players[who] = sit_down(
                entrant, terms.size, terms.playouts, self._cores(who), terms.patience, terms.analyze
            )
        return self._players[who]

    def _cores(self, who: str) -> list[int] | None:
        if self.terms.share_cores:
            return None
        # All at once, so that a game which waits for its second part holds nothing.
        if not self._claims:
            n = self.terms.cores
            claim = claim_cores(2 * n if self.terms.apart else n)
            cores = claim.cores
            self._claims = {FIRST: claim, SECOND: claim}
            if self.terms.apart and cores is not None and len(cores) >= 2:
                half = len(cores) // 2
                self._claims[SECOND] = Claim(cores[half:], [])
                claim.cores = cores[:half]
        return self._claims[who].cores

    def dismiss(self, who: str) -> None:
        """End a player's program."""
        player = self._players.pop(who, None)
        if player is not None:
            player.close()

    def close(self) -> None:
        for who in (FIRST, SECOND):
            self.dismiss(who)
        for claim in self._claims.values():
            claim.release()


_kept: Bench | None = None


def play_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Play the game of an item: `terms`, `game`, and whether to `keep` the programs."""
    global _kept
    terms, game = Terms.from_json(item["terms"]), GameItem.from_json(item["game"])
    keep = bool(item["keep"]) and not terms.fresh
    if _kept is not None and _kept.terms != terms:
        _kept.close()
        _kept = None
    bench = _kept if keep and _kept is not None else Bench(terms)
    _kept = bench if keep else _kept
    try:
        result = play_game(terms, game, bench.seat)
        if result["fault"]:
            bench.dismiss(result["fault"])
        return result
    finally:
        if not keep:
            bench.close()
