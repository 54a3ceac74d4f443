"""What a match is played by, and one game of it as a work item: plain data, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from engine.match.players import Entrant
from engine.match.timing import ClockRule

FIRST, SECOND, DRAW = "first", "second", "draw"


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

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Terms:
        values = dict(data)
        for name in ("first", "second", "referee"):
            if values[name] is not None:
                entrant = dict(values[name])
                entrant["command"] = tuple(entrant["command"])
                entrant["settings"] = tuple(map(tuple, entrant.get("settings", ())))
                values[name] = Entrant(**entrant)
        if values["clock"] is not None:
            values["clock"] = ClockRule(**values["clock"])
        return cls(**values)


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
