"""What every playout policy keeps: the rules, the stopping rules, the seed, an honest count."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

import numpy as np
import pytest

from engine.geometry import BLACK, EMPTY, PASS, WHITE, point
from engine.playout import POLICIES
from engine.playout.light import light_candidates, light_playouts
from engine.playout.policy import Gammas, Outcome, Policy, Runner, default_chances, named_policy
from engine.playout.run import MOVES_PER_POINT
from engine.position import Position
from engine.rng import new_rng
from engine.scoring import area_score
from tests.diagrams import Diagram, picture
from tests.positions import random_moments


def runner(name: str, size: int = 9, seed: int = 1) -> Runner:
    return Runner(named_policy(name, size), seed)


def replayed(position: Position, outcome: Outcome) -> Position:
    """Play a playout's moves on a copy; every one must be legal and fill no own eye."""
    result = position.copy()
    for color, p in outcome.moves:
        if p != PASS:
            assert not result.is_eye(color, p), picture(result)
        result.play(color, p)
    return result


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("size", [2, 3, 5, 9, 19, 25])
def test_playouts_are_legal_and_counted_right(name: str, size: int) -> None:
    player = runner(name, size)
    start = Position(size)
    for _ in range(8):
        outcome = player.play(start, BLACK)
        end = replayed(start, outcome)
        assert [color for color, _ in outcome.moves] == [
            BLACK if i % 2 == 0 else WHITE for i in range(len(outcome.moves))
        ]
        assert outcome.area == sum(outcome.owners.values())
        for p, owner in outcome.owners.items():
            if end.color_at(p) != EMPTY:
                assert owner == (1 if end.color_at(p) == BLACK else -1)
        if [p for _, p in outcome.moves[-2:]] == [PASS, PASS] and name == "light":
            assert outcome.area == area_score(end)
        assert len(outcome.moves) <= MOVES_PER_POINT * size * size
    assert start.empty_points() == Position(size).empty_points()


@pytest.mark.parametrize("name", POLICIES)
def test_playouts_from_the_middle_are_legal(name: str) -> None:
    player = runner(name)
    for moment in random_moments(seed=8, count=60, sizes=(5, 7, 9, 13)):
        outcome = player.play(moment.position, moment.color, moment.last, moment.before)
        replayed(moment.position, outcome)
        assert outcome.moves[0][0] == moment.color


