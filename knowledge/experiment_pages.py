"""Pages of the experiments: the papers' figures beside ours, pictures, and what differs and why.

A page is made from the rows that are finished; what is missing is a dash. The papers' figures
stand here as they were printed. Their claims are checked against our rows and marked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from knowledge.experiments import SPT_VARIED, Figures, file_name, rows_of
from knowledge.report import Line, bar_chart, heat_map, line_chart, table

Claim = tuple[str, bool | None]  # what the paper says, and whether ours agrees


@dataclass
class Page:
    """What an experiment has to show."""

    title: str
    source: str
    tables: list[str]
    differs: str
    claims: list[Claim] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)  # by the end of the file's name


def _get(rows: Figures, key: str, name: str = "top1") -> Any:
    return rows[key].get(name) if key in rows else None


def _holds(rows: Figures, pairs: Sequence[tuple[str, str]], name: str = "top1") -> bool | None:
    """Whether the first of each pair is ahead of the second; None if no pair is finished."""
    known = [(_get(rows, a, name), _get(rows, b, name)) for a, b in pairs]
    both = [(a, b) for a, b in known if a is not None and b is not None]
    return all(a > b for a, b in both) if both else None


def _told(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"


def _seconds(rows: Figures, key: str) -> float | None:
    """How long a model was trained."""
    return sum(epoch["seconds"] for epoch in rows[key]["epochs"]) if key in rows else None


def _epochs(rows: Figures, key: str) -> int | None:
    return len(rows[key]["epochs"]) if key in rows else None


def _by_phase(rows: Figures, keys: Sequence[str], name: str = "phases") -> list[Line]:
    known = {key: rows[key][name] for key in keys if name in rows.get(key, {})}
    return [
        Line(key, [(i + 1.0, share) for i, share in enumerate(shares) if share is not None])
        for key, shares in known.items()
    ]


def _by_rank(rows: Figures, keys: Sequence[str]) -> list[Line]:
    return [
        Line(key, [(i + 1.0, share) for i, share in enumerate(rows[key]["cumulative"])])
        for key in keys
        if "cumulative" in rows.get(key, {})
    ]


# --- MM -------------------------------------------------------------------------------------

_MM_DISTANCES = ("2", "3", "4", "5", "16", "17+")
_MM_OWNERS = ("0-7", "8-15", "16-23", "24-31", "32-39", "40-47", "48-55", "56-63")
MM_GAMMAS = {
    "pass: after move": 0.17,
    "pass: after pass": 24.37,
    "capture: saves": 30.68,
    "capture: recaptures": 0.53,
    "capture: parts": 2.88,
    "capture: escaper": 3.43,
    "capture: lost": 0.30,
    "extension: free": 11.37,
    "extension: lost": 0.70,
    "self_atari: yes": 0.06,
    "atari: ladder": 1.58,
    "atari: ko": 10.24,
    "atari: other": 1.70,
    **{f"border: {n}": g for n, g in zip("1234", (0.89, 1.49, 1.75, 1.28), strict=True)},
    **{
        f"distance_last: {n}": g
        for n, g in zip(_MM_DISTANCES, (4.32, 2.84, 2.22, 1.58, 0.33, 0.21), strict=True)
    },
    **{
        f"distance_before: {n}": g
        for n, g in zip(_MM_DISTANCES, (3.08, 2.38, 2.27, 1.68, 0.66, 0.70), strict=True)
    },
    **{
        f"owner: {n}": g
        for n, g in zip(_MM_OWNERS, (0.04, 1.02, 2.41, 1.41, 0.72, 0.65, 0.68, 0.13), strict=True)
    },
}

_MM_DIFFERS = """The games are the very same, and so are the ten features, the prior and the \
update. The patterns are not: the paper keeps the 16,780 shapes that appear at least 625 times, \
anywhere a move could have been played; we keep those that were *played* at least ten times, or \
five as the row says, because a shape that is often there but hardly ever played tells little. \
Our smallest shape is the four neighbours (d = 2), the paper's the eight (d = 3). The owner of a \
point comes from 63 of our own light playouts, not from Crazy Stone's. Ladders are read by our \
own reader, and where a move fits two levels of a group, the paper does not say which one counts; \
we take the first. So single gammas differ, above all those that share their work with a shape: a \
gamma only says what a feature adds to all others that are there. All legal moves and the pass \
compete, in all positions of all test games."""


def _mm_page(rows: Figures, quick: bool) -> Page:
    keys = [row.key for row in rows_of("mm-kgs", quick)]
    header = ["", "top-1", "top-5", "top-10", "top-20", "log-evidence", "features", "seconds"]
    names = ("top1", "top5", "top10", "top20", "log_evidence", "features", "seconds")
    lines: list[list[object]] = [["Paper", 34.9, None, None, None, -2.69, 16_819, 3_600]]
    lines += [[key, *(_get(rows, key, name) for name in names)] for key in keys]
    gammas = _get(rows, "MM", "gammas") or {}
    ours = [[name, paper, gammas.get(name)] for name, paper in MM_GAMMAS.items()]
    both = np.array([[paper, gammas[name]] for name, paper in MM_GAMMAS.items() if gammas])
    alike = float(np.corrcoef(np.log(both.T))[0, 1]) if len(both) else None
    log_evidence = _get(rows, "MM", "log_evidence")
    return Page(
        "Minorization-maximization on the paper's own games",
        "Coulom, Computing Elo Ratings of Move Patterns in the Game of Go (2007)",
        [table(header, lines), table(["gamma of", "paper", "ours"], ours)],
        _MM_DIFFERS,
        [
            ("the played move is the first guess 34.9% of the time", _above(rows, "MM", 34.9)),
            (
                "the mean log-evidence is -2.69",
                None if log_evidence is None else log_evidence >= -2.69,
            ),
            (
                "the Monte-Carlo owner helps (log-evidence)",
                _holds(rows, [("MM", "MM without owner")], "log_evidence"),
            ),
            (
                f"the logarithms of the paper's gammas and ours go together ({_told(alike)})",
                None if alike is None else alike > 0.5,
            ),
        ],
        {
            "": line_chart(
                "Mean log-evidence by phase", "phase of 30 moves", "log-evidence",
                _by_phase(rows, keys, "log_phases"),
            ),
            "-ranks": line_chart(
                "Played move among the first n", "n", "percent",
                [Line("Paper", [(1.0, 34.9)], True), *_by_rank(rows, keys)],
            ),
        },
    )  # fmt: skip


def _above(rows: Figures, key: str, figure: float, name: str = "top1") -> bool | None:
    found = _get(rows, key, name)
    return None if found is None else found >= figure


# --- LFR ------------------------------------------------------------------------------------

LFR_TABLE = {
    "MM 5000": 37.00, "LFR1 5000": 38.60, "LFR5 5000": 39.96,
    "MM 10000": 37.86, "LFR1 10000": 39.78, "LFR5 10000": 40.90,
}  # fmt: skip

_LFR_DIFFERS = """The features, the shapes (all that were played ten times, the whole board \
included), the loss, the rates but for what a limit says, the start and the stop are the paper's; \
the games are of the same kind and number from the same server, but of other months, so figures \
may lie a little higher or lower for all learners alike. The paper prints v_i in its gradient \
where the other features' v_j belong; we use the true gradient, checked by finite differences. As \
in its algorithm, moves are corrected one after another, the played one first. Epochs go through \
whole games in a new order each, on as many threads as asked, and end after three without a gain \
or at the limit of 20. MM learns from as many positions as fit into 6 GB, drawn by chance: the \
column of positions tells how many. The figure of the paper is the mean over the first 12 phases \
of 30 moves, which reads higher than the mean over all moves: both are given. Our last phase \
holds all moves from 331 on. LBR and BAR, the paper's other rivals, are not rebuilt."""


