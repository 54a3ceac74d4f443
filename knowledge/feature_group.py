"""The plain types of the feature registry, and how its lists of values are put together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple


class Value(NamedTuple):
    """One value of a group: a name that stays, and what it says about a move."""

    name: str
    sentence: str


class Group(NamedTuple):
    """Features of which a move has at most one."""

    name: str
    sentence: str
    values: tuple[Value, ...] = ()
    learned: bool = False  # the values come from a dictionary of patterns

    def number(self, value: str) -> int:
        """The number of a value by its name."""
        for i, known in enumerate(self.values):
            if known.name == value:
                return i
        raise ValueError(f"the group {self.name} has no value {value!r}")


Axis = tuple[Value, ...]


def axis(*values: tuple[str, str]) -> Axis:
    return tuple(Value(*value) for value in values)


def cross(*axes: Axis) -> Axis:
    """All combinations; the last axis runs fastest, so numbers follow as those of digits do."""
    return tuple(
        Value(", ".join(v.name for v in parts), "; ".join(v.sentence for v in parts))
        for parts in product(*axes)
    )


def count(what: str, numbers: Iterable[int], last_is_open: bool = True) -> Axis:
    """Values for single numbers, the last of which may stand for all that are larger."""
    known = list(numbers)
    names = [str(n) for n in known]
    if last_is_open:
        names[-1] += "+"
    return tuple(
        Value(name, f"{what} is {n}{' or more' if name.endswith('+') else ''}")
        for name, n in zip(names, known, strict=True)
    )


def single(name: str, sentence: str) -> Group:
    """A group that a move has or hasn't."""
    return Group(name, f"The move {sentence}.", axis(("yes", sentence)))
