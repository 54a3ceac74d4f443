"""What the GTP commands do, asked in this process."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import __version__
from engine.geometry import MAX_SIZE, MIN_SIZE
from engine.gtp.registry import COMMANDS, command_table
from engine.gtp.session import Session
from engine.rules import RULES
from fake_player import FakePlayer
from gtp_client import ask as ask_session
from gtp_client import new_session

ESSENTIAL = {
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove", "undo", "showboard", "final_score"),
}


@pytest.fixture
def ask(kernels):
    """Ask a fresh session on 9x9: a function from a line to the reply without its end."""
    session = new_session(kernels)
    return lambda line: ask_session(session, line)


def stones(board):
    """The points of a showboard reply as X, O, + and dots, row by row from the top."""
    rows = [line for line in board.splitlines() if re.match(r"[ 1-9]\d ", line)]
    return re.sub(r"[^XO.+]", "", "".join(rows))


# --- Who are you -----------------------------------------------------------------------------


def test_handshake(ask):
    assert ask("name") == "= Miai"
    assert ask("version") == f"= {__version__}"
    assert ask("protocol_version") == "= 2"
    listed = [name for name, entry in COMMANDS.items() if entry.listed]
    assert ask("list_commands") == "= " + "\n".join(listed)
    assert set(COMMANDS) >= ESSENTIAL


def test_known_command(ask):
    for name in COMMANDS:
        assert ask(f"known_command {name}") == "= true"
    for name in ("", "nonsense", "Name", "\ufffd"):
        assert ask(f"known_command {name}") == "= false"


def test_the_documentation_lists_the_commands():
    page = (Path(__file__).resolve().parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z].*?)` \| (.*) \|$", page, re.MULTILINE)
    assert listed == command_table()
    assert all(text for _, text in command_table())


# --- Setting up ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [MIN_SIZE, 9, 19, MAX_SIZE])
def test_boardsize(ask, size):
    ask("play b A1")
    assert ask(f"boardsize {size}") == "= "
    board = ask("showboard")
    assert len(board.splitlines()) == size + 5
    assert len(stones(board)) == size * size
    assert "X" not in stones(board)


@pytest.mark.parametrize("size", ["1", "26", "0", "-9", "+30", "999999999"])
def test_sizes_that_no_board_has(ask, size):
    ask("play b E5")
    board = ask("showboard")
    assert ask(f"boardsize {size}") == "? unacceptable size"
    assert ask("showboard") == board


@pytest.mark.parametrize(
    "size", ["", "nine", "9.0", "9x", "1_9", "\uff11\uff19", "9" * 5000, "\ufffd"]
)
def test_sizes_that_are_none(ask, size):
    board = ask("showboard")
    assert ask(f"boardsize {size}") == "? syntax error"
    assert ask("showboard") == board


def test_surplus_arguments_are_ignored(ask):
    assert ask("boardsize 5 5 5") == "= "
    assert ask("play b c3 c4 c5") == "= "
    assert ask("undo 0") == "= "
    assert ask("name of the engine") == "= Miai"


def test_clear_board_keeps_size_and_komi(ask):
    ask("komi 0.5")
    empty = ask("showboard")
    ask("play b E5")
    assert ask("clear_board") == "= "
    assert ask("showboard") == empty
    assert "komi 0.5" in empty


@pytest.mark.parametrize("komi", ["6.5", "0", "-3", "+7", ".5", "7.", "1e1"])
def test_komi(ask, komi):
    ask("play b A1")
    assert ask(f"komi {komi}") == "= "
    assert f"komi {float(komi):g}" in ask("showboard")
    ask("boardsize 5")
    assert f"komi {float(komi):g}" in ask("showboard")


@pytest.mark.parametrize(
    "komi", ["", "nan", "inf", "-inf", "1e999", "six", "6,5", "1_0", "0x1", "\uff16"]
)
def test_komi_that_is_no_number(ask, komi):
    board = ask("showboard")
    assert ask(f"komi {komi}") == "? syntax error"
    assert ask("showboard") == board


# --- Playing ---------------------------------------------------------------------------------


def test_play_in_all_spellings(ask):
    for move in ("b D4", "W e5", "black F6", "WHITE g7", "b pass", "w PASS"):
        assert ask(f"play {move}") == "= "
    assert stones(ask("showboard")).count("X") == 2
    assert stones(ask("showboard")).count("O") == 2


def test_the_same_colour_may_play_twice(ask):
    assert ask("play w D4") == ask("play w D5") == ask("play w pass") == ask("play w D6") == "= "
    assert stones(ask("showboard")).count("O") == 3


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("play b D4", "illegal move"),  # occupied
        ("play w D4", "illegal move"),
        ("play w A1", "illegal move"),  # suicide
        ("play b K1", "illegal move"),  # beyond the edge
        ("play b A10", "illegal move"),
        ("play b Z99", "illegal move"),
        ("play b A0", "illegal move"),
        ("play", "syntax error"),
        ("play b", "syntax error"),
        ("play D5 b", "syntax error"),
        ("play e D5", "syntax error"),
        ("play b I5", "syntax error"),
        ("play b 55", "syntax error"),
        ("play b resign", "syntax error"),
        (b"play b \xff\xfe5", "syntax error"),
        (b"play \xc3\x28 D5", "syntax error"),
        ("genmove", "syntax error"),
        ("genmove x", "syntax error"),
    ],
)
def test_bad_moves_change_nothing(ask, line, error):
    for move in ("b A2", "b B1", "b D4"):
        assert ask(f"play {move}") == "= "
    board = ask("showboard")
    assert ask(line) == f"? {error}"
    assert ask("showboard") == board


def test_a_ko_may_not_be_taken_back_at_once(ask):
    for move in ("b D4", "b C3", "b D2", "w E4", "w F3", "w E2", "w D3", "b E3"):
        assert ask(f"play {move}") == "= "
    assert ask("play w D3") == "? illegal move"
    ask("play w A1")
    ask("play b A9")
    assert ask("play w D3") == "= "


def test_undo(ask):
    boards = [ask("showboard")]
    for _ in range(6):
        ask("genmove b")
        ask("genmove w")
        boards.append(ask("showboard"))
    for board in reversed(boards):
        assert ask("showboard") == board
        if board is not boards[0]:
            assert ask("undo") == ask("undo") == "= "
    assert ask("undo") == "? cannot undo"
    assert ask("showboard") == boards[0]


def test_undo_gives_captured_stones_back(ask):
    for move in ("w A1", "b A2"):
        ask(f"play {move}")
    before = ask("showboard")
    ask("play b B1")
    assert "black (X) has taken 1" in ask("showboard")
    ask("undo")
    assert ask("showboard") == before


def test_genmove_plays_what_it_says(ask):
    reply = ask("genmove w")
    assert re.fullmatch(r"= [A-HJ][1-9]", reply)
    assert f"move 1 was white {reply[2:]}" in ask("showboard")
    assert ask(f"play b {reply[2:]}") == "? illegal move"


# --- Looking and counting --------------------------------------------------------------------


def test_showboard(ask):
    for move in ("b C7", "w A1", "b A2", "w pass", "b B1"):
        ask(f"play {move}")
    assert ask("showboard").splitlines() == [
        "= ",
        "   A B C D E F G H J",
        " 9 . . . . . . . . . 9",
        " 8 . . . . . . . . . 8",
        " 7 . . X . + . + . . 7",
        " 6 . . . . . . . . . 6",
        " 5 . . + . + . + . . 5",
        " 4 . . . . . . . . . 4",
        " 3 . . + . + . + . . 3",
        " 2 X . . . . . . . . 2",
        " 1 .(X). . . . . . . 1",
        "   A B C D E F G H J",
        "   white to move, chinese rules, komi 7.5",
        "   prisoners: black (X) has taken 1, white (O) 0",
        "   move 5 was black B1",
    ]


@pytest.mark.parametrize(
    ("moves", "komi", "score"),
    [
        ((), "7.5", "W+7.5"),
        ((), "0", "0"),
        ((), "-2", "B+2"),
        (("b E5",), "7.5", "B+73.5"),
        (("b A1", "w J9"), "1", "W+1"),
        (("b A1", "w J9"), "0.25", "W+0.25"),
    ],
)
def test_final_score(ask, moves, komi, score):
    ask(f"komi {komi}")
    for move in moves:
        ask(f"play {move}")
    assert ask("final_score") == f"= {score}"


def test_the_rules_decide(kernels):
    session = Session(kernels, 5, 0, RULES["new-zealand"], make_player=FakePlayer)
    for line in ("play b A2", "play b B1"):
        ask_session(session, line)
    assert ask_session(session, "play w A1") == "= "
    assert "new-zealand rules" in ask_session(session, "showboard")
