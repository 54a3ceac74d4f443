"""What was tried: a folder with what is tuned, and one line of JSON for each finished trial."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.match.results import append_line
from engine.match.statistics import Score
from engine.tune.space import Axis, Values
from knowledge.report import write_atomically

PLAN, TRIALS = "tune.json", "trials.jsonl"


class BadTrials(ValueError):
    """A folder holds something else; the text says what."""


@dataclass(frozen=True)
class Trial:
    """Values and how they did against each opponent of the mix."""

    number: int
    values: Values
    scores: dict[str, Score]
    faults: int = 0  # games that were lost by one, on either side

    @property
    def score(self) -> Score:
        return sum(self.scores.values(), Score())

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Trial:
        scores = {name: Score(**score) for name, score in data["scores"].items()}
        values = {name: float(value) for name, value in data["values"].items()}
        return cls(int(data["number"]), values, scores, int(data.get("faults", 0)))


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
            self.done = load_trials(folder)
            self._end_last_line()
        else:
            write_atomically(path, json.dumps(self.plan, indent=1) + "\n")

    def _check(self, path: Path) -> None:
        try:
            before = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise BadTrials(f"{path} is damaged") from None
        names = [name for name in self.plan if before.get(name) != self.plan[name]]
        if names:
            raise BadTrials(
                f"{self.folder} tunes something else ({', '.join(names)}): choose another --out"
            )

    def _end_last_line(self) -> None:
        path = self.folder / TRIALS
        if path.exists():
            whole = path.read_bytes()
            end = whole.rfind(b"\n") + 1
            if end < len(whole):
                write_atomically(path, whole[:end].decode("utf-8"))

    def add(self, trial: Trial) -> None:
        append_line(self.folder / TRIALS, trial.to_json())
        self.done.append(trial)


def load_trials(folder: Path) -> list[Trial]:
    """The finished trials of a folder; a last line that was cut short is left out."""
    path = folder / TRIALS
    if not path.exists():
        return []
    result = []
    whole = path.read_text(encoding="utf-8", errors="replace").rpartition("\n")[0]
    for number, text in enumerate(whole.splitlines(), 1):
        try:
            result.append(Trial.from_json(json.loads(text)))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise BadTrials(f"{path}: line {number} is damaged") from None
    return result
