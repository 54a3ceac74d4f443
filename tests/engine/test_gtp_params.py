"""The one registry of settings through the commands of GoGui and KataGo."""

from __future__ import annotations

import json
import re

import pytest

from engine.parameters import FAMILIES, PARAMETERS
from gtp_client import ask, new_session


@pytest.fixture
def session(kernels):
    return new_session(kernels)


def test_every_setting_can_be_read_and_written_in_both_dialects(session):
    assert ask(session, "kata-list-params")[2:].split() == list(PARAMETERS)
    everything = json.loads(ask(session, "kata-get-params")[2:])
    assert list(everything) == list(PARAMETERS)
    for name, parameter in PARAMETERS.items():
        value = ask(session, f"kata-get-param {name}")[2:]
        for line in (
            f"kata-set-param {name} {value}",
            f"gogui-param_{parameter.family} {name} {value}",
        ):
            assert ask(session, line if value else f'{line.rstrip()} ""') == "= "
        assert ask(session, f"kata-get-param {name}")[2:] == value
        assert everything[name] == session.settings.get(name, 9)


@pytest.mark.parametrize("family", FAMILIES)
def test_gogui_can_read_the_dialogs(session, family):
    lines = ask(session, f"gogui-param_{family}")[2:].splitlines()
    names = [name for name, parameter in PARAMETERS.items() if parameter.family == family]
    assert len(lines) == len(names)
    for name, line in zip(names, lines, strict=True):
        kind, key, value = re.fullmatch(r"\[(\S+)\] (\S+) (.*)", line).groups()
        assert key == name
        if kind == "bool":
            assert value in ("0", "1")
        elif kind != "string":
            assert value in kind.removeprefix("list/").split("/")


def test_a_change_is_live(session):
    assert session.player.settings is session.settings
    ask(session, "gogui-param_search c_puct 0.75")
    assert session.player.settings.get("c_puct", 9) == 0.75
    assert ask(session, "kata-get-param c_puct") == "= 0.75"
    assert "[string] c_puct 0.75" in ask(session, "gogui-param_search")


def test_a_default_depends_on_the_size(session):
    small, large = (PARAMETERS["rave_equivalence"].default_for(size) for size in (9, 19))
    assert small != large
    assert ask(session, "kata-get-param rave_equivalence") == f"= {small:g}"
    ask(session, "boardsize 19")
    assert ask(session, "kata-get-param rave_equivalence") == f"= {large:g}"


@pytest.mark.parametrize(
    "line",
    [
        *("kata-get-param", "kata-get-param nothing", "kata-set-param", "kata-set-param c_puct"),
        *("kata-set-param c_puct -1", "kata-set-param c_puct nan", "kata-set-param sims 1.5"),
        *(
            "kata-set-param level 11",
            "kata-set-param knowledge magic",
            "kata-set-param rave perhaps",
        ),
        *(
            "gogui-param_search nothing 1",
            "gogui-param_search ponder 1",
            "gogui-param_search c_puct",
        ),
    ],
)
def test_settings_that_make_no_sense(session, line):
    before = ask(session, "kata-get-params")
    reply = ask(session, line)
    assert reply.startswith("? ")
    assert "\n" not in reply
    assert ask(session, "kata-get-params") == before


def test_the_name_may_be_another(session):
    assert ask(session, 'kata-set-param engine_name "Leela Zero"') == "= "
    assert ask(session, "name") == "= Leela Zero"
    assert ask(session, "kata-set-param engine_version 0.17") == "= "
    assert ask(session, "version") == "= 0.17"
    assert ask(session, "gogui-version") != "= 0.17"


@pytest.mark.parametrize("command", ["gogui-param_client", "kata-set-param"])
def test_a_text_may_hold_spaces_or_nothing(session, command):
    """GoGui writes what stands in its dialog behind the key, without quotes."""
    assert ask(session, f"{command} engine_name Leela Zero") == "= "
    assert ask(session, "name") == "= Leela Zero"
    assert ask(session, f"{command} engine_name ") == "= "
    assert ask(session, "name") == "= Miai"


def test_lizzie_likes_the_version(session):
    major, minor = ask(session, "version")[2:].split(".")[:2]
    assert int(major) >= 0
    assert int(minor) >= 15
