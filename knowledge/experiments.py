"""The papers' prediction experiments: which models are trained, on what, and tested on what.

An experiment is a list of rows (`knowledge/experiment_rows.py`). `reproduce` runs what is missing
and keeps what is done; `knowledge/experiment_pages.py` makes a page from what is finished.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

from engine.console import say
from knowledge import fbt, lfr, spt
from knowledge.experiment_rows import (
    NO_LIMITS,
    Bench,
    CannotReproduce,
    DescentRow,
    Figures,
    Lesson,
    Limits,
    MMRow,
    PatternsRow,
    Row,
    Sources,
    SptRow,
    run_together,
)
from knowledge.groups import SETS
from knowledge.report import write_atomically

# --- The experiments ------------------------------------------------------------------------

# The FBT paper's sets, and how often they are gone through at most: three flat epochs end it.
FBT_SETS = {"S1": (1_000, 40), "S2": (10_000, 20), "S3": (20_000, 12)}
QUICK_SETS = {"S1": (8, 5), "S2": (24, 5)}
# FBT by plain gradient descent on so few games needs longer steps to get anywhere.
_QUICK_STEPS: dict[str, Any] = {"rate_w": 0.005, "rate_v": 0.005}
SAMPLES = (5, 10, 20, 30)
MM_SHAPES = (9, 0, 0, 0)  # size 9 is the MM paper's radius 10


def _mm_kgs(quick: bool) -> list[Row]:
    lesson = Lesson("kgs-2006-01", 6 if quick else None, "kgs-2006-02", 3 if quick else None)
    rounds, count = (6, 5) if quick else (40, 10)
    all_ten, nine = SETS["mm"], tuple(name for name in SETS["mm"] if name != "owner")
    rows: list[Row] = [
        MMRow("MM", lesson, all_ten, rounds, count, MM_SHAPES),
        MMRow("MM without owner", lesson, nine, rounds, count, MM_SHAPES),
    ]
    if not quick:
        rows.insert(1, MMRow("MM from 5 times", lesson, all_ten, rounds, 5, MM_SHAPES))
    return rows


def _lfr_kgs(quick: bool) -> list[Row]:
    rows: list[Row] = []
    for first in (24,) if quick else (5_000, 10_000):
        lesson = Lesson("kgs-train", first, "kgs-test", 6 if quick else None, "kgs-valid")
        lesson = replace(lesson, valid_first=4 if quick else None)
        epochs = 5 if quick else 20
        lfr1 = lfr.recipe(epochs=epochs, decay_v=0.0)
        lfr5 = lfr.recipe(epochs=epochs)
        rows += [
            MMRow(f"MM {first}", lesson, "lfr", 6 if quick else 20),
            DescentRow(f"LFR1 {first}", lesson, "lfr", 1, "lfr", lfr1),
            DescentRow(f"LFR5 {first}", lesson, "lfr", 5, "lfr", lfr5),
        ]
    # The last set of games also shows why not all moves are corrected, and what pairs add.
    full = replace(lfr1, push="full")
    without = tuple(name for name in SETS["lfr"] if name != "shape")
    rows += [
        DescentRow(f"Full-LFR1 {first}", lesson, "lfr", 1, "lfr", full),
        DescentRow(f"LFR1 without shapes {first}", lesson, "lfr", 1, without, lfr1),
    ]
    return rows


def _pro_lesson(first: int, quick: bool) -> Lesson:
    few = (6, 4) if quick else (None, None)
    return Lesson("pro19-train", first, "pro19-test", few[0], "pro19-valid", few[1])


def _fbt(features: str, quick: bool) -> list[Row]:
    rows: list[Row] = []
    steps = _QUICK_STEPS if quick else {}
    for name, (first, epochs) in (QUICK_SETS if quick else FBT_SETS).items():
        lesson = _pro_lesson(first, quick)
        for k in (5,) if quick else (5, 10):
            sgd = fbt.recipe("sgd", epochs=epochs, **steps)
            rows.append(DescentRow(f"FBT{k} {name}", lesson, "fbt", k, features, sgd))
        for k in (5,) if quick else (5, 10):
            ranked = lfr.recipe(epochs=epochs)
            rows.append(DescentRow(f"LFR{k} {name}", lesson, "lfr", k, features, ranked))
        k, ours = 5 if quick else 10, fbt.recipe(epochs=3)
        key = f"Our FBT{k} {name}"
        rows.append(DescentRow(key, lesson, "fbt", k, features, ours, spread=fbt.SPREAD))
    return rows


def _fbt_small(quick: bool) -> list[Row]:
    return _fbt("small", quick)


def _fbt_large(quick: bool) -> list[Row]:
    return _fbt("large", quick)


def _fbt_sampling(quick: bool) -> list[Row]:
    rows: list[Row] = []
    steps = _QUICK_STEPS if quick else {}
    sets = {"S1": QUICK_SETS["S2"]} if quick else FBT_SETS
    for name, (first, epochs) in sets.items():
        lesson = _pro_lesson(first, quick)
        for samples in (5, 30) if quick else SAMPLES:
            recipe = fbt.recipe("sgd", samples, epochs=epochs, **steps)
            rows.append(DescentRow(f"S{samples} {name}", lesson, "fbt", 5, "small", recipe))
        full = fbt.recipe("sgd", epochs=epochs, **steps)
        ranked = lfr.recipe(epochs=epochs)
        rows.append(DescentRow(f"Full {name}", lesson, "fbt", 5, "small", full))
        rows.append(DescentRow(f"LFR {name}", lesson, "lfr", 5, "small", ranked))
    return rows


def _patterns(quick: bool) -> list[Row]:
    sets = QUICK_SETS if quick else FBT_SETS
    return [
        PatternsRow(name, replace(_pro_lesson(first, quick), valid=""), 5 if quick else 10)
        for name, (first, _) in sets.items()
    ]


# Every setting of the SPT paper that is varied, with the others left as they are.
SPT_VARIED: dict[str, tuple[int, ...]] = {
    "depth": (2, 4, 6, 8, 10, 15, 20),
    "min_node": (5, 10, 30, 60, 100),
    "samples": (10, 50, 100, 200, 300, 500),
    "leaf_size": (1, 3, 5, 7, 9),
    "trees": (1, 5, 10, 20),
    "positions": (50, 100, 300, 1_000, 3_000),
}
_QUICK_VARIED: dict[str, tuple[int, ...]] = {"depth": (1, 8), "trees": (1, 4)}


def _spt(quick: bool) -> list[Row]:
    lesson = Lesson("kgs-train", 40 if quick else 781, "kgs-test", 3 if quick else 100)
    base = replace(spt.PAPER, trees=4, samples=60) if quick else spt.PAPER
    rows: list[Row] = [SptRow("paper's settings", lesson, base)]
    for name, values in (_QUICK_VARIED if quick else SPT_VARIED).items():
        for value in values:
            if value != getattr(base, name):
                changes: dict[str, Any] = {name: value}
                settings = replace(base, **changes)
                rows.append(SptRow(f"{name} {value}", lesson, settings))
    if not quick:
        more = replace(lesson, first=10_000)
        rows.append(SptRow("our settings", more, spt.SptSettings()))
    return rows


EXPERIMENTS: dict[str, Callable[[bool], list[Row]]] = {
    "mm-kgs": _mm_kgs,
    "lfr-kgs": _lfr_kgs,
    "fbt-small": _fbt_small,
    "fbt-large": _fbt_large,
    "fbt-sampling": _fbt_sampling,
    "patterns": _patterns,
    "spt": _spt,
}


def rows_of(name: str, quick: bool = False) -> list[Row]:
    """The rows of an experiment."""
    return EXPERIMENTS[name](quick)


def needs(rows: Sequence[Row]) -> list[str]:
    """The game records that some rows are made from."""
    return sorted({name for row in rows for name in row.lesson.names()})


def sources_in(folder: Path) -> Sources:
    """The records of all experiments in a folder."""
    names = {name for experiment in EXPERIMENTS for name in needs(rows_of(experiment))}
    return Sources({name: folder / f"{name}.sgf.xz" for name in names})


# --- Running --------------------------------------------------------------------------------


def asked(row: Row) -> Figures:
    """All that a row's figures depend on, as it is after a trip through JSON."""
    return json.loads(json.dumps({"kind": type(row).__name__, **asdict(row)}))


