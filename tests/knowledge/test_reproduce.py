"""The papers' experiments in their quick variant, on a few small games that come with the tests."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.commands.main import main
from engine.commands.reproduce import EXPERIMENTS as NAMED
from engine.commands.reproduce import data_folder
from knowledge import experiment_rows, experiments, mm
from knowledge.evaluate import predict
from knowledge.experiment_pages import claims_of, files_of
from knowledge.experiment_rows import (
    Bench,
    CannotReproduce,
    DescentRow,
    Limits,
    MMRow,
    Row,
    Sources,
    SptRow,
    hurried,
)
from knowledge.experiments import (
    EXPERIMENTS,
    FBT_SETS,
    asked,
    kept_rows,
    needs,
    reproduce,
    rows_of,
    sources_in,
)
from knowledge.factors import FactorModel
from knowledge.features import FeatureSet
from knowledge.filters import Filters
from knowledge.harvest import harvest
from knowledge.records import read_games

RECORDS = Path(__file__).parents[1] / "data" / "gnugo.sgf"


@pytest.fixture(scope="module")
def sources() -> Sources:
    """The same small games for all that an experiment asks for."""
    names = {name for experiment in EXPERIMENTS for name in needs(rows_of(experiment))}
    return Sources(dict.fromkeys(names, RECORDS), Filters(size=9))


@pytest.fixture(scope="module")
def quick(
    sources: Sources, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], dict[str, Any]]:
    """The rows of an experiment's quick variant, run once."""
    found: dict[str, dict[str, Any]] = {}

    def rows(name: str) -> dict[str, Any]:
        if name not in found:
            out = tmp_path_factory.mktemp(name)
            found[name] = reproduce(name, sources, out, quick=True, threads=1)
        return found[name]

    return rows


def assert_inside(picture: str) -> None:
    """Nothing is drawn outside of a picture; a letter is taken to be 7 wide."""
    root = ElementTree.fromstring(picture)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for part in root:
        if part.tag.endswith("text") and "transform" not in part.attrib:
            length, x = 7 * len(part.text or ""), float(part.attrib["x"])
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[part.attrib["text-anchor"]]
            assert x - share * length >= 0, part.text
            assert x + (1 - share) * length <= width, part.text
            assert 0 < float(part.attrib["y"]) < height
        elif part.tag.endswith("rect"):
            assert 0 <= float(part.attrib["x"]) <= width - float(part.attrib["width"]) + 0.2
            assert 0 <= float(part.attrib["y"]) <= height - float(part.attrib["height"]) + 0.2
        elif part.tag.endswith("circle"):
            assert 0 < float(part.attrib["cx"]) < width
            assert 0 < float(part.attrib["cy"]) < height


# --- Quick runs -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_quick_run_makes_a_page_with_pictures(
    name: str, quick: Callable[[str], dict[str, Any]]
) -> None:
    rows = quick(name)
    assert list(rows) == [row.key for row in rows_of(name, quick=True)]
    files = files_of(name, rows, True, f"miai reproduce {name} --quick")
    page = files.pop(f"{name}-quick.md")
    assert f"`miai reproduce {name} --quick`" in page
    assert f"{len(rows)} of {len(rows)} finished" in page
    assert "## Where ours differs and why" in page
    assert f"{name}-quick.svg" in files
    for file, picture in files.items():
        assert_inside(picture)
        assert f"]({file})" in page


def test_a_page_without_rows_is_a_page() -> None:
    for name in EXPERIMENTS:
        files = files_of(name, {}, False, "x")
        assert f"0 of {len(rows_of(name))} finished" in files[f"{name}.md"]


def test_models_learn_in_quick_runs(quick: Callable[[str], dict[str, Any]]) -> None:
    for name in ("fbt-small", "fbt-large", "lfr-kgs", "fbt-sampling", "mm-kgs"):
        for key, row in quick(name).items():
            assert "astray" not in row, (name, key)
            assert 5 < row["top1"] < 90, (name, key)  # by chance it is about 2
            assert row["cumulative"][0] == row["top1"]
            assert row["cumulative"][19] == row["top20"]
            assert np.all(np.diff(row["cumulative"]) >= 0)


