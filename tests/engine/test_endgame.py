"""Dead, alive or in seki: known positions, finished games, and what tactics know for certain."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from engine.commands.bench_endings import Ending, endings
from engine.endgame import Status, judge, owner_map, sampled_owners
from engine.geometry import BLACK, EMPTY, OFF, STRIDE, WHITE, opponent
from engine.passing import score_if_passed
from engine.playout.policy import Runner, named_policy
from engine.position import Position
from engine.rng import new_rng
from engine.tactics.life import unconditional_life
from engine.vertex import parse_vertex, vertex_text
from knowledge.filters import NO_FILTERS, Filters
from tests.diagrams import Diagram, picture
from tests.gnugo import gnugo
from tests.playout.test_status import DRAWINGS, Case, cases
from tests.positions import game_moments, random_moments

GNUGO_GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


@cache
def runner(policy: str, size: int) -> Runner:
    return Runner(named_policy(policy, size), seed=1)


def judged(position: Position, policy: str = "rules", playouts: int = 200) -> Status:
    playing = runner(policy, position.size)
    playing.rng[:] = new_rng(1)  # the same map whatever was judged before
    return judge(position, sampled_owners(position, playing, playouts))


def fate(status: Status, p: int) -> str:
    return "dead" if p in status.dead else "seki" if p in status.seki else "alive"


# --- Known positions ----------------------------------------------------------------------


def is_right(case: Case, status: Status) -> bool:
    marked = case.diagram.all("#") + case.diagram.all("@")
    return {fate(status, p) for p in marked} == {case.status}


@cache
def distinct_cases() -> tuple[Case, ...]:
    """All drawings from all sides and in both colours; whose turn it is does not matter here."""
    return cases()[::2]


@pytest.mark.parametrize("policy", ["rules", "gamma", "mixed"])
def test_all_known_positions_are_judged_right(policy: str) -> None:
    assert len(distinct_cases()) >= 350
    wrong = {
        case.name
        for case in distinct_cases()
        if not is_right(case, judged(case.diagram.position, policy, 400))
    }
    assert not wrong


def test_few_playouts_do_almost_as_well() -> None:
    right = [
        is_right(case, judged(case.diagram.position, "mixed", 20)) for case in distinct_cases()
    ]
    assert sum(right) >= 0.97 * len(right)


BENT_FOUR = """
    . O . O X . X . X
    O O O O X X X X X
    O O O O X . X . X
    . O . O X X X X X
    O O O O X . X . X
    O O O O O O O X X
    # # O O O O O X .
    . # # # # O O X X
    @ @ @ . # O O X .
