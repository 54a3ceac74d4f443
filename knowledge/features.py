"""Features of moves: sets of groups with their ids, and the extractor that fills them in.

A `FeatureSet` gives every value of its groups a number, the id; 0 is no value. An `Extractor`
tells for every legal move of a position, the pass last, the ids of its values, one column for each
group. The groups are defined in `knowledge/groups.py`, the kernels are in `knowledge/extract/`.

Kernels call `extract_position` themselves with records that come from here:

    feature_set.record, feature_set.slots      what is wanted
    new_facts(), new_moment()                  memory, one for each thread
    begin(moment), go_on(moment, v)            keep the history while a game is replayed
    n = extract_position(b, c, moment, s, f, slots, out)

where `b`, `moment`, `s` and `f` are elements [0] of such arrays, `out` is a uint32 array with a
row for each move and one for the pass, and the points are `f.points[:n]`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from engine.board import U0, u64
from engine.game import Game
from engine.geometry import AREA, PASS
from engine.jit import kernel
from engine.playout.shapes import rule_shapes
from engine.position import Position
from engine.rng import new_rng
from knowledge.dictionary import Dictionary, slot_table
from knowledge.extract.columns import PATTERN_GROUPS
from knowledge.extract.facts import HISTORY, NUMBER, SET, begin, go_on, new_facts, new_moment
from knowledge.extract.owners import PLAYOUT_WORK, sample_owners
from knowledge.extract.position import extract_position
from knowledge.groups import BY_NAME, NEED_PLAYOUTS, OWNER_PLAYOUTS, SETS
from knowledge.playout_gammas import shape_classes
from knowledge.templates import FAMILIES

__all__ = [
    "PATTERN_GROUPS",
    "Extractor",
    "FeatureSet",
    "History",
    "begin",
    "extract_position",
    "go_on",
    "named_features",
    "new_facts",
    "new_moment",
]

_LADDERS = {"capture", "extension", "atari", "take", "save", "own_liberties", "threat", "net"}
_SELF_ATARIS = {"playout", "self_atari_kind", "chain_self_atari"}
_EYES = {"playout", "eye"}
_SIGNS = ".XO#"


@cache
def _classes() -> tuple[np.ndarray, int]:
    return shape_classes()


@cache
def _class_codes() -> np.ndarray:
    """The least code of each class of 3x3 shapes, as Black sees it."""
    classes, count = _classes()
    return np.array([np.flatnonzero(classes[0] == k)[0] for k in range(count)])


def _shape_text(code: int) -> str:
    """A 3x3 shape in signs: X own, O enemy, # off the board, * the move."""
    signs = [_SIGNS[(code >> 2 * i) & 3] for i in range(8)]
    signs.insert(4, "*")
    return " ".join("".join(signs[i : i + 3]) for i in (0, 3, 6))


class FeatureSet:
    """Some groups of features with a number for every value.

    Made from the name of a set or from the names of groups. Groups of patterns take their values
    from a dictionary; without one they have none.
    """

    def __init__(self, groups: str | Sequence[str], dictionary: Dictionary | None = None) -> None:
        if isinstance(groups, str):
            if groups not in SETS:
                raise ValueError(f"unknown feature set {groups!r}: one of {', '.join(SETS)}")
            self.name, names = groups, SETS[groups]
        else:
            self.name, names = "chosen", tuple(groups)
        unknown = [name for name in names if name not in BY_NAME]
        if unknown or len(set(names)) < len(names):
            what = f"unknown feature groups: {', '.join(unknown)}" if unknown else "a group twice"
            raise ValueError(what)
        self.groups = tuple(names)
        self.dictionary = dictionary
        self.counts = tuple(self._count(name) for name in self.groups)  # values of each group
        # The first id of each group, and where the last one ends.
        self.first_ids = np.concatenate([[1], 1 + np.cumsum(self.counts)]).astype(np.int64)
        self.slots = slot_table(np.zeros(0, np.uint64)) if dictionary is None else dictionary.slots
        self.record = self._record()

    def _count(self, name: str) -> int:
        if name == "shape3x3":
            return _classes()[1]
        if name in PATTERN_GROUPS:
            return self._family_size(PATTERN_GROUPS.index(name))
        return len(BY_NAME[name].values)

    def _family_size(self, family: int) -> int:
        return 0 if self.dictionary is None else int((self.dictionary.family == family).sum())

    def _record(self) -> np.ndarray:
        """What the kernels read."""
        result = np.zeros(1, SET)
        record = result[0]
        wanted = set(self.groups)
        for column, name in enumerate(self.groups):
            record["first"][NUMBER[name]] = self.first_ids[column]
            record["column"][NUMBER[name]] = column
        record["columns"] = len(self.groups)
        record["ladders"] = bool(wanted & _LADDERS)
        record["self_ataris"] = bool(wanted & _SELF_ATARIS)
        record["eyes"] = bool(wanted & _EYES)
        sizes = [self._family_size(family) for family in range(len(FAMILIES))]
        record["families"] = sum(
            1 << family
            for family, name in enumerate(PATTERN_GROUPS)
            if name in wanted and sizes[family]
        )
        record["family_start"] = 1 + np.concatenate([[0], np.cumsum(sizes)])[:-1]
        record["classes"] = _classes()[0]
        record["rule_shapes"] = rule_shapes()
        return result

    @property
    def n_ids(self) -> int:
        """How many ids there are, 0 included: one more than the largest."""
        return int(self.first_ids[-1])

    def __len__(self) -> int:
        """How many groups there are."""
        return len(self.groups)

    @property
    def needs_playouts(self) -> bool:
        return any(name in NEED_PLAYOUTS for name in self.groups)

    def column_of(self, feature: int) -> int:
        """The column of an id's group."""
        if not 1 <= feature < self.n_ids:
            raise ValueError(f"no feature has the id {feature}")
        return bisect_right(self.first_ids, feature) - 1

    def id_of(self, group: str, value: str) -> int:
        """The id of a value of a group that is no pattern."""
        return int(self.first_ids[self.groups.index(group)]) + BY_NAME[group].number(value)

    def value_of(self, feature: int) -> str:
        """The name of an id's value within its group."""
        return self._told(feature)[0]

    def name_of(self, feature: int) -> str:
        """An id's group and value."""
        return f"{self.groups[self.column_of(feature)]}: {self.value_of(feature)}"

    def sentence_of(self, feature: int) -> str:
        """What an id says about a move."""
        return self._told(feature)[1]

    def pattern_of(self, feature: int) -> int | None:
        """An id's index in the dictionary; None if it is no pattern."""
        column = self.column_of(feature)
        if self.groups[column] not in PATTERN_GROUPS:
            return None
        family = PATTERN_GROUPS.index(self.groups[column])
        start = int(self.record[0]["family_start"][family]) - 1
        return start + feature - int(self.first_ids[column])

    def _told(self, feature: int) -> tuple[str, str]:
        column = self.column_of(feature)
        value = feature - int(self.first_ids[column])
        group = BY_NAME[self.groups[column]]
        if not group.learned:
            return group.values[value]
        pattern = self.pattern_of(feature)
        if pattern is None:
            text = _shape_text(int(_class_codes()[value]))
            return text, f"makes the 3x3 shape {text}"
        assert self.dictionary is not None
        return f"pattern {value}", f"makes a {self.dictionary.describe(pattern)}"

    def named(self, ids: np.ndarray) -> dict[str, str]:
        """A move's row of ids in words: the value by the group."""
        found = ((name, int(i)) for name, i in zip(self.groups, ids, strict=True))
        return {name: self.value_of(i) for name, i in found if i}


