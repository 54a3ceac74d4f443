"""Tuning: what is tried, what is kept, and what is recommended."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.cluster import Item, Result
from engine.commands.main import main
from engine.match.folders import sole_use
from engine.match.openings import parse_openings
from engine.match.statistics import Score
from engine.match.terms import Terms
from engine.parameters import PARAMETERS
from engine.rules import RULES
from engine.tune.run import Asked, Contest, own_openings, play_trials, tune
from engine.tune.smoothing import judge, recommended
from engine.tune.space import BadSpace, option_words, parse_space, tunable
from engine.tune.trials import BadTrials, Trial, Trials, load_trials
from match.fakes import fake, fake_command

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


def test_what_is_off_on_one_size_is_tried_up_to_what_it_is_on_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    floor = replace(PARAMETERS["shape_floor"], default={9: 0.0, 13: 1.0, 19: 2.0})
    monkeypatch.setitem(PARAMETERS, "shape_floor", floor)
    (axis,) = parse_space(["shape_floor"], 9)
    assert (axis.low, axis.high, axis.default) == (0.0, 8.0, 0.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nothing", "there is no parameter 'nothing'"),
        ("selection", "is not a number"),
        ("exploration", "give a range"),
        ("c_puct=1", "not a range"),
        ("c_puct=", "has no range"),
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
    after_each = recommended(axes, [*trials, lucky])
    found = after_each[-1]
    assert 0.5 < found.values["c_puct"] < 2
    assert found.low < found.share < found.high
    assert judge(axes, trials, {"c_puct": 0.1}).share < 0.5
    assert recommended(axes, []) == []
    everything = [*trials, lucky]
    for end in (1, 20, 61):  # from the beginning, by the definition
        judged = [judge(axes, everything[:end], trial.values) for trial in everything[:end]]
        best = max(judged, key=lambda found: found.low)
        assert after_each[end - 1].values == best.values
        assert after_each[end - 1].share == pytest.approx(best.share)


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
    assert load_trials(tmp_path, axes) == done
    with pytest.raises(BadTrials, match=r"tunes something else \(size\)"):
        Trials(tmp_path, {"size": 19}, axes)
    good = json.loads(whole.splitlines()[0])
    for change in (
        {"values": {}},
        {"values": {"c_puct": 99.0}},
        {"values": {"c_puct": "nan"}},
        {"values": {"c_puct": 1.0, "cutoff": 0.1}},
        {"scores": {}},
        {"scores": {"x": {"wins": "a"}}},
        {"scores": {"x": {"wins": -3, "draws": 0, "losses": 5}}},
        {"scores": {"x": {"wins": True, "draws": 0, "losses": 5}}},
        {"scores": {"x": {"wins": 10**400, "draws": 0, "losses": 5}}},
        {"number": -5},
        {"number": math.inf},
        {"faults": math.inf},
        {"values": {"c_puct": 10**400}},
    ):
        file.write_text(json.dumps({**good, **change}) + "\n")
        with pytest.raises(BadTrials, match="line 1 is damaged"):
            Trials(tmp_path, {"size": 9}, axes)
    for text in ("[]", "[" * 100_000):
        file.write_text(f"{text}\n")
        with pytest.raises(BadTrials, match="line 1 is damaged"):
            Trials(tmp_path, {"size": 9}, axes)
    file.write_text(whole * 3)
    assert load_trials(tmp_path, axes) == done
    for text in ("[]", "null", "5", "{", "[" * 100_000):
        (tmp_path / "tune.json").write_text(text)
        with pytest.raises(BadTrials, match=r"tune.json is damaged"):
            Trials(tmp_path, {"size": 9}, axes)
    (tmp_path / "tune.json").unlink()
    with pytest.raises(BadTrials, match=r"holds trials but no tune.json"):
        Trials(tmp_path, {"size": 9}, axes)
    assert file.read_text() == whole * 3


def test_trials_of_another_version_of_ours_are_not_mixed_in(tmp_path: Path) -> None:
    axes, _ = noisy_trials(2, 1)
    plan = {"size": 9, "version": "a"}
    Trials(tmp_path, {"size": 9}, axes)
    Trials(tmp_path, plan, axes)  # one that did not note it goes on
    (tmp_path / "tune.json").unlink()
    Trials(tmp_path, plan, axes)
    with pytest.raises(BadTrials, match=r"tunes something else \(version\)"):
        Trials(tmp_path, {**plan, "version": "b"}, axes)


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
    assert load_trials(out, parse_space(words[1:3], 5))[0].values == DEFAULTS
    for name in ("trials", "c_puct", "expand_at"):
        ElementTree.fromstring((out / f"{name}.svg").read_text())
    assert main([*words, "--size", "7"]) == 2
    assert "tunes something else (size)" in capsys.readouterr().err
    assert main(["tune", "nonsense", "--out", str(out)]) == 2
    assert "there is no parameter 'nonsense'" in capsys.readouterr().err


def asked_of(numbers: list[int], games: int, openings: str) -> list[Item]:
    """The games that trials with such numbers ask for."""
    asked: list[Item] = []

    class Nobody:
        count = 1

        def map(self, function: str, items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
            asked.extend(items)
            return iter(())

    axes = parse_space(["c_puct"], 9)
    contest = Contest(fake("me"), {"you": Terms(fake("me"), fake("you"))}, games,
                      parse_openings(openings, 9, RULES["chinese"], 1))  # fmt: skip
    batch = [Asked(number, {"c_puct": 1.0}, own_openings(contest, number)) for number in numbers]
    assert list(play_trials(axes, batch, Nobody(), keep=False)) == []
    return asked


def test_trials_see_many_openings() -> None:
    items = asked_of(list(range(20)), 4, "random:4")
    seen = [tuple(item["game"]["opening"]) for item in items]
    assert seen[0::2] == seen[1::2]  # both games of a pair have the same
    assert len(set(seen)) > 30
    again = [tuple(item["game"]["opening"]) for item in asked_of([7], 4, "random:4")]
    assert again == seen[28:32]
    odd = [tuple(item["game"]["opening"]) for item in asked_of([0, 1], 3, "random:4")]
    assert odd == [seen[0], seen[0], seen[2], seen[4], seen[4], seen[6]]


def test_a_batch_that_was_broken_off_leaves_no_hole(tmp_path: Path) -> None:
    pytest.importorskip("optuna", reason="Optuna is not installed (extra tune)")
    from engine.tune.optimiser import Optimiser

    axes = parse_space(["c_puct=0.1:10"], 9)
    trials = Trials(tmp_path, {}, axes)
    for number in (3, 1):
        trials.add(Trial(number, {"c_puct": 1.0 + number}, {"you": Score(1, 0, 1)}))

    class Coin:
        count = 4

        def map(self, function: str, items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
            for item in items:
                yield item, {"winner": "first", "fault": None}

    contest = Contest(fake("me"), {"you": Terms(fake("me"), fake("you"))}, 2, lambda pair: ())
    tune(contest, trials, 6, Coin(), Optimiser(axes, trials.done, 1), False, lambda trial: None)
    assert [trial.number for trial in trials.done] == [3, 1, 0, 2, 4, 5]
    assert trials.done[2].values == {"c_puct": DEFAULTS["c_puct"]}


def test_a_program_that_refuses_a_setting_is_not_tuned(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    pytest.importorskip("optuna", reason="Optuna is not installed (extra tune)")
    words = ["tune", "prior_games=2:50", "--player", f"me={fake_command()}", "--size", "5"]
    words += ["--against", f"you={fake_command()}", "--games", "2", "--trials", "9"]
    words += ["--share-cores", "--openings", "none", "--out", str(tmp_path)]
    assert main(words) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert "all games of a trial were lost by a fault" in error
    assert "kata-set-param prior_games" in error
    assert not (tmp_path / "trials.jsonl").exists()
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--seed", "-5"])
    assert "'-5' is not a whole number from 0" in capsys.readouterr().err


def test_what_is_said_of_faults_and_defaults(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    pytest.importorskip("optuna", reason="Optuna is not installed (extra tune)")
    words = ["tune", "c_puct=2:4", "--player", "me=miai", "--size", "5", "--games", "2"]
    words += ["--share-cores", "--openings", "none", "--out", str(tmp_path), "--trials", "1"]
    trials = Trials(
        tmp_path,
        {"player": "me=miai", "size": 5, "komi": 7.0, "sims": 1000, "openings": "none",
         "against": ["you=miai"], "games": 2},
        parse_space(["c_puct=2:4"], 5),
    )  # fmt: skip
    trials.add(Trial(0, {"c_puct": 2.0}, {"you": Score(1, 0, 1)}, 1, "you crashed"))
    assert main([*words, "--against", "you=miai"]) == 0
    out = capsys.readouterr().out
    assert "nearest to the defaults (out of range: c_puct)" in out
    assert "1 games were lost by a fault" in out
    assert "--black 'new=miai:--c-puct 2' --white old=miai --sims 1000" in out
    assert main([*words, "--against", "you=miai:--seed 3"]) == 2
    assert "tunes something else (against)" in capsys.readouterr().err
    assert main([*words, "--against", "you=miai,you=gnugo:1"]) == 2
    assert "two opponents are called you" in capsys.readouterr().err


def test_one_run_at_a_time_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    words = ["--out", str(tmp_path), "--size", "5"]
    with sole_use(tmp_path):
        assert main(["tune", "c_puct", "--against", "miai", *words]) == 2
        assert f"{tmp_path} is in use by another run" in capsys.readouterr().err
        assert main(["match", "--black", "miai", "--white", "miai", *words]) == 2
        assert f"{tmp_path} is in use by another run" in capsys.readouterr().err
    assert not (tmp_path / "match.json").exists()
    with sole_use(tmp_path), sole_use(None):
        pass
