"""`miai train fbt|lfr|mm|spt`: a model that predicts moves, with its card."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.arguments import not_negative, positive_integer
from engine.commands.games import FILES_HELP, read_all
from engine.commands.main import CommandError
from engine.console import say
from knowledge.filters import Filters
from knowledge.groups import SETS

if TYPE_CHECKING:
    from knowledge.factors import FactorModel
    from knowledge.features import FeatureSet
    from knowledge.games import Games
    from knowledge.training import Recipe

NAMES = {
    "fbt": "Factorization Bradley-Terry",
    "lfr": "Latent Factor Ranking",
    "mm": "Minorization-Maximization",
    "spt": "Spatial Probability Trees",
}
# What a recipe's steps depend on; left out, they are the kind's own.
STEPS = {
    "rate_w": "first learning rate of strengths",
    "rate_v": "first learning rate of vectors",
    "decay_w": "L2 on strengths, for each step",
    "decay_v": "L2 on vectors, for each step",
}
# Weights that are taken over know nothing of how long their steps should be: AdaGrad's sums have
# to grow first.
RISING = 0.02


def add_arguments(parser: argparse.ArgumentParser, kind: str) -> None:
    add = parser.add_argument
    add("--games", nargs="+", required=True, metavar="FILE", help=FILES_HELP)
    add("--valid", nargs="+", required=True, metavar="FILE", help="to stop and calibrate by")
    add("--valid-first", type=positive_integer, metavar="N", help="only so many games of each")
    add("--out", required=True, metavar="FILE", help="the weight file to write (.npz)")
    add("--threads", type=positive_integer, default=2, metavar="N", help="(default 2)")
    add("--model-seed", type=int, default=1, metavar="N", help="of the start and order (1)")
    if kind == "spt":
        _add_spt(parser)
    else:
        _add_features(parser, kind)
    if kind in ("fbt", "lfr"):
        _add_descent(parser, kind)
    elif kind == "mm":
        add("--rounds", type=positive_integer, default=12, metavar="N", help="MM rounds (12)")
        add("--cluster", metavar="ADDRESS", help="extract on the workers of a Dask scheduler")
    Filters.add_arguments(parser, size=19)


def _add_features(parser: argparse.ArgumentParser, kind: str) -> None:
    add = parser.add_argument
    default = "best" if kind == "fbt" else kind
    add("--features", choices=SETS, default=default, help=f"the feature set ({default})")
    add(
        "--min-count", type=positive_integer, default=10, metavar="N",
        help="patterns that were played at least so often (10)",
    )  # fmt: skip
    add("--without", nargs="+", default=[], metavar="GROUP", help="leave these groups out")


def _add_descent(parser: argparse.ArgumentParser, kind: str) -> None:
    add = parser.add_argument
    k = 15 if kind == "fbt" else 5
    add("--k", type=int, default=k, metavar="N", help=f"length of the vectors, 0 for none ({k})")
    add("--epochs", type=positive_integer, metavar="N", help="at most so many")
    add("--share", type=float, default=1.0, metavar="X", help="of the positions, each epoch (1)")
    add("--minutes", type=float, metavar="N", help="at most so long, the rate falling in time")
    add("--start", metavar="FILE", help="begin with what these weights of the same kind know")
    add(
        "--average", type=positive_integer, default=1, metavar="N",
        help="train N models from different seeds; the result has N times as long vectors and "
        "the mean of their scores, which suits small collections (1)",
    )  # fmt: skip
    add("--resume", action="store_true", help="go on from the checkpoint beside --out")
    for name, what in STEPS.items():
        add(f"--{name.replace('_', '-')}", type=not_negative, metavar="X", help=what)
    if kind == "fbt":
        add("--optimizer", choices=("adagrad", "sgd"), default="adagrad", help="(adagrad)")
        add(
            "--samples", type=int, default=0, metavar="M",
            help="estimate the gradient from M moves drawn by the model (0: don't)",
        )  # fmt: skip
        add("--largest-only", action="store_true", help="the largest pattern without nested ones")
    else:
        add("--full", action="store_true", help="correct all moves, not only those ranked above")


def _add_spt(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--depth", type=positive_integer, metavar="N", help="of a tree")
    add("--min-node", type=positive_integer, metavar="N", help="positions in a leaf at least")
    add("--samples", type=positive_integer, metavar="N", help="questions tried at a node")
    add("--leaf-size", type=positive_integer, metavar="N", help="side of a leaf's square")
    add("--trees", type=positive_integer, metavar="N", help="in the forest")
    add("--positions", type=positive_integer, metavar="N", help="that a tree learns from")
    add("--negatives", type=positive_integer, metavar="N", help="points elsewhere for each near")


@dataclass
class _Lesson:
    """What all kinds need, and what goes on the card."""

    args: argparse.Namespace
    filters: Filters
    games: Games
    valid: Games
    lines: list[str]


def run(args: argparse.Namespace) -> int:
    """Learn, calibrate, write the weights and their card."""
    filters = Filters.from_arguments(args)
    games = read_all(args.games, filters)
    valid = read_all(args.valid, replace(filters, first=args.valid_first, sample=None))
    lesson = _Lesson(args, filters, games, valid, [])
    out = Path(args.out)
    if out.suffix != ".npz":
        raise CommandError("the weight file's name must end in .npz")
    started = time.perf_counter()
    figures = _train_spt(lesson) if args.model == "spt" else _train_factors(lesson)
    lesson.lines.insert(0, f"Trained in {time.perf_counter() - started:.0f} s")
    out.with_suffix(".md").write_text(_card(lesson, figures))
    print(_summary(figures))
    return 0


def _summary(figures: dict[str, Any]) -> str:
    tops = ", ".join(f"top-{n} {figures[f'top{n}']}%" for n in (1, 5, 10, 20))
    return (
        f"validation: {figures['positions']:,} positions, {tops}, "
        f"log-evidence {figures['log_evidence']}"
    )


def _feature_set(lesson: _Lesson) -> FeatureSet:
    from knowledge.features import PATTERN_GROUPS, FeatureSet
    from knowledge.harvest import harvest
    from knowledge.progress import Progress

    name, without = lesson.args.features, set(lesson.args.without)
    groups = [group for group in SETS[name] if group not in without]
    if without - set(SETS[name]) or not groups:
        raise CommandError(f"--without takes some groups of {name}: {', '.join(SETS[name])}")
    dictionary = None
    if any(group in PATTERN_GROUPS for group in groups):
        with Progress("Harvesting patterns") as progress:
            dictionary = harvest(
                lesson.games, lesson.args.min_count, threads=lesson.args.threads,
                tell=progress.update,
            )  # fmt: skip
        lesson.lines.append(f"{len(dictionary):,} patterns, at least {lesson.args.min_count} times")
    return FeatureSet(groups if without else name, dictionary)


def _train_factors(lesson: _Lesson) -> dict[str, Any]:
    from knowledge.evaluate import calibrate, predict
    from knowledge.progress import Progress

    args = lesson.args
    features = _feature_set(lesson)
    model = _fit_mm(lesson, features) if args.model == "mm" else _descend(lesson, features)
    say("Calibrating")
    model.calibration = calibrate(model, lesson.valid, args.threads)
    model.save(args.out)
    lesson.lines.append(f"Temperature {model.calibration.temperature:.3f}")
    with Progress("Validating") as progress:
        predictions = predict(model, lesson.valid, args.threads, progress.update)
    return predictions.figures(model.calibration)


def _fit_mm(lesson: _Lesson, features: FeatureSet) -> FactorModel:
    from engine.cluster import WorkFailed, open_workers
    from knowledge.factors import FactorModel
    from knowledge.mm import extract, fit
    from knowledge.progress import Progress
    from knowledge.spread_extraction import extract_by

    args = lesson.args
    try:
        with (
            Progress("MM", "passes") as progress,
            open_workers(1, args.cluster) if args.cluster else nullcontext() as workers,
        ):
            result = fit(
                lesson.games,
                features,
                rounds=args.rounds,
                threads=args.threads,
                progress=progress.update,
                extractor=extract if workers is None else extract_by(workers),
            )
    except WorkFailed as error:
        raise CommandError(str(error)) from None
    model = FactorModel.new("mm", features, 0, False, 0, size=args.size)
    model.table()[:, 0] = result.log_gammas
    return model


def _descend(lesson: _Lesson, features: FeatureSet) -> FactorModel:
    """The model, or the average of several that began with different seeds."""
    from knowledge.factors import FactorModel

    args = lesson.args
    first = args.model_seed
    seeds = {
        seed: _checkpoint(args.out, seed - first) for seed in range(first, first + args.average)
    }
    recipe = _recipe(args)
    models = [_descended(lesson, features, recipe, *item) for item in seeds.items()]
    for checkpoint in seeds.values():
        checkpoint.unlink(missing_ok=True)
    return models[0] if len(models) == 1 else FactorModel.averaged(models)


def _checkpoint(out: str, number: int) -> Path:
    """Where the training of one of the models is kept while it or another one goes on."""
    return Path(out).with_suffix(f".{number + 1}.checkpoint" if number else ".checkpoint")


def _recipe(args: argparse.Namespace) -> Recipe:
    from knowledge import fbt, lfr

    changes = {"share": args.share, "threads": args.threads}
    given = {name: getattr(args, name) for name in ("epochs", *STEPS)}
    changes |= {name: value for name, value in given.items() if value is not None}
    if args.minutes is not None:
        changes["seconds"] = 60 * args.minutes / args.average
    if args.start:
        changes["rising"] = RISING
    try:
        if args.model == "fbt":
            return fbt.recipe(args.optimizer, args.samples, **changes)
        return lfr.recipe(args.full, **changes)
    except ValueError as error:
        raise CommandError(str(error)) from None


def _descended(
    lesson: _Lesson, features: FeatureSet, recipe: Recipe, seed: int, checkpoint: Path
) -> FactorModel:
    """One model, trained from the start or from its checkpoint."""
    from knowledge import fbt, lfr
    from knowledge.factors import FactorModel
    from knowledge.progress import Progress
    from knowledge.training import Training
    from weights.files import BadWeights

    args = lesson.args
    if args.model == "fbt":
        spread = fbt.SPREAD if args.optimizer == "adagrad" else fbt.PAPER_SPREAD
        nested = not args.largest_only
    else:
        spread, nested = lfr.SPREAD, False
    model = FactorModel.new(args.model, features, args.k, nested, seed, spread, args.size)
    if args.start:
        _take_over(lesson, model)
    training = Training(model, lesson.games, replace(recipe, seed=seed), lesson.valid, checkpoint)
    # Of several models the later ones may not have begun when the first was broken off.
    if args.resume and (checkpoint.exists() or seed == args.model_seed):
        try:
            training.resume()
        except BadWeights as error:
            raise CommandError(f"cannot resume: {error}") from None
    which = f"Seed {seed}, epoch" if args.average > 1 else "Epoch"
    with Progress(f"Training {args.model}", "chunks") as progress:
        for i, epoch in enumerate(training.run(progress.update)):
            lesson.lines.append(
                f"{which} {i + 1}: {epoch.positions:,.0f} positions, "
                f"training {epoch.train_top1:.2f}% {epoch.train_log_evidence:.4f}, "
                f"validation {epoch.valid_top1:.2f}% {epoch.valid_log_evidence:.4f}, "
                f"{epoch.seconds:.0f} s"
            )
    return model


def _take_over(lesson: _Lesson, model: FactorModel) -> None:
    """Begin with the rows of the weights that were given."""
    from knowledge.factors import FactorModel
    from weights.files import BadWeights

    start = Path(lesson.args.start)
    try:
        taken = model.take_over(FactorModel.load(start, model.kind))
    except BadWeights as error:
        raise CommandError(str(error)) from None
    lesson.lines.append(
        f"Began with {taken:,} of {model.features.n_ids - 1:,} features of {start.name}"
    )


def _train_spt(lesson: _Lesson) -> dict[str, Any]:
    from knowledge import spt
    from knowledge.progress import Progress

    args = lesson.args
    names = ("depth", "min_node", "samples", "leaf_size", "trees", "positions", "negatives")
    given = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    try:
        settings = spt.SptSettings(**given, seed=args.model_seed)
    except ValueError as error:
        raise CommandError(str(error)) from None
    with Progress("Growing trees", "trees") as progress:
        model = spt.fit(lesson.games, settings, progress=progress, threads=args.threads)
    model.calibration = spt.calibrate(model, lesson.valid, args.threads)
    model.save(args.out)
    figures = spt.predict(model, lesson.valid, args.threads)
    return figures.figures(model.calibration)


def _card(lesson: _Lesson, figures: dict[str, Any]) -> str:
    """The page that goes with the weights."""
    args = lesson.args
    out = Path(args.out)
    given = (*args.games, *args.valid, args.out, getattr(args, "start", None))
    files = {Path(name).name: name for name in given if name}
    command = shlex.join(sys.argv[1:])
    for short, name in files.items():
        command = command.replace(name, short)
    lines = "\n".join(f"- {line}" for line in lesson.lines)
    games = " ".join(Path(name).name for name in args.games)
    valid = " ".join(Path(name).name for name in args.valid)
    return f"""# {out.name}

Predicts moves on {args.size}x{args.size} by {NAMES[args.model]}.

- Data: {len(lesson.games):,} games of {games}, {int(lesson.games.learn.sum()):,} moves
- Command: `miai {command}`
- Date: {date.today().isoformat()}
- Size: {out.stat().st_size:,} bytes
{lines}
- {_summary(figures).capitalize()} ({len(lesson.valid):,} games of {valid})
"""
