"""Words for the person who started the program. They go to stderr: stdout belongs to GTP."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Write a line to stderr; where there is no stderr, nothing happens."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass


def why(error: OSError) -> str:
    """What the system says about a file, in a line."""
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename is not None else reason
