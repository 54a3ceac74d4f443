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
    "mm": ["--features", "small", "--rounds", "2"],
    "spt": ["--trees", "1", "--depth", "3", "--samples", "20"],
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

    code = main(["explain", str(GAMES), "5", "--weights", str(out), "--top", "2"])
    said = capsys.readouterr()
    if kind == "spt":
        assert code == 2
        assert "no features to explain" in said.err
    else:
        assert code == 0
        assert "%" in said.out


def test_bad_weights_are_refused_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    missing = str(tmp_path / "none.npz")
    assert main(["evaluate", missing, "--games", str(GAMES)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["explain", str(GAMES), "900", "--weights", missing]) == 2
    assert "has" in capsys.readouterr().err
