"""`miai patterns GAMES...`: which shape patterns the games hold, and how large they match.

Counts the patterns that were played often enough, by family and size, and then the moves of the
same games by the size of their largest such pattern, in phases of 30 moves.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from engine.commands.arguments import positive_integer
from engine.commands.games import FILES_HELP, read_games
from engine.commands.main import CommandError
from knowledge.filters import Filters

if TYPE_CHECKING:
    from knowledge.games import Games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="+", metavar="GAMES", help=FILES_HELP)
    parser.add_argument(
        "--min-count",
        type=positive_integer,
        default=10,
        metavar="N",
        help="how often a pattern must have been played (default 10)",
    )
    parser.add_argument(
        "--threads", type=positive_integer, default=2, metavar="N", help="(default 2)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object instead of tables"
    )
    Filters.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Harvest and print."""
    games = read_games(args.games, Filters.from_arguments(args))
    if not len(games):
        raise CommandError(f"no games that pass the filters in {', '.join(args.games)}")
    figures = _figures(games, args.min_count, args.threads)
    print(json.dumps(figures) if args.json else _tables(figures))
    return 0


def _figures(games: Games, min_count: int, threads: int) -> dict[str, Any]:
    """Patterns by family and size from 1; moves by phase and largest plain size from 0."""
    from knowledge.harvest import harvest, played_patterns, sizes_by_phase
    from knowledge.progress import Progress
    from knowledge.templates import FAMILIES, PLAIN

    with Progress("Harvesting") as progress:
        dictionary = harvest(games, min_count, threads=threads, tell=progress.update)
    with Progress("Matching") as progress:
        moves, ids = played_patterns(games, dictionary, threads, progress.update)
    table = dictionary.table()[:, 1:]
    sizes = dictionary.sizes_of(ids[:, PLAIN])
    return {
        "games": len(games),
        "moves": len(moves),
        "min_count": min_count,
        "patterns": {name: table[i].tolist() for i, name in enumerate(FAMILIES)},
        "phases": sizes_by_phase(games, moves, sizes).tolist(),
    }


def _tables(figures: dict[str, Any]) -> str:
    """The figures for people."""
    from knowledge.harvest import PHASE_MOVES
    from knowledge.templates import POINT_COUNTS

    patterns, phases = figures["patterns"], figures["phases"]
    lines = [
        f"{figures['games']:,} games, {figures['moves']:,} moves",
        "",
        f"Patterns played at least {figures['min_count']} times:",
        "",
        "size  points  " + "  ".join(f"{name:>9}" for name in patterns),
    ]
    for i, row in enumerate(zip(*patterns.values(), strict=True)):
        points = str(POINT_COUNTS[i]) if i < len(POINT_COUNTS) else "all"
        lines.append(f"{i + 1:4}  {points:>6}  " + "  ".join(f"{count:9,}" for count in row))
    totals = [sum(counts) for counts in patterns.values()]
    lines.append(" all          " + "  ".join(f"{total:9,}" for total in totals))
    lines += [
        "",
        "Moves by the size of their largest plain pattern, percent (0: none):",
        "",
        "move     " + " ".join(f"{size:5}" for size in range(len(phases[0]))),
    ]
    for i, row in enumerate(phases):
        if sum(row):
            share = " ".join(f"{100 * count / sum(row):5.1f}" for count in row)
            end = f"-{(i + 1) * PHASE_MOVES}" if i + 1 < len(phases) else "+"
            lines.append(f"{f'{i * PHASE_MOVES + 1}{end}':9}" + share)
    return "\n".join(lines)
