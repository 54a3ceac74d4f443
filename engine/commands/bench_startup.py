"""`miai bench startup`: how long a user waits for the engine, measured in fresh processes.

Cold is the very first start, when no kernel has been compiled; warm is every later one. The
cold starts get a new, empty cache folder each, so the user's own is left alone.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from engine.commands.arguments import positive_integer
from engine.commands.main import CommandError

HELP = "the time from starting the engine to its answers and to its first move"
HANDSHAKE = ("name", "version", "protocol_version", "list_commands")
FIRST_MOVE = ("boardsize 9", "genmove b")
PATIENCE = 300.0
HOME = Path(__file__).resolve().parents[2]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repeat",
        type=positive_integer,
        default=5,
        metavar="N",
        help="starts per figure, of which the median counts (default 5)",
    )


def seconds_to_answer(commands: tuple[str, ...], cache: str) -> float:
    """Start an engine, send it commands in one go, and return when the last one is answered."""
    environment = {**os.environ, "MIAI_CACHE_DIR": cache, "PYTHONPATH": str(HOME)}
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "engine.commands.main", "gtp", "--sims", "100"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    watchdog = threading.Timer(PATIENCE, process.kill)
    watchdog.start()
    try:
        process.stdin.write("".join(f"{command}\n" for command in commands).encode())
        process.stdin.flush()
        answered = 0
        while answered < len(commands):
            line = process.stdout.readline()
            if not line or line.startswith(b"?"):
                raise CommandError("the engine did not answer; does `miai gtp` work?")
            answered += line == b"\n"
        seconds = time.perf_counter() - started
        process.communicate(b"quit\n")
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
    return seconds


def run(args: argparse.Namespace) -> dict[str, Any]:
    """The figures, in seconds; the cold first move is measured once."""
    with tempfile.TemporaryDirectory() as folder:
        empty = [str(Path(folder) / f"cold-{i}") for i in range(args.repeat)]
        handshakes_cold = [seconds_to_answer(HANDSHAKE, cache) for cache in empty]
        full = str(Path(folder) / "full")
        first_move_cold = seconds_to_answer(FIRST_MOVE, full)
        handshakes_warm = [seconds_to_answer(HANDSHAKE, full) for _ in range(args.repeat)]
        first_moves_warm = [seconds_to_answer(FIRST_MOVE, full) for _ in range(args.repeat)]
    cold, warm = statistics.median(handshakes_cold), statistics.median(handshakes_warm)
    return {
        "handshake_seconds": round(max(cold, warm), 3),
        "handshake_seconds_cold": round(cold, 3),
        "handshake_seconds_warm": round(warm, 3),
        "first_move_seconds_warm": round(statistics.median(first_moves_warm), 3),
        "first_move_seconds_cold": round(first_move_cold, 3),
    }
