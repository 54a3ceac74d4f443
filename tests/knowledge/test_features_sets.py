"""Sets of features: ids, names and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from knowledge.dictionary import Dictionary
from knowledge.features import PATTERN_GROUPS, FeatureSet
from knowledge.groups import BY_NAME, GROUPS, SETS
from knowledge.harvest import harvest
from knowledge.records import read_games

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


@pytest.fixture(scope="module")
def dictionary() -> Dictionary:
    return harvest(read_games(GAMES), 3)


@pytest.mark.parametrize("name", SETS)
def test_every_value_of_a_set_has_an_id_of_its_own(name: str, dictionary) -> None:
    features = FeatureSet(name, dictionary)
    assert features.groups == SETS[name]
    seen = []
    for column, group in enumerate(features.groups):
        first, end = features.first_ids[column : column + 2]
        assert end - first == features.counts[column] > 0
        seen += range(first, end)
        assert features.column_of(int(first)) == features.column_of(int(end) - 1) == column
        if not BY_NAME[group].learned:
            for value in BY_NAME[group].values:
                i = features.id_of(group, value.name)
                assert features.value_of(i) == value.name
                assert features.name_of(i) == f"{group}: {value.name}"
                assert features.sentence_of(i) == value.sentence
    assert seen == list(range(1, features.n_ids))


def test_patterns_are_those_of_the_dictionary(dictionary) -> None:
    features = FeatureSet([*PATTERN_GROUPS, "line"], dictionary)
    found = []
    for column in range(len(PATTERN_GROUPS)):
        first, end = features.first_ids[column : column + 2]
        indices = [features.pattern_of(i) for i in range(first, end)]
        assert (dictionary.family[indices] == column).all()
        found += indices
        assert dictionary.describe(indices[0]) in features.sentence_of(int(first))
    assert found == list(range(len(dictionary)))
    assert features.pattern_of(features.id_of("line", "3")) is None


def test_small_shapes_are_drawn() -> None:
    features = FeatureSet(["shape3x3"])
    texts = {features.value_of(i) for i in range(1, features.n_ids)}
    assert len(texts) == features.n_ids - 1
    assert {"... .*. ...", "### .*. ..."} & texts
    assert all(set(text) <= set(".XO#* ") and len(text) == 11 for text in texts)


def test_without_a_dictionary_patterns_have_no_values() -> None:
    features = FeatureSet("large")
    assert features.counts[features.groups.index("shape")] == 0
    assert not features.needs_playouts
    assert FeatureSet("mm").needs_playouts


def test_what_is_unknown_is_refused() -> None:
    with pytest.raises(ValueError, match="^unknown feature set 'huge': one of mm, lfr"):
        FeatureSet("huge")
    with pytest.raises(ValueError, match="^unknown feature groups: lines$"):
        FeatureSet(["line", "lines"])
    with pytest.raises(ValueError, match="^a group twice$"):
        FeatureSet(["line", "line"])
    features = FeatureSet(["line"])
    for i in (-1, 0, features.n_ids):
        with pytest.raises(ValueError, match=f"^no feature has the id {i}$"):
            features.name_of(i)
    with pytest.raises(ValueError, match="no value"):
        features.id_of("line", "6")


def test_a_row_of_ids_in_words() -> None:
    features = FeatureSet(["line", "corner", "border"])
    row = np.array([features.id_of("line", "5+"), 0, 0], np.uint32)
    assert features.named(row) == {"line": "5+"}


def test_all_groups_fit_in_one_set(dictionary) -> None:
    features = FeatureSet([group.name for group in GROUPS], dictionary)
    assert len(features) == len(GROUPS)
    assert features.n_ids == 1 + sum(features.counts)
