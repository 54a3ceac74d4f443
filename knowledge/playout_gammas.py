"""Learns the gammas of the playout policy from game records, by minorization-maximization.

Each move of a game is a competition that the played move won against all other legal moves.
A move's strength is the product of the gammas of its features, the very ones that
`engine/playout/gamma.py` computes while it plays. One group of mutually exclusive features is
updated in each pass (Coulom 2007); one virtual win and one virtual loss against a gamma of 1
keep rare features near 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.board import BOARD, U0, U1, clear, is_eye, is_legal, pass_move, place, u64
from engine.jit import kernel
from engine.playout.gamma import (
    FACTORS,
    WEIGHTS,
    collect_entries,
    drawn_factor,
    end_draw,
    gamma_start,
    listed_factor,
)
from engine.playout.policy import Gammas, Policy
from engine.playout.shapes import CODES, swap_colors
from knowledge.games import Games

# Distinct primes in place of gammas: a move's product then tells exactly which features it has.
_PRIMES = {
    "capture": 2,
    "extension": 3,
    "beside": 11,
    "diagonal": 13,
    "self_atari_bad": 29,
    "self_atari": 31,
}
# Features of one group never occur together, so they are updated together.
GROUPS = (
    ("capture",),
    ("extension",),
    ("beside", "diagonal"),
    ("self_atari_bad", "self_atari"),
)
NAMES = tuple(FACTORS.names or ())


class Competitions(NamedTuple):
    """All positions' candidates in a row: each one's shape class and product of primes."""

    shape: np.ndarray
    product: np.ndarray  # an index into `products`
    start: np.ndarray  # a position's first candidate; one more entry than positions
    winner: np.ndarray
    products: np.ndarray


@kernel
def _extract(a, g, settings, classes, colors, points, learn, size, shape, product, winner, start):
    """Write the candidates of one game's positions; returns how many positions and rows."""
    b = a[0]
    w = g[0]
    k = settings[0]
    f = k.factors
    clear(b, u64(size))
    last = U0
    rows = 0
    positions = 0
    for i in range(len(points)):
        c = u64(colors[i])
        played = u64(points[i])
        if played != U0 and not is_legal(b, played, c):
            return -1, i
        if learn[i] and played != U0 and not is_eye(b, played, c):
            gamma_start(w, b, k)
            collect_entries(w, b, f, last, c)
            start[positions] = rows
            for e in range(b.n_empty):
                v = u64(b.empties[e])
                if is_legal(b, v, c) and not is_eye(b, v, c):
                    factor = listed_factor(w, f, last, v) * drawn_factor(w, b, f, v, c)
                    shape[rows] = classes[c - U1, w.code[v]]
                    product[rows] = factor
                    if v == played:
                        winner[positions] = rows
                    rows += 1
            end_draw(w, b, k)
            positions += 1
        if played == U0:
            pass_move(b)
        else:
            place(b, played, c)
        last = played
    return positions, rows


def shape_classes() -> tuple[np.ndarray, int]:
    """The class of every code for each mover: equal under rotation, reflection and colours."""
    codes = np.arange(CODES)
    grid = np.stack([(codes >> (2 * i)) & 3 for i in range(8)])
    least = codes.copy()
    turn, mirror = (2, 4, 7, 1, 6, 0, 3, 5), (2, 1, 0, 4, 3, 7, 6, 5)
    order = list(range(8))
    for _ in range(2):
        for _ in range(4):
            order = [order[i] for i in turn]
            least = np.minimum(least, sum(grid[j] << (2 * i) for i, j in enumerate(order)))
        order = [order[i] for i in mirror]
    _, black = np.unique(least, return_inverse=True)
    return np.stack([black, black[swap_colors(codes)]]).astype(np.uint16), int(black.max()) + 1


def _prime_settings() -> np.ndarray:
    """Settings in which every shape weighs the same and every feature is its prime."""
    settings = Policy("gamma", Gammas.flat()).settings()
    for name, prime in _PRIMES.items():
        settings["factors"][name] = prime
    return settings


