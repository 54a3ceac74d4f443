"""What a match shows while it is played: one line, wins, Elo, games and time left."""

from __future__ import annotations

import math
import shutil
import sys

from engine.console import say
from engine.match.run import Standing
from engine.match.statistics import Pairs, Score
from engine.match.terms import DRAW, FIRST, SECOND
from knowledge.progress import duration


def elo_text(value: float) -> str:
    """An Elo difference with its sign; an endless one is told as such."""
    if math.isinf(value):
        return "+inf" if value > 0 else "-inf"
    return f"{value:+.0f}"


def score_text(score: Score) -> str:
    """Wins, draws and losses."""
    draws = f" ={score.draws}" if score.draws else ""
    return f"+{score.wins}{draws} -{score.losses}"


def strength_text(score: Score, pairs: Pairs) -> str:
    """The share of points, the Elo difference with its interval, and who is likely better."""
    low, high = score.interval(pairs)
    middle, lowest, highest = score.elo(pairs)
    return (
        f"{100 * score.share:.1f}% ({100 * low:.1f} to {100 * high:.1f}%), "
        f"Elo {elo_text(middle)} ({elo_text(lowest)} to {elo_text(highest)}), "
        f"superior with {100 * score.superiority(pairs):.1f}%"
    )


def live_line(standing: Standing) -> str:
    """The state of a match in a line."""
    score = standing.score
    middle, low, high = score.elo(standing.pairs)
    parts = [
        f"{score.games}/{standing.games} {score_text(score)}",
        f"{100 * score.share:.1f}%",
        f"Elo {elo_text(middle)} [{elo_text(low)}, {elo_text(high)}]",
    ]
    if standing.ratio is not None:
        parts.append(f"LLR {standing.ratio:.2f}")
    parts.append(f"{max(0, standing.games - score.games)} games left")
    if standing.seconds_left is not None:
        parts.append(f"{duration(standing.seconds_left)} left")
    return ", ".join(parts)


class LiveLine:
    """Shows the line: over itself on a terminal, a line for each game in a log."""

    def __init__(self, first: str, second: str) -> None:
        self._names = {FIRST: first, SECOND: second, DRAW: "nobody"}
        self._shown = False

    def show(self, standing: Standing) -> None:
        """A game has ended."""
        text = live_line(standing)
        if sys.stderr is not None and sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r{text[:width]:{width}}")
            sys.stderr.flush()
            self._shown = True
            return
        line = standing.last
        if line is not None:
            told = f"{self._names[line['winner']]} won {line['result']} ({line['reason']})"
            say(f"game {line['game'] + 1}: {told}; {text}")

    def end(self) -> None:
        """Leave the line as it is and go to the next."""
        if self._shown:
            say("")