def test_directions_that_few_games_show(quick: Callable[[str], dict[str, Any]]) -> None:
    rows = quick("spt")
    assert claims_of("spt", rows, True)["deeper trees predict better"]
    rows = quick("mm-kgs")
    gammas = rows["MM"]["gammas"]
    assert gammas["distance_last: 2"] > gammas["distance_last: 16"]
    assert set(claims_of("mm-kgs", rows, True).values()) <= {True, False}


def test_pairs_are_those_of_the_heat_map(quick: Callable[[str], dict[str, Any]]) -> None:
    rows = quick("lfr-kgs")
    pairs = rows["LFR1 without shapes 24"]["pairs"]
    products = np.array(pairs["products"])
    assert products.shape == (len(pairs["names"]),) * 2
    assert np.array_equal(products, products.T)
    assert np.linalg.matrix_rank(products, tol=0.01) == 1
    assert rows["LFR1 24"]["pairs"] is None


def test_a_model_that_went_astray_has_no_figures(sources: Sources) -> None:
    row = next(row for row in rows_of("fbt-small", quick=True) if row.key == "LFR5 S1")
    assert isinstance(row, DescentRow)
    wild = replace(row, recipe=replace(row.recipe, push="full", rate_w=1.0, rate_v=1.0))
    found = experiments.run_row(wild, Bench(sources, 1))
    assert found["astray"]
    assert "top1" not in found
    assert found["epochs"][-1]["valid_top1"] is None
    page = files_of("fbt-small", {row.key: found}, True, "x")["fbt-small-quick.md"]
    assert "its numbers overflowed: LFR5 S1" in page
    assert "| LFR5 S1 | - | - | - | - |" in page


@pytest.mark.slow
def test_directions_that_real_games_show(shared_data: Path, tmp_path: Path) -> None:
    real = sources_in(shared_data)

    def claims(name: str) -> list[bool | None]:
        rows = reproduce(name, real, tmp_path, quick=True)
        return list(claims_of(name, rows, True).values())

    assert claims("patterns") == [True, True]
    assert claims("mm-kgs")[2:] == [True, True]  # the owner helps, and gammas go together
    assert claims("spt")[1]  # deeper trees predict better
    rows = reproduce("fbt-small", real, tmp_path, quick=True)
    assert rows["Our FBT5 S2"]["top5"] > rows["LFR5 S2"]["top5"]
    assert rows["Our FBT5 S2"]["top5"] > rows["Our FBT5 S1"]["top5"]


# --- What is run ----------------------------------------------------------------------------


def test_full_runs_are_the_papers() -> None:
    assert {name: first for name, (first, _) in FBT_SETS.items()} == {
        "S1": 1_000, "S2": 10_000, "S3": 20_000,
    }  # fmt: skip
    for name in EXPERIMENTS:
        rows = rows_of(name)
        assert len({row.key for row in rows}) == len(rows)
        for row in rows:
            trained = row.lesson.train
            assert trained.endswith("-train") or trained == "kgs-2006-01"
            assert row.lesson.test.endswith("-test") or row.lesson.test == "kgs-2006-02"
            if isinstance(row, DescentRow):
                assert row.lesson.valid == trained.replace("-train", "-valid")
    for row in rows_of("fbt-small") + rows_of("lfr-kgs"):
        if isinstance(row, DescentRow) and not row.key.startswith("Our"):
            assert (row.recipe.rate_w, row.recipe.decay_w) == (0.001, 0.001)
            assert row.recipe.decay_v == (0.0 if row.k == 1 else 0.002)
    mm_rows = [row for row in rows_of("mm-kgs") if isinstance(row, MMRow)]
    assert "owner" in mm_rows[0].features
    assert mm_rows[0].lesson.first is None
    first = rows_of("spt")[0]
    assert isinstance(first, SptRow)
    settings = first.settings
    assert (settings.depth, settings.min_node, settings.samples) == (10, 30, 300)


