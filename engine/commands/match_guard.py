"""`miai match --guard`: what it plays by where nothing else was asked for, and what it says."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.main import CommandError

if TYPE_CHECKING:
    from engine.match.run import Standing
    from engine.match.terms import Terms

LAST_MARK = object()  # what --guard is without a commit


def settle(args: argparse.Namespace) -> None:
    """Refuse what does not go with the guard; fill in the rest."""
    from engine.commands.match import check_cores
    from engine.match import guard
    from engine.match.cores import available_cores

    _refuse(args)
    args.sims = args.sims or guard.SIMS
    args.sprt = args.sprt or guard.BOUNDS
    args.games = args.games or guard.MOST_GAMES
    args.minutes = args.minutes or guard.MINUTES
    args.jobs = args.jobs or max(1, min(2, len(available_cores()) // args.cores))
    args.openings = args.openings or guard.OPENINGS
    check_cores(args.jobs * args.cores * (2 if args.apart else 1), args.share_cores)
    commit = None if args.guard is LAST_MARK else args.guard
    try:
        args.rivals = guard.rivals(commit, args.sims, args.cores)
    except guard.NoBaseline as error:
        raise CommandError(str(error)) from None


def seconds(args: argparse.Namespace) -> float:
    """How long games are waited for at most: a tree that hangs must not hold up the guard."""
    from engine.match import guard

    return 60 * (args.minutes + guard.FAREWELL)


def _refuse(args: argparse.Namespace) -> None:
    from engine.match.results import GAMES, TERMS

    if args.guard == "":
        raise CommandError("--guard= names no commit: leave the = out for the last mark")
    if args.handicap:
        raise CommandError("--guard plays even games: it does not go with --handicap")
    if args.players or args.black or args.white:
        raise CommandError("--guard brings its own players")
    if args.cluster is not None:
        raise CommandError("--guard plays files of this machine: it does not go with --cluster")
    # The tree may have changed since: games of an earlier one say nothing about it.
    if args.out and any((Path(args.out) / name).exists() for name in (TERMS, GAMES)):
        raise CommandError(f"{args.out} holds games of an earlier tree: give --guard a new --out")


def check_baseline(terms: Terms, standing: Standing) -> None:
    """A baseline that is at fault loses to anything, so its games prove nothing."""
    from engine.match.terms import SECOND

    line, name = standing.last, terms.second.name
    if line is not None and line["fault"] == SECOND:
        reason = line["reason"].removeprefix(f"{name} ")
        raise CommandError(f"the baseline {name} is broken: {reason}")


def exit_code(standing: Standing) -> int:
    """0 for not weaker, 1 for weaker, 2 if that is not decided."""
    return {"accepted": 0, "rejected": 1}.get(standing.decision or "", 2)


def verdict(standing: Standing) -> str:
    """What the guard says."""
    if standing.decision == "accepted":
        return "The working tree is not weaker."
    if standing.decision == "rejected":
        return "The working tree is weaker."
    if not standing.ratio:
        return "Not decided in this time: no pair of games was finished."
    side = "for" if standing.ratio > 0 else "against"
    return f"Not decided in this time; the games speak {side} the working tree."
