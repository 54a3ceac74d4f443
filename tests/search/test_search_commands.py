"""`miai tactics` and `miai bench search`, as a user calls them."""

from __future__ import annotations

import json

import pytest

from engine.commands.bench_games import GAMES
from engine.commands.main import main
from engine.game import Game
from engine.vertex import parse_vertex

# Black and White share their last liberty, B2: whoever plays there takes everything.
SGF = (
    "(;SZ[5]KM[0.5]AB[aa][ab][ac][ad][ae][ba][bb][bc][be]"
    "AW[ca][cb][cc][cd][ce][da][db][dc][dd][de][ea][eb][ec][ed][ee]PL[B])"
)


def positions(tmp_path, *answers: str):
    path = tmp_path / "positions.jsonl"
    rows = [
        {"suite": f"s{i}", "id": str(i), "color": "b", "komi": 0.5, "sgf": SGF, "answer": a}
        for i, a in enumerate(answers)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", encoding="utf-8")
    return path


def test_answers_are_counted_by_suite(tmp_path, capsys):
    path = positions(tmp_path, "B2", "!B2", "[A-E][1-5]|pass")
    arguments = ["tactics", str(path), "--sims", "300", "--set", "knowledge=none", "--json"]
    assert main(arguments) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["suites"] == {"s0": [1, 1], "s1": [0, 1], "s2": [1, 1]}
    assert (figures["passed"], figures["total"]) == (2, 3)
    assert [f["id"] for f in figures["failed"]] == ["1"]


def test_a_bad_line_is_named(tmp_path, capsys):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"sgf": "(;SZ[5])", "color": "b"}\n', encoding="utf-8")
    assert main(["tactics", str(path)]) == 2
    assert "line 1" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["nonsense=1", "c_puct=much"])
def test_a_bad_setting_is_named(tmp_path, capsys, text):
    assert main(["tactics", str(positions(tmp_path, "B2")), "--set", text]) == 2
    assert text.partition("=")[0] in capsys.readouterr().err


def test_the_search_is_measured(capsys):
    arguments = ["bench", "search", "--size", "9", "--seconds", "0.1", "--knowledge", "none"]
    assert main([*arguments, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["sims_per_second"] > 0
    shares = [figures[f"{part}_share"] for part in ("playouts", "knowledge", "tree")]
    assert sum(shares) == pytest.approx(1.0, abs=0.01)


def test_the_search_is_measured_with_other_settings(capsys):
    arguments = ["bench", "search", "--size", "9", "--seconds", "0.1", "--knowledge", "none"]
    assert main([*arguments, "--expand-at", "1", "--json"]) == 0
    often = json.loads(capsys.readouterr().out)
    assert (often["threads"], often["knowledge"]) == (1, "none")
    assert main([*arguments, "--expand-at", "10000", "--threads", "2", "--json"]) == 0
    never = json.loads(capsys.readouterr().out)
    assert never["threads"] == 2
    assert never["tree_share"] + never["knowledge_share"] < often["tree_share"]
    with pytest.raises(SystemExit):
        main([*arguments, "--expand-at", "0"])
    assert "--expand-at: '0' is not" in capsys.readouterr().err


def test_a_benchmark_with_weights_that_are_not_there(capsys):
    assert main(["bench", "search", "--size", "9", "--weights", "nowhere.npz"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith("nowhere.npz: no such file")


@pytest.mark.parametrize("size", sorted(GAMES))
def test_the_benchmarks_games_are_legal(size):
    game = Game(size)
    for move in GAMES[size].split():
        game.play(game.to_move, parse_vertex(move, size))
    assert len(game.moves) > size * 4
