"""Which cores a game may use, so that no two engines that think at once share one.

A core is claimed by a lock on a small file that all of a user's matches on the machine look at;
the system gives it back when its holder ends, in whatever way. Where the system can't pin
processes there are no claims.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from typing import TextIO

from engine.console import say

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_RETRY = 0.2  # seconds from one try to the next
_MENTION = 5.0  # seconds of waiting before it is mentioned


def available_cores() -> list[int]:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def pin(process: int, cores: Collection[int] | None) -> None:
    """Let a process, 0 for this one, use these cores alone, if any are named; it may have ended."""
    if cores and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(process, cores)


class Claim:
    """Cores that are ours until `release`; None where processes can't be pinned."""

    def __init__(self, cores: list[int] | None, files: list[TextIO]) -> None:
        self.cores = cores
        self._files = files

    def release(self) -> None:
        for file in self._files:
            file.close()
        self._files = []


def claim_cores(wanted: int) -> Claim:
    """Wait until so many cores are free and take them; at most all there are."""
    if fcntl is None or not hasattr(os, "sched_setaffinity"):
        return Claim(None, [])
    started, mentioned = time.monotonic(), False
    while True:
        claim = _try_claim(wanted)
        if claim is not None:
            return claim
        if not mentioned and time.monotonic() - started > _MENTION:
            mentioned = True
            say("waiting for a core: other matches have them all (--share-cores goes ahead)")
        time.sleep(_RETRY)


def _try_claim(wanted: int) -> Claim | None:
    """All the cores or none of them, so that nobody waits while holding a part."""
    cores = available_cores()
    wanted = min(wanted, len(cores))
    folder = Path(tempfile.gettempdir()) / f"miai-cores-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    taken: dict[int, TextIO] = {}
    file: TextIO
    for core in cores:
        file = open(folder / str(core), "w", encoding="ascii")  # noqa: SIM115 - held by the claim
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            continue
        taken[core] = file
        if len(taken) == wanted:
            return Claim(sorted(taken), list(taken.values()))
    for file in taken.values():
        with contextlib.suppress(OSError):
            file.close()
    return None
