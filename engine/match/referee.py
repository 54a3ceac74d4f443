"""Who is right at the end of a game: the rules are ours, the dead stones are the players' word.

Both players are asked which stones are dead, and the board is counted by our own rules with each
answer. If the counts agree, that is the score; if only one player can tell, it is believed. A
dispute goes to a referee, a third program, where there is one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import NamedTuple

from engine.game import Game
from engine.match.contestants import Contestant, GtpContestant
from engine.match.gtp_client import EngineFault
from engine.match.players import Entrant
from engine.match.timing import MatchClock


class Count(NamedTuple):
    """The score from Black's side and how it was found."""

    score: float
    how: str


def count_game(
    game: Game, said: Sequence[float | None], referee: Entrant | None, patience: float
) -> Count:
    """Count a game that is over by what the players said, if anything."""
    scores = [score for score in said if score is not None]
    if scores and max(scores) == min(scores):
        return Count(scores[0], "count")
    judged = _judge(game, referee, patience) if referee else None
    if judged is not None:
        return Count(judged, "referee's count")
    if len(scores) == 2 and scores[0] * scores[1] > 0:
        return Count(min(scores, key=abs), "count, margin disputed")
    return Count(game.score(), "count of all stones, disputed" if scores else "count")


def opinion(game: Game, player: Contestant) -> float | None:
    """The score with the stones that a player calls dead; None if it makes no sense."""
    try:
        found = player.dead(game)
        return None if found is None else game.score(*found)
    except ValueError:
        return None


def _judge(game: Game, referee: Entrant, patience: float) -> float | None:
    """The referee's score; None if it can't follow the game."""
    with contextlib.suppress(EngineFault):
        judge = GtpContestant(referee, None, patience, analyze=False)
        try:
            judge.new_game(game, MatchClock(None), seed=1)
            return opinion(game, judge)
        finally:
            judge.close()
    return None
