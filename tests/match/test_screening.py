"""Screening: which settings matter, found by games between opposite ends of all ranges."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.cluster import Item, Result
from engine.commands.main import main
from engine.match import work
from engine.match.statistics import NO_PAIRS, Score, expected_share
from engine.match.terms import Terms
from engine.tune.run import Contest
from engine.tune.screening import Effect, block_size, effects, ends, opposite, screen, worth_proving
from engine.tune.space import Axis, Values, parse_space
from engine.tune.trials import Trial, Trials, load_trials
from match.fakes import LEFT, fake, fake_command

NAMES = ["c_puct=0.1:10", "expand_at=1:20", "prior_games=2:50", "chance_atari=0:1"]


def many_axes(count: int) -> list[Axis]:
    return [Axis(f"x{i}", 1.0, 2.0, False, False, 1.5) for i in range(count)]


def signs(axes: list[Axis], values: Values) -> list[int]:
    """1 for the high end, -1 for the low one."""
    assert all(values[axis.name] in (axis.low, axis.high) for axis in axes)
    return [1 if values[axis.name] == axis.high else -1 for axis in axes]


def rows(axes: list[Axis], block: int, seed: int = 1) -> list[list[int]]:
    """The signs of the pairs of a block."""
    size = block_size(len(axes))
    numbers = range(block * size, (block + 1) * size)
    return [signs(axes, ends(axes, seed, pair)) for pair in numbers]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 8, 20])
def test_a_block_is_balanced(count: int) -> None:
    axes = many_axes(count)
    assert count < block_size(count) <= 2 * count
    for block in range(3):
        columns = list(zip(*rows(axes, block), strict=True))
        assert [sum(column) for column in columns] == [0] * count
        for one, other in itertools.combinations(columns, 2):
            assert sum(a * b for a, b in zip(one, other, strict=True)) == 0


def test_three_settings_together_are_not_a_fourth() -> None:
    whole = [row for block in range(64) for row in rows(many_axes(7), block)]
    for a, b, c, d in itertools.combinations(range(7), 4):
        alike = sum(row[a] * row[b] * row[c] * row[d] for row in whole)
        assert abs(alike) < 0.3 * len(whole)


def test_the_seed_decides() -> None:
    axes = many_axes(5)
    first = [ends(axes, 1, pair) for pair in range(40)]
    assert first == [ends(axes, 1, pair) for pair in range(40)]
    assert first != [ends(axes, 2, pair) for pair in range(40)]
    assert rows(axes, 0) != rows(axes, 1)
    for values in first:
        other = signs(axes, opposite(axes, values))
        assert other == [-sign for sign in signs(axes, values)]


def made_trials(axes: list[Axis], truth: list[float], pairs: int) -> list[Trial]:
    """Pairs of a player to whom the high ends give so many Elo."""
    chance = random.Random(5)
    trials = []
    for pair in range(pairs):
        values = ends(axes, 1, pair)
        difference = sum(s * e for s, e in zip(signs(axes, values), truth, strict=True))
        wins = sum(chance.random() < expected_share(difference) for _ in range(2))
        trials.append(Trial(pair, values, {"me": Score(wins, 0, 2 - wins)}))
    return trials


def test_known_effects_are_found() -> None:
    axes = parse_space(NAMES, 9)
    truth = {"c_puct": 0.0, "expand_at": 80.0, "prior_games": -40.0, "chance_atari": 0.0}
    found = effects(axes, made_trials(axes, list(truth.values()), 2000))
    assert [effect.axis.name for effect in found[:2]] == ["expand_at", "prior_games"]
    assert found[0].z > 10
    assert found[1].z < -5
    for effect in found:
        middle, low, high = effect.elo()
        assert effect.score.games == 4000
        assert middle == pytest.approx(truth[effect.axis.name], abs=15)
        assert low < truth[effect.axis.name] < high
        assert high - low < 25
    for effect in found[2:]:
        assert abs(effect.z) < 2
        assert effect.elo()[1] < 0 < effect.elo()[2]


def test_values_go_as_far_as_they_are_clear() -> None:
    axes = parse_space(["c_puct=0.25:4", "first_play=0.3:0.6", "expand_at=4:20"], 9)
    scores = [Score(60, 0, 40), Score(49, 0, 51), Score(90, 0, 10)]  # z is 2, -0.2 and 8
    found = [Effect(axis, score, NO_PAIRS) for axis, score in zip(axes, scores, strict=True)]
    values = worth_proving(found)
    c_puct, first_play, _ = axes
    assert c_puct.log
    assert values["c_puct"] == pytest.approx((c_puct.default * 4) ** 0.5)  # half-way
    start = first_play.default
    assert values["first_play"] == pytest.approx(start + 0.05 * (0.3 - start))
    assert values["expand_at"] == 20
    for axis in axes:
        for value in (axis.low, axis.default, axis.high):
            assert axis.value(axis.place(value)) == pytest.approx(value)


def test_z_counts_standard_errors() -> None:
    (axis,) = many_axes(1)
    assert Effect(axis, Score(60, 0, 40), NO_PAIRS).z == pytest.approx(2.0)
    assert Effect(axis, Score(10, 20, 10), NO_PAIRS).z == 0
    # Pairs that are mostly split scatter less, so that the same games say more.
    assert Effect(axis, Score(60, 0, 40), (0, 0, 40, 0, 10)).z > 2.7
    high, low = (
        Trial(0, {"x0": 2.0}, {"me": Score(1, 1, 0)}),
        Trial(1, {"x0": 1.0}, {"me": Score(2)}),
    )
    assert effects([axis], [high, low]) == [Effect(axis, Score(1, 1, 2), (1, 0, 0, 1, 0))]
    assert effects([axis], []) == [Effect(axis, Score(), NO_PAIRS)]


class Here:
    """A worker in this very process, which does what the test says."""

    count = 1

    def __init__(self, do: Callable[[Item], Result]) -> None:
        self.do = do

    def map(self, function: str, items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        assert function == work.FUNCTION
        for item in items:
            yield item, self.do(item)

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None: ...


def small_screening(
    folder: Path, do: Callable[[Item], Result], on_trial=lambda trial: None
) -> None:
    """Four pairs of a player that always passes."""
    axes = parse_space(NAMES[:2], 5)
    me = fake("me")
    terms = Terms(me, me, size=5, share_cores=True, analyze=False)
    contest = Contest(me, {"me": terms}, 10, lambda pair: ("C3", "D2", "A5", "B1")[: pair + 1])
    screen(contest, Trials(folder, {}, axes), 8, 1, Here(do), True, on_trial)


def test_a_pair_is_two_games_of_opposite_players(tmp_path: Path) -> None:
    items: list[Item] = []
    small_screening(tmp_path, lambda item: items.append(item) or {"winner": "first", "fault": None})
    assert [item["trial"] for item in items] == [0, 0, 1, 1, 2, 2, 3, 3]
    for one, other in zip(items[::2], items[1::2], strict=True):
        assert one["terms"] == other["terms"]
        assert one["game"]["opening"] == other["game"]["opening"]
        assert [item["game"]["first_is_black"] for item in (one, other)] == [True, False]
        first, second = (dict(one["terms"][side]["settings"]) for side in ("first", "second"))
        assert {first["c_puct"], second["c_puct"]} == {"0.1", "10"}
        assert {first["expand_at"], second["expand_at"]} == {"1", "20"}
    assert len({len(item["game"]["opening"]) for item in items}) == 4
    assert len({item["terms"]["seed"] for item in items}) == 4
    assert [trial.score for trial in load_trials(tmp_path, parse_space(NAMES[:2], 5))] == [
        Score(2)
    ] * 4


def test_the_same_two_programs_play_all_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []
    sit_down = work.sit_down

    def remembered(*arguments: Any) -> Any:
        started.append(sit_down(*arguments))
        return started[-1]

    def running() -> int:
        return sum(player._client._process.poll() is None for player in started)

    counts: list[int] = []
    monkeypatch.setattr(work, "sit_down", remembered)
    monkeypatch.setattr(work, "_kept", None)
    try:
        small_screening(tmp_path, work.play_item, lambda trial: counts.append(running()))
    finally:
        if work._kept is not None:
            work._kept.close()
    assert counts == [2, 2, 2, 2]
    assert len(started) == 2
    assert running() == 0


def command(out: Path, *options: str) -> list[str]:
    """A screening whose player resigns when c_puct is low; expand_at does nothing."""
    player = fake_command("--moves", f"'{LEFT}'", "--resign-below", "1")
    words = ["tune", "--screen", *NAMES[:2], "--player", f"me={player}", "--size", "5"]
    return [*words, "--share-cores", "--out", str(out), *options]


def test_screen_command(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "run"
    assert main(command(out, "--games", "4", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4
    file = out / "trials.jsonl"
    file.write_text(file.read_text()[:-20])  # an interruption while the second pair was written
    assert main(command(out, "--games", "8", "--jobs", "2", "--json")) == 0
    captured = capsys.readouterr()
    assert captured.err.count("pair ") == 3
    found = json.loads(captured.out)
    assert (found["games"], found["faults"]) == (8, 0)
    strong, idle = found["settings"]
    assert (strong["name"], strong["low"], strong["high"]) == ("c_puct", 0.1, 10)
    assert (strong["share"], strong["elo"], strong["z"]) == (1.0, None, 2.494)
    assert strong["elo_low"] > 0
    assert (idle["name"], idle["share"], idle["elo"], idle["z"]) == ("expand_at", 0.5, 0, 0)
    assert idle["elo_low"] < 0 < idle["elo_high"]
    kept = load_trials(out, parse_space(NAMES[:2], 5))
    assert sorted(trial.number for trial in kept) == [0, 1, 2, 3]
    ElementTree.fromstring((out / "effects.svg").read_text())
    assert main(command(out, "--games", "8")) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    table = captured.out.splitlines()
    assert table[0] == "8 games"
    assert table[3].startswith("| c_puct | 0.1 | 10 | +inf | +")
    assert table[3].endswith("| +2.5 |")
    assert table[4].startswith("| expand_at | 1 | 20 | +0 |")
    # More than half-way from 0.95 to 10 by a logarithmic scale.
    assert found["values"] == {"c_puct": 4.123, "expand_at": 8}
    assert "--c-puct 4.123 --expand-at 8" in found["confirm"]
    assert table[-1] == f"  {found['confirm'].replace('--jobs 2', '--jobs 1')}"


def test_faults_are_told(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    player = f"me={fake_command()}"
    words = ["tune", "--screen", "prior_games=2:50", "--player", player, "--size", "5"]
    words += ["--share-cores", "--out", str(tmp_path), "--games", "2"]
    assert main(words) == 2  # nothing came of any game
    assert "refused 'kata-set-param prior_games" in capsys.readouterr().err
    plan = json.loads((tmp_path / "tune.json").read_text())
    axes = parse_space(["prior_games=2:50"], 5)
    trial = Trial(0, {"prior_games": 2.0}, {"me": Score(1, 0, 1)}, 1, "me crashed")
    Trials(tmp_path, plan, axes).add(trial)
    assert main(words) == 0
    assert "1 games were lost by a fault, the first because me crashed" in capsys.readouterr().out


def test_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    def refusal(*words: str) -> str:
        assert main(list(words)) == 2
        (line,) = capsys.readouterr().err.splitlines()
        return line

    words = command(tmp_path)
    assert "--against does not go with --screen" in refusal(*words, "--against", "miai")
    assert "--trials does not go with --screen" in refusal(*words, "--trials", "5")
    assert "an even number of --games" in refusal(*words, "--games", "7")
    assert "there is no parameter 'c'" in refusal("tune", "--screen", "c", "--out", str(tmp_path))
    assert not list(tmp_path.iterdir())
    assert main([*words, "--games", "2"]) == 0
    capsys.readouterr()
    assert "tunes something else (seed)" in refusal(*words, "--seed", "2")
    words.remove("--screen")
    assert "tunes something else (against, games)" in refusal(*words, "--against", "miai")
