"""GoGui's menu: every entry's reply is of its type, in every phase of a game. Live graphics."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.gtp.registry import COMMANDS
from gogui_grammar import CHECKS, check_gfx
from gtp_client import ask, new_session

PHASES = {
    "empty": "",
    "opening": "b E5 w C3 b G3 w G7 b C7",
    "after a pass": "b E5 w pass",
    "over": "b E5 w C3 b pass w pass",
    "a ladder": "b E5 w E4 b D4 w F5 b F4 w E6 b D5 w D6",
}


def menu(kernels):
    return ask(new_session(kernels), "gogui-analyze_commands")[2:].splitlines()


def filled(command):
    return command.replace("%p", "H8").replace("%c", "b")


def test_the_menu_is_well_formed(kernels):
    lines = menu(kernels)
    labels = [line.split("/")[1] for line in lines]
    assert len(set(labels)) == len(labels)
    for line in lines:
        kind, label, command = line.split("/")
        assert kind in CHECKS
        assert label.strip() == label
        assert COMMANDS[command.split()[0]].listed
    text = "\n".join(lines)
    for model in ("fbt", "lfr", "mm", "spt"):
        assert f"miai-probability_colors {model}" in text
        assert f"miai-probabilities {model}" in text


@pytest.mark.parametrize("phase", PHASES)
def test_every_entry_of_the_menu_is_of_its_type(kernels, phase):
    session = new_session(kernels)
    ask(session, f"gogui-play_sequence {PHASES[phase]}")
    board = ask(session, "showboard")
    for line in menu(kernels):
        kind, _, command = line.split("/")
        reply = ask(session, filled(command))
        assert reply.startswith("= "), (line, reply)
        CHECKS[kind](reply[2:], 9)
    assert ask(session, "showboard") == board


@pytest.mark.parametrize("size", [2, 5, 13, 25])
def test_the_menu_on_other_boards(kernels, size):
    session = new_session(kernels, size=size)
    ask(session, "play b A1")
    for line in menu(kernels):
        kind, _, command = line.split("/")
        reply = ask(session, command.replace("%p", "B1").replace("%c", "w"))
        assert reply.startswith("= "), (line, reply)
        CHECKS[kind](reply[2:], size)


@pytest.mark.parametrize(
    "line",
    [
        *("miai-probabilities", "miai-probabilities magic", "miai-features", "miai-features E5"),
        *("miai-features Z99", "miai-distances", "miai-distances pass", "miai-distances x"),
        *("explain Z99", "explain x", "explain E5", "miai-variation x"),
    ],
)
def test_views_of_nothing(kernels, line):
    session = new_session(kernels)
    ask(session, "play b E5")
    reply = ask(session, line)
    assert reply.startswith("? ")
    assert "\n" not in reply
    assert "internal error" not in reply


def test_the_search_is_shown_that_chose_the_move(kernels):
    session = new_session(kernels)
    move = ask(session, "genmove b")[2:]
    thought = session.player.last_thought
    assert ask(session, "miai-variation")[2:].split()[0] == move
    assert ask(session, "explain").startswith(f"= black {move}, ")
    assert session.player.last_thought is thought
    # After a further move it is about another position.
    ask(session, "genmove w")
    assert ask(session, "explain").startswith("= white ")
    ask(session, "play b A9")
    ask(session, "play w A8")
    ask(session, "miai-search")
    assert session.player.last_thought.color == 1


def test_why_not_that_one(kernels):
    session = new_session(kernels)
    move = ask(session, "genmove b")[2:]
    text = ask(session, "explain A1" if move != "A1" else "explain A2")
    assert f"It chose {move}, " in text
    assert "Against it: " in text
    assert "What speaks for and against it:" in text
    assert "place: is on line 1" in text


def test_gomill_asks_why(kernels):
    session = new_session(kernels)
    assert ask(session, "gomill-explain_last_move") == "= "
    ask(session, "genmove b")
    assert ask(session, "gomill-explain_last_move") == ask(session, "explain")
    assert float(ask(session, "gomill-cpu_time")[2:]) >= float(ask(session, "cputime")[2:]) - 1
    assert ask(session, "gomill-describe_engine").startswith("= Miai 0.")


def test_no_move_wins_less_than_never(kernels):
    """With few visits the bound below a value may be negative."""
    session = new_session(kernels)
    ask(session, "genmove b")
    kept = session.remembered
    unlucky = tuple(replace(c, value=0.05, lower=-0.4) for c in kept.thought.candidates)
    session.remembered = kept._replace(thought=replace(kept.thought, candidates=unlucky))
    assert "wins 5.0% (at least 0.0%)" in ask(session, "explain")
    assert "-" not in ask(session, "miai-lower_bounds")


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        *(("komi 7.5", True), ("komi 0.5", False)),
        *(("kgs-rules chinese", True), ("kgs-rules aga", False)),
    ],
)
def test_a_search_with_another_komi_or_other_rules_is_not_shown(kernels, line, is_kept):
    session = new_session(kernels)
    ask(session, "genmove b")
    assert session.last_thought() is not None
    ask(session, line)
    assert (session.last_thought() is not None) == is_kept


# --- Live --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["moves", "line", "visits", "owners"])
def test_live_graphics(kernels, capsys, mode):
    session = new_session(kernels, sims=0, seconds=0.3, live_graphics=mode, live_interval=0.05)
    ask(session, "genmove b")
    pictures = capsys.readouterr().err.split("gogui-gfx:")
    assert pictures[0] == ""
    assert pictures[-1] == " CLEAR\n"
    assert len(pictures) > 3
    for picture in pictures[1:-1]:
        assert picture.startswith("\n")
        assert picture.endswith("\n\n")
        check_gfx(picture.strip("\n"), 9)
        assert len(picture.strip("\n").splitlines()) > 1


def test_nothing_is_drawn_unless_it_was_asked_for(kernels, capsys):
    session = new_session(kernels, sims=0, seconds=0.1)
    ask(session, "genmove b")
    assert capsys.readouterr().err == ""


def test_the_title_names_the_level(kernels):
    session = new_session(kernels, level=3)
    assert ask(session, "gogui-title") == "= Miai, level 3"
    assert ask(session, "gogui-interrupt") == "= "
