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
