"""`miai reproduce NAME`: an experiment of the papers again, written as a page of results."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from pathlib import Path
from typing import Any

from engine.commands.arguments import positive_integer
from engine.commands.main import CommandError

EXPERIMENTS = {
    "mm-kgs": "MM on the MM paper's own games",
    "lfr-kgs": "MM, LFR1 and LFR5 on games of KGS",
    "fbt-small": "FBT against LFR with 3x3 shapes",
    "fbt-large": "FBT against LFR with large shapes",
    "fbt-sampling": "FBT with sampled gradients, accuracy against time",
    "patterns": "sizes of matched patterns by phase of the game",
    "spt": "spatial probability trees against their settings",
}
# What may be less than in the paper, where time is short; the page says so.
LIMITS = {
    "games": "learn from at most so many",
    "test_games": "test on at most so many",
    "epochs": "go through the games at most so often",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = "; ".join(f"{name}: {what}" for name, what in EXPERIMENTS.items())
    parser.add_argument("name", choices=EXPERIMENTS, metavar="NAME", help=names)
    parser.add_argument(
        "--data", metavar="DIR",
        help="folder of the game records (default: MIAI_SHARED_DATA, or ../shared/data beside "
        "the clone)",
    )  # fmt: skip
    parser.add_argument(
        "--out", default="docs/results", metavar="DIR", help="where to write (docs/results)"
    )
    parser.add_argument(
        "--quick", action="store_true",
        help="a few games and small models, to NAME-quick: shows that all works, and no more",
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=positive_integer, default=2, metavar="N", help="(default 2)"
    )
    for name, what in LIMITS.items():
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=positive_integer, metavar="N", help=what
        )
    parser.add_argument("--only", default="", metavar="TEXT", help="rows with this in their name")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def data_folder(given: str | None) -> Path:
    """Where the game records are."""
    beside_the_clone = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(given or os.environ.get("MIAI_SHARED_DATA") or beside_the_clone)


def _command(args: argparse.Namespace) -> str:
    """What was asked for, as one would type it."""
    words = ["miai", "reproduce", args.name] + ["--quick"] * args.quick
    for name in (*LIMITS, "only"):
        if value := getattr(args, name):
            words += [f"--{name.replace('_', '-')}", str(value)]
    return shlex.join(words)


def run(args: argparse.Namespace) -> int:
    """Run what is not finished, and write the page after every row."""
    from knowledge.experiment_pages import files_of
    from knowledge.experiments import CannotReproduce, Limits, Sources, file_name, reproduce
    from knowledge.records import BadRecords
    from knowledge.report import write_atomically

    out = Path(args.out)
    limits = Limits(**{name: getattr(args, name) for name in (*LIMITS, "only")})
    command = _command(args)

    def write(rows: dict[str, Any]) -> None:
        for name, text in files_of(args.name, rows, args.quick, command, limits.told()).items():
            write_atomically(out / name, text)

    try:
        sources = Sources.in_folder(data_folder(args.data))
        rows = reproduce(args.name, sources, out, args.quick, args.threads, write, limits)
    except (CannotReproduce, BadRecords) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None
    if args.json:
        print(json.dumps({"experiment": args.name, "quick": args.quick, "rows": rows}))
    else:
        page = out / f"{file_name(args.name, args.quick)}.md"
        print(page.read_text(encoding="utf-8"), end="")
        print(f"\nWritten to {page}")
    return 0
