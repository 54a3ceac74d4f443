"""A match: hand out its games, keep their results, and stop when the answer is known."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.cluster import Item, Workers
from engine.match.lines import Line
from engine.match.openings import Openings
from engine.match.results import Results
from engine.match.statistics import Pairs, Score, Sprt
from engine.match.terms import GameItem, Terms
from engine.match.work import FUNCTION


@dataclass(frozen=True)
class Standing:
    """A match after a game, or before the first."""

    score: Score
    pairs: Pairs
    games: int  # wanted in all
    ratio: float | None  # of the sequential test
    decision: str | None
    seconds: float  # since this run began
    played: int  # in this run
    last: Line | None

    @property
    def seconds_left(self) -> float | None:
        """A guess at the time until the last game."""
        if not self.played:
            return None
        return self.seconds / self.played * max(0, self.games - self.score.games)


def game_items(terms: Terms, games: int, openings: Openings) -> Iterator[GameItem]:
    """All games of a match. With a handicap the first player is Black in all of them."""
    for number in range(games):
        first_is_black = number % 2 == 0 or terms.handicap > 0
        yield GameItem(number, first_is_black, openings(number // 2))


def play_match(
    results: Results,
    games: int,
    openings: Openings,
    workers: Workers,
    sprt: Sprt | None = None,
    keep: bool = True,
    minutes: float = math.inf,
    on_game: Callable[[Standing], None] = lambda standing: None,
) -> Standing:
    """Play the games that are missing in the results; the standing at the end.

    With a test, it ends as soon as the test does; games that are still being played then are
    given up. After so many minutes no game is begun any more. Workers that are not only ours must
    not `keep` programs from game to game.
    """
    terms = results.terms
    started = time.monotonic()
    played = 0

    def standing(last: Line | None) -> Standing:
        pairs = results.pairs()
        ratio = sprt.ratio(pairs) if sprt else None
        decision = sprt.decision(pairs) if sprt else None
        seconds = time.monotonic() - started
        return Standing(results.score(), pairs, games, ratio, decision, seconds, played, last)

    def items() -> Iterator[Item]:
        for game in game_items(terms, games, openings):
            if time.monotonic() - started > 60 * minutes:
                return
            if game.number not in results.lines:
                yield {"terms": terms.to_json(), "game": game.to_json(), "keep": keep}

    state = standing(None)
    if state.decision:
        return state
    for _, result in workers.map(FUNCTION, items()):
        if results.add(result):
            played += 1
            state = standing(results.lines[result["game"]])
            on_game(state)
            if state.decision:
                break
    return state
