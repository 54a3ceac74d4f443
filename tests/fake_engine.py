"""`miai gtp` with the fake player, for tests that want a process but no search."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

from engine.commands import gtp  # noqa: E402


class NoSearch(gtp.Kernels):
    """The fake player needs no kernels of the search."""

    def start(self):
        gtp.say("GTP ready")

    def wait(self):
        pass


def make_player(settings):
    from fake_player import FakePlayer

    return FakePlayer(settings)


if __name__ == "__main__":
    gtp.Kernels = NoSearch
    parser = argparse.ArgumentParser()
    gtp.add_arguments(parser)
    gtp.run(parser.parse_args(), make_player)
