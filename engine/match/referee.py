"""Who is right at the end of a game: the rules are ours, the dead stones are the players' word.

Both players are asked which stones are dead, and the board is counted by our own rules with each
answer. If the counts agree, that is the score; if only one player can tell, it is believed. A
dispute goes to a referee, a third program, where there is one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from engine.game import Game
from engine.match.contestants import Contestant, GtpContestant
from engine.match.gtp_client import EngineFault
from engine.match.players import Entrant
from engine.match.timing import MatchClock


def count_game(
    game: Game, players: Sequence[Contestant], referee: Entrant | None, patience: float
) -> tuple[float, str]:
    """The score from Black's side and how it was found."""
    scores = [score for player in players if (score := opinion(game, player)) is not None]
    if scores and max(scores) == min(scores):
        return scores[0], "count"
    can_tell = any(isinstance(player, GtpContestant) for player in players)
    judged = _judge(game, referee, patience) if referee and can_tell else None
    if judged is not None:
        return judged, "referee's count"
    if len(scores) == 2 and scores[0] * scores[1] > 0:
        return min(scores, key=abs), "count, margin disputed"
    return game.score(), "count of all stones, disputed" if scores else "count"


def opinion(game: Game, player: Contestant) -> float | None:
    """The score with the stones that a player calls dead."""
    try:
        found = player.dead(game)
        return None if found is None else game.score(*found)
    except (EngineFault, ValueError):
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
