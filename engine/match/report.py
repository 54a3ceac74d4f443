"""A match as one HTML file: tables, and pictures that are part of the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from engine.match.lines import Line
from engine.match.live import elo_text, score_text
from engine.match.results import (
    RECORDS,
    load_lines,
    load_terms,
    pairs_of,
    repeated,
    running_pairs,
    score_of,
)
from engine.match.statistics import Score
from engine.match.terms import FIRST, SECOND, Terms
from knowledge.report import Line as Curve
from knowledge.report import bar_chart, cell, line_chart, write_atomically

REPORT = "report.html"
STEEPEST = 800.0  # Elo; beyond it the plot would show nothing else
_BINS = 12
_STYLE = """
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 } th, td { padding: .2em .8em; text-align: right }
th { border-bottom: 1px solid #444 } td:first-child, th:first-child { text-align: left }
tr:nth-child(even) td { background: #f4f4f4 } svg { max-width: 100%; height: auto }
"""


def write_report(folder: Path) -> Path:
    """Write the report of the match in a folder; BadResults if there is none."""
    terms = load_terms(folder)
    lines = [line for _, line in sorted(load_lines(folder).items())]
    path = folder / REPORT
    page = report_page(terms, lines)
    # A program's path or its words may hold bytes that are no text.
    write_atomically(path, page.encode("utf-8", "replace").decode("utf-8"))
    return path


def report_page(terms: Terms, lines: Sequence[Line]) -> str:
    """The whole page."""
    title = " against ".join(terms.names.values())
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(_terms_text(terms))}</p>",
        _strength_table(lines),
        _elo_plot(lines),
        "<h2>By colour</h2>",
        _colour_table(terms, lines),
        _colour_plot(terms, lines),
        "<h2>How games ended</h2>",
        html_table(["reason", "games"], Counter(line["reason"] for line in lines).most_common()),
        "<h2>Length and time</h2>",
        _length_plot(lines),
        _time_table(terms, lines),
        _time_plot(terms, lines),
        "<h2>Games</h2>",
        _games_table(terms, lines),
    ]
    head = f"<meta charset='utf-8'><title>{escape(title)}</title><style>{_STYLE}</style>"
    body = "\n".join(parts)
    return f"<!DOCTYPE html>\n<html lang='en'><head>{head}</head><body>\n{body}\n</body></html>\n"


def html_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table of plain values."""
    lines = ["<table><tr>" + "".join(f"<th>{escape(name)}</th>" for name in header) + "</tr>"]
    for row in rows:
        values = (value if isinstance(value, Markup) else escape(cell(value)) for value in row)
        lines.append("<tr>" + "".join(f"<td>{value}</td>" for value in values) + "</tr>")
    return "\n".join([*lines, "</table>"])


class Markup(str):
    """Text that is HTML already."""


def _terms_text(terms: Terms) -> str:
    parts = [
        f"{terms.size}x{terms.size}",
        f"{terms.rules} rules",
        f"komi {terms.komi:g}",
        f"{terms.handicap} handicap stones" if terms.handicap else "",
        terms.clock.gtp() if terms.clock else "",
        f"{terms.playouts} playouts a move for flat players"
        if terms.first.is_flat or terms.second.is_flat
        else "",
        f"seed {terms.seed}",
    ]
    return ", ".join(filter(None, parts))


def _strength_table(lines: Sequence[Line]) -> str:
    score, pairs = score_of(lines), pairs_of(lines)
    low, high = score.interval(pairs)
    middle, lowest, highest = score.elo(pairs)
    rows = [
        ("games", f"{score.games} ({score_text(score)})"),
        (
            "share of points",
            f"{100 * score.share:.1f}% (95% interval {100 * low:.1f} to {100 * high:.1f}%)",
        ),
        ("Elo", f"{elo_text(middle)} (95% interval {elo_text(lowest)} to {elo_text(highest)})"),
        ("likelihood of superiority", f"{100 * score.superiority(pairs):.1f}%"),
        ("pairs with 0, ½, 1, 1½ and 2 points", ", ".join(map(str, pairs))),
        ("games lost by a fault", sum(1 for line in lines if line["fault"])),
        ("games that repeat another one", repeated(lines)),
    ]
    return html_table(["first player", ""], rows)


def _elo_plot(lines: Sequence[Line]) -> str:
    """The Elo difference after each game, with its interval."""
    score = Score()
    curves: list[list[tuple[float, float]]] = [[], [], []]
    for number, (line, pairs) in enumerate(zip(lines, running_pairs(lines), strict=True), 1):
        score += score_of([line])
        for curve, value in zip(curves, score.elo(pairs), strict=True):
            if abs(value) <= STEEPEST:
                curve.append((number, value))
    names = ("Elo", "95%, low", "95%, high")
    drawn = [Curve(name, curve, name != "Elo") for name, curve in zip(names, curves, strict=True)]
    return line_chart("Elo of the first player over games", "games", "Elo", drawn)


# --- By colour ----------------------------------------------------------------------------


def _by_colour(lines: Sequence[Line]) -> dict[str, Score]:
    """The first player's score as Black and as White."""
    return {
        "as Black": score_of(line for line in lines if line["black"] == FIRST),
        "as White": score_of(line for line in lines if line["black"] == SECOND),
    }


def _colour_table(terms: Terms, lines: Sequence[Line]) -> str:
    rows = [
        (f"{terms.names[FIRST]} {name}", score.games, score.wins, score.draws, score.losses)
        for name, score in _by_colour(lines).items()
    ]
    return html_table(["", "games", "won", "drawn", "lost"], rows)


def _colour_plot(terms: Terms, lines: Sequence[Line]) -> str:
    scores = _by_colour(lines)
    bars = {
        terms.names[FIRST]: [float(score.wins) for score in scores.values()],
        "drawn": [float(score.draws) for score in scores.values()],
        terms.names[SECOND]: [float(score.losses) for score in scores.values()],
    }
    groups = [f"first player {name}" for name in scores]
    return bar_chart("Wins by colour", "", "games", groups, bars)


# --- Length and time ----------------------------------------------------------------------


def _length_plot(lines: Sequence[Line]) -> str:
    lengths = [line["moves"] for line in lines]
    if not lengths:
        return ""
    low, high = min(lengths), max(lengths)
    width = max(1, -(-(high - low + 1) // _BINS))
    bins = Counter((length - low) // width for length in lengths)
    count = (high - low) // width + 1
    groups = [str(low + i * width) for i in range(count)]
    bars = {"games": [float(bins[i]) for i in range(count)]}
    return bar_chart("Length of games", f"moves (bins of {width})", "games", groups, bars)


def _times(lines: Sequence[Line], who: str, what: str) -> list[float]:
    """The seconds of each game that a player used, where they are known."""
    return [line[what][who] for line in lines if line[what].get(who) is not None]


def _time_table(terms: Terms, lines: Sequence[Line]) -> str:
    rows: list[tuple[object, ...]] = []
    moves = sum(line["moves"] - len(line["opening"]) for line in lines) / 2
    for who, name in terms.names.items():
        wall, cpu = _times(lines, who, "seconds"), _times(lines, who, "cpu")
        rows.append((
            name,
            sum(wall) / len(wall) if wall else None,
            max(wall, default=None),
            sum(wall) / moves if moves else None,
            sum(cpu) / len(cpu) if cpu else None,
        ))  # fmt: skip
    header = ["seconds", "mean game", "longest game", "a move", "processor time, mean game"]
    return html_table(header, rows)


def _time_plot(terms: Terms, lines: Sequence[Line]) -> str:
    curves = []
    for who, name in terms.names.items():
        points = [(line["game"] + 1.0, float(line["seconds"][who])) for line in lines]
        curves.append(Curve(name, points))
    return line_chart("Time use", "game", "seconds", curves)


def _games_table(terms: Terms, lines: Sequence[Line]) -> str:
    rows = []
    for line in lines:
        number = line["game"] + 1
        link = Markup(f"<a href='{RECORDS}/{number:05}.sgf'>{number}</a>")
        seconds = line["seconds"]
        used = f"{seconds[FIRST]:.1f} / {seconds[SECOND]:.1f}"
        rows.append(
            (link, terms.names[line["black"]], line["result"], line["moves"], used, line["reason"])
        )
    return html_table(["game", "Black", "result", "moves", "seconds", "reason"], rows)
