"""A game as a work item: what a worker, here or on another machine, is asked to do.

A worker that only plays one match keeps its cores and its programs from game to game, which saves
their start, even if they get other settings, as the trials of a tuner do; a program that was at
fault is started anew, and all are told to quit when the worker ends. A worker of a cluster gives
everything back after each game.
"""

from __future__ import annotations

import atexit
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.match.contestants import Contestant, GtpContestant, sit_down
from engine.match.cores import Claim, available_cores, claim_cores, pin
from engine.match.play import play_game
from engine.match.players import Entrant
from engine.match.terms import FIRST, SECOND, GameItem, Terms

FUNCTION = "engine.match.work:play_item"


class Bench:
    """The cores and the programs of one match."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._all_cores = available_cores()  # before a flat player pins us to some
        self._claims: dict[str, Claim] = {}
        self._players: dict[str, Contestant] = {}

    def fits(self, terms: Terms) -> bool:
        """Whether a match can be played here: the same as this one but for its players."""
        before = self.terms
        return terms == replace(before, first=terms.first, second=terms.second, seed=terms.seed)

    def take(self, terms: Terms) -> None:
        """Play another match that fits; programs that can do so go on."""
        self.terms = terms
        for who, player in list(self._players.items()):
            entrant = self._entrant(who)
            if player.entrant.can_become(entrant):
                player.entrant = entrant
            else:
                self.dismiss(who)

    def _entrant(self, who: str) -> Entrant:
        return self.terms.first if who == FIRST else self.terms.second

    def seat(self, who: str) -> Contestant:
        """A player, started if it doesn't run."""
        if who not in self._players:
            terms, entrant = self.terms, self._entrant(who)
            self._players[who] = sit_down(
                entrant, terms.size, terms.playouts, self._cores(who), terms.patience, terms.analyze
            )
        return self._players[who]

    def call_referee(self) -> Contestant:
        """A referee, on the cores of both players, who wait for its word."""
        terms = self.terms
        assert terms.referee is not None
        cores = [core for who in (FIRST, SECOND) for core in self._cores(who) or ()]
        return GtpContestant(terms.referee, cores, terms.patience, analyze=False)

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
        pin(0, self._all_cores)


_kept: Bench | None = None


@atexit.register
def _close_kept() -> None:
    global _kept
    if _kept is not None:
        _kept.close()
        _kept = None


def play_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Play the game of an item: `terms`, `game`, and whether to `keep` the programs."""
    global _kept
    terms, game = Terms.from_json(item["terms"]), GameItem.from_json(item["game"])
    keep = bool(item["keep"]) and not terms.fresh
    if _kept is not None and not (keep and _kept.fits(terms)):
        _close_kept()
    bench = _kept if keep and _kept is not None else Bench(terms)
    bench.take(terms)
    _kept = bench if keep else _kept
    try:
        result = play_game(terms, game, bench.seat, bench.call_referee)
        if result["fault"]:
            bench.dismiss(result["fault"])
        return result
    finally:
        if not keep:
            bench.close()
