"""Openings, clocks, players' names and cores: what makes a match fair."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.game import Game
from engine.geometry import BLACK, WHITE, row_and_column
from engine.match import guard
from engine.match.cores import _try_claim, available_cores, claim_cores
from engine.match.openings import BadOpenings, parse_openings, play_opening
from engine.match.players import BadPlayer, find_program, parse_player
from engine.match.run import game_items
from engine.match.terms import Terms
from engine.match.timing import GRACE, ClockRule, MatchClock, parse_clock
from engine.rules import RULES
from match.fakes import left, right

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
CHINESE = RULES["chinese"]


@pytest.mark.parametrize("size", [5, 9, 10, 19])
def test_random_openings_favour_nobody(size: int) -> None:
    moves = 4 if size == 5 else 6
    openings = parse_openings(f"random:{moves}", size, CHINESE, 1)
    seen = set()
    for pair in range(20):
        opening = openings(pair)
        assert opening == openings(pair)
        game = Game(size)
        play_opening(game, opening)
        seen.add(opening)
        black = {row_and_column(p) for p in game.position.stones(BLACK)}
        white = {row_and_column(p) for p in game.position.stones(WHITE)}
        assert white == {(size - 1 - row, size - 1 - column) for row, column in black}
        assert len(game.moves) == moves
    assert len(seen) > (5 if size == 5 else 15)
    assert parse_openings(f"random:{moves}", size, CHINESE, 2)(0) != openings(0)


def test_openings_that_find_no_room_are_refused() -> None:
    for text, reason in (
        ("random:99", "openings of 99 moves find no room on 9x9"),
        ("random:60", "random:60: only 12 moves find room on 9x9"),
        ("random:²", "cannot read random:²"),
        (f"{GAMES}:999999999", "999999999 moves find no room"),
    ):
        with pytest.raises(BadOpenings, match=reason):
            parse_openings(text, 9, CHINESE, 1)
    # Some of the first stones leave no room for ten more: then others are tried.
    openings = parse_openings("random:12", 9, CHINESE, 1)
    assert {len(openings(pair)) for pair in range(20)} == {12}


def test_the_guards_openings_are_many() -> None:
    openings = parse_openings(guard.OPENINGS, 9, CHINESE, 1)
    assert len({openings(pair) for pair in range(500)}) > 100


def test_openings_have_a_name_by_what_they_are(tmp_path: Path) -> None:
    def name(text: str) -> str:
        return parse_openings(text, 9, CHINESE, 1).text

    assert name("none") == name("random:0") == "none"
    assert name("random") == name("random:04") == "random:4"
    copy = tmp_path / GAMES.name
    copy.write_bytes(GAMES.read_bytes())
    assert name(f"{copy}:3") == name(f"{GAMES}:3") != name(f"{GAMES}:4")
    copy.write_text("(;GM[1]SZ[9];B[ee];W[cc];B[gg];W[gc])")
    assert name(f"{copy}:3") != name(f"{GAMES}:3")


def test_openings_from_records() -> None:
    openings = parse_openings(f"{GAMES}:3", 9, CHINESE, 1)
    found = {openings(pair) for pair in range(50)}
    assert len(found) > 1
    assert {len(opening) for opening in found} == {3}
    with pytest.raises(BadOpenings, match="no game on 25x25"):
        parse_openings(f"{GAMES}:3", 25, CHINESE, 1)
    with pytest.raises(BadOpenings, match="cannot read"):
        parse_openings("nowhere.sgf", 9, CHINESE, 1)
    assert parse_openings("none", 9, CHINESE, 1)(0) == ()


def test_pairs_share_the_opening_and_swap_colours() -> None:
    openings = parse_openings("random:4", 9, CHINESE, 1)
    items = list(game_items(Terms(left(), right()), 4, openings))
    assert [item.first_is_black for item in items] == [True, False, True, False]
    assert items[0].opening == items[1].opening != items[2].opening
    stones = list(game_items(Terms(left(), right(), handicap=3), 3, openings))
    assert all(item.first_is_black for item in stones)


def test_clocks_are_read() -> None:
    assert parse_clock("5/move") == ClockRule(0, 5, 1)
    assert parse_clock("600") == ClockRule(600)
    assert parse_clock("60+30/25").gtp() == "time_settings 60 30 25"
    for text in ("", "5/", "-3", "0", "10+5/0", "10+0/5", "ten"):
        with pytest.raises(ValueError, match=r"no clock|no time"):
            parse_clock(text)


def test_a_clock_counts_periods() -> None:
    clock = MatchClock(ClockRule(10, 6, 2))
    assert clock.left(BLACK) == (10, 0)
    assert clock.charge(BLACK, 9)
    assert clock.charge(BLACK, 3)  # 1 s of main time, 2 of the period
    assert clock.left(BLACK) == (4, 1)
    assert clock.charge(BLACK, 4)
    assert clock.left(BLACK) == (6, 2)
    assert not clock.charge(BLACK, 6 + GRACE + 0.1)
    assert clock.left(WHITE) == (10, 0)
    assert not MatchClock(ClockRule(10)).charge(WHITE, 10 + GRACE + 0.1)
    assert MatchClock(None).charge(WHITE, 1e9)


def test_the_grace_is_given_once() -> None:
    absolute = MatchClock(ClockRule(10))
    assert absolute.charge(BLACK, 10 + 0.6 * GRACE)
    assert absolute.left(BLACK) == (0, 0)
    assert absolute.charge(BLACK, 0.3 * GRACE)
    assert not absolute.charge(BLACK, 0.3 * GRACE)
    periods = MatchClock(ClockRule(0, 5, 2))
    assert periods.charge(BLACK, 5 + 0.6 * GRACE)
    assert periods.left(BLACK) == (0, 1)
    assert not periods.charge(BLACK, 0.6 * GRACE)
    each_move = MatchClock(ClockRule(0, 5, 1))
    assert all(each_move.charge(BLACK, 5 + 0.6 * GRACE) for _ in range(3))


def test_players_by_their_short_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parse_player("flat:rules").is_flat
    ours = parse_player("miai:--komi 3", sims=50).command
    assert ours[0] == sys.executable
    assert ours[-5:] == ("gtp", "--komi", "3", "--sims", "50")
    assert parse_player("miai:--sims=7", sims=50).command[-2:] == ("gtp", "--sims=7")
    for quoted in ("'--komi 3 --sims 7'", '"--komi 3 --sims 7"', "--komi '3' --sims '7'"):
        words = parse_player(f"new=miai:{quoted}").command
        assert words[-5:] == ("gtp", "--komi", "3", "--sims", "7")
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))
    if find_program("gnugo"):  # where nobody else looks
        assert Path(parse_player("gnugo --mode gtp").command[0]).is_absolute()
    assert parse_player("miai:--weights='a b'").command[-1] == "--weights=a b"
    assert parse_player(f"'{sys.executable}' -V").command == (sys.executable, "-V")
    named = parse_player("old=miai:--komi 3", sims=50)
    assert (named.name, named.command) == ("old", ours)
    for text, reason in (
        ("flat:wise", "unknown player 'flat:wise'"),
        ("gnugo:strong", "level is a number"),
        ("no-such-program --gtp", "there is no program 'no-such-program'"),
        ("'open", "no command line"),
        (" ", "no name"),
    ):
        with pytest.raises(BadPlayer, match=reason):
            parse_player(text)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes can't be pinned here")
def test_a_core_is_claimed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cores = available_cores()
    claims = [claim_cores(1) for _ in cores]
    assert sorted(core for claim in claims for core in claim.cores or []) == cores
    assert _try_claim(1) is None
    program = "from engine.match.cores import _try_claim; print(_try_claim(1))"
    words = [
        sys.executable,
        "-c",
        f"import tempfile; tempfile.tempdir={str(tmp_path)!r}; {program}",
    ]
    home = Path(__file__).resolve().parents[2]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=home)
    assert done.stdout == "None\n"
    claims[0].release()
    again = _try_claim(1)
    assert again is not None
    assert again.cores == claims[0].cores
    again.release()
    for claim in claims:
        claim.release()
