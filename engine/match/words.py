"""What a program writes to stderr, read while it thinks so that it never waits for us.

A thread takes what arrives. Whoever asks first takes what is still in the pipe, so that all that
was written before a reply is there once the reply is.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
from collections import deque
from typing import IO

KEPT_LINES = 200  # that wait to be fetched; older ones are forgotten
LONGEST_LINE = 1000  # characters; the rest of a longer one is another line
_CHUNK = 1 << 16
_CHUNKS_AT_ONCE = 16  # a program may write faster than we read, and somebody waits for us
_CAN_POLL = os.name == "posix"


class Words:
    """The lines of a pipe."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._rest = b""  # of a line that has not ended
        self._ended = False
        self._lock = threading.Lock()
        if _CAN_POLL:
            os.set_blocking(pipe.fileno(), False)
        threading.Thread(target=self._listen, daemon=True, name="stderr").start()

    def take(self) -> list[str]:
        """The lines since the last time."""
        self._read()
        with self._lock:
            result = list(self._lines)
            self._lines.clear()
        return result

    def last(self) -> str:
        """The last line that nobody took yet."""
        self._read()
        with self._lock:
            return self._lines[-1] if self._lines else ""

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while not self._ended:
                if _CAN_POLL:
                    select.select([self._pipe], [], [])
                    self._read()
                else:
                    self._add(os.read(self._pipe.fileno(), _CHUNK))
        with self._lock:
            self._pipe.close()

    def _read(self) -> None:
        """Take what is in the pipe, but not for ever, where one can do that without waiting."""
        with self._lock, contextlib.suppress(BlockingIOError, OSError, ValueError):
            for _ in range(_CHUNKS_AT_ONCE):
                if not _CAN_POLL or self._ended:
                    break
                self._add(os.read(self._pipe.fileno(), _CHUNK))

    def _add(self, data: bytes) -> None:
        self._ended = not data
        *lines, self._rest = (self._rest + data).split(b"\n")
        if self._ended or len(self._rest) > LONGEST_LINE:
            lines, self._rest = [*lines, self._rest], b""
        texts = (line[:LONGEST_LINE].decode("utf-8", "replace").rstrip() for line in lines)
        self._lines.extend(text for text in texts if text)