class History(NamedTuple):
    """What came before a position: the last four moves, the latest first, and how many in all."""

    moves: tuple[int, ...] = ()  # PASS for a pass, and for those before the first
    number: int = 0
    after_pass: bool = False

    @classmethod
    def of(cls, game: Game) -> History:
        return cls.after([move.point for move in game.moves])

    @classmethod
    def after(cls, points: Sequence[int]) -> History:
        """What came before, from all moves in the order they were played."""
        latest = tuple(reversed(points[-HISTORY:]))
        return cls(latest, len(points), latest[:1] == (PASS,))

    def record(self) -> np.ndarray:
        """The same for kernels: an array of one MOMENT."""
        result = new_moment()
        moment = result[0]
        moment["moves"] = [*self.moves, *[PASS] * HISTORY][:HISTORY]
        moment["number"], moment["after_pass"] = self.number, self.after_pass
        return result


@kernel
def _extract(boards, colors, moments, feature_set, facts, slots, out):
    """Extract the features of some positions, of which the last stays; returns its moves."""
    n = U0
    for i in range(len(boards)):
        n = extract_position(
            boards[i], u64(colors[i]), moments[i], feature_set[0], facts[0], slots, out
        )
    return n


@kernel
def _sample_owners(a, color, komi, count, rng, work, facts):
    sample_owners(a, u64(color), komi, count, rng, work, facts[0].owners)


class Extractor:
    """Extracts the features of a set, with memory of its own: one for each thread."""

    def __init__(self, feature_set: FeatureSet, seed: int = 0) -> None:
        self.set = feature_set
        self._facts = new_facts()
        self._out = np.zeros((AREA + 1, len(feature_set)), np.uint32)
        self._rng = new_rng(seed)
        self._work = np.zeros(1, PLAYOUT_WORK)

    def extract(self, game: Game, color: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The legal points, the pass last, and the ids of each: columns are the set's groups."""
        mover = game.to_move if color is None else color
        return self.extract_at(game.position, mover, History.of(game), game.komi)

    def extract_at(
        self, position: Position, color: int, history: History, komi: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same for a position that no game goes with."""
        if self.set.needs_playouts:
            _sample_owners(
                position.record, color, float(komi), OWNER_PLAYOUTS, self._rng, self._work,
                self._facts,
            )  # fmt: skip
        n = 1 + self.run(position.record, np.array([color], np.uint8), history.record())
        return self._facts[0]["points"][:n].copy(), self._out[:n].copy()

    def run(self, boards: np.ndarray, colors: np.ndarray, moments: np.ndarray) -> int:
        """Extract many positions for the time it takes; returns the last one's legal moves."""
        return int(
            _extract(
                boards, colors, moments, self.set.record, self._facts, self.set.slots, self._out
            )
        )


def named_features(
    game: Game, feature_set: FeatureSet, color: int | None = None
) -> dict[int, dict[str, str]]:
    """The names of the values by group, for every legal move, PASS included."""
    points, ids = Extractor(feature_set).extract(game, color)
    return {int(p): feature_set.named(row) for p, row in zip(points, ids, strict=True)}