def _lfr_page(rows: Figures, quick: bool) -> Page:
    keys = [row.key for row in rows_of("lfr-kgs", quick)]
    header = [
        "",
        "paper, phases",
        "ours, phases",
        "all moves",
        "top-5",
        "top-20",
        "positions",
        "epochs",
    ]
    lines: list[list[object]] = []
    for key in keys:
        epochs = None if key.startswith("MM") else _epochs(rows, key)
        own = [_get(rows, key, name) for name in ("phase_mean", "top1", "top5", "top20")]
        learned = _get(rows, key, "learned_positions") or _get(rows, key, "moves")
        lines.append([key, LFR_TABLE.get(key), *own, learned, epochs])
    firsts = [24] if quick else [5000, 10000]
    last = firsts[-1]
    compared = [f"MM {last}", f"LFR1 {last}", f"LFR5 {last}"]
    pictures = {
        "": _sizes_chart(rows, compared),
        "-phases": line_chart(
            "First guess by phase", "phase of 30 moves", "percent", _by_phase(rows, compared)
        ),
    }
    pairs = _get(rows, f"LFR1 without shapes {last}", "pairs")
    if pairs:
        pictures["-pairs"] = heat_map(
            "What pairs of features add, LFR1 without shapes", pairs["names"], pairs["names"],
            pairs["products"],
        )  # fmt: skip
    small = [_share_at(rows, key, (2, 3)) for key in compared]
    return Page(
        "Latent Factor Ranking against MM",
        "Wistuba and Schmidt-Thieme, Move Prediction in Go: Modelling Feature Interactions Using "
        "Latent Factors (2013)",
        [table(header, lines)],
        _LFR_DIFFERS,
        [
            (
                "LFR1 is ahead of MM",
                _holds(rows, [(f"LFR1 {n}", f"MM {n}") for n in firsts], "phase_mean"),
            ),
            (
                "LFR5 is ahead of LFR1",
                _holds(rows, [(f"LFR5 {n}", f"LFR1 {n}") for n in firsts], "phase_mean"),
            ),
            (
                "more games help",
                None if quick else _holds(
                    rows,
                    [(f"{m} 10000", f"{m} 5000") for m in ("MM", "LFR1", "LFR5")],
                    "phase_mean",
                ),
            ),
            (
                "correcting all moves is worse for high ranks (top-20)",
                _holds(rows, [(f"LFR1 {last}", f"Full-LFR1 {last}")], "top20"),
            ),
            (
                "pairs help where only a small shape matches (9 or 13 points, LFR5 and MM)",
                None if small[0] is None or small[2] is None else small[2] > small[0],
            ),
        ],
        pictures,
    )  # fmt: skip


