"""`miai bench outlook`: how well playouts in the middle of a game foresee who wins it.

Games that were counted, cut off after a share of their moves. Of the playouts from there the mean
score should be near the score in the end, and the share of wins a chance to win: the log-loss is
that of the chances on the scale of their logits, stretched as fits best, since playouts of a good
policy may be too timid or too bold and still know better who is ahead.
"""

from __future__ import annotations

import argparse
import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.commands.arguments import finite_number, positive_integer
from engine.commands.bench_endings import Ending, endings
from engine.commands.games import FILES_HELP
from engine.commands.main import CommandError
from engine.commands.settings import add_setting
from engine.geometry import BLACK
from engine.parameters import PARAMETERS, Settings
from engine.playout import POLICIES
from knowledge.filters import Filters

HELP = "how well playouts in the middle of a game foresee who wins it"
# A score that is further off than this is a group that lived or died; how large it was says little.
_LARGEST_ERROR = 30.0
# No share of wins is quite 0 or 1.
_EDGE = 0.02
_STRETCHES = [0.1 * i for i in range(2, 41)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=Path, required=True, metavar="FILE", help=FILES_HELP)
    parser.add_argument(
        "--after", type=_share, default=0.85, metavar="X",
        help="the share of a game's moves that is played before (default 0.85)",
    )  # fmt: skip
    parser.add_argument(
        "--policy", choices=POLICIES, default="mixed", help="playout policy (default mixed)"
    )
    add_setting(parser, PARAMETERS["shape_floor"])
    parser.add_argument(
        "--playouts", type=positive_integer, default=150, metavar="N",
        help="playouts from each position (default 150)",
    )  # fmt: skip
    Filters.add_arguments(parser)


def _share(text: str) -> float:
    share = finite_number(text)
    if not 0.0 < share <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not a share between 0 and 1")
    return share


class Outlook(NamedTuple):
    """What playouts said of a game, for Black, and its score in the end."""

    wins: float
    score: float
    result: float


def look_ahead(games: list[Ending], settings: Settings, playouts: int, seed: int) -> list[Outlook]:
    """What the playouts of the settings say of each position."""
    from engine.playout.policy import Runner
    from engine.search import policy_for

    @cache
    def runner(size: int) -> Runner:
        return Runner(policy_for(settings, size), seed)

    found = []
    for game in games:
        wins, owners = runner(game.position.size).sample(
            game.position, game.color, playouts, game.komi, game.last, game.before
        )
        found.append(Outlook(wins, sum(owners.values()) - game.komi, game.score))
    return found


def log_loss(found: list[Outlook]) -> float:
    """The mean log-loss of the chances, stretched as fits best."""

    def loss(stretch: float) -> float:
        total = 0.0
        for outlook in found:
            wins = min(max(outlook.wins, _EDGE), 1.0 - _EDGE)
            logit = stretch * math.log(wins / (1.0 - wins))
            total += math.log1p(math.exp(-logit if outlook.result > 0 else logit))
        return total / len(found)

    return min(map(loss, _STRETCHES))


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure; `winners` is the share of games whose winner wins most playouts."""
    games = list(endings(args.games, Filters.from_arguments(args), args.after))
    if not games:
        raise CommandError(f"no counted games in {args.games}")
    settings = Settings({"playouts": args.policy})
    if "shape_floor" in vars(args):
        settings.set("shape_floor", args.shape_floor)
    found = look_ahead(games, settings, args.playouts, args.seed)
    errors = [min(abs(o.score - o.result), _LARGEST_ERROR) for o in found]
    winners = [(o.wins > 0.5) == (g.winner == BLACK) for o, g in zip(found, games, strict=True)]
    return {
        "source": args.games.name,
        "games": len(games),
        "after": args.after,
        "playouts": args.playouts,
        "policy": args.policy,
        "winners": round(sum(winners) / len(found), 4),
        "log_loss": round(log_loss(found), 4),
        "score_error": round(sum(errors) / len(found), 2),
    }
