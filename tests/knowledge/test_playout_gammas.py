"""Learning the playout gammas: the features are the twin's, and MM finds what made the data."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.geometry import BLACK, PASS, WHITE, point, row_and_column
from engine.playout.policy import Gammas
from engine.position import Position
from knowledge.games import Games
from knowledge.playout_gammas import (
    NAMES,
    Competitions,
    _exponents,
    competitions,
    evaluate,
    fit,
    shape_classes,
)
from knowledge.records import Filters, read_games
from tests.naive import gamma as naive
from tests.naive.board import is_eye
from tests.positions import grid_of

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


def small_games(count: int) -> Games:
    games = read_games(GAMES, Filters(even=True))
    return games.select(games.sizes <= 9).first(count)


def test_the_learner_sees_the_features_of_the_twin() -> None:
    records = small_games(7)
    data = competitions(records)
    row = j = 0
    for record in records:
        position, last = Position(record.size), None
        for color, p in zip(record.colors.tolist(), record.points.tolist(), strict=True):
            grid = grid_of(position)
            if p != PASS and not is_eye(grid, *row_and_column(p), color):
                assert data.start[j] == row
                places = {
                    place: sorted(naive.features(grid, place, color, last))
                    for place in map(row_and_column, position.legal_points(color))
                    if not is_eye(grid, *place, color)
                }
                count = data.start[j + 1] - row
                exponents = _exponents(data.products)[data.product[row : row + count]]
                ours = sorted(
                    sorted(NAMES[k] for k in range(len(NAMES)) for _ in range(e[k]))
                    for e in exponents
                )
                assert ours == sorted(places.values())
                won = _exponents(data.products)[data.product[data.winner[j]]]
                names = sorted(NAMES[k] for k in range(len(NAMES)) for _ in range(won[k]))
                assert names == places[row_and_column(p)]
                row, j = row + count, j + 1
            position.play(color, p)
            last = row_and_column(p) if p != PASS else None
    assert j == len(data.winner) > 100


def test_the_winner_of_each_competition_is_the_move_played() -> None:
    games = Games.from_moves(5, [[(BLACK, point(2, 2)), (WHITE, point(0, 0))]])
    data = competitions(games)
    assert data.start.tolist() == [0, 25, 49]
    learned = competitions(games.learning(games.colors == BLACK))
    assert learned.start.tolist() == [0, 25]


def test_shape_classes_know_no_direction_and_no_colour() -> None:
    classes, count = shape_classes()
    corner, edge = 0b01, 0b01 << 2
    turned = [0b01 << 4, 0b01 << 10, 0b01 << 14]
    assert all(classes[0, code] == classes[0, corner] for code in turned)
    assert classes[0, corner] != classes[0, edge]
    assert classes[1, 0b10] == classes[0, 0b01]
    assert classes.max() == count - 1 < 65536 // 4


def test_mm_finds_the_gammas_that_made_the_data() -> None:
    rng = np.random.default_rng(1)
    products = np.array([1.0, 2.0, 3.0, 6.0])
    true_factor = np.array([1.0, 8.0, 3.0, 24.0])  # capture 8, extension 3
    n, k = 20_000, 12
    product = rng.integers(0, 4, size=(n, k))
    strength = true_factor[product]
    chance = strength / strength.sum(axis=1, keepdims=True)
    winner = (chance.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)
    data = Competitions(
        np.zeros(n * k, np.uint16),
        product.reshape(-1).astype(np.uint16),
        np.arange(0, n * k + 1, k),
        np.arange(n) * k + winner,
        products,
    )
    gammas, evidence = fit(data, rounds=80, report=lambda line: None)
    assert abs(gammas.factors["capture"] / 8 - 1) < 0.06
    assert abs(gammas.factors["extension"] / 3 - 1) < 0.06
    assert gammas.factors["diagonal"] == 1.0
    again, top1 = evaluate(data, gammas)
    assert abs(again - evidence) < 1e-9
    assert evidence > evaluate(data, Gammas.flat())[0] + 0.3
    assert 0.1 < top1 < 0.9


def test_more_rounds_never_lower_the_evidence() -> None:
    data = competitions(small_games(8))
    lines: list[str] = []
    fit(data, rounds=6, report=lines.append)
    values = [float(line.split()[-1]) for line in lines]
    assert values == sorted(values)
    assert values[-1] > values[0] + 1