def competitions(games: Games) -> Competitions:
    """The competitions in those moves of even games that are to be learned from."""
    classes, _ = shape_classes()
    board, weights, settings = np.zeros(1, BOARD), np.zeros(1, WEIGHTS), _prime_settings()
    parts: list[tuple[np.ndarray, ...]] = []
    total = 0
    for record in games:
        n = len(record.points)
        room = n * record.size * record.size
        shape, product = np.empty(room, np.uint16), np.empty(room)
        winner, start = np.empty(n, np.int64), np.empty(n, np.int64)
        positions, rows = _extract(
            board, weights, settings, classes, record.colors, record.points, record.learn,
            record.size, shape, product, winner, start,
        )  # fmt: skip
        if positions > 0:
            parts.append(
                (
                    shape[:rows],
                    product[:rows],
                    start[:positions] + total,
                    winner[:positions] + total,
                )
            )
            total += rows
    shape, product, start, winner = (np.concatenate(column) for column in zip(*parts, strict=True))
    products, index = np.unique(product, return_inverse=True)
    return Competitions(shape, index.astype(np.uint16), np.append(start, total), winner, products)


def _exponents(products: np.ndarray) -> np.ndarray:
    """How often each feature is in each product, by the order of NAMES."""
    result = np.zeros((len(products), len(NAMES)), np.int64)
    for j, name in enumerate(NAMES):
        rest = products.astype(np.int64)
        while (divides := rest % _PRIMES[name] == 0).any():
            result[divides, j] += 1
            rest = np.where(divides, rest // _PRIMES[name], 1)
    return result


@kernel
def _pass(shape, product, start, winner, gamma, factor, by_shape, by_product):
    """One pass: add each candidate's C/E to its shape and to its product of other features.

    Returns the sum of the winners' log-probabilities.
    """
    log_evidence = 0.0
    for j in range(len(winner)):
        total = 0.0
        for i in range(start[j], start[j + 1]):
            total += gamma[shape[i]] * factor[product[i]]
        scale = 1.0 / total
        for i in range(start[j], start[j + 1]):
            by_shape[shape[i]] += factor[product[i]] * scale
            by_product[product[i]] += gamma[shape[i]] * scale
        log_evidence += np.log(gamma[shape[winner[j]]] * factor[product[winner[j]]] * scale)
    return log_evidence


def _updated(gamma: np.ndarray, wins: np.ndarray, losses: np.ndarray) -> np.ndarray:
    """The MM step with one virtual win and one virtual loss against a gamma of 1."""
    return (wins + 1.0) / (losses + 2.0 / (gamma + 1.0))


def fit(
    data: Competitions, rounds: int = 12, report: Callable[[str], None] = print
) -> tuple[Gammas, float]:
    """Learn the gammas; returns them with the mean log-evidence on the data."""
    classes, n_classes = shape_classes()
    exponents = _exponents(data.products)
    gamma, factors = np.ones(n_classes), np.ones(len(NAMES))
    shape_wins = np.bincount(data.shape[data.winner], minlength=n_classes)
    product_wins = np.bincount(data.product[data.winner], minlength=len(data.products))
    evidence = 0.0

    def run() -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        factor = np.prod(factors**exponents, axis=1)
        by_shape, by_product = np.zeros(n_classes), np.zeros(len(factor))
        total = _pass(
            data.shape, data.product, data.start, data.winner, gamma, factor, by_shape, by_product
        )
        return by_shape, by_product, factor, total / len(data.winner)

    for i in range(rounds):
        by_shape, _, _, evidence = run()
        gamma = _updated(gamma, shape_wins, by_shape)
        for group in GROUPS:
            _, by_product, factor, _ = run()
            for name in group:
                j = NAMES.index(name)
                has = exponents[:, j] > 0
                wins = float(product_wins[has].sum())
                losses = float((by_product * factor)[has].sum()) / factors[j]
                factors[j] = _updated(factors[j], np.array(wins), np.array(losses))
        report(f"round {i + 1}: mean log-evidence {evidence:.4f}")
    _, _, _, evidence = run()
    named = {name: float(value) for name, value in zip(NAMES, factors, strict=True)}
    return Gammas(gamma[classes[0]], named), evidence


def evaluate(data: Competitions, gammas: Gammas) -> tuple[float, float]:
    """The mean log-evidence and the share of positions whose move is the likeliest."""
    classes, n_classes = shape_classes()
    gamma = np.ones(n_classes)
    gamma[classes[0]] = gammas.shapes
    values = np.array([gammas.factors[name] for name in NAMES])
    factor = np.prod(values ** _exponents(data.products), axis=1)
    strength = gamma[data.shape] * factor[data.product]
    totals = np.add.reduceat(strength, data.start[:-1])
    best = np.maximum.reduceat(strength, data.start[:-1])
    won = strength[data.winner]
    return float(np.log(won / totals).mean()), float((won == best).mean())
