"""What a match is played by, and one game of it as a work item: plain data, ready for JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import chain
from types import NoneType
from typing import Any, TypeVar

from engine.geometry import MAX_SIZE, MIN_SIZE
from engine.match.players import Entrant
from engine.match.timing import ClockRule
from engine.rules import RULES

FIRST, SECOND, DRAW = "first", "second", "draw"
_Part = TypeVar("_Part", "Terms", Entrant, ClockRule)


@dataclass(frozen=True)
class Terms:
    """The same for all games of a match. The first player is the one named by --black."""

    first: Entrant
    second: Entrant
    size: int = 9
    komi: float = 7.0
    rules: str = "chinese"
    handicap: int = 0
    playouts: int = 2000  # of a flat player
    clock: ClockRule | None = None
    move_limit: int = 0  # 0 for three moves a point
    patience: float = 60.0  # seconds for an answer beyond the clock's time
    referee: Entrant | None = None
    analyze: bool = True
    cores: int = 1  # for a game; its two players take turns on them
    apart: bool = False  # each player has cores of its own
    share_cores: bool = False
    fresh: bool = False  # start the programs anew for each game
    seed: int = 1
    openings: str = ""  # what they are called, see `NamedOpenings`; nothing where nobody said

    @property
    def most_moves(self) -> int:
        return self.move_limit or 3 * self.size * self.size

    @property
    def names(self) -> dict[str, str]:
        """What the players are called, so that nobody takes the one for the other."""
        first, second = self.first.name, self.second.name
        if first == second:
            first, second = f"{first} ({FIRST})", f"{second} ({SECOND})"
        return {FIRST: first, SECOND: second}

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Terms:
        """Terms from a file; one of several errors if they can't be some."""
        values = dict(data)
        for name in ("first", "second", "referee"):
            if values[name] is not None:
                values[name] = _entrant(values[name])
        if values["clock"] is not None:
            values["clock"] = _checked(ClockRule(**values["clock"]))
        terms = _checked(cls(**values))
        if not MIN_SIZE <= terms.size <= MAX_SIZE or terms.rules not in RULES:
            raise ValueError
        return terms


def _entrant(data: Mapping[str, Any]) -> Entrant:
    """A player from a file, whose words are all text."""
    values = dict(data)
    values["command"] = tuple(values["command"])
    values["settings"] = tuple((name, value) for name, value in values.get("settings", ()))
    words = [*values["command"], *chain(*values["settings"])]
    if not all(isinstance(word, str) for word in words):
        raise TypeError("command")
    return _checked(Entrant(**values))


_KINDS: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (int, float), "bool": (bool,), "str": (str,), "Entrant": (Entrant,),
    "Entrant | None": (Entrant, NoneType), "ClockRule | None": (ClockRule, NoneType),
}  # fmt: skip


def _checked(part: _Part) -> _Part:
    """The same if its values are of the kinds that its class says; TypeError or ValueError."""
    for field in fields(part):
        value = getattr(part, field.name)
        if type(value) not in _KINDS.get(str(field.type), (tuple,)):
            raise TypeError(field.name)
        if field.type == "float" and not math.isfinite(value):
            raise ValueError(field.name)
    return part


@dataclass(frozen=True)
class GameItem:
    """One game: two games of a pair have the same opening and swapped colours."""

    number: int  # from 0
    first_is_black: bool
    opening: tuple[str, ...] = ()  # vertices, Black first

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GameItem:
        return cls(data["number"], data["first_is_black"], tuple(data["opening"]))
