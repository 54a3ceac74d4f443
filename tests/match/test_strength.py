"""The strength tables of the papers in their quick variant, and what their pages say."""

from __future__ import annotations

import datetime
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.commands.main import main
from engine.commands.reproduce import MATCHES
from engine.match.players import Entrant, find_program
from engine.parameters import PARAMETERS
from engine.strength import running
from engine.strength.pages import OLDER, above, below, better, page_files, pooled, share_text
from engine.strength.running import MissingModel, Plan, find_models, option_words
from engine.strength.tables import TABLES, Row
from match.fakes import LEFT, RIGHT, fake
from weights.files import nearest


def all_rows() -> list[Row]:
    return [row for make in TABLES.values() for quick in (True, False) for row in make(quick)]


def test_rows_are_settings_that_exist() -> None:
    models = {label: ("fbt", "x.npz") for row in all_rows() for label, _ in row.models}
    for row in all_rows():
        sides = [row.options] + ([] if isinstance(row.opponent, str) else [row.opponent])
        for options in sides:
            for name, value in options:
                if name == "model":
                    assert value in dict(row.models)
                else:
                    PARAMETERS[name].parse(value)
            assert "--selection" in option_words(options, models)
    for make in TABLES.values():
        keys = [row.key for row in make(False)]
        assert len(set(keys)) == len(keys)
    assert set(MATCHES) == set(TABLES)


def test_options_as_words() -> None:
    words = option_words((("rave", "no"), ("mercy", "yes"), ("c_puct", "2.0"), ("model", "a")),
                         {"a": ("lfr", "file.npz")})  # fmt: skip
    assert words == [
        "--no-rave", "--mercy", "--c-puct", "2.0", "--knowledge", "lfr", "--weights", "file.npz",
    ]  # fmt: skip


def test_models_are_given_or_shipped() -> None:
    row = Row("x", (), "gnugo:0", 9, 6.5, 1, models=(("patterns", ("nothing", "fbt")),))
    assert find_models(row, {}) == {"patterns": ("fbt", str(nearest("fbt", 9)))}
    given = {"patterns": nearest("fbt", 19)}
    assert find_models(row, given) == {"patterns": ("fbt", str(nearest("fbt", 19)))}
    missing = Row("x", (), "gnugo:0", 9, 6.5, 1, models=(("lfr", ("nothing",)),))
    with pytest.raises(MissingModel, match="no weights of kind 'nothing'.*--weights lfr=FILE"):
        find_models(missing, {})


def figures(share: float, spread: float) -> dict:
    return {"share": share, "low": share - spread, "high": share + spread, "games": 10}


def test_verdicts() -> None:
    done = {"a": figures(30, 5), "b": figures(60, 5), "c": figures(62, 9), "d": {"missing": "x"}}
    assert better(done, "a", "b") == "agrees"
    assert better(done, "b", "a") == "does not agree"
    assert better(done, "b", "c") == "too few games to tell (for it as far as they go)"
    few = {name: {**figures, "games": 3} for name, figures in done.items() if name != "d"}
    assert better(few, "a", "b") == "too few games to tell (for it as far as they go)"
    assert better(done, "b", "b") == "too few games to tell (as many won)"
    assert better(done, "a", "d") == better(done, "a", "e") == "not played"
    assert (above(done, "b"), above(done, "a")) == ("agrees", "does not agree")
    assert above(done, "c", 60) == "too few games to tell"
    assert above(done, "e") == "not played"
    # Apart although the intervals overlap: what counts is the interval of the difference.
    near = {"a": figures(40, 8), "b": figures(53, 8)}
    assert better(near, "a", "b") == "agrees"
    same = {"a": figures(100, 0), "b": figures(100, 0)}
    assert better(same, "a", "b") == "cannot be seen, both won 100%"
    assert share_text(done["a"]) == "30.0% (25.0 to 35.0%)"
    assert share_text(done["d"]) == "not played: x"
    assert share_text(None) == "-"


def won(points: int, games: int) -> dict:
    return pooled([{"games": games, "points": float(points)}]) or {}


def test_hardly_a_game_needs_many_games() -> None:
    for points, games in ((0, 2), (1, 4), (6, 30), (0, 20)):
        assert below({"a": won(points, games)}, "a", 10) == "too few games to tell"
    assert below({"a": won(0, 40)}, "a", 10) == "agrees"
    assert below({"a": won(20, 40)}, "a", 10) == "does not agree"
    assert below({}, "a", 10) == "not played"


def test_rows_as_one() -> None:
    rows = [{"games": 3, "points": 2.5}, {"missing": "x"}, {"games": 7, "points": 4.0}]
    together = pooled(rows)
    assert together is not None
    assert (together["games"], together["points"], together["share"]) == (10, 6.5, 65.0)
    assert 30 < together["low"] < 65 < together["high"] < 90
    assert pooled([{"missing": "x"}, {"games": 0, "points": 0.0}]) is None


@pytest.mark.parametrize("name", TABLES)
def test_a_page_before_any_game(name: str, tmp_path: Path) -> None:
    files = page_files(Plan(name, tmp_path), {})
    page = files.pop(f"{name}.md")
    assert page.count("not played") >= 2
    for picture in files.values():
        ElementTree.fromstring(picture)


