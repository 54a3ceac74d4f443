"""`miai explain GAME.sgf MOVE`: why a model likes the moves it likes."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.commands.arguments import positive_integer
from engine.commands.main import CommandError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME.sgf", help="a game record")
    parser.add_argument(
        "move", type=positive_integer, metavar="MOVE", help="the number of the move to explain"
    )
    parser.add_argument(
        "--weights", metavar="FILE", help="an FBT, LFR or MM model (default: the one shipped)"
    )
    parser.add_argument(
        "--top", type=positive_integer, default=5, metavar="N", help="candidates (default 5)"
    )


def run(args: argparse.Namespace) -> int:
    """Read the position, rank the moves, and say why."""
    from engine.sgf import load_game
    from knowledge.explain import explain
    from knowledge.predictor import FactorPredictor, load_predictor, shipped_predictor
    from weights.files import BadWeights

    try:
        data = Path(args.game).read_bytes()
        whole, game = load_game(data), load_game(data, before_move=args.move)
    except OSError as error:
        raise CommandError(f"cannot read {args.game}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"cannot read {args.game}: {error}") from None
    if args.move > len(whole.moves):
        raise CommandError(f"{args.game} has {len(whole.moves)} moves")
    try:
        predictor = (
            load_predictor(args.weights) if args.weights else shipped_predictor("fbt", game.size)
        )
    except BadWeights as error:
        raise CommandError(str(error)) from None
    if not isinstance(predictor, FactorPredictor):
        raise CommandError(f"a model of kind {predictor.kind} has no features to explain")
    played = whole.moves[args.move - 1].point
    for explanation in explain(predictor.model, game, args.top, (played,)):
        mark = " (played)" if explanation.point == played else ""
        first, _, rest = explanation.text().partition("\n")
        print(f"{first}{mark}\n{rest}\n")
    return 0
