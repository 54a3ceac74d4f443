"""`miai bench endings`: how often playouts from the end of a game find who won it, and its score.

A game counts if its result is a number of points, such as B+3.5: nobody resigned, so the last
position is settled and only needs counting. The two passes at the end need not be recorded, for
many files leave them out; a jigo is left out since nobody won. The side whose turn it would be
begins, and the winner is whoever wins most playouts by area with the komi of the record. Games
counted by territory can differ from that by a point, so even perfect playouts miss a few.

The same number of playouts gives an owner map, from which dead stones and seki are judged; then
the game is counted by the rules of the record: `judged` is the share of games whose winner comes
out, `margin` the share whose very score does.
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
from engine.rules import RULES, Rules, rules_named
from knowledge.filters import Filters

if TYPE_CHECKING:
    from engine.position import Position

HELP = "how often playouts from the end of a game find its winner and score"
_COUNTED = re.compile(r"([BW])\+(\d+\.?\d*|\.\d+)", re.IGNORECASE)


class Ending(NamedTuple):
    """A position of a counted game, the last one or an earlier one, whose turn it would be, and
    who won in the end by how much.

    With what is needed to count it: the komi, the rules and the moves.
    """

    position: Position
    color: int
    last: int
    before: int
    komi: float
    winner: int
    score: float  # Black's
    rules: Rules
    handicap: int
    moves: list[tuple[int, int]]


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


def counted_score(result: str) -> float | None:
    """Black's score in a game that was won by points; None for anything else."""
    found = _COUNTED.fullmatch(result.strip())
    if found is None or float(found[2]) == 0:
        return None
    return float(found[2]) if found[1].upper() == "B" else -float(found[2])


def record_rules(name: str) -> Rules:
    """The rules that a record names; most that name none or others were counted by territory."""
    try:
        return rules_named(name)
    except ValueError:
        return RULES["japanese"]


def endings(path: Path, filters: Filters, share: float = 1.0) -> Iterator[Ending]:
    """The last positions of the counted games in a file: even ones, unless others are wanted.
    With a share, the positions after so much of their moves."""
    from engine.position import Position

    even = True if filters.even is None else filters.even
    for record in read_games(path, replace(filters, even=even)):
        score = counted_score(record.result)
        if score is None or len(record.points) < 2:
            continue
        position = Position.from_stones(record.size, *record.setup)
        colors, points = map(int, record.colors), map(int, record.points)
        moves = list(zip(colors, points, strict=True))
        moves = moves[: max(2, round(share * len(moves)))]
        for color, p in moves:
            position.play(color, p, suicide=True)
        yield Ending(
            position=position,
            color=opponent(moves[-1][0]),
            last=moves[-1][1],
            before=moves[-2][1],
            komi=record.komi,
            winner=BLACK if score > 0 else WHITE,
            score=score,
            rules=record_rules(record.rules),
            handicap=record.handicap,
            moves=moves,
        )


class Shares(NamedTuple):
    """The shares of games in which most playouts are won by the winner, the judged count has the
    same winner, and the very same score."""

    playouts: float
    judged: float
    margin: float


def right_shares(policy: str, games: list[Ending], playouts: int, seed: int) -> Shares:
    """How many endings a policy's playouts get right."""
    from engine.endgame import judge, sampled_owners
    from engine.passing import score_if_passed
    from engine.playout.policy import Runner, named_policy

    runners: dict[int, Runner] = {}
    right = [0, 0, 0]
    for game in games:
        size = game.position.size
        if size not in runners:
            runners[size] = Runner(named_policy(policy, size), seed)
        black_wins, _ = runners[size].sample(
            game.position, game.color, playouts, game.komi, game.last, game.before
        )
        status = judge(game.position, sampled_owners(game.position, runners[size], playouts))
        score = score_if_passed(game, status, agreed=True)
        right[0] += (BLACK if black_wins > 0.5 else WHITE) == game.winner
        right[1] += score * game.score > 0
        right[2] += abs(score - game.score) < 0.01
    return Shares(*(count / len(games) for count in right))


def run(args: argparse.Namespace) -> dict[str, Any]:
    """Measure; a policy's figures are shares of the games."""
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
        shares = right_shares(policy, games, args.playouts, args.seed)
        figures[policy] = round(shares.playouts, 4)
        figures[f"{policy}_judged"] = round(shares.judged, 4)
        figures[f"{policy}_margin"] = round(shares.margin, 4)
    return figures
