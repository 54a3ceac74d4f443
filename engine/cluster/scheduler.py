"""Workers of a Dask scheduler, on any number of machines that have Miai installed."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from typing import Any, Self
from uuid import uuid4

from engine.cluster import TRIES, Item, Result, WorkFailed
from engine.cluster.worker import answer
from engine.console import say

PATIENCE = 10.0  # seconds for the scheduler to answer
_ADDRESS = re.compile(r"(?:tcp|tls|ucx)://(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})", re.ASCII)
_AHEAD = 1  # items that wait at the scheduler for each that is worked on


class ScheduledWorkers:
    """All workers that a scheduler has, as they come and go."""

    def __init__(self, address: str) -> None:
        self._address = _checked(address)
        try:
            from distributed import Client
        except ImportError:
            raise WorkFailed(
                "--cluster needs Dask's distributed: pip install 'miai[cluster]'"
            ) from None
        _quiet()
        try:
            self._client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WorkFailed(f"no scheduler at {address}: {_first_line(error)}") from None

    @property
    def count(self) -> int:
        """How many items are worked on at once: the threads of all workers."""
        return max(1, sum(self._client.nthreads().values()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def map(self, function: str, items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """Keep the workers busy and one item for each in reserve.

        Dask runs an item again whose worker died; its result still comes once, by its key.
        """
        from distributed import as_completed

        source = iter(items)
        name = f"miai-{uuid4().hex[:8]}"
        waiting: dict[str, Item] = {}
        number = 0
        finished = as_completed(loop=self._client.loop)

        def hand_out() -> None:
            nonlocal number
            while len(waiting) < (1 + _AHEAD) * self.count:
                item = next(source, None)
                if item is None:
                    return
                line = json.dumps({"function": function, "item": item})
                future = self._client.submit(
                    answer, line, key=f"{name}-{number}", pure=False, retries=TRIES
                )
                number += 1
                waiting[future.key] = item
                finished.add(future)

        try:
            if not self._client.nthreads():
                say(f"waiting for a worker at {self._address}")
            hand_out()
            for future in finished:
                item = waiting.pop(future.key)
                yield item, _result(future)
                future.release()
                hand_out()
        except (OSError, CancelledError) as error:
            text = f"lost the scheduler at {self._address}: {_first_line(error)}"
            raise WorkFailed(text) from None
        finally:
            self._client.cancel(list(finished.futures), force=True)


def _checked(address: str) -> str:
    """The address if it can be one; Dask would try others for a long time."""
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[1]) < 65536:
        raise WorkFailed(f"{address!r} is no scheduler's address, such as tcp://host:8786")
    return address


def _quiet() -> None:
    """Keep back what Dask itself writes: whoever waits is told by WorkFailed, in one line."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _result(future: Any) -> Result:
    try:
        reply = json.loads(future.result())
    except CancelledError:  # nobody here has cancelled anything: the scheduler is gone
        raise
    except Exception as error:
        raise WorkFailed(f"the cluster gave up an item: {_first_line(error)}") from None
    if "error" in reply:
        raise WorkFailed(reply["error"].strip())
    return reply["result"]
