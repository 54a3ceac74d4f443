"""Game records that a subcommand was given: read, or refused in one line."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.main import CommandError

if TYPE_CHECKING:
    from knowledge.records import Record


def read_games(path: Path | str, first: int | None = None) -> tuple[list[Record], int]:
    """The first games of a file, and how many of them were left out; see `knowledge.records`."""
    from knowledge.records import read_records

    try:
        return read_records(path, first)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise CommandError(f"cannot read {path}: {error}") from None
