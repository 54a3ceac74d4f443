"""Workers on this machine: all items are done, each counts once, whatever dies."""

from __future__ import annotations

import errno
import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cluster import TRIES, WorkFailed, open_workers
from engine.commands.main import main
from engine.match.terms import GameItem, Terms
from engine.match.work import FUNCTION
from match.fakes import left, right

WORK = "match.work_items"


@pytest.fixture(autouse=True)
def work_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[1]))


def test_items_are_done_by_several_processes() -> None:
    items = [{"n": n} for n in range(20)]
    with open_workers(2) as workers:
        assert workers.count == 2
        found = list(workers.map(f"{WORK}:square", items))
    assert sorted((item["n"], result["square"]) for item, result in found) == [
        (n, n * n) for n in range(20)
    ]
    assert 1 <= len({result["worker"] for _, result in found}) <= 2


def test_items_are_taken_when_they_are_needed() -> None:
    taken = []

    def items():
        for n in range(100):
            taken.append(n)
            yield {"n": n}

    with open_workers(1) as workers:
        for _ in workers.map(f"{WORK}:square", items()):
            break
    assert len(taken) < 50


def test_nobody_is_waited_for_beyond_patience(tmp_path: Path) -> None:
    items = [{"n": n, "folder": str(tmp_path), "seconds": 300 * n} for n in range(3)]
    started = time.monotonic()
    with open_workers(1, patience=5.0) as workers:
        found = [result["n"] for _, result in workers.map(f"{WORK}:note_and_wait", items)]
    assert found == [0]
    assert time.monotonic() - started < 60
    process = int(next(tmp_path.glob("1-*")).read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    items = [{"n": n, "folder": str(tmp_path), "deadly": [1, 4]} for n in range(6)]
    with open_workers(2) as workers:
        found = [result["n"] for _, result in workers.map(f"{WORK}:die_the_first_time", items)]
    assert sorted(found) == list(range(6))
    assert len(list(tmp_path.glob("dead-*"))) == 2


def test_an_item_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    items = [{"n": 0, "folder": str(tmp_path), "deadly": [0], "always": True}]
    with (
        open_workers(1) as workers,
        pytest.raises(WorkFailed, match=f"{TRIES} workers died over the same item"),
    ):
        list(workers.map(f"{WORK}:die_the_first_time", items))


def test_an_error_is_passed_on_in_a_line() -> None:
    told = r"^ValueError: nothing to do for 7 \(work_items\.py, line \d+\)$"
    with open_workers(1) as workers, pytest.raises(WorkFailed, match=told):
        list(workers.map(f"{WORK}:fail", [{"n": 7}]))


def test_a_worker_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more(*_: object) -> None:
        raise OSError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr("engine.cluster.local._Process", no_more)
    errors: list[str] = []

    def work() -> None:
        with open_workers(1) as workers:
            try:
                list(workers.map(f"{WORK}:square", [{"n": 1}]))
            except WorkFailed as error:
                errors.append(str(error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(20)
    assert errors == ["no worker can be started: no more processes"]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups here")
def test_nobody_is_left_behind(tmp_path: Path) -> None:
    items = [{"n": n, "folder": str(tmp_path), "seconds": 0.0 if n == 0 else 60} for n in range(2)]
    with open_workers(1) as workers:
        results = workers.map(f"{WORK}:note_and_wait", items)
        next(results)
        while len(list(tmp_path.iterdir())) < 2:
            time.sleep(0.05)
    process = int(next(iter(tmp_path.iterdir())).read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize("games", [1, 2])
def test_programs_are_told_to_quit_when_there_is_no_more_to_do(games: int, tmp_path: Path) -> None:
    note = tmp_path / "farewell"
    terms = Terms(left("--farewell", str(note)), right(), size=5, share_cores=True).to_json()
    items = [
        {"terms": terms, "game": GameItem(n, True).to_json(), "keep": True} for n in range(games)
    ]
    with open_workers(1) as workers:
        assert len(list(workers.map(FUNCTION, items))) == games
        assert not note.exists()
    assert note.exists()


def test_a_scheduler_out_of_reach_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="Dask's distributed is not installed")
    monkeypatch.setattr("engine.cluster.scheduler.PATIENCE", 0.3)
    with pytest.raises(WorkFailed, match=r"^no scheduler at tcp://127.0.0.1:9: ") as caught:
        open_workers(address="tcp://127.0.0.1:9")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    ["", "foo", "tcp://127.0.0.1", "http://localhost:1", "tcp://a:0", "tcp://a:65536", "tcp://a:²"],
)
def test_an_address_that_can_be_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(WorkFailed, match=f"^{re.escape(repr(address))} is no scheduler's address"):
        open_workers(address=address)


def test_a_match_without_a_scheduler_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    pytest.importorskip("distributed", reason="Dask's distributed is not installed")
    monkeypatch.setattr("engine.cluster.scheduler.PATIENCE", 0.3)
    words = ["match", "flat:light", "flat:light", "--out", str(tmp_path / "out")]
    assert main([*words, "--cluster", "tcp://127.0.0.1:9"]) == 2
    assert "miai match: no scheduler at tcp://127.0.0.1:9: " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_items_that_break_off_are_told() -> None:
    def items() -> Iterator[dict[str, int]]:
        yield {"n": 1}
        raise ValueError("no more openings")

    with open_workers(2, None) as workers, pytest.raises(ValueError, match="no more openings"):
        list(workers.map(f"{WORK}:square", items()))
