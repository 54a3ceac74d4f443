"""Every level of the tactical features, drawn on a board a person can check."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.geometry import point, row_and_column
from knowledge.groups import BY_NAME
from tests.knowledge.feature_diagrams import CASES, Case
from tests.naive.features import naive_names
from tests.positions import grid_of

# From a case to the names of the values, by group, of its legal moves by point.
Face = Callable[[Case], dict[int, dict[str, str]]]

ALL_DRAWN = (
    "capture", "extension", "self_atari", "atari", "simple_capture", "simple_extension",
    "simple_atari", "playout", "threat", "self_atari_kind", "chain_self_atari", "ko", "net",
)  # fmt: skip


def check_case(case: Case, face: Face) -> None:
    found = face(case)
    for mark, levels in case.levels.items():
        p = case.point(mark)
        if levels is None:
            assert p not in found, f"{mark} is legal"
            continue
        values = {group: found[p].get(group) for group in levels}
        assert values == levels, mark


def by_twin(case: Case) -> dict[int, dict[str, str]]:
    names = naive_names(case.scene())
    return {point(*place): values for place, values in names.items() if place is not None}


@pytest.mark.parametrize("name", CASES)
def test_twin(name: str) -> None:
    check_case(CASES[name], by_twin)


@pytest.mark.parametrize("name", CASES)
def test_engine_and_twin_look_at_the_same_moment(name: str) -> None:
    game, scene = CASES[name].game(), CASES[name].scene()
    assert (grid_of(game.position) == scene.grid).all()
    assert game.to_move == scene.color
    assert [None if p == 0 else row_and_column(p) for _, p in game.moves[::-1]] == [*scene.moves]
    ko = game.position.ko(game.to_move)
    assert (row_and_column(ko) if ko else None) == (scene.ko[:2] if scene.ko[2] else None)


@pytest.mark.parametrize("name", ALL_DRAWN)
def test_every_level_is_drawn(name: str) -> None:
    drawn = {
        levels.get(name)
        for case in CASES.values()
        for levels in case.levels.values()
        if levels is not None
    }
    assert drawn >= {value.name for value in BY_NAME[name].values}


@pytest.mark.parametrize("name", ["take", "save", "own_liberties"])
def test_every_kind_is_drawn(name: str) -> None:
    drawn = {
        (levels.get(name) or "").rsplit(", ", 1)[0]
        for case in CASES.values()
        for levels in case.levels.values()
        if levels is not None
    }
    kinds = {value.name.rsplit(", ", 1)[0] for value in BY_NAME[name].values}
    unseen = {"save": {"old, dies", "old, ladder", "old, free"}, "own_liberties": {"3", "4"}}
    assert drawn >= kinds - unseen.get(name, set())
