"""A GTP client for tests: it talks to a session in this process or to an engine in another."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
import time
from typing import NamedTuple

from engine.gtp.protocol import Line, answer
from engine.gtp.session import Session
from engine.parameters import Settings
from fake_player import FakePlayer
from programs import HOME, PATIENCE

FAKE_ENGINE = [sys.executable, str(HOME / "tests" / "fake_engine.py")]
REAL_ENGINE = [sys.executable, str(HOME / "gtp_main.py"), "gtp"]


def new_session(kernels, size=9, **settings) -> Session:
    """A session with the fake player, which thinks in no time unless `sims=0`."""
    chosen = {"sims": 100, "seed": 1, **settings}
    return Session(kernels, size, settings=Settings(chosen), make_player=FakePlayer)


def ask(session, line) -> str | None:
    """The reply to one line, without the empty line that ends it."""
    reply = answer(session, Line(line if isinstance(line, bytes) else line.encode()))
    return None if reply is None else reply.decode().removesuffix("\n\n")


def within(seconds, attempt, tries=5):
    """Whether an attempt takes less time than that; on a busy machine some may take longer."""
    took = []
    for _ in range(tries):
        took.append(attempt())
        if took[-1] < seconds:
            return True
    raise AssertionError(f"took {took} s, more than {seconds} s")


class Timed(NamedTuple):
    """A line of output, and when it came."""

    text: str
    at: float


class Client:
    """An engine in a process of its own. Lines of its output are read as they come."""

    def __init__(self, *options, engine=FAKE_ENGINE, environment=None):
        self.process = subprocess.Popen(
            [*engine, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env=environment,
        )
        self.errors: list[str] = []
        self._lines: queue.Queue[Timed | None] = queue.Queue()
        self._threads = [
            threading.Thread(target=self._read_out, daemon=True),
            threading.Thread(target=self._read_err, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                stream.close()

    def _read_out(self):
        for line in self.process.stdout:
            self._lines.put(Timed(line.decode().removesuffix("\n"), time.monotonic()))
        self._lines.put(None)

    def _read_err(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace").removesuffix("\n"))

    def send(self, *lines):
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self, timeout=PATIENCE) -> Timed:
        """The next line of output."""
        found = self._lines.get(timeout=timeout)
        assert found is not None, ("the engine has gone", self.errors)
        return found

    def reply(self, timeout=PATIENCE) -> str:
        """The next reply, without the empty line that ends it."""
        lines = []
        while line := self.line(timeout).text:
            lines.append(line)
        return "\n".join(lines)

    def ask(self, line, timeout=PATIENCE) -> str:
        """Send a command; the text of its reply, which must be a success."""
        self.send(line)
        reply = self.reply(timeout)
        assert reply.startswith("="), (line, reply)
        return reply[2:]

    def ready(self):
        """Wait until the engine can move."""
        self.ask("showboard")
        return self

    def leave(self, how, timeout=PATIENCE) -> tuple[int, float]:
        """Do what ends the process; its exit code, and the seconds it took."""
        start = time.monotonic()
        how()
        code = self.process.wait(timeout)
        return code, time.monotonic() - start
