"""The folder of a match: its terms, one line of JSON for each game, and the games' records.

A line is written at once and after its game's record, so whatever interrupts a match, a line is
there whole or not at all, and never without its record. A game counts once, by its number.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.match.difference import different
from engine.match.folders import cut_last_line
from engine.match.lines import Line, is_sound
from engine.match.statistics import NO_PAIRS, Pairs, Score
from engine.match.terms import DRAW, FIRST, Terms
from knowledge.report import naming, write_atomically

TERMS, GAMES, RECORDS = "match.json", "games.jsonl", "games"


class BadResults(ValueError):
    """A folder holds another match or something else; the text says what."""


class Results:
    """The games of a match so far, in a folder, or only in memory without one."""

    def __init__(self, terms: Terms, folder: Path | None = None) -> None:
        self.folder = folder
        self.terms = terms
        self.lines: dict[int, Line] = {}
        if folder is None:
            return
        if (folder / GAMES).exists() and not (folder / TERMS).exists():
            raise BadResults(f"{folder} holds games but no {TERMS} that says of which match")
        if (folder / TERMS).exists():
            other = different(load_terms(folder), terms)
            if other:
                raise BadResults(f"{folder} holds another match: {other} (choose another --out)")
            self.lines = load_lines(folder)
            cut_last_line(folder / GAMES)
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
        if not (folder / TERMS).exists():
            text = json.dumps(terms.to_json(), indent=1) + "\n"
            write_atomically(folder / TERMS, text)

    def add(self, result: Mapping[str, Any]) -> bool:
        """Keep a game; False if it was there already."""
        line = dict(result)
        record = line.pop("sgf", "")
        number = line["game"]
        if number in self.lines:
            return False
        if self.folder is not None:
            name = f"{number + 1:05}.sgf"
            write_atomically(self.folder / RECORDS / name, record)
            append_line(self.folder / GAMES, line)
        self.lines[number] = line
        return True

    def score(self) -> Score:
        """The score of all games."""
        return score_of(self.lines.values())

    def pairs(self) -> Pairs:
        """The points of the pairs that are complete."""
        return pairs_of(self.lines.values())


def score_of(lines: Iterable[Line]) -> Score:
    """Wins, draws and losses of the first player."""
    winners = [line["winner"] for line in lines]
    wins, draws = winners.count(FIRST), winners.count(DRAW)
    return Score(wins, draws, len(winners) - wins - draws)


def pairs_of(lines: Iterable[Line]) -> Pairs:
    """How many complete pairs brought the first player 0, 1/2, 1, 1 1/2 and 2 points.

    In a complete pair no colour is favoured."""
    return [NO_PAIRS, *running_pairs(lines)][-1]


def running_pairs(lines: Iterable[Line]) -> Iterator[Pairs]:
    """The same after each game."""
    before: dict[int, Line] = {}
    counts = [0] * 5
    for line in lines:
        number = line["game"]
        before[number] = line
        other = before.get(number ^ 1)
        if other is not None:
            counts[round(2 * score_of([line, other]).points)] += 1
        yield counts[0], counts[1], counts[2], counts[3], counts[4]


def repeated(lines: Iterable[Line]) -> int:
    """How many games are another one again, move for move."""
    moves = [line["line"] for line in lines]
    return len(moves) - len(set(moves))


def load_terms(folder: Path) -> Terms:
    """What a match is played by; BadResults if the folder holds none."""
    try:
        return Terms.from_json(json.loads((folder / TERMS).read_text(encoding="utf-8")))
    except OSError as error:
        raise BadResults(f"{folder} holds no match: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise BadResults(f"{folder / TERMS} is damaged") from None


def load_lines(folder: Path) -> dict[int, Line]:
    """The games of a match by number; a last line that was cut short is left out."""
    path = folder / GAMES
    if not path.exists():
        return {}
    result: dict[int, Line] = {}
    whole = path.read_text(encoding="utf-8", errors="replace").rpartition("\n")[0]
    for number, text in enumerate(whole.splitlines(), 1):
        try:
            line = json.loads(text)
            if not is_sound(line):
                raise ValueError
            result.setdefault(line["game"], line)
        except (ValueError, RecursionError):
            raise BadResults(f"{path}: line {number} is damaged") from None
    return result


def append_line(path: Path, line: Mapping[str, Any]) -> None:
    """Add a line of JSON to a file, whole or not at all."""
    data = (json.dumps(line) + "\n").encode("utf-8")
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    before = os.fstat(file).st_size
    try:
        with naming(path):
            # A disk that is nearly full takes a part, and says so only when it is given the rest.
            while data:
                data = data[os.write(file, data) :]
            os.fsync(file)
    except BaseException:
        os.ftruncate(file, before)
        raise
    finally:
        os.close(file)
