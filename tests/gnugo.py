"""GNU Go as a second opinion: run a script of GTP commands through it, get the replies."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest


def gnugo(commands: list[str], *options: str) -> list[str]:
    """The text of each reply, in order; skips the test where GNU Go is not installed."""
    path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
    program = shutil.which("gnugo", path=path)
    if program is None:
        pytest.skip("GNU Go is not installed (Debian's package is named gnugo)")
    done = subprocess.run(
        [program, "--mode", "gtp", *options],
        input="\n".join([*commands, "quit", ""]),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    replies = [reply.strip() for reply in done.stdout.split("\n\n")]
    failures = [
        (command, reply)
        for command, reply in zip(commands, replies, strict=False)
        if not reply.startswith("=")
    ]
    assert not failures, failures
    return [reply[1:].strip() for reply in replies[: len(commands)]]


class GnuGo:
    """GNU Go to talk to step by step."""

    def __init__(self, *options: str) -> None:
        path = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))
        program = shutil.which("gnugo", path=path)
        if program is None:
            pytest.skip("GNU Go is not installed (Debian's package is named gnugo)")
        self._process = subprocess.Popen(
            [program, "--mode", "gtp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> GnuGo:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate("quit\n", timeout=60)

    def ask(self, line: str) -> str:
        """The text of the reply, which must be a success."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        lines = []
        while text := self._process.stdout.readline().rstrip("\n"):
            lines.append(text)
        reply = "\n".join(lines)
        assert reply.startswith("="), (line, reply)
        return reply[1:].strip()