"""


def test_a_bent_four_is_dead_whatever_the_map_says() -> None:
    diagram = Diagram(BENT_FOUR)
    for owners in (as_it_stands(diagram.position), owner_map(diagram.position)):
        status = judge(diagram.position, owners)
        assert {fate(status, p) for p in diagram.all("#")} == {"dead"}
        assert {fate(status, p) for p in diagram.all("@")} == {"alive"}


def as_it_stands(position: Position) -> dict[int, float]:
    """A map that takes every stone for alive and every empty point for open."""
    worth = {BLACK: 1.0, WHITE: -1.0, EMPTY: 0.0}
    return {p: worth[position.color_at(p)] for p in position.points()}


def with_territory(diagram: Diagram) -> dict[int, float]:
    """The same, but what only one colour borders on is its own."""
    from engine.scoring import owners

    worth = {BLACK: 1.0, WHITE: -1.0, EMPTY: 0.0}
    return {p: worth[owner] for p, owner in owners(diagram.position).items()}


# Dead shapes with a nakade inside, closed off by stones with two eyes: no map saves them.
ONE_EYED = [
    "three in a row, middle taken",
    "bent three, middle taken",
    "pyramid four, middle taken",
    "bulky five, middle taken",
    "an eye of two",
    "square four",
]


@pytest.mark.parametrize("name", ONE_EYED)
def test_a_one_eyed_group_is_dead_whatever_the_map_says(name: str) -> None:
    diagram = Diagram(DRAWINGS[name][1])
    status = judge(diagram.position, with_territory(diagram))
    assert {fate(status, p) for p in diagram.all("#")} == {"dead"}


def test_a_group_that_whoever_moves_decides_about_is_doubtful() -> None:
    text = DRAWINGS["three in a row, middle taken"][1]
    diagram = Diagram(text.replace(". O . # O .", ". . . # O ."))
    status = judge(diagram.position, with_territory(diagram))
    assert set(diagram.all("#")) <= set(status.doubtful)
    status = judge(diagram.position, owner_map(diagram.position))
    assert set(diagram.all("#")) <= set(status.doubtful)


# --- Certain knowledge on any position ----------------------------------------------------


def random_map(position: Position, rng: random.Random) -> dict[int, float]:
    """A map of very few playouts that know little: stones mostly stay, all else is chance."""
    center = as_it_stands(position)
    return {p: max(-1.0, min(1.0, center[p] * 0.6 + rng.gauss(0, 0.5))) for p in center}


def positions() -> list[Position]:
    real = [moment.position for moment in game_moments(GNUGO_GAMES, 40, 25)]
    return [moment.position for moment in random_moments(5, 150)] + real


def test_any_map_gives_a_consistent_status() -> None:
    rng = random.Random(3)
    for position in positions():
        for owners in (random_map(position, rng), dict.fromkeys(position.points(), 0.0)):
            status = judge(position, owners)
            stones = position.stones(BLACK) + position.stones(WHITE)
            assert sorted(status.alive + status.dead + status.seki) == sorted(stones)
            assert set(status.doubtful) <= set(stones)
            for p in stones:
                assert {fate(status, q) for q in position.chain(p)[0]} == {fate(status, p)}
            assert set(status.owners) == set(position.points())
            assert set(status.owners.values()) <= {-1.0, 0.0, 1.0}


def test_unconditional_life_overrules_any_map() -> None:
    seen = 0
    for position in positions():
        for color, worth in ((BLACK, -1.0), (WHITE, 1.0)):
            alive, territory = unconditional_life(position, color)
            status = judge(position, dict.fromkeys(position.points(), worth))
            assert set(alive) <= set(status.alive)
            assert not set(alive) & set(status.doubtful)
            for p in territory:
                if position.color_at(p) == opponent(color):
                    assert p in status.dead
                seen += 1
            assert all(status.owners[p] == -worth for p in alive + territory)
    assert seen > 500


def test_colours_are_treated_alike() -> None:
    rng = random.Random(4)
    for position in positions():
        owners = random_map(position, rng)
        status = judge(position, owners)
        swapped = Position.from_stones(
            position.size, position.stones(WHITE), position.stones(BLACK)
        )
        mirror = judge(swapped, {p: -owner for p, owner in owners.items()})
        assert mirror[:3] == status[:3], picture(position)
        assert mirror.doubtful == status.doubtful
        assert all(mirror.owners[p] == -status.owners[p] for p in status.owners)


def test_dead_stones_are_not_among_living_friends_only() -> None:
    rng = random.Random(6)
    for position in positions():
        status = judge(position, random_map(position, rng))
        for p in status.dead:
            around = borders_of_region(position, p, set(status.dead))
            assert around != {position.color_at(p)}


def borders_of_region(position: Position, start: int, dead: set[int]) -> set[int]:
    """The colours of the living stones around the empty and dead points at a point."""
    seen, ahead, found = {start}, [start], set()
    while ahead:
        p = ahead.pop()
        for q in (p - STRIDE, p - 1, p + 1, p + STRIDE):
            color = position.color_at(q)
            if color in (BLACK, WHITE) and q not in dead:
                found.add(color)
            elif color != OFF and q not in seen:
                seen.add(q)
                ahead.append(q)
    return found


def test_an_empty_board_is_nobodys() -> None:
    status = judge(Position(5), dict.fromkeys(Position(5).points(), 0.3))
    assert status[:3] == ([], [], [])
    assert set(status.owners.values()) == {0.0}


# --- Finished games -----------------------------------------------------------------------


def shares(games: list[Ending], policy: str = "rules", playouts: int = 300) -> tuple[float, float]:
    """The shares of games whose recorded winner and score come out."""
    winners = scores = 0
    for game in games:
        status = judged(game.position, policy, playouts)
        score = score_if_passed(game, status, agreed=True)
        winners += score * game.score > 0
        scores += abs(score - game.score) < 0.01
    return winners / len(games), scores / len(games)


def test_gnu_gos_games_are_counted_as_it_did() -> None:
    games = list(endings(GNUGO_GAMES, NO_FILTERS))
    assert len(games) >= 30
    winners, scores = shares(games)
    # In one game stones in a large open corner are dead, but not for playouts.
    assert winners >= 0.95
    assert scores >= 0.95


def test_gnu_go_agrees_about_dead_stones() -> None:
    stones = wrong = 0
    for game in endings(GNUGO_GAMES, Filters(first=30)):
        commands = [f"boardsize {game.position.size}", "clear_board"]
        for color, name in ((BLACK, "black"), (WHITE, "white")):
            commands += [f"play {name} {vertex_text(p)}" for p in game.position.stones(color)]
        text = gnugo([*commands, "final_status_list dead"], "--chinese-rules")[-1]
        theirs = {parse_vertex(word, game.position.size) for word in text.split()}
        ours = set(judged(game.position).dead)
        stones += len(game.position.stones(BLACK)) + len(game.position.stones(WHITE))
        wrong += len(ours ^ theirs)
    assert stones > 1000
    assert wrong <= 0.01 * stones


@pytest.mark.parametrize(
    ("file", "least_winners", "least_scores"),
    [("dan9-valid.sgf.xz", 0.98, 0.92), ("kgs-valid.sgf.xz", 0.95, 0.85)],
)
def test_counted_games_of_people(
    file: str, least_winners: float, least_scores: float, shared_data: Path
) -> None:
    games = list(endings(shared_data / file, Filters(first=400)))
    assert len(games) >= 80
    winners, scores = shares(games)
    assert winners >= least_winners
    assert scores >= least_scores
