"""What the engine is thinking about, and which lines of input end it early.

The client's lines arrive in one thread and are carried out in another. Most of them wait for
their turn. But some mean what is going on right now:

- `# interrupt` (GoGui) and `stop` end any thinking: the best move so far is the answer.
- An analysis ends at any line at all, an empty one too, and at the end of the input.
- `quit` and the end of the input end any thinking, if they come while it goes on. In a script
  that is piped in all at once they are there before, and every move is thought about in full.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# A `quit` so soon after the thinking began was sent together with the command.
TOGETHER = 0.05
# How often the player is told again to stop: it may not have begun when it was told first.
INSISTENCE = 0.02


class Attention:
    """Shared by the thread that reads and the thread that thinks."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stop: Callable[[], None] | None = None
        self._is_analysis = False
        self._may_hurry = True
        self._began = 0.0
        self._urgent = False
        self._insisting = False

    # --- Told by the thread that thinks --------------------------------------------------

    def new_command(self) -> None:
        """Another command begins: what was urgent before meant an older one."""
        with self._changed:
            self._urgent = False

    @contextmanager
    def thinking(
        self, stop: Callable[[], None], *, analysis: bool = False, may_hurry: bool = True
    ) -> Iterator[None]:
        """While inside, lines of input may call `stop`; what may not hurry ends only to leave."""
        with self._changed:
            self._stop, self._is_analysis, self._began = stop, analysis, time.monotonic()
            self._may_hurry = may_hurry
            if self._urgent and may_hurry:
                self._insist()
        try:
            yield
        finally:
            with self._changed:
                self._stop = None
                self._urgent = False
                self._changed.notify_all()
                # Whoever insists must be gone before the next thinking begins.
                while self._insisting:
                    self._changed.wait()

    @property
    def is_pressing(self) -> bool:
        """Whether somebody waits for the thinking that goes on to end."""
        return self._insisting

    # --- Told by the thread that reads ---------------------------------------------------

    def line_arrived(self, content: bytes) -> None:
        """A line has come in, whatever it says."""
        words = content.strip().lstrip(b"0123456789").split()
        with self._changed:
            if words[:2] == [b"#", b"interrupt"] or words[:1] == [b"stop"]:
                self._urgent = True
                if self._may_hurry:
                    self._insist()
            elif words[:1] == [b"quit"]:
                self._leave()
            elif self._is_analysis:
                self._insist()

    def input_ended(self) -> None:
        """Nothing more will come."""
        with self._changed:
            self._leave()

    def _leave(self) -> None:
        if self._is_analysis or time.monotonic() - self._began > TOGETHER:
            self._insist()

    def _insist(self) -> None:
        """Tell the player to stop until it has."""
        if self._stop is not None and not self._insisting:
            self._insisting = True
            threading.Thread(target=self._keep_telling, name="stopper", daemon=True).start()

    def _keep_telling(self) -> None:
        with self._changed:
            while self._stop is not None:
                self._stop()
                self._changed.wait(INSISTENCE)
            self._insisting = False
            self._changed.notify_all()
