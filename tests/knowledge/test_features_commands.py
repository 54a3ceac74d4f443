"""`miai features` and `miai bench features`: what they print, and what they refuse."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from engine.commands import bench_features, features
from engine.commands.main import CommandError

# Black's third move puts a white stone in atari; White's answer extends.
GAME = b"(;SZ[9];B[ee];W[ed];B[dd];W[hh];B[fd];W[ec];B[];W[gg])"
MANY = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    result = tmp_path / "game.sgf"
    result.write_bytes(GAME)
    return result


def told(capsys, *words: object) -> str:
    parser = argparse.ArgumentParser()
    features.add_arguments(parser)
    assert features.run(parser.parse_args([str(word) for word in words])) == 0
    return capsys.readouterr().out


def test_the_move_that_was_played(path, capsys) -> None:
    text = told(capsys, path, 6)
    first, *lines = text.splitlines()
    assert first == "Move 6, white E7:"
    found = {line.split("  ")[1]: line for line in lines}
    assert "new, free, 1 stone " in found["save"]
    assert "The move extends own stones in atari" in found["save"]
    assert "take" not in found


def test_another_move_and_a_pass(path, capsys) -> None:
    figures = json.loads(told(capsys, path, 6, "d5", "--set", "small", "--json"))
    assert figures["move"] == "D5"
    assert figures["features"]["line"] == "4"
    assert "extension" not in figures["features"]
    assert "shape3x3" in figures["features"]
    figures = json.loads(told(capsys, path, 7, "--set", "mm", "--json"))
    assert figures == {"move": "pass", "features": {"pass": "after move"}}
    figures = json.loads(told(capsys, path, 8, "pass", "--set", "mm", "--json"))
    assert figures["features"] == {"pass": "after pass"}


def test_patterns_are_named_if_they_are_known(path, capsys) -> None:
    words = (path, 6, "--set", "large", "--json")
    assert "shape" not in json.loads(told(capsys, *words))["features"]
    assert "pattern" in json.loads(told(capsys, *words, "--patterns", MANY))["features"]["shape"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["9"], "has no move 9: it has 8$"),
        (["2", "e5"], "^E5 is not a legal move here$"),
        (["2", "z9"], "'z9': off the board$"),
        (["2", "?"], "^'\\?': not a vertex$"),
    ],
)
def test_refusals(path, capsys, words: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        told(capsys, path, *words)


def test_files_that_are_no_games(tmp_path, capsys) -> None:
    with pytest.raises(CommandError, match="^cannot read .*none.sgf: No such file"):
        told(capsys, tmp_path / "none.sgf", 1)
    (tmp_path / "text.sgf").write_bytes(b"no game")
    with pytest.raises(CommandError, match="^cannot read .*text.sgf: not an SGF file"):
        told(capsys, tmp_path / "text.sgf", 1)


# --- The benchmark --------------------------------------------------------------------------


def measured(*words: object) -> dict[str, object]:
    parser = argparse.ArgumentParser()
    bench_features.add_arguments(parser)
    words = (*words, "--seconds", "0.01")
    return bench_features.run(parser.parse_args([str(word) for word in words]))


@pytest.mark.parametrize("name", ["small", "large", "best"])
def test_the_figures_are_about_the_games(name: str) -> None:
    figures = measured("--games", MANY, "--set", name, "--first", 8, "--min-count", 2)
    assert figures["source"] == "gnugo.sgf"
    assert figures["set"] == name
    assert figures["rounds"] >= 1
    assert (figures["patterns"] > 0) == (name != "small")
    assert figures["positions"] > 5
    assert 5 < figures["moves"] < 361
    assert 1 < figures["position_us"] < 10_000


def test_games_without_positions_are_refused(path) -> None:
    with pytest.raises(CommandError, match="too short"):
        measured("--games", path)
