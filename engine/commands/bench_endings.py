"""`miai bench endings`: how often playouts from the end of a game find who won it.

A game counts if its result is a number of points, such as B+3.5: nobody resigned, so the last
position is settled and only needs counting. The two passes at the end need not be recorded, for
many files leave them out; a jigo is left out since nobody won. The side whose turn it would be
begins, and the winner is whoever wins most playouts by area with the komi of the record. Games
counted by territory can differ from that by a point, so even perfect playouts miss a few.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.commands.arguments import positive_integer
from engine.commands.games import FILES_HELP, read_games
from engine.commands.main import CommandError
from engine.geometry import BLACK, PASS, WHITE, opponent
from engine.playout import POLICIES
from knowledge.filters import Filters

if TYPE_CHECKING:
    from engine.position import Position

HELP = "how often playouts from the end of a game find its winner"
_COUNTED = re.compile(r"([BW])\+(\d+\.?\d*|\.\d+)", re.IGNORECASE)


class Ending(NamedTuple):
    """The last position of a counted game, whose turn it would be, and who won."""

    position: Position
    color: int
    last: int
    before: int
    komi: float
    winner: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games",
        type=Path,
        required=True,
        metavar="FILE",
        help=FILES_HELP,
    )
    parser.add_argument(
        "--policy",
        choices=("all", *POLICIES),
        default="all",
        help="playout policy (default all)",
    )
    parser.add_argument(
        "--playouts",
        type=positive_integer,
        default=500,
        metavar="N",
        help="playouts from each position (default 500)",
    )
    Filters.add_arguments(parser)


def counted_winner(result: str) -> int | None:
    """Who won a game by a number of points above 0; None for anything else."""
    found = _COUNTED.fullmatch(result.strip())
    if found is None or float(found[2]) == 0:
        return None
    return BLACK if found[1].upper() == "B" else WHITE


def endings(path: Path, filters: Filters) -> Iterator[Ending]:
    """The last positions of the counted games in a file: even ones, unless others are wanted."""
    from engine.position import Position

    even = True if filters.even is None else filters.even
    for record in read_games(path, replace(filters, even=even)):
        winner = counted_winner(record.result)
        if winner is None or len(record.points) < 2:
            continue
        position = Position.from_stones(record.size, *record.setup)
        for color, p in zip(record.colors, record.points, strict=True):
            position.play(int(color), int(p), suicide=True)
        before, last = map(int, record.points[-2:])
        turn = opponent(int(record.colors[-1]))
        yield Ending(position, turn, last, before, record.komi, winner)


def right_share(policy: str, games: list[Ending], playouts: int, seed: int) -> float:
    """The share of games whose winner also wins most of a policy's playouts."""
    from engine.playout.policy import Runner, named_policy

    runners: dict[int, Runner] = {}
    right = 0
    for game in games:
        size = game.position.size
        if size not in runners:
            runners[size] = Runner(named_policy(policy, size), seed)
        black_wins, _ = runners[size].sample(
            game.position, game.color, playouts, game.komi, game.last, game.before
        )
        right += (BLACK if black_wins > 0.5 else WHITE) == game.winner
    return right / len(games)


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure; a policy's figure is the share of games it gets right."""
    games = list(endings(args.games, Filters.from_arguments(args)))
    if not games:
        raise CommandError(f"no counted games in {args.games}")
    figures: dict[str, Any] = {
        "source": args.games.name,
        "games": len(games),
        "ended_by_passes": sum(game.last == game.before == PASS for game in games),
        "playouts": args.playouts,
    }
    for policy in POLICIES if args.policy == "all" else (args.policy,):
        figures[policy] = round(right_share(policy, games, args.playouts, args.seed), 4)
    return figures
