"""`miai match`: games between playout policies, and against GNU Go, with a table at the end.

A player is written `flat:POLICY`, a flat Monte-Carlo player (`flat:rules`), or `gnugo:LEVEL`.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from engine.commands.arguments import board_size, finite_number, positive_integer
from engine.commands.main import CommandError
from engine.console import say
from engine.playout import POLICIES

if TYPE_CHECKING:
    from engine.arena import Played, Player


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "A player is flat:POLICY (light, rules, gamma, mixed) or gnugo:LEVEL."
    parser.add_argument("first", help="a player")
    parser.add_argument("second", help="the other player")
    parser.add_argument(
        "--games", type=positive_integer, default=20, metavar="N", help="games (default 20)"
    )
    parser.add_argument(
        "--size", type=board_size, default=9, metavar="N", help="board size (default 9)"
    )
    parser.add_argument(
        "--komi", type=finite_number, default=7.0, metavar="X", help="komi (default 7)"
    )
    parser.add_argument(
        "--handicap", type=int, choices=range(2, 10), default=0, metavar="N",
        help="the first player is always Black and has N handicap stones, 2 to 9 (default none)",
    )  # fmt: skip
    parser.add_argument(
        "--playouts", type=positive_integer, default=2000, metavar="N",
        help="playouts a flat player spends on a move, over all its candidates (default 2000)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _player(text: str, args: argparse.Namespace, seed: int) -> Player:
    from engine.arena import FlatOpponent, GnuGo, GnuGoMissing
    from engine.flat import FlatPlayer
    from engine.playout.policy import named_policy

    kind, _, detail = text.partition(":")
    if kind == "flat" and detail in POLICIES:
        policy = named_policy(detail, args.size)
        return FlatOpponent(text, FlatPlayer(policy, args.playouts, seed))
    if kind == "gnugo" and detail.isdigit():
        try:
            return GnuGo(int(detail), seed)
        except GnuGoMissing as error:
            raise CommandError(str(error)) from None
    raise CommandError(f"unknown player {text!r}: flat:{'|'.join(POLICIES)} or gnugo:LEVEL")


def run(args: argparse.Namespace) -> int:
    """Play the match and print its table."""
    from engine.arena import GnuGo, Tally, play_match

    first, second = _player(args.first, args, args.seed), _player(args.second, args, args.seed + 1)
    played: list[Played] = []
    tally = Tally(0, 0)
    try:
        match = play_match(
            first, second, args.games, args.size, args.komi, played.append, args.handicap
        )
        for tally in match:
            say(f"game {tally.games}/{args.games}: {args.first} {tally.wins:g} wins")
    finally:
        for player in (first, second):
            if isinstance(player, GnuGo):
                player.close()
    low, high = tally.interval()
    figures = {
        "first": args.first,
        "second": args.second,
        "size": args.size,
        "komi": args.komi,
        "handicap": args.handicap,
        "playouts": args.playouts,
        "games": tally.games,
        "wins": tally.wins,
        "share": round(tally.share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "moves_per_game": round(sum(game.moves for game in played) / len(played), 1),
    }
    if args.json:
        print(json.dumps(figures))
    else:
        print(
            f"{args.first} against {args.second} on {args.size}x{args.size}, "
            f"{args.playouts} playouts a move: {tally.wins:g} of {tally.games} "
            f"({100 * tally.share:.1f}%, 95% interval {100 * low:.1f} to {100 * high:.1f}%)"
        )
    return 0
