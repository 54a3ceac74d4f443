"""`miai bench tactics`: how long a ladder, a net and a self-atari test take, in microseconds.

The positions come from game records (--games), or else from a few games of random moves, which
every machine can make. Ladders are read for all chains with one liberty (the defender moves)
or two (the attacker does), nets are looked for where such an attack fails, and every legal move
of both colours is tested for self-atari. Measured in CPU time on one thread.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.arguments import positive_number
from engine.commands.games import FILES_HELP, read_games
from engine.commands.main import CommandError
from engine.geometry import BLACK, PASS, opponent
from knowledge.filters import Filters

if TYPE_CHECKING:
    import numpy as np

HELP = "the time for a ladder, a net and a self-atari test"
EVERY = 10  # moves between two positions of a game
RANDOM_GAMES, RANDOM_MOVES, RANDOM_SIZE = 10, 250, 19


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games",
        type=Path,
        metavar="FILE",
        help=f"take positions from {FILES_HELP} (default: random games)",
    )
    parser.add_argument(
        "--seconds",
        type=positive_number,
        default=1.0,
        metavar="S",
        help="how long to measure each (default 1)",
    )
    Filters.add_arguments(parser, first=20)


def _recorded_positions(path: Path, filters: Filters) -> Iterator[np.ndarray]:
    """Every so many moves a board of each game in a file."""
    from engine.position import Position

    for record in read_games(path, filters):
        position = Position.from_stones(record.size, *record.setup)
        for i, (color, p) in enumerate(zip(record.colors, record.points, strict=True), 1):
            position.play(int(color), int(p), suicide=True)
            if i % EVERY == 0:
                yield position.record.copy()


def _random_positions(seed: int) -> Iterator[np.ndarray]:
    """Every so many moves a board of a few random games."""
    from engine.playout.light import light_candidates
    from engine.position import Position

    chance = random.Random(seed)
    for _ in range(RANDOM_GAMES):
        position = Position(RANDOM_SIZE)
        color = BLACK
        for i in range(1, RANDOM_MOVES + 1):
            candidates = light_candidates(position, color)
            position.play(color, chance.choice(candidates) if candidates else PASS)
            color = opponent(color)
            if i % EVERY == 0:
                yield position.record.copy()


def _microseconds(work: Callable[[], Any], count: int, seconds: float) -> float | None:
    """The CPU time that work takes for each of its count answers; it has run once before."""
    if count == 0:
        return None
    rounds = 0
    started = time.thread_time()
    while (passed := time.thread_time() - started) < seconds:
        work()
        rounds += 1
    return round(1e6 * passed / (rounds * count), 3)


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure; a time is None where no position asks the question."""
    import numpy as np

    from engine.tactics import sweep
    from engine.tactics.ladders import CAPTURED, ESCAPES, GAVE_UP, LADDER_LIMIT, new_ladder_scratch

    if args.games is None:
        boards = list(_random_positions(args.seed))
    else:
        boards = list(_recorded_positions(args.games, Filters.from_arguments(args)))
    if not boards:
        raise CommandError(f"no positions in {args.games}: it holds no game we can read")
    all_boards = np.concatenate(boards)
    scratch = new_ladder_scratch()

    chains = sweep.ladder_questions(all_boards)
    moves = sweep.move_questions(all_boards)

    def ladders() -> np.ndarray:
        return sweep.read_ladders(all_boards, chains, scratch, LADDER_LIMIT)

    answers = ladders()
    loose = chains[(answers == ESCAPES) & (chains["what"] == 2)]

    def nets() -> np.ndarray:
        return sweep.find_nets(all_boards, loose, scratch, LADDER_LIMIT)

    def self_ataris() -> np.ndarray:
        return sweep.find_bad_self_ataris(all_boards, moves)

    return {
        "source": "random games" if args.games is None else args.games.name,
        "positions": len(all_boards),
        "ladders": len(chains),
        "captured": int(np.sum(answers == CAPTURED)),
        "gave_up": int(np.sum(answers == GAVE_UP)),
        "ladder_us": _microseconds(ladders, len(chains), args.seconds),
        "nets": len(loose),
        "nets_found": int(np.sum(nets() != PASS)),
        "net_us": _microseconds(nets, len(loose), args.seconds),
        "self_ataris": len(moves),
        "bad_self_ataris": int(np.sum(self_ataris())),
        "self_atari_us": _microseconds(self_ataris, len(moves), args.seconds),
    }
