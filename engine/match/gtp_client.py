"""A GTP program at the other end of two pipes, which may crash, hang or talk nonsense.

Whatever it does, a question ends: with the answer, with `GtpRefusal` if the program said no, or
with `EngineFault` and a reason that stands in the record of the game.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import subprocess
import threading
import time
from collections.abc import Collection, Sequence

from engine.match.leash import Leash
from engine.match.words import Words

LONGEST_LINE = 1 << 16  # bytes; a longer line is nonsense
MOST_LINES = 5000  # of one reply
_END = ""
_CAN_POLL = os.name == "posix"


class EngineFault(Exception):
    """The program broke the conversation; the text says how."""


class GtpRefusal(Exception):
    """The program answered that it can't or won't."""


class GtpClient:
    """A running program. Its stderr is kept aside as its thoughts."""

    def __init__(self, command: Sequence[str], cores: Collection[int] | None = None) -> None:
        try:
            self._leash = Leash(command, cores)
        except OSError as error:
            raise EngineFault(f"could not be started: {error.strerror}") from None
        self._process = self._leash.process
        assert self._process.stdin is not None
        assert self._process.stderr is not None
        self._stdin = self._process.stdin
        if _CAN_POLL:
            os.set_blocking(self._stdin.fileno(), False)
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._words = Words(self._process.stderr)
        self._commands: frozenset[str] | None = None
        threading.Thread(target=self._read_replies, daemon=True, name="gtp client").start()

    # --- Talking -----------------------------------------------------------------------

    def ask(self, command: str, patience: float) -> str:
        """The answer to a command, within so many seconds."""
        end = time.monotonic() + patience
        self._send(command, end)
        lines: list[str] = []
        for _ in range(MOST_LINES):
            line = self._next_line(command, end, patience).rstrip("\r\n")
            if line.strip():
                if not lines and line[0] not in "=?":
                    raise EngineFault(f"answered {command!r} with nonsense: {line[:60]!r}")
                lines.append(line)
            elif lines:
                break
        else:
            raise EngineFault(f"answered {command!r} without end")
        answer = "\n".join([lines[0][1:].strip(), *lines[1:]]).strip()
        if lines[0].startswith("?"):
            raise GtpRefusal(answer)
        return answer

    def knows(self, name: str, patience: float) -> bool:
        """Whether the program lists a command."""
        if self._commands is None:
            try:
                self._commands = frozenset(self.ask("list_commands", patience).split())
            except GtpRefusal:
                self._commands = frozenset()
        return name in self._commands

    def words(self) -> list[str]:
        """What the program wrote to stderr since the last time."""
        return self._words.take()

    def cpu_seconds(self) -> float | None:
        """The processor time the program has used, where the system tells."""
        try:
            with open(
                f"/proc/{self._process.pid}/stat", encoding="ascii", errors="replace"
            ) as file:
                fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError, AttributeError):
            return None

    def close(self, patience: float = 1.0) -> None:
        """End the program: politely, and if it doesn't listen, by force."""
        with contextlib.suppress(EngineFault):
            self._send("quit", time.monotonic() + patience)
        self._stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self.kill()

    def kill(self) -> None:
        """End the program by force. Its other pipes are closed by those who read them."""
        self._leash.kill()
        self._stdin.close()

    # --- The pipes ---------------------------------------------------------------------

    def _send(self, command: str, end: float) -> None:
        """Write a command piece by piece: a program that never reads would block us otherwise."""
        data = f"{command}\n".encode()
        try:
            while data:
                if _CAN_POLL and not self._takes_more(end):
                    raise EngineFault(f"does not listen to {command[:40]!r}")
                with contextlib.suppress(BlockingIOError):
                    data = data[os.write(self._stdin.fileno(), data) :]
        except (OSError, ValueError):
            raise EngineFault(f"{self._how_it_ended()} before {command!r}") from None

    def _takes_more(self, end: float) -> bool:
        """Whether there is room in the program's stdin before this time."""
        left = end - time.monotonic()
        return left > 0 and bool(select.select([], [self._stdin], [], left)[1])

    def _next_line(self, command: str, end: float, patience: float) -> str:
        try:
            line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            raise EngineFault(f"gave no answer to {command!r} in {patience:g} s") from None
        if line == _END:
            self._lines.put(_END)
            raise EngineFault(f"{self._how_it_ended()} at {command!r}")
        return line

    def _how_it_ended(self) -> str:
        """What happened to a program that no longer talks."""
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "stopped talking"
        last = self._words.last()
        return f"ended with exit code {code}{f' ({last[:100]})' if last else ''}"

    def _read_replies(self) -> None:
        """Pass the lines on until they end, or until too many wait: those are nobody's answer."""
        assert self._process.stdout is not None
        with self._process.stdout as pipe, contextlib.suppress(OSError, ValueError):
            while (line := pipe.readline(LONGEST_LINE)) and self._lines.qsize() < 2 * MOST_LINES:
                self._lines.put(line.decode("utf-8", "replace"))
        self._lines.put(_END)
