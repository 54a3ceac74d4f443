"""Searches without chance: playouts and knowledge that a checksum of the position decides.

The same rules are there twice: for the engine, which calls them by address, and for the twin.
They look at the last two moves as well, so that a wrong history shows.
"""

from __future__ import annotations

import ctypes
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.board import BOARD
from engine.game import Game, Move
from engine.geometry import PASS, point, row_and_column
from engine.parameters import Settings
from engine.playout.routines import PLAY
from engine.playout.run import WORK
from engine.position import Position
from engine.priors import RankedKnowledge
from engine.search import Search, area_komi
from engine.tree import (
    EXPANDED,
    ILLEGAL,
    LEGAL,
    LOST,
    RAVE_BITS,
    RAVE_MASK,
    VALUE_BITS,
    VALUE_MASK,
    WON,
    Arena,
)
from knowledge.factors import Ranked
from tests.naive import board as naive
from tests.naive.board import NaiveGame
from tests.naive.mcts import At, Known, NaiveSearch, Node, Plan, no_knowledge
from tests.positions import grid_of

# The defaults of the engine are chosen by games and may change; these are the twin's.
LIGHT = dict(
    knowledge="none", playouts="light", threads=1, seed=1, memory=16, c_puct=0.5,
    cutoff=0.001, expand_early=4, expand_at=4, rave_equivalence=1500.0, even_prior=5.0,
)  # fmt: skip


def settings_of(**chosen: Any) -> Settings:
    """Settings for quick tests: even knowledge, light playouts, and what is given."""
    result = Settings()
    for name, value in (LIGHT | chosen).items():
        result.set(name, value)
    return result


def at_of(p: int) -> At:
    """A point as the twin names it."""
    return None if p == PASS else row_and_column(p)


def point_of(at: At) -> int:
    return PASS if at is None else point(*at)


# --- What is decided by checksums ---------------------------------------------------------


def checksum(*parts: object) -> int:
    return zlib.crc32(repr(parts).encode())


def _last_two(history: Sequence[At]) -> tuple[int, int]:
    last, before = [PASS, PASS, *(point_of(at) for at in history)][:-3:-1]
    return last, before


def playout_length(grid: np.ndarray, color: int, last: int, before: int) -> int:
    return checksum("length", grid.tobytes(), color, last, before) % 9


def playout_choice(grid: np.ndarray, color: int, count: int) -> int:
    """Which of the legal moves in order, or their number for a pass."""
    return checksum("choice", grid.tobytes(), color) % (count + 1)


def move_weight(seed: int, grid: np.ndarray, color: int, last: int, before: int, p: int) -> float:
    """A few moves are much likelier than others."""
    number = checksum("weight", seed, grid.tobytes(), color, last, before, p) % 1000
    return 1.0 + (number / 100.0) ** 3


