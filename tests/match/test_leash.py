"""Programs that won't leave, started by a script: they end with their match, however that ends."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.match.gtp_client import GtpClient
from programs import HOME

fcntl = pytest.importorskip("fcntl", reason="there are no process groups here")

PATIENCE = 60.0
# It has a lock on a file for as long as it lives.
STUBBORN = """
import fcntl, signal, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("here", file=file, flush=True)
time.sleep(1000)
"""


class Program:
    """The command of a stubborn program behind a shell that waits for it, and whether it runs."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "lock"
        script = folder / "stubborn.py"
        script.write_text(STUBBORN)
        words = [sys.executable, "-S", str(script), str(self._file)]
        self.command = ["sh", "-c", f"{shlex.join(words)}; true"]

    def has_begun(self) -> bool:
        return self._file.exists() and self._file.read_text() == "here\n"

    def has_ended(self) -> bool:
        with self._file.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


def wait_for(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_what_a_script_has_started_ends_with_it(program: Program) -> None:
    client = GtpClient(program.command)
    try:
        wait_for(program.has_begun)
        assert not program.has_ended()
    finally:
        client.close()
    wait_for(program.has_ended)
    client.kill()  # once more does no harm


def test_it_ends_with_a_process_that_is_killed(program: Program) -> None:
    start = "from engine.match.gtp_client import GtpClient"
    words = [sys.executable, "-c", f"{start}; client = GtpClient({program.command}); input()"]
    owner = subprocess.Popen(words, stdin=subprocess.PIPE, cwd=HOME)
    try:
        wait_for(program.has_begun)
    finally:
        owner.kill()
        owner.communicate()
    wait_for(program.has_ended)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_a_match(program: Program, number: int) -> None:
    words = ["--black", shlex.join(program.command), "--white", "flat:light", "--size", "5"]
    words += ["--share-cores", "--referee", "none", "--games", "2"]
    match = subprocess.Popen(
        [sys.executable, str(HOME / "gtp_main.py"), "match", *words], stderr=subprocess.DEVNULL
    )
    try:
        wait_for(program.has_begun)
        os.kill(match.pid, number)
        match.wait(PATIENCE)
    finally:
        match.kill()
        match.wait()
    wait_for(program.has_ended)
