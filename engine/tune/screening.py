"""Which settings matter: all are tried at once, each at the one or the other end of its range.

A pair of games is between two opposite players: what is high with the first is low with the
second. So every game is a game of high against low for every setting, and the others are noise
that averages out.

Pairs come in blocks, dealt by a Hadamard matrix, a row for a pair and a column for a setting.
Within a block each setting is high as often as low, and any two are at the same end as often as
not: what the one does is never taken for the other's doing. What only two settings do together is
the same on both sides and cancels. What three do together may look like a fourth, so in each block
chance swaps the ends of some settings: then it helps the fourth here and harms it there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.cluster import Workers
from engine.match.statistics import Pairs, Score
from engine.tune.run import Asked, Contest, play_trials, tuned
from engine.tune.space import Axis, Values
from engine.tune.trials import Trial, Trials

PAIR = 2  # games
_SHARE_OF_WAY = 0.25  # to the better end, for each standard error


# --- The design ---------------------------------------------------------------------------


def block_size(settings: int) -> int:
    """How many pairs balance so many settings: the next power of two above."""
    return 1 << settings.bit_length()


def ends(axes: Sequence[Axis], seed: int, pair: int) -> Values:
    """The first player's values in a pair, each the low or the high end of its range."""
    size = block_size(len(axes))
    block, place = divmod(pair, size)
    chance = random.Random(f"screening {seed} {block}")
    row = chance.sample(range(size), size)[place]
    flips = chance.choices((0, 1), k=len(axes))
    return {
        axis.name: axis.high if ((row & column).bit_count() + flip) % 2 else axis.low
        for column, (axis, flip) in enumerate(zip(axes, flips, strict=True), 1)  # 0 is all alike
    }


def opposite(axes: Sequence[Axis], values: Values) -> Values:
    """The other end of each range."""
    return {axis.name: axis.low if values[axis.name] == axis.high else axis.high for axis in axes}


# --- What was found -----------------------------------------------------------------------


class Effect(NamedTuple):
    """How the high end of a setting did against the low one, whatever the others were."""

    axis: Axis
    score: Score
    pairs: Pairs

    @property
    def z(self) -> float:
        """How many standard errors the score is away from even."""
        return self.score.z(self.pairs)

    def elo(self) -> tuple[float, float, float]:
        """The Elo of the high end over the low one, with the ends of its 95% interval."""
        return self.score.elo(self.pairs)


def effects(axes: Sequence[Axis], trials: Sequence[Trial]) -> list[Effect]:
    """What each setting does, the clearest first."""
    found = []
    for axis in axes:
        score = Score()
        counts = [0] * 5
        for trial in trials:
            high = trial.values[axis.name] == axis.high
            pair = trial.score if high else trial.score.turned()
            score += pair
            if pair.games == PAIR:
                counts[round(2 * pair.points)] += 1
        pairs = counts[0], counts[1], counts[2], counts[3], counts[4]
        found.append(Effect(axis, score, pairs))
    return sorted(found, key=lambda effect: -abs(effect.z))


def worth_proving(found: Sequence[Effect]) -> Values:
    """Values of all settings for a match against the defaults.

    Each goes from its default towards its better end, the further the clearer it is which one that
    is: a quarter of the way for each standard error. So many small likelihoods add up, and what is
    only luck does not go far.
    """
    values = {}
    for axis, z in ((effect.axis, effect.z) for effect in found):
        start, end = axis.place(axis.default), 1.0 if z > 0 else 0.0
        share = min(1.0, abs(z) * _SHARE_OF_WAY)
        values[axis.name] = axis.value(start + share * (end - start))
    return values


# --- The games ----------------------------------------------------------------------------


def screen(
    contest: Contest,
    trials: Trials,
    games: int,
    seed: int,
    workers: Workers,
    keep: bool,
    on_trial: Callable[[Trial], None],
) -> None:
    """Play pairs until there are so many games; what was finished before counts.

    A trial is a pair. A worker that may `keep` programs has two of them and tells them each pair's
    values.
    """
    done = {trial.number for trial in trials.done}
    missing = (pair for pair in range(games // PAIR) if pair not in done)
    batch = [_asked(contest, trials.axes, seed, pair) for pair in missing]
    for trial in play_trials(trials.axes, batch, workers, keep):
        trials.add(trial)
        on_trial(trial)


def _asked(contest: Contest, axes: Sequence[Axis], seed: int, pair: int) -> Asked:
    """A pair as a trial: its values against their opposite, from an opening of its own."""
    values = ends(axes, seed, pair)
    other = tuned(contest.base, axes, opposite(axes, values))
    opponents = {name: replace(terms, second=other) for name, terms in contest.opponents.items()}
    opening = contest.openings(pair)
    whole = replace(contest, opponents=opponents, games=PAIR, openings=lambda _: opening)
    return Asked(pair, values, whole)
