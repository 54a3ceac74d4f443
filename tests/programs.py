"""Our own program in a process of its own, as a user or a Go program would start it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parents[1]
PATIENCE = 300  # seconds: not a measurement, just the end of a hanging test


class Finished(NamedTuple):
    """What a process left behind."""

    code: int
    out: bytes
    err: str

    @property
    def replies(self) -> list[str]:
        """The GTP replies, each without the empty line that ends it."""
        text = self.out.decode("utf-8")
        assert text == "" or text.endswith("\n\n"), text
        return text.split("\n\n")[:-1]


def run_program(
    *words: str,
    stdin: bytes = b"",
    home: Path = HOME,
    environment: dict[str, str | None] | None = None,
    cwd: str = "/",
) -> Finished:
    """Run gtp_main.py with these words, from another folder; a None removes a variable."""
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
    done = subprocess.run(
        [sys.executable, str(home / "gtp_main.py"), *words],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={name: value for name, value in variables.items() if value is not None},
        timeout=PATIENCE,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def talk(*lines: str, options: tuple[str, ...] = ()) -> list[str]:
    """Send GTP lines to a fresh engine; its replies. It must leave in peace."""
    done = run_program("gtp", *options, stdin="".join(f"{line}\n" for line in lines).encode())
    assert done.code == 0, done.err
    assert "Traceback" not in done.err, done.err
    return done.replies
