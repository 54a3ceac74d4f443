"""Work for tests of workers: it notes in a folder how often it is called."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any


def square(item: dict[str, Any]) -> dict[str, Any]:
    return {"square": item["n"] ** 2, "worker": os.getpid()}


def fail(item: dict[str, Any]) -> dict[str, Any]:
    raise ValueError(f"nothing to do for {item['n']}")


def note_and_wait(item: dict[str, Any]) -> dict[str, Any]:
    """Leave a file with the worker's process for each call, then take a while."""
    folder = Path(item["folder"])
    (folder / f"{item['n']}-{time.time_ns()}").write_text(str(os.getpid()))
    time.sleep(item["seconds"])
    return {"n": item["n"]}


def die_the_first_time(item: dict[str, Any]) -> dict[str, Any]:
    """Take the worker down, unless somebody died over this item before."""
    mark = Path(item["folder"]) / f"dead-{item['n']}"
    if item["n"] in item["deadly"] and (item.get("always") or not mark.exists()):
        mark.touch()
        os._exit(1)
    return {"n": item["n"]}
