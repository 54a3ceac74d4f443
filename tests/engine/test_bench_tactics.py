"""`miai bench tactics`: its figures are about what it says, and bad files get one clear line."""

from __future__ import annotations

import argparse

import pytest

from engine.commands import bench_tactics
from engine.commands.main import CommandError
from engine.geometry import BLACK, WHITE, opponent, point
from engine.position import Position
from engine.tactics.ladders import CAPTURED, ESCAPES, LadderReader
from engine.tactics.nets import NetReader
from tests.tactics.positions import chains

# After ten moves the white stone in the middle is in atari.
GAME = b"(;SZ[9];B[dd];W[ee];B[de];W[cc];B[ed];W[hh];B[df];W[gg];B[ef];W[bb];B[fe])"


def _run(*words: str) -> dict[str, object]:
    parser = argparse.ArgumentParser()
    bench_tactics.add_arguments(parser)
    return bench_tactics.run(parser.parse_args([*words, "--seconds", "0.01"]))


def test_the_figures_are_those_of_the_positions(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_bytes(GAME + b"\n" + GAME + b"\n")
    figures = _run("--games", str(path))
    position = _position_after(10)
    ladders, nets = LadderReader(), NetReader()
    few = [(p, n) for p, n in chains(position) if n <= 2]
    answers = [ladders.read(position, p, attacking=n == 2) for p, n in few]
    loose = [p for (p, n), a in zip(few, answers, strict=True) if n == 2 and a == ESCAPES]
    assert few
    assert figures["source"] == "games.sgf"
    assert figures["positions"] == 2
    assert figures["ladders"] == 2 * len(few)
    assert figures["captured"] == 2 * answers.count(CAPTURED)
    assert figures["gave_up"] == 0
    assert figures["nets"] == 2 * len(loose)
    assert figures["nets_found"] == 2 * sum(nets.capture(position, p) != 0 for p in loose)
    legal = sum(len(position.legal_points(color)) for color in (BLACK, WHITE))
    assert figures["self_ataris"] == 2 * legal
    assert 0 < figures["ladder_us"] < 1000
    assert 0 < figures["self_atari_us"] < 1000


def _position_after(moves: int) -> Position:
    position, color = Position(9), BLACK
    for text in GAME.split(b";")[2 : 2 + moves]:
        column, row = text[2] - ord("a"), 8 - (text[3] - ord("a"))
        position.play(color, point(row, column))
        color = opponent(color)
    return position


def test_without_a_file_it_makes_the_same_positions_from_the_same_seed():
    first, again, other = (_run("--seed", seed) for seed in ("1", "1", "2"))
    counts = ("positions", "ladders", "captured", "nets", "nets_found", "self_ataris")
    assert [first[name] for name in counts] == [again[name] for name in counts]
    assert [first[name] for name in counts] != [other[name] for name in counts]
    assert first["ladders"] > 1000


def test_a_file_that_is_missing_or_holds_no_game_is_refused(tmp_path):
    with pytest.raises(CommandError, match="^cannot read .*none.sgf"):
        _run("--games", str(tmp_path / "none.sgf"))
    for name in ("text.sgf", "broken.sgf.xz"):
        path = tmp_path / name
        path.write_bytes(b"no game")
        with pytest.raises(CommandError, match="^(cannot read|no positions in) "):
            _run("--games", str(path))
