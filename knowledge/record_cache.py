"""Games that were read before, kept so that a second run starts at once.

A file in the folder `records` of the user's cache folder holds all games of one source, named by
a hash of the source's content: a source that changed is simply not found. Files are plain .npz
archives. One that is damaged, or was written in another format, is as good as none. The folder
is kept below a size, the files unused for longest go first.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from engine.geometry import MAX_SIZE, MIN_SIZE, POINTS, WHITE
from engine.jit import CACHE
from knowledge.games import COLUMNS, Games, offsets
from knowledge.record_parser import WHITE_BIT, packed_colors, packed_points

FORMAT = 2  # to be raised whenever games are kept, or read, in another way
MOST_BYTES = 1 << 30
Problems = list[tuple[str, str]]
_DAMAGED = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)


def cache_folder() -> Path | None:
    """Where the files are, or None if there is nowhere to write."""
    return None if CACHE is None else CACHE.parent / "records"


def content_key(files: Iterable[tuple[str, bytes]]) -> str:
    """The name for what some files hold; their labels count too, since games are named by them."""
    digest = hashlib.sha256()
    for label, data in files:
        name = label.encode()
        digest.update(f"{len(name)} {len(data)} ".encode() + name)
        digest.update(data)
    return f"games-{FORMAT}-{digest.hexdigest()}"


def load(key: str) -> tuple[Games, Problems] | None:
    """The games of a source and what was wrong with others, or None if they are not here."""
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / f"{key}.npz"
    try:
        with np.load(path, allow_pickle=False) as archive:
            games, problems = _unpacked({name: archive[name] for name in archive.files})
        os.utime(path)
    except _DAMAGED:
        return None
    return games, problems


def save(key: str, games: Games, problems: Problems) -> None:
    """Keep the games of a source; where that can't be done nothing happens."""
    folder = cache_folder()
    if folder is None:
        return
    temporary = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            np.savez(file, allow_pickle=False, **_packed(games, problems))
        os.replace(temporary, folder / f"{key}.npz")
        temporary = None
        _drop_oldest(folder)
    except OSError:
        pass  # a full disk, or a folder that isn't ours: the next run will read the source again
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _drop_oldest(folder: Path) -> None:
    """Remove the files used longest ago until the others fit, but never the newest one."""
    files = []
    for path in folder.glob("*"):
        status = path.stat()
        files.append((status.st_mtime, status.st_size, path))
    total = 0
    for i, (_, size, path) in enumerate(sorted(files, reverse=True)):
        total += size
        if i > 0 and total > MOST_BYTES:
            path.unlink(missing_ok=True)


# --- Games as few arrays ---------------------------------------------------------------------


def _packed(games: Games, problems: Problems) -> dict[str, np.ndarray]:
    black, white = [name for name, _ in games.names], [name for _, name in games.names]
    arrays = {name: getattr(games, name) for name in COLUMNS}
    return arrays | {
        "lengths": np.diff(games.starts).astype(np.int32),
        "moves": _stones(games.colors, games.points),
        "setup_lengths": np.diff(games.setup_starts).astype(np.int32),
        "setup": _stones(games.setup_colors, games.setup_points),
        "texts": _joined([*black, *white, *games.results, *games.rules, *games.source]),
        "problems": _joined([text for problem in problems for text in problem]),
        "problem_count": np.array(len(problems)),
    }


def _unpacked(arrays: dict[str, np.ndarray]) -> tuple[Games, Problems]:
    n = len(arrays["sizes"])
    moves, setup = arrays["moves"], arrays["setup"]
    texts = _split(arrays["texts"], 5 * n)
    black, white, results, rules, source = (texts[i * n : (i + 1) * n] for i in range(5))
    lines = _split(arrays["problems"], 2 * int(arrays["problem_count"]))
    columns: dict[str, Any] = {name: arrays[name] for name in COLUMNS}
    games = Games(
        starts=offsets(arrays["lengths"]),
        colors=packed_colors(moves),
        points=packed_points(moves),
        learn=np.ones(len(moves), np.bool_),
        setup_starts=offsets(arrays["setup_lengths"]),
        setup_colors=packed_colors(setup),
        setup_points=packed_points(setup),
        names=list(zip(black, white, strict=True)),
        results=results,
        rules=rules,
        source=source,
        **columns,
    )
    _check(games)
    return games, list(zip(lines[::2], lines[1::2], strict=True))


def _check(games: Games) -> None:
    """Kernels trust what they get: ValueError if the parts don't fit together."""
    n = len(games.sizes)
    good = (
        all(getattr(games, name).shape == (n,) for name in COLUMNS)
        and all(getattr(games, name).dtype == dtype for name, dtype in COLUMNS.items())
        and len(games.starts) == len(games.setup_starts) == n + 1
        and games.starts[-1] == len(games.points)
        and games.setup_starts[-1] == len(games.setup_points)
        and bool((np.diff(games.starts) >= 0).all() and (np.diff(games.setup_starts) >= 0).all())
        and bool(((games.sizes >= MIN_SIZE) & (games.sizes <= MAX_SIZE)).all())
        and all(bool((p < POINTS).all()) for p in (games.points, games.setup_points))
    )
    if not good:
        raise ValueError("a cache of games that can't be")


def _stones(colors: np.ndarray, points: np.ndarray) -> np.ndarray:
    return points | (colors == WHITE) * np.uint16(WHITE_BIT)


def _joined(texts: list[str]) -> np.ndarray:
    return np.frombuffer("\0".join(texts).encode("utf-8", "replace"), np.uint8)


def _split(joined: np.ndarray, count: int) -> list[str]:
    texts = joined.tobytes().decode("utf-8").split("\0") if count else []
    if len(texts) != count:
        raise ValueError("a text is missing")
    return texts
