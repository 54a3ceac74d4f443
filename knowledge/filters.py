"""Which games and which of their moves to learn from: the same options for every subcommand.

Games are filtered first; `--sample` and `--first` then count those that are left. A game whose
rank or date is unknown fails a filter that asks for it. Which moves to learn from is marked last,
and takes no game away, so that the first N games are the same ones for every choice of moves.
NumPy is loaded only when games are there to be filtered, so that `--help` comes at once.
"""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from engine.geometry import BLACK, MAX_SIZE, MIN_SIZE
from knowledge.record_facts import UNKNOWN, date_value, rank_text, rank_value

if TYPE_CHECKING:
    import numpy as np

    from knowledge.games import Games

_STRONGEST = rank_value("9p")


@dataclass(frozen=True)
class Filters:
    """What a game must be. None, 0 and "" let everything through."""

    size: int | None = None
    even: bool | None = None  # True: from the empty board; False: with handicap stones
    min_moves: int = 0
    player: str = ""  # part of either player's name, in any case
    rank_from: int | None = None  # both players at least this, see `Games` for the numbers
    rank_to: int | None = None
    date_from: int | None = None  # such as 20060131, 20060100 or 20060000
    date_to: int | None = None
    winner_only: bool = False  # learn from the winner's moves
    moves_of_rank: tuple[int, int] | None = None  # learn from the moves of players from, to
    first: int | None = None
    sample: int | None = None
    seed: int = 1

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser, **defaults: Any) -> None:
        """Give a subcommand all these options; `defaults` by name where they are not None."""
        group = parser.add_argument_group("which games")

        def add(option: str, **details: Any) -> None:
            name = option[2:].replace("-", "_")
            default = defaults.get(name)
            if default is not None:
                details["help"] += f" (default {default})"
            group.add_argument(option, default=default, **details)

        add("--size", type=_size, metavar="N", help="board size")
        start = group.add_mutually_exclusive_group()
        start.add_argument(
            "--even", action="store_true", default=None, help="no handicap, from the empty board"
        )
        start.add_argument(
            "--handicap", action="store_false", dest="even", default=None, help="handicap games"
        )
        add("--min-moves", type=_count, metavar="N", help="at least N moves")
        add("--player", metavar="NAME", help="either player's name contains this")
        add("--rank-from", type=_rank, metavar="RANK", help="both players at least this, say 6d")
        add("--rank-to", type=_rank, metavar="RANK", help="both players at most this, say 9p")
        add("--date-from", type=_date, metavar="DATE", help="played then or later, say 2006-01")
        add("--date-to", type=_date, metavar="DATE", help="played then or earlier, say 2006")
        group.add_argument(
            "--winner-only", action="store_true", help="learn from the winner's moves only"
        )
        add(
            "--moves-of-rank",
            type=_ranks,
            metavar="RANKS",
            help="learn only from moves of players from one rank to another, say 5k-1d; "
            "1d alone means 1d or stronger",
        )
        add("--first", type=_count, metavar="N", help="the first N games that pass")
        add("--sample", type=_count, metavar="N", help="N games that pass, chosen by chance")
        group.add_argument(
            "--seed", type=int, default=1, metavar="N", help="random seed (default 1)"
        )

    @classmethod
    def from_arguments(cls, args: argparse.Namespace) -> Filters:
        """The filters that the options ask for."""
        values = {field.name: getattr(args, field.name) for field in fields(cls)}
        return cls(**{name: value for name, value in values.items() if value is not None})

    def options(self) -> str:
        """The options that ask for these filters, as on a command line."""
        words = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value == field.default or (field.name == "seed" and self.sample is None):
                continue
            if field.name == "even":
                words.append("--even" if value else "--handicap")
            elif value is True:
                words.append(f"--{field.name.replace('_', '-')}")
            else:
                words.append(f"--{field.name.replace('_', '-')} {_option_text(field.name, value)}")
        return " ".join(words)

    def apply(self, games: Games) -> Games:
        """The games that pass, with the moves marked that are to be learned from."""
        chosen = games.select(self._passing(games))
        if self.sample is not None:
            chosen = chosen.sample(self.sample, self.seed)
        if self.first is not None:
            chosen = chosen.first(self.first)
        return chosen.learning(self._lessons(chosen))

    def _passing(self, games: Games) -> np.ndarray:
        import numpy as np

        passing = np.diff(games.starts) >= self.min_moves
        if self.size is not None:
            passing &= games.sizes == self.size
        if self.even is True:
            passing &= (games.handicap == 0) & (np.diff(games.setup_starts) == 0)
        elif self.even is False:
            passing &= games.handicap > 0
        if self.player:
            wanted = self.player.casefold()
            passing &= np.array(
                [any(wanted in name.casefold() for name in names) for names in games.names],
                np.bool_,
            )
        if self.rank_from is not None or self.rank_to is not None:
            for rank in (games.rank_black, games.rank_white):
                passing &= _within(rank, self.rank_from, self.rank_to)
        if self.date_from is not None or self.date_to is not None:
            passing &= games.date != UNKNOWN
            if self.date_from is not None:
                passing &= games.date >= self.date_from
            if self.date_to is not None:
                passing &= _last_day(games.date) <= _last_day(np.array(self.date_to))
        return passing

    def _lessons(self, games: Games) -> np.ndarray:
        """Which moves are to be learned from."""
        import numpy as np

        learn = games.learn
        if self.winner_only:
            learn = learn & (games.colors == games.winner[games.owner])
        if self.moves_of_rank is not None:
            black, white = (
                _within(rank, *self.moves_of_rank)[games.owner]
                for rank in (games.rank_black, games.rank_white)
            )
            learn = learn & np.where(games.colors == BLACK, black, white)
        return learn


