"""The extracted features: equal to the slow twins, the same in every turn, mirror and colour."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
import pytest

from engine.game import Game
from engine.geometry import BLACK, PASS, point
from knowledge.features import Extractor, FeatureSet, named_features
from knowledge.groups import BY_NAME, GROUPS, NEED_PLAYOUTS, SETS
from tests.knowledge.extracted import history_in, numbers, position_in
from tests.knowledge.feature_diagrams import CASES, Case
from tests.knowledge.scenes import (
    game_scenes,
    random_scenes,
    read_by_engine,
    swapped,
    turned,
    turned_scene,
)
from tests.knowledge.test_feature_levels import check_case
from tests.naive.features import NAIVE_GROUPS, naive_features
from tests.naive.scene import Scene


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor(FeatureSet(NAIVE_GROUPS))


# --- The twins ------------------------------------------------------------------------------


def check_twins(extractor: Extractor, scenes: Iterable[Scene]) -> int:
    """Compare all groups of all legal moves; returns how many scenes there were."""
    count = 0
    for scene in scenes:
        count += 1
        found, expected = numbers(extractor, scene), naive_features(scene, read_by_engine)
        assert list(found)[-1] is None
        assert found.keys() == expected.keys()
        for place, values in expected.items():
            assert found[place] == values, (scene, place)
    return count


def test_twins_in_random_games(extractor) -> None:
    sizes = (2, 3, 4, 5, 6, 7, 9, 13, 19, 25)
    assert check_twins(extractor, random_scenes(seed=31, count=60, sizes=sizes)) == 60


def test_twins_in_real_games(extractor, shared_data) -> None:
    for file, every in (("dan9-valid", 9), ("pro13", 25), ("kgs-valid", 30)):
        scenes = game_scenes(shared_data / f"{file}.sgf.xz", games=2, every=every)
        assert check_twins(extractor, scenes) >= 8


@pytest.mark.slow
def test_twins_in_2000_scenes_of_random_games(extractor) -> None:
    for size in (9, 13, 19):
        scenes = random_scenes(seed=size, count=700, sizes=(size,))
        assert check_twins(extractor, scenes) == 700


@pytest.mark.slow
def test_twins_in_2000_scenes_of_real_games(extractor, shared_data) -> None:
    sources = (("dan9-valid", 110, 6), ("pro13", 25, 6), ("kgs-valid", 80, 15))
    counts = [
        check_twins(extractor, game_scenes(shared_data / f"{file}.sgf.xz", games, every))
        for file, games, every in sources
    ]
    assert sum(counts) >= 2000
    assert min(counts) >= 400


@pytest.mark.parametrize("name", CASES)
def test_diagrams(name: str) -> None:
    def face(case: Case) -> dict[int, dict[str, str]]:
        return named_features(case.game(), FeatureSet(NAIVE_GROUPS))

    check_case(CASES[name], face)


# --- Symmetry -------------------------------------------------------------------------------


def check_symmetry(extractor: Extractor, scenes: Iterable[Scene]) -> None:
    for scene in scenes:
        plain = numbers(extractor, scene)
        assert numbers(extractor, swapped(scene)) == plain
        for turn in range(1, 8):
            expected = {
                None if place is None else turned(place, scene.size, turn): values
                for place, values in plain.items()
            }
            assert numbers(extractor, turned_scene(scene, turn)) == expected


SYMMETRIC = (*NAIVE_GROUPS, "shape3x3")


def test_turns_mirrors_and_colours_change_nothing(shared_data) -> None:
    extractor = Extractor(FeatureSet(SYMMETRIC))
    check_symmetry(extractor, random_scenes(seed=32, count=30, sizes=(4, 9, 13, 19, 25)))
    scenes = game_scenes(shared_data / "kgs-valid.sgf.xz", games=3, every=40)
    check_symmetry(extractor, scenes)


@pytest.mark.slow
def test_turns_mirrors_and_colours_change_nothing_in_many_scenes(shared_data) -> None:
    extractor = Extractor(FeatureSet(SYMMETRIC))
    check_symmetry(extractor, random_scenes(seed=33, count=600, sizes=(9, 13, 19)))
    for file in ("dan9-valid", "pro13", "kgs-valid"):
        scenes = game_scenes(shared_data / f"{file}.sgf.xz", games=15, every=15)
        check_symmetry(extractor, scenes)


# --- What comes out -------------------------------------------------------------------------

FIXED = [group.name for group in GROUPS if not group.learned]


@pytest.mark.parametrize("name", [*SETS, "all"])
def test_ids_are_those_of_their_groups(name: str) -> None:
    features = FeatureSet([group.name for group in GROUPS] if name == "all" else name)
    extractor = Extractor(features)
    for scene in random_scenes(seed=34, count=15, sizes=(9, 19)):
        points, ids = extractor.extract_at(position_in(scene), scene.color, history_in(scene))
        assert points.dtype == np.uint16
        assert ids.shape == (len(points), len(features.groups))
        assert ids.dtype == np.uint32
        first, end = features.first_ids[:-1], features.first_ids[1:]
        assert (((ids >= first) & (ids < end)) | (ids == 0)).all()


@pytest.mark.parametrize("name", SETS)
def test_a_set_gives_what_all_groups_together_give(name: str, extractor) -> None:
    groups = [group for group in SETS[name] if group in NAIVE_GROUPS]
    some = Extractor(FeatureSet(groups))
    for scene in random_scenes(seed=35, count=12, sizes=(7, 9, 19)):
        everything = numbers(extractor, scene)
        expected = {
            place: {name: value for name, value in values.items() if name in groups}
            for place, values in everything.items()
        }
        assert numbers(some, scene) == expected


@pytest.mark.parametrize("group", NAIVE_GROUPS)
def test_a_group_alone_gives_the_same(group: str, extractor) -> None:
    alone = Extractor(FeatureSet([group]))
    for scene in random_scenes(seed=36, count=5, sizes=(9, 13)):
        everything = numbers(extractor, scene)
        for place, values in numbers(alone, scene).items():
            assert values.get(group) == everything[place].get(group)


def test_many_positions_in_a_row_leave_nothing_behind(extractor) -> None:
    """The memory is used again and again, on boards of all sizes."""
    scenes = list(random_scenes(seed=37, count=20, sizes=(5, 9, 19)))
    first = [numbers(extractor, scene) for scene in scenes]
    again = [numbers(extractor, scene) for scene in reversed(scenes)]
    assert first == again[::-1]


def test_the_points_are_the_legal_ones(extractor) -> None:
    game = Game(9)
    for p in (point(4, 4), point(3, 3), PASS, point(2, 3)):
        game.play(game.to_move, p)
        points, _ = extractor.extract(game)
        assert points.tolist() == [*game.legal_points(game.to_move), PASS]
    points, _ = extractor.extract(game, BLACK)
    assert points.tolist() == [*game.legal_points(BLACK), PASS]


def test_named_features_say_what_a_group_says() -> None:
    features = FeatureSet([name for name in FIXED if name not in NEED_PLAYOUTS])
    game = Game(9)
    game.play(BLACK, point(4, 4))
    found = named_features(game, features)
    assert found[point(4, 5)]["distance_last"] == "2"
    assert found[PASS] == {"pass": "after move", "pass_phase": "after move, quarter 1"}
    for name, value in chain.from_iterable(values.items() for values in found.values()):
        assert value in {known.name for known in BY_NAME[name].values}
