"""What is known of moves before they are tried, for the search: models that it calls by address.

A PRIOR record belongs to one thread. The search says whose turn it is and calls `function`; the
answer is the legal moves with the pass, their probabilities, and the model's own values. Factor
models (FBT, LFR, MM) answer in compiled code. Any other model answers through Python, which is
slow but goes for everything that can rank moves.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from engine.board import BOARD, U0, U1, U2, u64
from engine.calls import address_of, array_at, call, record_at, routine
from engine.console import say
from engine.game import Move
from engine.geometry import AREA, PASS, POINTS, opponent
from engine.jit import inlined, inner
from engine.position import Position
from knowledge.extract.chains import first_liberty, other_liberty
from knowledge.extract.facts import (
    FACTS,
    HISTORY,
    LADDER,
    MOMENT,
    SAVES,
    SAVES_FREE,
    SET,
    TAKES,
    new_facts,
)
from knowledge.extract.position import extract_position
from knowledge.extract.reading import may_work
from knowledge.factors import score_moves
from knowledge.predictor import FactorPredictor, Predictor

_CURVE = 256
_COLUMNS = 64
_NONE = np.float32(0.0)
# A futile move is this much less likely: by the exponential of it.
_FUTILE = np.float32(4.0)
_UINT64, _FLOAT32 = np.dtype(np.uint64), np.dtype(np.float32)

PRIOR = np.dtype(
    [
        ("function", np.uint64),  # 0 for no knowledge
        ("board", np.uint64),  # addresses of a BOARD and a MOMENT
        ("moment", np.uint64),
        ("color", np.uint64),
        ("n", np.uint64),  # the answer: so many moves, the pass among them
        ("is_signed", np.uint64),  # whether a value of 0 is neither good nor bad
        ("points", np.uint16, AREA + 1),
        ("probability", np.float32, AREA + 1),
        ("score", np.float32, AREA + 1),
        # What a factor model needs: addresses, and how it is calibrated.
        ("set", np.uint64),
        ("facts", np.uint64),
        ("slots", np.uint64),
        ("n_slots", np.uint64),
        ("table", np.uint64),
        ("n_table", np.uint64),
        ("blocks", np.uint64),
        ("temperature", np.float32),
        ("n_curve", np.uint64),
        ("said", np.float32, _CURVE),
        ("seen", np.float32, _CURVE),
        ("ids", np.uint32, (AREA + 1, _COLUMNS)),
        # Two models in one: the routine that gives the probabilities, and the other one's PRIOR.
        ("likely", np.uint64),
        ("valued", np.uint64),
        ("is_futile", np.uint8, AREA + 1),  # whether a move only helps if a ladder works that fails
        ("failing", np.uint8, POINTS),  # where an atari begins or goes on with a ladder that fails
    ],
    align=True,
)


# --- Factor models ------------------------------------------------------------------------


@inner
def _honest(prior, p):
    """What a probability that the model says really means: straight pieces between points."""
    low, high = U0, prior.n_curve - U1
    while high - low > U1:
        middle = (low + high) >> U1
        if prior.said[middle] <= p:
            low = middle
        else:
            high = middle
    width = prior.said[high] - prior.said[low]
    share = (p - prior.said[low]) / width if width > _NONE else _NONE
    return prior.seen[low] + share * (prior.seen[high] - prior.seen[low])


@inner
def _write_probabilities(prior):
    """From scores to probabilities, by temperature and curve."""
    highest = prior.score[0]
    for i in range(prior.n):
        highest = max(highest, prior.score[i])
    total = _NONE
    for i in range(prior.n):
        p = np.exp((prior.score[i] - highest) / prior.temperature)
        prior.probability[i] = p
        total += p
    for i in range(prior.n):
        prior.probability[i] = _honest(prior, prior.probability[i] / total)


@inner
def _note_failed_ladders(b, c, f, failing, value):
    """Mark the ataris on enemy chains with two liberties that a ladder would have to follow up,
    and can't: they make the enemy stronger, which no pattern sees and no playout shows."""
    for j in range(f.n_weak):
        h = u64(f.weak[j])
        if u64(b.color[h]) != c and f.count[h] == U2:
            p, q = first_liberty(f, h), other_liberty(f, h)
            for _ in range(2):
                if f.mark[p] & LADDER == 0 and may_work(b, h, p, q):
                    failing[p] = value
                p, q = q, p