def _sizes_chart(rows: Figures, keys: Sequence[str]) -> str:
    """The first guess by the size of the pattern that the played move matched."""
    tables = {
        key: rows[key]["by_pattern_size"] for key in keys if "by_pattern_size" in rows.get(key, {})
    }
    sizes = sorted({int(size) for by_size in tables.values() for size in by_size})
    bars = {
        key: [by_size.get(str(size), [None])[0] for size in sizes]
        for key, by_size in tables.items()
    }
    return bar_chart(
        "First guess by the size of the played move's shape", "size (14 is the whole board)",
        "percent", [str(size) for size in sizes], bars,
    )  # fmt: skip


def _share_at(rows: Figures, key: str, sizes: Sequence[int]) -> float | None:
    """How often the first guess is right where the shape has one of some sizes."""
    by_size = _get(rows, key, "by_pattern_size") or {}
    found = [by_size[str(size)] for size in sizes if str(size) in by_size]
    total = sum(count for _, count in found)
    return sum(share * count for share, count in found) / total if total else None


# --- FBT ------------------------------------------------------------------------------------

FBT_TABLES = {
    "fbt-small": {
        "S1": (32.56, 32.82, 30.01, 30.08),
        "S2": (33.18, 33.42, 30.95, 31.63),
        "S3": (33.46, 34.01, 31.13, 31.94),
    },
    "fbt-large": {
        "S1": (35.83, 35.96, 34.38, 34.47),
        "S2": (38.26, 38.31, 37.12, 37.34),
        "S3": (38.48, 38.75, 37.56, 37.69),
    },
}
_TOPS = ("top-1", "top-5", "top-10", "top-20")
_FBT_MODELS = ("FBT5", "FBT10", "LFR5", "LFR10")

