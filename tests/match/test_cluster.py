"""A real Dask scheduler with two workers on this machine: the same results, and none lost."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.cluster import WorkFailed, open_workers
from engine.commands.main import main
from engine.match.results import Results
from engine.match.run import Standing, play_match
from engine.match.terms import Terms
from knowledge.features import FeatureSet
from knowledge.harvest import harvest
from knowledge.mm import extract
from knowledge.records import read_games
from knowledge.spread_extraction import extract_by
from match.fakes import LEFT, fake_command, left, right
from programs import HOME

pytest.importorskip("distributed", reason="Dask's distributed is not installed (extra cluster)")

PATIENCE = 300.0
RECORDS = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen] = []
        paths = os.pathsep.join([str(HOME), str(HOME / "tests")])
        self._environment = {
            **os.environ,
            "PYTHONPATH": paths,
            "DASK_LOGGING__DISTRIBUTED": "error",
        }
        self._contact = folder / "scheduler.json"
        contact = ["--scheduler-file", str(self._contact)]
        here = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--idle-timeout", "900"]
        self.scheduler = self._start("scheduler", *here, *contact)
        wait_for(self._contact.exists)
        self.address = json.loads(self._contact.read_text())["address"]

    def _start(self, kind: str, *options: str) -> subprocess.Popen:
        program = [sys.executable, "-m", f"distributed.cli.dask_{kind}"]
        with (self.folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [*program, *options], env=self._environment, stdout=log, stderr=log,
                cwd=self.folder,
            )  # fmt: skip

    def add_worker(self) -> None:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        options += ["--death-timeout", "60"]  # so that nobody is left if the tests are killed
        self.workers.append(self._start("worker", self.address, *options))

    def close(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
        for process in [*self.workers, self.scheduler]:
            process.wait()


def wait_for(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the cluster did not come up"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    result = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        for _ in range(2):
            result.add_worker()
        with open_workers(address=result.address) as workers:
            wait_for(lambda: len(workers._client.scheduler_info()["workers"]) == 2)
        yield result
    finally:
        result.close()


def played(folder: Path) -> list[tuple]:
    """What must be the same wherever a game is played."""
    names = ("game", "black", "winner", "result", "reason", "moves", "line", "opening")
    lines = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    return sorted(tuple(str(line[name]) for name in names) for line in lines)


def test_a_match_is_the_same_as_here(
    cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    west = f"west={fake_command('--moves', repr(LEFT))}"
    words = ["match", "--black", west, "--white", "flat:light", "--games", "6", "--size", "5"]
    words += ["--share-cores", "--referee", "none", "--playouts", "50"]
    assert main([*words, "--out", str(tmp_path / "here")]) == 0
    assert main([*words, "--out", str(tmp_path / "there"), "--cluster", cluster.address]) == 0
    assert len(played(tmp_path / "here")) == 6
    assert played(tmp_path / "here") == played(tmp_path / "there")
    records = [sorted((tmp_path / where / "games").iterdir()) for where in ("here", "there")]
    for here, there in zip(*records, strict=True):
        assert here.read_text() == there.read_text()


@pytest.mark.parametrize("kind", ["trials", "screening"])
def test_tuning_is_the_same_as_here(cluster: Cluster, tmp_path: Path, kind: str) -> None:
    pytest.importorskip("optuna", reason="Optuna is not installed (extra tune)")
    player = fake_command("--moves", repr(LEFT), "--resign-below", "1")
    words = ["tune", "c_puct=0.1:10", "expand_at", "--player", f"me={player}", "--size", "5"]
    words += ["--games", "4", "--share-cores", "--openings", "random:2"]
    if kind == "trials":
        words += ["--trials", "5", "--against", f"you={fake_command()}"]
    else:
        words += ["--screen"]
    assert main([*words, "--out", str(tmp_path / "here")]) == 0
    assert main([*words, "--out", str(tmp_path / "there"), "--cluster", cluster.address]) == 0
    here, there = (
        sorted((tmp_path / where / "trials.jsonl").read_text().splitlines())
        for where in ("here", "there")
    )
    assert len(here) == (5 if kind == "trials" else 2)
    assert here == there


def test_a_worker_killed_in_the_middle_loses_no_game_and_counts_none_twice(
    cluster: Cluster, tmp_path: Path
) -> None:
    terms = Terms(left("--pause", "0.05"), right(), size=5, share_cores=True)
    results = Results(terms, tmp_path)
    victim = cluster.workers[0]

    def kill(standing: Standing) -> None:
        victim.kill()
        victim.wait()

    with open_workers(address=cluster.address) as workers:
        standing = play_match(results, 8, lambda pair: (), workers, keep=False, on_game=kill)
    cluster.add_worker()
    assert standing.score.games == 8
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["game"] for line in lines) == list(range(8))


def test_training_data_are_the_same_as_here(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.mm._BLOCK", 200)
    games = read_games(RECORDS, progress=False).first(12)
    features = FeatureSet("mm", harvest(games, 4))
    assert features.needs_playouts
    here = extract(games, features, seed=3)
    with open_workers(address=cluster.address) as workers:
        there = extract_by(workers)(games, features, 1, None, 3)
    assert len(here.blocks) > 1
    assert np.array_equal(here.wins, there.wins)
    for ours, theirs in zip(here.blocks, there.blocks, strict=True):
        for name in ("starts", "winners", "strength", "total"):
            assert np.array_equal(getattr(ours, name), getattr(theirs, name))
        for one, other in zip(ours.columns, theirs.columns, strict=True):
            for array, same in zip(one, other, strict=True):
                assert array.dtype == same.dtype
                assert np.array_equal(array, same)


def test_an_error_over_there_is_told_here(cluster: Cluster) -> None:
    with (
        open_workers(address=cluster.address) as workers,
        pytest.raises(WorkFailed, match="nothing to do for 3"),
    ):
        list(workers.map("match.work_items:fail", [{"n": 3}]))


def test_who_waits_for_a_worker_or_has_lost_the_scheduler_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    alone = Cluster(tmp_path)
    items = ({"n": n} for n in range(1000))
    try:
        with open_workers(address=alone.address) as workers:
            threading.Timer(1.0, alone.add_worker).start()
            results = workers.map("match.work_items:square", items)
            assert next(results)[1]["square"] >= 0
            assert capsys.readouterr().err == f"waiting for a worker at {alone.address}\n"
            alone.scheduler.kill()
            with pytest.raises(WorkFailed, match=r"^(the cluster gave up|lost the scheduler).*$"):
                list(results)
            assert not logging.getLogger("distributed.client").isEnabledFor(logging.ERROR)
    finally:
        alone.close()


def test_a_worker_killed_in_the_middle_loses_no_item_and_counts_none_twice(
    cluster: Cluster, tmp_path: Path
) -> None:
    items = [{"n": n, "folder": str(tmp_path), "seconds": 0.3} for n in range(12)]
    victim = cluster.workers[1]

    def at_work() -> bool:
        return any(file.read_text() == str(victim.pid) for file in tmp_path.iterdir())

    with open_workers(address=cluster.address) as workers:
        results = workers.map("match.work_items:note_and_wait", items)
        found = [next(results)[1]["n"]]
        wait_for(at_work)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        found += [result["n"] for _, result in results]
    assert sorted(found) == list(range(12))
    calls = Counter(int(file.name.split("-")[0]) for file in tmp_path.iterdir())
    assert set(calls) == set(range(12))
    cluster.add_worker()
