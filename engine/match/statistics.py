"""What a match says about two players: Elo with an interval, who is better, when to stop.

A draw is half a win. All figures are from the first player's side. Two games with the same opening
and swapped colours are a pair. They are not on their own: where the opening favours a colour they
are split more often than chance has it, where it suits one player's style less often. So what is
said of games goes by how pairs scatter, if they are known, and the sequential test counts pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Z95 = 1.959963984540054

# How many pairs of games brought the first player 0, 1/2, 1, 1 1/2 and 2 points.
Pairs = tuple[int, int, int, int, int]
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair's points
NO_PAIRS: Pairs = (0, 0, 0, 0, 0)
_GRANTED = 10  # pairs


def elo(share: float) -> float:
    """The difference in strength at which a player scores a share of the points."""
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share))


def expected_share(difference: float) -> float:
    """The share of the points that a player scores who is stronger by so many Elo."""
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True)
class Score:
    """Wins, draws and losses of the first player."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.5

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def turned(self) -> Score:
        """The same from the second player's side."""
        return Score(self.losses, self.draws, self.wins)

    def interval(self, pairs: Pairs = NO_PAIRS) -> tuple[float, float]:
        """The 95% interval of the share: Wilson's, with as many games as scatter like the pairs.

        Without pairs, all games are taken to be on their own (a little too wide with draws)."""
        p, z = self.share, Z95
        n = max(self.games, 1) / _scatter(pairs, p, p * (1 - p))
        middle = p + z * z / (2 * n)
        spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = ((middle + sign * spread) / (1 + z * z / n) for sign in (-1, 1))
        # At the ends rounding would leave a share that is almost 0, and an Elo that means nothing.
        return (0.0 if self.points == 0 else low), (1.0 if self.points == self.games else high)

    def elo(self, pairs: Pairs = NO_PAIRS) -> tuple[float, float, float]:
        """The Elo difference, and the ends of its 95% interval."""
        low, high = self.interval(pairs)
        return elo(self.share), elo(low), elo(high)

    def z(self, pairs: Pairs = NO_PAIRS) -> float:
        """How many standard errors the share is away from even (draws do not scatter)."""
        decided = self.wins + self.losses
        if not decided:
            return 0.0
        scatter = _scatter(pairs, 0.5, decided / self.games / 4)
        return (self.wins - self.losses) / math.sqrt(decided * scatter)

    def superiority(self, pairs: Pairs = NO_PAIRS) -> float:
        """The likelihood that the first player is the stronger one."""
        return 0.5 * (1 + math.erf(self.z(pairs) / math.sqrt(2)))


def _scatter(pairs: Pairs, mean: float, variance: float) -> float:
    """How much more the points of pairs scatter than those of two games on their own, which have
    this variance. A few pairs like those are taken for granted, so that chance alone can't make
    two or three look as if they were always alike."""
    alone = variance / 2
    if alone <= 0:
        return 1.0
    seen = sum(n * (share - mean) ** 2 for n, share in zip(pairs, _SHARES, strict=True))
    return (seen + _GRANTED * alone) / ((sum(pairs) + _GRANTED) * alone)


# --- The sequential test ------------------------------------------------------------------


_UNSEEN = 1e-3  # pairs: a little of everything keeps alive what was not seen yet


@dataclass(frozen=True)
class Sprt:
    """Wald's test whether a player is stronger by `elo1` (accept) or only by `elo0` (reject).

    It counts pairs of games: a test that took the two for games on their own would have other
    risks than it says.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  # the risk of accepting what is only elo0
    beta: float = 0.05  # the risk of rejecting what is elo1

    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Pairs) -> float:
        """The log-likelihood ratio of elo1 against elo0 after some pairs.

        Each side is taken with the rates of split and drawn pairs that suit it best, so that only
        the strength is tested.
        """
        if not sum(pairs):
            return 0.0
        counts = [n + _UNSEEN for n in pairs]
        total = sum(counts)
        seen = [n / total for n in counts]
        p0, p1 = (_most_likely(seen, _SHARES, expected_share(e)) for e in (self.elo0, self.elo1))
        return sum(n * math.log(b / a) for n, a, b in zip(counts, p0, p1, strict=True))

    def decision(self, pairs: Pairs) -> str | None:
        """`accepted` for elo1, `rejected` for elo0, or None if more games are needed."""
        low, high = self.bounds()
        ratio = self.ratio(pairs)
        if ratio >= high:
            return "accepted"
        return "rejected" if ratio <= low else None


def _most_likely(shares: list[float], values: tuple[float, ...], mean: float) -> list[float]:
    """The probabilities nearest to the shares seen that have a given mean.

    They are share / (1 + x (value - mean)), where x makes the mean right; it lies between the
    poles of that expression, and the mean's error falls with x.
    """
    low, high = -1 / (max(values) - mean), 1 / (mean - min(values))
    for _ in range(50):
        x = (low + high) / 2
        error = sum(
            share * (value - mean) / (1 + x * (value - mean))
            for share, value in zip(shares, values, strict=True)
        )
        low, high = (x, high) if error > 0 else (low, x)
    return [share / (1 + x * (value - mean)) for share, value in zip(shares, values, strict=True)]
