"""SGF files in and out: the file that is named, and no other."""

from __future__ import annotations

import os

import pytest

from gtp_client import ask, new_session

RECORD = "(;GM[1]SZ[9]KM[5.5]RU[Japanese];B[ee];W[cc];B[gg])"


@pytest.fixture
def session(kernels):
    return new_session(kernels)


def test_a_game_is_loaded(session, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(RECORD)
    ask(session, "boardsize 19")
    assert ask(session, f"loadsgf {path}") == "= "
    assert (session.size, session.komi, session.rules.name) == (9, 5.5, "japanese")
    assert ask(session, "move_history") == "= black G3\nwhite C7\nblack E5"
    assert ask(session, "get_komi") == "= 5.5"
    for number, moves in ((1, 0), (3, 2), (4, 3), (99, 3)):
        assert ask(session, f"loadsgf {path} {number}") == "= "
        assert len(session.game.moves) == moves
    ask(session, "clear_board")
    assert (session.size, session.komi) == (9, 5.5)


@pytest.mark.parametrize(
    "record", ["(;SZ[9];B[ee])", "(;SZ[9]KM[];B[ee])", "(;SZ[9]HA[2]AB[cg][gc])"]
)
def test_a_record_without_a_komi_leaves_it_as_it_is(session, tmp_path, record):
    path = tmp_path / "game.sgf"
    path.write_text(record)
    ask(session, "komi 6.5")
    assert ask(session, f"loadsgf {path}") == "= "
    assert ask(session, "get_komi") == "= 6.5"
    assert session.game.komi == 6.5
    path.write_text("(;SZ[9]KM[0])")
    assert ask(session, f"loadsgf {path}") == "= "
    assert ask(session, "get_komi") == "= 0"


@pytest.mark.parametrize("quote", ['"', ""])
def test_a_name_with_spaces(session, tmp_path, quote):
    path = tmp_path / "a game.sgf"
    path.write_text(RECORD)
    assert ask(session, f"loadsgf {quote}{path}{quote} 2") == "= "
    assert len(session.game.moves) == 1
    assert ask(session, f"loadsgf {quote}{path}{quote}") == "= "
    assert len(session.game.moves) == 3
    assert ask(session, f"printsgf {quote}{tmp_path}/b c d.sgf{quote}") == "= "
    assert (tmp_path / "b c d.sgf").read_bytes().startswith(b"(;")
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        b"(;GM[2])",
        b"(;SZ[99])",
        b"(;SZ[9];B[ee];B[ee])",
        b"\x00\xff(;",
        b"(" * 99,
    ],
)
def test_what_cannot_be_loaded_changes_nothing(session, tmp_path, content):
    path = tmp_path / "bad.sgf"
    path.write_bytes(content)
    ask(session, "play b D4")
    before = ask(session, "showboard")
    assert ask(session, f"loadsgf {path}") == "? cannot load file"
    assert ask(session, "showboard") == before


def test_files_that_are_none(session, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (tmp_path / "missing", tmp_path, fifo, "/dev/zero", "a\ufffdb"):
        assert ask(session, f"loadsgf {path}") == "? cannot load file"
    for path in (tmp_path, fifo, "/dev/null", tmp_path / "no" / "such", "/proc/nothing"):
        assert ask(session, f"printsgf {path}") == "? cannot save file"
    assert ask(session, "loadsgf") == "? syntax error"
    assert ask(session, f"loadsgf {tmp_path / 'missing'} x") == "? cannot load file"
    assert ask(session, f'loadsgf "{tmp_path / "missing"}" x') == "? syntax error"
    assert sorted(tmp_path.iterdir()) == [fifo]


def test_a_file_that_is_too_large(session, tmp_path):
    path = tmp_path / "large.sgf"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    assert ask(session, f"loadsgf {path}") == "? cannot load file"


def test_what_is_printed_can_be_loaded(session, tmp_path):
    ask(session, "fixed_handicap 3")
    ask(session, "gogui-play_sequence w E5 b E6 w pass")
    board, history = ask(session, "showboard"), ask(session, "move_history")
    path = tmp_path / "out.sgf"
    assert ask(session, f"printsgf {path}") == "= "
    printed = ask(session, "printsgf")
    assert printed == ask(session, "printsgf -")
    assert printed[2:].strip().encode() == path.read_bytes().strip()
    assert list(tmp_path.iterdir()) == [path]
    ask(session, "boardsize 19")
    assert ask(session, f"loadsgf {path}") == "= "
    assert (ask(session, "showboard"), ask(session, "move_history")) == (board, history)


def test_an_empty_history(session):
    assert ask(session, "move_history") == "= "
    assert ask(session, "last_move") == "? no previous move known"
    ask(session, "play w pass")
    assert ask(session, "last_move") == "= white pass"
