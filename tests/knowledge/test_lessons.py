"""What a reader finds in a game is what an extractor finds at each of its positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.board import u64
from engine.game import Game
from knowledge.features import Extractor, FeatureSet
from knowledge.games import Games
from knowledge.harvest import harvest
from knowledge.lessons import Reader
from knowledge.records import Filters, read_games
from knowledge.walk import game_arrays

RECORDS = Path(__file__).parents[1] / "data" / "gnugo.sgf"


@pytest.fixture(scope="module")
def games() -> Games:
    return read_games([RECORDS], Filters(size=9)).first(4)


@pytest.fixture(scope="module")
def features(games: Games) -> FeatureSet:
    return FeatureSet("best", harvest(games, 3, threads=1))


def test_a_reader_finds_what_an_extractor_does(games: Games, features: FeatureSet) -> None:
    reader, extractor = Reader(games, features), Extractor(features)
    for number in (2, 0, 3):  # nothing may be left of the game before
        reader.read(game_arrays(games), number, 1.0, u64(1))
        record = games.game(number)
        game = Game(record.size)
        assert reader.count == len(record.points)
        for i, (color, p) in enumerate(zip(record.colors, record.points, strict=True)):
            points, ids = extractor.extract(game, int(color))
            rows = reader.ids[reader.starts[i] : reader.starts[i + 1]]
            assert np.array_equal(rows, ids)
            assert points[int(reader.played[i])] == p
            game.play(int(color), int(p))


def test_positions_that_nothing_is_learned_from_have_no_rows(
    games: Games, features: FeatureSet
) -> None:
    learn = np.arange(len(games.learn)) % 3 == 0
    some = replace(games, learn=learn)
    reader = Reader(some, features)
    reader.read(game_arrays(some), 1, 1.0, u64(1))
    first = int(some.starts[1])
    has_rows = np.diff(reader.starts[: reader.count + 1]) > 0
    assert np.array_equal(has_rows, learn[first : first + reader.count])
