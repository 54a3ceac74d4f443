"""What a board size needs, loaded before anybody waits for it.

The model of moves takes a second or two, which is more than some clocks give for a move, and a
thread that loads can't be told to stop. So it is loaded in the background as soon as the size is
known.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.parameters import Settings
    from engine.warmup import Kernels


class Foresight:
    """Loads what the latest size needs, in a thread of its own; `load` may fail."""

    def __init__(self, load: Callable[[int], object]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._wanted = 0
        self._is_loading = False

    def expect(self, size: int) -> None:
        """A game of this size may begin; sizes that came before it are no longer wanted."""
        with self._lock:
            self._wanted = size
            if self._is_loading:
                return
            self._is_loading = True
        threading.Thread(target=self._load_all, name="foresight", daemon=True).start()

    def _load_all(self) -> None:
        size = 0
        while True:
            with self._lock:
                if size == self._wanted:
                    self._is_loading = False
                    return
                size = self._wanted
            # Whoever needs it will fail in the same way, and has somebody to tell.
            with suppress(Exception):
                self._load(size)


def model_foresight(kernels: Kernels, settings: Settings) -> Foresight:
    """Loads the model of moves that the settings name, once the kernels are there."""

    def load(size: int) -> None:
        kernels.wait()
        from engine.priors import knowledge_of
        from engine.search import predictor_for

        # A file that somebody names is loaded by each search anew, so there is no use.
        if not settings.text("weights", size):
            knowledge_of(predictor_for(settings, size))

    return Foresight(load)