@inner
def _lower_futile(b, c, f, prior):
    """Ladders are read to their end, so a move that only helps if one works, and it doesn't, is
    worth much less than the model thinks: ataris, and extensions of chains that are lost.

    Playouts and RAVE like such moves as much as the model does, so the search is told, too."""
    _note_failed_ladders(b, c, f, prior.failing, 1)
    for i in range(f.n_moves):
        v = u64(prior.points[i])
        mark = f.mark[v]
        lost = (mark & SAVES != 0 and mark & SAVES_FREE == 0) or f.hopeless[v] != 0
        futile = (lost or prior.failing[v] != 0) and mark & TAKES == 0
        prior.is_futile[i] = futile
        if futile:
            prior.score[i] -= _FUTILE * prior.temperature
    prior.is_futile[f.n_moves] = 0
    _note_failed_ladders(b, c, f, prior.failing, 0)


@routine
def _factor_prior(address):
    prior = record_at(address, PRIOR)
    b, moment = record_at(prior.board, BOARD), record_at(prior.moment, MOMENT)
    s, f = record_at(prior.set, SET), record_at(prior.facts, FACTS)
    slots = array_at(prior.slots, prior.n_slots, _UINT64)
    table = array_at(prior.table, prior.n_table, _FLOAT32)
    n = extract_position(b, prior.color, moment, s, f, slots, prior.ids)
    prior.n = n + U1
    for i in range(n):
        prior.points[i] = f.points[i]
    prior.points[n] = PASS
    score_moves(table, prior.blocks, prior.ids, prior.n, s.columns, prior.score)
    if s.ladders != U0:
        _lower_futile(b, prior.color, f, prior)
    _write_probabilities(prior)


@inlined
def value_by_probability(probability, n):
    """What a move is worth to a model that has only probabilities of n moves: the logarithm of
    how much likelier than the average it is."""
    return np.log(max(np.float64(probability), 1e-9) * np.float64(n))


class Knowledge(Protocol):
    """What the search asks about moves, shared by all threads."""

    def new_prior(self, board: int, moment: int) -> Prior:
        """A thread's own record for the board and moment at these addresses."""


@dataclass(frozen=True, eq=False)
class Prior:
    """A thread's record, and all that must live as long as it does."""

    record: np.ndarray
    keeps: tuple[Any, ...] = ()


def _blank(board: int, moment: int) -> np.ndarray:
    record = np.zeros(1, PRIOR)
    record["board"], record["moment"] = board, moment
    return record


class NoKnowledge:
    """All moves are alike."""

    def new_prior(self, board: int, moment: int) -> Prior:
        return Prior(_blank(board, moment))


class FactorKnowledge:
    """An FBT, LFR or MM model."""

    def __init__(self, predictor: FactorPredictor) -> None:
        model = predictor.model
        if len(model.features) > _COLUMNS or model.calibration.curve.shape[1] > _CURVE:
            raise ValueError("a model with too many feature groups for the search")
        self.model = model
        self._table = predictor.table

    def new_prior(self, board: int, moment: int) -> Prior:
        model, facts = self.model, new_facts()
        record = _blank(board, moment)
        prior = record[0]
        prior["function"] = _factor_prior.address()
        prior["is_signed"] = model.kind == "lfr"
        prior["set"], prior["facts"] = address_of(model.features.record), address_of(facts)
        slots = model.features.slots
        prior["slots"], prior["n_slots"] = address_of(slots), len(slots)
        prior["table"], prior["n_table"] = address_of(self._table), len(self._table)
        prior["blocks"] = model.blocks
        prior["temperature"] = model.calibration.temperature
        said, seen = model.calibration.curve
        prior["n_curve"] = len(said)
        prior["said"][: len(said)], prior["seen"][: len(said)] = said, seen
        return Prior(record, (facts, model, self._table))


