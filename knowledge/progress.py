"""A progress bar for work that takes longer than a second.

It is drawn on stderr if that is a terminal, and taken away at the end. What stays, there or in a
log, is one line that says how much was done and how long it took. Quick work leaves no trace.
"""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType

from engine.console import say

_PATIENCE = 1.0  # seconds before the first bar
_INTERVAL = 0.2  # seconds from one bar to the next
_WIDTH = 24


def duration(seconds: float) -> str:
    """A length of time as people say it."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"


class Progress:
    """Use it as a context manager around the work, and call `update` as often as you like."""

    def __init__(self, what: str, unit: str = "games", quiet: bool = False) -> None:
        self._what = what
        self._unit = unit
        self._quiet = quiet
        self._done = self._total = 0
        self._note = ""
        self._started = self._drawn = time.perf_counter()
        self._on_screen = False

    def update(self, done: int, total: int, note: str = "") -> None:
        """So much has been done of so much; the note, say a figure, is shown beside the bar."""
        self._done, self._total = done, total
        self._note = note or self._note
        now = time.perf_counter()
        if self._quiet or now - self._started < _PATIENCE or now - self._drawn < _INTERVAL:
            return
        self._drawn = now
        if sys.stderr is not None and sys.stderr.isatty():
            self._on_screen = True
            width = shutil.get_terminal_size().columns - 1
            self._write(f"\r{self._line(now - self._started)[:width]:{width}}")

    def _line(self, seconds: float) -> str:
        rate = self._done / seconds
        share = min(1.0, self._done / self._total) if self._total else 1.0
        bar = f"{'#' * int(share * _WIDTH):.<{_WIDTH}}"
        parts = [
            f"{self._what} [{bar}] {self._done:,} of {self._total:,} {self._unit}",
            f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2f}/s",
        ]
        if rate > 0:
            parts.append(f"{duration((self._total - self._done) / rate)} left")
        return ", ".join([*parts, self._note] if self._note else parts)

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            self._on_screen = False

    def __enter__(self) -> Progress:
        self._started = self._drawn = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._on_screen:
            self._write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")
        seconds = time.perf_counter() - self._started
        if kind is None and not self._quiet and seconds >= _PATIENCE:
            note = f", {self._note}" if self._note else ""
            say(f"{self._what}: {self._done:,} {self._unit} in {duration(seconds)}{note}")
