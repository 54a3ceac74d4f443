"""The dictionary of patterns: finding, saving, refusing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from knowledge.dictionary import NO_PARENT, Dictionary, find_ids, slot_table
from knowledge.harvest import harvest
from knowledge.records import read_games
from knowledge.templates import FAMILIES, LIBERTIES, MARKED, PLAIN
from weights.files import load_weights, save_weights

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


@pytest.fixture(scope="module")
def dictionary() -> Dictionary:
    return harvest(read_games(GAMES), 3)


def small(**changes) -> dict[str, np.ndarray]:
    """Four patterns: three nested plain ones, and a marked one that begins at size 3."""
    columns = {
        "keys": np.array([50, 20, 90, 10], np.uint64),
        "counts": np.array([9, 8, 7, 3], np.uint32),
        "family": np.array([PLAIN, PLAIN, PLAIN, MARKED], np.uint8),
        "size": np.array([1, 2, 3, 3], np.uint8),
        "parent": np.array([NO_PARENT, 0, 1, NO_PARENT], np.int32),
    }
    for name, values in changes.items():
        columns[name] = np.array(values, columns[name].dtype)
    return columns


# --- The table ----------------------------------------------------------------------------


def test_every_known_key_is_found_and_no_other() -> None:
    rng = np.random.default_rng(1)
    for count in (0, 1, 7, 8, 9, 1000, 50_000):
        keys = rng.integers(1, 2**64, count, dtype=np.uint64)
        slots = slot_table(keys)
        assert (find_ids(keys, slots, keys) == np.arange(1, count + 1)).all()
        others = rng.integers(1, 2**64, 10_000, dtype=np.uint64)
        assert not find_ids(keys, slots, others).any()
        assert np.count_nonzero(slots) == count <= len(slots) // 2
        assert slots.ctypes.data % 64 == 0


def test_full_lines_go_on_in_the_next_one() -> None:
    keys = np.array([(label << 32) | 8 for label in range(1, 41)], np.uint64)
    slots = slot_table(keys)
    assert len(slots) == 128
    assert (find_ids(keys, slots, keys) == np.arange(1, 41)).all()
    assert not find_ids(keys, slots, keys + np.uint64(100 << 32)).any()


def test_lines_at_the_end_go_on_at_the_beginning() -> None:
    keys = np.array([(label << 32) | 0xFFFFFFFF for label in range(1, 41)], np.uint64)
    slots = slot_table(keys)
    assert slots[0] != 0
    assert (find_ids(keys, slots, keys) == np.arange(1, 41)).all()


def test_keys_that_could_be_mixed_up_make_the_table_grow() -> None:
    keys = np.array([(7 << 32) | 8, (7 << 32) | 8 | 1 << 10], np.uint64)
    slots = slot_table(keys)
    assert len(slots) == 2048
    assert find_ids(keys, slots, keys).tolist() == [1, 2]


def test_a_key_with_a_known_label_is_still_unknown() -> None:
    keys = np.array([(7 << 32) | 8], np.uint64)
    assert not find_ids(keys, slot_table(keys), keys | np.uint64(1 << 20)).any()


# --- The dictionary -----------------------------------------------------------------------


def test_it_is_the_same_after_saving_and_loading(dictionary: Dictionary, tmp_path: Path) -> None:
    save_weights(tmp_path / "d.npz", "patterns", dictionary.to_arrays())
    again = Dictionary.from_arrays(load_weights(tmp_path / "d.npz", "patterns"))
    for name, array in dictionary.to_arrays().items():
        other = again.to_arrays()[name]
        assert np.array_equal(array, other)
        assert array.dtype == other.dtype
    assert np.array_equal(again.slots, dictionary.slots)


def test_ids_and_sizes(dictionary: Dictionary) -> None:
    everything = np.arange(1, len(dictionary) + 1)
    assert (dictionary.ids(dictionary.keys) == everything).all()
    assert dictionary.ids(np.array([12345], np.uint64)).tolist() == [0]
    assert (dictionary.sizes_of(everything) == dictionary.size).all()
    assert dictionary.sizes_of(np.array([0])).tolist() == [0]
    table = dictionary.table()
    assert table.sum() == len(dictionary)
    assert table[LIBERTIES, 3] == np.sum((dictionary.family == LIBERTIES) & (dictionary.size == 3))


def test_larger_patterns_of_a_family_have_larger_ids(dictionary: Dictionary) -> None:
    for family in range(len(FAMILIES)):
        assert (np.diff(dictionary.size[dictionary.family == family].astype(int)) >= 0).all()


def test_patterns_in_words() -> None:
    some = Dictionary.from_arrays(small())
    assert some.describe(1) == "plain pattern of 9 points, played 8 times"
    assert some.describe(3) == "marked pattern of 13 points, played 3 times"
    whole = harvest(read_games(GAMES), 3)
    index = int(np.flatnonzero(whole.size == 14)[0])
    assert "plain pattern of the whole board, played" in whole.describe(index)
    assert some.nested(2) == [2, 1, 0]
    assert some.nested(3) == [3]
    assert len(some) == 4


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"family": [0, 0, 0, 4]}, "family that there is not"),
        ({"size": [0, 2, 3, 3]}, "size that its family has not"),
        ({"size": [1, 2, 3, 7]}, "size that its family has not"),
        ({"keys": [50, 50, 90, 10]}, "each once"),
        ({"family": [2, 0, 0, 2]}, "not sorted"),
        ({"size": [1, 3, 2, 3]}, "not sorted"),
        ({"size": [1, 1, 2, 3], "keys": [60, 50, 90, 10]}, "not sorted"),
        ({"parent": [-1, 0, -1, -1]}, "without the next smaller"),
        ({"parent": [-1, 0, 4, -1]}, "without the next smaller"),
        ({"parent": [-1, 0, -2, -1]}, "without the next smaller"),
        ({"parent": [-1, 0, 0, -1]}, "parent is not the next smaller"),
        ({"parent": [-1, 0, 1, 1]}, "parent is not the next smaller"),
    ],
)
def test_what_is_no_dictionary_is_refused(changes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Dictionary.from_arrays(small(**changes))


def test_missing_and_wrong_arrays_are_refused() -> None:
    arrays = small()
    del arrays["counts"]
    with pytest.raises(ValueError, match="without counts"):
        Dictionary.from_arrays(arrays)
    with pytest.raises(ValueError, match="keys must be a row of uint64"):
        Dictionary.from_arrays({**small(), "keys": np.zeros(4)})
    with pytest.raises(ValueError, match="parent must be a row of int32"):
        Dictionary.from_arrays({**small(), "parent": np.zeros(3, np.int32)})
