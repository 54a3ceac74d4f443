"""Which matches the papers' strength tables are made of, as settings of ours.

A row is a match: one side is Miai with some settings, the other GNU Go or Miai with others. What
the paper measured stands beside it. We play by simulations a move, not by time, because a busy
machine must not change the result; the papers' numbers of simulations are in the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Options = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Row:
    """One match of a table."""

    key: str  # unique in its table; also the name of its folder
    options: Options  # of the player in question
    opponent: str | Options  # `gnugo:LEVEL`, or options of Miai
    size: int
    komi: float
    sims: int
    paper: float | None = None  # percent of games won
    paper_games: int | None = None
    # Models that either side needs, by label: the first kind of each list that is installed.
    models: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def text(self) -> str:
        """What is played, in one line: figures count as long as it is the same."""
        sides = [self.options, self.opponent]
        words = [side if isinstance(side, str) else " ".join(map("=".join, side)) for side in sides]
        return f"{' against '.join(words)}; {self.size}x{self.size}, komi {self.komi:g}"


def _options(**values: object) -> Options:
    """Settings by name; `model=LABEL` stands for a model that is looked up when it is played."""
    return tuple((name, str(value)) for name, value in values.items())


# --- MM, Table 2 --------------------------------------------------------------------------

_MM = (("patterns", ("mm", "fbt")),)


def _plain(size: int, **values: object) -> Options:
    """A tree as Crazy Stone had it: no RAVE, no priors but an exploration term, and a node gets
    children after as many simulations as the board has points."""
    tree = dict(rave="no", exploration=0.4, even_prior=1)
    return _options(**values, **tree, expand_at=size * size, expand_early=size * size)


def _no_patterns(size: int) -> Options:
    return _plain(size, selection="none", knowledge="none", playouts="light")


def _patterns(size: int) -> Options:
    return _plain(size, selection="none", knowledge="none", playouts="gamma")


def _widening(size: int) -> Options:
    return _plain(size, selection="widening", model="patterns", playouts="gamma")


def crazystone(quick: bool) -> list[Row]:
    """No patterns; patterns in the playouts; and progressive widening: against GNU Go."""
    if quick:
        return [
            Row("none-7x7", _no_patterns(7), "gnugo:0", 7, 6.5, 20, 38.2, 170),
            Row("patterns-7x7", _patterns(7), "gnugo:0", 7, 6.5, 20, 68.2, 170),
            Row("widening-7x7", _widening(7), "gnugo:0", 7, 6.5, 20, 90.6, 170, _MM),
        ]
    rows = []
    for sims, end in ((4_000, ""), (40_000, "-10x")):
        rows += [
            Row(f"none-9x9{end}", _no_patterns(9), "gnugo:10", 9, 6.5, sims, 38.2, 170),
            Row(f"patterns-9x9{end}", _patterns(9), "gnugo:10", 9, 6.5, sims, 68.2, 170),
            Row(f"widening-9x9{end}", _widening(9), "gnugo:10", 9, 6.5, sims, 90.6, 170, _MM),
        ]
    return [
        *rows,
        Row("none-19x19", _no_patterns(19), "gnugo:8", 19, 6.5, 2000, 0.0, 192),
        Row("patterns-19x19", _patterns(19), "gnugo:8", 19, 6.5, 2000, 0.0, 192),
        Row("widening-19x19", _widening(19), "gnugo:8", 19, 6.5, 2000, 37.5, 192, _MM),
        Row("widening-19x19-4x", _widening(19), "gnugo:8", 19, 6.5, 8000, 57.1, 192, _MM),
    ]


# --- FBT in MCTS, Figures 2 and 3 ---------------------------------------------------------

FIGURE2_C = (2.0, 2.3, 2.5, 2.7, 3.0)
FIGURE3_C = (0.05, 0.1, 0.15, 0.2, 0.25)
FBT_SIMS = (100, 1000, 3000)
_NO_KNOWLEDGE = _options(selection="none", knowledge="none", playouts="rules")
_LFR_PRIORS = _options(selection="prior", model="lfr", playouts="rules")
_FBT = (("fbt", ("fbt",)),)
_BOTH = (*_FBT, ("lfr", ("lfr",)))


def _fbt_options(c: float) -> Options:
    return _options(
        selection="puct", puct_form="log", model="fbt", playouts="rules", c_puct=c, cutoff=0.001
    )


def _on_top(c: float) -> Options:
    """LFR's priors, and FBT's probabilities on top of them."""
    return _options(
        selection="prior", model="fbt", prior_model="lfr", playouts="rules", puct_bonus=c,
        cutoff=0.001,
    )  # fmt: skip


def fbt_mcts(quick: bool) -> list[Row]:
    """FBT by PUCT against no knowledge, and on top of LFR's priors against them alone."""
    size, all_sims = (7, (10, 20)) if quick else (19, FBT_SIMS)
    figure2, figure3 = (FIGURE2_C[:2], FIGURE3_C[:1]) if quick else (FIGURE2_C, FIGURE3_C)
    rows = []
    for sims in all_sims:
        for c in figure2:
            rows.append(
                Row(f"figure2-{sims}-c{c:g}", _fbt_options(c), _NO_KNOWLEDGE, size, 6.5, sims,
                    models=_FBT)
            )  # fmt: skip
    for sims in all_sims:
        for c in figure3:
            rows.append(
                Row(f"figure3-{sims}-c{c:g}", _on_top(c), _LFR_PRIORS, size, 6.5, sims,
                    models=_BOTH)
            )  # fmt: skip
    return rows


# --- SPT, Figure 10 -----------------------------------------------------------------------


def spt_mcts(quick: bool) -> list[Row]:
    """No tree, one tree, a forest of five: against GNU Go, by Fuego's penalty of unlikely moves.

    The paper needed a thousand games a row to tell them apart. Against the search without a tree
    the same question takes few.
    """
    size, sims, opponent = (7, 10, "gnugo:0") if quick else (19, 2000, "gnugo:10")
    plain = _options(selection="none", knowledge="none", playouts="rules")
    advised = [
        _options(selection="additive", additive_form="fuego", model=label, playouts="rules")
        for label in ("one-tree", "forest")
    ]
    one, five = (("one-tree", ("spt1",)),), (("forest", ("spt",)),)
    return [
        Row("no-tree", plain, opponent, size, 6.5, sims, 68.5, 1000),
        Row("one-tree", advised[0], opponent, size, 6.5, sims, 73.6, 1000, one),
        Row("forest", advised[1], opponent, size, 6.5, sims, 74.2, 1000, five),
        Row("one-tree-against-none", advised[0], plain, size, 6.5, sims, models=one),
        Row("forest-against-none", advised[1], plain, size, 6.5, sims, models=five),
    ]


TABLES: dict[str, Callable[[bool], Sequence[Row]]] = {
    "crazystone": crazystone,
    "fbt-mcts": fbt_mcts,
    "spt-mcts": spt_mcts,
}
DEFAULT_GAMES, QUICK_GAMES = 40, 2
