"""Loading and compiling the kernels before somebody waits for them.

Importing Numba takes half a second and compiling on the first start takes several, so a
program that must answer at once lets a `Kernels` do both in the background. The steps below
use every entry point of the engine once, through the faces that will use it later, so that each
is compiled for the types it is called with. This file itself imports nothing heavy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import traceback
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from engine.console import say

Step = Callable[[], None]


# --- The steps -------------------------------------------------------------------------------


def _first_move(knowledge: str) -> None:
    from engine.game import Game
    from engine.parameters import Settings
    from engine.player import Player

    game = Game(9)
    settings = Settings({"sims": 2, "threads": 1, "memory": 16, "knowledge": knowledge, "seed": 1})
    player = Player(settings)
    for _ in range(2):  # the second one goes on with the first one's tree
        game.play(game.to_move, player.choose(game, game.to_move).point)


def _searching() -> None:
    """What a move needs but for the model of moves: the search, playouts, playing it."""
    _first_move("none")


def _knowing() -> None:
    """The model of moves in the search."""
    _first_move("fbt")


def _model_alone() -> None:
    """The model of moves without the search: half of what a first start compiles."""
    from engine.parameters import Settings
    from engine.priors import knowledge_of
    from engine.search import predictor_for

    knowledge_of(predictor_for(Settings(), 9)).new_prior(0, 0)


def _after_the_game() -> None:
    """What the end of a game needs: who owns what, and the count."""
    from engine.game import Game
    from engine.parameters import Settings
    from engine.player import Player

    game = Game(9)
    player = Player(Settings({"sims": 2, "threads": 1, "memory": 16, "seed": 1}))
    player.final_score(game)
    _positions()
    _tactics()
    _owners_after_moves()


def _owners_after_moves() -> None:
    """What an analysis needs that tells who owns the board after each move."""
    from engine.geometry import BLACK
    from engine.parameters import Settings
    from engine.playout.policy import Runner, named_policy
    from engine.position import Position

    policy = named_policy(Settings().text("playouts", 9), 9)
    Runner(policy).sample(Position(9), BLACK, 1)


def _positions() -> None:
    """Everything one can ask a position."""
    from engine.geometry import BLACK, WHITE, point
    from engine.position import Position

    stone, gap = point(0, 0), point(0, 1)
    position = Position.from_stones(9, [stone], [])
    position.legal_points(WHITE)
    position.chain(stone)
    position.is_eye(BLACK, gap)
    position.neighbourhood(gap)
    position.situation_hash(WHITE)


def _playouts() -> None:
    from engine.geometry import BLACK
    from engine.playout import POLICIES
    from engine.playout.light import light_candidates, light_playouts
    from engine.playout.policy import Runner, named_policy
    from engine.position import Position
    from engine.rng import new_rng

    position = Position(9)
    light_playouts(position, BLACK, new_rng(1), 1)
    light_candidates(position, BLACK)
    for name in POLICIES:
        runner = Runner(named_policy(name, 9))
        runner.play(position, BLACK)
        runner.draws(position, BLACK, 1)


def every_policy() -> None:
    """All playout policies in the search, for who chooses another than the default."""
    from engine.playout.routines import PLAYOUT_ROUTINES

    for policy in PLAYOUT_ROUTINES.values():
        policy.address()


def _tactics() -> None:
    """Every question about chains, eyes and shapes."""
    from engine.geometry import BLACK, WHITE, point
    from engine.position import Position
    from engine.tactics import atari, distance, eyes, ladders, life, nakade, nets

    stone, gap = point(0, 0), point(1, 1)
    position = Position.from_stones(9, [stone], [point(0, 1)])
    atari.effect(position, WHITE, gap)
    atari.rescues(position, stone)
    eyes.eye_at(position, BLACK, gap)
    life.unconditional_life(position, BLACK)
    life.stands_in_seki(position, stone)
    life.is_dead_bent_four(position, stone)
    nakade.find_vital_point(position, gap, BLACK)
    nakade.would_form_dead_shape(position, BLACK, gap)
    nakade.eye_space(position, gap, BLACK)
    distance.distances_from(position, stone)
    ladders.LadderReader().defence(position, stone)
    nets.NetReader().capture(position, point(0, 1))


def _sweeps() -> None:
    """The same questions over many boards at once, as the benchmark asks them."""
    import numpy as np

    from engine.position import Position
    from engine.tactics import sweep
    from engine.tactics.ladders import LADDER_LIMIT, new_ladder_scratch

    boards = np.concatenate([Position(9).record])
    chains, scratch = sweep.ladder_questions(boards), new_ladder_scratch()
    sweep.read_ladders(boards, chains, scratch, LADDER_LIMIT)
    sweep.find_nets(boards, chains, scratch, LADDER_LIMIT)
    sweep.find_bad_self_ataris(boards, sweep.move_questions(boards))


# A player can move after the first of these; the engine then goes on with the second.
TO_MOVE: tuple[Step, ...] = (_searching, _knowing)
TO_FINISH: tuple[Step, ...] = (_after_the_game,)
EVERYTHING: tuple[Step, ...] = (*TO_MOVE, *TO_FINISH, _positions, _tactics, _sweeps, _playouts)


# --- Taking them -----------------------------------------------------------------------------


class Report(NamedTuple):
    """How long a warm-up took, and how many functions had to be compiled for it."""

    seconds: float
    compiled: int


def warm_up(
    steps: Iterable[Step] = EVERYTHING, on_first_compile: Callable[[], None] | None = None
) -> Report:
    """Take the steps. If the cache doesn't have it all, tell before the first compilation."""
    started = time.perf_counter()
    from engine.jit import on_compile

    compiled = 0

    def count() -> None:
        nonlocal compiled
        if compiled == 0 and on_first_compile is not None:
            on_first_compile()
        compiled += 1

    with on_compile(count):
        for step in steps:
            step()
    return Report(time.perf_counter() - started, compiled)


