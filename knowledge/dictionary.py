"""The patterns that are known: a sorted list of keys, and the table in which kernels find them.

A pattern's index is its place in the list, which is sorted by family, size and key; its id is the
index plus 1, as kernels write it, because 0 stands for no pattern. So of two patterns of a family
the larger one has the larger id. The next smaller pattern around the same point is its parent.

The table has lines of eight slots, at most half of them used. A slot is the upper half of a key
as a label, and an id; a line that is full continues in the next. Two patterns that a search could
mix up make the table grow, so every known key is found. An unknown key is taken for a known one
about once in a thousand million times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.board import U0, U1, u64
from engine.jit import kernel
from knowledge.patterns import find_slot
from knowledge.templates import FAMILIES, LARGEST, MARKED, POINT_COUNTS, WHOLE_BOARD

NO_PARENT = -1
COLUMNS = {
    "keys": np.uint64,
    "counts": np.uint32,
    "family": np.uint8,
    "size": np.uint8,
    "parent": np.int32,
}
_LINE = 8
_CACHE_LINE_BYTES = 64


# --- The table ----------------------------------------------------------------------------


@kernel
def _fill_slots(keys, slots):
    """Put keys into an empty table; returns whether no two can be mixed up."""
    mask = u64(len(slots) - 1)
    for j in range(len(keys)):
        label = keys[j] >> u64(32)
        i = keys[j] & mask & ~u64(_LINE - 1)
        while slots[i] != U0:
            if slots[i] >> u64(32) == label:
                return False
            i = (i + U1) & mask
        slots[i] = label << u64(32) | u64(j + 1)
    return True


@kernel
def _find_ids(keys, slots, wanted, ids):
    for j in range(len(wanted)):
        found = find_slot(slots, wanted[j])
        ids[j] = found if found != U0 and keys[found - U1] == wanted[j] else U0


def _empty_slots(count: int) -> np.ndarray:
    """A table that begins where a line of the cache does."""
    room = np.zeros(count + _LINE, np.uint64)
    start = -room.ctypes.data % _CACHE_LINE_BYTES // room.itemsize
    return room[start : start + count]


def slot_table(keys: np.ndarray) -> np.ndarray:
    """The table in which `find_slot` finds each key's index plus 1."""
    count = 2 * _LINE
    while count < 2 * len(keys):
        count *= 2
    while not _fill_slots(keys, slots := _empty_slots(count)):
        count *= 2
    return slots


def find_ids(keys: np.ndarray, slots: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The ids of keys, exactly: 0 for those that are not in the list the table was made of."""
    ids = np.empty(len(wanted), np.uint32)
    _find_ids(keys, slots, wanted, ids)
    return ids


# --- The dictionary -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Dictionary:
    """All known patterns, one element of each array for each; `slots` is the kernels' table."""

    keys: np.ndarray  # uint64
    counts: np.ndarray  # uint32: how often it was played when it was harvested
    family: np.ndarray  # uint8
    size: np.ndarray  # uint8
    parent: np.ndarray  # int32: the index of the next smaller pattern, or NO_PARENT
    slots: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._check()
        object.__setattr__(self, "slots", slot_table(self.keys))

    def _check(self) -> None:
        for name, dtype in COLUMNS.items():
            array = getattr(self, name)
            if array.dtype != dtype or array.shape != self.keys.shape or array.ndim != 1:
                raise ValueError(f"a dictionary's {name} must be a row of {np.dtype(dtype)}")
        if not len(self.keys):
            return
        if self.family.max() >= len(FAMILIES):
            raise ValueError("a pattern of a family that there is not")
        if (self.size < 1).any() or (self.size > np.array(LARGEST)[self.family]).any():
            raise ValueError("a pattern of a size that its family has not")
        if not self._is_sorted() or len(np.unique(self.keys)) < len(self.keys):
            raise ValueError("the patterns are not sorted by family, size and key, each once")
        child = self.parent != NO_PARENT
        orphan = (self.size > 1) & (self.family != MARKED)
        parent = self.parent[child]
        if (orphan & ~child).any() or (parent < 0).any() or (parent >= len(self)).any():
            raise ValueError("a pattern without the next smaller one")
        related = self.family[parent] == self.family[child]
        if not (related & (self.size[parent] + 1 == self.size[child])).all():
            raise ValueError("a pattern's parent is not the next smaller one of its family")

    def _is_sorted(self) -> bool:
        """Whether each pattern comes before the next one, by family, size and key. To sort them
        all once more would take long, and would let nobody else do anything meanwhile."""
        is_sorted = np.ones(len(self) - 1, bool)
        for column in (self.keys, self.size, self.family):
            is_sorted = (column[:-1] < column[1:]) | (column[:-1] == column[1:]) & is_sorted
        return bool(is_sorted.all())

    def __len__(self) -> int:
        return len(self.keys)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """What to save."""
        return {name: getattr(self, name) for name in COLUMNS}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Dictionary:
        """The dictionary that was saved; ValueError says why it can't be one."""
        missing = [name for name in COLUMNS if name not in arrays]
        if missing:
            raise ValueError(f"a dictionary without {', '.join(missing)}")
        return cls(**{name: np.asarray(arrays[name]) for name in COLUMNS})

    def ids(self, keys: np.ndarray) -> np.ndarray:
        """The ids of keys, 0 for unknown ones."""
        return find_ids(self.keys, self.slots, np.asarray(keys, np.uint64))

    def nested(self, index: int) -> list[int]:
        """A pattern and all smaller ones around the same point, the largest first."""
        result = []
        while index != NO_PARENT:
            result.append(index)
            index = int(self.parent[index])
        return result

    def sizes_of(self, ids: np.ndarray) -> np.ndarray:
        """The sizes of patterns by id; 0 where there is none."""
        return np.concatenate([np.zeros(1, np.uint8), self.size])[ids]

    def table(self) -> np.ndarray:
        """How many patterns there are, by family and size (from 0)."""
        result = np.zeros((len(FAMILIES), WHOLE_BOARD + 1), np.int64)
        np.add.at(result, (self.family, self.size), 1)
        return result

    def describe(self, index: int) -> str:
        """A pattern in words."""
        family, size = FAMILIES[self.family[index]], int(self.size[index])
        extent = (
            "of the whole board" if size == WHOLE_BOARD else f"of {POINT_COUNTS[size - 1]} points"
        )
        return f"{family} pattern {extent}, played {self.counts[index]:,} times"
