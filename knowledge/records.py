"""Game records for learning: the moves of many games, as plain arrays.

Reads SGF collections with any number of games in one file, also compressed by xz or gzip. A
game that can't be read or holds an illegal move is left out, and counted.
"""

from __future__ import annotations

import gzip
import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sgfmill import sgf

from engine.geometry import BLACK, PASS, WHITE, point
from engine.position import Position


class Record(NamedTuple):
    """One even game from the empty board."""

    size: int
    komi: float
    colors: np.ndarray
    points: np.ndarray
    ranks: tuple[str, str]
    result: str
    rules: str


_XZ, _GZIP = b"\xfd7zXZ\x00", b"\x1f\x8b"
_GAME_START = re.compile(rb"\(\s*;")


def read_records(path: Path | str, first: int | None = None) -> tuple[list[Record], int]:
    """The first games of a file, and how many of them were left out."""
    data = Path(path).read_bytes()
    if data.startswith(_XZ):
        data = lzma.decompress(data)
    elif data.startswith(_GZIP):
        data = gzip.decompress(data)
    records, bad = [], 0
    for i, text in enumerate(_games(data)):
        if i == first:
            break
        try:
            records.append(_record(text))
        except ValueError:
            bad += 1
    return records, bad


def _games(data: bytes) -> Iterator[bytes]:
    """The games of a collection: one a line, or else one for each opening at the outer level."""
    lines = [line for line in data.splitlines() if line.strip()]
    if all(_GAME_START.match(line) for line in lines):
        yield from lines
        return
    start, depth, in_value, skip = 0, 0, False, False
    for i, byte in enumerate(data):
        sign = chr(byte)
        if skip:
            skip = False
        elif in_value:
            skip = sign == "\\"
            in_value = sign != "]"
        elif sign == "[":
            in_value = True
        elif sign == "(":
            start = i if depth == 0 else start
            depth += 1
        elif sign == ")":
            depth -= 1
            if depth == 0:
                yield data[start : i + 1]


def _record(text: bytes) -> Record:
    game = sgf.Sgf_game.from_bytes(text)
    root = game.get_root()
    if root.has_setup_stones() or game.get_handicap():
        raise ValueError("not an even game from the empty board")
    colors, points = [], []
    position = Position(game.get_size())
    for node in game.get_main_sequence()[1:]:
        letter, place = node.get_move()
        if letter is not None:
            colors.append(BLACK if letter == "b" else WHITE)
            points.append(PASS if place is None else point(*place))
            position.play(colors[-1], points[-1])

    def text_of(name: str) -> str:
        return str(root.get(name)) if root.has_property(name) else ""

    return Record(
        game.get_size(),
        game.get_komi(),
        np.array(colors, np.uint8),
        np.array(points, np.uint16),
        (text_of("BR"), text_of("WR")),
        text_of("RE"),
        text_of("RU"),
    )