def weigh(
    seed: int, grid: np.ndarray, color: int, history: Sequence[At], points: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and signed values of moves."""
    last, before = _last_two(history)
    weights = np.array([move_weight(seed, grid, color, last, before, p) for p in points])
    scores = [checksum("score", seed, grid.tobytes(), color, p) % 201 - 100 for p in points]
    return (weights / weights.sum()).astype(np.float32), np.array(scores, np.float32) / 10


# --- For the engine -----------------------------------------------------------------------


class FixedPlayout:
    """A playout of a few moves, which the kernels call by address."""

    def __init__(self) -> None:
        self._callback = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(self._play)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value

    @staticmethod
    def _play(address: int) -> None:
        play = _record_at(address, PLAY)
        position = Position(2)
        position.record = _record_at(int(play["board"][0]), BOARD)
        work = _record_at(int(play["work"][0]), WORK)[0]
        color = int(play["color"][0])
        last, before = int(play["last"][0]), int(play["before"][0])
        length = playout_length(grid_of(position), color, last, before)
        for i in range(length):
            legal = position.legal_points(color)
            choice = playout_choice(grid_of(position), color, len(legal))
            work["moves"][i] = legal[choice] if choice < len(legal) else PASS
            position.play(color, int(work["moves"][i]))
            color = 3 - color
        work["n_moves"] = length


def _record_at(address: int, dtype: np.dtype) -> np.ndarray:
    """The very record at an address, not a copy."""
    return np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(address), dtype)


class FixedPredictor:
    """Knowledge for the engine, as any model that answers in Python."""

    kind = "fixed"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def rank(self, turn: Any, color: int) -> Ranked:
        points = [*turn.position.legal_points(color), PASS]
        history = [at_of(move.point) for move in turn.moves]
        p, scores = weigh(self.seed, grid_of(turn.position), color, history, points)
        return Ranked(np.array(points), scores, p)


def fixed_search(
    settings: Settings, size: int, knowledge_seed: int | None, signed: bool = False
) -> Search:
    """A search with the fixed playout, and with fixed knowledge unless the seed is None."""
    search = Search(settings)
    search._make(size)
    playout = FixedPlayout()
    for worker in search._workers:
        worker.play["function"] = playout.address
        if knowledge_seed is not None:
            place = [int(worker.prior.record[name][0]) for name in ("board", "moment")]
            knowledge = RankedKnowledge(FixedPredictor(knowledge_seed))  # type: ignore[arg-type]
            worker.prior = knowledge.new_prior(*place)
            worker.prior.record["is_signed"] = signed
    search.kept_alive = playout  # type: ignore[attr-defined]
    return search


# --- For the twin -------------------------------------------------------------------------


def _naive_playout(game: NaiveGame, color: int, history: list[At]) -> list[At]:
    moves: list[At] = []
    for _ in range(playout_length(game.grid, color, *_last_two(history))):
        legal = [
            at
            for at in np.ndindex(*game.grid.shape)
            if naive.is_legal(game.grid, game.ko, *at, color, False)
        ]
        choice = playout_choice(game.grid, color, len(legal))
        moves.append(legal[choice] if choice < len(legal) else None)
        game.play(color, moves[-1])
        color = 3 - color
    return moves


def naive_game(game: Game) -> NaiveGame:
    """The twin of a game, with its whole history."""
    result = NaiveGame(game.size, game.rules.ko, game.rules.suicide)
    replayed = Game(game.size, game.komi, game.rules)
    for event in game.events:
        if isinstance(event, Move):
            result.play(event.color, at_of(event.point))
            replayed.play(*event)
        else:
            replayed.set_up(event.black, event.white, event.empty, event.to_move)
            result.grid, result.ko = grid_of(replayed.position), naive.NO_KO
            result.history.append((result.grid.tobytes(), event.to_move))
    return result


def naive_search(
    plan: Plan, game: Game, color: int, knowledge_seed: int | None, signed: bool = False
) -> NaiveSearch:
    def knowledge(grid: np.ndarray, mover: int, legal: list[At], history: list[At]) -> Known:
        points = [point_of(at) for at in legal]
        p, scores = weigh(knowledge_seed or 0, grid, mover, history, points)
        return Known(legal, list(p), list(scores), signed)

    return NaiveSearch(
        plan,
        naive_game(game),
        color,
        area_komi(game, color),
        [at_of(move.point) for move in game.moves],
        _naive_playout,
        no_knowledge if knowledge_seed is None else knowledge,
    )


# --- Comparing ----------------------------------------------------------------------------


def same_tree(arena: Arena, root: Node, by_prior: bool = False) -> Counter[str]:
    """Assert that a tree is its twin, node by node; returns how many nodes of which kind."""
    waiting = [(0, root, "")]
    kinds: Counter[str] = Counter()
    for node, twin, line in waiting:
        stats, rave, state = int(arena.stats[node]), int(arena.rave[node]), int(arena.state[node])
        found = {
            "visits": stats >> int(VALUE_BITS),
            "value": stats & int(VALUE_MASK),
            "won": bool(state & WON),
            "lost": bool(state & LOST),
            "expanded": bool(state & EXPANDED),
        }
        expected = {name: getattr(twin, name) for name in found if name != "expanded"}
        expected["expanded"] = twin.children is not None
        if node:
            found |= {
                "move": at_of(int(arena.move[node])),
                "prior": arena.prior[node],
                "rave_visits": rave >> int(RAVE_BITS),
                "rave_value": rave & int(RAVE_MASK),
                "illegal": bool(state & ILLEGAL),
                "legal": bool(state & LEGAL),
            }
            if by_prior:
                found |= {"games": arena.games[node], "start": arena.start[node]}
            expected |= {name: getattr(twin, name) for name in found if name not in expected}
        assert found == expected, f"after the moves {line or 'none'}"
        kinds.update(name for name in ("won", "lost", "illegal") if getattr(twin, name))
        children = twin.children or []
        assert int(arena.count[node]) == len(children)
        first = int(arena.first[node])
        waiting += [
            (first + i, child, f"{line} {child.move or 'pass'}") for i, child in enumerate(children)
        ]
    return kinds + Counter(nodes=len(waiting))