def kept_rows(path: Path, rows: Sequence[Row]) -> Figures:
    """The finished rows of an earlier run that are still wanted, and were good for something."""
    if not path.exists():
        return {}
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))["rows"]
        return {
            row.key: saved[row.key]
            for row in rows
            if row.key in saved
            and saved[row.key]["asked"] == asked(row)
            and not saved[row.key].get("astray")
        }
    except (ValueError, KeyError, TypeError) as error:
        raise CannotReproduce(f"{path} holds no results to go on from ({error})") from None


def run_row(row: Row, bench: Bench) -> Figures:
    """A row's figures with what was asked, when, and how long it took."""
    return run_rows([row], bench)[0]


def run_rows(rows: Sequence[Row], bench: Bench) -> list[Figures]:
    """The same for rows that can be run at once."""
    started = time.perf_counter()
    descents = [row for row in rows if isinstance(row, DescentRow)]
    found = run_together(descents, bench) if descents else [row.run(bench) for row in rows]
    lesson = rows[0].lesson
    games = bench.sources.games(lesson.train, lesson.first)
    about = {
        "games": len(games),
        "moves": int(games.learn.sum()),
        "test_games": len(bench.sources.games(lesson.test, lesson.test_first)),
        "date": date.today().isoformat(),
        "seconds": round((time.perf_counter() - started) / len(rows), 1),
    }
    return [
        json.loads(json.dumps({**figures, "asked": asked(row), **about}))
        for row, figures in zip(rows, found, strict=True)
    ]


