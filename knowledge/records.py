"""Game records for learning, from whatever people have: `read_games` is the one way in.

A source, a file or a folder in any packaging, is unpacked (`archives.py`), cut into single games
(`game_bounds.py`), taken apart (`record_parser.py`), replayed (`replay.py`), kept for the next
time (`record_cache.py`) and filtered (`filters.py`). A game that can't be read, or is illegal,
is left out and named on stderr: the first ten, then how many more.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.console import say
from knowledge import record_cache
from knowledge.archives import Complain, sgf_texts, source_files
from knowledge.filters import NO_FILTERS, Filters
from knowledge.game_bounds import game_bounds
from knowledge.games import Games, Record
from knowledge.progress import Progress
from knowledge.record_parser import parse_games
from knowledge.replay import illegal_games

__all__ = ["BadRecords", "Filters", "Games", "Record", "read_games"]

NAMED = 10  # how many broken games are named
CACHE_FROM_BYTES = 1 << 20  # less text than this is read as fast as a cache
PROCESSES_FROM_BYTES = 1 << 25
PROCESSES = 2
_CHUNK = 1000  # games that are parsed at a time
_Path = str | os.PathLike[str]
_Problems = list[tuple[str, str]]
_Chunk = tuple[list[str], list[bytes]]
_Parsed = tuple[Games, _Problems]


class _Text(NamedTuple):
    """An SGF text, what to call it, and where its games are."""

    label: str
    data: bytes
    bounds: list[tuple[int, int]]


class BadRecords(ValueError):
    """A source that can't be read at all; the text says which and why."""


def read_games(
    paths: _Path | Sequence[_Path], filters: Filters = NO_FILTERS, progress: bool = True
) -> Games:
    """The legal games of some files and folders that pass the filters.

    OSError and BadRecords tell in a line which source can't be read.
    """
    sources = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    parts, problems = [], []
    for source in sources:
        games, wrong = _read_source(Path(source), progress)
        parts.append(games)
        problems += wrong
    _name_problems(problems)
    return filters.apply(Games.joined(parts))


def _name_problems(problems: _Problems) -> None:
    for label, reason in problems[:NAMED]:
        say(f"left out {label}: {reason}")
    if len(problems) > NAMED:
        say(f"left out {len(problems) - NAMED:,} more")


def _read_source(path: Path, progress: bool) -> _Parsed:
    """All games of a file or folder, and what is wrong with the others, with full labels."""
    problems: _Problems = []

    def complain(label: str, reason: str) -> None:
        if not label:
            raise BadRecords(f"{path}: {reason}")
        problems.append((label, reason))

    files = source_files(path, complain)
    key = record_cache.content_key(files)
    found = record_cache.load(key)
    if found is None:
        texts = [text for label, data in files for text in _texts(label, data, complain)]
        if not texts and not problems:
            raise BadRecords(f"{path}: no game records in it")
        games, unusable = _read_texts(texts, Progress(f"Reading {path.name}", quiet=not progress))
        found = games, problems + unusable
        if sum(len(text.data) for text in texts) >= CACHE_FROM_BYTES:
            record_cache.save(key, *found)
    games, problems = found
    name = path.name or str(path)
    source = [name + label for label in games.source]
    return replace(games, source=source), [(name + label, why) for label, why in problems]


def _texts(label: str, data: bytes, complain: Complain) -> Iterator[_Text]:
    """The SGF texts in a file that hold games."""
    for where, text in sgf_texts(label, data, complain):
        bounds = game_bounds(text)
        if bounds:
            yield _Text(where, text, bounds)
        else:
            complain(where, "no game record in it")


def _read_texts(texts: list[_Text], progress: Progress) -> _Parsed:
    """The legal games of some texts, and what is wrong with the others."""
    parts: list[Games] = []
    problems: _Problems = []
    total = sum(len(text.bounds) for text in texts)
    size = sum(len(text.data) for text in texts)
    done = 0
    illegal_games(Games.joined([]))  # the first call may compile, which is no reading
    with progress:
        for games, unclear in _parsed(_chunks(texts), size):
            illegal = illegal_games(games)
            problems += unclear
            problems += [(games.source[i], reason) for i, reason in illegal.items()]
            legal = np.ones(len(games), np.bool_)
            legal[list(illegal)] = False
            parts.append(games.select(legal))
            done += len(games) + len(unclear)
            progress.update(done, total)
    return Games.joined(parts), problems


def _chunks(texts: list[_Text]) -> Iterator[_Chunk]:
    """The single games, some at a time, with their labels."""
    labels: list[str] = []
    games: list[bytes] = []
    for label, data, bounds in texts:
        for number, (start, end) in enumerate(bounds, 1):
            labels.append(label if len(bounds) == 1 else f"{label} #{number}")
            games.append(data[start:end])
            if len(games) == _CHUNK:
                yield labels, games
                labels, games = [], []
    if games:
        yield labels, games


# --- Parsing on two cores --------------------------------------------------------------------


def _parsed(chunks: Iterator[_Chunk], size: int) -> Iterator[_Parsed]:
    """The chunks, parsed in order; much text by more than one process."""
    alone = (os.cpu_count() or 1) < PROCESSES or multiprocessing.current_process().daemon
    if alone or size < PROCESSES_FROM_BYTES:
        yield from (parse_games(*chunk) for chunk in chunks)
        return
    # A fresh process: one that is forked would inherit the threads' locks, not the threads.
    fresh = multiprocessing.get_context("spawn")
    waiting: deque[tuple[_Chunk, Future[_Parsed] | None]] = deque()
    with ProcessPoolExecutor(PROCESSES, fresh) as pool:
        for chunk in chunks:
            waiting.append((chunk, _submitted(pool, chunk)))
            if len(waiting) > 3 * PROCESSES:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())


def _submitted(pool: ProcessPoolExecutor, chunk: _Chunk) -> Future[_Parsed] | None:
    try:
        return pool.submit(parse_games, *chunk)
    except (BrokenProcessPool, OSError):
        return None


def _result(chunk: _Chunk, future: Future[_Parsed] | None) -> _Parsed:
    """What a process made of a chunk; if the process died, we do it ourselves."""
    if future is not None:
        with contextlib.suppress(BrokenProcessPool):
            return future.result()
    return parse_games(*chunk)