NO_FILTERS = Filters()


def _within(rank: np.ndarray, low: int | None, high: int | None) -> np.ndarray:
    """Which ranks are known and in a range."""
    result = rank != UNKNOWN
    if low is not None:
        result &= rank >= low
    if high is not None:
        result &= rank <= high
    return result


def _last_day(date: np.ndarray) -> np.ndarray:
    """The dates with unknown months and days as late as can be."""
    import numpy as np

    date = np.where(date % 10_000 == 0, date + 9_999, date)
    return np.where(date % 100 == 0, date + 99, date)


# --- Kinds of option values ------------------------------------------------------------------


def _option_text(name: str, value: Any) -> str:
    """A filter's value as it is written on the command line."""
    if name == "moves_of_rank":
        return "-".join(map(rank_text, value))
    if name.startswith("rank"):
        return rank_text(value)
    if name.startswith("date"):
        parts = f"{value // 10_000}", f"{value // 100 % 100:02}", f"{value % 100:02}"
        return "-".join(part for part in parts if part != "00")
    return shlex.quote(str(value))


def _size(text: str) -> int:
    try:
        size = int(text)
    except ValueError:
        size = 0
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size from {MIN_SIZE} to {MAX_SIZE}")
    return size


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def _rank(text: str) -> int:
    value = rank_value(text)
    if value == UNKNOWN or rank_text(value) != text.strip().lower():
        raise argparse.ArgumentTypeError(f"{text!r} is not a rank such as 5k, 6d or 9p")
    return value


def _ranks(text: str) -> tuple[int, int]:
    low, is_range, high = text.partition("-")
    result = _rank(low), _rank(high) if is_range else _STRONGEST
    if result[0] > result[1]:
        raise argparse.ArgumentTypeError(f"{text!r} goes from the stronger to the weaker rank")
    return result


def _date(text: str) -> int:
    value = date_value(text)
    parts = [value // 10_000, value // 100 % 100, value % 100]
    given = [int(part) for part in text.split("-") if part.isdecimal()]
    if value == UNKNOWN or given != [part for part in parts if part]:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a date such as 2006, 2006-01, 2006-01-31"
        )
    return value
