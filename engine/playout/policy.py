"""The Python face of playouts: a policy by name with its settings, run from a position.

Settings become one record that kernels read. What a thread writes while it plays is its own
`Runner`, so any number of threads can share a policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.board import U3, place, u64
from engine.geometry import BLACK, PASS, POINTS, opponent
from engine.jit import inner, kernel
from engine.parameters import PARAMETERS
from engine.playout import POLICIES
from engine.playout.gamma import FACTORS, PART_BITS, SHAPE_UNIT, gamma_choose, gamma_start
from engine.playout.light import light_choose
from engine.playout.rules import CHANCE_UNIT, CHANCES
from engine.playout.run import (
    SETTINGS,
    WORK,
    count_area,
    play_gamma,
    play_light,
    play_mixed,
    play_rules,
)
from engine.playout.shapes import CODES, rule_shapes, swap_colors
from engine.position import Position
from engine.rng import new_rng
from weights.files import BadWeights, load_weights, nearest


def default_chances(size: int = 9) -> dict[str, float]:
    """How often each rule of the rules and mixed policies is followed on a board size."""
    names = CHANCES.names or ()
    return {name: float(PARAMETERS[f"chance_{name}"].default_for(size)) for name in names}


@dataclass(frozen=True, eq=False)
class Gammas:
    """Learned weights: of every 3x3 shape as the mover sees it (the mover's stones as Black's),
    and of the further features, see `gamma.FACTORS`."""

    shapes: np.ndarray
    factors: Mapping[str, float]

    @classmethod
    def flat(cls) -> Gammas:
        """All moves alike: what nobody has trained."""
        return cls(np.ones(CODES), dict.fromkeys(FACTORS.names or (), 1.0))

    @classmethod
    def load(cls, path: Path | str) -> Gammas:
        """The gammas of a weight file; BadWeights says what is wrong with it."""
        arrays = load_weights(path, "playout")
        try:
            names = [str(name) for name in arrays["names"]]
            factors = dict(zip(names, map(float, arrays["factors"]), strict=True))
            shapes = arrays["shapes"].astype(np.float64)
        except (KeyError, ValueError, TypeError) as error:
            raise BadWeights(f"{path}: not the gammas of playouts ({error})") from None
        if shapes.shape != (CODES,) or set(factors) != set(FACTORS.names or ()):
            raise BadWeights(f"{path}: gammas of other features than this version plays with")
        return cls(shapes, factors)

    @classmethod
    def shipped(cls, size: int) -> Gammas:
        """The gammas that come with the engine, for the board size nearest to a size."""
        return cls.load(nearest("playout", size))

    def raised(self, floor: float) -> Gammas:
        """The same with no shape below a floor, and self-ataris that have a purpose as likely as
        other moves; a floor of 0 changes nothing.

        Strong players hardly ever fill a liberty inside an eye space, since they see how the race
        ends. A playout has to do it: one that plays every other move a hundred times as often
        believes that whoever has to play inside loses every race.
        """
        if floor <= 0.0:
            return self
        return Gammas(np.maximum(self.shapes, floor), {**self.factors, "self_atari": 1.0})

    def table(self) -> np.ndarray:
        """Integer weights by code, Black's in the low 16 bits, White's in the high ones."""
        scaled = np.clip(np.rint(self.shapes * SHAPE_UNIT), 1, 0xFFFF).astype(np.uint32)
        scaled[eye_codes()] = 0
        return scaled | (scaled[swap_colors(np.arange(CODES))] << 16)


def eye_codes() -> np.ndarray:
    """Which codes are a real-looking single-point eye of Black's: never filled."""
    codes = np.arange(CODES)
    state = np.stack([(codes >> (2 * i)) & 3 for i in range(8)])
    walls = ((state[[1, 3, 4, 6]] & 1) == 1).all(axis=0)
    diagonals = state[[0, 2, 5, 7]]
    bad = (diagonals == 2).sum(axis=0) + (diagonals == 3).any(axis=0)
    return walls & (bad < 2)


