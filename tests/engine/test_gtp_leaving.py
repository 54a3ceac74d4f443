"""Every way to end, from everything the engine may be doing: at once, and without a fault."""

from __future__ import annotations

import signal
import subprocess
import time

import pytest

from gtp_client import FAKE_ENGINE, REAL_ENGINE, Client, within

LIMIT = 0.5


def idle(client):
    client.ready()


def thinking(client):
    client.ready().send("genmove b")
    while "gogui-gfx:" not in client.errors:  # the first picture of what it thinks
        time.sleep(0.005)


def loading(client):
    """Thinking about the first move of a game that another model is loaded for."""
    client.ready()
    client.ask("boardsize 19")
    client.send("genmove b")
    time.sleep(0.1)


def analysing(client):
    client.ready().send("lz-analyze b 10")
    assert client.line().text == "="
    assert client.line().text.startswith("info move")


def pondering(client):
    client.ready()
    client.ask("kata-set-param sims 20")
    client.ask("genmove b")
    client.ask("kata-set-param sims 0")
    time.sleep(0.2)


def quit_(client):
    client.send("quit")


def end_of_input(client):
    client.process.stdin.close()


def sigterm(client):
    client.process.send_signal(signal.SIGTERM)


def sigint(client):
    client.process.send_signal(signal.SIGINT)


STATES = [idle, thinking, analysing, pondering]
WAYS = [quit_, end_of_input, sigterm, sigint]
OPTIONS = ("--size", "9", "--seconds", "1000", "--ponder", "--live-graphics", "line")


def leave(engine, state, way):
    """How long the process takes to end; it must end well."""
    with Client(*OPTIONS, engine=engine) as client:
        state(client)
        code, seconds = client.leave(lambda: way(client))
    assert code == 0
    assert not [line for line in client.errors if "Traceback" in line]
    return seconds


# Each needs a process of its own, so the default tests take every way and every state twice.
SOME = [(state, way) for i, state in enumerate(STATES) for j, way in enumerate(WAYS) if (i ^ j) < 2]


@pytest.mark.parametrize(("state", "way"), SOME)
def test_leaving(state, way):
    assert within(LIMIT, lambda: leave(FAKE_ENGINE, state, way))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("state", [*STATES, loading])
def test_leaving_a_real_search(state, way):
    assert within(LIMIT, lambda: leave(REAL_ENGINE, state, way))


def test_what_was_asked_before_is_answered_before_leaving():
    with Client(*OPTIONS) as client:
        thinking(client)
        client.send("2 name", "3 quit")
        assert client.reply().startswith("= ")
        assert client.reply() == "=2 Miai"
        assert client.reply() == "=3 "
        assert client.process.wait(20) == 0


def test_a_client_that_dies_with_a_question_open():
    """Nobody will hear the answer, so the engine doesn't think about it to the end."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [*FAKE_ENGINE, *OPTIONS], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    )
    process.stdin.write(b"name\ngenmove b\n")
    process.stdin.close()
    assert process.stdout.readline() == b"= Miai\n"
    process.stdout.close()
    assert process.wait(60) == 0
