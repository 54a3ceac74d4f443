"""A program on a leash: it ends with us, and whatever it has started ends with it.

The program leads a process group of its own. A shell beside it waits for the end of a pipe that
only we hold, and then kills the group: it is the same whether we let go or are killed ourselves.
Where there are no process groups the program alone is killed.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Sequence
from subprocess import DEVNULL, PIPE

from engine.match.cores import pin

_HAS_GROUPS = os.name == "posix"
_WAIT_AND_KILL = ("/bin/sh", "-c", 'read -r _; kill -s KILL -- "-$0"')


class Leash:
    """A running program with pipes to it, on given cores."""

    def __init__(self, command: Sequence[str], cores: Collection[int] | None) -> None:
        self.process = subprocess.Popen(
            list(command), stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
        pin(self.process.pid, cores)  # its threads are still to come and inherit this
        self._holder: subprocess.Popen[bytes] | None = None
        if _HAS_GROUPS:
            # In another group, too: a signal to ours must spare the one who ends the program.
            self._holder = subprocess.Popen(
                [*_WAIT_AND_KILL, str(self.process.pid)],
                stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True,
            )  # fmt: skip

    def kill(self) -> None:
        """End the program and all that is left of its group."""
        if self._holder is not None:
            self._holder.communicate()
        self.process.kill()
        self.process.wait()
