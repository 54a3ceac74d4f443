"""Many games as flat arrays: what every learner reads.

The moves of all games stand in a row, and `starts` says where each game's begin, so that a
kernel can walk through millions of them and a choice of games is a few array operations.
Games that come from `knowledge/records.py` have been replayed and are legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from engine.geometry import BLACK, WHITE

Stones = Iterable[tuple[int, int]]  # colour and point


class Record(NamedTuple):
    """One game; its arrays are parts of those of its `Games`."""

    size: int
    komi: float
    colors: np.ndarray
    points: np.ndarray
    learn: np.ndarray
    setup_colors: np.ndarray
    setup_points: np.ndarray
    handicap: int
    winner: int
    ranks: tuple[int, int]
    date: int
    names: tuple[str, str]
    result: str
    rules: str
    source: str

    @property
    def setup(self) -> tuple[list[int], list[int]]:
        """The black and the white stones set up before the first move."""
        black, white = (self.setup_points[self.setup_colors == c].tolist() for c in (BLACK, WHITE))
        return black, white


@dataclass(frozen=True, eq=False)
class Games:
    """n games with m moves in all.

    Colours are 1 (black) and 2 (white), points are the engine's, 0 is a pass. Ranks: 30k to 1k
    are -30 to -1, 1d to 10d are 1 to 10, 1p to 9p are 11 to 19, and 0 is unknown. A date is a
    number such as 20060131, with zeros for what is unknown.
    """

    sizes: np.ndarray  # uint8[n]
    komi: np.ndarray  # float32[n], 0 where the record has none that can be read
    starts: np.ndarray  # int64[n + 1]: the moves of game i are starts[i] to starts[i + 1]
    colors: np.ndarray  # uint8[m]
    points: np.ndarray  # uint16[m]
    learn: np.ndarray  # bool[m]: whether to learn from a move
    setup_starts: np.ndarray  # int64[n + 1], as `starts`, for the stones before the first move
    setup_colors: np.ndarray  # uint8
    setup_points: np.ndarray  # uint16
    handicap: np.ndarray  # uint8[n]
    winner: np.ndarray  # uint8[n], 0 unknown or nobody
    rank_black: np.ndarray  # int8[n]
    rank_white: np.ndarray  # int8[n]
    date: np.ndarray  # int32[n]
    names: list[tuple[str, str]]
    results: list[str]
    rules: list[str]
    source: list[str]  # what to call a game in messages: its file and number

    @classmethod
    def from_moves(
        cls,
        size: int,
        games: Sequence[Stones],
        setups: Sequence[Stones] | None = None,
        **columns: Any,
    ) -> Games:
        """Games on one size from lists of (colour, point); other columns by name, or unknown."""
        n = len(games)
        starts, colors, points = _flat(games)
        setup_starts, setup_colors, setup_points = _flat(setups or [()] * n)
        others: dict[str, Any] = {"names": [("", "")] * n}
        others |= {name: [""] * n for name in ("results", "rules", "source")}
        others |= {name: np.zeros(n, dtype) for name, dtype in COLUMNS.items()}
        others["sizes"] += np.uint8(size)
        for name, value in columns.items():
            others[name] = np.asarray(value, COLUMNS[name]) if name in COLUMNS else value
        return cls(
            starts=starts,
            colors=colors,
            points=points,
            learn=np.ones(len(points), np.bool_),
            setup_starts=setup_starts,
            setup_colors=setup_colors,
            setup_points=setup_points,
            **others,
        )

    @classmethod
    def joined(cls, parts: Sequence[Games]) -> Games:
        """The games of all parts, one after another."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls.from_moves(19, [])
        columns: dict[str, Any] = {}
        for field in fields(cls):
            values = [getattr(part, field.name) for part in parts]
            if field.name in ("starts", "setup_starts"):
                lengths = np.concatenate([np.diff(value) for value in values])
                columns[field.name] = offsets(lengths)
            elif isinstance(values[0], list):
                columns[field.name] = [item for value in values for item in value]
            else:
                columns[field.name] = np.concatenate(values)
        return cls(**columns)

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[Record]:
        return map(self.game, range(len(self)))

    @property
    def n_moves(self) -> int:
        """The moves of all games, passes included."""
        return len(self.points)

    @property
    def year(self) -> np.ndarray:
        """The year of each game as int16, 0 where it is unknown."""
        return (self.date // 10_000).astype(np.int16)

    @property
    def owner(self) -> np.ndarray:
        """The number of the game that each move belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def game(self, i: int) -> Record:
        """One game by its number."""
        i = range(len(self))[i]  # from the end, if negative
        moves = slice(self.starts[i], self.starts[i + 1])
        setup = slice(self.setup_starts[i], self.setup_starts[i + 1])
        return Record(
            int(self.sizes[i]),
            float(self.komi[i]),
            self.colors[moves],
            self.points[moves],
            self.learn[moves],
            self.setup_colors[setup],
            self.setup_points[setup],
            int(self.handicap[i]),
            int(self.winner[i]),
            (int(self.rank_black[i]), int(self.rank_white[i])),
            int(self.date[i]),
            self.names[i],
            self.results[i],
            self.rules[i],
            self.source[i],
        )

    def select(self, chosen: np.ndarray | Sequence[int] | Sequence[bool]) -> Games:
        """The games of a mask, or of a list of numbers in its order."""
        which = np.asarray(chosen)
        if which.dtype == np.bool_:
            if which.shape != (len(self),):
                raise ValueError(f"a mask of {len(which)} for {len(self)} games")
            which = np.flatnonzero(which)
        which = np.arange(len(self))[which.astype(np.int64)]  # from the end, if negative
        if len(which) == len(self) and np.array_equal(which, np.arange(len(self))):
            return self
        starts, moves = _gathered(self.starts, which)
        setup_starts, setup = _gathered(self.setup_starts, which)
        columns: dict[str, Any] = {"starts": starts, "setup_starts": setup_starts}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("colors", "points", "learn"):
                columns[field.name] = value[moves]
            elif field.name in ("setup_colors", "setup_points"):
                columns[field.name] = value[setup]
            elif isinstance(value, list):
                columns[field.name] = [value[i] for i in which.tolist()]
            elif field.name not in columns:
                columns[field.name] = value[which]
        return Games(**columns)

    def first(self, n: int) -> Games:
        """The first n games, or all if there are fewer."""
        return self.select(np.arange(min(n, len(self))))

    def sample(self, n: int, seed: int) -> Games:
        """n games by chance, in their old order; the same seed chooses the same ones."""
        order = np.random.default_rng(seed).permutation(len(self))
        return self.select(np.sort(order[:n]))

    def learning(self, learn: np.ndarray) -> Games:
        """The same games with another choice of moves to learn from."""
        return replace(self, learn=learn)


# The columns of one number a game, beside the moves and the stones set up.
COLUMNS: dict[str, Any] = {
    "sizes": np.uint8,
    "komi": np.float32,
    "handicap": np.uint8,
    "winner": np.uint8,
    "rank_black": np.int8,
    "rank_white": np.int8,
    "date": np.int32,
}


def offsets(lengths: np.ndarray | Sequence[int]) -> np.ndarray:
    """Where each part of a row begins, and where the last one ends."""
    result = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=result[1:])
    return result


def _flat(games: Sequence[Stones]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    lists = [list(game) for game in games]
    both = np.array([stone for game in lists for stone in game], np.uint16).reshape(-1, 2)
    return offsets([len(game) for game in lists]), both[:, 0].astype(np.uint8), both[:, 1].copy()


def _gathered(starts: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray | slice]:
    """The new starts of chosen parts, and where the old row holds them."""
    lengths = np.diff(starts)[which]
    new = offsets(lengths)
    if len(which) and np.array_equal(which, np.arange(which[0], which[0] + len(which))):
        return new, slice(starts[which[0]], starts[which[-1] + 1])
    return new, np.repeat(starts[which] - new[:-1], lengths) + np.arange(new[-1])
