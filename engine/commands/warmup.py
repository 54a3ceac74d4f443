"""`miai warmup`: compile every kernel for this machine and keep the result."""

from __future__ import annotations

import argparse

from engine.console import say
from engine.warmup import EVERYTHING, every_policy, warm_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There is nothing to choose."""


def run(args: argparse.Namespace) -> int:
    """Warm up, and say how long it took and where the compiled code is."""
    report = warm_up(
        (*EVERYTHING, every_policy), lambda: say("Compiling the kernels for this machine ...")
    )
    from engine.jit import CACHE, KERNELS

    if report.compiled:
        print(f"Compiled {len(KERNELS)} kernels in {report.seconds:.1f} s.")
    else:
        print(f"All {len(KERNELS)} kernels were compiled already; {report.seconds:.1f} s.")
    if CACHE is None:
        print("No folder for them is writable, so they are lost now; set MIAI_CACHE_DIR to one.")
    else:
        print(f"They are in {CACHE}")
    return 0
