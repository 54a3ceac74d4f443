"""The clock never loses on time, uses what it is given, and thinks most when it matters."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.clock import INSTANT, INTERRUPTION, Clock, TimeSettings
from engine.geometry import BLACK, WHITE
from tests.naive.arbiter import ROUNDINGS, Arbiter


class Watch:
    """A watch that a test sets."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def arbiter_for(settings: TimeSettings) -> Arbiter:
    return Arbiter(
        settings.system,
        settings.main,
        settings.period,
        settings.count,
        settings.increment,
        settings.cap,
    )


# How long a player thinks about a move. One that is hurried ends most searches early, because
# no other move can catch up any more; one that is uneven does so until a move is in doubt.
MANNERS = {
    "desired": lambda plan, rng: plan.desired,
    "longest": lambda plan, rng: plan.longest,
    "mixed": lambda plan, rng: plan.desired + rng.random() * (plan.longest - plan.desired),
    "hurried": lambda plan, rng: rng.uniform(0.1, 0.9) * plan.desired,
    "uneven": lambda plan, rng: plan.longest if rng.random() < 0.1 else 0.1 * plan.desired,
}


@dataclass
class Played:
    """A simulated game of one player: the arbiter at its end, and each move's thinking time."""

    arbiter: Arbiter
    thought: list[float]


def play(
    settings: TimeSettings,
    size: int,
    moves: int,
    lag: float = 0.3,
    reports: str = "exact",
    manner: str = "desired",
    seed: int = 0,
) -> Played:
    """Play `moves` moves (of both) under a strict arbiter, Black being watched.

    `reports` is a rounding or "silent" for a client that never sends time_left; `manner` is how
    the player thinks. Each move takes up to the interruption latency longer than was told to the
    player, and on top the arbiter charges up to the lag.
    """
    rng = random.Random(seed)
    watch = Watch()
    clock, arbiter = Clock(settings, watch), arbiter_for(settings)
    thought = []
    for played in range(0, moves, 2):
        if reports != "silent":
            clock.set_left(BLACK, *arbiter.says(reports))
        clock.start(BLACK)
        plan = clock.plan(BLACK, size, played, lag)
        assert 0 < plan.desired <= plan.longest
        think = MANNERS[manner](plan, rng)
        took = think + rng.random() * INTERRUPTION
        watch.time += took
        clock.stop(BLACK)
        arbiter.move(took + rng.random() * lag)
        assert not arbiter.lost, f"lost at move {played} after {think:.3f} s"
        watch.time += 5 * rng.random()
        thought.append(think)
    return Played(arbiter, thought)


# --- Never lost on time -------------------------------------------------------------------

SYSTEMS = {
    "sudden death": TimeSettings.absolute(300),
    "sudden death, long": TimeSettings.absolute(3600),
    "one second a move": TimeSettings.byoyomi(0, 1, 1),
    "main time, then a second a move": TimeSettings.byoyomi(60, 1, 1),
    "byo-yomi": TimeSettings.byoyomi(300, 10, 5),
    "Canadian, fast": TimeSettings.canadian(0, 10, 25),
    "Canadian": TimeSettings.canadian(120, 300, 25),
    "Canadian, one stone": TimeSettings.gtp(0, 2, 1),
    "Fischer": TimeSettings.fischer(60, 5),
    "Fischer, next to nothing": TimeSettings.fischer(300, 0.1),
    "Fischer, short": TimeSettings.fischer(1, 1),
    "Fischer, capped": TimeSettings.fischer(30, 10, 40),
}


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("reports", [*ROUNDINGS, "silent"])
@pytest.mark.parametrize("manner", MANNERS)
def test_no_system_is_lost_on_time(name: str, reports: str, manner: str) -> None:
    for size in (9, 13, 19):
        for moves in (40, 120, 350):
            play(SYSTEMS[name], size, moves, 0.3, reports, manner, seed=size * moves)


@pytest.mark.parametrize("reports", [*ROUNDINGS, "silent"])
def test_seconds_of_sudden_death_are_enough_for_a_move_here_and_there(reports: str) -> None:
    for main in (3, 5, 8):
        play(TimeSettings.absolute(main), 9, 60, 0.02, reports, "longest", seed=main)