def test_playout_features_are_tested_as_they_are_learned(sources: Sources) -> None:
    """A model with Monte-Carlo owners ranks moves by the very playouts that MM learns from."""
    games = sources.games("pro19-test", 2)
    features = FeatureSet("mm", harvest(games, 3, threads=1))
    log_gammas = np.random.default_rng(1).normal(size=features.n_ids)
    log_gammas[0] = 0.0
    model = FactorModel.new("mm", features, 0, False, 0, size=9)
    model.table()[:, 0] = log_gammas
    found = predict(model, games)
    data = mm.extract(games, features, 1)
    mm.Learner(data, 1, log_gammas)
    ranks = []
    for block in data.blocks:
        for first, end, won in zip(block.starts, block.starts[1:], block.winners, strict=False):
            rivals, own = block.strength[int(first) : int(end)], block.strength[int(won)]
            equal = np.isclose(rivals, own, rtol=1e-5)
            ranks.append((rivals > own)[~equal].sum() + 0.5 * (equal.sum() - 1) + 1)
    assert len(ranks) == len(found.ranks) > 50
    assert np.mean(found.ranks == ranks) > 0.99


# --- Going on -------------------------------------------------------------------------------


def test_a_smaller_run_says_so_and_goes_on(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXPERIMENTS, "patterns", lambda _: experiments._patterns(True))
    small = Limits(games=5, test_games=2, only="S1")
    done = reproduce("patterns", sources, tmp_path, limits=small)
    assert list(done) == ["S1"]
    assert (done["S1"]["games"], done["S1"]["test_games"]) == (5, 2)
    done = reproduce("patterns", sources, tmp_path, limits=replace(small, only="S2"))
    assert list(done) == ["S1", "S2"]
    assert done["S2"]["games"] == 5
    page = files_of("patterns", done, False, "x", small.told())["patterns.md"]
    assert "at most 5 games to learn from, 2 test games." in page
    assert Limits().told() == ""
    row = rows_of("fbt-small")[0].limited(Limits(epochs=7))
    assert isinstance(row, DescentRow)
    assert (row.recipe.epochs, row.lesson.first) == (7, 1000)
    assert rows_of("fbt-small")[0].limited(Limits(epochs=99)) == rows_of("fbt-small")[0]
    # So many games in all are five epochs of 1,000 games, and one of more than that.
    smallest, largest = (rows_of("fbt-small")[i].limited(Limits(total=5_000)) for i in (0, -1))
    assert isinstance(smallest, DescentRow)
    assert isinstance(largest, DescentRow)
    assert (smallest.recipe.epochs, largest.recipe.epochs) == (5, 1)
    # With fewer epochs the steps are longer at first, and add up to as much; ours fall anyway.
    paper = rows_of("fbt-small")[0]
    assert isinstance(paper, DescentRow)
    assert not paper.recipe.falling
    assert smallest.recipe.falling
    assert 0.5 * 5 * smallest.recipe.rate_v == pytest.approx(40 * paper.recipe.rate_v)
    assert largest.recipe.rate_w == rows_of("fbt-small")[-1].recipe.rate_w  # type: ignore[attr-defined]
    assert hurried(paper.recipe, 40) == paper.recipe
    assert largest.limited(Limits(valid_games=9)).lesson.valid_first == 9
    with pytest.raises(CannotReproduce, match="has 'x' in its name"):
        reproduce("patterns", sources, tmp_path, limits=Limits(only="x"))


class Stopped(Exception):
    """The run was broken off."""


def test_a_second_start_goes_on_where_the_first_stopped(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXPERIMENTS, "patterns", lambda _: experiments._patterns(True))
    ran: list[str] = []
    run_rows = experiments.run_rows

    def counted(rows: list[Row], bench: Bench) -> list[dict[str, Any]]:
        if len(ran) == 1 and "again" not in ran:
            raise Stopped
        ran.extend(row.key for row in rows)
        return run_rows(rows, bench)

    monkeypatch.setattr(experiments, "run_rows", counted)
    with pytest.raises(Stopped):
        reproduce("patterns", sources, tmp_path, threads=1)
    file = tmp_path / "patterns.json"
    assert list(json.loads(file.read_text())["rows"]) == ["S1"]
    ran.append("again")
    rows = reproduce("patterns", sources, tmp_path, threads=1)
    assert ran == ["S1", "again", "S2"]
    assert list(rows) == ["S1", "S2"]
    assert reproduce("patterns", sources, tmp_path, threads=1) == rows
    assert ran == ["S1", "again", "S2"]

    # A row that is to be made in another way is no longer kept.
    wanted = rows_of("patterns")
    changed = [wanted[0], replace(wanted[1], min_count=7)]
    assert list(kept_rows(file, changed)) == ["S1"]
    assert asked(wanted[0]) == rows["S1"]["asked"]
    file.write_text(file.read_text()[:-20])
    with pytest.raises(CannotReproduce, match="holds no results to go on from"):
        kept_rows(file, wanted)