# --- Two models ---------------------------------------------------------------------------


@routine
def _joint_prior(address):
    """One model's probabilities with the other one's values. Both list the same moves in the same
    order, that of the board."""
    prior = record_at(address, PRIOR)
    call(prior.likely, prior)
    valued = record_at(prior.valued, PRIOR)
    valued.color = prior.color
    call(valued.function, valued)
    total = 0.0
    for i in range(valued.n):
        total += np.float64(valued.probability[i])
    for i in range(prior.n):
        value = np.float64(valued.score[i])
        if valued.is_signed == U0:
            value = value_by_probability(valued.probability[i] / total, valued.n)
        prior.score[i] = np.float32(value)


class JointKnowledge:
    """The probabilities of one factor model and the values of another: FBT on top of LFR's
    priors, as the paper has it."""

    def __init__(self, likely: FactorKnowledge, valued: FactorKnowledge) -> None:
        self._likely, self._valued = likely, valued

    def new_prior(self, board: int, moment: int) -> Prior:
        first = self._likely.new_prior(board, moment)
        second = self._valued.new_prior(board, moment)
        prior = first.record[0]
        prior["likely"], prior["function"] = prior["function"], _joint_prior.address()
        prior["valued"] = address_of(second.record)
        prior["is_signed"] = 1
        return Prior(first.record, (*first.keeps, second))


# --- Any other model ----------------------------------------------------------------------


class _Turn:
    """As much of a game as a model looks at: the position, whose turn it is, the last moves."""

    def __init__(self, position: Position, color: int, moment: np.void) -> None:
        self.position, self.to_move, self.komi = position, color, 0.0
        known = [int(p) for p in moment["moves"]]
        number = int(moment["number"])
        points = [PASS] * max(0, number - HISTORY) + known[: min(number, HISTORY)][::-1]
        side = color
        moves = []
        for p in reversed(points):
            side = opponent(side)
            moves.append(Move(side, p))
        self.moves = moves[::-1]


class RankedKnowledge:
    """A model that answers in Python, through `rank`: every question takes the GIL."""

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor

    def new_prior(self, board: int, moment: int) -> Prior:
        record = _blank(board, moment)

        def answer(_: int) -> None:
            self._answer(record[0], board, moment)

        callback = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(answer)
        record["function"] = ctypes.cast(callback, ctypes.c_void_p).value
        return Prior(record, (callback,))

    def _answer(self, prior: np.void, board: int, moment: int) -> None:
        position = Position(2)
        position.record[:] = _copy_from(board, BOARD)
        turn = _Turn(position, int(prior["color"]), _copy_from(moment, MOMENT)[0])
        ranked = self.predictor.rank(turn, turn.to_move)  # type: ignore[arg-type]
        n = len(ranked.points)
        prior["n"] = n
        prior["points"][:n] = ranked.points
        prior["probability"][:n] = ranked.probabilities
        prior["score"][:n] = ranked.scores


def _copy_from(address: int, dtype: np.dtype) -> np.ndarray:
    """A copy of the record at an address."""
    return np.frombuffer(ctypes.string_at(address, dtype.itemsize), dtype).copy()


def knowledge_of(predictor: Predictor | None, valued: Predictor | None = None) -> Knowledge:
    """What the search asks: a model or none; with `valued`, that model's values beside them.

    Only factor models can be joined. Where the first is another one, or none, the second is asked
    alone, and somebody hears of it.
    """
    if isinstance(valued, FactorPredictor):
        if isinstance(predictor, FactorPredictor):
            return JointKnowledge(FactorKnowledge(predictor), FactorKnowledge(valued))
        say(f"{valued.model.kind} can't be joined with that model and is used alone.")
        return FactorKnowledge(valued)
    if predictor is None:
        return NoKnowledge()
    if isinstance(predictor, FactorPredictor):
        return FactorKnowledge(predictor)
    return RankedKnowledge(predictor)
