"""Game records that a subcommand was given: read, or refused in one line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.main import CommandError
from engine.console import say, why
from knowledge.filters import NO_FILTERS, Filters

if TYPE_CHECKING:
    from knowledge.games import Games

FILES_HELP = "game records: a folder, .sgf, .zip, .tar, also packed by gzip or xz"


def read_games(paths: Path | str | Sequence[Path | str], filters: Filters = NO_FILTERS) -> Games:
    """The games of some files and folders that pass the filters; see `knowledge.records`."""
    from knowledge import records

    try:
        return records.read_games(paths, filters)
    except OSError as error:
        raise CommandError(f"cannot read {why(error)}") from None
    except records.BadRecords as error:
        raise CommandError(f"cannot read {error}") from None


def read_all(files: Sequence[str], filters: Filters) -> Games:
    """The games of all files together; `--first` and `--sample` count in each file."""
    from knowledge.games import Games

    parts = []
    for name in files:
        parts.append(read_games(name, filters))
        say(f"{name}: {len(parts[-1])} games")
    games = Games.joined(parts)
    if not len(games):
        raise CommandError(f"no games that pass the filters in {', '.join(files)}")
    return games