@st.composite
def feasible(draw: st.DrawFn) -> tuple[TimeSettings, float, int]:
    """Settings, a lag and a number of moves under which nobody has to lose on time."""
    lag = draw(st.floats(0, 0.6))
    moves = draw(st.integers(40, 350))
    cost = lag + INTERRUPTION + INSTANT
    enough = 1.5 + 4 * cost * moves / 2
    main = draw(st.sampled_from([0.0, 1.0, 30.0]) | st.floats(0, 2000))
    system = draw(st.sampled_from(["absolute", "canadian", "byoyomi", "fischer"]))
    if system == "absolute":
        return TimeSettings.absolute(enough + main), lag, moves
    if system == "fischer":
        increment = draw(st.floats(0, 20))
        needed = 2 * cost + 1.5 if increment > cost else enough
        cap = draw(st.sampled_from([math.inf, 2 * needed, 3 * needed]))
        return TimeSettings.fischer(min(needed + main, cap), increment, cap), lag, moves
    spare = draw(st.floats(0, 30))
    if system == "byoyomi":
        return TimeSettings.byoyomi(main, cost + spare, draw(st.integers(1, 5))), lag, moves
    stones = draw(st.integers(1, 30))
    # Whole seconds that a client rounds may hide one.
    return TimeSettings.canadian(main, stones * cost + 1 + spare, stones), lag, moves


@example((TimeSettings.canadian(1.0, 4.24, 4), 0.0, 40), 5, "silent", "longest", 0)
@given(
    feasible(),
    st.sampled_from([5, 9, 13, 19, 25]),
    st.sampled_from([*ROUNDINGS, "silent"]),
    st.sampled_from(list(MANNERS)),
    st.integers(0, 999),
)
def test_whatever_can_be_held_is_held(
    case: tuple[TimeSettings, float, int], size: int, reports: str, manner: str, seed: int
) -> None:
    settings, lag, moves = case
    play(settings, size, moves, lag, reports, manner, seed)


# --- The time is used ---------------------------------------------------------------------

USED = {
    "sudden death": TimeSettings.absolute(300),
    "sudden death, long": TimeSettings.absolute(3600),
    "byo-yomi": TimeSettings.byoyomi(300, 10, 5),
    "a second a move": TimeSettings.byoyomi(300, 1, 1),
    "Canadian": TimeSettings.canadian(300, 300, 25),
    "Fischer, next to nothing": TimeSettings.fischer(300, 0.1),
}


@pytest.mark.parametrize("name", USED)
@pytest.mark.parametrize("reports", ["floor", "ceil", "silent"])
@pytest.mark.parametrize("size", [9, 13, 19])
def test_main_time_is_used(name: str, reports: str, size: int) -> None:
    settings = USED[name]
    for moves in (0.5, 0.7, 0.9):
        game = play(settings, size, int(moves * size * size), 0.3, reports)
        assert game.arbiter.main_used > 0.4 * settings.main


@pytest.mark.parametrize("reports", ["floor", "ceil", "silent"])
def test_a_minute_is_used_on_a_small_board(reports: str) -> None:
    for moves in (40, 50, 60):
        assert play(TimeSettings.absolute(60), 9, moves, 0.3, reports).arbiter.main_used > 24


@pytest.mark.parametrize("name", [*USED, "Fischer, capped"])
@pytest.mark.parametrize("reports", ["floor", "ceil", "silent"])
@pytest.mark.parametrize("size", [9, 13, 19])
def test_who_loses_a_short_game_has_used_its_time_though_searches_end_early(
    name: str, reports: str, size: int
) -> None:
    settings = {**SYSTEMS, **USED}[name]
    for length in (0.42, 0.5, 0.6, 0.75):
        moves = int(length * size * size)
        arbiter = play(settings, size, moves, 0.1, reports, "hurried", seed=moves).arbiter
        # With Fischer's clock, what the moves earned is main time too.
        assert arbiter.main_used > 0.4 * (arbiter.main_used + arbiter.main), length


