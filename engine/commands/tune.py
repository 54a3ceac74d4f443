"""`miai tune NAME...`: find better values of parameters by games against a mix of opponents.

Each trial plays small matches with new values; the run continues where it was when it is started
again. At the end it says which values to use, and the match that would prove them better. What
--screen does instead is in `tune_screening.py`.
"""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands import tune_screening
from engine.commands.arguments import (
    MOST_SEED,
    board_size,
    finite_number,
    folder_name,
    match_seed,
    positive_integer,
    time_span,
)
from engine.commands.main import CommandError
from engine.console import say, why
from engine.match.players import Entrant, plain_text
from engine.tune.space import BadSpace, parse_space, tunable

if TYPE_CHECKING:
    from engine.cluster import Workers
    from engine.tune.run import Contest
    from engine.tune.space import Axis
    from engine.tune.trials import Trial, Trials

AGAINST, TRIALS, GAMES = "gnugo:10,miai", 100, 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"Parameters worth tuning: {', '.join(tunable())}."
    parser.add_argument(
        "names", nargs="+", metavar="NAME[=LOW:HIGH]", help="parameters, each with a range or not"
    )
    parser.add_argument(
        "--screen", action="store_true",
        help="only find out which parameters matter: in each pair of games one player has the "
        "one end of every range, the other the other",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=folder_name, required=True, metavar="DIR", help="where the trials are kept"
    )
    parser.add_argument(
        "--player", default="miai", metavar="PLAYER",
        help="who is tuned: miai with other options (default miai); values are added as options",
    )  # fmt: skip
    parser.add_argument(
        "--against", metavar="PLAYERS",
        help=f"the opponents, with commas between them (default {AGAINST})",
    )  # fmt: skip
    parser.add_argument("--trials", type=positive_integer, metavar="N", help=f"(default {TRIALS})")
    parser.add_argument(
        "--games", type=positive_integer, metavar="N",
        help=f"games of a trial against each opponent (default {GAMES}); with --screen all games "
        f"together (default {tune_screening.GAMES})",
    )  # fmt: skip
    parser.add_argument(
        "--sims", type=positive_integer, default=1000, metavar="N",
        help="simulations a move of each `miai` (default 1000)",
    )  # fmt: skip
    parser.add_argument("--size", type=board_size, default=9, metavar="N", help="(default 9)")
    parser.add_argument("--komi", type=finite_number, default=7.0, metavar="X", help="(default 7)")
    parser.add_argument(
        "--openings", default="random:4", metavar="WHAT",
        help="as for miai match (default random:4)",
    )  # fmt: skip
    parser.add_argument(
        "--patience", type=time_span, default=60.0, metavar="S", help="(default 60)"
    )
    parser.add_argument("--seed", type=match_seed, default=1, metavar="N", help="(default 1)")
    parser.add_argument(
        "--jobs", type=positive_integer, default=1, metavar="N", help="games at once (default 1)"
    )
    parser.add_argument("--share-cores", action="store_true", help="as for miai match")
    parser.add_argument("--cluster", metavar="ADDRESS", help="as for miai match")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _player(text: str, sims: int) -> Entrant:
    from engine.commands.match import player_of

    player = player_of(text, sims, threads=1)
    if player.is_flat:
        raise CommandError("flat players have no parameters and no part in tuning")
    return player


def _settle(args: argparse.Namespace) -> None:
    """Fill in what was not asked for; it depends on the kind of run."""
    if args.screen:
        tune_screening.check(args)
        return
    args.against = AGAINST if args.against is None else args.against
    args.trials, args.games = args.trials or TRIALS, args.games or GAMES


def _contest(args: argparse.Namespace) -> Contest:
    """What a trial plays; in a screening the player meets itself."""
    from engine.commands.match import referee_of
    from engine.match.openings import BadOpenings, parse_openings
    from engine.match.terms import Terms
    from engine.rules import RULES
    from engine.tune.run import Contest

    base = _player(args.player, args.sims)
    opponents = {}
    for text in [args.player] if args.screen else filter(None, args.against.split(",")):
        opponent = _player(text, args.sims)
        if opponent.name in opponents:
            raise CommandError(f"two opponents are called {opponent.name}: give them names, NAME=")
        opponents[opponent.name] = Terms(
            first=base, second=opponent, size=args.size, komi=args.komi, patience=args.patience,
            share_cores=args.share_cores, seed=args.seed, analyze=False, referee=referee_of("auto"),
        )  # fmt: skip
    if not opponents:
        raise CommandError("tuning needs somebody to play --against")
    try:
        openings = parse_openings(args.openings, args.size, RULES["chinese"], args.seed)
    except BadOpenings as error:
        raise CommandError(str(error)) from None
    return Contest(base, opponents, args.games, openings)


def run(args: argparse.Namespace) -> int:
    """Play what is missing and say what was found."""
    from engine.cluster import WorkFailed, open_workers
    from engine.commands.match import check_cores
    from engine.match.folders import FolderInUse, sole_use
    from engine.tune.optimiser import OptimiserMissing
    from engine.tune.run import TrialFailed
    from engine.tune.trials import BadTrials

    _settle(args)
    try:
        axes = parse_space(args.names, args.size)
        contest = _contest(args)
        check_cores(args.jobs, args.share_cores or args.cluster is not None)
        plan = {
            "player": args.player, "size": args.size, "komi": args.komi, "sims": args.sims,
            "openings": args.openings, "version": contest.base.version,
        }  # fmt: skip
        with open_workers(args.jobs, args.cluster) as workers, sole_use(Path(args.out)):
            run_it = tune_screening.run if args.screen else _tune
            text = run_it(args, axes, contest, plan, workers)
    except (BadSpace, BadTrials, FolderInUse, OptimiserMissing, TrialFailed, WorkFailed) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(why(error)) from None
    print(text)
    return 0