@pytest.fixture
def fake_miai(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of the engines, programs that take any options and play a few moves."""

    def parse(text: str, *more: int, **others: int) -> Entrant:
        return fake(text, "--moves", LEFT if text == "miai" else RIGHT, "--any")

    monkeypatch.setattr(running, "parse_player", parse)
    monkeypatch.setattr(running, "find_program", lambda name: None)


@pytest.mark.parametrize("name", TABLES)
def test_quick_tables(
    name: str, fake_miai: None, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    words = ["reproduce", name, "--quick", "--out", str(tmp_path), "--share-cores", "--jobs", "2"]
    assert main(words) == 0
    page = (tmp_path / f"{name}-quick.md").read_text()
    assert page in capsys.readouterr().out
    assert "This is the quick variant" in page
    rows = json.loads((tmp_path / f"{name}-quick.json").read_text())["rows"]
    wanted = TABLES[name](True)
    assert list(rows) == [row.key for row in wanted]
    played = [figures for figures in rows.values() if "missing" not in figures]
    assert played
    assert all(figures["games"] == 2 and figures["sims"] in (10, 20) for figures in played)
    # More games are added to those that were played.
    assert main([*words, "--games", "4", "--only", wanted[0].key, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows[wanted[0].key]["games"] == 4
    assert rows.get(wanted[1].key, {}).get("games", 2) == 2
    assert main([*words, "--only", "nonsense"]) == 2
    assert "no row's name contains 'nonsense'" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_quick_tables_with_the_real_engines(name: str, tmp_path: Path) -> None:
    if find_program("gnugo") is None:
        pytest.skip("GNU Go is not installed (Debian's package is named gnugo)")
    assert main(["reproduce", name, "--quick", "--out", str(tmp_path), "--share-cores"]) == 0
    rows = json.loads((tmp_path / f"{name}-quick.json").read_text())["rows"]
    assert [figures["faults"] for figures in rows.values() if "missing" not in figures]
    assert all(figures.get("faults", 0) == 0 for figures in rows.values())


def test_published_figures_stay_until_there_are_more_games(
    fake_miai: None, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    words = [
        "reproduce",
        "crazystone",
        "--quick",
        "--out",
        str(tmp_path),
        "--share-cores",
        "--json",
    ]
    assert main([*words, "--only", "none-7x7"]) == 0
    file = tmp_path / "crazystone-quick.json"
    saved = json.loads(file.read_text())
    none = saved["rows"]["none-7x7"]
    assert none["played"].endswith("against gnugo:0; 7x7, komi 6.5")
    assert none["date"] == datetime.date.today().isoformat()
    shutil.rmtree(tmp_path / "crazystone-quick-games")  # a clone elsewhere
    none.update(games=3, points=1.0, share=33.3)
    foreign = {**none, "played": "something else"}
    saved["rows"]["patterns-7x7"] = foreign
    file.write_text(json.dumps(saved))

    def rows_after(*more: str) -> dict:
        capsys.readouterr()
        assert main([*words, *more]) == 0
        return json.loads(capsys.readouterr().out)["rows"]

    assert list(rows_after("--only", "widening-7x7")) == ["none-7x7", "widening-7x7"]
    assert rows_after("--only", "none-7x7")["none-7x7"]["share"] == 33.3
    assert rows_after("--only", "none-7x7", "--games", "4")["none-7x7"]["games"] == 4
    for text in ("[]", '{"rows": []}', '{"rows": null}', '{"rows": {"none-7x7": 5}}',
                 '{"rows": {"none-7x7": {"games": 1}}}'):  # fmt: skip
        file.write_text(text)
        assert main(words) == 2
        assert "crazystone-quick.json is damaged" in capsys.readouterr().err


def test_games_with_other_settings_or_weights_are_not_mixed(
    fake_miai: None, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["reproduce", "crazystone", "--quick", "--out", str(tmp_path), "--share-cores"]
    words += ["--only", "widening-7x7"]
    page = tmp_path / "crazystone-quick.md"
    folder = tmp_path / "crazystone-quick-games"
    assert main(words) == 0
    assert OLDER not in page.read_text()
    (before,) = (path.name for path in folder.iterdir() if path.is_dir())
    (games,) = folder.glob("*/games.jsonl")
    os.utime(games, (86_400 * 365, 86_400 * 365))  # played long ago
    assert main(words) == 0
    assert "1971-01-01" in page.read_text()
    default = PARAMETERS["even_prior"]
    monkeypatch.setitem(PARAMETERS, "even_prior", replace(default, default=17.0))
    assert main([*words, "--games", "1"]) == 0  # fewer than before: the older figures stay
    assert f"1971-01-01 {OLDER}" in page.read_text()
    assert main([*words, "--games", "2"]) == 0
    assert OLDER not in page.read_text()
    assert "1971" not in page.read_text()
    assert len([path for path in folder.iterdir() if path.is_dir()]) == 2
    monkeypatch.setitem(PARAMETERS, "even_prior", default)
    assert main([*words, "--weights", f"patterns={nearest('fbt', 9)}"]) == 0
    assert "--weights patterns=fbt-9x9.npz" in page.read_text()
    names = {path.name for path in folder.iterdir() if path.is_dir()}
    assert len(names) == 3
    assert before in names
    capsys.readouterr()
    for given, reason in (
        ("paterns=x.npz", "--weights paterns=: crazystone has patterns"),
        (f"patterns={tmp_path}/none.npz", "none.npz: no such file"),
    ):
        assert main([*words, "--weights", given]) == 2
        assert reason in capsys.readouterr().err


def test_other_simulations_are_another_table(fake_miai: None, tmp_path: Path) -> None:
    words = ["reproduce", "fbt-mcts", "--quick", "--out", str(tmp_path), "--share-cores"]
    assert main(words) == 0
    before = (tmp_path / "fbt-mcts-quick.json").read_text()
    assert main([*words, "--sims", "7", "--games", "1"]) == 0
    assert (tmp_path / "fbt-mcts-quick.json").read_text() == before
    rows = json.loads((tmp_path / "fbt-mcts-quick-7-sims.json").read_text())["rows"]
    assert list(rows) == ["figure2-10-c2", "figure2-10-c2.3", "figure3-10-c0.05"]