def test_amends_are_made_for_time_that_moves_did_not_take() -> None:
    watch = Watch()
    clock = Clock(TimeSettings.absolute(1000), watch)
    usual = clock.plan(BLACK, 9, 20).desired
    for _ in range(30):
        clock.start(BLACK)
        watch.time += 0.5 * clock.plan(BLACK, 9, 20).desired
        clock.stop(BLACK)
        clock.set_left(BLACK, 1000.5, 0)
    assert clock.plan(BLACK, 9, 20).desired == pytest.approx(2 * usual, rel=0.05)
    assert clock.plan(WHITE, 9, 20).desired == pytest.approx(usual)
    clock.restart()
    assert clock.plan(BLACK, 9, 20).desired == usual


def test_amends_have_an_end() -> None:
    """Moves that need no thought at all say nothing about the one that does."""
    watch = Watch()
    clock = Clock(TimeSettings.absolute(1000), watch)
    usual = clock.plan(BLACK, 9, 20).desired
    for _ in range(100):
        clock.start(BLACK)
        clock.plan(BLACK, 9, 20)
        clock.stop(BLACK)
    assert clock.plan(BLACK, 9, 20).desired == pytest.approx(2 * usual)


def test_a_plan_that_was_only_looked_at_is_no_move() -> None:
    watch = Watch()
    clock = Clock(TimeSettings.absolute(1000), watch)
    usual = clock.plan(BLACK, 9, 20).desired
    for _ in range(30):
        clock.plan(BLACK, 9, 20)
        clock.start(BLACK)
        clock.stop(BLACK)  # a move without a plan, as the lower levels make it
    assert clock.plan(BLACK, 9, 20).desired == usual


@pytest.mark.parametrize("name", ["sudden death", "sudden death, long", "a second a move"])
@pytest.mark.parametrize("size", [9, 19])
def test_most_is_thought_in_the_middle(name: str, size: int) -> None:
    area = size * size
    thought = play(USED[name], size, area).thought
    longest = max(range(len(thought)), key=thought.__getitem__)
    assert 0.19 <= 2 * longest / area <= 0.41
    assert thought[0] < 0.8 * thought[longest]
    assert thought[-1] < 0.4 * thought[longest]


def test_a_fresh_period_is_used_almost_whole() -> None:
    clock = Clock(TimeSettings.byoyomi(0, 10, 3))
    plan = clock.plan(BLACK, 19, 100, lag=0.3)
    assert plan.longest == pytest.approx(10 - 0.3 - INTERRUPTION, abs=0.01)
    assert plan.desired > 8


def test_a_capped_clock_is_not_let_run_over() -> None:
    clock = Clock(TimeSettings.fischer(100, 10, 100))
    assert clock.plan(BLACK, 9, 0).desired > 9.5
    clock = Clock(TimeSettings.fischer(1000, 10, math.inf, 3))
    assert clock.plan(BLACK, 9, 0, lag=0.5).longest <= 2.5


# --- Odd corners --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        TimeSettings.byoyomi(0, 1, 1),
        TimeSettings.canadian(0, 10, 25),
        TimeSettings.fischer(0.5, 0.1),
        TimeSettings.absolute(1),
        TimeSettings.absolute(0),
        TimeSettings.byoyomi(2, 1, 1),
    ],
)
def test_more_lag_than_time_still_thinks_a_moment(settings: TimeSettings) -> None:
    plan = Clock(settings).plan(WHITE, 9, 10, lag=3.0)
    assert plan.desired == plan.longest == INSTANT


def test_without_a_limit_there_is_no_plan_to_keep() -> None:
    clock = Clock(TimeSettings.gtp(0, 10, 0))
    assert not clock.settings.limited
    assert clock.plan(BLACK, 19, 0) == (math.inf, math.inf)
    clock.set_left(BLACK, 0, 0)
    clock.start(BLACK)
    clock.stop(BLACK)
    assert clock.plan(BLACK, 19, 0) == (math.inf, math.inf)


