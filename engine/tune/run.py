"""A tuning run: trials one batch after another, each a small match against every opponent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.cluster import Item, Workers
from engine.match.openings import Openings
from engine.match.players import Entrant
from engine.match.run import game_items
from engine.match.statistics import Score
from engine.match.terms import DRAW, FIRST, Terms
from engine.match.work import FUNCTION
from engine.tune.optimiser import Optimiser
from engine.tune.space import Axis, Values, option_words
from engine.tune.trials import Trial, Trials


@dataclass(frozen=True)
class Contest:
    """What a trial plays: the tuned player, and its opponents by name."""

    base: Entrant
    opponents: dict[str, Terms]  # the player to be tuned is the first in each
    games: int  # against each opponent
    openings: Openings


def tuned(base: Entrant, axes: Sequence[Axis], values: Values) -> Entrant:
    """The player with values; its name says them."""
    words = option_words(axes, values)
    return Entrant(f"{base.name} {' '.join(words)}", (*base.command, *words))


def batch_size(workers: Workers, contest: Contest) -> int:
    """How many trials at once keep all workers busy."""
    games = contest.games * len(contest.opponents)
    return max(1, -(-workers.count // games))


def tune(
    contest: Contest,
    trials: Trials,
    wanted: int,
    workers: Workers,
    optimiser: Optimiser,
    keep: bool,
    on_trial: Callable[[Trial], None],
) -> None:
    """Play trials until there are as many as wanted; what was finished before counts."""
    while len(trials.done) < wanted:
        first = len(trials.done)
        count = min(batch_size(workers, contest), wanted - first)
        batch = {first + i: optimiser.ask(first + i) for i in range(count)}
        for trial in _play(contest, trials.axes, batch, workers, keep):
            optimiser.tell(trial)
            trials.add(trial)
            on_trial(trial)


def _play(
    contest: Contest,
    axes: Sequence[Axis],
    batch: dict[int, Values],
    workers: Workers,
    keep: bool,
) -> Iterator[Trial]:
    """The trials of a batch as they are finished."""

    def items() -> Iterator[Item]:
        for number, values in batch.items():
            player = tuned(contest.base, axes, values)
            for name, terms in contest.opponents.items():
                # Each trial has games of its own: the same would be lost or won together.
                whole = replace(terms, first=player, seed=terms.seed + number)
                for game in game_items(whole, contest.games, contest.openings):
                    yield {
                        "terms": whole.to_json(), "game": game.to_json(), "keep": keep,
                        "trial": number, "opponent": name,
                    }  # fmt: skip

    scores = {number: {name: Score() for name in contest.opponents} for number in batch}
    wanted = contest.games * len(contest.opponents)
    for item, result in workers.map(FUNCTION, items()):
        number, winner = item["trial"], result["winner"]
        one = Score(winner == FIRST, winner == DRAW, winner not in (FIRST, DRAW))
        scores[number][item["opponent"]] += one
        trial = Trial(number, batch[number], dict(scores[number]))
        if trial.score.games == wanted:
            yield trial
