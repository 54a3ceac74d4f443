"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from engine.warmup import Kernels

# A kernel's first call compiles it, and the machine may be busy: time says nothing here.
settings.register_profile("miai", deadline=None)
settings.load_profile("miai")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder with game records, which not every machine has."""
    beside_the_clone = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("MIAI_SHARED_DATA") or beside_the_clone)
    if not folder.is_dir():
        pytest.skip("there are no shared game records here (set MIAI_SHARED_DATA to their folder)")
    return folder


class Loaded(Kernels):
    """Nobody waits for the search: each test loads what it needs itself."""

    def wait(self) -> None:
        pass


@pytest.fixture(scope="session")
def kernels() -> Kernels:
    """Kernels that a GTP session in this process need not wait for."""
    return Loaded()
