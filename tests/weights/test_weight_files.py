"""Weight files: what is written comes back, and nothing else is taken for weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.game import Game
from engine.geometry import row_and_column
from engine.playout.gamma import FACTORS
from engine.playout.policy import Gammas
from knowledge.predictor import shipped_predictor
from weights.files import BadWeights, load_weights, nearest, save_weights

ARRAYS = {"numbers": np.arange(1000, dtype=np.float32), "names": np.array(["one", "two"])}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some-9x9.npz"
    save_weights(path, "some", ARRAYS)
    return path


def test_round_trip(file: Path) -> None:
    loaded = load_weights(file, "some")
    assert set(loaded) == set(ARRAYS)
    assert all((loaded[name] == ARRAYS[name]).all() for name in ARRAYS)
    assert list(file.parent.iterdir()) == [file]


def test_a_failed_write_leaves_the_old_file(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(ValueError, match="[Oo]bject arrays"):
        save_weights(file, "some", {"bad": np.array([object()])})
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_truncated_file_is_refused(file: Path) -> None:
    data = file.read_bytes()
    for length in (0, 1, 10, len(data) // 2, len(data) - 1):
        file.write_bytes(data[:length])
        with pytest.raises(BadWeights, match="not a weight file, or cut short"):
            load_weights(file, "some")


def test_a_damaged_file_is_refused(file: Path) -> None:
    changed = {**ARRAYS, "numbers": ARRAYS["numbers"] + 1}
    with np.load(file) as archive:
        header = {name: archive[name] for name in ("format", "kind", "checksum")}
    np.savez(file, **header, **changed)
    with pytest.raises(BadWeights, match="damaged"):
        load_weights(file, "some")


def test_foreign_and_newer_files_are_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(BadWeights, match="kind 'some', not 'other'"):
        load_weights(file, "other")
    np.savez(tmp_path / "foreign.npz", numbers=np.arange(3))
    with pytest.raises(BadWeights, match="not a weight file of Miai"):
        load_weights(tmp_path / "foreign.npz", "some")
    newer = dict(format=np.array(99), kind=np.array("some"), checksum=np.array(""))
    np.savez(tmp_path / "newer.npz", **newer)
    with pytest.raises(BadWeights, match="newer version"):
        load_weights(tmp_path / "newer.npz", "some")
    with pytest.raises(BadWeights, match="no such file"):
        load_weights(tmp_path / "nowhere.npz", "some")


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    np.savez(tmp_path / "trap.npz", trap=np.array([{"a": 1}], dtype=object))
    with pytest.raises(BadWeights, match="not a weight file"):
        load_weights(tmp_path / "trap.npz", "some")


def test_shipped_gammas_serve_every_size() -> None:
    assert [nearest("playout", size).name for size in (2, 9, 10, 11, 13, 19, 25)] == [
        *["playout-9x9.npz"] * 3,
        *["playout-19x19.npz"] * 4,
    ]
    for size in (9, 19):
        gammas = Gammas.shipped(size)
        assert set(gammas.factors) == set(FACTORS.names or ())
        assert nearest("playout", size).with_suffix(".md").is_file()
    with pytest.raises(BadWeights, match="no weights of kind"):
        nearest("magic", 9)


@pytest.mark.parametrize("size", [9, 19])
def test_a_shipped_model_predicts_an_opening(size: int) -> None:
    predictor = shipped_predictor("fbt", size)
    ranked = predictor.rank(Game(size))
    best = int(ranked.points[np.argmax(ranked.scores)])
    line = min(row_and_column(best)) + 1
    assert ranked.probabilities.sum() == pytest.approx(1.0)
    assert 3 <= line <= 5
    assert nearest("fbt", size).with_suffix(".md").is_file()


def test_gammas_of_other_features_are_refused(tmp_path: Path) -> None:
    arrays = {"shapes": np.ones(65536), "factors": np.ones(1), "names": np.array(["luck"])}
    save_weights(tmp_path / "odd.npz", "playout", arrays)
    with pytest.raises(BadWeights, match="other features"):
        Gammas.load(tmp_path / "odd.npz")
