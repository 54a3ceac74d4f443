"""What a board size needs is loaded ahead, and only for the size that is wanted in the end."""

from __future__ import annotations

import threading

from engine.gtp.foresight import Foresight
from engine.gtp.session import Session
from fake_player import FakePlayer
from gtp_client import ask

PATIENCE = 20


class Loader:
    """Remembers what it loaded; goes on only when it is let."""

    def __init__(self):
        self.sizes = []
        self.begun, self.may_go_on = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self, size):
        self.sizes.append(size)
        self.begun.release()
        assert self.may_go_on.acquire(timeout=PATIENCE)
        if size == 13:
            raise ValueError("no model for this size")


def test_sizes_that_nobody_wants_any_more_are_left_out():
    loader = Loader()
    foresight = Foresight(loader)
    foresight.expect(19)
    assert loader.begun.acquire(timeout=PATIENCE)
    for size in (9, 5, 7):
        foresight.expect(size)
    loader.may_go_on.release()
    assert loader.begun.acquire(timeout=PATIENCE)
    assert loader.sizes == [19, 7]
    loader.may_go_on.release()


def test_a_failure_is_left_to_whoever_needs_it():
    loader = Loader()
    foresight = Foresight(loader)
    for size in (13, 9):
        foresight.expect(size)
        assert loader.begun.acquire(timeout=PATIENCE)
        loader.may_go_on.release()
    assert loader.sizes == [13, 9]


def test_a_session_expects_a_game_of_its_size(kernels):
    class Seen:
        def expect(self, size):
            sizes.append(size)

    sizes = []
    session = Session(kernels, 19, make_player=FakePlayer, foresight=Seen())
    ask(session, "boardsize 13")
    ask(session, "boardsize 99")
    assert sizes == [19, 13]
