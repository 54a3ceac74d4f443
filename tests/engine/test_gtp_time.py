"""Time limits as clients set them. How they are kept is the business of the clock's own tests."""

from __future__ import annotations

import math

import pytest

from engine.clock import TimeSettings
from engine.geometry import BLACK, WHITE
from gtp_client import ask, new_session


@pytest.fixture
def session(kernels):
    return new_session(kernels)


@pytest.mark.parametrize(
    ("line", "settings"),
    [
        ("time_settings 600 0 0", TimeSettings.absolute(600)),
        ("time_settings 600 30 25", TimeSettings.canadian(600, 30, 25)),
        ("time_settings 0 10 25", TimeSettings.canadian(0, 10, 25)),
        ("time_settings 600.5 0 0", TimeSettings.absolute(600.5)),
        ("kgs-time_settings absolute 300", TimeSettings.absolute(300)),
        ("kgs-time_settings canadian 300 60 20", TimeSettings.canadian(300, 60, 20)),
        ("kgs-time_settings byoyomi 300 10 5", TimeSettings.byoyomi(300, 10, 5)),
        ("kata-time_settings fischer 60 5", TimeSettings.fischer(60, 5)),
        ("kata-time_settings fischer-capped 60 5 120 -1", TimeSettings.fischer(60, 5, 120)),
        ("kata-time_settings fischer-capped 60 5 -1 30", TimeSettings.fischer(60, 5, -1, 30)),
        ("kata-time_settings byoyomi 0 1 3", TimeSettings.byoyomi(0, 1, 3)),
    ],
)
def test_time_settings(session, line, settings):
    for _ in range(2):
        assert ask(session, line) == "= "
        assert session.clock.settings == settings
        ask(session, "play b E5")
    ask(session, "boardsize 9")
    ask(session, "clear_board")
    assert session.clock.settings == settings


@pytest.mark.parametrize(
    "line", ["time_settings 0 1 0", "kgs-time_settings none", "kata-time_settings none"]
)
def test_no_limit(session, line):
    ask(session, "time_settings 600 0 0")
    assert ask(session, line) == "= "
    assert session.clock is None


@pytest.mark.parametrize(
    "line",
    [
        *("time_settings", "time_settings 1 2", "time_settings a b c", "time_settings -1 0 0"),
        *("time_settings nan 0 0", "time_settings 1 2 -3", "time_settings 1e999 0 0"),
        *("kgs-time_settings", "kgs-time_settings byoyomi 1 2", "kgs-time_settings fischer 1 2"),
        *("kgs-time_settings japanese 1 2 3", "kata-time_settings fischer 1"),
        *("kata-time_settings fischer-capped 1 2 3", "time_left", "time_left b", "time_left b 3"),
        *("time_left b x 0", "time_left b nan 0", "time_left purple 3 0"),
    ],
)
def test_time_that_is_none(session, line):
    ask(session, "time_settings 77 0 0")
    assert ask(session, line) == "? syntax error"
    assert session.clock.settings == TimeSettings.absolute(77)


def test_what_is_left(session):
    assert ask(session, "time_left b 10 0") == "= "  # without any limit it means nothing
    ask(session, "time_settings 600 30 25")
    ask(session, "time_left b 321.5 0")
    ask(session, "time_left white 12.5 7")
    assert session.clock.left(BLACK) == (321.5, 0)
    assert session.clock.left(WHITE) == (12.5, 7)


@pytest.mark.parametrize("seconds", ["0", "-3", "-0.5", "1e9", "0.001"])
@pytest.mark.parametrize("stones", ["0", "1", "99999", "-1"])
def test_any_time_left_is_accepted_and_a_move_is_made(session, seconds, stones):
    ask(session, "kata-set-param sims 0")
    ask(session, "time_settings 0 1 25")
    assert ask(session, f"time_left b {seconds} {stones}") == "= "
    if float(seconds) < 100:
        assert ask(session, "genmove b").startswith("= ")


def test_the_clock_runs_while_a_move_is_thought_about(session):
    ask(session, "kata-set-param sims 0")
    ask(session, "time_settings 30 0 0")
    before, _ = session.clock.left(BLACK)
    assert ask(session, "genmove b").startswith("= ")
    after, _ = session.clock.left(BLACK)
    assert 0.01 < before - after < 10
    assert session.clock.left(WHITE) == (30.0, 0)
    assert ask(session, "reg_genmove b").startswith("= ")
    assert session.clock.left(BLACK)[0] == after


def test_the_systems_are_listed(session):
    listed = ask(session, "kata-list_time_settings")[2:].split()
    assert listed == ["none", "absolute", "canadian", "byoyomi", "fischer", "fischer-capped"]


def test_the_time_plan_is_told(session):
    assert "Clock: none, so 5 s a move" in ask(session, "miai-time_plan")
    ask(session, "kata-time_settings byoyomi 60 5 3")
    text = ask(session, "miai-time_plan")
    assert "Clock: byoyomi" in text
    assert "Plan: " in text
    assert not math.isnan(session.clock.left(BLACK)[0])
