"""`miai evaluate WEIGHTS --games FILES`: how well a model predicts the moves of games."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from engine.commands.arguments import positive_integer
from engine.commands.games import FILES_HELP, read_all
from engine.commands.main import CommandError
from knowledge.filters import Filters


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("weights", metavar="WEIGHTS", help="a weight file of `miai train`")
    parser.add_argument("--games", nargs="+", required=True, metavar="FILE", help=FILES_HELP)
    parser.add_argument(
        "--threads", type=positive_integer, default=2, metavar="N", help="(default 2)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--picture", metavar="FILE", help="draw the calibration curve to this file (.svg)"
    )
    Filters.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Predict and print."""
    from knowledge.predictor import load_predictor
    from knowledge.progress import Progress
    from weights.files import BadWeights

    try:
        predictor = load_predictor(args.weights)
    except BadWeights as error:
        raise CommandError(str(error)) from None
    games = read_all(args.games, Filters.from_arguments(args))
    with Progress("Predicting") as progress:
        predictions = predictor.predict(games, args.threads, progress.update)
    figures = predictions.figures(predictor.calibration)
    if args.picture:
        _draw(Path(args.picture), figures)
    print(json.dumps(figures) if args.json else _table(figures))
    return 0


def _draw(path: Path, figures: dict[str, Any]) -> None:
    """The calibration curve as a picture."""
    from knowledge.report import Line, line_chart, write_atomically

    curve = figures["calibration"]
    lines = [
        Line("honest", [(0.0, 0.0), (100.0, 100.0)], dashed=True),
        Line("as scored", [(said, played) for said, _, played, _ in curve]),
        Line("calibrated", [(mapped, played) for _, mapped, played, _ in curve]),
    ]
    try:
        write_atomically(path, line_chart("Calibration", "said (%)", "played (%)", lines))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None


def _table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [
        f"{figures['positions']:,} positions, {figures['microseconds']} us each on one thread",
        *(f"top-{n:<3} {figures[f'top{n}']:6.2f}%" for n in (1, 5, 10, 20)),
        f"mean log-evidence {figures['log_evidence']}",
        "",
        "top-1 by phases of 30 moves: "
        + " ".join("-" if share is None else f"{share:.1f}" for share in figures["phases"]),
        f"mean of the phases {figures['phase_mean']}%",
    ]
    sizes = figures["by_pattern_size"]
    if sizes:
        lines += ["", "matched size   positions   top-1"]
        lines += [
            f"{size:>12} {count:>11,} {share:6.2f}%" for size, (share, count) in sizes.items()
        ]
    lines += ["", "    said  calibrated   played       moves"]
    lines += [
        f"{said:7.2f}% {mapped:10.2f}% {played:7.2f}% {count:>11,}"
        for said, mapped, played, count in figures["calibration"]
    ]
    return "\n".join(lines)
