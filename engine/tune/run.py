"""A tuning run: trials one batch after another, each a small match against every opponent."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from engine.cluster import Item, Workers
from engine.match.openings import Openings
from engine.match.players import Entrant
from engine.match.results import score_of
from engine.match.run import game_items
from engine.match.statistics import Score
from engine.match.terms import Terms
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


class TrialFailed(RuntimeError):
    """No game of a trial came to a result, so something is wrong with its players."""


class Asked(NamedTuple):
    """A trial that is to be played."""

    number: int
    values: Values
    contest: Contest


def tuned(base: Entrant, axes: Sequence[Axis], values: Values) -> Entrant:
    """The player with values; its name says them. They are told to its program, which goes on."""
    settings = tuple((axis.name, axis.text(values[axis.name])) for axis in axes)
    return replace(
        base, name=f"{base.name} {' '.join(option_words(axes, values))}", settings=settings
    )


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
    """Play trials until there are as many as wanted; what was finished before counts.

    A batch that was broken off leaves holes in the numbers, which are filled first.
    """
    while len(trials.done) < wanted:
        done = {trial.number for trial in trials.done}
        count = min(batch_size(workers, contest), wanted - len(done))
        numbers = islice((number for number in itertools.count() if number not in done), count)
        batch = [
            Asked(number, optimiser.ask(number), own_openings(contest, number))
            for number in numbers
        ]
        for trial in play_trials(trials.axes, batch, workers, keep):
            optimiser.tell(trial)
            trials.add(trial)
            on_trial(trial)


def own_openings(contest: Contest, trial: int) -> Contest:
    """The contest with openings that no other trial has: all trials together see many."""
    pairs = -(-contest.games // 2)
    return replace(contest, openings=lambda pair: contest.openings(trial * pairs + pair))


def play_trials(
    axes: Sequence[Axis], batch: Sequence[Asked], workers: Workers, keep: bool
) -> Iterator[Trial]:
    """The trials of a batch as they are finished.

    A trial whose games were all lost by faults says nothing of its values: TrialFailed.
    """
    opened = {
        number: Trial(number, values, {name: Score() for name in contest.opponents})
        for number, values, contest in batch
    }
    wanted = {number: contest.games * len(contest.opponents) for number, _, contest in batch}
    for item, result in workers.map(FUNCTION, _items(axes, batch, keep)):
        number, name = item["trial"], item["opponent"]
        before = opened[number]
        scores = {**before.scores, name: before.scores[name] + score_of([result])}
        trial = replace(before, scores=scores)
        if result["fault"]:
            reason = before.reason or result["reason"]
            trial = replace(trial, faults=before.faults + 1, reason=reason)
        opened[number] = trial
        if trial.score.games < wanted[number]:
            continue
        if trial.faults == wanted[number]:
            raise TrialFailed(f"all games of a trial were lost by a fault: {trial.reason}")
        yield opened.pop(number)


def _items(axes: Sequence[Axis], batch: Sequence[Asked], keep: bool) -> Iterator[Item]:
    """The games of a batch."""
    for number, values, contest in batch:
        player = tuned(contest.base, axes, values)
        for name, terms in contest.opponents.items():
            # Other seeds in each trial: the same games would be lost or won together.
            whole = replace(terms, first=player, seed=terms.seed + number)
            for game in game_items(whole, contest.games, contest.openings):
                yield {
                    "terms": whole.to_json(), "game": game.to_json(), "keep": keep,
                    "trial": number, "opponent": name,
                }  # fmt: skip
