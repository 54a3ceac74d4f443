"""The loop around the commands: reading while thinking, interrupts, order, ends."""

from __future__ import annotations

import io
import os
import threading
import time

import pytest

from engine.gtp import server
from engine.gtp.protocol import Line
from engine.gtp.server import Inbox, serve
from gtp_client import ask, new_session, within


class Sink(io.BytesIO):
    """Notices what was flushed, and when replies ended."""

    flushed = b""

    def flush(self):
        self.flushed = self.getvalue()


class Talk:
    """A served session with a pipe to write into."""

    def __init__(self, session):
        read_end, write_end = os.pipe()
        self.sink = Sink()
        self.session = session
        self._pipe = os.fdopen(write_end, "wb", buffering=0)
        source = os.fdopen(read_end, "rb")
        self._thread = threading.Thread(target=serve, args=(session, source, self.sink))
        self._thread.start()

    def send(self, *lines):
        self._pipe.write("".join(f"{line}\n" for line in lines).encode())

    def wait_for(self, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.output:
            assert time.monotonic() < end, (text, self.output)
            time.sleep(0.002)

    @property
    def output(self):
        return self.sink.getvalue().decode()

    def close(self):
        """End the input; the session ends too."""
        self._pipe.close()
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.fixture
def talk(kernels):
    """A session that would think for ever."""
    result = Talk(slow_session(kernels))
    yield result
    result.close()


def slow_session(kernels):
    session = new_session(kernels, sims=0, seconds=1000.0)
    assert session.player
    return session


def begin(talk, command):
    """Send a command and wait until the player has been thinking about it for a moment."""
    talk.send(f"1 {command}")
    end = time.monotonic() + 20
    while not talk.session.player.is_thinking:
        assert time.monotonic() < end
        time.sleep(0.002)
    time.sleep(0.1)


def seconds_until_a_reply(kernels, command, action):
    """Let a command think, do something, and see how long the reply takes; it is returned too."""
    talk = Talk(slow_session(kernels))
    begin(talk, command)
    assert "\n\n" not in talk.output
    start = time.monotonic()
    action(talk)
    talk.wait_for("\n\n")
    seconds = time.monotonic() - start
    talk.close()
    return seconds, talk.output.partition("\n\n")[0]


# --- Interrupts --------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["# interrupt", "stop", "7 stop", "quit", "\tstop\r"])
def test_a_line_that_ends_thinking(kernels, line):
    def attempt():
        seconds, reply = seconds_until_a_reply(kernels, "genmove b", lambda talk: talk.send(line))
        assert reply.startswith("=1 ")
        return seconds

    assert within(0.1, attempt)


@pytest.mark.parametrize("line", ["name", "", "# hello", "protocol_version", "nonsense", "stop"])
def test_any_line_ends_an_analysis(kernels, line):
    def attempt():
        seconds, reply = seconds_until_a_reply(
            kernels, "lz-analyze b 5", lambda talk: talk.send(line)
        )
        head, *reports = reply.splitlines()
        assert head == "=1"
        assert reports
        assert all(report.startswith("info move ") for report in reports)
        return seconds

    assert within(0.1, attempt)


@pytest.mark.parametrize("command", ["genmove b", "lz-analyze 5", "kata-genmove_analyze w 5"])
def test_the_end_of_input_ends_thinking(kernels, command):
    assert within(0.1, lambda: seconds_until_a_reply(kernels, command, Talk.close)[0])


@pytest.mark.parametrize("command", ["genmove b", "kata-genmove_analyze b 5", "reg_genmove b"])
def test_other_commands_wait_for_a_move(talk, command):
    begin(talk, command)
    talk.send("2 protocol_version", "", "3 name")
    time.sleep(0.2)
    assert "\n\n" not in talk.output
    talk.send("# interrupt")
    talk.wait_for("=3 Miai\n\n")
    assert [reply[1] for reply in talk.output.split("\n\n")[:-1]] == ["1", "2", "3"]


def test_judging_dead_stones_is_cut_short_only_by_leaving(kernels):
    def attempt():
        talk = Talk(slow_session(kernels))
        begin(talk, "final_status_list dead")
        talk.send("# interrupt", "stop", "name")
        time.sleep(0.2)
        assert talk.output == ""
        start = time.monotonic()
        talk.send("quit")
        talk.wait_for("=1 ")
        seconds = time.monotonic() - start
        talk.close()
        return seconds

    assert within(0.1, attempt)


def test_an_interrupt_means_the_running_command_only(talk):
    talk.send("1 name", "# interrupt", "stop", "2 name")
    talk.wait_for("=2 Miai")
    begin(talk, "genmove b")
    assert talk.output == "=1 Miai\n\n= \n\n=2 Miai\n\n"
    talk.send("# interrupt")
    talk.wait_for("=2 Miai\n\n=1 ")


def test_an_analysis_with_lines_behind_it_reports_once(talk):
    talk.send("1 lz-analyze b 5", "2 kata-analyze w 5", "3 name")
    talk.wait_for("=3 Miai")
    first, second, _ = talk.output.split("\n\n")[:3]
    assert first.startswith("=1\ninfo move ")
    assert second.startswith("=2\ninfo move ")
    assert first.count("\n") == second.count("\n") == 1


def test_a_line_that_comes_just_as_an_analysis_begins_ends_it(kernels):
    """It comes right after the analysis has looked whether one is there."""

    class Late:
        @property
        def waiting(self):
            session.attention.line_arrived(b"name")
            return False

    session = slow_session(kernels)
    session.inbox = Late()
    giving_up = threading.Timer(5, session.player.stop)
    giving_up.start()
    start = time.monotonic()
    assert ask(session, "lz-analyze b 5").startswith("=\ninfo move ")
    giving_up.cancel()
    assert time.monotonic() - start < 4


def test_a_script_is_thought_about_in_full(kernels):
    """The end is there before the moves are: it is no reason to hurry."""
    session = new_session(kernels, sims=0, seconds=0.15)
    sink = Sink()
    start = time.monotonic()
    serve(session, io.BytesIO(b"genmove b\ngenmove w\nquit\n"), sink)
    assert time.monotonic() - start > 0.3
    assert sink.getvalue().count(b"\n\n") == 3


# --- Order and ends ----------------------------------------------------------------------------


def test_every_reply_is_flushed_and_nothing_follows_quit(kernels):
    sink, left = Sink(), []
    source = io.BytesIO(b"1 name\n# nothing\n2 quit\n3 name\n")
    serve(new_session(kernels), source, sink, lambda: left.append(sink.flushed))
    assert sink.flushed == b"=1 Miai\n\n=2 \n\n"
    assert left == [sink.flushed]


def test_a_client_that_no_longer_listens_ends_it(kernels):
    class Gone(io.BytesIO):
        def write(self, data):
            raise BrokenPipeError

    session = new_session(kernels)
    serve(session, io.BytesIO(b"name\nplay b E5\n"), Gone())
    assert session.game.moves == []


def test_a_client_that_leaves_an_analysis_ends_it(kernels):
    class Gone(io.BytesIO):
        def write(self, data):
            if data.startswith(b"info"):
                raise BrokenPipeError
            return len(data)

    session = new_session(kernels)
    serve(session, io.BytesIO(b"lz-analyze\nplay b E5\n"), Gone())
    assert session.game.moves == []


def test_thousands_of_lines_at_once_are_answered_in_order(kernels):
    lines = [f"{i} {'name' if i % 3 else 'genmove b'}" for i in range(1, 3000)]
    sink = Sink()
    serve(new_session(kernels, size=5), io.BytesIO("\n".join(lines).encode()), sink)
    ids = [int(reply[1:].split()[0]) for reply in sink.getvalue().split(b"\n\n")[:-1]]
    assert ids == list(range(1, 3000))


def test_what_waits_is_bounded(monkeypatch):
    monkeypatch.setattr(server, "MOST_WAITING", 10_000)
    inbox = Inbox()
    taken = []

    def put_all():
        for i in range(1000):
            inbox.put(Line(b"x" * 100 + b"%d" % i))
        inbox.close()

    writer = threading.Thread(target=put_all)
    writer.start()
    time.sleep(0.1)
    assert inbox._cost < 11_000
    while (line := inbox.take()) is not None:
        taken.append(int(line.content.strip(b"x")))
    writer.join()
    assert taken == list(range(1000))
