"""KGS, OGS and CGOS: their commands, their chat, and what their users may try."""

from __future__ import annotations

import json
import os
import re

import pytest

from engine.gtp.servers import analysis_json
from gtp_client import ask, new_session


@pytest.fixture
def session(kernels):
    return new_session(kernels)


# --- KGS ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("winrate", r"Black wins \d+%, White \d+%\."),
        ("What is the winrate?", r"Black wins \d+%, White \d+%\."),
        ("score", r"Black leads by 2\.5, give or take 10\.0\."),
        ("pv please", r"[A-J]\d( [A-J]\d)*"),
        ("visits", r"\d+ visits in .*"),
        ("WHY?!", r"black [A-J]\d, .*"),
        ("hello", r"Ask me: .*"),
        ("", r"Ask me: .*"),
    ],
)
def test_chat(session, question, answer):
    ask(session, "genmove b")
    for where in ("game", "private"):
        reply = ask(session, f"kgs-chat {where} somebody {question}")
        assert re.fullmatch(f"= {answer}", reply), reply
        assert len(reply) < 500


def test_chat_before_the_first_move(session):
    assert ask(session, "kgs-chat game somebody winrate") == (
        "= I have not thought about this position yet."
    )
    assert ask(session, "kgs-chat") == "= Ask me: winrate, score, variation, visits, why."


@pytest.mark.parametrize(
    "text",
    [
        *("$(touch /tmp/x)", "`id`", "; rm -rf ~", "%s%s%n {0} {session}", "../../etc/passwd"),
        *("\x1b[31mred\x07", "\u202eevil", "a" * 60_000, "=1 Miai", "why " * 10_000),
        "{session.settings}",
    ],
)
def test_strangers_are_not_repeated(session, text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ask(session, "genmove b")
    for command in ("kgs-chat game", f"kgs-chat private {text}", "cgos-opponent_name"):
        reply = ask(session, f"{command} {text}")
        assert reply.startswith("= ")
        assert text not in reply
        assert len(reply) < 500
        assert "\n" not in reply
    assert os.listdir(tmp_path) == []
    assert capsys.readouterr().err == ""


def test_clean_up(session):
    ask(session, "gogui-setup w A1 b B1 b E5 b F5")
    assert ask(session, "kgs-genmove_cleanup b") == "= A2"
    assert len(session.game.position.removed()) == 1
    ask(session, "clear_board")
    assert ask(session, "kgs-genmove_cleanup") == "? syntax error"


def test_the_end_of_a_game_keeps_the_board(kernels):
    session = new_session(kernels, ponder=True)
    for line in ("kgs-game_over", "cgos-gameover B+Resign"):
        ask(session, "genmove b")
        assert session.player.pondering == 1
        board = ask(session, "showboard")
        assert ask(session, line) == "= "
        assert session.player.pondering is None
        assert ask(session, "showboard") == board
        ask(session, "clear_board")


def test_pondering_ends_when_the_position_changes(kernels):
    session = new_session(kernels, ponder=True)
    for line in (
        *("play w E5", "undo", "komi 3", "clear_board", "boardsize 9", "gg-undo", "stop"),
        *("kgs-rules aga", "fixed_handicap 2", "gogui-setup b A1", "gogui-play_sequence w E5"),
        *("final_score", "final_status_list dead", "clear_cache", "quit"),
    ):
        ask(session, "clear_board")
        if "undo" in line:
            ask(session, "play b E4")
        player = session.player
        player.pondering = 5
        ask(session, line)
        if line != "quit":
            assert player.pondering is None, line


def test_no_pondering_by_default(session):
    ask(session, "genmove b")
    assert session.player.pondering is None


# --- CGOS --------------------------------------------------------------------------------------


def test_a_move_with_json(session):
    head, found, move = ask(session, "cgos-genmove_analyze b").splitlines()
    assert head == "="
    assert re.fullmatch(r"play [A-J]\d", move)
    facts = json.loads(found)
    assert set(facts) == {"winrate", "score", "visits", "moves", "ownership"}
    assert re.fullmatch(r"[A-Za-z0-9+/]{81}", facts["ownership"])
    first = facts["moves"][0]
    assert f"play {first['move']}" == move
    assert set(first) == {"move", "visits", "winrate", "score", "prior", "pv"}
    assert 0 <= first["winrate"] <= 1
    assert len(session.game.moves) == 1


def test_ownership_has_a_sign_for_every_value(session):
    thought = session.player.thought(session.game, 1, 10)
    owners = dict(zip(session.game.position.points(), [-1.0, 0.0, 1.0] * 27, strict=True))
    object.__setattr__(thought, "owners", owners)
    signs = json.loads(analysis_json(thought, 9))["ownership"]
    assert set(signs) == {"A", "f", "+"}
    assert analysis_json(None, 9) == "{}"


@pytest.mark.parametrize(
    "line", ["cgos-opponent_name Bot", "cgos-opponent_rating 1800?", "cgos-genmove_analyze b"]
)
def test_on_cgos_dead_stones_are_taken(session, line):
    assert not session.settings.flag("cleanup")
    assert ask(session, line).startswith("=")
    assert session.settings.flag("cleanup")
    ask(session, "clear_board")
    ask(session, "gogui-setup w A1 b B1 b E5")
    assert ask(session, "genmove b") == "= A2"


# --- OGS ---------------------------------------------------------------------------------------


def test_gtp2ogs_gets_chat_lines_if_it_wants_them(kernels, capsys):
    ask(new_session(kernels), "genmove b")
    assert capsys.readouterr().err == ""
    ask(new_session(kernels, malkovich=True), "genmove b")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("MALKOVICH: ")
    assert "wins" in line


def test_gtp2ogs_writes_in_its_own_way(session):
    assert ask(session, b"play black e5\r") == "= "
    assert ask(session, b"12 play white c3\r\n") == "=12 "
    assert ask(session, b"kata-time_settings fischer-capped 18 1 180 -1\r") == "= "
    assert ask(session, b"time_left black 3 0\r") == "= "
    assert re.fullmatch(r"= [A-J]\d", ask(session, b"genmove black\r"))
