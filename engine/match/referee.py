"""Who is right at the end of a game: the rules are ours, the dead stones are the players' word.

Both players are asked which stones are dead, and the board is counted by our own rules with each
answer. If the counts agree, that is the score. If only one player can tell, it is believed as long
as its word does not change the winner. Such a word, and any dispute, goes to a referee, a third
program, where there is one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.game import Game
from engine.geometry import BLACK, WHITE
from engine.match.contestants import Contestant
from engine.match.gtp_client import EngineFault
from engine.match.timing import MatchClock

CallReferee = Callable[[], Contestant]  # starts a program, which is for this game alone


class Opinion(NamedTuple):
    """What a player thinks the score is, from Black's side; None if it can't tell."""

    name: str
    score: float | None


class Count(NamedTuple):
    """The score from Black's side and how it was found."""

    score: float
    how: str


def count_game(game: Game, said: Sequence[Opinion], call_referee: CallReferee | None) -> Count:
    """Count a game that is over by what the players said, if anything."""
    names = [name for name, score in said if score is not None]
    scores = [score for _, score in said if score is not None]
    decisive = len(scores) == 1 and winner_of(scores[0]) != winner_of(game.score())
    if len(set(scores)) == 1 and not decisive:
        return Count(scores[0], "count")
    judged = _judge(game, call_referee) if call_referee else None
    if judged is not None:
        return Count(judged, "referee's count")
    if decisive:
        return Count(scores[0], f"count by {names[0]} alone")
    if len(scores) == 2 and scores[0] * scores[1] > 0:
        return Count(min(scores, key=abs), "count, margin disputed")
    return Count(game.score(), "count of all stones, disputed" if scores else "count")


def winner_of(score: float) -> int:
    """The colour that a score from Black's side is good for; 0 for a draw."""
    return 0 if score == 0 else BLACK if score > 0 else WHITE


def score_by(player: Contestant, game: Game) -> float | None:
    """The score with the stones that a player calls dead; None if it can't tell."""
    try:
        found = player.dead(game)
        return None if found is None else game.score(*found)
    except ValueError:
        return None


def _judge(game: Game, call_referee: CallReferee) -> float | None:
    """The referee's score; None if it can't follow the game."""
    with contextlib.suppress(EngineFault):
        judge = call_referee()
        try:
            judge.new_game(game, MatchClock(None), seed=1)
            return score_by(judge, game)
        finally:
            judge.close()
    return None
