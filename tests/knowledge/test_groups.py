"""The registry of features: names, numbers and sets that everything else relies on."""

from __future__ import annotations

import re

import pytest

from knowledge import groups
from knowledge.groups import BY_NAME, GROUPS, NEED_PLAYOUTS, SETS

# Groups whose values are computed by a formula, so that no constant names them.
BY_FORMULA = {
    "border", "distance_last", "distance_before", "owner", "line", "position", "distance_second",
    "side_extension", "cfg_last", "cfg_second", "pass_phase", "contact", "place", "line_phase",
    "last_context", "second_context", "third_context", "fourth_context", "answer", "nearest_own",
    "nearest_enemy", "influence", "criticality",
}  # fmt: skip
# The axes of groups that combine several, the slowest first; None has no constants.
AXES = {
    "take": [8, None],
    "save": [2, 4, None],
    "own_liberties": [4, None],
}
SIZES = {
    "pass": 2, "capture": 5, "extension": 2, "self_atari": 1, "atari": 3, "border": 4,
    "distance_last": 16, "distance_before": 16, "owner": 8, "simple_capture": 4,
    "simple_extension": 1, "simple_atari": 2, "line": 5, "position": 10, "distance_second": 17,
    "playout": 9, "side_extension": 18, "corner": 7, "cfg_last": 4, "cfg_second": 5,
    "contiguity": 2, "chain_self_atari": 2, "pass_phase": 2 * groups.PASS_PHASES,
    "take": 8 * groups.STONE_CLASSES, "save": 2 * groups.SAVE_OUTCOMES * groups.STONE_CLASSES,
    "own_liberties": 4 * groups.OWN_LIBERTIES_AFTER, "threat": 8, "self_atari_kind": 3,
    "contact": groups.CONTACT_STATES**2 - 1, "eye": 6, "ko": 3, "net": 2, "place": 55,
    "line_phase": 5 * groups.PHASES, "last_context": 16 * groups.CONTEXTS,
    "second_context": 17 * groups.CONTEXTS, "third_context": 17 * groups.CONTEXTS,
    "fourth_context": 17 * groups.CONTEXTS, "answer": groups.ANSWER_STATES**2 - 1,
    "nearest_own": 19, "nearest_enemy": 19,
    "influence": (len(groups.INFLUENCE_STEPS) + 1) ** 2,
    "criticality": len(groups.CRITICALITY_STEPS) + 1,
}  # fmt: skip


def constant(group: str, value: str) -> int:
    return getattr(groups, re.sub(r"\W", "_", f"{group}_{value}").upper())


def test_names_are_unique_and_plain() -> None:
    assert len(BY_NAME) == len(GROUPS)
    for group in GROUPS:
        assert re.fullmatch(r"[a-z0-9_]+", group.name)
        assert group.sentence.endswith(".")
        assert group.learned == (not group.values)
        names = [value.name for value in group.values]
        assert len(set(names)) == len(names)
        assert all(value.sentence for value in group.values)


@pytest.mark.parametrize("group", [g for g in GROUPS if not g.learned], ids=lambda g: g.name)
def test_numbers_of_values(group: groups.Group) -> None:
    assert len(group.values) == SIZES.get(group.name, 1)
    for i, value in enumerate(group.values):
        assert group.number(value.name) == i
    if group.name not in BY_FORMULA and group.name not in AXES:
        found = [constant(group.name, value.name) for value in group.values]
        assert found == list(range(len(group.values)))
    with pytest.raises(ValueError, match="has no value 'nonsense'"):
        group.number("nonsense")


@pytest.mark.parametrize("name", AXES)
def test_numbers_of_combined_values(name: str) -> None:
    values = BY_NAME[name].values
    unit = len(values)
    for axis, size in enumerate(AXES[name]):
        if size is not None:
            unit //= size
            for i, value in enumerate(values):
                part = value.name.split(", ")[axis]
                assert constant(name, part) == i // unit % size


def test_numbers_by_formula() -> None:
    place = BY_NAME["place"]
    for line in range(1, 11):
        for position in range(line, 11):
            l, p = line - 1, position - 1  # noqa: E741  the letters of the definition
            assert place.number(f"{line}-{position}") == l * (19 - l) // 2 + p
    assert BY_NAME["distance_last"].number("17+") == 17 - 2
    assert BY_NAME["distance_second"].number("0") == 0
    assert BY_NAME["distance_second"].number("5") == 5 - 1
    assert BY_NAME["last_context"].number("left 3, 4") == 2 * 16 + 4 - 2
    assert BY_NAME["third_context"].number("left 4+, 0") == 3 * 17
    assert BY_NAME["contact"].number("no own, 1 enemy 1") == 0
    assert BY_NAME["contact"].number("2 own 3, 1 enemy 4+") == (4 + 3) * 9 + 4 - 1
    assert BY_NAME["answer"].number("theirs 2, ours 4+") == 2 * 5 + 4 - 1
    assert BY_NAME["line_phase"].number("phase 12, line 5+") == 11 * 5 + 4
    assert BY_NAME["pass_phase"].number("after pass, quarter 3") == 4 + 2
    assert BY_NAME["influence"].number("own 6-11, enemy 32+") == 2 * 6 + 5
    assert BY_NAME["side_extension"].number("20+") == 20 - 3


def test_sets_hold_known_groups_in_order() -> None:
    for names in SETS.values():
        assert list(names) == [group.name for group in GROUPS if group.name in names]


def test_sets_are_those_of_the_papers() -> None:
    assert {name: len(names) for name, names in SETS.items()} == {
        "mm": 10, "lfr": 9, "small": 15, "large": 15, "light": 5, "best": 29,
    }  # fmt: skip
    assert set(SETS["small"]) ^ set(SETS["large"]) == {"shape3x3", "shape"}
    assert "owner" in SETS["mm"]
    for name in ("lfr", "small", "large", "light", "best"):
        assert not set(SETS[name]) & set(NEED_PLAYOUTS)
