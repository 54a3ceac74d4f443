"""The folder of a match: it survives interruptions and refuses what is not its own."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.commands.main import main
from engine.console import why
from engine.match.difference import different
from engine.match.lines import is_sound
from engine.match.players import Entrant
from engine.match.results import BadResults, Results, load_lines, load_terms, repeated
from engine.match.statistics import Score
from engine.match.terms import Terms
from engine.match.timing import ClockRule
from match.fakes import left, line, one_game, right


def test_a_match_goes_on_where_it_was(tmp_path: Path) -> None:
    terms = Terms(left(), right(), clock=ClockRule(60.0, 5.0, 2), referee=left())
    results = Results(terms, tmp_path / "a" / "b")
    assert results.add(line(0))
    assert results.add(line(3, "draw"))
    assert not results.add(line(0, "second"))
    again = Results(terms, results.folder)
    assert again.lines == results.lines
    assert again.score() == Score(1, 1, 0)
    assert again.pairs() == (0, 0, 0, 0, 0)
    again.add(line(2, "second"))
    assert again.pairs() == (0, 1, 0, 0, 0)
    for number, winner in ((1, "second"), (4, "first"), (5, "draw"), (7, "first"), (6, "first")):
        again.add(line(number, winner))
    assert again.pairs() == (0, 1, 1, 1, 1)
    assert load_terms(tmp_path / "a" / "b") == terms
    assert (tmp_path / "a" / "b" / "games" / "00004.sgf").read_text() == "(;GM[1])"
    assert repeated([line(0), line(1), line(2, line="1")]) == 1


def test_a_line_that_was_cut_short_is_played_again(tmp_path: Path) -> None:
    results = Results(Terms(left(), right()), tmp_path)
    results.add(line(0))
    file = tmp_path / "games.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"game": 1, "win')
    again = Results(Terms(left(), right()), tmp_path)
    assert list(again.lines) == [0]
    again.add(line(1))
    assert list(load_lines(tmp_path)) == [0, 1]
    assert file.read_bytes().startswith(whole)


def test_another_match_is_not_mixed_in(tmp_path: Path) -> None:
    Results(Terms(left(), right()), tmp_path)
    with pytest.raises(BadResults, match="another match: komi 7.0, not 6.5"):
        Results(Terms(left(), right(), komi=6.5), tmp_path)
    with pytest.raises(BadResults, match="another match: first "):
        Results(Terms(left("--pause", "1"), right()), tmp_path)
    ours = [replace(left(), version=version) for version in ("", "a", "b")]
    for first, second in ((ours[1], ours[1]), (ours[0], ours[1]), (ours[2], ours[0])):
        assert not different(Terms(first, right()), Terms(second, right()))
    assert different(Terms(ours[1], right()), Terms(ours[2], right())) == (
        "first version 'a', not 'b'"
    )
    # What only concerns the machine may change.
    Results(Terms(left(), right(), cores=2, patience=5.0), tmp_path)


def test_a_damaged_folder_is_told(tmp_path: Path) -> None:
    Results(Terms(left(), right()), tmp_path)
    for text in ("no JSON", "[]", '{"game": 1}'):
        (tmp_path / "games.jsonl").write_text(text + "\n")
        with pytest.raises(BadResults, match="line 1 is damaged"):
            Results(Terms(left(), right()), tmp_path)
    (tmp_path / "match.json").write_text(json.dumps({"size": 9}))
    with pytest.raises(BadResults, match="is damaged"):
        load_terms(tmp_path)
    with pytest.raises(BadResults, match="holds no match"):
        load_terms(tmp_path / "nowhere")
    (tmp_path / "match.json").unlink()
    with pytest.raises(BadResults, match=r"holds games but no match\.json"):
        Results(Terms(left(), right()), tmp_path)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file may grow beyond a size, as on a full disk."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_leaves_whole_lines_only(tmp_path: Path) -> None:
    results = Results(Terms(left(), right()), tmp_path)
    results.add(line(0))
    file = tmp_path / "games.jsonl"
    before = file.read_bytes()
    with files_of_at_most(len(before) + 20), pytest.raises(OSError, match="games.jsonl"):
        results.add(line(1))
    assert file.read_bytes() == before
    assert list(results.lines) == [0]
    results.add(line(1))
    assert list(load_lines(tmp_path)) == [0, 1]


def test_a_full_disk_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    with files_of_at_most(100):
        code = main(["match", "flat:light", "flat:light", "--out", str(tmp_path)])
    assert code == 2
    assert capsys.readouterr().err == f"miai match: {tmp_path / 'match.json'}: File too large\n"
    assert why(OSError(28, "No space left on device")) == "No space left on device"
    assert why(ConnectionResetError("gone")) == "gone"


@pytest.mark.parametrize(
    "odd",
    [
        {"game": -4}, {"game": math.inf}, {"game": True}, {"game": "1"}, {"black": "x"},
        {"winner": "x"}, {"winner": None}, {"fault": "x"}, {"moves": "many"}, {"moves": 10**400},
        {"reason": ["x"]}, {"result": None}, {"line": 5}, {"opening": "D4"}, {"opening": [5]},
        {"seconds": 3}, {"seconds": {"first": 1}}, {"seconds": {"first": 1, "second": math.nan}},
        {"cpu": None}, {"cpu": {"first": "x"}},
    ],
)  # fmt: skip
def test_a_line_that_no_game_leaves_is_damaged(tmp_path: Path, odd: dict[str, Any]) -> None:
    Results(Terms(left(), right()), tmp_path).add(line(0))
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write(json.dumps(line(1)) + "\n" + json.dumps({**line(2), **odd}) + "\n")
    with pytest.raises(BadResults, match="line 3 is damaged"):
        load_lines(tmp_path)


def test_what_a_game_leaves_is_sound() -> None:
    crashing = left("--fault", "crash", "--at", "1")
    for result in (one_game(left(), right()), one_game(right(), crashing)):
        assert is_sound(json.loads(json.dumps(result)))


@pytest.mark.parametrize(
    "odd",
    [
        {"first": None}, {"second": "x"}, {"first": {"name": 5, "command": []}}, {"komi": "x"},
        {"komi": math.nan}, {"komi": 10**400}, {"size": 9.0}, {"size": 99}, {"size": None},
        {"rules": "x"}, {"rules": []}, {"clock": {"main": "x"}}, {"clock": 5}, {"seed": None},
        {"openings": 4}, {"handicap": True}, {"first": {"name": "x", "command": 5}},
        {"first": {"name": "x", "command": [5]}},
        {"first": {"name": "x", "command": [], "settings": [["a"]]}},
    ],
)  # fmt: skip
def test_terms_that_nobody_plays_by_are_damaged(tmp_path: Path, odd: dict[str, Any]) -> None:
    saved = Terms(left(), right(), clock=ClockRule(60.0)).to_json()
    (tmp_path / "match.json").write_text(json.dumps({**saved, **odd}))
    with pytest.raises(BadResults, match="is damaged"):
        load_terms(tmp_path)


def program(*words: str, **more: Any) -> Terms:
    return Terms(Entrant("us", words, **more), right())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (program("gnugo", "--level", "1"), program("/usr/games/gnugo", "--level", "1")),
        (
            program("/a/python3", "/a/gtp_main.py", "gtp", "--weights", "/a/weights/w.npz"),
            program("/b/bin/python", "/b/gtp_main.py", "gtp", "--weights", "/b/weights/w.npz"),
        ),
        (Terms(left(), right()), Terms(left(), right(), openings="random:4")),
        (Terms(left(), right(), openings="none"), Terms(left(), right(), openings="none")),
    ],
)
def test_a_clone_elsewhere_may_go_on(one: Terms, other: Terms) -> None:
    assert different(one, other) == different(other, one) == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (program("gnugo"), program("pachi")),
        (program("us", "--weights", "a/w.npz"), program("us", "--weights", "b/w.npz")),
        (program(policy="light"), program(policy="rules")),
        (program("us", settings=(("x", "1"),)), program("us", settings=(("x", "2"),))),
        (program("us"), Terms(Entrant("them", ("us",)), right())),
    ],
)
def test_other_players_are_another_match(one: Terms, other: Terms) -> None:
    assert different(one, other).startswith("first ")


def test_other_openings_are_another_match(tmp_path: Path) -> None:
    terms = Terms(left(), right(), openings="random:2")
    Results(terms, tmp_path)
    with pytest.raises(BadResults, match="openings 'random:2', not 'none'"):
        Results(replace(terms, openings="none"), tmp_path)
    # An earlier version did not note them.
    saved = terms.to_json()
    del saved["openings"]
    (tmp_path / "match.json").write_text(json.dumps(saved))
    Results(terms, tmp_path)
