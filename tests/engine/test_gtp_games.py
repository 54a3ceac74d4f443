"""Whole games through GTP with the real player: GNU Go as opponent and second opinion, clocks
with a strict arbiter, handicap."""

from __future__ import annotations

import re
import time

import pytest

from engine.handicap import fixed_points
from engine.sgf import load_game
from engine.vertex import vertex_text
from gnugo import GnuGo, gnugo
from gtp_client import REAL_ENGINE, Client
from naive.arbiter import Arbiter
from programs import HOME

FINISHED = (HOME / "tests" / "data" / "gnugo.sgf").read_bytes().splitlines()


def real(*options):
    return Client("--threads", "1", "--seed", "5", *options, engine=REAL_ENGINE)


def stones_shown(board):
    rows = "".join(line for line in board.splitlines() if re.match(r"[ 1-9]\d[ (]", line))
    return [rows.count("X"), rows.count("O")]


# --- GNU Go ------------------------------------------------------------------------------------


def play_gnugo(size, sims):
    """A game against GNU Go, each seeing every move: scores and stones of both at the end."""
    with (
        real("--size", str(size), "--sims", str(sims), "--resign", "0") as ours,
        GnuGo(
            "--chinese-rules", "--never-resign", "--level", "1", "--boardsize", str(size)
        ) as theirs,
    ):
        theirs.ask("komi 7.5")
        passes, number = 0, 0
        while passes < 2 and number < 3 * size * size:
            color, mover, other = ("b", ours, theirs) if number % 2 == 0 else ("w", theirs, ours)
            move = mover.ask(f"genmove {color}")
            other.ask(f"play {color} {move}")
            passes = passes + 1 if move.lower() == "pass" else 0
            number += 1
        assert passes == 2
        stones = [len(theirs.ask(f"list_stones {color}").split()) for color in ("black", "white")]
        assert stones_shown(ours.ask("showboard")) == stones
        captured = [theirs.ask(f"captures {color}") for color in ("black", "white")]
        assert "black (X) has taken {}, white (O) {}".format(*captured) in ours.ask("showboard")
        return ours.ask("final_score"), theirs.ask("final_score")


def test_a_small_game_against_gnu_go():
    ours, theirs = play_gnugo(5, 30)
    assert float(ours[2:]) == float(theirs[2:])


@pytest.mark.slow
@pytest.mark.parametrize(("size", "sims"), [(9, 400), (13, 300), (19, 200)])
def test_games_against_gnu_go(size, sims):
    ours, theirs = play_gnugo(size, sims)
    assert (ours[0], float(ours[2:])) == (theirs[0], float(theirs[2:]))


@pytest.mark.slow
def test_gnu_go_counts_finished_games_as_we_do(tmp_path):
    """Chinese rules, dead stones on the board: at least nine games of ten must agree."""
    games = [record for record in FINISHED if re.search(rb"SZ\[(9|13|19)\]", record)]
    agreed = 0
    with real("--sims", "400") as client:
        for i, record in enumerate(games):
            path = tmp_path / f"{i}.sgf"
            path.write_bytes(record)
            client.ask(f"loadsgf {path}")
            client.ask("kgs-rules chinese")
            ours = client.ask("final_score")
            commands = [f"loadsgf {path}", "final_score"]
            theirs = gnugo(commands, "--chinese-rules", "--level", "1")[1]
            # GNU Go gives no points back for handicap stones.
            handicap = load_game(record).handicap
            score = float(theirs[2:]) * (1 if theirs[0] == "B" else -1) - handicap
            agreed += abs(score - float(ours[2:]) * (1 if ours[0] == "B" else -1)) < 0.01
    print(f"{agreed} of {len(games)} games counted alike")
    assert len(games) >= 30
    assert agreed >= 0.9 * len(games)


# --- Clocks ------------------------------------------------------------------------------------

SYSTEMS = {
    "byoyomi": ("kgs-time_settings byoyomi 5 1 3", dict(main=5.0, period=1.0, count=3)),
    "canadian": ("time_settings 5 10 25", dict(main=5.0, period=10.0, count=25)),
    "absolute": ("kgs-time_settings absolute 30", dict(main=30.0)),
    "fischer": (
        "kata-time_settings fischer-capped 15 1 30 -1",
        dict(main=15.0, increment=1.0, cap=30.0),
    ),
}


def play_by_the_clock(system, tells_time):
    """A game against itself; each side's arbiter counts by a clock of its own. The arbiters, who
    resigned, and the number of moves."""
    line, facts = SYSTEMS[system]
    arbiters = {color: Arbiter(system, **facts) for color in "bw"}
    with real("--size", "9", "--lag", "0.1") as client:
        client.ask("showboard")
        client.ask(line)
        passes, number, resigned = 0, 0, ""
        while passes < 2 and number < 200 and not resigned:
            color = "bw"[number % 2]
            arbiter = arbiters[color]
            if tells_time:
                seconds, stones = arbiter.says("floor")
                client.ask(f"time_left {color} {seconds:g} {stones}")
            start = time.monotonic()
            move = client.ask(f"genmove {color}")
            arbiter.move(time.monotonic() - start)
            assert not arbiter.lost, (system, number)
            resigned = color if move == "resign" else ""
            passes = passes + 1 if move == "pass" else 0
            number += not resigned
    return arbiters, resigned, number


@pytest.mark.slow
@pytest.mark.parametrize("tells_time", [True, False])
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_game_is_lost_on_time_and_the_time_is_used(system, tells_time):
    """The time is for who may still lose: when a game ends by resignation, that is the loser, for
    the winner's moves have been decided at once for long. A game that is counted was balanced."""
    arbiters, resigned, number = play_by_the_clock(system, tells_time)
    # With Fischer's clock, what the moves earned is main time too.
    used = {c: a.main_used / (a.main_used + a.main) for c, a in arbiters.items()}
    end = f"{resigned} resigned" if resigned else "counted"
    print(f"{system}: {number} moves, {end}, {used['b']:.0%} and {used['w']:.0%} of the main time")
    assert min(used[color] for color in resigned or "bw") > 0.4


# --- Handicap ----------------------------------------------------------------------------------


def set_up_handicap(client, how, size, n):
    client.ask(f"boardsize {size}")
    client.ask("clear_board")
    points = " ".join(vertex_text(p) for p in fixed_points(size, n))
    if how == "set_free_handicap":
        client.ask(f"set_free_handicap {points}")
    elif how == "play":
        for vertex in points.split():
            client.ask(f"play b {vertex}")
    else:
        assert len(client.ask(f"{how} {n}").split()) == n


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", ["fixed_handicap", "place_free_handicap", "set_free_handicap", "play"]
)
@pytest.mark.parametrize("size", [9, 19])
def test_nobody_resigns_early_in_a_handicap_game(how, size):
    with real("--sims", "30") as client:
        for n in range(2, 10):
            set_up_handicap(client, how, size, n)
            for i in range(50):
                move = client.ask(f"genmove {'wb'[i % 2]}")
                assert move != "resign", (size, n, i)
                if move == "pass":
                    break
