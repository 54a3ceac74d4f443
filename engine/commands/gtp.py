"""`miai gtp`: the engine on stdin and stdout, for a GUI or a person at a terminal.

The kernels are fetched in the background while the client's first questions are answered. There
is an option for every setting of `engine/parameters.py`.
"""

from __future__ import annotations

import argparse
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from engine.commands.arguments import board_size, finite_number, rule_set
from engine.commands.settings import add_settings, chosen_settings
from engine.console import say
from engine.gtp.foresight import model_foresight
from engine.gtp.registry import command_table
from engine.gtp.server import serve
from engine.gtp.session import Session, new_player
from engine.parameters import Settings
from engine.rules import RULES
from engine.warmup import Kernels

if TYPE_CHECKING:
    from engine.gtp.thinker import Thinker


def add_arguments(parser: argparse.ArgumentParser) -> None:
    game = parser.add_argument_group("the game, until the client says otherwise")
    game.add_argument(
        "--size", type=board_size, default=19, metavar="N", help="board size (default 19 lines)"
    )
    game.add_argument(
        "--komi",
        type=finite_number,
        default=7.5,
        metavar="X",
        help="what White gets for moving second (default 7.5 points)",
    )
    game.add_argument(
        "--rules",
        type=rule_set,
        default=RULES["chinese"],
        metavar="NAME",
        help=f"one of {', '.join(RULES)} (default chinese)",
    )
    add_settings(parser)
    table = command_table()
    width = max(len(usage) for usage, _ in table)
    lines = [f"  {usage:{width}}  {summary}" for usage, summary in table]
    parser.epilog = "\n".join(["GTP commands:", *lines])


def run(
    args: argparse.Namespace, make_player: Callable[[Settings], Thinker] = new_player
) -> NoReturn:
    """Serve until the client leaves. Never returns: see `_leave`."""
    if sys.stdin is None or sys.stdout is None:
        _leave()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: _leave())
    kernels = Kernels()
    kernels.start()
    settings = chosen_settings(args)
    foresight = model_foresight(kernels, settings) if make_player is new_player else None
    session = Session(kernels, args.size, args.komi, args.rules, settings, make_player, foresight)
    if sys.stdin.isatty():
        say("Miai speaks GTP. Try: genmove b, showboard, list_commands, quit.")
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not end up between the replies
    with suppress(KeyboardInterrupt):
        serve(session, source, sink, _leave, lambda: _has_no_reader(sink.fileno()))
    _leave()


def _has_no_reader(descriptor: int) -> bool:
    """Whether a pipe's other end is closed, as far as the system can tell."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _leave() -> NoReturn:
    """Exit at once: a normal exit would wait for a compilation or a search in the background.

    Every reply has been flushed when it was written, so nothing is lost.
    """
    os._exit(0)