_FBT_DIFFERS = """The sets have as many games as the paper's, of professionals too, but not the \
same ones. FBT and LFR use the paper's plain gradient descent with its start and its stop, and \
with its rates where no limit says otherwise, but FBT is stopped by its log-evidence on the \
validation games, LFR by its accuracy; the gradient is the true one, without the paper's stray \
factor 1/2. S2 and S3 are gone through at most 20 and 12 times: a model that was still gaining \
then is named by its number of epochs. The features have the paper's names, but what Fuego's \
playout policy, its corner moves and its side extensions say exactly is known only from its code, \
so ours are our own and see ladders as Coulom's do. The paper's accuracies are means over five \
runs; ours are single runs, which in the paper differed by up to 0.8. "Our FBT" is the same model \
trained the way we train: AdaGrad with a falling rate and gradients thinned by chance, three \
times through the games."""


def _fbt_page(name: str, rows: Figures, quick: bool) -> Page:
    paper = FBT_TABLES[name]
    models = ("FBT5", "LFR5") if quick else _FBT_MODELS
    own = "Our FBT5" if quick else "Our FBT10"
    sets = [s for s in ("S1", "S2", "S3") if f"FBT5 {s}" in {r.key for r in rows_of(name, quick)}]
    header = ["", *(f"{model} {who}" for model in models for who in ("paper", "ours")), own]
    lines: list[list[object]] = []
    detail: list[list[object]] = []
    for s in sets:
        line: list[object] = [s]
        for model in models:
            line += [paper[s][_FBT_MODELS.index(model)], _get(rows, f"{model} {s}")]
        lines.append([*line, _get(rows, f"{own} {s}")])
        for key in (f"{model} {s}" for model in (*models, own)):
            tops = (_get(rows, key, top) for top in ("top1", "top5", "top10", "top20"))
            detail.append([key, *tops, _epochs(rows, key), _seconds(rows, key)])
    latest = max((s for s in sets if f"{own} {s}" in rows), default=sets[0])
    drawn = [f"{model} {latest}" for model in (*models, own)]
    pairs = [(f"FBT{k} {s}", f"LFR{k} {s}") for k in (5, 10) for s in sets]
    steps = [(f"{m} {b}", f"{m} {a}") for m in models for a, b in pairwise(sets)]
    longer = [(f"{m}10 {s}", f"{m}5 {s}") for m in ("FBT", "LFR") for s in sets]
    what = "3x3 shapes" if name == "fbt-small" else "large shapes"
    return Page(
        f"Factorization Bradley-Terry against LFR, {what}",
        "Xiao and Müller, Factorization Ranking Model for Move Prediction in the Game of Go (2016)",
        [
            table(header, lines),
            table(["", *_TOPS, "epochs", "seconds of training"], detail),
        ],
        _FBT_DIFFERS,
        [
            ("FBT is ahead of LFR for the same games and k", _holds(rows, pairs)),
            ("more games help", _holds(rows, steps)),
            ("k = 10 is ahead of k = 5", _holds(rows, longer)),
        ],
        {
            "": line_chart(
                f"Played move among the first n, {latest}", "n", "percent", _by_rank(rows, drawn)
            ),
            "-phases": line_chart(
                f"First guess by phase, {latest}", "phase of 30 moves", "percent",
                _by_phase(rows, drawn),
            ),
        },
    )  # fmt: skip


# --- Sampling -------------------------------------------------------------------------------

SAMPLING_TABLE = {
    "S1": (30.04, 30.81, 31.06, 31.78, 30.01, 32.56),
    "S2": (32.07, 32.90, 32.98, 33.03, 30.95, 33.18),
    "S3": (32.54, 33.01, 33.09, 33.12, 31.13, 33.46),
}
_SAMPLING = ("S5", "S10", "S20", "S30", "LFR", "Full")

