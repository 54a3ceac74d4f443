"""The cores of a game: who sits on them, and that they are given back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.match.players import Entrant
from engine.match.terms import FIRST, SECOND, Terms
from engine.match.work import Bench
from match.fakes import fake, left, one_game, right

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="processes can't be pinned here"
)


@pytest.fixture(autouse=True)
def other_matches_are_far_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.mark.parametrize("apart", [False, True])
def test_the_referee_sits_on_the_cores_of_the_game(apart: bool) -> None:
    bench = Bench(Terms(left(), right(), referee=fake("judge"), apart=apart))
    try:
        places = [bench.seat(who)._client._process.pid for who in (FIRST, SECOND)]
        judge = bench.call_referee()
        try:
            cores = os.sched_getaffinity(judge._client._process.pid)
        finally:
            judge.close()
        assert cores == set().union(*map(os.sched_getaffinity, places))
        assert len(cores) == min(1 + apart, len(os.sched_getaffinity(0)))
    finally:
        bench.close()


def test_flat_players_leave_the_worker_free() -> None:
    cores = os.sched_getaffinity(0)
    players = (Entrant(name, policy="light") for name in ("one", "other"))
    try:
        one_game(*players, playouts=5, share_cores=False)
        assert os.sched_getaffinity(0) == cores
    finally:
        os.sched_setaffinity(0, cores)
