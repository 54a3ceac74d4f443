"""`miai bench playouts`: how many playouts a second, from the empty board.

One thread is measured in CPU time, which a busy machine disturbs little. Several threads are
measured in wall time, beside one thread in wall time, because that is what their user gets.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from typing import Any

from engine.commands.arguments import board_size, positive_integer, positive_number
from engine.geometry import BLACK
from engine.playout import POLICIES

HELP = "playouts per second from the empty board"
CHUNK_SECONDS = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy", choices=POLICIES, default="light", help="playout policy (default light)"
    )
    parser.add_argument(
        "--size", type=board_size, default=19, metavar="N", help="board size (default 19)"
    )
    parser.add_argument(
        "--seconds", type=positive_number, default=5.0, metavar="S",
        help="how long to measure (default 5)",
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=positive_integer, default=1, metavar="T", help="threads (default 1)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default 1)")


def _playouts_of(policy: str, size: int, seed: int) -> Callable[[int], int]:
    """What plays a number of playouts from the empty board and returns the moves they took."""
    from engine.position import Position

    position = Position(size)
    if policy == "light":
        # The yardstick for the board: no score, no owners, no record of the moves.
        from engine.playout.light import light_playouts
        from engine.rng import new_rng

        rng = new_rng(seed)
        return lambda count: light_playouts(position, BLACK, rng, count)
    from engine.playout.policy import Runner, named_policy

    runner = Runner(named_policy(policy, size), seed)
    return lambda count: runner.moves_played(position, BLACK, count)


class _Worker:
    """One thread's own board and generator, running playouts for a time."""

    def __init__(self, policy: str, size: int, seed: int) -> None:
        self._play = _playouts_of(policy, size, seed)
        self.playouts = 0
        self.moves = 0
        self._chunk = 1
        self._run_chunk()  # the first call may compile
        while self._run_chunk() < CHUNK_SECONDS:
            self._chunk *= 2

    def _run_chunk(self) -> float:
        started = time.perf_counter()
        self.moves += self._play(self._chunk)
        self.playouts += self._chunk
        return time.perf_counter() - started

    def run(self, seconds: float) -> None:
        """Count what is played from now on until the time is over, in wall seconds."""
        self.playouts = self.moves = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._run_chunk()


def _wall_rate(workers: list[_Worker], seconds: float) -> float:
    """Playouts per wall second of all workers together, each on a thread of its own."""
    threads = [threading.Thread(target=worker.run, args=(seconds,)) for worker in workers]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(worker.playouts for worker in workers) / (time.perf_counter() - started)


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure; ns_per_move is the time of one thread."""
    workers = [_Worker(args.policy, args.size, args.seed + i) for i in range(args.threads)]
    result: dict[str, Any] = {"policy": args.policy, "size": args.size, "threads": len(workers)}
    if len(workers) == 1:
        (worker,) = workers
        started = time.thread_time()
        worker.run(args.seconds)
        rate = worker.playouts / (time.thread_time() - started)
        result["clock"] = "cpu"
    else:
        single = _wall_rate(workers[:1], args.seconds)
        rate = _wall_rate(workers, args.seconds)
        result["clock"] = "wall"
        result["playouts_per_second_1_thread"] = round(single)
        result["scaling"] = round(rate / single, 3)
    playouts = sum(worker.playouts for worker in workers)
    moves = sum(worker.moves for worker in workers)
    result["playouts_per_second"] = round(rate)
    result["moves_per_playout"] = round(moves / playouts, 2)
    result["ns_per_move"] = round(1e9 * len(workers) / (rate * moves / playouts), 2)
    result["playouts"] = playouts
    return result
