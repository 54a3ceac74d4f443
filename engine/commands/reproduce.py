"""`miai reproduce NAME`: an experiment of the papers again, written as a page of results."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.arguments import folder_name, positive_integer
from engine.commands.main import CommandError
from engine.console import why

if TYPE_CHECKING:
    from engine.strength.running import Plan

EXPERIMENTS = {
    "mm-kgs": "MM on the MM paper's own games",
    "lfr-kgs": "MM, LFR1 and LFR5 on games of KGS",
    "fbt-small": "FBT against LFR with 3x3 shapes",
    "fbt-large": "FBT against LFR with large shapes",
    "fbt-sampling": "FBT with sampled gradients, accuracy against time",
    "patterns": "sizes of matched patterns by phase of the game",
    "spt": "spatial probability trees against their settings",
}
# These are matches; all the others learn and predict.
MATCHES = {
    "crazystone": "patterns in playouts and widening against GNU Go",
    "fbt-mcts": "FBT in the tree against no knowledge, and against LFR's priors",
    "spt-mcts": "spatial probability trees in the tree, against GNU Go",
}
# Options that only matches have, and what they are if nobody says.
MATCH_OPTIONS: dict[str, Any] = {
    "sims": None, "weights": [], "jobs": 1, "share_cores": False, "cluster": None,
}  # fmt: skip
# What may be less than in the paper, where time is short; the page says so.
LIMITS = {
    "games": "learn from at most so many, or play so many in each row (matches: default 40)",
    "test_games": "test on at most so many",
    "valid_games": "stop and choose the best epoch by at most so many",
    "epochs": "go through the games at most so often",
    "total": "go through at most so many games in a row, all its epochs together",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    both = {**EXPERIMENTS, **MATCHES}
    names = "; ".join(f"{name}: {what}" for name, what in both.items())
    parser.add_argument("name", choices=both, metavar="NAME", help=names)
    parser.add_argument(
        "--data", metavar="DIR",
        help="folder of the game records (default: MIAI_SHARED_DATA, or ../shared/data beside "
        "the clone)",
    )  # fmt: skip
    parser.add_argument(
        "--out",
        type=folder_name,
        default="docs/results",
        metavar="DIR",
        help="where to write (docs/results)",
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
    _add_match_arguments(parser.add_argument_group(f"for {', '.join(MATCHES)}"))


def _add_match_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--sims", type=positive_integer, metavar="N", help="simulations a move in all rows"
    )
    group.add_argument(
        "--weights", action="append", default=[], type=_labelled, metavar="LABEL=FILE",
        help="the model for a label: patterns, fbt, lfr, one-tree, forest (default: the shipped)",
    )  # fmt: skip
    group.add_argument(
        "--jobs", type=positive_integer, default=1, metavar="N", help="games at once"
    )
    group.add_argument("--share-cores", action="store_true", help="as for miai match")
    group.add_argument("--cluster", metavar="ADDRESS", help="as for miai match")


def _labelled(text: str) -> tuple[str, Path]:
    label, _, file = text.partition("=")
    if not label or not file:
        raise argparse.ArgumentTypeError(f"{text!r} is not LABEL=FILE")
    return label, Path(file)


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
    if args.name in MATCHES:
        return _run_matches(args)
    for name, default in MATCH_OPTIONS.items():
        if getattr(args, name) != default:
            option = name.replace("_", "-")
            raise CommandError(f"--{option} is for {', '.join(MATCHES)}: {args.name} has no games")
    from knowledge.experiment_pages import files_of
    from knowledge.experiment_rows import CannotReproduce, Limits
    from knowledge.experiments import file_name, reproduce, sources_in
    from knowledge.records import BadRecords
    from knowledge.report import write_atomically

    out = Path(args.out)
    limits = Limits(**{name: getattr(args, name) for name in (*LIMITS, "only")})
    command = _command(args)

    def write(rows: dict[str, Any]) -> None:
        for name, text in files_of(args.name, rows, args.quick, command, limits.told()).items():
            write_atomically(out / name, text)

    try:
        sources = sources_in(data_folder(args.data))
        rows = reproduce(args.name, sources, out, args.quick, args.threads, write, limits)
    except (CannotReproduce, BadRecords) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(why(error)) from None
    if args.json:
        print(json.dumps({"experiment": args.name, "quick": args.quick, "rows": rows}))
    else:
        page = out / f"{file_name(args.name, args.quick)}.md"
        print(page.read_text(encoding="utf-8"), end="")
        print(f"\nWritten to {page}")
    return 0


def _run_matches(args: argparse.Namespace) -> int:
    """Play what is missing, and write the page after every row."""
    from engine.cluster import WorkFailed, open_workers
    from engine.commands.match import check_cores
    from engine.match.folders import FolderInUse, sole_use
    from engine.match.players import BadPlayer
    from engine.match.results import BadResults
    from engine.strength.pages import page_files
    from engine.strength.running import Plan, play_table, published, write_all

    check_cores(args.jobs, args.share_cores or args.cluster is not None)
    out = Path(args.out)
    plan = Plan(
        args.name, out, args.quick, args.games, args.sims, dict(args.weights), args.share_cores,
        args.cluster is None, args.only or "",
    )  # fmt: skip
    _check(plan)
    saved = out / f"{plan.stem}.json"

    def write(done: dict[str, Any]) -> None:
        text = json.dumps({"experiment": args.name, "rows": done}, indent=1) + "\n"
        write_all(out, {saved.name: text, **page_files(plan, done)})

    try:
        with sole_use(plan.folder), open_workers(args.jobs, args.cluster) as workers:
            done = play_table(plan, workers, write, published(saved, plan.rows()))
    except (BadPlayer, BadResults, FolderInUse, WorkFailed) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(why(error)) from None
    if args.json:
        print(json.dumps({"experiment": args.name, "quick": args.quick, "rows": done}))
    else:
        page = out / f"{plan.stem}.md"
        print(page.read_text(encoding="utf-8"), end="")
        print(f"\nWritten to {page}")
    return 0


def _check(plan: Plan) -> None:
    """Refuse rows and weights that the table has not."""
    from weights.files import BadWeights, kind_of

    if not plan.chosen():
        raise CommandError(f"no row's name contains {plan.only!r}")
    labels = {label for row in plan.rows() for label, _ in row.models}
    for label, file in plan.weights.items():
        if label not in labels:
            raise CommandError(f"--weights {label}=: {plan.name} has {', '.join(sorted(labels))}")
        if not file.is_file():
            raise CommandError(f"{file}: no such file")
        try:
            kind_of(file)
        except BadWeights as error:
            raise CommandError(str(error)) from None
