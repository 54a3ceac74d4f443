"""Tuning: what is tried, what is kept, and what is recommended."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.commands.main import main
from engine.match.statistics import Score
from engine.parameters import PARAMETERS
from engine.tune.smoothing import judge, recommend
from engine.tune.space import BadSpace, option_words, parse_space, tunable
from engine.tune.trials import BadTrials, Trial, Trials, load_trials
from match.fakes import fake_command

DEFAULTS = {name: PARAMETERS[name].default_for(9) for name in ("c_puct", "expand_at")}


def test_ranges_lie_around_the_defaults() -> None:
    axes = {axis.name: axis for axis in parse_space(["c_puct", "expand_at", "chance_atari"], 9)}
    c = DEFAULTS["c_puct"]
    assert (axes["c_puct"].low, axes["c_puct"].high) == (c / 4, 4 * c)
    assert axes["c_puct"].log
    most = 4 * DEFAULTS["expand_at"]
    assert (axes["expand_at"].high, axes["expand_at"].whole) == (most, True)
    assert (axes["chance_atari"].low, axes["chance_atari"].high) == (0, 1)
    (given,) = parse_space(["prior_games=2:50"], 9)
    assert (given.low, given.high) == (2, 50)
    assert given.place(10) == pytest.approx(0.5)
    words = option_words(list(axes.values()), {"c_puct": 0.12345678, "expand_at": 3.0,
                                               "chance_atari": 0.5})  # fmt: skip
    assert words == ["--c-puct", "0.1235", "--expand-at", "3", "--chance-atari", "0.5"]


def test_every_tunable_parameter_has_room() -> None:
    for size in (9, 13, 19):
        for axis in parse_space(tunable(), size):
            assert axis.low <= axis.default <= axis.high
            assert 0 <= axis.place(axis.default) <= 1


def test_what_is_off_on_one_size_is_tried_up_to_what_it_is_on_others() -> None:
    (axis,) = parse_space(["shape_floor"], 9)
    assert (axis.low, axis.default) == (0.0, 0.0)
    assert axis.high == pytest.approx(4 * PARAMETERS["shape_floor"].default_for(19))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nothing", "there is no parameter 'nothing'"),
        ("selection", "is not a number"),
        ("exploration", "give a range"),
        ("c_puct=1", "not a range"),
        ("c_puct=2:1", "has no room"),
        ("c_puct=-1:1", "is not a number from 0"),
    ],
)
def test_what_cannot_be_tuned(text: str, reason: str) -> None:
    with pytest.raises(BadSpace, match=reason):
        parse_space([text], 9)


def noisy_trials(count: int, games: int) -> tuple[list, list[Trial]]:
    """Trials of one parameter whose best value is 1; each is a few games."""
    axes = parse_space(["c_puct=0.1:10"], 9)
    chance = random.Random(3)
    trials = []
    for number in range(count):
        value = 10 ** chance.uniform(-1, 1)
        truth = 0.7 - 0.4 * abs(math.log10(value))
        wins = sum(chance.random() < truth for _ in range(games))
        trials.append(Trial(number, {"c_puct": value}, {"x": Score(wins, 0, games - wins)}))
    return axes, trials


def test_a_lucky_trial_is_not_the_best() -> None:
    axes, trials = noisy_trials(60, 10)
    lucky = Trial(60, {"c_puct": 9.5}, {"x": Score(10, 0, 0)})
    found = recommend(axes, [*trials, lucky])
    assert found is not None
    assert 0.5 < found.values["c_puct"] < 2
    assert found.low < found.share < found.high
    assert judge(axes, trials, {"c_puct": 0.1}).share < 0.5
    assert recommend(axes, []) is None


def test_trials_are_kept(tmp_path: Path) -> None:
    axes, done = noisy_trials(2, 4)
    trials = Trials(tmp_path, {"size": 9}, axes)
    for trial in done:
        trials.add(trial)
    file = tmp_path / "trials.jsonl"
    whole = file.read_text()
    file.write_text(whole + '{"number": 2')
    assert Trials(tmp_path, {"size": 9}, axes).done == done
    assert file.read_text() == whole
    assert load_trials(tmp_path) == done
    with pytest.raises(BadTrials, match=r"tunes something else \(size\)"):
        Trials(tmp_path, {"size": 19}, axes)
    file.write_text("[]\n")
    with pytest.raises(BadTrials, match="line 1 is damaged"):
        Trials(tmp_path, {"size": 9}, axes)


def test_the_optimiser_goes_where_it_is_good() -> None:
    pytest.importorskip("optuna", reason="Optuna is not installed (extra tune)")
    from engine.tune.optimiser import Optimiser

    axes = parse_space(["c_puct=0.1:10", "expand_at=1:50"], 9)
    chance = random.Random(1)
    done: list[Trial] = []
    optimiser = Optimiser(axes, done, seed=1)
    for number in range(50):
        if number == 25:
            optimiser = Optimiser(axes, done, seed=1)  # as after an interruption
        values = optimiser.ask(number)
        assert values["expand_at"] == int(values["expand_at"])
        truth = 0.8 - 0.4 * abs(math.log10(values["c_puct"]))
        wins = sum(chance.random() < truth for _ in range(100))
        trial = Trial(number, values, {"x": Score(wins, 0, 100 - wins)})
        optimiser.tell(trial)
        done.append(trial)
    assert done[0].values == DEFAULTS
    late = [abs(math.log10(trial.values["c_puct"])) for trial in done[-20:]]
    assert sum(late) / len(late) < 0.35  # 0.5 for a blind search


def test_tune_command(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    pytest.importorskip("optuna", reason="Optuna is not installed (extra tune)")
    out = tmp_path / "run"
    base = fake_command("--moves", "'B1 B2 B3 B4 B5 A1'")
    words = ["tune", "c_puct=0.1:10", "expand_at", "--player", f"me={base}", "--size", "5"]
    words += ["--against", f"you={fake_command('--moves', 'D1')}", "--games", "2"]
    words += ["--share-cores", "--openings", "none", "--out", str(out), "--json"]
    assert main([*words, "--trials", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4
    assert main([*words, "--trials", "3", "--jobs", "2"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert (found["trials"], found["games"], found["share"]) == (3, 6, 1.0)
    assert 0.1 <= found["values"]["c_puct"] <= 10
    assert "--sprt 0,30" in found["confirm"]
    assert captured.err.count("trial ") == 1
    assert load_trials(out)[0].values == DEFAULTS
    for name in ("trials", "c_puct", "expand_at"):
        ElementTree.fromstring((out / f"{name}.svg").read_text())
    assert main([*words, "--size", "7"]) == 2
    assert "tunes something else (size)" in capsys.readouterr().err
    assert main(["tune", "nonsense", "--out", str(out)]) == 2
    assert "there is no parameter 'nonsense'" in capsys.readouterr().err
