"""`miai bench NAME`: the engine's speed in figures, for people or, with --json, for programs.

A benchmark is a module with HELP (one line), `add_arguments(parser)` and `run(args)`, which
returns its figures by name. How they are printed is decided here, once for all.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from engine.commands import (
    bench_endings,
    bench_features,
    bench_outlook,
    bench_playouts,
    bench_search,
    bench_startup,
    bench_tactics,
)

BENCHMARKS = {
    "playouts": bench_playouts,
    "endings": bench_endings,
    "outlook": bench_outlook,
    "tactics": bench_tactics,
    "features": bench_features,
    "search": bench_search,
    "startup": bench_startup,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    subparsers = parser.add_subparsers(dest="benchmark", metavar="NAME", required=True)
    for name, module in BENCHMARKS.items():
        subparser = subparsers.add_parser(
            name,
            help=module.HELP,
            description=f"Measure {module.HELP}.",
            allow_abbrev=False,
        )
        module.add_arguments(subparser)
        subparser.add_argument(
            "--json", action="store_true", help="print one JSON object instead of a table"
        )


def run(args: argparse.Namespace) -> int:
    """Run the benchmark and print its figures."""
    figures = BENCHMARKS[args.benchmark].run(args)
    print(json.dumps(figures) if args.json else table(figures))
    return 0


def table(figures: dict[str, Any]) -> str:
    """The figures, one a line: the name in words, then the value."""
    width = max(map(len, figures))
    return "\n".join(
        f"{name.replace('_', ' '):{width}}  {value}" for name, value in figures.items()
    )