def test_rows_that_read_the_same_are_run_at_once() -> None:
    def keys(name: str) -> list[list[str]]:
        return [[row.key for row in group] for group in experiments.at_once(rows_of(name))]

    assert keys("fbt-large")[1] == ["FBT5 S2", "FBT10 S2", "LFR5 S2", "LFR10 S2", "Our FBT10 S2"]
    assert keys("lfr-kgs")[:2] == [["MM 5000"], ["LFR1 5000", "LFR5 5000"]]
    assert keys("patterns") == [["S1"], ["S2"], ["S3"]]


def test_the_same_model_is_not_made_twice(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = [row for row in rows_of("fbt-small", quick=True) if row.key == "FBT5 S1"]
    monkeypatch.setitem(EXPERIMENTS, "fbt-small", lambda _: small)
    first = reproduce("fbt-small", sources, tmp_path, threads=1)["FBT5 S1"]
    same, other = replace(small[0], key="Full S1"), replace(small[0], key="x", k=3)
    monkeypatch.setitem(EXPERIMENTS, "fbt-sampling", lambda _: [same, other])
    found = reproduce("fbt-sampling", sources, tmp_path, threads=1)
    assert found["Full S1"] == {**first, "asked": asked(same)}
    assert found["x"]["top1"] != first["top1"]


def test_a_model_goes_on_from_its_checkpoint(sources: Sources, tmp_path: Path) -> None:
    row = next(row for row in rows_of("fbt-small", quick=True) if row.key == "FBT5 S1")
    other = next(row for row in rows_of("fbt-small", quick=True) if row.key == "LFR5 S1")
    assert isinstance(row, DescentRow)
    file = tmp_path / "x.checkpoint"
    bench = Bench(sources, 1, file)
    unbroken = row.run(bench)
    assert not file.exists()

    class Once(experiment_rows.Training):
        """Breaks off after the first epoch."""

        def _has_levelled_off(self) -> bool:
            if self.epochs:
                raise Stopped
            return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment_rows, "Training", Once)
        with pytest.raises(Stopped):
            row.run(bench)
    saved = file.read_bytes()
    started: list[int] = []

    class Counted(experiment_rows.Training):
        """Counts the epochs that it runs itself."""

        def _order(self) -> np.ndarray:
            started.append(self._epoch)
            return super()._order()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment_rows, "Training", Counted)
        again = row.run(bench)
    assert started == [1, 2, 3, 4]
    assert again["top1"] == unbroken["top1"]
    assert [epoch["valid_top1"] for epoch in again["epochs"]] == [
        epoch["valid_top1"] for epoch in unbroken["epochs"]
    ]
    # Another model's checkpoint is of no use.
    file.write_bytes(saved)
    assert other.run(bench)["top1"] == other.run(Bench(sources, 1))["top1"]


# --- The command ----------------------------------------------------------------------------


def test_the_command_knows_all_experiments() -> None:
    assert list(NAMED) == list(EXPERIMENTS)


def test_missing_games_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    words = ["reproduce", "spt", "--data", str(tmp_path), "--out", str(out)]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "kgs-test.sgf.xz" in said
    assert "--data" in said
    assert not out.exists()


def test_where_games_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_folder("here") == Path("here")
    monkeypatch.setenv("MIAI_SHARED_DATA", "there")
    assert data_folder(None) == Path("there")
    monkeypatch.delenv("MIAI_SHARED_DATA")
    assert data_folder(None).parts[-2:] == ("shared", "data")


def test_the_command_writes_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = read_games([RECORDS], Filters(size=19))
    assert len(few)
    for name in ("pro19-train", "pro19-test"):
        (tmp_path / f"{name}.sgf.xz").write_bytes(lzma.compress(RECORDS.read_bytes()))
    out = tmp_path / "out"
    words = ["reproduce", "patterns", "--quick", "--data", str(tmp_path), "--out", str(out)]
    assert main([*words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["rows"]["S2"]["games"] == len(few)
    names = ["patterns-quick.json", "patterns-quick.md", "patterns-quick.svg"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert main(words) == 0
    assert "Where ours differs" in capsys.readouterr().out