_SAMPLING_DIFFERS = """The sampled gradient is the paper's equation 13 and unbiased, which a test \
shows. It saves less time here than in the paper, because in our training the gradient is the \
smaller part: features are extracted anew in every epoch instead of being kept, and all moves are \
scored in any case, since the samples are drawn by the model's own probabilities. What sampling \
leaves out is only the gradients of the moves that were not drawn. Times are of training alone, \
without the validation after each epoch. The models of a set learn side by side and share the \
extraction; each is given the time that it would take alone. The paper's times are of its own \
machine, so only their ratios compare. How many epochs a row took is told beside it: stopping \
sooner also saves time. The second row of the paper's table is printed as S3 and can only be S2. \
As the thinned gradient of our own recipe shows, one can also leave out just the moves that \
hardly count."""


def _best_so_far(epochs: Sequence[Figures]) -> list[tuple[float, float]]:
    """The best validation accuracy after so many seconds of training."""
    result: list[tuple[float, float]] = []
    seconds = best = 0.0
    for epoch in epochs:
        seconds, best = seconds + epoch["seconds"], max(best, epoch["valid_top1"] or 0.0)
        result.append((seconds, best))
    return result


def _sampling_page(rows: Figures, quick: bool) -> Page:
    wanted = {row.key for row in rows_of("fbt-sampling", quick)}
    lines: list[list[object]] = []
    for s, figures in SAMPLING_TABLE.items():
        for model, paper in zip(_SAMPLING, figures, strict=True):
            key = f"{model} {s}"
            if key in wanted:
                own = [_get(rows, key, name) for name in ("top1", "top20")]
                lines.append([key, paper, *own, _epochs(rows, key), _seconds(rows, key)])
    header = ["", "paper", "ours", "ours, top-20", "epochs", "seconds of training"]
    sampled, full = _get(rows, "S30 S1"), _get(rows, "Full S1")
    times = _seconds(rows, "S30 S1"), _seconds(rows, "Full S1")
    ratio = times[0] / times[1] if times[0] and times[1] else None
    curves = [
        Line(model, _best_so_far(rows[f"{model} S1"]["epochs"]))
        for model in _SAMPLING
        if f"{model} S1" in rows
    ]
    return Page(
        "Sampled gradients for FBT",
        "Xiao and Müller, Factorization Ranking Model for Move Prediction in the Game of Go (2016)",
        [table(header, lines)],
        _SAMPLING_DIFFERS,
        [
            ("more samples come nearer to the full gradient", _holds(rows, [("S30 S1", "S5 S1")])),
            (
                "30 samples come within 0.8 of the full gradient",
                None if sampled is None or full is None else sampled >= full - 0.8,
            ),
            (
                f"they take a quarter of the time (ours: {_told(ratio)} of it)",
                None if ratio is None else ratio <= 0.3,
            ),
            ("even few samples are ahead of LFR", _holds(rows, [("S5 S1", "LFR S1")])),
        ],
        {
            "": line_chart(
                "Best validation accuracy so far, S1", "seconds of training", "percent", curves
            )
        },
    )


# --- Patterns -------------------------------------------------------------------------------

PATTERN_COUNTS = {"S1": 9_390, "S2": 84_660, "S3": 152_872}

_PATTERNS_DIFFERS = """The paper's figure has no numbers to set beside ours, only its shape: \
large patterns in the opening that disappear fast, small ones later. Its counts are given in its \
text. Both count patterns that were played at least ten times, the same in all eight symmetries \
and for both colours. Ours also hold the whole board (size 14) and the four neighbours (size 1), \
and the games are others, so the counts are of the same order and not the same. The matches are \
those of test games that no pattern was taken from: a game's own moves would match larger \
patterns."""


