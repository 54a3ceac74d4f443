"""`miai features GAME.sgf MOVE [VERTEX]`: what the learners see of a move, in words.

MOVE is the number of a move in the record; the position is the one before it. Without VERTEX the
move is the one that was played.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.arguments import positive_integer
from engine.commands.games import FILES_HELP, read_games
from engine.commands.main import CommandError
from engine.vertex import color_text, parse_vertex, vertex_text
from knowledge.groups import BY_NAME, SETS

if TYPE_CHECKING:
    from engine.game import Game
    from knowledge.features import FeatureSet


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=Path, metavar="GAME.sgf", help="a game record")
    parser.add_argument("move", type=positive_integer, metavar="MOVE", help="a move's number")
    parser.add_argument(
        "vertex", nargs="?", metavar="VERTEX", help="another move in its place, say D4 or pass"
    )
    parser.add_argument(
        "--set", choices=SETS, default="best", help="which set of features (default best)"
    )
    parser.add_argument(
        "--patterns",
        nargs="+",
        metavar="GAMES",
        help=f"know the patterns that are played often in {FILES_HELP} (default: none)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object instead of a table"
    )


def run(args: argparse.Namespace) -> int:
    """Extract and print."""
    game, played = _moment(args.game, args.move)
    p = played if args.vertex is None else _point(args.vertex, game)
    features = _feature_set(args)
    found = _features_of(game, features, p)
    if args.json:
        print(json.dumps({"move": vertex_text(p), "features": dict(found)}))
    else:
        print(_table(game, args.move, p, found))
    return 0


def _moment(path: Path, number: int) -> tuple[Game, int]:
    """The game before a move of a record, and the move."""
    from engine.sgf import load_game

    try:
        data = path.read_bytes()
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from None
    try:
        moves = load_game(data).moves
        game = load_game(data, before_move=number)
    except ValueError as error:
        raise CommandError(f"cannot read {path}: {error}") from None
    if len(game.moves) >= len(moves):
        raise CommandError(f"{path} has no move {number}: it has {len(moves)}")
    color, p = moves[len(game.moves)]
    game.to_move = color
    return game, p


def _point(text: str, game: Game) -> int:
    try:
        return parse_vertex(text, game.size)
    except ValueError as error:
        raise CommandError(f"{text!r}: {error}") from None


def _feature_set(args: argparse.Namespace) -> FeatureSet:
    from knowledge.features import FeatureSet
    from knowledge.harvest import harvest

    dictionary = harvest(read_games(args.patterns)) if args.patterns else None
    return FeatureSet(args.set, dictionary)


def _features_of(game: Game, features: FeatureSet, p: int) -> list[tuple[str, str]]:
    """The groups that a move has a value of, each with the value's name."""
    from knowledge.features import named_features

    found = named_features(game, features)
    if p not in found:
        raise CommandError(f"{vertex_text(p)} is not a legal move here")
    return list(found[p].items())


def _table(game: Game, number: int, p: int, found: list[tuple[str, str]]) -> str:
    """The features for people: the group, the value, and what the group is about."""
    lines = [f"Move {number}, {color_text(game.to_move)} {vertex_text(p)}:"]
    names = max((len(name) for name, _ in found), default=0)
    values = max((len(value) for _, value in found), default=0)
    for name, value in found:
        lines.append(f"  {name:{names}}  {value:{values}}  {BY_NAME[name].sentence}")
    return "\n".join(lines)
