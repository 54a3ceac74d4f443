"""`miai bench search`: simulations a second, and where their time goes.

The positions are those of one game for each of the usual sizes: the opening, the middle game and
the endgame. Time is that of the wall, since threads are to be compared; run it on an idle machine.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from engine.commands.arguments import positive_number
from engine.commands.bench_games import GAMES
from engine.commands.main import CommandError
from engine.commands.settings import add_settings, chosen_settings

if TYPE_CHECKING:
    from engine.game import Game

HELP = "the speed of the search, and the share of playouts, knowledge and tree"
# What may be tried out here, and what is the same in every run unless somebody asks for it.
_FAMILIES = ("search", "knowledge", "playouts")
_FIXED = {"threads": 1, "seed": 1}
# How much of the game has been played at the three positions.
_STAGES = {"opening": 0.05, "middle": 0.4, "endgame": 0.75}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--size", type=int, choices=sorted(GAMES), default=19, help="board size (default 19)"
    )
    parser.add_argument(
        "--seconds", type=positive_number, default=3.0, metavar="S",
        help="how long to search each position (default 3)",
    )  # fmt: skip
    add_settings(parser, _FAMILIES)
    parser.epilog = (
        "Whatever the defaults above, threads and seed are 1 here unless they are given."
    )


def _position(size: int, share: float) -> Game:
    """The game of a size, so far."""
    from engine.game import Game
    from engine.vertex import parse_vertex

    moves = GAMES[size].split()
    game = Game(size)
    for move in moves[: round(share * len(moves))]:
        game.play(game.to_move, parse_vertex(move, size))
    return game


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Search each position for a while."""
    from engine.search import Limits, Search
    from weights.files import BadWeights

    settings = chosen_settings(args)
    for name, fixed in _FIXED.items():
        if name not in vars(args):
            settings.set(name, fixed)
    search = Search(settings)
    try:
        search.think(_position(args.size, 0.0), 1, Limits(sims=100))  # load and compile everything
    except BadWeights as error:
        raise CommandError(str(error)) from None
    figures: dict[str, Any] = {
        "size": args.size, "threads": settings.get("threads", args.size),
        "knowledge": settings.text("knowledge", args.size),
        "playouts": settings.text("playouts", args.size),
    }  # fmt: skip
    sims, seconds = 0, 0.0
    shares = {"playouts": 0.0, "knowledge": 0.0, "tree": 0.0}
    for name, share in _STAGES.items():
        game = _position(args.size, share)
        limits = Limits(seconds=args.seconds, early_stop=False)
        thought = search.think(game, game.to_move, limits)
        figures[f"sims_per_second_{name}"] = round(thought.sims / thought.seconds)
        sims, seconds = sims + thought.sims, seconds + thought.seconds
        for part, value in search.work_shares().items():
            shares[part] += value / len(_STAGES)
    figures["sims_per_second"] = round(sims / seconds)
    figures |= {f"{part}_share": round(value, 3) for part, value in shares.items()}
    return figures
