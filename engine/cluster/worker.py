"""A worker: reads items from stdin, a line of JSON each, and writes their results to stdout.

It is started by `local.py`. An empty line means that there is no more to do: then the worker ends
in peace. The end of stdin means that nobody waits for results any more: then it leaves at once,
with all programs it has started.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn


def named(function: str) -> Callable[[Any], Any]:
    """The function of a name such as `engine.match.work:play_item`."""
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)


def answer(line: str) -> str:
    """The result of an item as a line of JSON, or the error that it made."""
    try:
        work = json.loads(line)
        return json.dumps({"result": named(work["function"])(work["item"])})
    except Exception as error:
        return json.dumps({"error": _told(error)})


def _told(error: Exception) -> str:
    """An error in one line, with the place that a programmer will want to know."""
    said = (str(error).splitlines() or [""])[0]
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {said} ({Path(place.filename).name}, line {place.lineno})"


def main() -> None:
    """Work until there is no more to do."""
    lines, replies = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not end up between the results
    waiting: queue.Queue[str] = queue.Queue()

    def read() -> None:
        while line := lines.readline():
            waiting.put(line.decode("utf-8").strip())
            if not line.strip():
                return
        _leave()

    threading.Thread(target=read, daemon=True, name="items").start()
    while line := waiting.get():
        replies.write(answer(line).encode("utf-8") + b"\n")
        replies.flush()


def _leave() -> NoReturn:
    """Exit at once with our process group. Programs of a match are on a leash and end with us."""
    with contextlib.suppress(AttributeError, OSError):
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
    os._exit(0)
