"""`miai train NAME`: learn weights from game records; each kind has a file of its own."""

from __future__ import annotations

import argparse

from engine.commands import train_model, train_playout

KINDS = {
    "fbt": "move prediction by Factorization Bradley-Terry: the best",
    "lfr": "move prediction by Latent Factor Ranking",
    "mm": "move prediction by minorization-maximization",
    "spt": "move prediction by spatial probability trees",
    "playout": "the gammas of the playout policy",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    subparsers = parser.add_subparsers(dest="model", metavar="NAME", required=True)
    for kind, summary in KINDS.items():
        subparser = subparsers.add_parser(
            kind,
            help=summary,
            description=f"Learn {summary}, from game records.",
            allow_abbrev=False,
        )
        if kind == "playout":
            train_playout.add_arguments(subparser)
        else:
            train_model.add_arguments(subparser, kind)


def run(args: argparse.Namespace) -> int:
    """Learn, write the weights and their card."""
    return train_playout.run(args) if args.model == "playout" else train_model.run(args)
