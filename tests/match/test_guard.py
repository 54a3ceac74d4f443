"""The guard: what is compared with what, on a small clone of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.commands import match_guard
from engine.commands.main import main
from engine.match import guard
from engine.match.run import Standing
from engine.match.statistics import NO_PAIRS, Score
from match.fakes import FAKE, LEFT, RIGHT

# A stand-in for the engine: it takes the options and plays the moves of a file beside it.
ENGINE = f"""
import runpy, sys
from pathlib import Path
moves = Path(__file__).with_name("moves.txt").read_text()
sys.argv = [{FAKE!r}, "--moves", moves]
runpy.run_path({FAKE!r}, run_name="__main__")
"""


def git(clone: Path, *words: str) -> None:
    who = ["-c", "user.name=tests", "-c", "user.email=tests@localhost"]
    subprocess.run(["git", *who, *words], cwd=clone, check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone whose engine plays on the left; the tree may be changed."""
    result = tmp_path / "clone"
    result.mkdir()
    git(result, "init", "-q")
    (result / "gtp_main.py").write_text(ENGINE)
    (result / "moves.txt").write_text(LEFT)
    git(result, "add", ".")
    git(result, "commit", "-qm", "start")
    monkeypatch.setattr(guard, "home", lambda: result)
    monkeypatch.setattr(guard, "CACHE", tmp_path / "cache" / "kernels")
    return result


def test_the_newest_tag_is_the_baseline(clone: Path) -> None:
    with pytest.raises(guard.NoBaseline, match="no tag strength-"):
        guard.rivals(None, 100, 1)
    git(clone, "tag", "strength-1")
    (clone / "moves.txt").write_text(RIGHT)
    tree, baseline = guard.rivals(None, 100, 1)
    assert (tree.name, baseline.name) == ("working-tree", "strength-1")
    assert tree.command == (
        sys.executable, str(clone / "gtp_main.py"), "gtp", "--sims", "100", "--threads", "1",
    )  # fmt: skip
    folder = Path(baseline.command[1]).parent
    assert (folder / "moves.txt").read_text() == LEFT
    assert guard.unpack(clone, "strength-1") == folder
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    for name in ("no-such-commit", "--all"):
        with pytest.raises(guard.NoBaseline, match=f"no commit '{name}' in .*: git: fatal: "):
            guard.rivals(name, 100, 1)


def test_without_a_tag_the_newest_commit_that_says_so_is_the_baseline(clone: Path) -> None:
    git(clone, "commit", "-q", "--allow-empty", "-m", "More playouts\n\nStrength: 60 of 100")
    git(clone, "commit", "-q", "--allow-empty", "-m", "On the strength of it")
    marked = guard._git(clone, "rev-parse", "--short", "HEAD~1").decode().strip()
    assert guard.last_mark(clone) == marked
    assert guard.rivals(None, 100, 1)[1].name == marked
    git(clone, "tag", "strength-1")
    assert guard.last_mark(clone) == "strength-1"


def test_guard_command(clone: Path, capsys: pytest.CaptureFixture) -> None:
    git(clone, "tag", "strength-1")
    (clone / "moves.txt").write_text("resign")
    words = ["match", "--guard", "--size", "5", "--openings", "none", "--share-cores"]
    assert main([*words, "--json"]) == 1
    captured = capsys.readouterr()
    assert captured.err.endswith("The working tree is weaker.\n")
    found = json.loads(captured.out)
    assert (found["first"], found["second"]) == ("working-tree", "strength-1")
    assert found["sprt"] == {**found["sprt"], "elo0": -50, "elo1": 0, "decision": "rejected"}
    assert main([*words, "--games", "2", "--minutes", "1"]) == 2
    assert "Not decided in this time; the games speak against" in capsys.readouterr().err
    assert main([*words, "flat:light", "flat:light"]) == 2
    assert "brings its own players" in capsys.readouterr().err
    git(clone, "tag", "-d", "strength-1")
    assert main(words) == 2
    assert "no tag strength-*" in capsys.readouterr().err


def test_a_broken_baseline_is_no_proof(clone: Path, capsys: pytest.CaptureFixture) -> None:
    (clone / "moves.txt").unlink()
    git(clone, "commit", "-qam", "broken")
    (clone / "moves.txt").write_text(LEFT)
    words = ["match", "--guard", "HEAD", "--size", "5", "--openings", "none", "--share-cores"]
    assert main([*words, "--jobs", "1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "miai match: the baseline HEAD is broken: ended with exit code 1" in captured.err


def test_the_guard_is_about_this_tree_on_this_machine(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["match", "--guard", "HEAD", "--size", "5", "--openings", "none", "--share-cores"]
    out = ["--out", str(tmp_path / "out")]
    (clone / "moves.txt").write_text(RIGHT)
    assert main([*words, *out, "--games", "2"]) == 2
    before = (tmp_path / "out" / "games.jsonl").read_text()
    (clone / "moves.txt").write_text("resign")
    capsys.readouterr()
    for more, reason in (
        (out, "games of an earlier tree"),
        (["--cluster", "tcp://a:1"], "--clust"),
        (["--guard="], "--guard= names no commit"),
        (["--handicap", "3"], "--guard plays even games"),
    ):
        monkeypatch.setattr(guard, "unpack", pytest.fail)  # that would be found out too late
        assert main([*words, *more]) == 2
        err = capsys.readouterr().err
        assert reason in err
        assert err.count("\n") == 1
    assert (tmp_path / "out" / "games.jsonl").read_text() == before


def test_a_tree_that_hangs_does_not_hold_up_the_guard(
    clone: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(clone, "tag", "strength-1")
    (clone / "gtp_main.py").write_text("import time; time.sleep(600)")
    monkeypatch.setattr(guard, "FAREWELL", 0.0)
    words = ["match", "--guard", "--size", "5", "--openings", "none", "--share-cores"]
    started = time.monotonic()
    assert main([*words, "--minutes", "0.05"]) == 2
    assert time.monotonic() - started < 60
    assert "Not decided in this time: no pair of games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("ratio", "words"), [(0.0, "no pair of games"), (0.5, "speak for"), (-0.5, "speak against")]
)
def test_what_an_undecided_guard_says(ratio: float, words: str) -> None:
    standing = Standing(Score(1, 0, 0), NO_PAIRS, 10, ratio, None, 1.0, 1, None)
    assert words in match_guard.verdict(standing)
