"""Folders that a long run adds to: nobody else does meanwhile, and no line is left half written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"


class FolderInUse(ValueError):
    """Another run adds to the folder; the text says so."""


@contextmanager
def sole_use(folder: Path | None) -> Iterator[None]:
    """Keep other runs out of a folder; the system lets them in when this one ends, however it does.

    Two runs in one folder would play the same games, and each would keep half of them.
    """
    if folder is None or fcntl is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / LOCK, "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            text = f"{folder} is in use by another run: wait for its end, or choose another --out"
            raise FolderInUse(text) from None
        yield


def cut_last_line(path: Path) -> None:
    """Cut off what an interruption left of a file's last line."""
    if path.exists():
        data = path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(path, whole)
