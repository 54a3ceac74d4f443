"""The benchmark of outlooks: positions in the middle of counted games are judged."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from engine.commands.bench_outlook import Outlook, log_loss
from engine.commands.main import main

# Black's wall leaves White three of nine columns, and White passes.
GAME = (
    "(;SZ[9]KM[0.5]RE[{result}]"
    ";B[fa];W[ga];B[fb];W[gb];B[fc];W[gc];B[fd];W[gd];B[fe];W[ge];B[ff];W[gf];B[fg];W[gg]"
    ";B[fh];W[gh];B[fi];W[gi];B[];W[])"
)


def figures(capsys: pytest.CaptureFixture, file: Path, *words: str) -> dict:
    assert main(["bench", "outlook", "--json", "--games", str(file), *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(("result", "right"), [("B+26.5", 1.0), ("W+26.5", 0.0)])
def test_the_winner_of_a_game_is_foreseen(result, right, tmp_path, capsys) -> None:
    file = tmp_path / "games.sgf"
    file.write_text(GAME.format(result=result) + GAME.format(result="B+R"))
    found = figures(capsys, file, "--after", "0.9", "--playouts", "40", "--policy", "rules")
    assert found["games"] == 1
    assert found["winners"] == right
    assert (found["score_error"] < 20) == bool(right)
    assert (found["log_loss"] < 0.1) == bool(right)


def test_chances_are_stretched_as_fits_best() -> None:
    sure = [Outlook(0.6, 1.0, 1.5), Outlook(0.4, -1.0, -1.5)]
    unsure = [*sure, Outlook(0.6, 1.0, -1.5), Outlook(0.4, -1.0, 1.5)]
    assert log_loss(sure) < 0.25
    assert log_loss(unsure) == pytest.approx(math.log(2), abs=0.01)


def test_bad_shares_and_files_are_refused(tmp_path, capsys) -> None:
    file = tmp_path / "games.sgf"
    file.write_text(GAME.format(result="W+R"))
    assert main(["bench", "outlook", "--games", str(file)]) == 2
    for share in ("0", "1.5", "half"):
        with pytest.raises(SystemExit):
            main(["bench", "outlook", "--games", str(file), "--after", share])
