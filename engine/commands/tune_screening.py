"""`miai tune --screen`: which settings matter, by games between opposite ends of all ranges."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.main import CommandError
from engine.console import say

if TYPE_CHECKING:
    from engine.cluster import Workers
    from engine.tune.run import Contest
    from engine.tune.screening import Effect
    from engine.tune.space import Axis
    from engine.tune.trials import Trial, Trials

GAMES = 400  # the interval of each setting is then 34 Elo to both sides
PLOT = "effects.svg"


def check(args: argparse.Namespace) -> None:
    """Refuse options that belong to tuning; fill in the games."""
    for name in ("against", "trials"):
        if getattr(args, name) is not None:
            raise CommandError(f"--{name} does not go with --screen: it plays --player's own ends")
    args.games = args.games or GAMES
    if args.games % 2:
        raise CommandError("--screen plays pairs of games: choose an even number of --games")


def run(
    args: argparse.Namespace,
    axes: list[Axis],
    contest: Contest,
    plan: dict[str, Any],
    workers: Workers,
) -> str:
    """Play the pairs that are missing; what each setting does, in words or as JSON."""
    from engine.tune.screening import effects, screen
    from engine.tune.trials import Trials

    # The seed is part of the plan: pairs of two designs would not be balanced together.
    trials = Trials(Path(args.out), {**plan, "screen": True, "seed": args.seed}, axes)

    def on_trial(trial: Trial) -> None:
        _show(trial, trials, args.games)

    screen(contest, trials, args.games, args.seed, workers, args.cluster is None, on_trial)
    found = effects(axes, trials.done)
    _write_plot(trials, found)
    told = figures(args, trials, found)
    return json.dumps(told) if args.json else _summary(trials, found, told)


def _show(trial: Trial, trials: Trials, games: int) -> None:
    """A line for each pair, and the plot so far."""
    from engine.match.live import elo_text
    from engine.tune.screening import effects

    found = effects(trials.axes, trials.done)
    clearest, points = found[0], trial.score.points
    say(
        f"pair {trial.number + 1}: {points:g} to {trial.score.games - points:g}; "
        f"{clearest.score.games}/{games} games; clearest so far {clearest.axis.name}, "
        f"Elo {elo_text(clearest.elo()[0])}, z {clearest.z:+.1f}"
    )
    _write_plot(trials, found)


def _write_plot(trials: Trials, found: list[Effect]) -> None:
    from engine.tune.report import effects_plot
    from knowledge.report import write_atomically

    write_atomically(trials.folder / PLOT, effects_plot(found))


def figures(args: argparse.Namespace, trials: Trials, found: list[Effect]) -> dict[str, Any]:
    """The result as one object for other programs."""
    from engine.commands.match import finite
    from engine.commands.tune import proof
    from engine.tune.screening import worth_proving

    axes, values = [effect.axis for effect in found], worth_proving(found)

    settings = []
    for effect in found:
        middle, low, high = effect.elo()
        settings.append({
            "name": effect.axis.name, "low": effect.axis.low, "high": effect.axis.high,
            "share": round(effect.score.share, 4), "elo": finite(middle), "elo_low": finite(low),
            "elo_high": finite(high), "z": round(effect.z, 3),
        })  # fmt: skip
    return {
        "games": found[0].score.games,
        "faults": sum(trial.faults for trial in trials.done),
        "settings": settings,
        "plot": str(trials.folder / PLOT),
        "values": {axis.name: float(axis.text(values[axis.name])) for axis in axes},
        "confirm": proof(args, axes, values),
    }


def _summary(trials: Trials, found: list[Effect], told: dict[str, Any]) -> str:
    """The result as a table, the clearest setting first."""
    from engine.match.live import elo_text
    from engine.tune.trials import faults_text
    from knowledge.report import table

    rows = []
    for effect in found:
        axis = effect.axis
        middle, low, high = map(elo_text, effect.elo())
        ends = axis.text(axis.low), axis.text(axis.high)
        rows.append([axis.name, *ends, middle, f"{low} to {high}", f"{effect.z:+.1f}"])
    header = ["setting", "low", "high", "Elo of high over low", "95%", "z"]
    lines = [f"{found[0].score.games} games", table(header, rows)]
    lines += faults_text(trials.done)
    lines += [
        f"The plot is {trials.folder / PLOT}",
        "All settings a little towards their better ends, to be proved before you believe it:",
        f"  {told['confirm']}",
    ]
    return "\n".join(lines)
