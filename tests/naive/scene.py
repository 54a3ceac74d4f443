"""What the twins of the features look at: a moment of a game, its chains, and a move in it.

Everything comes from flood fills and from playing the move on a copy. Only ladders are asked for
from outside, because reading them naively takes long: `Captured` says whether a chain is taken,
and `read_naively` is the slow answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tests.naive.atari import chain, neighbours
from tests.naive.board import EMPTY, NO_KO, after_move, empty_grid, is_legal, ko_after
from tests.naive.ladders import Budget, State, attacker_captures, defences, defender_escapes
from tests.naive.nakade import vital_places

Place = tuple[int, int]
# Whether the chain at a place is captured in a ladder; the flag says that the attacker begins.
Captured = Callable[[State, Place, bool], bool]


def read_naively(state: State, prey: Place, attacking: bool) -> bool:
    """By the twin of the ladder reader, which raises TooBig when it has enough."""
    budget = Budget(100_000)
    if attacking:
        return attacker_captures(state, prey, budget)
    return not defender_escapes(state, prey, budget)


@dataclass(frozen=True)
class Scene:
    """A position with the side to move and all moves so far, the latest first; None is a pass."""

    grid: np.ndarray
    color: int
    ko: tuple[int, int, int] = NO_KO
    moves: tuple[Place | None, ...] = ()
    captured: int = 0  # how many stones the last move took off

    @classmethod
    def start(cls, size: int, color: int = 1) -> Scene:
        return cls(empty_grid(size), color)

    def play(self, place: Place | None, color: int | None = None) -> Scene:
        """The scene after a legal move, by default of the side to move."""
        color = self.color if color is None else color
        moves = (place, *self.moves)
        if place is None:
            return Scene(self.grid, 3 - color, NO_KO, moves)
        grid, captured, _ = after_move(self.grid, *place, color)
        ko = ko_after(self.grid, grid, color, captured)
        return Scene(grid, 3 - color, ko, moves, captured)

    @property
    def size(self) -> int:
        return len(self.grid)

    def move(self, back: int) -> Place | None:
        """The point of a move, 1 for the last one; None for a pass or before the first."""
        return self.moves[back - 1] if back <= len(self.moves) else None

    def is_barred_by_ko(self) -> bool:
        return self.ko[2] == self.color

    def legal_places(self) -> list[Place]:
        return [
            (r, c)
            for r, c in np.ndindex(*self.grid.shape)
            if is_legal(self.grid, self.ko, r, c, self.color, False)
        ]


@dataclass(frozen=True)
class Chain:
    color: int
    stones: frozenset[Place]
    liberties: frozenset[Place]


@dataclass
class Look:
    """A scene with its chains and what ladders do to them."""

    scene: Scene
    captured: Captured
    _lost: dict[Chain, bool] = field(default_factory=dict)
    _threatened: dict[Chain, bool] = field(default_factory=dict)
    _steps: dict[tuple[Place, int], dict[Place, int]] = field(default_factory=dict)
    _works: dict[tuple[Chain, Place], bool] = field(default_factory=dict)

    @cached_property
    def own(self) -> int:
        return self.scene.color

    @cached_property
    def enemy(self) -> int:
        return 3 - self.scene.color

    @cached_property
    def state(self) -> State:
        return State(self.scene.grid, self.scene.ko)

    @cached_property
    def chain_at(self) -> dict[Place, Chain]:
        found: dict[Place, Chain] = {}
        grid = self.scene.grid
        for r, c in np.ndindex(*grid.shape):
            if grid[r, c] != EMPTY and (r, c) not in found:
                stones, liberties = chain(grid, (r, c))
                one = Chain(int(grid[r, c]), frozenset(stones), frozenset(liberties))
                found.update(dict.fromkeys(stones, one))
        return found

    @cached_property
    def chains(self) -> list[Chain]:
        return list(dict.fromkeys(self.chain_at.values()))

    def beside(self, place: Place, color: int) -> list[Chain]:
        """The different chains of a colour that touch a place."""
        around = [self.chain_at.get(n) for n in neighbours(self.scene.grid, place)]
        return list(dict.fromkeys(one for one in around if one is not None and one.color == color))

    def touch(self, one: Chain, other: Chain) -> bool:
        return any(n in other.stones for s in one.stones for n in neighbours(self.scene.grid, s))

    @cached_property
    def last_stone(self) -> Place | None:
        """The enemy stone that the last move put on the board."""
        last = self.scene.move(1)
        return last if last is not None and self.scene.grid[last] == self.enemy else None

    @cached_property
    def last_chain(self) -> Chain | None:
        return None if self.last_stone is None else self.chain_at[self.last_stone]

    @cached_property
    def beside_last(self) -> list[Chain]:
        """The own chains that touch the last stone."""
        return [] if self.last_stone is None else self.beside(self.last_stone, self.own)

    @cached_property
    def newly_in_atari(self) -> list[Chain]:
        return [one for one in self.beside_last if len(one.liberties) == 1]

    @cached_property
    def vital(self) -> set[Place]:
        """The vital points of enemy eye spaces beside the last stone."""
        last = self.last_stone
        return set() if last is None else vital_places(self.scene.grid, self.own, last)

    def steps_from(self, start: Place, enough: int) -> dict[Place, int]:
        """The common-fate distances below a bound, layer by layer, each with its whole chains."""
        if (start, enough) in self._steps:
            return self._steps[start, enough]
        found = self._steps[start, enough] = dict.fromkeys(self._with_chain(start), 0)
        for steps in range(1, enough):
            for place in list(found):
                for n in neighbours(self.scene.grid, place):
                    for reached in self._with_chain(n):
                        found.setdefault(reached, steps)
        return found

    def _with_chain(self, place: Place) -> set[Place] | frozenset[Place]:
        return self.chain_at[place].stones if place in self.chain_at else {place}

    def lost(self, one: Chain) -> bool:
        """A chain in atari that is captured though its owner moves first."""
        if one not in self._lost:
            self._lost[one] = self.captured(self.state, min(one.stones), False)
        return self._lost[one]

    def threatened(self, one: Chain) -> bool:
        """A chain with two liberties that is captured if the attacker moves first."""
        if one not in self._threatened:
            self._threatened[one] = self.captured(self.state, min(one.stones), True)
        return self._threatened[one]

    def works(self, one: Chain, place: Place) -> bool:
        """Whether an atari at a place captures an enemy chain with two liberties."""
        key = one, place
        if key not in self._works:
            self._works[key] = self.state.may_play(self.own, place) and self.captured(
                self.state.after(self.own, place), min(one.stones), False
            )
        return self._works[key]

    @cached_property
    def nets(self) -> dict[Place, list[Chain]]:
        """The moves that catch a chain in a tight net, with the chains they catch."""
        result: dict[Place, list[Chain]] = {}
        for prey in self.chains:
            if prey.color == self.enemy and len(prey.liberties) == 2:
                first, second = sorted(prey.liberties)
                if self.works(prey, first) or self.works(prey, second):
                    continue
                between = set(neighbours(self.scene.grid, first))
                between &= set(neighbours(self.scene.grid, second))
                for place in between:
                    if self._is_net(prey, place):
                        result.setdefault(place, []).append(prey)
        return result

    def _is_net(self, prey: Chain, place: Place) -> bool:
        if not self.state.may_play(self.own, place):
            return False
        closed = self.state.after(self.own, place)
        captures = after_move(self.scene.grid, *place, self.own)[1] > 0
        if len(closed.chain(place)[1]) < 2 and not captures:
            return False
        stone = min(prey.stones)
        return all(
            self._is_caught(closed.after(self.enemy, escape), stone)
            for escape in defences(closed, stone)
        )

    def _is_caught(self, state: State, stone: Place) -> bool:
        """The mover's turn after an escape, see `_is_caught` of the nets' twin."""
        liberties = state.chain(stone)[1]
        if len(liberties) < 3:
            return self.captured(state, stone, True)
        return len(liberties) == 3 and any(
            self.captured(state.after(self.own, p), stone, False)
            for p in liberties
            if state.may_play(self.own, p)
        )


@dataclass
class Candidate:
    """A legal move in a scene, and what it leads to."""

    look: Look
    place: Place

    @cached_property
    def after(self) -> np.ndarray:
        return after_move(self.look.scene.grid, *self.place, self.look.own)[0]

    @cached_property
    def new_chain(self) -> Chain:
        stones, liberties = chain(self.after, self.place)
        return Chain(self.look.own, frozenset(stones), frozenset(liberties))

    @cached_property
    def own_chains(self) -> list[Chain]:
        return self.look.beside(self.place, self.look.own)

    @cached_property
    def enemy_chains(self) -> list[Chain]:
        return self.look.beside(self.place, self.look.enemy)

    @cached_property
    def taken(self) -> list[Chain]:
        return [one for one in self.enemy_chains if len(one.liberties) == 1]

    @cached_property
    def attacked(self) -> list[Chain]:
        """The enemy chains that the move puts in atari."""
        return [one for one in self.enemy_chains if len(one.liberties) == 2]

    @cached_property
    def saved(self) -> list[Chain]:
        """The own chains in atari that the move extends."""
        return [one for one in self.own_chains if len(one.liberties) == 1]