@dataclass(frozen=True, eq=False)
class Policy:
    """A playout policy and its settings."""

    name: str = "light"
    gammas: Gammas = field(default_factory=Gammas.flat)
    chances: Mapping[str, float] = field(default_factory=default_chances)
    mercy: int = 0
    limit: int = 0  # moves after which a playout ends; 0 for three times the board

    def __post_init__(self) -> None:
        if self.name not in POLICIES:
            raise ValueError(f"unknown playout policy {self.name!r}: one of {', '.join(POLICIES)}")
        for kind, given, known in (
            ("chance", self.chances, CHANCES.names or ()),
            ("gamma", self.gammas.factors, FACTORS.names or ()),
        ):
            unknown = set(given) - set(known)
            if unknown:
                raise ValueError(f"unknown {kind}: {', '.join(sorted(unknown))}")
        if self.limit < 0 or self.mercy < 0:
            raise ValueError("a playout's move limit and mercy margin are 0 or more")
        if not all(0 <= chance <= 1 for chance in self.chances.values()):
            raise ValueError("a chance is from 0 to 1")

    def settings(self) -> np.ndarray:
        """The record that kernels read."""
        result = np.zeros(1, SETTINGS)
        result["mercy"] = self.mercy
        result["limit"] = self.limit
        for name, chance in self.chances.items():
            result["chances"][name] = round(chance * CHANCE_UNIT)
        for name in FACTORS.names or ():
            factor = self.gammas.factors.get(name, 1.0)
            result["factors"][name] = min(factor, 1.0) if name.startswith("self_atari") else factor
        for name in ("beside", "diagonal"):
            gain = max(float(result["factors"][name][0]) - 1.0, 0.0)
            result[f"{name}_gain"] = round(gain * (1 << PART_BITS))
        result["shapes"] = self.gammas.table()
        result["rule_shapes"] = rule_shapes()
        return result


class Outcome(NamedTuple):
    """How a playout ended: Black's area minus White's, and the moves from the position on."""

    area: int
    moves: list[tuple[int, int]]
    owners: dict[int, int]


# What kernels of all policies share. Each policy has kernels of its own, compiled when they are
# first used; their loops are written out, since every further layer would be compiled anew.


@inner
def _begin(start, work, firsts, i, turn):
    """Set up the position with the first move to try (0: none) on it; the last two moves and
    the mover from there."""
    work[0] = start[0]
    color, last, before = turn
    if firsts[i] == PASS:
        return last, before, color
    place(work[0], u64(firsts[i]), color)
    return u64(firsts[i]), last, U3 - color


@inner
def _finish(b, w, komi, owners, results, i):
    """Sum up a playout: the owners by point; moves, Black's wins and Black's lead in area."""
    area = count_area(b, owners)
    results[i, 0] += w.n_moves
    results[i, 1] += area > komi
    results[i, 2] += area


@kernel
def _light_playouts(start, work, w, k, firsts, turn, count, rng, komi, owners, results):
    state = rng[0]
    for i in range(len(firsts)):
        for _ in range(count):
            last, before, c = _begin(start, work, firsts, i, turn)
            state = play_light(work[0], w[0], k[0], last, before, c, state)
            _finish(work[0], w[0], komi, owners, results, i)
    rng[0] = state


@kernel
def _light_draws(start, w, k, turn, count, rng, counts):
    c, last, before = turn
    state = rng[0]
    for _ in range(count):
        v, state = light_choose(start[0], w[0], k[0], last, before, c, state)
        counts[v] += 1
    rng[0] = state


@kernel
def _rules_playouts(start, work, w, k, firsts, turn, count, rng, komi, owners, results):
    state = rng[0]
    for i in range(len(firsts)):
        for _ in range(count):
            last, before, c = _begin(start, work, firsts, i, turn)
            state = play_rules(work[0], w[0], k[0], last, before, c, state)
            _finish(work[0], w[0], komi, owners, results, i)
    rng[0] = state


@kernel
def _gamma_playouts(start, work, w, k, firsts, turn, count, rng, komi, owners, results):
    state = rng[0]
    for i in range(len(firsts)):
        for _ in range(count):
            last, before, c = _begin(start, work, firsts, i, turn)
            state = play_gamma(work[0], w[0], k[0], last, before, c, state)
            _finish(work[0], w[0], komi, owners, results, i)
    rng[0] = state


@kernel
def _gamma_draws(start, w, k, turn, count, rng, counts):
    c, last, before = turn
    state = rng[0]
    gamma_start(w[0].weights, start[0], k[0])
    for _ in range(count):
        v, state = gamma_choose(start[0], w[0], k[0], last, before, c, state)
        counts[v] += 1
    rng[0] = state


@kernel
def _mixed_playouts(start, work, w, k, firsts, turn, count, rng, komi, owners, results):
    state = rng[0]
    for i in range(len(firsts)):
        for _ in range(count):
            last, before, c = _begin(start, work, firsts, i, turn)
            state = play_mixed(work[0], w[0], k[0], last, before, c, state)
            _finish(work[0], w[0], komi, owners, results, i)
    rng[0] = state


