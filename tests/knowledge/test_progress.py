"""The progress bar: silent for quick work, a line for long work, a bar on a terminal only."""

from __future__ import annotations

import io
import sys

import pytest

from knowledge import progress
from knowledge.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    return now


def work(
    clock: list[float], steps: int, seconds: float, note: str = "", quiet: bool = False
) -> str:
    err = sys.stderr
    with Progress("Reading", quiet=quiet) as bar:
        for i in range(1, steps + 1):
            clock[0] += seconds
            bar.update(10 * i, 10 * steps, note)
    return err.getvalue()


def test_quick_work_leaves_no_trace(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        assert work(clock, 9, 0.1) == ""


def test_a_log_gets_one_line(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert work(clock, 90, 1.0) == "Reading: 900 games in 1:30 min\n"
    assert work(clock, 5, 1.0, "loss 0.5").endswith("Reading: 50 games in 5 s, loss 0.5\n")


def test_a_terminal_gets_a_bar(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("COLUMNS", "120")
    lines = work(clock, 20, 0.5, "top-1 34%").split("\r")
    bars = [line for line in lines if "[" in line]
    assert len(bars) == 19  # none in the first second
    half = next(line for line in bars if " 100 of 200 games" in line)
    assert half.startswith(
        f"Reading [{'#' * 12}{'.' * 12}] 100 of 200 games, 20/s, 5 s left, top-1"
    )
    assert all(len(line) <= 119 for line in bars)
    assert lines[-2].strip() == ""
    assert lines[-1] == "Reading: 200 games in 10 s, top-1 34%\n"


def test_the_bar_is_not_drawn_all_the_time(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert work(clock, 4000, 0.001).count("[") <= 16


def test_quiet(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert work(clock, 20, 1.0, quiet=True) == ""


def test_an_error_is_not_called_done(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())

    def fail() -> None:
        with Progress("Reading"):
            clock[0] += 5
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert sys.stderr.getvalue() == ""


def test_no_stderr_is_no_trouble(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with Progress("Reading") as bar:
        clock[0] += 5
        bar.update(1, 2)
