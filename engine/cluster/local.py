"""Workers on this machine: processes that get their items through pipes."""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from engine.cluster import TRIES, Item, Result, WorkFailed

_HOME = Path(__file__).resolve().parents[2]
_FAREWELL = 5.0  # seconds for a worker to end its programs
_Done = tuple[Item, Result] | Exception | None


class _Process:
    """One worker process, the first of a group: what it starts and lets be belongs to it."""

    def __init__(self) -> None:
        # By the path and not by PYTHONPATH, which the worker's programs would inherit: another
        # version of ours among them must find its own files.
        start = f"import sys; sys.path.insert(0, {str(_HOME)!r}); import engine.cluster.worker as w"
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"{start}; w.main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def do(self, function: str, item: Item) -> Result | None:
        """An item's result, or None if the process died over it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = json.dumps({"function": function, "item": item}) + "\n"
        try:
            self._process.stdin.write(line.encode("utf-8"))
            self._process.stdin.flush()
            reply = self._process.stdout.readline()
            answer = json.loads(reply) if reply.endswith(b"\n") else None
        except (OSError, ValueError):
            answer = None
        if answer is None:
            return None
        if "error" in answer:
            raise WorkFailed(answer["error"].strip())
        return answer["result"]

    def dismiss(self) -> None:
        """Tell the process that there is no more to do."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()

    def wait(self, patience: float) -> None:
        """Give the process so many seconds to end."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)

    def kill(self) -> None:
        """End the process and all it has started."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()


class LocalWorkers:
    """So many processes on this machine, and how long their results are waited for."""

    def __init__(self, count: int, patience: float = math.inf) -> None:
        self._count = count
        self._end_of_patience = time.monotonic() + patience
        self._processes: set[_Process] = set()
        self._idle: list[_Process] = []  # they may have something loaded that is used again
        self._lock = threading.Lock()
        self._stopping = False

    @property
    def count(self) -> int:
        return self._count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End all at once, or if all went well, let those go in peace who have nothing to do."""
        with self._lock:
            self._stopping = True
            idle = set() if any(error) else set(self._idle)
            busy = self._processes - idle
        for process in busy:
            process.kill()
        for process in idle:
            process.dismiss()
        end = time.monotonic() + _FAREWELL
        for process in idle:
            process.wait(max(0.0, end - time.monotonic()))
            process.kill()

    def map(self, function: str, items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """One thread for each process hands out items until there are none left.

        The processes stay for the next call.
        """
        source = iter(items)
        done: queue.Queue[_Done] = queue.Queue()

        def serve() -> None:
            process = None
            try:
                process = self._start()
                while process is not None:
                    with self._lock:
                        item = None if self._stopping else next(source, None)
                    if item is None:
                        break
                    result = None
                    for _ in range(TRIES):
                        if process is None or (result := process.do(function, item)) is not None:
                            break
                        self._end(process)
                        process = self._start()
                    if result is None:
                        raise WorkFailed(f"{TRIES} workers died over the same item")
                    done.put((item, result))
            except Exception as error:  # also one of the items' own
                done.put(error)
            finally:
                if process is not None:
                    with self._lock:
                        self._idle.append(process)
                done.put(None)

        threads = [threading.Thread(target=serve, daemon=True) for _ in range(self._count)]
        for thread in threads:
            thread.start()
        running = len(threads)
        while running:
            left = self._end_of_patience - time.monotonic()
            try:
                outcome = done.get(timeout=None if math.isinf(left) else max(0.0, left))
            except queue.Empty:
                return
            if outcome is None:
                running -= 1
            elif isinstance(outcome, Exception):
                raise outcome
            else:
                yield outcome

    def _start(self) -> _Process | None:
        """A process that is free or a new one, or None if we are about to end."""
        with self._lock:
            if self._stopping:
                return None
            if self._idle:
                return self._idle.pop()
            try:
                process = _Process()
            except OSError as error:
                raise WorkFailed(f"no worker can be started: {error.strerror}") from None
            self._processes.add(process)
            return process

    def _end(self, process: _Process) -> None:
        process.kill()
        with self._lock:
            self._processes.discard(process)