def _patterns_page(rows: Figures, quick: bool) -> Page:
    keys = [row.key for row in rows_of("patterns", quick)]
    counts = [[key, PATTERN_COUNTS[key], _get(rows, key, "patterns")] for key in keys]
    tables = [table(["Patterns harvested from", "paper", "ours"], counts)]
    claims: list[Claim] = []
    pictures: dict[str, str] = {}
    finished = [key for key in keys if key in rows]
    if finished:
        latest = finished[-1]
        found = np.array(rows[latest]["phases"], np.float64)
        shares = 100 * found / np.maximum(found.sum(axis=1, keepdims=True), 1)
        phases = [f"{30 * i + 1}-{30 * i + 30}" for i in range(len(shares))]
        phases[-1] = f"{30 * len(shares) - 29}+"
        sizes = [str(size) for size in range(shares.shape[1])]
        lines = [
            [phase, int(total), *(round(float(x), 1) for x in row)]
            for phase, total, row in zip(phases, found.sum(axis=1), shares, strict=True)
        ]
        tables.append(
            f"Moves by the size of their largest pattern, percent, {latest} "
            "(0: none; 14: the whole board):\n\n" + table(["moves", "all", *sizes], lines, 1)
        )
        large, small = shares[:, 8:].sum(axis=1), shares[:, :5].sum(axis=1)
        middle = float(small[min(5, int(np.flatnonzero(found.sum(axis=1))[-1]))])
        claims = [
            (
                f"patterns from size 8 on fade ({large[0]:.0f}% of 30 moves, then {large[1]:.0f}%)",
                bool(large[0] > 2 * large[1]),
            ),
            (f"later on small ones (up to size 4) are most ({middle:.0f}%)", middle > 50),
        ]
        pictures[""] = heat_map(
            f"Matched sizes by phase, percent of the moves, {latest}", phases, sizes,
            shares.tolist(),
        )  # fmt: skip
    return Page(
        "Sizes of matched patterns by phase",
        "Xiao and Müller, Factorization Ranking Model for Move Prediction in the Game of Go "
        "(2016), figure 1(f)",
        tables,
        _PATTERNS_DIFFERS,
        claims,
        pictures,
    )


# --- SPT ------------------------------------------------------------------------------------

_SPT_DIFFERS = """The paper's settings are kept: leaves of 3x3, at least 30 observations at a \
node, depth 10, 300 questions at a node, 300 positions a tree, 20 trees. Its games are 781 of the \
same server and level, without saying which, and it tests on 30 games; we test on 100. It gives \
curves without numbers but for the 35%, and leaves open how thresholds are drawn, how a leaf \
without an observation of a cell is to be read, and what becomes of passes: how we decided is \
told in `knowledge/spt.py`. The pass and all legal moves compete here, and all moves of a game \
count, the opening too. A tree of 300 positions has about a hundred leaves; how often its first \
guess is right depends on the games as well as on the trees, and 30 games leave an error of about \
half a point. "Our settings" learn from far more positions, in deeper trees that see the board \
turned towards the last move, and from 10,000 games. The paper's games (Figure 10) are in \
[spt-mcts](spt-mcts.md)."""
_SPT_LETTERS = {
    "depth": "depth d", "min_node": "minimum node m", "samples": "questions r",
    "leaf_size": "leaf size l", "trees": "trees", "positions": "positions a tree",
}  # fmt: skip


def _spt_page(rows: Figures, quick: bool) -> Page:
    keys = [row.key for row in rows_of("spt", quick)]
    tops = ("top1", "top5", "top10", "top20")
    header = ["", "top-1", "top-5", "top-10", "top-20", "leaves", "seconds"]
    lines: list[list[object]] = [["Paper, its best", 35.0, None, None, None, None, None]]
    lines += [
        [key, *(_get(rows, key, name) for name in (*tops, "leaves", "seconds"))] for key in keys
    ]
    base = "paper's settings"
    settings = _get(rows, base, "asked")
    curves: dict[str, list[tuple[float, Figures]]] = {}
    for name in SPT_VARIED:
        own = {float(key.split()[1]): rows[key] for key in rows if key.startswith(f"{name} ")}
        if settings is not None:
            own[float(settings["settings"][name])] = rows[base]
        curves[name] = sorted(own.items(), key=lambda item: item[0])
    pictures = {
        "" if name == "depth" else f"-{name.replace('_', '-')}": line_chart(
            f"Played move among the first n against {_SPT_LETTERS[name]}", _SPT_LETTERS[name],
            "percent",
            [Line(top.replace("top", "top-"), [(x, row[top]) for x, row in curve]) for top in tops],
        )
        for name, curve in curves.items()
        if len(curve) > 1
    }  # fmt: skip

    def rises(name: str) -> bool | None:
        curve = curves[name]
        return curve[-1][1]["top1"] > curve[0][1]["top1"] if len(curve) > 1 else None

    worse = rises("min_node")
    return Page(
        "Spatial probability trees",
        "Tidwell, Hellman and McGovern, Expert Move Prediction for Computer Go using Spatial "
        "Probability Trees (2011)",
        [table(header, lines)],
        _SPT_DIFFERS,
        [
            ("the first guess is right 35% of the time", _above(rows, base, 35.0)),
            ("deeper trees predict better", rises("depth")),
            ("a larger minimum node is worse", None if worse is None else not worse),
            ("more questions are better", rises("samples")),
            ("more positions are better", rises("positions")),
            ("a forest is better than a tree", rises("trees")),
        ],
        pictures,
    )


