"""Work for many cores or many machines, through one small face: items in, results out.

A piece of work is a function by its name, `package.module:function`, and an item, a plain object
ready for JSON; so is its result. `open_workers` gives local processes, or the workers of a Dask
scheduler if there is an address. Results come in any order. A worker that dies loses nothing: its
item is given to another one, so a function may be called twice for an item, but each item has one
result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, Self

Item = dict[str, Any]
Result = dict[str, Any]
TRIES = 4  # how many workers an item may outlive


class WorkFailed(RuntimeError):
    """An item could not be done; the text says why."""


class Workers(Protocol):
    """Whoever does the work. Used as a context manager, they are gone at the end."""

    @property
    def count(self) -> int:
        """How many items are done at once."""

    def map(self, function: str, items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """The items with their results as they are done; items are taken when needed."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def open_workers(jobs: int = 1, address: str | None = None, patience: float = math.inf) -> Workers:
    """Local processes, or the workers of a scheduler; WorkFailed if it is out of reach.

    Results of local ones are waited for so many seconds from now on; what is not done then is
    given up."""
    if address is None:
        from engine.cluster.local import LocalWorkers

        return LocalWorkers(jobs, patience)
    from engine.cluster.scheduler import ScheduledWorkers

    return ScheduledWorkers(address)
