"""The warm-up leaves nothing to compile for later."""

from __future__ import annotations

import subprocess
import sys

from programs import HOME, PATIENCE

EVERY_KERNEL = """
import pkgutil
from importlib import import_module
import engine
from engine.jit import KERNELS
from engine.warmup import warm_up

for module in pkgutil.walk_packages(engine.__path__, "engine."):
    import_module(module.name)
warm_up()
assert KERNELS
for kernel in KERNELS:
    # What only learns is compiled when it is first used.
    if kernel.py_func.__module__.startswith("engine.") and len(kernel.signatures) != 1:
        print(kernel.py_func.__module__, kernel.__name__, kernel.signatures)
"""

WHOLE_GAME = """
from engine.gtp.protocol import Line, answer
from engine.gtp.session import Session
from engine.jit import KERNELS
from engine.parameters import Settings
from engine.warmup import TO_FINISH, TO_MOVE, Kernels, warm_up

class Loaded(Kernels):
    def wait(self): pass

warm_up((*TO_MOVE, *TO_FINISH))
settings = Settings({"sims": 20, "threads": 1, "seed": 1, "resign": 0.0, "memory": 16})
session = Session(Loaded(), size=5, settings=settings)
lines = [b"genmove b", b"genmove w"] * 50
lines += [b"undo", b"play b pass", b"showboard", b"final_score", b"clear_board", b"play w C3"]
# What has no types yet would be compiled now, or come from the cache if another test was first.
known = {kernel: len(kernel.signatures) for kernel in KERNELS}
for line in lines:
    assert answer(session, Line(line)).startswith(b"= "), line
analysis = b"kata-analyze 10 ownership true movesOwnership true"
assert b"movesOwnership" in answer(session, Line(analysis))
for kernel in KERNELS:
    if len(kernel.signatures) != known.get(kernel, 0):
        print(kernel.py_func.__module__, kernel.__name__)
"""


def output(script):
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=HOME,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_kernel_is_warmed_up_for_one_set_of_types():
    """A kernel with no signature was forgotten; one with two is compiled twice for nothing."""
    assert output(EVERY_KERNEL) == ""


def test_a_game_and_an_analysis_over_gtp_compile_nothing_more():
    assert output(WHOLE_GAME) == ""
