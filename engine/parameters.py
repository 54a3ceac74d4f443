"""Every setting of the engine, once: its default, range and meaning.

The command line, the GTP parameter commands, the tuner and the docs all read this list, so a new
setting is one entry here and one place that asks for it:

    settings.get("c_puct", size)

A default may differ by board size: then it is given for 9, 13 and 19, and a size takes the
nearest. Nothing here needs NumPy, so help and the GTP handshake come at once.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Value = bool | int | float | str

FAMILIES = {
    "search": "how the tree is walked",
    "knowledge": "what is known of moves before they are tried",
    "playouts": "how simulated games are played",
    "player": "how a move is chosen from what was searched",
    "time": "how long a move is thought about",
    "client": "how the engine presents itself to programs and servers",
}
SIZES = (9, 13, 19)


@dataclass(frozen=True)
class Parameter:
    """One setting. `default` may be a mapping from 9, 13 and 19 to a value."""

    name: str
    family: str
    default: Value | Mapping[int, Value]
    help: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    unit: str = ""
    tunable: bool = False  # worth a tuner's time

    def default_for(self, size: int) -> Value:
        """The default on a board size."""
        if isinstance(self.default, Mapping):
            return self.default[min(SIZES, key=lambda known: (abs(known - size), known))]
        return self.default

    @property
    def kind(self) -> type:
        """bool, int, float or str."""
        return type(self.default_for(SIZES[-1]))

    def parse(self, given: Value) -> Value:
        """A value from what somebody wrote; ValueError says in one line what is wrong."""
        if self.kind is str:
            return self._choice(str(given))
        if self.kind is bool:
            return self._truth(given)
        try:
            number = float(given)
        except ValueError:
            number = math.nan
        if self.kind is int and number != round(number, 0):
            number = math.nan
        if not self.low <= number <= self.high or not math.isfinite(number):
            raise ValueError(f"{self.name}: {given!r} is not {self.range_text()}")
        return int(number) if self.kind is int else number

    def _choice(self, text: str) -> str:
        if self.choices and text not in self.choices:
            raise ValueError(f"{self.name}: {text!r} is not one of {', '.join(self.choices)}")
        return text

    def _truth(self, given: Value) -> bool:
        text = str(given).lower()
        if text in ("1", "true", "on", "yes"):
            return True
        if text in ("0", "false", "off", "no"):
            return False
        raise ValueError(f"{self.name}: {given!r} is neither true nor false")

    def range_text(self) -> str:
        """What values it takes, in words."""
        if self.choices:
            return ", ".join(self.choices)
        if self.kind is bool:
            return "true or false"
        number = "a whole number" if self.kind is int else "a number"
        low = f" from {self.low:g}" if math.isfinite(self.low) else ""
        high = f" to {self.high:g}" if math.isfinite(self.high) else ""
        return f"{number}{low}{high}"

    def default_text(self) -> str:
        """The default in words, by board size where it differs."""
        values = {size: value_text(self.default_for(size)) for size in SIZES}
        if len(set(values.values())) == 1:
            return values[SIZES[0]]
        return ", ".join(f"{text} on {size}x{size}" for size, text in values.items())


def value_text(value: Value) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def default_threads() -> int:
    """All cores but one, so that the machine stays usable."""
    return max(1, (os.cpu_count() or 2) - 1)


_LIST = (
    # --- Limits --------------------------------------------------------------------------------
    Parameter("sims", "time", 0, "simulations a move, 0 for as many as the time allows", 0, 1e9),
    Parameter(
        "seconds", "time", 5.0, "thinking time a move when no clock runs", 0.0, 1e6, unit="s"
    ),
    Parameter("threads", "search", default_threads(), "search threads", 1, 64),
    Parameter("memory", "search", 1024, "memory of the tree at most", 16, 1 << 20, unit="MB"),
    Parameter(
        "seed", "search", 0, "seed of the random numbers, 0 for another one each time", 0, 2**63 - 1
    ),
    # --- Selection -----------------------------------------------------------------------------
    Parameter(
        "selection",
        "search",
        {9: "puct", 13: "wins", 19: "wins"},
        "how knowledge guides the walk down the tree",
        choices=("puct", "prior", "wins", "additive", "widening", "none"),
    ),
    Parameter(
        "puct_form",
        "search",
        "log",
        "exploration of puct: sqrt(lg N / (1 + n)) or sqrt(N) / (1 + n)",
        choices=("log", "root"),
    ),
    Parameter(
        "c_puct",
        "search",
        {9: 0.95, 13: 1.0, 19: 1.3},
        "weight of the move probabilities in puct",
        0.0,
        100.0,
        tunable=True,
    ),
    Parameter(
        "puct_bonus",
        "search",
        0.0,
        "weight of the same term on top of prior and wins",
        0.0,
        100.0,
    ),
    Parameter(
        "cutoff",
        "search",
        {9: 0.0015, 13: 0.001, 19: 0.001},
        "the least probability a move counts with",
        0.0,
        1.0,
        tunable=True,
    ),
    Parameter(
        "prior_games",
        "search",
        7.0,
        "games that a prior is worth on average (selection prior)",
        0.0,
        1000.0,
        tunable=True,
    ),
    Parameter(
        "prior_wins",
        "search",
        {9: 400.0, 13: 270.0, 19: 270.0},
        "won games that a move of probability 1 starts with (selection wins)",
        0.0,
        10_000.0,
        tunable=True,
    ),
    Parameter(
        "additive_form",
        "search",
        "fuego",
        "penalty of unlikely moves: Fuego's or Rosin's",
        choices=("fuego", "rosin"),
    ),
    Parameter("additive_weight", "search", 0.03, "weight of that penalty", 0.0, 10.0, tunable=True),
    Parameter(
        "widening_base",
        "search",
        40.0,
        "visits before the second move (selection widening)",
        1.0,
        1e6,
        tunable=True,
    ),
    Parameter(
        "widening_growth",
        "search",
        1.4,
        "by how much each further move waits longer",
        1.0,
        10.0,
        tunable=True,
    ),
    Parameter(
        "futile_penalty",
        "search",
        {9: 0.0, 13: 0.0, 19: 0.05},
        "what a move that goes on with a failing ladder is lowered by",
        0.0,
        1.0,
        tunable=True,
    ),
    Parameter("exploration", "search", 0.0, "weight of a UCB exploration term", 0.0, 10.0),
    Parameter("rave", "search", True, "mix all-moves-as-first values into a move's value"),
    Parameter(
        "rave_equivalence",
        "search",
        {9: 900.0, 13: 2000.0, 19: 3000.0},
        "visits at which a move's own value counts as much as its RAVE value",
        1.0,
        1e7,
        tunable=True,
    ),
    Parameter(
        "rave_early",
        "search",
        {9: 2.4, 13: 2.0, 19: 2.0},
        "weight of the next move in RAVE, falling to 1 for the last",
        1.0,
        10.0,
        tunable=True,
    ),
    Parameter(
        "even_prior",
        "search",
        {9: 5.0, 13: 8.0, 19: 10.0},
        "games at an even score every move starts with",
        0.0,
        1000.0,
        tunable=True,
    ),
    Parameter(
        "first_play",
        "search",
        {9: 0.52, 13: 0.5, 19: 0.5},
        "value of the games a move starts with (first-play urgency)",
        0.0,
        2.0,
        tunable=True,
    ),
    Parameter(
        "expand_early",
        "search",
        {9: 4, 13: 6, 19: 6},
        "visits at which a node gets children in a small tree, if expand_at is not less",
        1,
        10_000,
        tunable=True,
    ),
    Parameter(
        "expand_at",
        "search",
        8,
        "visits at which a node gets children from 4,000 simulations on",
        1,
        10_000,
        tunable=True,
    ),
    Parameter(
        "criticality",
        "search",
        {9: 5.0, 13: 6.0, 19: 6.0},
        "how much likelier a move is at a point that decides games",
        0.0,
        100.0,
        tunable=True,
    ),
    Parameter(
        "score_weight",
        "search",
        {9: 0.03, 13: 0.01, 19: 0.01},
        "how much the margin counts beside winning",
        0.0,
        1.0,
        tunable=True,
    ),
    # --- Knowledge -----------------------------------------------------------------------------
    Parameter(
        "knowledge",
        "knowledge",
        "fbt",
        "the model whose move probabilities guide the search",
        choices=("fbt", "lfr", "mm", "spt", "none"),
    ),
    Parameter(
        "prior_model",
        "knowledge",
        "same",
        "another model whose values make the games of selection prior",
        choices=("same", "fbt", "lfr", "mm"),
    ),
    Parameter("weights", "knowledge", "", "a weight file to use instead of the shipped one"),
    # --- Playouts ------------------------------------------------------------------------------
    Parameter(
        "playouts",
        "playouts",
        "mixed",
        "the playout policy",
        choices=("light", "rules", "gamma", "mixed"),
    ),
    Parameter(
        "chance_atari",
        "playouts",
        0.9,
        "how often a playout answers an atari",
        0.0,
        1.0,
        tunable=True,
    ),
    Parameter(
        "chance_two_liberties",
        "playouts",
        0.3,
        "how often it answers two liberties",
        0.0,
        1.0,
        tunable=True,
    ),
    Parameter(
        "chance_nakade",
        "playouts",
        0.8,
        "how often it plays at a vital point",
        0.0,
        1.0,
        tunable=True,
    ),
    Parameter(
        "chance_shape",
        "playouts",
        0.95,
        "how often it plays a shape near the last moves",
        0.0,
        1.0,
        tunable=True,
    ),
    Parameter(
        "chance_capture",
        "playouts",
        0.3,
        "how often it looks for a capture anywhere",
        0.0,
        1.0,
        tunable=True,
    ),
    Parameter(
        "chance_self_atari_filter",
        "playouts",
        0.9,
        "how often it avoids a bad self-atari",
        0.0,
        1.0,
        tunable=True,
    ),
    Parameter(
        "shape_floor",
        "playouts",
        {9: 0.1, 13: 1.0, 19: 1.0},
        "the least weight of a shape when mixed playouts draw a move; 0 for what was learned",
        0.0,
        100.0,
        tunable=True,
    ),
    Parameter("mercy", "playouts", True, "end a playout when a third of the board is the lead"),
    # --- The player ----------------------------------------------------------------------------
    Parameter(
        "choice",
        "player",
        "visits",
        "the move with most visits, or with the best lower bound",
        choices=("visits", "lcb"),
    ),
    Parameter("level", "player", 10, "strength, from 1 (beginner) to 10 (all it can)", 1, 10),
    Parameter("ponder", "player", False, "think in the opponent's time"),
    Parameter("reuse", "player", True, "keep the part of the tree that the game went into"),
    Parameter(
        "resign",
        "player",
        0.1,
        "resign when the chance to win stays below this, 0 for never",
        0.0,
        0.5,
    ),
    Parameter("resign_moves", "player", 3, "for so many own moves in a row", 1, 100, unit="moves"),
    Parameter("cleanup", "player", False, "capture dead stones before passing, as CGOS needs it"),
    Parameter(
        "dynamic_komi", "player", True, "shift the komi in handicap games so that there is a game"
    ),
    Parameter(
        "margin_risk",
        "player",
        0.2,
        "when ahead, play for the lead that all but this share of playouts have; 0 to win only",
        0.0,
        0.5,
        tunable=True,
    ),
    # --- Time ----------------------------------------------------------------------------------
    Parameter(
        "lag",
        "time",
        0.3,
        "time kept back for the way to the server, each move",
        0.0,
        60.0,
        unit="s",
    ),
    Parameter(
        "early_stop",
        "time",
        True,
        "by the clock, stop when no other move can catch up any more",
    ),
    Parameter(
        "unstable_factor",
        "time",
        2.0,
        "how much longer to think while the best move is in doubt",
        1.0,
        10.0,
    ),
    # --- Clients -------------------------------------------------------------------------------
    Parameter("engine_name", "client", "", "the name to give to GTP clients instead of Miai"),
    Parameter("engine_version", "client", "", "the version to give to them"),
    Parameter(
        "live_graphics",
        "client",
        "off",
        "what GoGui draws while the engine thinks",
        choices=("off", "moves", "line", "visits", "owners"),
    ),
    Parameter(
        "live_interval", "client", 0.5, "how often GoGui draws it again", 0.05, 60.0, unit="s"
    ),
    Parameter(
        "malkovich", "client", False, "tell gtp2ogs about each move, for the chat after the game"
    ),
)

PARAMETERS: dict[str, Parameter] = {parameter.name: parameter for parameter in _LIST}


@dataclass
class Settings:
    """The values somebody chose; all others are the defaults.

    `changed` counts the changes, so that whoever made something from a setting can tell that it
    is out of date; `listeners` are told the name at once.
    """

    chosen: dict[str, Value] = field(default_factory=dict)
    changed: int = 0
    listeners: list[Callable[[str], None]] = field(default_factory=list)

    def get(self, name: str, size: int = 19) -> Value:
        """A setting's value on a board size."""
        if name in self.chosen:
            return self.chosen[name]
        return PARAMETERS[name].default_for(size)

    def number(self, name: str, size: int = 19) -> float:
        """The same for numbers and truths."""
        return float(self.get(name, size))

    def integer(self, name: str, size: int = 19) -> int:
        return int(self.get(name, size))

    def flag(self, name: str, size: int = 19) -> bool:
        return bool(self.get(name, size))

    def text(self, name: str, size: int = 19) -> str:
        return str(self.get(name, size))

    def set(self, name: str, given: Value) -> None:
        """Choose a value; ValueError in one line leaves everything as it was."""
        if name not in PARAMETERS:
            raise ValueError(f"unknown parameter {name!r}")
        self.chosen[name] = PARAMETERS[name].parse(given)
        self.changed += 1
        for listener in self.listeners:
            listener(name)

    def copy(self) -> Settings:
        """The same values, for somebody else to change."""
        return Settings(dict(self.chosen))
