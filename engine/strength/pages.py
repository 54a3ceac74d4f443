"""The pages of the strength tables: the paper's figures and ours, and whether they agree."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.match.statistics import Score
from engine.strength.running import Figures, MissingModel, Plan, find_models, fingerprint
from engine.strength.tables import Row
from knowledge.report import Line, line_chart, table

Rows = Sequence[Row]
Done = Mapping[str, Figures]

# Running times of the FBT-in-MCTS paper's Table 1 by figure and simulations, in seconds: with FBT,
# and without.
PAPER_TIMES = {
    2: {100: (11.8, 5.1), 1000: (192.4, 55.7), 3000: (704.1, 148.7)},
    3: {100: (23.4, 10.8), 1000: (241.1, 168.3), 3000: (734.1, 564.2)},
}
_FEWEST = 4  # games: with fewer even winning all and none may be chance
OLDER = "\\*"  # behind the date of figures that were played with other settings or weights


class Page(NamedTuple):
    """What is particular to a table."""

    title: str
    source: str
    parts: list[str]
    claims: list[tuple[str, str]]  # what the paper says, and what ours says to that
    differs: str
    pictures: dict[str, str]


def share_text(figures: Figures | None) -> str:
    """The percentage of points with its interval."""
    if figures is None:
        return "-"
    if "missing" in figures:
        return f"not played: {figures['missing']}"
    return f"{figures['share']:.1f}% ({figures['low']:.1f} to {figures['high']:.1f}%)"


def _count(figures: Figures | None, name: str) -> object:
    return None if figures is None else figures.get(name)


def better(done: Done, worse_key: str, better_key: str) -> str:
    """Whether one row won more than another, by the 95% interval of the difference (Newcombe's)."""
    worse, best = done.get(worse_key), done.get(better_key)
    if worse is None or best is None or "missing" in worse or "missing" in best:
        return "not played"

    def surely(less: Figures, more: Figures) -> bool:
        spread = math.hypot(more["share"] - more["low"], less["high"] - less["share"])
        return more["share"] - less["share"] > spread

    enough = min(worse["games"], best["games"]) >= _FEWEST
    if enough and surely(worse, best):
        return "agrees"
    if enough and surely(best, worse):
        return "does not agree"
    if best["share"] == worse["share"] in (0.0, 100.0):
        return f"cannot be seen, both won {best['share']:.0f}%"
    if best["share"] == worse["share"]:
        return "too few games to tell (as many won)"
    side = "for" if best["share"] > worse["share"] else "against"
    return f"too few games to tell ({side} it as far as they go)"


def above(done: Done, key: str, percent: float = 50.0) -> str:
    """Whether a row won more than so many percent."""
    figures = done.get(key)
    if figures is None or "missing" in figures:
        return "not played"
    if figures["low"] > percent:
        return "agrees"
    if figures["high"] < percent:
        return "does not agree"
    return "too few games to tell"


def below(done: Done, key: str, percent: float) -> str:
    """Whether a row won less than so many percent."""
    opposite = {"agrees": "does not agree", "does not agree": "agrees"}
    verdict = above(done, key, percent)
    return opposite.get(verdict, verdict)


def pooled(figures: Sequence[Figures]) -> Figures | None:
    """Several rows as one: for a question where each has too few games."""
    played = [each for each in figures if each.get("games")]
    if not played:
        return None
    games = sum(each["games"] for each in played)
    won = round(2 * sum(each["points"] for each in played))  # half points, two draws as one win
    score = Score(won // 2, won % 2, games - (won + 1) // 2)
    low, high = score.interval()
    return {"games": games, "points": won / 2, "share": 100 * score.share,
            "low": 100 * low, "high": 100 * high}  # fmt: skip


def dated(rows: Rows, done: Done, weights: Mapping[str, Path]) -> Done:
    """The figures with a text that says when they were played, and whether as one would today."""
    marks = {}
    for row in rows:
        with contextlib.suppress(MissingModel):
            marks[row.key] = fingerprint(row, find_models(row, weights))
    return {
        key: {**figures, "when": figures["date"]
              + ("" if figures.get("fingerprint") == marks.get(key) else f" {OLDER}")}
        if "date" in figures else figures
        for key, figures in done.items()
    }  # fmt: skip


def _main_table(rows: Rows, done: Done) -> str:
    header = ["row", "board", "opponent", "paper", "games", "ours (95% interval)", "games",
              "simulations a move", "faults", "played"]  # fmt: skip
    lines = []
    for row in rows:
        figures = done.get(row.key)
        opponent = row.opponent if isinstance(row.opponent, str) else "Miai, baseline"
        paper = "-" if row.paper is None else f"{row.paper:.1f}%"
        lines.append([
            row.key, f"{row.size}x{row.size}", opponent, paper, row.paper_games,
            share_text(figures), _count(figures, "games"), row.sims, _count(figures, "faults"),
            _count(figures, "when"),
        ])  # fmt: skip
    text = table(header, lines)
    if any(OLDER in str(line[-1]) for line in lines):
        text += f"\n\n{OLDER} with other settings or weights than the present defaults, or unknown"
    return text


# --- The tables ---------------------------------------------------------------------------


def _crazystone(rows: Rows, done: Done, quick: bool) -> Page:
    small = "7x7" if quick else "9x9"
    # Crazy Stone's own number of simulations on 9x9 is that of the rows with ten times as many.
    last = "" if quick else "-10x"
    claims = [
        (f"patterns in the playouts help on {small}",
         better(done, f"none-{small}{last}", f"patterns-{small}{last}")),
        (f"progressive widening helps further on {small}",
         better(done, f"patterns-{small}{last}", f"widening-{small}{last}")),
    ]  # fmt: skip
    if not quick:
        claims += [
            ("without widening hardly a game is won on 19x19",
             below(done, "patterns-19x19", 10.0)),
            ("widening makes the difference on 19x19",
             better(done, "patterns-19x19", "widening-19x19")),
            ("four times the thinking helps on 19x19",
             better(done, "widening-19x19", "widening-19x19-4x")),
        ]  # fmt: skip
    models = sorted({figures["model"] for figures in done.values() if figures.get("model")})
    differs = (
        "Crazy Stone thought by time: at its 15,500 simulations a second the 1.5 minutes of a game "
        "on 9x9 are about 45,000 for each of 31 own moves, and at 3,700 the 32 minutes of a game "
        "on 19x19 about 57,000 for each of 125. Ours thinks by the simulations in the table, "
        "against GNU Go 3.8 instead of 3.6: as much as Crazy Stone only in the rows with 40,000, "
        "in those of 19x19 a thirtieth and a seventh. Its tree was not UCT with a plain mean; ours "
        "here is UCT without RAVE. Nodes have children after as many simulations as the board has "
        "points, as its had. Without patterns our playouts are uniform but spare own eyes; with "
        "them they are drawn by learned gammas of 3x3 shapes and tactics. Widening orders moves by "
        "the model "
        f"{' or '.join(models) or 'that is installed'}."
    )
    return Page(
        "Patterns in playouts and progressive widening against GNU Go",
        "Rémi Coulom, Computing Elo Ratings of Move Patterns in the Game of Go (2007), Table 2",
        [_main_table(rows, done)],
        claims,
        differs,
        {},
    )


def _figure(rows: Rows, done: Done, number: int) -> dict[int, list[tuple[float, float]]]:
    """The points of a figure: by simulations, c_puct against percent."""
    result: dict[int, list[tuple[float, float]]] = {}
    for row in rows:
        figures = done.get(row.key)
        if row.key.startswith(f"figure{number}-") and figures and "share" in figures:
            options = dict(row.options)
            c = float(options["c_puct"] if number == 2 else options["puct_bonus"])
            result.setdefault(row.sims, []).append((c, figures["share"]))
    return result


def _times(rows: Rows, done: Done, number: int) -> list[list[object]]:
    """Processor time of a game with FBT and without, beside the paper's Table 1."""
    lines: list[list[object]] = []
    for sims in sorted({row.sims for row in rows}):
        used = [
            done[row.key]["cpu"]
            for row in rows
            if row.sims == sims and row.key.startswith(f"figure{number}-")
            and None not in done.get(row.key, {}).get("cpu", {"": None}).values()
        ]  # fmt: skip
        ours = [sum(cpu[who] for cpu in used) / len(used) if used else None
                for who in ("first", "second")]  # fmt: skip
        paper = PAPER_TIMES[number].get(sims, (None, None))
        ratios = [
            with_fbt / without if with_fbt and without else None
            for with_fbt, without in (paper, ours)
        ]
        basis = "nothing" if number == 2 else "LFR's priors"
        lines.append([basis, str(sims), *paper, ratios[0], *ours, ratios[1]])
    return lines


def _of_figure(rows: Rows, done: Done, number: int, sims: int) -> Figures | None:
    """All c_puct of a figure with the same simulations."""
    return pooled([
        done[row.key] for row in rows
        if row.key.startswith(f"figure{number}-") and row.sims == sims and row.key in done
    ])  # fmt: skip


def _by_sims(rows: Rows, done: Done) -> str:
    """The figures with all c_puct together."""
    lines = []
    for sims in sorted({row.sims for row in rows}):
        found = [_of_figure(rows, done, number, sims) for number in (2, 3)]
        lines.append([str(sims), *(
            cell for each in found for cell in (share_text(each), _count(each, "games"))
        )])  # fmt: skip
    header = ["simulations a move", "FBT against none", "games", "FBT and LFR against LFR", "games"]
    return table(header, lines)


def _fbt_mcts(rows: Rows, done: Done, quick: bool) -> Page:
    pictures = {}
    for number in (2, 3):
        curves = [
            Line(f"{sims} simulations", points)
            for sims, points in sorted(_figure(rows, done, number).items())
        ]
        title = f"Figure {number}: percent won with FBT by c_puct"
        pictures[f"-figure{number}"] = line_chart(title, "c_puct", "percent", curves)
    least, most = rows[0].sims, rows[-1].sims
    together: dict[str, Figures] = {}
    for number in (2, 3):
        for sims in (least, most):
            if found := _of_figure(rows, done, number, sims):
                together[f"{number}-{sims}"] = found
    claims = [
        (f"FBT beats no knowledge at {most} simulations", above(together, f"2-{most}")),
        ("FBT gains with more simulations", better(together, f"2-{least}", f"2-{most}")),
        (f"FBT on top of LFR's priors beats them alone at {most} simulations",
         above(together, f"3-{most}")),
    ]  # fmt: skip
    differs = (
        "The paper read 81% for c = 2 and 62% for c = 0.1 at 10,000 simulations from 1,000 games a "
        "point; the other points of its figures are only drawn. Its platform is Fuego with RAVE "
        "and Greenpeep patterns in the tree, ours is Miai with RAVE and rule-based playouts. lg in "
        "its equation (1) is the natural logarithm here; another base scales c_puct. The paper's "
        "search without FBT in Figure 2 still has Greenpeep's patterns in its tree, ours has "
        "nothing, and with FBT come ladders that are read and critical points that are preferred: "
        "so FBT wins every game here, and whether it gains with more simulations can't be seen. "
        "Rows with the same simulations have the same openings. "
        "Running times are processor seconds of a game of this many simulations; the paper does "
        "not say what its seconds are of, so the ratios are what compares. Ours are smaller, since "
        "a node asks the model only after several visits."
    )
    times = ["on top of", "simulations a move", "paper: with FBT, s", "without, s", "ratio",
             "ours: with FBT, s", "without, s", "ratio"]  # fmt: skip
    parts = [
        _main_table(rows, done),
        "## All c_puct together\n\n" + _by_sims(rows, done),
        "## Table 1: running times\n\n"
        + table(times, _times(rows, done, 2) + _times(rows, done, 3)),
    ]
    return Page(
        "FBT in the tree search",
        "Chenjun Xiao and Martin Müller, Integrating Factorization Ranked Features in MCTS (2016), "
        "Figures 2 and 3, Table 1",
        parts,
        claims,
        differs,
        pictures,
    )


def _spt_mcts(rows: Rows, done: Done, quick: bool) -> Page:
    claims = [
        ("one tree helps", better(done, "no-tree", "one-tree")),
        ("a forest of five helps", better(done, "no-tree", "forest")),
        ("one tree beats none, here in direct games", above(done, "one-tree-against-none")),
        ("a forest beats none, here in direct games", above(done, "forest-against-none")),
    ]  # fmt: skip
    differs = (
        "The paper advised Fuego, 10,000 simulations a move, against GNU Go 3.6; here it is Miai "
        "with the simulations in the table against GNU Go 3.8. In the paper advice is added to the "
        "value of a move after Rosin; here it is the penalty that Fuego has for that. Rosin's own "
        "PUCB has an exploration term besides, which RAVE makes superfluous: with it the forest "
        "won 1 of 8 games against the same forest without it (19x19, 800 simulations). Fuego "
        "without a tree still has the knowledge of its own playouts as priors; Miai without a "
        "model has none in its tree, so that it starts from far below. Hence the last two rows: "
        "games between the search with trees and the one without."
    )
    return Page(
        "Spatial probability trees in the tree search",
        "Zach Tidwell et al., Spatial Probability Trees (2011), Figure 10",
        [_main_table(rows, done)],
        claims,
        differs,
        {},
    )


_PAGES: dict[str, Callable[[Rows, Done, bool], Page]] = {
    "crazystone": _crazystone,
    "fbt-mcts": _fbt_mcts,
    "spt-mcts": _spt_mcts,
}


def page_files(plan: Plan, done: Done) -> dict[str, str]:
    """The page and its pictures by the names of their files."""
    stem, rows = plan.stem, plan.rows()
    done = dated(rows, done, plan.weights)
    page = _PAGES[plan.name](rows, done, plan.quick)
    pictures = {f"{stem}{end}.svg": text for end, text in page.pictures.items()}
    played = sum(figures.get("games", 0) for figures in done.values())
    runs = {figures["games"] for figures in done.values() if "games" in figures}
    run = [
        f"- Command: `{plan.command}`" + (", the last of several" if len(runs) > 1 else ""),
        f"- {len(done)} of {len(rows)} rows, {played:,} games",
        "- Openings of two symmetric random moves, colours alternate, one thread each",
    ]
    parts = [f"# {page.title}", f"After {page.source}.", "\n".join(run)]
    if plan.quick:
        parts.append("This is the quick variant: too few games for figures that mean anything.")
    parts += page.parts
    parts += [f"![{page.title}]({name})" for name in pictures]
    found = [f"- {text}: {verdict}" for text, verdict in page.claims]
    parts.append("## What the paper says, and whether ours agrees\n\n" + "\n".join(found))
    parts.append(f"## Where ours differs and why\n\n{page.differs}")
    return {f"{stem}.md": "\n\n".join(parts) + "\n", **pictures}
