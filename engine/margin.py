"""Playing for a margin when ahead.

Who only plays to win gives points away while the win looks safe, and what looks safe to playouts is
not always: a group that dies after all then costs the game. So a player that is ahead counts with a
komi that its lead still beats in most playouts. What it then says of its moves is turned back into
chances by the true komi, so that nobody is told less than is so.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

from engine.endgame import sign
from engine.thought import Thought

_NORMAL = NormalDist()
# Chances are kept this far away from 0 and 1, where the scale has no end.
_EDGE = 1e-4
# Fewer results than this say nothing about the tails of the score.
_LEAST_RESULTS = 100


def own_leads(thought: Thought) -> list[tuple[float, int]]:
    """The mover's leads with komi and how often each came out, the worst first."""
    total = sum(thought.histogram.values())
    mean = sum(lead * count for lead, count in thought.histogram.items()) / max(total, 1)
    side = sign(thought.color)
    return sorted(
        (side * (lead - mean) + thought.score, count) for lead, count in thought.histogram.items()
    )


def safe_lead(thought: Thought, share: float) -> float | None:
    """The lead that all but this share of the results exceed, 0 if that is none; None if a search
    was over too soon to tell."""
    leads = own_leads(thought)
    total = sum(count for _, count in leads)
    if total < _LEAST_RESULTS:
        return None
    below = 0
    for lead, count in leads:
        below += count
        if below > share * total:
            return max(0.0, lead)
    return 0.0


def with_true_values(thought: Thought) -> Thought:
    """A thought whose playouts were counted with another komi, its values by the true one.

    The share of results that the true komi wins is known for the whole search. Every move's value
    is moved by as much, on the scale of the normal distribution.
    """
    leads = own_leads(thought)
    total = sum(count for _, count in leads)
    if total < _LEAST_RESULTS:
        return thought
    won = sum(count for lead, count in leads if lead > 0) / total
    shift = _place(won) - _place(thought.value)

    def true(value: float) -> float:
        return _NORMAL.cdf(_place(value) + shift)

    candidates = tuple(
        replace(c, value=true(c.value), lower=true(c.lower), rave_value=true(c.rave_value))
        for c in thought.candidates
    )
    return replace(thought, value=won, candidates=candidates)


def _place(chance: float) -> float:
    return _NORMAL.inv_cdf(min(max(chance, _EDGE), 1.0 - _EDGE))
