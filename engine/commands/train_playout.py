"""`miai train playout`: the gammas of the playout policy, by minorization-maximization."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from engine.commands.arguments import positive_integer
from engine.commands.games import read_all
from engine.commands.main import CommandError
from engine.console import say
from knowledge.filters import Filters

_DAN = (1, 10)  # the ranks of amateurs, see `knowledge.games`


def add_arguments(playout: argparse.ArgumentParser) -> None:
    playout.add_argument("--games", nargs="+", required=True, metavar="FILE", help="to learn from")
    playout.add_argument("--valid", nargs="+", metavar="FILE", help="to report figures on")
    playout.add_argument("--out", required=True, metavar="FILE", help="the weight file to write")
    playout.add_argument(
        "--dan-moves", action="store_true", help="the same as --moves-of-rank 1d-10d"
    )
    playout.add_argument(
        "--rounds", type=positive_integer, default=15, metavar="N", help="MM rounds (15)"
    )
    Filters.add_arguments(playout, size=19)


def _filters(args: argparse.Namespace) -> Filters:
    filters = Filters.from_arguments(args)
    if filters.even is False:
        raise CommandError("playout policies are learned from even games only")
    if args.dan_moves:
        filters = replace(filters, moves_of_rank=_DAN)
    return replace(filters, even=True)


def run(args: argparse.Namespace) -> int:
    """Learn, write the weights and their card."""
    import numpy as np

    from knowledge.playout_gammas import NAMES, competitions, evaluate, fit
    from weights.files import save_weights

    filters = _filters(args)
    games = read_all(args.games, filters)
    started = time.perf_counter()
    data = competitions(games)
    say(f"{len(data.winner)} positions, {len(data.shape)} candidates")
    gammas, evidence = fit(data, args.rounds, say)
    seconds = time.perf_counter() - started
    figures = [f"training: {len(data.winner)} positions, mean log-evidence {evidence:.4f}"]
    if args.valid:
        valid = competitions(read_all(args.valid, replace(filters, first=None, sample=None)))
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
    card = _card(args, filters, len(games), seconds, figures, gammas.factors)
    out.with_suffix(".md").write_text(card)
    for line in figures:
        print(line)
    return 0


def _card(
    args: argparse.Namespace,
    filters: Filters,
    games: int,
    seconds: float,
    figures: list[str],
    factors: Mapping[str, float],
) -> str:
    """The page that goes with the weights."""
    options = f" {filters.options()} --rounds {args.rounds}"
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