@pytest.mark.parametrize("name", POLICIES)
def test_the_same_seed_plays_the_same_on_any_thread(name: str) -> None:
    position = Position(9)
    expected = runner(name, seed=7).play(position, BLACK)
    found: list[Outcome] = []
    threads = [
        threading.Thread(target=lambda: found.append(runner(name, seed=7).play(position, BLACK)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3
    assert runner(name, seed=8).play(position, BLACK) != expected


@pytest.mark.parametrize("name", POLICIES)
def test_a_move_limit_ends_a_playout(name: str) -> None:
    player = Runner(replace(named_policy(name, 9), limit=7), seed=1)
    assert len(player.play(Position(9), BLACK).moves) == 7


def test_light_draws_are_uniform() -> None:
    player = runner("light")
    for moment in random_moments(seed=2, count=25, sizes=(5, 7, 9)):
        candidates = light_candidates(moment.position, moment.color)
        counts = player.draws(moment.position, moment.color, 50_000)
        assert sorted(counts) == (candidates or [PASS])
        expected = 50_000 / max(len(candidates), 1)
        statistic = sum((n - expected) ** 2 / expected for n in counts.values())
        freedom = max(len(candidates) - 1, 1)
        assert (statistic - freedom) / math.sqrt(2 * freedom) < 5


def test_light_benchmark_plays_the_same_games_as_the_policy() -> None:
    moves = light_playouts(Position(9), BLACK, new_rng(3), 400) / 400
    assert moves == pytest.approx(111, abs=2)
    assert runner("light").moves_played(Position(9), BLACK, 400) / 400 == pytest.approx(111, abs=2)


def test_mercy_ends_a_decided_playout() -> None:
    long = Runner(Policy("light"), seed=1)
    short = Runner(Policy("light", mercy=20), seed=1)
    position = Position(9)
    assert short.moves_played(position, BLACK, 50) < long.moves_played(position, BLACK, 50)
    outcome = short.play(position, BLACK)
    end = replayed(position, outcome)
    lead = len(end.stones(BLACK)) - len(end.stones(WHITE))
    assert abs(lead) > 20 or [p for _, p in outcome.moves[-2:]] == [PASS, PASS]


def always(**chances: float) -> Runner:
    """The rules policy with given chances, all others never."""
    return Runner(Policy("rules", chances={**dict.fromkeys(default_chances(), 0.0), **chances}), 3)


def test_rules_extend_out_of_atari() -> None:
    caught = Diagram(
        """
        . . . . . . .
        . . . . . . .
        . . X . . . .
        . X O # . . .
        . . a . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    draws = always(atari=1.0).draws(caught.position, WHITE, 500, last=caught["#"])
    assert draws == {caught["a"]: 500}


def test_rules_capture_the_last_move_in_atari() -> None:
    diagram = Diagram(
        """
        . . . . .
        . X . . .
        X @ a . .
        . X . . .
        . . . . .
        """
    )
    draws = always(atari=1.0).draws(diagram.position, BLACK, 300, last=diagram["@"])
    assert draws == {diagram["a"]: 300}


def test_rules_play_the_vital_point() -> None:
    diagram = Diagram(
        """
        . a . O X . .
        O O O @ X . .
        X X X X X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    draws = always(nakade=1.0).draws(diagram.position, BLACK, 300, last=diagram["@"])
    assert len(draws) > 1
    touching = Diagram(
        """
        . a . @ X . .
        O O O O X . .
        X X X X X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    draws = always(nakade=1.0).draws(touching.position, BLACK, 300, last=touching["@"])
    assert draws == {touching["a"]: 300}


def test_rules_play_a_shape_next_to_the_last_move() -> None:
    diagram = Diagram(
        """
        . . . . . . .
        . . . . . . .
        . . X @ X . .
        . . . a . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    draws = always(shape=1.0).draws(diagram.position, BLACK, 300, last=diagram["@"])
    assert diagram["a"] in draws
    assert all(abs(p - diagram["@"]) in (1, 25, 26, 27) for p in draws)


@pytest.mark.parametrize("name", ["rules", "gamma", "mixed"])
def test_a_bad_self_atari_is_rare(name: str) -> None:
    diagram = Diagram(
        """
        . X . . . . .
        X O X . . . .
        X O X . . . .
        . a X . . . .
        . X . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    draws = runner(name).draws(diagram.position, WHITE, 4000)
    plain = runner("light").draws(diagram.position, WHITE, 4000)
    assert draws.get(diagram["a"], 0) < plain[diagram["a"]] / 2


def test_owner_maps_and_winrates_agree_with_the_playouts() -> None:
    diagram = Diagram(
        """
        . X . X O .
        X X X X O .
        X X X O O .
        O O O O O O
        . O . O . O
        O O O O O O
        """
    )
    share, owners = runner("light").sample(diagram.position, WHITE, 200, komi=0.5)
    assert share == 0.0
    assert owners[diagram.stones(BLACK)[0]] == 1.0
    assert owners[diagram.stones(WHITE)[0]] == -1.0
    moves = light_candidates(Position(5), WHITE)
    rates = runner("light").winrates(Position(5), WHITE, moves, 400)
    assert rates[moves.index(Position(5).points()[12])] > rates[0] + 0.05
    assert (rates >= 0).all()
    assert (rates <= 1).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (dict(name="clever"), "unknown playout policy 'clever'"),
        (dict(chances={"luck": 0.5}), "unknown chance: luck"),
        (dict(limit=-1), "0 or more"),
        (dict(chances={"atari": 1.5}), "a chance is from 0 to 1"),
        (dict(gammas=Gammas(np.ones(65536), {"wisdom": 2.0})), "unknown gamma: wisdom"),
    ],
)
def test_bad_settings_are_refused(arguments: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Policy(**arguments)


# White has filled the outer liberties but two: Black, who has an eye, wins the race for the corner
# by a move inside White's eye space.
RACE = Diagram(
    """
    . . X O X . O . X
    . . . O . . . . O
    . O . . . . O . O
    X O . . . . . O O
    . X O O O O . . O
    X X X X X O . . O
    O O X . X X O . O
    . O X O X O O . .
    . O O X X X O . O
    """
)


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_race_that_needs_a_move_inside_is_not_given_up(color: int) -> None:
    """Strong players' records have no such moves, because they need not be played out."""
    corner = point(1, 1)
    owners = [
        Runner(named_policy("mixed", 19, floor), 1).sample(RACE.position, color, 1000)[1][corner]
        for floor in (0.0, 1.0)
    ]
    assert owners[1] > owners[0] + 0.2
    assert owners[1] > 0.2


def test_a_floor_raises_the_weak_shapes_and_no_others() -> None:
    learned = Gammas.shipped(19)
    raised = learned.raised(0.5)
    assert (raised.shapes >= 0.5).all()
    strong = learned.shapes >= 0.5
    assert strong.any()
    assert not strong.all()
    assert (raised.shapes[strong] == learned.shapes[strong]).all()
    assert raised.factors["self_atari"] == 1.0
    assert learned.raised(0.0) is learned