def _tune(
    args: argparse.Namespace,
    axes: list[Axis],
    contest: Contest,
    plan: dict[str, Any],
    workers: Workers,
) -> str:
    """Play the trials that are missing; what is best, in words or as JSON."""
    from engine.tune.optimiser import Optimiser
    from engine.tune.run import tune
    from engine.tune.trials import Trials

    plan = {**plan, "against": sorted(filter(None, args.against.split(","))), "games": args.games}
    trials = Trials(Path(args.out), plan, axes)
    optimiser = Optimiser(axes, trials.done, args.seed)

    def on_trial(trial: Trial) -> None:
        _show(trial, trials, args.trials)

    tune(contest, trials, args.trials, workers, optimiser, args.cluster is None, on_trial)
    _write_plots(trials)
    found = figures(axes, trials, args)
    return json.dumps(found) if args.json else _summary(found)


def _values_text(axes: list[Axis], values: dict[str, float]) -> str:
    return ", ".join(f"{axis.name} {axis.text(values[axis.name])}" for axis in axes)


def _show(trial: Trial, trials: Trials, wanted: int) -> None:
    """A line for each trial, and the plots so far."""
    from engine.tune.smoothing import recommended

    best = recommended(trials.axes, trials.done)[-1]
    score = trial.score
    faults = f" ({trial.faults} lost by a fault: {trial.reason})" if trial.faults else ""
    say(
        f"trial {trial.number + 1}/{wanted}: {_values_text(trials.axes, trial.values)}: "
        f"{score.points:g} of {score.games}{faults}; best so far "
        f"{_values_text(trials.axes, best.values)}, {100 * best.share:.1f}% smoothed"
    )
    _write_plots(trials)


def _write_plots(trials: Trials) -> None:
    from engine.tune.report import parameter_plots, progress_plot
    from knowledge.report import write_atomically

    write_atomically(trials.folder / "trials.svg", progress_plot(trials.axes, trials.done))
    for name, plot in parameter_plots(trials.axes, trials.done).items():
        write_atomically(trials.folder / f"{name}.svg", plot)


def figures(axes: list[Axis], trials: Trials, args: argparse.Namespace) -> dict[str, Any]:
    """The result as one object for other programs."""
    from engine.tune.smoothing import judge, recommended
    from engine.tune.trials import faults_text

    best = recommended(axes, trials.done)[-1]
    default = judge(axes, trials.done, {axis.name: axis.default for axis in axes})
    return {
        "trials": len(trials.done),
        "games": sum(trial.score.games for trial in trials.done),
        "values": {axis.name: float(axis.text(best.values[axis.name])) for axis in axes},
        "share": round(best.share, 4),
        "low": round(best.low, 4),
        "high": round(best.high, 4),
        "default_share": round(default.share, 4),
        "faults": faults_text(trials.done),
        "outside": outside(axes, args.size),
        "plots": str(trials.folder),
        "confirm": proof(args, axes, best.values),
    }


def proof(args: argparse.Namespace, axes: list[Axis], values: dict[str, float]) -> str:
    """The command of the match that proves values better than the defaults, or not."""
    from engine.tune.space import option_words

    player = plain_text(args.player)
    new = f"{player}{':' if player == 'miai' else ' '}{' '.join(option_words(axes, values))}"
    seed = (args.seed + 1) % MOST_SEED  # other openings: in the old ones these values were lucky
    return shlex.join([
        "miai", "match", "--black", f"new={new}", "--white", f"old={player}", "--sims",
        str(args.sims), "--size", str(args.size), "--komi", f"{args.komi:g}", "--openings",
        args.openings, "--seed", str(seed), "--sprt", "0,30", "--games", "1000", "--jobs",
        str(args.jobs),
    ])  # fmt: skip


def outside(axes: list[Axis], size: int) -> list[str]:
    """The parameters whose range leaves their default out."""
    from engine.parameters import PARAMETERS

    return [axis.name for axis in axes if axis.default != PARAMETERS[axis.name].default_for(size)]


def _summary(found: dict[str, Any]) -> str:
    values = ", ".join(f"{name} {value:g}" for name, value in found["values"].items())
    interval = f"{100 * found['low']:.1f} to {100 * found['high']:.1f}%"
    default = "the defaults"
    if found["outside"]:
        default = f"what is nearest to the defaults (out of range: {', '.join(found['outside'])})"
    lines = [
        f"{found['trials']} trials, {found['games']} games. Recommended: {values}",
        f"{100 * found['share']:.1f}% of the points, smoothed ({interval}, but the best is lucky)",
        f"{100 * found['default_share']:.1f}% with {default}",
        *found["faults"],
        f"Plots are in {found['plots']}. Prove it before you believe it:",
        f"  {found['confirm']}",
    ]
    return "\n".join(lines)
