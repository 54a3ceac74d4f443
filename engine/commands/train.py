"""`miai train NAME`: learn weights from game records.

`playout` learns the gammas of the playout policy by minorization-maximization.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.arguments import board_size, positive_integer
from engine.commands.games import read_games
from engine.commands.main import CommandError
from engine.console import say

if TYPE_CHECKING:
    import numpy as np

    from knowledge.records import Record

_DAN = re.compile(r"\s*\d+\s*d", re.IGNORECASE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    subparsers = parser.add_subparsers(dest="model", metavar="NAME", required=True)
    playout = subparsers.add_parser(
        "playout",
        help="the gammas of the playout policy",
        description="Learn the gammas of the playout policy from even games.",
        allow_abbrev=False,
    )
    playout.add_argument("--games", nargs="+", required=True, metavar="FILE", help="to learn from")
    playout.add_argument("--valid", nargs="+", metavar="FILE", help="to report figures on")
    playout.add_argument("--out", required=True, metavar="FILE", help="the weight file to write")
    playout.add_argument("--size", type=board_size, default=19, metavar="N", help="board size (19)")
    playout.add_argument(
        "--first", type=positive_integer, metavar="N", help="only the first N games of each file"
    )
    playout.add_argument(
        "--dan-moves", action="store_true", help="only the moves of players with a dan rank"
    )
    playout.add_argument(
        "--rounds", type=positive_integer, default=15, metavar="N", help="MM rounds (15)"
    )


def _read(files: list[str], size: int, first: int | None) -> list[Record]:
    result = []
    for name in files:
        records, bad = read_games(name, first)
        kept = [record for record in records if record.size == size]
        say(f"{name}: {len(kept)} games, {bad} left out as unreadable or illegal")
        result += kept
    if not result:
        raise CommandError(f"no games on {size}x{size} in {', '.join(files)}")
    return result


def _dan_moves(record: Record) -> np.ndarray:
    """Which moves a dan player made."""
    import numpy as np

    is_dan = [False, *(bool(_DAN.match(rank)) for rank in record.ranks)]
    return np.array(is_dan)[record.colors]


def run(args: argparse.Namespace) -> int:
    """Learn, write the weights and their card."""
    import numpy as np

    from knowledge.playout_gammas import NAMES, competitions, evaluate, fit
    from weights.files import save_weights

    learn: Callable[[Record], np.ndarray] | None = _dan_moves if args.dan_moves else None
    records = _read(args.games, args.size, args.first)
    started = time.perf_counter()
    data = competitions(records, learn)
    say(f"{len(data.winner)} positions, {len(data.shape)} candidates")
    gammas, evidence = fit(data, args.rounds, say)
    seconds = time.perf_counter() - started
    figures = [f"training: {len(data.winner)} positions, mean log-evidence {evidence:.4f}"]
    if args.valid:
        valid = competitions(_read(args.valid, args.size, None), learn)
        valid_evidence, top1 = evaluate(valid, gammas)
        figures.append(
            f"validation: {len(valid.winner)} positions, "
            f"mean log-evidence {valid_evidence:.4f}, top-1 {100 * top1:.2f}%"
        )
    factors = np.array([gammas.factors[name] for name in NAMES], np.float32)
    arrays = {
        "shapes": gammas.shapes.astype(np.float32),
        "factors": factors,
        "names": np.array(NAMES),
    }
    out = Path(args.out)
    save_weights(out, "playout", arrays)
    out.with_suffix(".md").write_text(_card(args, len(records), seconds, figures, gammas.factors))
    for line in figures:
        print(line)
    return 0


def _card(
    args: argparse.Namespace,
    games: int,
    seconds: float,
    figures: list[str],
    factors: Mapping[str, float],
) -> str:
    """The page that goes with the weights."""
    options = "".join(
        [
            f" --size {args.size}",
            f" --first {args.first}" if args.first else "",
            " --dan-moves" if args.dan_moves else "",
            f" --rounds {args.rounds}",
        ]
    )
    names = " ".join(Path(name).name for name in args.games)
    valid = f" --valid {' '.join(Path(name).name for name in args.valid)}" if args.valid else ""
    size = Path(args.out).stat().st_size
    rows = "\n".join(f"| {name} | {value:.3f} |" for name, value in factors.items())
    return f"""# {Path(args.out).name}

Gammas of the playout policy on {args.size}x{args.size}: 3x3 shapes and the features below.

- Data: {games} games of {names}
- Command: `miai train playout --games {names}{valid}{options} --out {Path(args.out).name}`
- Method: minorization-maximization from gammas of 1, {args.rounds} rounds, {seconds:.0f} s
- Date: {date.today().isoformat()}
- Size: {size} bytes
{chr(10).join(f"- {line[0].upper()}{line[1:]}" for line in figures)}

| feature | gamma |
|---|---|
{rows}
"""
