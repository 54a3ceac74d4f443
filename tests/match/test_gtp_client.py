"""Programs that don't listen or never stop talking: each question ends, and nothing stays over."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from engine.match.gtp_client import EngineFault, GtpClient, GtpRefusal
from match.fakes import fake

PATIENCE = 20.0


def client_of(program: str) -> GtpClient:
    """A client of a few lines of Python."""
    return GtpClient([sys.executable, "-S", "-c", f"import os, time\n{program}"])


def wait_for(condition) -> bool:
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def done_in_time(function) -> bool:
    """Whether a call comes back."""
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return not thread.is_alive()


def test_the_client_tells_a_refusal_from_a_fault() -> None:
    client = GtpClient(fake("x", "--fault", "refuse").command)
    try:
        assert client.ask("clear_board", 20) == ""
        assert client.knows("time_left", 20)
        assert not client.knows("showboard", 20)
        with pytest.raises(GtpRefusal, match="^no$"):
            client.ask("genmove b", 20)
        assert client.ask("genmove b", 20) == "pass"
    finally:
        client.kill()
    with pytest.raises(EngineFault, match="exit code"):
        client.ask("name", 5)


def test_a_program_that_does_not_listen_is_blamed() -> None:
    client = client_of("time.sleep(1000)")
    faults: list[str] = []

    def ask() -> None:
        try:
            client.ask("echo " + 200_000 * "x", 0.5)
        except EngineFault as fault:
            faults.append(str(fault))

    try:
        assert done_in_time(ask)
        assert faults[0].startswith("does not listen to 'echo xxx")
        assert done_in_time(client.close)
    finally:
        client.kill()


def test_a_long_command_arrives_whole() -> None:
    client = client_of("time.sleep(0.5)\nprint('=', len(input()), flush=True)\nprint(flush=True)")
    try:
        assert client.ask(200_000 * "x", PATIENCE) == "200000"
    finally:
        client.close()


@pytest.mark.parametrize("text", ["= and so on\\n", "\\n"])
def test_a_flood_is_a_fault_and_leaves_nothing_open(text: str) -> None:
    before = set(threading.enumerate())
    client = client_of(f"while True: os.write(1, 50 * b'{text}')")
    process = client._process
    try:
        with pytest.raises(EngineFault, match="^answered 'name' without end$"):
            client.ask("name", PATIENCE)
        time.sleep(0.5)  # until nobody takes the lines any more
    finally:
        client.kill()
    assert wait_for(lambda: set(threading.enumerate()) <= before)
    assert all(pipe.closed for pipe in (process.stdin, process.stdout, process.stderr) if pipe)


def test_a_flood_of_words_is_cut() -> None:
    client = client_of("while True: os.write(2, 30_000 * b'x\\n')")
    try:
        assert done_in_time(lambda: wait_for(client.words))
    finally:
        client.kill()
