"""Setting up: handicap stones, positions, rules."""

from __future__ import annotations

import json

import pytest

from engine.geometry import BLACK, WHITE
from engine.handicap import fixed_points, handicap_stones, max_fixed
from engine.vertex import vertex_text
from gtp_client import ask, new_session


@pytest.fixture
def session(kernels):
    return new_session(kernels, size=19)


# --- Handicap ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(2, 10))
def test_handicap_in_four_ways(kernels, n):
    points = fixed_points(19, n)
    listed = " ".join(vertex_text(p) for p in points)
    for line in (
        f"fixed_handicap {n}",
        f"place_free_handicap {n}",
        f"set_free_handicap {listed}",
        None,
    ):
        session = new_session(kernels, size=19)
        if line is None:
            for p in points:
                assert ask(session, f"play b {vertex_text(p)}") == "= "
        else:
            reply = ask(session, line)
            assert reply == ("= " if line.startswith("set_") else f"= {listed}")
        assert sorted(session.game.position.stones(BLACK)) == sorted(points)
        assert session.game.to_move == WHITE
        assert handicap_stones(session.game) == n


@pytest.mark.parametrize("n", [2, 5, 9, 13, 40])
def test_a_free_handicap_has_exactly_as_many_stones_as_asked_for(session, n):
    reply = ask(session, f"place_free_handicap {n}")
    assert "\n" not in reply
    assert len(set(reply[2:].split())) == n
    assert len(session.game.position.stones(BLACK)) == n


@pytest.mark.parametrize("name", ["fixed_handicap", "place_free_handicap"])
@pytest.mark.parametrize(
    ("number", "error"),
    [
        *(("0", "invalid number of stones"), ("1", "invalid number of stones")),
        *(("-3", "invalid number of stones"), ("999999", "invalid number of stones")),
        *(("", "syntax error"), ("two", "syntax error"), ("2.5", "syntax error")),
    ],
)
def test_numbers_that_are_no_handicap(session, name, number, error):
    assert ask(session, f"{name} {number}") == f"? {error}"
    assert session.game.events == []


@pytest.mark.parametrize("size", [2, 6, 7, 8, 9, 18, 25])
def test_the_largest_fixed_handicap(kernels, size):
    session = new_session(kernels, size=size)
    most = max_fixed(size)
    assert ask(session, f"fixed_handicap {most + 1}") == "? invalid number of stones"
    if most:
        assert len(ask(session, f"fixed_handicap {most}").split()) == 1 + most


@pytest.mark.parametrize(
    "line", ["fixed_handicap 2", "place_free_handicap 3", "set_free_handicap D4 Q16"]
)
def test_a_handicap_needs_an_empty_board(session, line):
    ask(session, "play w K10")
    assert ask(session, line) == "? board not empty"
    assert len(session.game.events) == 1


@pytest.mark.parametrize(
    "vertices", ["", "D4", "D4 D4", "D4 pass", "D4 Z1", "D4 I9", "D4 T20", "D4 Q16 resign"]
)
def test_lists_that_are_no_handicap(session, vertices):
    assert ask(session, f"set_free_handicap {vertices}") == "? bad vertex list"
    assert session.game.events == []


def test_undo_leaves_the_handicap(session):
    ask(session, "fixed_handicap 4")
    ask(session, "play w K10")
    assert ask(session, "undo") == "= "
    assert ask(session, "undo") == "? cannot undo"
    assert ask(session, "gg-undo 1") == "? cannot undo"
    assert len(session.game.position.stones(BLACK)) == 4


@pytest.mark.parametrize(
    ("moves", "stones"),
    [
        ("", 0),
        ("b D4", 0),
        ("b D4 w Q16", 0),
        ("b D4 b Q16", 2),
        ("b D4 b Q16 b pass w K10 b C3", 2),
        ("b D4 w pass b Q16 w pass b K10 w C3", 3),
        ("w D4 b Q16 b K10", 0),
    ],
)
def test_a_handicap_that_was_played(session, moves, stones):
    ask(session, f"gogui-play_sequence {moves}")
    assert handicap_stones(session.game) == stones


# --- Positions ---------------------------------------------------------------------------------


def test_a_position_is_set_up(session):
    assert ask(session, "gogui-setup b D4 w Q16 BLACK k10") == "= "
    assert ask(session, "gogui-setup_player w") == "= "
    assert session.game.to_move == WHITE
    assert len(session.game.position.stones(BLACK)) == 2
    assert session.game.moves == []


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("gogui-setup b D4 b D4", "impossible position: a point is set up twice"),
        ("gogui-setup b A1 w A2 w B1", "impossible position: a chain has no liberty"),
        ("gogui-setup b", "syntax error"),
        ("gogui-setup b pass", "syntax error"),
        ("gogui-setup b Z30", "illegal move"),
        ("gogui-setup_player", "syntax error"),
    ],
)
def test_positions_that_are_impossible(session, line, error):
    assert ask(session, line) == f"? {error}"
    assert session.game.events == []


def test_a_sequence_is_played_as_a_whole(session):
    moves = " ".join(
        f"{'bw'[i % 2]} {c}{r}"
        for i, (c, r) in enumerate(zip("ABCDE" * 3, range(1, 16), strict=True))
    )
    assert ask(session, f"gogui-play_sequence {moves}") == "= "
    assert len(session.game.moves) == 15
    before = ask(session, "showboard")
    assert ask(session, "gogui-play_sequence b T19 w T18 b T19 w S1") == "? illegal move"
    assert ask(session, "gogui-play_sequence b T19 w") == "? syntax error"
    assert ask(session, "showboard") == before
    assert ask(session, "gogui-play_sequence") == "= "


