"""`miai match`: games between any two players, with all that can be said about their strength.

Both players may be given by --black and --white, or one after the other. Colours alternate, so
the names only say who has them in the first game.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands import match_guard
from engine.commands.arguments import (
    LONGEST,
    board_size,
    finite_number,
    folder_name,
    match_seed,
    positive_integer,
    positive_number,
    rule_set,
    time_span,
)
from engine.commands.main import CommandError, build_parser
from engine.console import say, why
from engine.match.players import (
    BadPlayer,
    Entrant,
    find_program,
    own_options,
    parse_player,
    shorthands,
)
from engine.match.timing import ClockRule, parse_clock
from engine.rules import RULES

if TYPE_CHECKING:
    from engine.match.openings import NamedOpenings
    from engine.match.run import Standing
    from engine.match.statistics import Sprt
    from engine.match.terms import Terms


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"A player is {shorthands()}."
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="both players, or use:")
    parser.add_argument("--black", metavar="PLAYER", help="Black in the first game")
    parser.add_argument("--white", metavar="PLAYER", help="White in the first game")
    _add_game(parser.add_argument_group("the games"))
    _add_match(parser.add_argument_group("the match"))
    _add_machine(parser.add_argument_group("the machine"))


def _add_game(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--size", type=board_size, default=9, metavar="N", help="(default 9)")
    group.add_argument("--komi", type=finite_number, default=7.0, metavar="X", help="(default 7)")
    group.add_argument(
        "--rules", type=rule_set, default=RULES["chinese"], metavar="NAME",
        help=f"one of {', '.join(RULES)} (default chinese)",
    )  # fmt: skip
    group.add_argument(
        "--handicap", type=int, choices=range(2, 10), default=0, metavar="N",
        help="the first player is always Black and has N handicap stones, 2 to 9 (default none)",
    )  # fmt: skip
    group.add_argument(
        "--clock", type=_clock, metavar="TIME",
        help="5/move, 600 for all moves, or 600+30/25: then 30 s for each 25 stones",
    )  # fmt: skip
    group.add_argument(
        "--sims", type=positive_integer, metavar="N",
        help="simulations a move for each `miai` that names none itself",
    )  # fmt: skip
    group.add_argument(
        "--playouts", type=positive_integer, default=2000, metavar="N",
        help="playouts a flat player spends on a move, over all its candidates (default 2000)",
    )  # fmt: skip
    group.add_argument(
        "--openings", metavar="WHAT",
        help="random:N for N symmetric random moves, FILE:N for the first N moves of games "
        "(default none); both games of a pair have the same",
    )  # fmt: skip
    group.add_argument(
        "--move-limit", type=positive_integer, default=0, metavar="N",
        help="count the board after N moves (default three a point)",
    )  # fmt: skip
    group.add_argument(
        "--patience", type=time_span, default=60.0, metavar="S",
        help="seconds after which an engine without an answer has lost (default 60, beyond the "
        "clock's)",
    )  # fmt: skip
    group.add_argument(
        "--referee", default="auto", metavar="PLAYER",
        help="who says which stones are dead when the players disagree: a GTP program, none, or "
        "auto for GNU Go if it is installed (default)",
    )  # fmt: skip
    group.add_argument(
        "--no-analyze", action="store_true",
        help="use genmove even with engines that offer lz-genmove_analyze, which tells more",
    )  # fmt: skip


def _add_match(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--games", type=positive_integer, metavar="N",
        help="games, or the most with --sprt (default 20)",
    )  # fmt: skip
    group.add_argument(
        "--sprt", type=_sprt, metavar="ELO0,ELO1",
        help="stop when it is clear that the first player is stronger by ELO1, or only by ELO0 "
        "(--sprt=-20,10 with a negative one)",
    )  # fmt: skip
    group.add_argument(
        "--minutes", type=positive_number, metavar="M", help="begin no game after M minutes"
    )
    group.add_argument(
        "--guard", nargs="?", const=match_guard.LAST_MARK, metavar="COMMIT",
        help="play the working tree against the version last marked as strong, or a commit, by a "
        "short sequential test; exit code 1 if it is weaker, 2 if that is not decided",
    )  # fmt: skip
    group.add_argument(
        "--out", type=folder_name, metavar="DIR",
        help="where results and records go; a match that was interrupted continues there",
    )  # fmt: skip
    group.add_argument(
        "--report", type=folder_name, metavar="DIR",
        help="play nothing; write the report of the match in DIR, one HTML file with its plots",
    )  # fmt: skip
    group.add_argument("--seed", type=match_seed, default=1, metavar="N", help="(default 1)")
    group.add_argument("--json", action="store_true", help="print one JSON object")


def _add_machine(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--jobs", type=positive_integer, metavar="N", help="games at once (default 1)"
    )
    group.add_argument(
        "--cores", type=positive_integer, default=1, metavar="N",
        help="cores of a game; its players take turns on them (default 1)",
    )  # fmt: skip
    group.add_argument(
        "--apart", action="store_true",
        help="as many cores for each player of a game, for engines that ponder",
    )  # fmt: skip
    group.add_argument(
        "--share-cores", action="store_true", help="let games share cores with whatever runs"
    )
    group.add_argument("--fresh", action="store_true", help="start the programs anew for each game")
    group.add_argument(
        "--cluster", metavar="ADDRESS",
        help="play on the workers of a Dask scheduler, such as tcp://host:8786",
    )  # fmt: skip


def _clock(text: str) -> ClockRule:
    try:
        clock = parse_clock(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if max(clock.main, clock.period, clock.stones) > LONGEST:
        raise argparse.ArgumentTypeError(f"a clock has no more than {LONGEST:,} seconds or stones")
    return clock


def _sprt(text: str) -> tuple[float, float]:
    low, _, high = text.partition(",")
    try:
        bounds = float(low), float(high)
    except ValueError:
        bounds = 0.0, 0.0
    if not -1000 < bounds[0] < bounds[1] < 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not two Elo differences such as 0,30")
    return bounds


# --- What is to be played -----------------------------------------------------------------


def _players(args: argparse.Namespace) -> tuple[Entrant, Entrant]:
    if args.guard is not None:
        working_tree, baseline = args.rivals
        return working_tree, baseline
    named = [args.black, args.white]
    given = [*args.players, *(text for text in named if text is not None)]
    if len(given) != 2 or len(args.players) == 1:
        raise CommandError("a match has two players: --black PLAYER --white PLAYER")
    # One search thread for each core of a game, unless somebody says otherwise.
    first, second = (player_of(text, args.sims, args.cores) for text in given)
    return first, second


def player_of(text: str, sims: int | None = None, threads: int | None = None) -> Entrant:
    """Who plays, by what somebody wrote; CommandError in one line.

    A mistake in options of our own would lose every game, so they are read here, too."""
    try:
        player = parse_player(text, sims, threads)
    except BadPlayer as error:
        raise CommandError(str(error)) from None
    options = own_options(player)
    if options is not None:
        from engine.match.version import own_version

        build_parser("gtp").parse_args(["gtp", *options])
        return replace(player, version=own_version())
    return player


def referee_of(text: str) -> Entrant | None:
    """Who decides disputes, by what --referee says; CommandError in one line."""
    if text == "none" or (text == "auto" and find_program("gnugo") is None):
        return None
    referee = player_of("gnugo:10" if text == "auto" else text)
    if referee.is_flat:
        raise CommandError("a flat player can't be referee")
    return referee


def check_cores(wanted: int, shared: bool) -> None:
    """No two games may need the same core; CommandError says what to do about it."""
    from engine.match.cores import available_cores

    cores = len(available_cores())
    if wanted > cores and not shared:
        raise CommandError(
            f"{wanted} cores are needed and {cores} are here: choose fewer --jobs, or --share-cores"
        )


def terms_of(args: argparse.Namespace) -> Terms:
    """What the options say about the match; CommandError in one line."""
    from engine.handicap import max_fixed
    from engine.match.terms import Terms

    first, second = _players(args)
    if args.handicap > max_fixed(args.size):
        raise CommandError(f"no handicap of {args.handicap} stones on {args.size}x{args.size}")
    wanted = args.jobs * args.cores * (2 if args.apart else 1)
    check_cores(wanted, args.share_cores or args.cluster is not None)
    return Terms(
        first=first,
        second=second,
        size=args.size,
        komi=args.komi,
        rules=args.rules.name,
        handicap=args.handicap,
        playouts=args.playouts,
        clock=args.clock,
        move_limit=args.move_limit,
        patience=args.patience,
        referee=referee_of(args.referee),
        analyze=not args.no_analyze,
        cores=args.cores,
        apart=args.apart,
        share_cores=args.share_cores,
        fresh=args.fresh,
        seed=args.seed,
    )


def _openings(args: argparse.Namespace) -> NamedOpenings:
    """How the games begin; CommandError in one line."""
    from engine.match.openings import NO_OPENINGS, BadOpenings, parse_openings

    try:
        found = parse_openings(args.openings or NO_OPENINGS, args.size, args.rules, args.seed)
    except BadOpenings as error:
        raise CommandError(str(error)) from None
    if args.handicap and found.text != NO_OPENINGS:
        raise CommandError("openings are for even games: choose --handicap or --openings")
    return found


def run(args: argparse.Namespace) -> int:
    """Play what is missing of the match and print what it says."""
    from engine.cluster import WorkFailed, open_workers
    from engine.match.folders import FolderInUse, sole_use
    from engine.match.live import LiveLine
    from engine.match.openings import BadOpenings
    from engine.match.results import BadResults, Results
    from engine.match.run import play_match
    from engine.match.statistics import Sprt

    if args.report:
        return _report(Path(args.report))
    if args.guard is not None:
        match_guard.settle(args)
    args.games, args.jobs = args.games or 20, args.jobs or 1
    openings = _openings(args)
    terms = replace(terms_of(args), openings=openings.text)
    sprt = Sprt(*args.sprt) if args.sprt else None
    live = LiveLine(*terms.names.values())

    def on_game(standing: Standing) -> None:
        live.show(standing)
        if args.guard is not None:
            match_guard.check_baseline(terms, standing)

    try:
        folder = Path(args.out) if args.out else None
        # Workers out of reach are found out before anything is written.
        patience = math.inf if args.guard is None else match_guard.seconds(args)
        with open_workers(args.jobs, args.cluster, patience) as workers, sole_use(folder):
            results = Results(terms, folder)
            keep = args.cluster is None
            standing = play_match(
                results, args.games, openings, workers, sprt, keep, args.minutes or math.inf,
                on_game,
            )  # fmt: skip
    except (BadOpenings, BadResults, FolderInUse, WorkFailed) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(why(error)) from None
    finally:
        live.end()
    lines = list(results.lines.values())
    figures = figures_of(terms, standing, lines, sprt)
    print(json.dumps(figures) if args.json else summary(terms, figures, standing, sprt))
    if args.guard is not None:
        say(match_guard.verdict(standing))
        return match_guard.exit_code(standing)
    return 0


def _report(folder: Path) -> int:
    """Write the report of a match and say where it is."""
    from engine.match.live import score_text, strength_text
    from engine.match.report import write_report
    from engine.match.results import BadResults, load_lines, pairs_of, score_of

    try:
        path = write_report(folder)
        lines = load_lines(folder).values()
    except BadResults as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(why(error)) from None
    score = score_of(lines)
    strength = strength_text(score, pairs_of(lines))
    print(f"{score.games} games ({score_text(score)}): {strength}")
    print(f"Written to {path}")
    return 0


# --- What is said about it ----------------------------------------------------------------


def figures_of(
    terms: Terms, standing: Standing, lines: list[dict[str, Any]], sprt: Sprt | None
) -> dict[str, Any]:
    """The match as one object for other programs."""
    from engine.match.results import repeated

    score, pairs = standing.score, standing.pairs
    low, high = score.interval(pairs)
    middle, lowest, highest = score.elo(pairs)
    moves = sum(line["moves"] for line in lines)
    return {
        "first": terms.first.name,
        "second": terms.second.name,
        "size": terms.size,
        "komi": terms.komi,
        "handicap": terms.handicap,
        "playouts": terms.playouts,
        "games": score.games,
        "wins": score.points,  # a draw is half of one
        "draws": score.draws,
        "pairs": pairs,
        "share": round(score.share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "elo": finite(middle),
        "elo_low": finite(lowest),
        "elo_high": finite(highest),
        "superiority": round(score.superiority(pairs), 4),
        "faults": sum(1 for line in lines if line["fault"]),
        "repeated": repeated(lines),
        "moves_per_game": round(moves / len(lines), 1) if lines else None,
        "cpu_seconds": {who: _mean_cpu(lines, who) for who in ("first", "second")},
        "sprt": {
            "elo0": sprt.elo0, "elo1": sprt.elo1, "decision": standing.decision,
            "ratio": round(standing.ratio or 0.0, 3),
        } if sprt else None,
    }  # fmt: skip


def _mean_cpu(lines: list[dict[str, Any]], who: str) -> float | None:
    """Processor seconds of a player in a game, where they are known."""
    known = [line["cpu"][who] for line in lines if line["cpu"].get(who) is not None]
    return round(sum(known) / len(known), 2) if known else None


def finite(value: float) -> float | None:
    """An Elo difference as JSON takes it: None for an endless one."""
    return round(value, 1) if abs(value) < 1e9 else None


def summary(terms: Terms, figures: dict[str, Any], standing: Standing, sprt: Sprt | None) -> str:
    """The match in words."""
    from engine.match.live import score_text, strength_text

    score = standing.score
    who = f"{' against '.join(terms.names.values())} on {terms.size}x{terms.size}"
    lines = [
        f"{who}: {score.points:g} of {score.games} ({score_text(score)})",
        strength_text(score, standing.pairs),
    ]
    first, second = figures["cpu_seconds"].values()
    if first is not None and second is not None:
        lines.append(f"processor time a game: {first:g} s against {second:g} s")
    if figures["faults"]:
        lines.append(f"{figures['faults']} games were lost by a fault")
    if figures["repeated"]:
        lines.append(
            f"{figures['repeated']} games repeat another one move for move and tell nothing new: "
            "see --openings"
        )
    if sprt:
        low, high = sprt.bounds()
        verdict = standing.decision or "undecided"
        lines.append(
            f"SPRT {sprt.elo0:g} against {sprt.elo1:g} Elo: {verdict}, "
            f"ratio {standing.ratio:.2f} in {low:.2f} to {high:.2f}"
        )
    return "\n".join(lines)
