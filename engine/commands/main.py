"""The program `miai`: finds the subcommand, reads its options, runs it.

Only the module of the chosen subcommand is asked for its options, so that help and the GTP
handshake come at once. Without a subcommand it is `gtp`, because that is what a Go program on
the other end of the pipe expects.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from engine import __version__
from engine.console import say

SUBCOMMANDS = {
    "gtp": "play: speak GTP on stdin and stdout (the default)",
    "match": "play games between players and count the wins",
    "tune": "find better settings by games",
    "train": "learn weights from game records",
    "features": "tell what the learners see of a move",
    "evaluate": "measure how well a model predicts moves",
    "explain": "say why a model likes or dislikes moves",
    "patterns": "count the shape patterns in game records",
    "reproduce": "run an experiment of the papers again, ours beside theirs",
    "tactics": "answer test positions and count what is right",
    "bench": "measure the engine's speed",
    "warmup": "compile all kernels now, so that no later start has to",
}
NEEDED = ("numba", "numpy", "sgfmill")
_TOP_LEVEL_OPTIONS = ("-h", "--help", "--version")


class CommandError(Exception):
    """A subcommand can't do what was asked; the text tells the user what to change."""


class Parser(argparse.ArgumentParser):
    """Reports a mistake on the command line in one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {message} (see {self.prog} --help)")
        raise SystemExit(2)


def build_parser(chosen: str) -> Parser:
    """The parser of the whole command line, complete for the chosen subcommand."""
    parser = Parser(
        prog="miai",
        description="Miai, a Go engine that speaks GTP.",
        epilog="Without a command: gtp. `miai COMMAND --help` tells more.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"miai {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in SUBCOMMANDS.items():
        subparser = subparsers.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name == chosen:
            module = import_module(f"engine.commands.{name}")
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or (words[0].startswith("-") and words[0] not in _TOP_LEVEL_OPTIONS):
        words.insert(0, "gtp")
    args = build_parser(words[0]).parse_args(words)
    try:
        return int(args.run(args))
    except CommandError as error:
        say(f"miai {args.command}: {error}")
        return 2
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        say(f"miai: {error}. Is Miai installed? README.md has the command.")
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has left. Nothing may be flushed to them at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


if __name__ == "__main__":
    # The imported one, because subcommands raise the CommandError of that module.
    from engine.commands.main import main as imported_main

    sys.exit(imported_main())