def test_a_very_long_sequence(kernels):
    session = new_session(kernels, size=25)
    moves = " ".join(["b pass", "w pass"] * 5000)
    assert ask(session, f"gogui-play_sequence {moves}") == "= "
    assert len(session.game.moves) == 10_000


def test_several_moves_back(session):
    ask(session, "gogui-play_sequence b D4 w Q16 b C3 w R3 b K10")
    assert ask(session, "gg-undo 6") == "? cannot undo"
    assert len(session.game.moves) == 5
    assert ask(session, "gg-undo 3") == ask(session, "gg-undo") == ask(session, "gg-undo 0") == "= "
    assert len(session.game.moves) == 1
    assert ask(session, "gg-undo -1") == ask(session, "gg-undo x") == "? syntax error"


def test_the_board_may_be_a_square(session):
    assert ask(session, "rectangular_boardsize 9 9") == "= "
    assert session.size == 9
    assert ask(session, "rectangular_boardsize 9 13") == "? unacceptable size"
    assert ask(session, "rectangular_boardsize 9") == "? syntax error"
    assert session.size == 9


# --- Rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chinese", "aga", "japanese", "new_zealand"])
def test_kgs_rules(session, name):
    ask(session, "play b D4")
    assert ask(session, f"kgs-rules {name}") == "= "
    assert session.game.rules.name == name.replace("_", "-")
    assert len(session.game.moves) == 1
    ask(session, "boardsize 9")
    assert session.game.rules.name == name.replace("_", "-")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("kgs-rules ing", "unknown rules"),
        ("kgs-rules", "syntax error"),
        ("kata-set-rules nonsense", "unknown rules"),
        ("kata-set-rules {", "syntax error"),
        ('kata-set-rules {"ko":"NEVER"}', "unknown rules"),
        ('kata-set-rules {"hasButton":true}', "unknown rules"),
        ('kata-set-rules {"tax":"ALL"}', "unknown rules"),
        ('kata-set-rules {"tax":"SEKI"}', "unknown rules"),
        ('kata-set-rules {"rules":"japanese"}', "unknown rules"),
        ('kata-set-rules {"koRule":"SIMPLE"}', "unknown rules"),
        ("kata-set-rules new", "unknown rules"),
        ("kata-set-rule tax SEKI", "unknown rules"),
        ('kata-set-rules {"suicide":[]}', "unknown rules"),
        ("kata-set-rules " + "{" * 10_000, "syntax error"),
        ("kata-set-rule colour green", "unknown rules"),
        ("gogui-param_rules rules ing", "unknown rules"),
    ],
)
def test_rules_that_nobody_knows(session, line, error):
    before = session.rules
    assert ask(session, line) == f"? {error}"
    assert session.rules == before


@pytest.mark.parametrize(
    "name", ["tromp-taylor", "chinese", "japanese", "korean", "aga", "new-zealand", "bga"]
)
def test_rules_go_out_and_in_as_json(session, name):
    assert ask(session, f"kata-set-rules {name}") == "= "
    rules = session.rules
    text = ask(session, "kata-get-rules")[2:]
    assert set(json.loads(text)) >= {"ko", "scoring", "suicide", "tax", "whiteHandicapBonus"}
    ask(session, "kata-set-rules tromp-taylor")
    assert ask(session, f"kata-set-rules {text}") == "= "
    for field in ("ko", "scoring", "suicide", "handicap_bonus"):
        assert getattr(session.rules, field) == getattr(rules, field)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        *(("French", "aga"), ("new zealand", "new-zealand"), ("NZ", "new-zealand")),
        *(("newzealand", "new-zealand"), ("tromptaylor", "tromp-taylor")),
        *(("chinese_kgs", "chinese"), ("ChineseOGS", "chinese"), ("korean surplus", "korean")),
        ('{ "score": "TERRITORY", "ko" : "SIMPLE", "whiteHandicapBonus":"0"}', "japanese"),
        ('{"suicide":true,"whiteHandicapBonus":"0","friendlyPassOk":false}', "tromp-taylor"),
    ],
)
def test_katagos_names_of_rules(session, spelling, name):
    assert ask(session, f"kata-set-rules {spelling}") == "= "
    assert session.rules.name == name


def test_a_single_rule(session):
    assert ask(session, "kata-set-rule scoring territory") == "= "
    assert json.loads(ask(session, "kata-get-rules")[2:])["tax"] == "SEKI"
    assert ask(session, "kata-set-rule scoring AREA") == "= "
    assert ask(session, "kata-set-rule suicide true") == "= "
    assert session.rules.suicide
    assert ask(session, "kata-set-rule ko SITUATIONAL") == "= "
    assert session.rules.ko == "situational"
    assert ask(session, "gogui-param_rules").startswith("= [list/")


def test_other_rules_forbid_other_repetitions(session):
    ask(session, "play b D4")
    assert session.game.rules.ko == "positional"
    ask(session, "kata-set-rules aga")
    assert session.game.why_illegal(WHITE, session.game.moves[0].point) == "occupied"
    assert len(session.game.seen_keys()) == 2