# --- The page as a text ---------------------------------------------------------------------

_PAGES: dict[str, Callable[[Figures, bool], Page]] = {
    "mm-kgs": _mm_page,
    "lfr-kgs": _lfr_page,
    "fbt-small": lambda rows, quick: _fbt_page("fbt-small", rows, quick),
    "fbt-large": lambda rows, quick: _fbt_page("fbt-large", rows, quick),
    "fbt-sampling": _sampling_page,
    "patterns": _patterns_page,
    "spt": _spt_page,
}
_MARKS = {True: "yes", False: "**no**", None: "not run"}


def claims_of(name: str, rows: Figures, quick: bool = False) -> dict[str, bool | None]:
    """The paper's claims, and whether our rows agree."""
    return dict(_PAGES[name](rows, quick).claims)


def files_of(name: str, rows: Figures, quick: bool, command: str, note: str = "") -> dict[str, str]:
    """The page and its pictures, by the names of their files; a note says what was left out."""
    page = _PAGES[name](rows, quick)
    stem = file_name(name, quick)
    pictures = {f"{stem}{end}.svg": text for end, text in page.pictures.items()}
    text = _text(name, page, rows, quick, command, note, list(pictures))
    return {f"{stem}.md": text, **pictures}


def _text(
    name: str, page: Page, rows: Figures, quick: bool, command: str, note: str,
    pictures: Sequence[str],
) -> str:  # fmt: skip
    wanted = len(rows_of(name, quick))
    parts = [f"# {page.title}", f"After {page.source}.", _what_was_run(rows, wanted, command)]
    if quick:
        parts.append("This is the quick variant: too few games for figures that mean anything.")
    if note:
        parts.append(note)
    astray = [key for key, row in rows.items() if row.get("astray")]
    if astray:
        parts.append(f"No figures, because its numbers overflowed: {', '.join(astray)}.")
    parts += page.tables
    parts += [f"![{page.title}]({picture})" for picture in pictures]
    if page.claims:
        found = [f"- {text}: {_MARKS[agrees]}" for text, agrees in page.claims]
        parts.append("## What the paper says, and whether ours agrees\n\n" + "\n".join(found))
    parts.append(f"## Where ours differs and why\n\n{page.differs}")
    return "\n\n".join(parts) + "\n"


def _what_was_run(rows: Figures, wanted: int, command: str) -> str:
    seconds = sum(row["seconds"] for row in rows.values())
    lines = [f"- Command: `{command}`", f"- Rows: {len(rows)} of {wanted} finished"]
    if rows:
        dates = sorted({row["date"] for row in rows.values()})
        learned = sorted(
            {(r["asked"]["lesson"]["train"], r["games"], r["moves"]) for r in rows.values()}
        )
        tested = sorted(
            {(r["asked"]["lesson"]["test"], r["test_games"], r["positions"]) for r in rows.values()}
        )
        lines += [
            f"- Learned from {games:,} games of {name}, {moves:,} positions"
            for name, games, moves in learned
        ]
        lines += [
            f"- Tested on {games:,} games of {name}, {positions:,} positions"
            for name, games, positions in tested
        ]
        lines += [f"- Date: {dates[0]}" + (f" to {dates[-1]}" if len(dates) > 1 else "")]
    lines.append(f"- Time: {seconds:,.0f} seconds")
    return "\n".join(lines)
