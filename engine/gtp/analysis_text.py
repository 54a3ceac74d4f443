"""A search in the words of Leela Zero and KataGo, which most programs for analysis read.

Each report is one line. Sabaki is the strictest reader: no field without a value, no exponents,
every move with a variation that begins with it, and nothing after the last one but what was
asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist

from engine.geometry import BLACK, PASS, point
from engine.thought import Candidate, Thought
from engine.vertex import vertex_text

# Each point's mean owner after a move; nothing if there was no time to find out.
OwnersAfter = Callable[[int], Mapping[int, float]]

_NORMAL = NormalDist()
# Win rates of 0 and 1 have no place on the bell curve; these have.
_LEAST, _MOST = 0.001, 0.999


@dataclass
class Wish:
    """What a client wants to see."""

    color: int
    interval: float = 0.5  # seconds
    min_moves: int = 0
    max_moves: int = 10_000
    avoid: list[int] = field(default_factory=list)
    allow: list[int] = field(default_factory=list)
    root_info: bool = False
    ownership: bool = False
    ownership_spread: bool = False
    moves_ownership: bool = False
    moves_ownership_spread: bool = False
    line_visits: bool = False
    line_edge_visits: bool = False


def shown_candidates(thought: Thought, wish: Wish) -> list[Candidate]:
    """The moves to tell about: those that were searched, or the best if none was."""
    searched = sum(candidate.visits > 0 for candidate in thought.candidates)
    count = min(max(searched, wish.min_moves, 1), max(1, wish.max_moves))
    chosen = sorted(thought.candidates, key=lambda candidate: candidate.visits == 0)[:count]
    if chosen:
        return chosen
    value = thought.value
    return [Candidate(PASS, thought.visits, value, value, 1.0, 0.0, value, (PASS,))]


def line_text(candidate: Candidate) -> str:
    """The principal variation, which holds at least the move."""
    return " ".join(vertex_text(p) for p in candidate.line or (candidate.point,))


def line_visits_text(candidate: Candidate, wish: Wish) -> str:
    """How often each move of the principal variation was visited, if anybody asked. In a tree a
    position is reached in one way only, so KataGo's two counts are the same."""
    visits = " ".join(map(str, candidate.line_visits or (candidate.visits,)))
    wanted = (("pvVisits", wish.line_visits), ("pvEdgeVisits", wish.line_edge_visits))
    return "".join(f" {key} {visits}" for key, is_wanted in wanted if is_wanted)


def lz_line(thought: Thought, wish: Wish) -> str:
    """A report as Leela Zero writes it: integers up to 10000."""
    parts = []
    for order, candidate in enumerate(shown_candidates(thought, wish)):
        numbers = (candidate.value, candidate.prior, candidate.lower)
        winrate, prior, lower = (round(10_000 * _unit(x)) for x in numbers)
        parts.append(
            f"info move {vertex_text(candidate.point)} visits {candidate.visits} "
            f"winrate {winrate} prior {prior} lcb {lower} order {order} pv {line_text(candidate)}"
            f"{line_visits_text(candidate, wish)}"
        )
    return " ".join(parts)


def kata_line(
    thought: Thought, wish: Wish, size: int, owners_after: OwnersAfter | None = None
) -> str:
    """A report as KataGo writes it: fractions, scores, and the whole board if it was asked for."""
    parts = []
    for order, candidate in enumerate(shown_candidates(thought, wish)):
        parts.append(
            _kata_move(thought, candidate, order, size) + line_visits_text(candidate, wish)
        )
        if owners_after is not None and (found := owners_after(candidate.point)):
            owners = _from_mover(thought.color, found, size)
            parts += _boards(
                owners, "movesOwnership", wish.moves_ownership, wish.moves_ownership_spread
            )
    if wish.root_info:
        parts.append(_root_info(thought))
    parts += _boards(ownership(thought, size), "ownership", wish.ownership, wish.ownership_spread)
    return " ".join(parts)


def _kata_move(thought: Thought, candidate: Candidate, order: int, size: int) -> str:
    lead = _number(score_of(thought, candidate, size))
    spread = _number(thought.score_deviation)
    value, lower = _unit(candidate.value), _unit(candidate.lower)
    return (
        f"info move {vertex_text(candidate.point)} visits {candidate.visits} "
        f"utility {_number(2 * value - 1)} winrate {_number(value)} scoreMean {lead} "
        f"scoreStdev {spread} scoreLead {lead} scoreSelfplay {lead} "
        f"prior {_number(_unit(candidate.prior))} lcb {_number(lower)} "
        f"utilityLcb {_number(2 * lower - 1)} order {order} pv {line_text(candidate)}"
    )


def _boards(owners: list[float], key: str, wanted: bool, spread_wanted: bool) -> list[str]:
    """Owners, and how far games differ from them: a point is one side's or the other's."""
    parts = []
    if wanted:
        parts.append(f"{key} {' '.join(map(_number, owners))}")
    if spread_wanted:
        spreads = (math.sqrt(1 - x * x) for x in owners)
        parts.append(f"{key}Stdev {' '.join(map(_number, spreads))}")
    return parts


def _root_info(thought: Thought) -> str:
    value, lead = _unit(thought.value), _number(thought.score)
    return (
        f"rootInfo visits {thought.visits} utility {_number(2 * value - 1)} "
        f"winrate {_number(value)} scoreMean {lead} "
        f"scoreStdev {_number(thought.score_deviation)} scoreLead {lead} scoreSelfplay {lead}"
    )


def score_of(thought: Thought, candidate: Candidate, size: int) -> float:
    """The mover's lead after a move, estimated.

    The search counts points for the root only. A move that wins more or less often shifts that
    lead as far as it takes on a bell curve of the scores' spread.
    """
    shift = _quantile(candidate.value) - _quantile(thought.value)
    score = thought.score + thought.score_deviation * shift
    return max(-2.0 * size * size, min(2.0 * size * size, score))


def _quantile(value: float) -> float:
    return _NORMAL.inv_cdf(max(_LEAST, min(_MOST, value if math.isfinite(value) else 0.5)))


def ownership(thought: Thought, size: int) -> list[float]:
    """Each point's owner, row by row from the top left: 1 is the mover's, -1 the opponent's."""
    return _from_mover(thought.color, thought.owners, size)


def _from_mover(color: int, owners: Mapping[int, float], size: int) -> list[float]:
    sign = 1.0 if color == BLACK else -1.0
    return [
        max(-1.0, min(1.0, sign * owners.get(point(row, column), 0.0)))
        for row in reversed(range(size))
        for column in range(size)
    ]


def _unit(x: float) -> float:
    return max(0.0, min(1.0, x)) if math.isfinite(x) else 0.0


def _number(x: float) -> str:
    """A decimal number without an exponent; what is none is 0, and 0 has no sign."""
    return f"{round(x, 6) + 0.0 if math.isfinite(x) else 0.0:.6f}"