def _start_compiling(step: Step) -> subprocess.Popen[bytes]:
    """Let another process take a step, for what it leaves in the cache."""
    home = Path(__file__).resolve().parent.parent
    words = f"import engine.warmup as w; w.take_beside(w.{step.__name__})"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", words],
        env={**os.environ, "PYTHONPATH": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def take_beside(step: Step) -> None:
    """Take a step for another process, and end with it: its end closes our input."""

    def leave_with_the_other() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=leave_with_the_other, daemon=True).start()
    step()


class KernelsUnavailable(RuntimeError):
    """The kernels could not be loaded; the text says why."""


class Kernels:
    """The kernels on their way: a background thread fetches them, who needs them waits."""

    def __init__(self) -> None:
        self._settled = threading.Event()
        self._failure: str | None = None

    def start(self) -> None:
        """Begin; returns at once. The thread doesn't keep the program alive."""
        threading.Thread(target=self._load, name="kernels", daemon=True).start()

    def wait(self) -> None:
        """Return when a player could move, or raise KernelsUnavailable if that will never be."""
        self._settled.wait()
        if self._failure is not None:
            raise KernelsUnavailable(self._failure)

    def _load(self) -> None:
        try:
            report = self._warm_up_to_move()
            if report.compiled:
                say(f"Compiled in {report.seconds:.1f} s.")
            say("GTP ready")
            self._settled.set()
            warm_up(TO_FINISH)
        except ImportError as error:
            # Said before anybody stops waiting: the program may end right after that.
            say(f"miai: {error}. Is Miai installed? README.md has the command.")
            self._fail(f"cannot load the kernels: {error}")
        except Exception as error:
            say(traceback.format_exc())
            self._fail(f"cannot load the kernels: {type(error).__name__}: {error}")

    def _warm_up_to_move(self) -> Report:
        """Take the steps to a move. On the first start a second process compiles the model of
        moves at the same time, because a compiler in this one would wait for the other."""
        from engine.jit import CACHE, HOME

        # Numba keeps what it compiled by the path of its source: another clone starts afresh.
        mark = f"ready-{zlib.crc32(str(HOME).encode()):08x}"
        done = CACHE / mark if CACHE is not None else None
        beside = None
        if done is not None and not done.exists():
            say("Compiling the kernels for this machine; only the first start waits for it.")
            beside = _start_compiling(_model_alone)
        report = warm_up(TO_MOVE[:1])
        if beside is not None:
            say("The search is compiled; the model of moves is next.")
            beside.wait()
        last = warm_up(TO_MOVE[1:])
        if done is not None:
            done.touch()
        return Report(report.seconds + last.seconds, report.compiled + last.compiled)

    def _fail(self, reason: str) -> None:
        if not self._settled.is_set():
            self._failure = reason
            self._settled.set()
