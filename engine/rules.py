"""The rule sets Miai knows: what is counted, which repetitions are forbidden, who gets a bonus.

A rule set is plain data; `game.py` enforces the ko and suicide rules and `scoring.py` counts by
them. Nothing here needs NumPy, so commands that only talk about rules answer at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Rules:
    """One rule set.

    `ko` says what may not be repeated: the position just before the opponent's capture of one
    stone (simple), any position (positional), any position with the same side to move
    (situational). `handicap_bonus` is what White gets under area counting for n handicap
    stones. Under `pass_stones` each pass hands the opponent a prisoner and White passes last,
    which makes a territory count equal to the area count.
    """

    name: str
    scoring: Literal["area", "territory"]
    ko: Literal["simple", "positional", "situational"]
    suicide: bool
    handicap_bonus: Literal["none", "n", "n-1"] = "none"
    pass_stones: bool = False

    def bonus(self, handicap: int) -> int:
        """The points White gets for Black's handicap stones."""
        if self.handicap_bonus == "none" or handicap < 2:
            return 0
        return handicap if self.handicap_bonus == "n" else handicap - 1


RULES: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        # The shortest complete rules: stones and what only they reach, nothing may come back.
        Rules("tromp-taylor", "area", "positional", suicide=True),
        # Area counting; White gets back a point for each of Black's handicap stones.
        Rules("chinese", "area", "positional", suicide=False, handicap_bonus="n"),
        # Territory and prisoners; only the ko itself is forbidden, and seki holds no territory.
        Rules("japanese", "territory", "simple", suicide=False),
        # Counted and played as in Japan as far as a program can see.
        Rules("korean", "territory", "simple", suicide=False),
        # Area or territory, the same result either way thanks to pass stones.
        Rules("aga", "area", "situational", suicide=False, handicap_bonus="n-1", pass_stones=True),
        # Area counting with suicide; handicap stones are not paid for.
        Rules("new-zealand", "area", "situational", suicide=True),
    )
}

# Short names seen in game records.
_ALIASES = {"nz": "new-zealand", "tt": "tromp-taylor", "jp": "japanese", "cn": "chinese"}


def rules_named(text: str) -> Rules:
    """The rule set of a name in any case, with spaces, underscores or hyphens."""
    name = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    try:
        return RULES[_ALIASES.get(name, name)]
    except KeyError:
        raise ValueError(f"unknown rules: {' '.join(text.split())}") from None


def result_text(score: float) -> str:
    """A score from Black's side as people write results: B+3.5, W+1, or 0 for a draw."""
    margin = f"{abs(score):.4f}".rstrip("0").rstrip(".")
    if margin == "0":
        return "0"
    return f"{'B' if score > 0 else 'W'}+{margin}"
