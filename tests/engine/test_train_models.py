"""`miai train`, `evaluate`, `explain` for every kind of model, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.commands.main import main

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
SMALL = {
    "fbt": ["--features", "small", "--k", "2", "--epochs", "1"],
    "lfr": ["--features", "small", "--k", "2", "--epochs", "1"],
    "mm": ["--features", "small", "--without", "corner", "--rounds", "2"],
    "spt": ["--trees", "1", "--depth", "3", "--samples", "20", "--positions", "90"],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SMALL)
def test_train_evaluate_explain(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / f"{kind}-9x9.npz"
    files = ["--games", str(GAMES), "--valid", str(GAMES), "--size", "9", "--first", "4"]
    assert main(["train", kind, *files, "--valid-first", "2", "--out", str(out), *SMALL[kind]]) == 0
    assert "top-1" in capsys.readouterr().out
    card = out.with_suffix(".md").read_text()
    assert str(tmp_path) not in card
    assert "4 games of gnugo.sgf" in card
    assert not out.with_suffix(".checkpoint").exists()

    words = ["evaluate", str(out), "--games", str(GAMES), "--size", "9", "--first", "2", "--json"]
    assert main(words) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["positions"] > 20
    assert 0 <= figures["top1"] <= figures["top5"] <= figures["top20"] <= 100
    assert sum(count for *_, count in figures["calibration"]) > 20 * figures["positions"]
    picture = tmp_path / "curve.svg"
    assert main([*words[:-1], "--picture", str(picture)]) == 0
    assert "calibrated" in capsys.readouterr().out
    assert "<polyline" in picture.read_text()

    code = main(["explain", str(GAMES), "5", "--weights", str(out), "--top", "2"])
    said = capsys.readouterr()
    if kind == "spt":
        assert code == 2
        assert "no features to explain" in said.err
    else:
        assert code == 0
        assert "%" in said.out


@pytest.mark.slow
def test_training_begins_with_what_weights_know(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    files = ["--games", str(GAMES), "--valid", str(GAMES), "--size", "9", "--first", "4"]
    first, second = str(tmp_path / "first.npz"), str(tmp_path / "second.npz")
    words = ["train", "fbt", *files, "--valid-first", "2", *SMALL["fbt"]]
    assert main([*words, "--out", first]) == 0
    assert main([*words, "--out", second, "--start", first, "--minutes", "5"]) == 0
    card = Path(second).with_suffix(".md").read_text()
    assert "features of first.npz" in card
    assert "--start first.npz" in card
    assert str(tmp_path) not in card
    assert main([*words, "--out", second, "--start", str(GAMES)]) == 2
    assert main([*words, "--out", second, "--share", "2"]) == 2
    assert main([*words, "--out", second, "--without", "shape"]) == 2
    assert "--without takes some groups" in capsys.readouterr().err


def test_bad_weights_are_refused_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    missing = str(tmp_path / "none.npz")
    assert main(["evaluate", missing, "--games", str(GAMES)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["explain", str(GAMES), "900", "--weights", missing]) == 2
    assert "has" in capsys.readouterr().err
