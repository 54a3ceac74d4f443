"""`miai bench features`: how long it takes to extract the features of all moves of a position.

The positions come from game records, one every ten moves. The patterns that are looked for are
those played at least --min-count times in the same games. Playouts for sets that need them are
not part of the figure. Measured in CPU time on one thread; of many rounds the fastest counts, so
that a busy machine changes little.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.arguments import positive_integer, positive_number
from engine.commands.games import FILES_HELP, read_games
from engine.commands.main import CommandError
from knowledge.filters import Filters
from knowledge.groups import SETS

if TYPE_CHECKING:
    import numpy as np

    from knowledge.games import Games

HELP = "the time for the features of a position's moves"
EVERY = 10  # moves between two positions of a game
AT_ONCE = 5  # positions that are timed together


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games",
        required=True,
        type=Path,
        metavar="FILE",
        help=f"take positions from {FILES_HELP}",
    )
    parser.add_argument(
        "--set", choices=SETS, default="best", help="which set of features (default best)"
    )
    parser.add_argument(
        "--min-count",
        type=positive_integer,
        default=10,
        metavar="N",
        help="how often a pattern must have been played to be known (default 10)",
    )
    parser.add_argument(
        "--seconds",
        type=positive_number,
        default=2.0,
        metavar="S",
        help="how long to measure (default 2)",
    )
    Filters.add_arguments(parser, first=20)


def _positions(games: Games) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every so many moves a board of each game, the side to move, and what came before."""
    import numpy as np

    from engine.position import Position
    from knowledge.features import History

    boards, colors, moments = [], [], []
    for record in games:
        position = Position.from_stones(record.size, *record.setup)
        played: list[int] = []
        for color, p in zip(record.colors.tolist(), record.points.tolist(), strict=True):
            if len(played) % EVERY == EVERY - 1:
                boards.append(position.record.copy())
                colors.append(color)
                moments.append(History.after(played).record())
            position.play(color, p, suicide=True)
            played.append(p)
    if not boards:
        raise CommandError("the games are too short: no positions in them")
    return np.concatenate(boards), np.array(colors, np.uint8), np.concatenate(moments)


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure, in microseconds a position."""
    import numpy as np

    from knowledge.features import PATTERN_GROUPS, Extractor, FeatureSet
    from knowledge.harvest import harvest

    games = read_games(args.games, Filters.from_arguments(args))
    arrays = _positions(games)
    wanted = set(SETS[args.set]) & set(PATTERN_GROUPS)
    dictionary = harvest(games, args.min_count) if wanted else None
    features = FeatureSet(args.set, dictionary)
    extractor = Extractor(features)
    count = len(arrays[0])
    moves = [extractor.run(*(a[i : i + 1] for a in arrays)) for i in range(count)]
    parts = [tuple(a[i : i + AT_ONCE] for a in arrays) for i in range(0, count, AT_ONCE)]
    best = np.full(len(parts), np.inf)
    rounds, started = 0, time.thread_time()
    while time.thread_time() - started < args.seconds or rounds == 0:
        for i, part in enumerate(parts):
            before = time.thread_time()
            extractor.run(*part)
            best[i] = min(best[i], time.thread_time() - before)
        rounds += 1
    return {
        "source": args.games.name,
        "set": args.set,
        "groups": len(features),
        "patterns": 0 if dictionary is None else len(dictionary),
        "positions": count,
        "moves": round(sum(moves) / count, 1),
        "rounds": rounds,
        "position_us": round(1e6 * float(best.sum()) / count, 2),
    }
