"""What all tests share."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
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


@pytest.fixture(scope="session")
def kernels() -> Iterator[Kernels]:
    """Kernels that a GTP session in this process can wait for."""
    result = Kernels()
    result.start()
    yield result
    for thread in threading.enumerate():
        if thread.name == "kernels":
            thread.join()
