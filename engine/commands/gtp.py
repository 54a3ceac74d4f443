"""`miai gtp`: the engine on stdin and stdout, for a GUI or a person at a terminal.

The kernels are fetched in the background while the client's first questions are answered.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from typing import NoReturn

from engine.commands.arguments import board_size, finite_number, rule_set
from engine.console import say
from engine.gtp.protocol import serve
from engine.gtp.registry import command_table
from engine.gtp.session import Session
from engine.rules import RULES
from engine.warmup import Kernels


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of the random numbers; the same seed gives the same games (default: another "
        "one each time)",
    )
    parser.add_argument(
        "--size",
        type=board_size,
        default=19,
        metavar="N",
        help="board size until a client says boardsize (default 19)",
    )
    parser.add_argument(
        "--komi",
        type=finite_number,
        default=7.5,
        metavar="X",
        help="komi until a client says komi (default 7.5)",
    )
    parser.add_argument(
        "--rules",
        type=rule_set,
        default=RULES["chinese"],
        metavar="NAME",
        help=f"one of {', '.join(RULES)} (default chinese)",
    )
    table = command_table()
    width = max(len(usage) for usage, _ in table)
    lines = [f"  {usage:{width}}  {summary}" for usage, summary in table]
    parser.epilog = "\n".join(["GTP commands:", *lines])


def run(args: argparse.Namespace) -> NoReturn:
    """Serve until the client leaves. Never returns: see `_leave`."""
    if sys.stdin is None or sys.stdout is None:
        _leave()
    kernels = Kernels()
    kernels.start()
    session = Session(kernels, args.size, args.komi, args.rules, args.seed)
    if sys.stdin.isatty():
        say("Miai speaks GTP. Try: genmove b, showboard, list_commands, quit.")
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not end up between the replies
    with suppress(KeyboardInterrupt):
        serve(session, source, sink)
    _leave()


def _leave() -> NoReturn:
    """Exit at once: a normal exit would wait for a compilation in the background.

    Every reply has been flushed when it was written, so nothing is lost.
    """
    os._exit(0)
