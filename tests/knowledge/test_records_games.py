"""`Games`: choosing, joining and viewing keep every game with its own moves and facts."""

from __future__ import annotations

import numpy as np
import pytest

from engine.geometry import BLACK, WHITE, point
from knowledge.games import Games, Record


def made(count: int, first: int = 0) -> Games:
    """Games of 0, 1, 2, 0, 1, 2... moves; all facts tell the game's number."""
    numbers = range(first, first + count)
    games = [[(BLACK + k % 2, point(i % 9, k)) for k in range(i % 3)] for i in numbers]
    setups = [[(WHITE, point(8, 8))] * (i % 2) for i in numbers]
    return Games.from_moves(
        9,
        games,
        setups,
        komi=[i / 2 for i in numbers],
        handicap=[i % 5 for i in numbers],
        winner=[i % 3 for i in numbers],
        rank_black=[i % 7 for i in numbers],
        rank_white=[-(i % 7) for i in numbers],
        date=[20_000_000 + i for i in numbers],
        names=[(f"b{i}", f"w{i}") for i in numbers],
        results=[f"B+{i}" for i in numbers],
        rules=[f"rules {i}" for i in numbers],
        source=[f"#{i}" for i in numbers],
    )


def same(one: Record, other: Record) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_a_game_holds_what_was_put_in() -> None:
    record = made(6).game(5)
    assert record.points.tolist() == [point(5, 0), point(5, 1)]
    assert record.colors.tolist() == [BLACK, WHITE]
    assert record.setup == ([], [point(8, 8)])
    assert record.learn.all()
    assert (record.size, record.komi, record.handicap, record.winner) == (9, 2.5, 0, 2)
    assert (record.ranks, record.date) == ((5, -5), 20_000_005)
    assert (record.names, record.result) == (("b5", "w5"), "B+5")
    assert (record.rules, record.source) == ("rules 5", "#5")


def test_the_columns_have_their_types() -> None:
    games = made(4)
    expected = {
        "sizes": "uint8", "komi": "float32", "starts": "int64", "colors": "uint8",
        "points": "uint16", "learn": "bool", "setup_starts": "int64", "setup_colors": "uint8",
        "setup_points": "uint16", "handicap": "uint8", "winner": "uint8", "rank_black": "int8",
        "rank_white": "int8", "date": "int32", "year": "int16",
    }  # fmt: skip
    for name, dtype in expected.items():
        assert getattr(games, name).dtype == dtype, name
        assert getattr(games.select([2, 0]), name).dtype == dtype, name
        assert getattr(Games.joined([games, games]), name).dtype == dtype, name
    assert games.year.tolist() == [2000] * 4


@pytest.mark.parametrize("chosen", [[], [3], [2, 3, 4], [7, 0, 4, 4], [-1], list(range(10))])
def test_select_takes_games_in_the_order_asked_for(chosen: list[int]) -> None:
    games = made(10)
    picked = games.select(chosen)
    assert len(picked) == len(chosen)
    assert all(same(one, games.game(i % 10)) for one, i in zip(picked, chosen, strict=True))
    assert picked.n_moves == sum(len(games.game(i % 10).points) for i in chosen)


def test_select_takes_a_mask() -> None:
    games = made(7)
    mask = games.komi > 1.2
    assert games.select(mask).source == ["#3", "#4", "#5", "#6"]
    assert games.select(np.zeros(7, np.bool_)).source == []
    with pytest.raises(ValueError, match="a mask of 3 for 7 games"):
        games.select([True, False, True])


def test_select_keeps_the_marks_of_moves() -> None:
    games = made(9)
    marked = games.learning(games.colors == WHITE).select([8, 4])
    assert marked.learn.tolist() == [False, True, False]


def test_first_and_sample() -> None:
    games = made(20)
    assert games.first(3).source == ["#0", "#1", "#2"]
    assert games.first(50).source == games.source
    sample = games.sample(5, seed=3)
    assert len(sample) == len(set(sample.source)) == 5
    assert sample.source == sorted(sample.source, key=lambda name: int(name[1:]))
    assert sample.source == games.sample(5, seed=3).source
    assert sample.source != games.sample(5, seed=4).source
    assert games.sample(50, seed=3).source == games.source


def test_joined_games_stand_one_after_another() -> None:
    whole, parts = made(9), [made(4), made(0), made(5, first=4)]
    joined = Games.joined(parts)
    assert len(joined) == 9
    assert all(same(one, other) for one, other in zip(joined, whole, strict=True))
    assert len(Games.joined([])) == 0


def test_owner_tells_whose_move_it_is() -> None:
    assert made(6).owner.tolist() == [1, 2, 2, 4, 5, 5]
