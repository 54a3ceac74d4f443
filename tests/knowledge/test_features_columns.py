"""The groups that are no fixed lists: patterns, 3x3 shapes, and what playouts tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.geometry import BLACK, PASS, WHITE
from engine.position import Position
from knowledge.dictionary import Dictionary
from knowledge.features import PATTERN_GROUPS, Extractor, FeatureSet, History
from knowledge.groups import OWNER_PLAYOUTS
from knowledge.harvest import harvest
from knowledge.patterns import match_moves
from knowledge.records import read_games
from tests.diagrams import Diagram
from tests.knowledge.extracted import history_in, numbers, position_in
from tests.knowledge.scenes import random_scenes
from tests.naive.features import criticality_number, owner_number
from tests.naive.scene import Place, Scene

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


@pytest.fixture(scope="module")
def dictionary() -> Dictionary:
    return harvest(read_games(GAMES), 3)


# --- Patterns -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "groups",
    [PATTERN_GROUPS, *((name,) for name in PATTERN_GROUPS), ("response", "line", "liberty_shape")],
)
def test_pattern_columns_are_what_matching_finds(groups, dictionary) -> None:
    features = FeatureSet(groups, dictionary)
    extractor = Extractor(features)
    found = 0
    for scene in random_scenes(seed=41, count=15, sizes=(9, 19)):
        position, history = position_in(scene), history_in(scene)
        points, ids = extractor.extract_at(position, scene.color, history)
        last = history.moves[0] if history.moves else PASS
        matched = match_moves(position, scene.color, last, points[:-1].tolist(), dictionary.slots)
        assert not ids[-1].any()
        for column, name in enumerate(groups):
            if name in PATTERN_GROUPS:
                patterns = [
                    0 if i == 0 else 1 + features.pattern_of(int(i)) for i in ids[:-1, column]
                ]
                assert patterns == matched[:, PATTERN_GROUPS.index(name)].tolist()
                found += np.count_nonzero(patterns)
    assert found > 10


# --- 3x3 shapes -----------------------------------------------------------------------------


def _seen_from_mover(scene: Scene, place: Place) -> str:
    """The least of the eight ways to see the points around a place, in the mover's signs."""
    signs = {0: ".", scene.color: "X", 3 - scene.color: "O"}
    padded = np.pad(scene.grid, 1, constant_values=9)
    row, column = place
    # Row 0 is at the bottom, and a shape is read from the top.
    around = padded[row : row + 3, column : column + 3][::-1]
    grid = np.vectorize(lambda state: signs.get(int(state), "#"))(around)
    grid[1, 1] = "*"
    return _least(grid)


def _least(grid: np.ndarray) -> str:
    """The least text of a drawing's eight symmetries."""
    turns = [np.rot90(grid, k) for k in range(4)]
    return min(" ".join("".join(r) for r in g) for t in turns for g in (t, np.fliplr(t)))


def test_3x3_shapes_are_classes_of_what_the_mover_sees() -> None:
    features = FeatureSet(["shape3x3"])
    extractor = Extractor(features)
    known: dict[int, str] = {}
    for scene in random_scenes(seed=42, count=40, sizes=(5, 9, 13)):
        for place, values in numbers(extractor, scene).items():
            if place is not None:
                seen = _seen_from_mover(scene, place)
                assert known.setdefault(values["shape3x3"], seen) == seen
    assert len(set(known.values())) == len(known) > 100
    for value, seen in known.items():
        drawn = features.value_of(1 + value).split()
        grid = np.array([list(row) for row in drawn])
        turns = [np.rot90(grid, k) for k in range(4)]
        assert seen == min(
            " ".join("".join(r) for r in g) for t in turns for g in (t, np.fliplr(t))
        )


# --- Playouts -------------------------------------------------------------------------------


def test_owner_and_criticality_are_their_twins() -> None:
    rng = np.random.default_rng(43)
    features = FeatureSet(["owner", "criticality"])
    extractor = Extractor(features)
    for color in (BLACK, WHITE):
        for count in (1, 20, 63):
            position = Position(5)
            points = position.points()
            winners = rng.integers(0, 3, count)
            owners = np.where(
                rng.random((count, 25)) < 0.5, winners[:, None], rng.integers(0, 3, (count, 25))
            )
            record = extractor._facts[0]["owners"]
            record["playouts"] = count
            record["wins"] = [(winners == side).sum() for side in range(3)]
            for side in range(3):
                record["owned"][side][points] = (owners == side).sum(axis=0)
            record["by_winner"][points] = ((owners == winners[:, None]) & (owners > 0)).sum(axis=0)
            extractor.run(position.record, np.array([color], np.uint8), History().record())
            ids = extractor._out[: len(points)] - features.first_ids[:-1]
            for k in range(25):
                playouts = list(zip(winners.tolist(), owners[:, k].tolist(), strict=True))
                mine = int((owners[:, k] == color).sum())
                assert ids[k].tolist() == [owner_number(mine), criticality_number(playouts)]


def test_playouts_count_what_they_end_with() -> None:
    extractor = Extractor(FeatureSet(["owner", "criticality"]))
    position = Diagram(". X X X\nX X X X\nX X X X\nX X X .").position
    before = position.record.copy()
    for komi, wins in ((0.0, [0, 1, 0]), (16.0, [1, 0, 0]), (17.0, [0, 0, 1])):
        extractor.extract_at(position, WHITE, History(), komi)
        record = extractor._facts[0]["owners"]
        assert record["playouts"] == OWNER_PLAYOUTS
        assert record["wins"].tolist() == [OWNER_PLAYOUTS * n for n in wins]
        for p in position.points():
            assert record["owned"][:, p].tolist() == [0, OWNER_PLAYOUTS, 0]
            assert record["by_winner"][p] == OWNER_PLAYOUTS * wins[1]
    assert position.record == before


def test_playouts_are_random_but_repeatable() -> None:
    features = FeatureSet(["owner"])
    position = Position(9)
    first, again, other = (
        Extractor(features, seed).extract_at(position, BLACK, History())[1] for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()
    assert len(np.unique(first[:-1])) > 1
