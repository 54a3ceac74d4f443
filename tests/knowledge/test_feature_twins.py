"""The twins of the features themselves: against older twins, turned, and by hand."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.knowledge.scenes import (
    game_scenes,
    random_scenes,
    read_by_engine,
    swapped,
    turned,
    turned_scene,
)
from tests.naive import gamma
from tests.naive.board import is_eye
from tests.naive.distance import distances
from tests.naive.features import (
    NAIVE_GROUPS,
    TWINS,
    criticality_number,
    naive_features,
    naive_names,
    owner_number,
)
from tests.naive.scene import Place, Scene, read_naively

LIGHT = {
    "reply_capture": "capture",
    "reply_extension": "extension",
}


def test_every_group_has_a_twin() -> None:
    assert {*TWINS, "pass", "pass_phase"} == set(NAIVE_GROUPS)


def test_light_groups_are_what_playouts_multiply() -> None:
    groups = (*LIGHT, "contiguity", "chain_self_atari")
    for scene in random_scenes(seed=1, count=40, sizes=(5, 7, 9)):
        for place, found in naive_names(scene, groups=groups).items():
            if place is None or is_eye(scene.grid, *place, scene.color):
                continue
            ours = {LIGHT[group] for group in found if group in LIGHT}
            ours |= {found["contiguity"]} if "contiguity" in found else set()
            kinds = {"bad": "self_atari_bad", "good": "self_atari"}
            ours |= {kinds[found["chain_self_atari"]]} if "chain_self_atari" in found else set()
            last = scene.move(1)
            assert ours == set(gamma.features(scene.grid, place, scene.color, last))


def test_common_fate_distance_is_that_of_its_own_twin() -> None:
    for scene in random_scenes(seed=2, count=20, sizes=(5, 7)):
        found = naive_names(scene, groups=("cfg_last", "cfg_second"))
        for back, group in ((1, "cfg_last"), (2, "cfg_second")):
            start = scene.move(back)
            if start is not None:
                far = distances(scene.grid, *start)
                for place in scene.legal_places():
                    if group == "cfg_second" or place != start:
                        n = far[place]
                        assert found[place][group] == (str(n) if n < 4 else "4+")


def check_symmetry(scenes: Iterable[Scene]) -> None:
    for i, scene in enumerate(scenes):
        plain = naive_features(scene, read_by_engine)
        assert naive_features(swapped(scene), read_by_engine) == plain
        turn = i % 7 + 1
        found = naive_features(turned_scene(scene, turn), read_by_engine)
        expected = {
            None if place is None else turned(place, scene.size, turn): values
            for place, values in plain.items()
        }
        assert found == expected


def test_symmetry(shared_data) -> None:
    check_symmetry(random_scenes(seed=3, count=28, sizes=(5, 7, 9)))
    check_symmetry(game_scenes(shared_data / "dan9-valid.sgf.xz", games=3, every=15))


def test_ladders_by_the_engine_are_those_of_the_twin() -> None:
    groups = ("capture", "extension", "atari", "take", "save", "own_liberties", "threat", "net")
    for scene in random_scenes(seed=4, count=30, sizes=(4, 5, 6)):
        expected = naive_names(scene, read_naively, groups)
        assert naive_names(scene, read_by_engine, groups) == expected


def opening(*moves: Place | None) -> Scene:
    scene = Scene.start(19)
    for place in moves:
        scene = scene.play(place)
    return scene


def test_first_move_of_a_game() -> None:
    found = naive_names(Scene.start(19))
    assert found[3, 3] == {
        "border": "4",
        "line": "4",
        "position": "4",
        "corner": "4-4",
        "place": "4-4",
        "line_phase": "phase 1, line 4",
        "influence": "own 0, enemy 0",
    }
    assert found[None] == {"pass": "after move", "pass_phase": "after move, quarter 1"}


def test_a_pass_is_no_move_to_be_near_to() -> None:
    found = naive_names(opening((3, 3), (15, 15), (15, 3), None))
    assert found[None]["pass"] == "after pass"
    assert not {"distance_last", "last_context", "cfg_last", "answer"} & set(found[2, 5])
    assert found[2, 5]["distance_second"] == "17+"
    assert found[2, 5]["third_context"] == "left 4+, 17+"
    assert found[2, 5]["fourth_context"] == "left 4+, 5"


@pytest.mark.parametrize(
    ("place", "group", "value"),
    [
        ((2, 5), "corner", "enclosure"),
        ((5, 2), "corner", "enclosure"),
        ((2, 13), "corner", "approach"),
        ((13, 16), "corner", None),
        ((2, 2), "corner", None),
        ((16, 2), "corner", "3-3"),
        ((14, 15), "corner", "4-5"),
        ((14, 14), "corner", None),
        # Along the third line between 4-4 stones: 6 and 6 steps, 5 and 7, and an open corner.
        ((2, 9), "side_extension", "18"),
        ((2, 8), "side_extension", "17"),
        ((9, 2), "side_extension", "20+"),
        ((2, 2), "side_extension", None),
        ((3, 9), "side_extension", None),
        ((9, 9), "place", "10-10"),
        ((9, 9), "nearest_own", "18"),
        ((9, 9), "nearest_enemy", "18"),
        ((3, 4), "nearest_own", "2"),
        ((3, 4), "influence", "own 6-11, enemy 0"),
    ],
)
def test_the_opening(place: Place, group: str, value: str | None) -> None:
    scene = opening((3, 3), (3, 15))
    assert naive_names(scene, groups=(group,))[place].get(group) == value


def test_owner_and_criticality() -> None:
    assert [owner_number(n) for n in (0, 7, 8, 31, 32, 63)] == [0, 0, 1, 3, 4, 7]
    # Winner and owner always together, half each: 1/2 beyond chance; never together: below 0.
    assert criticality_number([(1, 1), (2, 2)] * 10) == 7
    assert criticality_number([(1, 2), (2, 1)] * 10) == 0
    assert criticality_number([(1, 1)] * 20) == 1
    assert criticality_number([(1, 1), (1, 2), (2, 1), (2, 2)]) == 1
    assert criticality_number([(0, 0)] * 5) == 1