_PLAYOUTS = (_light_playouts, _rules_playouts, _gamma_playouts, _mixed_playouts)
# Policies whose moves can be drawn without playing on; for the others playouts end at once.
_DRAWS = {"light": _light_draws, "gamma": _gamma_draws}


class Runner:
    """Runs playouts of a policy: one thread's own board, generator and buffers."""

    def __init__(self, policy: Policy, seed: int = 0) -> None:
        self.policy = policy
        self.rng = new_rng(seed)
        self._index = POLICIES.index(policy.name)
        self._settings = policy.settings()
        self._work = np.zeros(1, WORK)
        self._board = Position(2).record

    def _run(
        self,
        position: Position,
        color: int,
        last: int,
        before: int,
        count: int,
        komi: float = 0.0,
        firsts: Sequence[int] = (PASS,),
    ) -> tuple[np.ndarray, np.ndarray]:
        owners = np.zeros(POINTS, np.int64)
        results = np.zeros((len(firsts), 3))
        _PLAYOUTS[self._index](
            position.record, self._board, self._work, self._settings,
            np.array(firsts, np.uint16), (u64(color), u64(last), u64(before)), count, self.rng,
            float(komi), owners, results,
        )  # fmt: skip
        return owners, results

    def play(self, position: Position, color: int, last: int = PASS, before: int = PASS) -> Outcome:
        """One playout from color's turn; the position stays as it is."""
        owners, results = self._run(position, color, last, before, 1)
        work = self._work[0]
        played = [int(p) for p in work["moves"][: int(work["n_moves"])]]
        moves = [(color if i % 2 == 0 else opponent(color), p) for i, p in enumerate(played)]
        return Outcome(int(results[0, 2]), moves, {p: int(owners[p]) for p in position.points()})

    def sample(
        self,
        position: Position,
        color: int,
        count: int,
        komi: float = 0.0,
        last: int = PASS,
        before: int = PASS,
    ) -> tuple[float, dict[int, float]]:
        """Black's share of wins over many playouts, and each point's mean owner (1 is Black)."""
        owners, results = self._run(position, color, last, before, count, komi)
        return float(results[0, 1]) / count, {p: owners[p] / count for p in position.points()}

    def winrates(
        self,
        position: Position,
        color: int,
        moves: Sequence[int],
        count: int,
        komi: float = 0.0,
        last: int = PASS,
    ) -> np.ndarray:
        """The mover's share of wins after each of some legal moves, over `count` playouts each."""
        _, results = self._run(position, color, last, PASS, count, komi, moves)
        black = results[:, 1] / count
        return black if color == BLACK else 1.0 - black

    def draws(
        self, position: Position, color: int, count: int, last: int = PASS, before: int = PASS
    ) -> dict[int, int]:
        """How often the policy chooses each move in a position, PASS included, over many draws."""
        counts = np.zeros(POINTS, np.int64)
        if self.policy.name in _DRAWS:
            self._board[0] = position.record[0]
            _DRAWS[self.policy.name](
                self._board, self._work, self._settings,
                (u64(color), u64(last), u64(before)), count, self.rng, counts,
            )  # fmt: skip
        else:
            self._settings["limit"] = 1
            for _ in range(count):
                self._run(position, color, last, before, 1)
                counts[self._work[0]["moves"][0]] += 1
            self._settings["limit"] = self.policy.limit
        return {int(p): int(counts[p]) for p in np.flatnonzero(counts)}

    def moves_played(self, position: Position, color: int, count: int) -> int:
        """Run playouts for their speed alone; returns how many moves they took."""
        return int(self._run(position, color, PASS, PASS, count)[1][0, 0])


def named_policy(name: str, size: int, shape_floor: float | None = None) -> Policy:
    """A policy with the settings and gammas that the engine plays with on a size.

    Bad self-ataris are never drawn, whatever was learned: when nothing else is left, even a
    small gamma would have a playout destroy every seki. Mixed playouts know no shape below the
    floor, by default that of the size, see `Gammas.raised`.
    """
    chances = default_chances(size)
    if name in ("light", "rules"):
        return Policy(name, chances=chances, mercy=0 if name == "light" else default_mercy(size))
    gammas = Gammas.shipped(size)
    if name == "mixed":
        if shape_floor is None:
            shape_floor = float(PARAMETERS["shape_floor"].default_for(size))
        gammas = gammas.raised(shape_floor)
    gammas = Gammas(gammas.shapes, {**gammas.factors, "self_atari_bad": 0.0})
    return Policy(name, gammas, chances, default_mercy(size))


def default_mercy(size: int) -> int:
    """The lead in stones that ends a playout: a third of the board."""
    return size * size // 3
