"""What was tried: a folder with what is tuned, and one line of JSON for each finished trial."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.match.folders import cut_last_line
from engine.match.results import append_line
from engine.match.statistics import Score
from engine.tune.space import Axis, Values
from knowledge.report import write_atomically

PLAN, TRIALS = "tune.json", "trials.jsonl"
_MOST = 10**9  # of anything that is counted here


class BadTrials(ValueError):
    """A folder holds something else; the text says what."""


@dataclass(frozen=True)
class Trial:
    """Values and how they did against each opponent of the mix."""

    number: int
    values: Values
    scores: dict[str, Score]
    faults: int = 0  # games that were lost by one, on either side
    reason: str = ""  # of the first of them

    @property
    def score(self) -> Score:
        return sum(self.scores.values(), Score())

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Trial:
        scores = {name: Score(**score) for name, score in data["scores"].items()}
        values = {name: float(value) for name, value in data["values"].items()}
        reason = str(data.get("reason", ""))
        return cls(data["number"], values, scores, data.get("faults", 0), reason)

    def fits(self, axes: Sequence[Axis]) -> bool:
        """Whether it has a value in range for each axis, and a score."""
        counts = [
            n for score in self.scores.values() for n in (score.wins, score.draws, score.losses)
        ]
        counts += [self.number, self.faults]
        return (
            set(self.values) == {axis.name for axis in axes}
            and all(axis.low <= self.values[axis.name] <= axis.high for axis in axes)
            and all(type(n) is int and 0 <= n < _MOST for n in counts)
            and self.score.games > 0
        )


class Trials:
    """All trials of a tuning run, in its folder."""

    def __init__(self, folder: Path, plan: dict[str, Any], axes: list[Axis]) -> None:
        self.folder = folder
        self.axes = axes
        self.done: list[Trial] = []
        self.plan = json.loads(json.dumps({**plan, "axes": [asdict(axis) for axis in axes]}))
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / PLAN
        if path.exists():
            self._check(path)
            self.done = load_trials(folder, axes)
            cut_last_line(folder / TRIALS)
        else:
            if (folder / TRIALS).exists():
                raise BadTrials(f"{folder} holds trials but no {PLAN} that says of what")
            write_atomically(path, json.dumps(self.plan, indent=1) + "\n")

    def _check(self, path: Path) -> None:
        try:
            before = json.loads(path.read_text(encoding="utf-8"))
            before.setdefault("version", self.plan.get("version"))  # once it was not noted
            names = [name for name in self.plan if before.get(name) != self.plan[name]]
        except (ValueError, AttributeError, RecursionError):
            raise BadTrials(f"{path} is damaged") from None
        if names:
            raise BadTrials(
                f"{self.folder} tunes something else ({', '.join(names)}): choose another --out"
            )

    def add(self, trial: Trial) -> None:
        append_line(self.folder / TRIALS, trial.to_json())
        self.done.append(trial)


def load_trials(folder: Path, axes: Sequence[Axis]) -> list[Trial]:
    """The finished trials of a folder, each once; a last line that was cut short is left out."""
    path = folder / TRIALS
    if not path.exists():
        return []
    result: dict[int, Trial] = {}
    whole = path.read_text(encoding="utf-8", errors="replace").rpartition("\n")[0]
    for number, text in enumerate(whole.splitlines(), 1):
        try:
            trial = Trial.from_json(json.loads(text))
            if not trial.fits(axes):
                raise ValueError
            result.setdefault(trial.number, trial)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise BadTrials(f"{path}: line {number} is damaged") from None
    return list(result.values())


def faults_text(trials: Sequence[Trial]) -> list[str]:
    """A line about games that were lost by a fault, if there are any."""
    faults = sum(trial.faults for trial in trials)
    reasons = [trial.reason for trial in trials if trial.reason]
    first = f", the first because {reasons[0]}" if reasons else ""
    return [f"{faults} games were lost by a fault{first}"] if faults else []
