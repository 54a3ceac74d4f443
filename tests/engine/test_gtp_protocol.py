"""The language of GTP byte by byte, without a process around it."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.gtp import protocol
from engine.gtp.protocol import MAX_LINE, Line, Request, answer, parse, read_lines
from engine.gtp.registry import COMMANDS, Command, command
from gtp_client import new_session


@pytest.fixture
def session(kernels):
    return new_session(kernels)


def ask(session, text):
    """The reply to one line, as text."""
    reply = answer(session, Line(text.encode()))
    return None if reply is None else reply.decode()


# --- Understanding a line --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        (b"name", Request("", "name", [])),
        (b"name\r", Request("", "name", [])),
        (b"  name  ", Request("", "name", [])),
        (b"7 name", Request("7", "name", [])),
        (b"7name", Request("7", "name", [])),
        (b"007\tname", Request("007", "name", [])),
        (b"play\tb\t D4", Request("", "play", ["b", "D4"])),
        (b"play b D4 # the corner # again", Request("", "play", ["b", "D4"])),
        (b"na\x00me", Request("", "name", [])),
        (b"\x00\x01\x7fname\x1b", Request("", "name", [])),
        (b"\xef\xbb\xbfname", Request("", "\ufeffname", [])),
        (b"play b \xff\xfe", Request("", "play", ["b", "\ufffd\ufffd"])),
        (b"play\xc2\xa0b", Request("", "play\xa0b", [])),
        (b"", None),
        (b"   \t \r", None),
        (b"\x00\x00", None),
        (b"7", None),
        (b" 7 ", None),
        (b"# interrupt", None),
        (b"7 # only an id", None),
    ],
)
def test_parse(line, request_):
    assert parse(line) == request_


@given(st.binary(max_size=60))
def test_any_line_is_understood_or_skipped(line):
    request = parse(line)
    if request is not None:
        assert request.name
        assert request.id == "" or request.id.isdigit()


def test_lines_are_bounded():
    stream = io.BytesIO(b"name\n" + b"x" * (3 * MAX_LINE) + b"\nversion\n\nquit")
    lines = list(read_lines(stream))
    assert [line.content for line in lines] == [
        b"name",
        b"x" * MAX_LINE,
        b"version",
        b"",
        b"quit",
    ]
    assert [line.cut for line in lines] == [False, True, False, False, False]


def test_a_broken_input_is_an_end_of_input():
    class Broken(io.BytesIO):
        def readline(self, size=-1):
            raise OSError("gone")

    assert list(read_lines(Broken())) == []


# --- Writing a reply -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("name", "= Miai\n\n"),
        ("12 name", "=12 Miai\n\n"),
        ("12name", "=12 Miai\n\n"),
        ("clear_board", "= \n\n"),
        ("3 clear_board", "=3 \n\n"),
        ("no_such_thing", "? unknown command\n\n"),
        ("5 no_such_thing", "?5 unknown command\n\n"),
        ("NAME", "? unknown command\n\n"),
        ("5", None),
        ("", None),
    ],
)
def test_replies(session, line, reply):
    assert ask(session, line) == reply


@given(st.text("ab \t\n"))
def test_no_reply_holds_an_empty_line(text):
    reply = protocol.reply_bytes(True, "1", text).decode()
    assert reply.startswith("=1 ")
    assert reply.endswith("\n\n")
    assert reply.index("\n\n") == len(reply) - 2


def test_a_line_that_is_too_long(session):
    assert answer(session, Line(b"7 name" + b" x" * 99, cut=True)) == b"?7 line too long\n\n"
    assert answer(session, Line(b"7 name # " + b"x" * 99, cut=True)) == b"=7 Miai\n\n"
    assert answer(session, Line(b"# " + b"x" * 99, cut=True)) is None


def test_a_bug_in_a_command_is_one_line_for_the_client(session, monkeypatch, capsys):
    def broken(session, args):
        raise RuntimeError("first\n\nsecond \x00\u2028 line" + "x" * 1000)

    monkeypatch.setitem(COMMANDS, "name", Command("name", "", "", broken))
    board = ask(session, "showboard")
    reply = ask(session, "4 name")
    assert reply.startswith("?4 internal error: RuntimeError: ")
    assert reply.count("\n") == 2
    assert reply.removesuffix("\n\n").isprintable()
    assert len(reply) < 300
    assert "Traceback" in capsys.readouterr().err
    assert ask(session, "showboard") == board


def test_an_error_that_quotes_is_short_and_readable(session):
    line = "kata-get-param s\u00e9ms\u2028" + "x" * 1000
    reply = answer(session, Line(line.encode() + b"\xff")).decode()
    assert reply.startswith("? unknown parameter 's?ms")
    assert reply.isascii()
    assert len(reply) < 300


def test_two_commands_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two commands are called name"):
        command("name")(lambda session, args: "")