def at_once(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows in groups that read the same games in the same way; others stay alone."""
    groups: list[list[Row]] = []
    for row in rows:
        for group in groups:
            if isinstance(row, DescentRow) and row.reads_like(group[0]):
                group.append(row)
                break
        else:
            groups.append([row])
    return groups


def taken_over(row: Row, out: Path) -> Figures | None:
    """The figures of the very same model in another experiment, if it was run there."""
    wanted = {**asked(row), "key": ""}
    for name in EXPERIMENTS:
        file = out / f"{file_name(name, False)}.json"
        if not file.exists():
            continue
        for figures in json.loads(file.read_text(encoding="utf-8"))["rows"].values():
            if {**figures["asked"], "key": ""} == wanted and not figures.get("astray"):
                return {**figures, "asked": asked(row)}
    return None


def reproduce(
    name: str,
    sources: Sources,
    out: Path,
    quick: bool = False,
    threads: int = 2,
    finished: Callable[[Figures], None] | None = None,
    limits: Limits = NO_LIMITS,
) -> Figures:
    """Run the rows of an experiment that are not finished; returns all of them by key.

    After each one the results are written, and `finished` is called with them: a second start
    goes on where the first was stopped. A quick run is always made afresh.
    """
    rows = [row.limited(limits) for row in rows_of(name, quick)]
    if not any(limits.only in row.key for row in rows):
        raise CannotReproduce(f"no row of {name} has {limits.only!r} in its name")
    sources.check(needs(rows))
    file = out / f"{file_name(name, quick)}.json"
    out.mkdir(parents=True, exist_ok=True)
    found = {} if quick else kept_rows(file, rows)
    bench = Bench(sources, threads, None if quick else file.with_suffix(".checkpoint"))
    missing = [row for row in rows if row.key not in found and limits.only in row.key]
    if not quick:
        known = {row.key: taken_over(row, out) for row in missing}
        found |= {key: figures for key, figures in known.items() if figures is not None}
    say(f"{name}: {len(found)} of {len(rows)} rows done before")

    def keep() -> None:
        write_atomically(file, _saved_text(name, found))
        if finished is not None:
            finished(found)

    keep()
    for group in at_once([row for row in missing if row.key not in found]):
        say(f"{name}: {', '.join(row.key for row in group)}")
        found |= {
            row.key: figures for row, figures in zip(group, run_rows(group, bench), strict=True)
        }
        found = {row.key: found[row.key] for row in rows if row.key in found}
        keep()
    return found


def _saved_text(name: str, rows: Figures) -> str:
    """The results as JSON, a row on each line, so that a new row is one changed line."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(row)}" for key, row in rows.items())
    return f'{{"experiment": {json.dumps(name)}, "rows": {{\n{lines}\n}}}}\n'


def file_name(name: str, quick: bool) -> str:
    """What the files of an experiment are called; a quick run leaves the real ones alone."""
    return f"{name}-quick" if quick else name
