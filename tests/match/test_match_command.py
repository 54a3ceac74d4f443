"""`miai match` as people use it: real workers, real programs, GNU Go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.commands.main import main
from engine.match.players import find_program
from match.fakes import LEFT, RIGHT, fake_command

WEST = fake_command("--moves", f"'{LEFT}'")
EAST = fake_command("--moves", f"'{RIGHT}'")
# On a machine with other matches, a test must not wait for a core.
SMALL = ["--size", "5", "--komi", "0.5", "--share-cores", "--referee", "none"]


def figures(capsys: pytest.CaptureFixture, *words: str) -> dict:
    assert main(["match", *SMALL, *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_flat_players(capsys: pytest.CaptureFixture) -> None:
    found = figures(capsys, "flat:rules", "flat:light", "--games", "4", "--playouts", "60")
    assert (found["games"], found["size"], found["faults"]) == (4, 5, 0)
    assert 0 <= found["wins"] <= 4
    assert found["low"] < found["share"] < found["high"] or found["share"] in (0, 1)


def test_a_match_in_a_folder_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    words = ["--black", WEST, "--white", EAST, "--out", str(tmp_path)]
    assert figures(capsys, *words, "--games", "2", "--jobs", "2")["games"] == 2
    before = (tmp_path / "games.jsonl").read_text()
    assert figures(capsys, *words, "--games", "4")["games"] == 4
    after = (tmp_path / "games.jsonl").read_text()
    assert after.startswith(before)
    lines = [json.loads(line) for line in after.splitlines()]
    assert sorted(line["game"] for line in lines) == [0, 1, 2, 3]
    assert {line["black"] for line in lines} == {"first", "second"}
    assert len(list((tmp_path / "games").iterdir())) == 4
    # The same two games again and again: somebody should be told.
    assert figures(capsys, *words, "--games", "4")["repeated"] == 2
    assert main(["match", *words, *SMALL, "--komi", "3"]) == 2
    assert "another match: komi 0.5, not 3.0" in capsys.readouterr().err


def test_a_sequential_test_stops_early(capsys: pytest.CaptureFixture) -> None:
    quitter = fake_command("--moves", "resign")
    found = figures(capsys, WEST, quitter, "--games", "50", "--sprt", "0,200")
    assert found["sprt"]["decision"] == "accepted"
    assert 8 <= found["games"] < 30
    assert found["elo"] is None
    assert found["elo_low"] > 0


def test_an_engine_at_fault_comes_back(capsys: pytest.CaptureFixture) -> None:
    crashing = fake_command("--fault", "crash", "--at", "2", "--moves", f"'{RIGHT}'")
    found = figures(capsys, WEST, crashing, "--games", "4")
    assert (found["games"], found["wins"], found["faults"]) == (4, 4, 4)
    assert main(["match", WEST, crashing, *SMALL, "--games", "2"]) == 0
    captured = capsys.readouterr()
    assert "2 games were lost by a fault" in captured.out
    assert "ended with exit code 3 (out of ideas)" in captured.err


def test_against_gnu_go(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    if find_program("gnugo") is None:
        pytest.skip("GNU Go is not installed (Debian's package is named gnugo)")
    words = ["flat:light", "gnugo:0", "--playouts", "50", "--games", "2", "--out", str(tmp_path)]
    found = figures(capsys, *words, "--openings", "random:2")
    assert (found["faults"], found["repeated"]) == (0, 0)
    assert found["wins"] <= 1
    stones = figures(capsys, "flat:light", "gnugo:0", "--games", "1",
                     "--size", "7", "--handicap", "4", "--playouts", "50")  # fmt: skip
    assert stones["faults"] == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["flat:wise", "flat:light"], "unknown player 'flat:wise'"),
        (["flat:light"], "a match has two players"),
        ([], "a match has two players"),
        (["a", "b", "--black", "c"], "a match has two players"),
        (["flat:light", "flat:light", "--jobs", "1000"], "1000 cores are needed"),
        (["flat:light", "flat:light", "--size", "5", "--handicap", "3"], "no handicap of 3"),
        (["flat:light", "flat:light", "--openings", "nowhere"], "cannot read nowhere"),
        (["flat:light", "flat:light", "--referee", "flat:light"], "can't be referee"),
        (["flat:light", "flat:light", "--openings", "random:²"], "cannot read random:²"),
        (["flat:light", "gnugo:²"], "GNU Go's level is a number"),
        (
            ["flat:light", "flat:light", "--handicap", "2", "--openings", "random:4"],
            "openings are for even games",
        ),
    ],
)
def test_mistakes_are_told_in_a_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(["match", *words]) == 2
    err = capsys.readouterr().err
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--seed", "-1"], "'-1' is not a whole number from 0 to 1,000,000"),
        (["--seed", "9" * 20], "is not a whole number from 0 to 1,000,000"),
        (["--out", ""], "an empty name is no folder's"),
        (["--report", ""], "an empty name is no folder's"),
        (["--patience", "1e10"], "'1e10' is more than 1,000,000 seconds"),
        (["--clock", "9" * 400], "a clock has no more than 1,000,000 seconds or stones"),
        (["--clock", f"600+30/{'9' * 400}"], "a clock has no more than 1,000,000"),
    ],
)
def test_impossible_values_are_told_in_a_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["match", "flat:light", "flat:light", *words])
    err = capsys.readouterr().err
    assert reason in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["match", "flat:light"], ["tune", "c_puct", "--out", "x", "--player"]]
)
def test_mistakes_in_options_of_our_own_are_told_before_any_game(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main([*words, "miai:--nonsense"])
    err = capsys.readouterr().err
    assert err == "miai: unrecognized arguments: --nonsense (see miai --help)\n"
    assert not list(tmp_path.iterdir())