def test_gtp_settings() -> None:
    assert TimeSettings.gtp(60, 10, 0) == TimeSettings.none()
    assert TimeSettings.gtp(60, 0, 0) == TimeSettings.absolute(60)
    assert TimeSettings.gtp(60, 0, 5) == TimeSettings.absolute(60)
    assert TimeSettings.gtp(60, 10, 5) == TimeSettings.canadian(60, 10, 5)
    assert TimeSettings.byoyomi(60, 10, 0) == TimeSettings.absolute(60)
    assert TimeSettings.fischer(60, 1, -1, -1) == TimeSettings.fischer(60, 1)


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf])
def test_bad_settings_are_refused_in_one_line(bad: float) -> None:
    for make in (
        lambda: TimeSettings.absolute(bad),
        lambda: TimeSettings.canadian(1, bad, 5),
        lambda: TimeSettings.byoyomi(bad, 1, 5),
        lambda: TimeSettings.fischer(1, bad),
        lambda: TimeSettings.gtp(bad, 5, 0),
        lambda: TimeSettings.canadian(1, 1, -1),
        lambda: TimeSettings.byoyomi(1, 1, -1),
        lambda: TimeSettings.fischer(1, 1, math.nan),
    ):
        with pytest.raises(ValueError, match="^[^\n]+$"):
            make()
    clock = Clock(TimeSettings.absolute(10))
    if not math.isfinite(bad):
        with pytest.raises(ValueError, match="not a number"):
            clock.set_left(BLACK, bad, 0)
        assert clock.left(BLACK) == (10, 0)


def test_whole_seconds_are_believed_as_far_as_they_can_be() -> None:
    watch = Watch()
    clock = Clock(TimeSettings.absolute(100), watch)
    clock.start(BLACK)
    watch.time += 10.4
    clock.stop(BLACK)
    clock.set_left(BLACK, 90, 0)  # rounded up: the own count is right
    assert clock.left(BLACK)[0] == pytest.approx(89.6)
    clock.set_left(BLACK, 89, 0)  # rounded down: less is safer
    assert clock.left(BLACK)[0] == pytest.approx(89.0)
    clock.set_left(BLACK, 50, 0)  # something happened that we don't know of
    assert clock.left(BLACK)[0] == pytest.approx(49.0)
    clock.set_left(BLACK, 70.25, 0)
    assert clock.left(BLACK)[0] == pytest.approx(70.25)
    clock.set_left(BLACK, -3, 0)
    assert clock.left(BLACK)[0] < 0
    assert clock.plan(BLACK, 9, 0).longest == INSTANT
    assert clock.left(WHITE) == (100, 0)


def test_the_end_of_main_time_begins_a_period() -> None:
    clock = Clock(TimeSettings.byoyomi(60, 10, 3))
    clock.set_left(BLACK, 0, 0)
    assert clock.left(BLACK) == (10, 3)
    clock.set_left(BLACK, 25, 3)  # periods named along with main time
    assert clock.left(BLACK)[1] == 0
    clock.set_left(BLACK, 10, 2)
    assert clock.left(BLACK) == (10, 2)
    clock.restart()
    assert clock.left(BLACK) == (60, 0)


def test_a_move_may_run_on_from_main_time_into_the_period() -> None:
    watch = Watch()
    clock = Clock(TimeSettings.byoyomi(60, 30, 3), watch)
    clock.set_left(BLACK, 2.5, 0)
    plan = clock.plan(BLACK, 19, 100)
    assert 25 < plan.desired < plan.longest <= 32.5
    clock.start(BLACK)
    watch.time += 20
    assert clock.left(BLACK) == (pytest.approx(12.5), 3)
    assert clock.plan(BLACK, 19, 100).longest == pytest.approx(12.5 - INTERRUPTION)
    clock.stop(BLACK)
    assert clock.left(BLACK) == (30, 3)
    clock.start(BLACK)
    watch.time += 65
    clock.stop(BLACK)
    assert clock.left(BLACK) == (30, 1)


def test_canadian_stones_are_counted() -> None:
    watch = Watch()
    clock = Clock(TimeSettings.canadian(0, 30, 3), watch)
    for left, stones in ((30, 3), (25, 2), (20, 1), (30, 3)):
        assert clock.left(WHITE) == (pytest.approx(left), stones)
        clock.start(WHITE)
        watch.time += 5
        clock.stop(WHITE)
    clock.stop(WHITE)  # twice changes nothing
    assert clock.left(WHITE) == (pytest.approx(25), 2)


def test_a_message_in_the_middle_of_a_move_counts_from_there() -> None:
    watch = Watch()
    clock = Clock(TimeSettings.absolute(100), watch)
    clock.start(BLACK)
    watch.time += 30
    clock.set_left(BLACK, 69.5, 0)
    watch.time += 5
    assert clock.left(BLACK)[0] == pytest.approx(64.5)
