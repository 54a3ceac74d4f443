"""The real player behind the protocol: live analysis as Sabaki reads it, and GoGui's menu."""

from __future__ import annotations

import time

import pytest

from engine.sgf import load_game
from engine.vertex import vertex_text
from gogui_grammar import CHECKS
from gtp_client import REAL_ENGINE, Client
from programs import HOME
from sabaki_rules import read_analysis

PHASES = {"opening": 6, "endgame": 40, "won": 10_000}
NOT_SHIPPED = "no weights of kind"


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """A finished game on 9x9 in a file."""
    records = (HOME / "tests" / "data" / "gnugo.sgf").read_bytes().splitlines()
    path = tmp_path_factory.mktemp("record") / "game.sgf"
    path.write_bytes(next(record for record in records if b"SZ[9]" in record))
    return path


@pytest.fixture(scope="module")
def client():
    with Client("--sims", "200", "--threads", "1", engine=REAL_ENGINE) as result:
        yield result.ready()


def analysis(client, line):
    """What an analysis of some tenths of a second says."""
    client.send(line)
    assert client.line().text == "="
    lines = [client.line().text]
    time.sleep(0.3)
    client.send("")
    while text := client.line().text:
        lines.append(text)
    return lines


@pytest.mark.parametrize("phase", PHASES)
def test_sabaki_can_read_live_analysis(client, record, phase):
    client.ask(f"loadsgf {record} {PHASES[phase]}")
    for command in ("lz-analyze 10", "kata-analyze interval 10 ownership true"):
        lines = analysis(client, command)
        assert len(lines) > 1
        is_kata = command.startswith("kata")
        shown, owners = read_analysis(lines[-1], 9, is_kata)
        assert len(owners) == (81 if is_kata else 0)
        told = lines[-1].count("info move ") - lines[-1].count("info move pass ")
        assert len(shown) == told  # it drops none but the pass
        assert all(0 <= move["winrate"] <= 100 for move in shown)


@pytest.mark.parametrize("phase", PHASES)
def test_goguis_menu_shows_the_real_thing(client, record, phase):
    client.ask(f"loadsgf {record} {PHASES[phase]}")
    board = client.ask("showboard")
    game = load_game(record.read_bytes(), PHASES[phase])
    free = vertex_text(game.legal_points(game.to_move)[0])
    for line in client.ask("gogui-analyze_commands").splitlines():
        kind, _, command = line.split("/")
        client.send(command.replace("%p", free).replace("%c", "b"))
        reply = client.reply()
        if NOT_SHIPPED in reply:
            continue
        assert reply.startswith("= "), (line, reply)
        CHECKS[kind](reply[2:], 9)
    assert client.ask("showboard") == board
