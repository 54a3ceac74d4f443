"""The benchmark of endings: finished games are judged, others left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.commands.main import main

# Black holds the two upper rows, White the three lower ones: White wins whatever is played.
WON = (
    "(;SZ[5]KM[0.5]RE[{result}]"
    ";B[cb];W[cc];B[bb];W[bc];B[db];W[dc];B[ab];W[ac];B[eb];W[ec];B[];W[])"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    results = ["W+5.5", "W+R", "0", "W+5.5", "B+Time"]
    path.write_text("\n".join(WON.format(result=result) for result in results))
    return path


def figures(capsys: pytest.CaptureFixture, *words: str) -> dict:
    assert main(["bench", "endings", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_only_counted_games_are_judged(file: Path, capsys: pytest.CaptureFixture) -> None:
    found = figures(capsys, "--games", str(file), "--playouts", "60")
    assert found["games"] == found["ended_by_passes"] == 2
    for policy in ("light", "rules", "gamma", "mixed"):
        assert found[policy] == found[f"{policy}_judged"] == found[f"{policy}_margin"] == 1.0


def test_a_wrong_winner_is_seen(file: Path, capsys: pytest.CaptureFixture) -> None:
    file.write_text(WON.format(result="B+5.5"))
    found = figures(capsys, "--games", str(file), "--playouts", "60", "--policy", "light")
    assert found["light"] == found["light_judged"] == found["light_margin"] == 0.0
    assert "rules" not in found


def test_a_wrong_margin_is_seen(file: Path, capsys: pytest.CaptureFixture) -> None:
    file.write_text(WON.format(result="W+6.5"))
    found = figures(capsys, "--games", str(file), "--playouts", "60", "--policy", "light")
    assert found["light_judged"] == 1.0
    assert found["light_margin"] == 0.0


def test_files_without_counted_games_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file = tmp_path / "games.sgf"
    file.write_text(WON.format(result="W+R"))
    assert main(["bench", "endings", "--games", str(file)]) == 2
    assert main(["bench", "endings", "--games", str(tmp_path / "nowhere.sgf")]) == 2
    assert capsys.readouterr().err.count("\n") == 2
