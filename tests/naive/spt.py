"""Spatial probability trees that anybody can check by reading: the twin of `knowledge/spt*.py`.

Answers come from counting points and from playing moves on a copy, the view from walking over the
board step by step, a split's worth from the definition of the likelihood, and a density from
dictionaries of places.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tests.naive.board import after_move, chain_and_liberties
from tests.naive.scene import Place, Scene

WINDOWS = (1, 3, 5, 7, 9, 11, 15)
Step = tuple[int, int]  # rows and columns of the board


def _inside(scene: Scene, place: Place) -> bool:
    return all(0 <= x < scene.size for x in place)


def _count(scene: Scene, place: Place, n: int, what: str) -> int:
    """How many points of a kind are in the window of a size around a place."""
    half = n // 2
    if what == "off":
        return n * n - sum(_count(scene, place, n, other) for other in ("own", "enemy", "empty"))
    low, left = max(place[0] - half, 0), max(place[1] - half, 0)
    window = scene.grid[low : place[0] + half + 1, left : place[1] + half + 1]
    stone = {"own": scene.color, "enemy": 3 - scene.color, "empty": 0}[what]
    return int((window == stone).sum())


def _liberties(grid: np.ndarray, place: Place) -> int:
    """Of the chain at a place, 0 if nothing stands there."""
    return int(chain_and_liberties(grid, *place)[1].sum()) if grid[place] else 0


def _effect(scene: Scene, place: Place, color: int) -> tuple[int, int]:
    """Liberties after a move and stones taken by it; at a stone its own and none."""
    if scene.grid[place]:
        return min(_liberties(scene.grid, place), 8), 0
    after, captured, _ = after_move(scene.grid, *place, color)
    return min(_liberties(after, place), 8), min(captured, 20)


def _distance(place: Place, move: Place | None) -> int:
    return 25 if move is None else max(abs(place[0] - move[0]), abs(place[1] - move[1]))


# --- The view -----------------------------------------------------------------------------


def directions(scene: Scene, place: Place) -> tuple[Step, Step]:
    """Which step over the board is "ahead" and which "right", as seen from a place."""
    last = scene.move(1) or place
    steps = []
    for axis in (0, 1):
        away = last[axis] - place[axis]
        low, high = place[axis], scene.size - 1 - place[axis]
        towards = 1 if away > 0 or (away == 0 and high <= low) else -1
        step = (towards, 0) if axis == 0 else (0, towards)
        steps.append((-abs(away), min(low, high), axis, step))
    # The farther axis is ahead, then the one with the nearer edge, then that of the rows.
    first, second = sorted(steps)
    return first[3], second[3]


def seen_at(place: Place, view: tuple[Step, Step], ahead: int, right: int) -> Place:
    """The place that lies so far ahead and to the right."""
    (ay, ax), (ry, rx) = view
    return place[0] + ahead * ay + right * ry, place[1] + ahead * ax + right * rx


def seen_from(place: Place, view: tuple[Step, Step], other: Place) -> tuple[int, int]:
    """How far ahead and to the right a place lies."""
    dy, dx = other[0] - place[0], other[1] - place[1]
    (ay, ax), (ry, rx) = view
    return dy * ay + dx * ax, dy * ry + dx * rx


def _shown(scene: Scene, place: Place) -> int:
    """From 0 to 7: own stones by liberties 1, 2, 3, empty, enemy's by 3, 2, 1, off the board."""
    if not _inside(scene, place):
        return 7
    if scene.grid[place] == 0:
        return 3
    n = min(_liberties(scene.grid, place), 3)
    return n - 1 if scene.grid[place] == scene.color else 7 - n


def _view_answers(scene: Scene, place: Place) -> dict[str, int]:
    view = directions(scene, place)
    result = {}
    span = range(-3, 4)
    for step in ((a, r) for a in span for r in span):
        away = abs(step[0]) + abs(step[1]) + max(abs(step[0]), abs(step[1]))
        if 0 < away <= 6:
            name = f"point {step} of the view"
            result[name] = _shown(scene, seen_at(place, view, *step))
    for step in ((2, 0), (-2, 0), (0, 2), (0, -2)):
        middle = seen_at(place, view, *step)
        for what in ("own", "enemy"):
            name = f"{what} stones in 3x3 at {step} of the view"
            result[name] = _count(scene, middle, 3, what) if _inside(scene, middle) else 9
    last, before = scene.move(1), scene.move(2)
    result["how far to the right move 1 back is"] = (
        25 if last is None else seen_from(place, view, last)[1]
    )
    ahead, right = (25, 25) if before is None else seen_from(place, view, before)
    result["how far ahead move 2 back is"] = ahead + 25
    result["how far to the right move 2 back is"] = right + 25
    return result


# --- Answers ------------------------------------------------------------------------------


def answers(scene: Scene, place: Place, turned: bool) -> dict[str, int]:
    """The answers to all questions about a place, by their names."""
    result = {}
    for n in WINDOWS:
        result[f"own stones in {n}x{n}"] = _count(scene, place, n, "own")
        result[f"enemy stones in {n}x{n}"] = _count(scene, place, n, "enemy")
        result[f"empty points in {n}x{n}"] = _count(scene, place, n, "empty")
        result[f"points off the board in {n}x{n}"] = _count(scene, place, n, "off")
    for who, color in (("mover", scene.color), ("enemy", 3 - scene.color)):
        liberties, taken = _effect(scene, place, color)
        result[f"liberties if the {who} plays here"] = liberties
        result[f"stones the {who} would take here"] = taken
    for i in range(1, 5):
        result[f"distance to move {i} back"] = _distance(place, scene.move(i))
    return result | (_view_answers(scene, place) if turned else {})


# --- Trees --------------------------------------------------------------------------------


def log_likelihood(labels: Sequence[int]) -> float:
    """Of labels under the density that they themselves give."""
    counts = Counter(labels)
    return sum(math.log(counts[label] / len(labels)) for label in labels)


def best_split(
    rows: Sequence[Sequence[int]], labels: Sequence[int], least: int
) -> tuple[float, list[tuple[int, int]]]:
    """The highest log-likelihood ratio of all questions, and the questions that have it."""
    null = log_likelihood(labels)
    best, found = 0.0, []
    for column in range(len(rows[0])):
        for threshold in sorted({row[column] for row in rows}):
            yes = [k for row, k in zip(rows, labels, strict=True) if row[column] <= threshold]
            no = [k for row, k in zip(rows, labels, strict=True) if row[column] > threshold]
            if min(len(yes), len(no)) < least:
                continue
            gain = log_likelihood(yes) + log_likelihood(no) - null
            if gain > best + 1e-7:
                best, found = gain, []
            if gain > best - 1e-7:
                found.append((column, threshold))
    return best, found


class NaiveTree:
    """A tree as nested nodes, read from flat arrays."""

    def __init__(self, column, threshold, child, densities, names, leaf: int) -> None:
        self._nodes = list(zip(column.tolist(), threshold.tolist(), child.tolist(), strict=True))
        self._densities, self._names, self._leaf = densities, names, leaf

    def leaf_density(self, found: dict[str, int]) -> np.ndarray:
        """The density to which a place's answers lead."""
        column, threshold, child = self._nodes[0]
        while column != self._leaf:
            says_yes = found[self._names[column]] <= threshold
            column, threshold, child = self._nodes[child if says_yes else child + 1]
        return self._densities[child]


def density(
    scene: Scene, trees: Sequence[NaiveTree], leaf_size: int, turned: bool, passing: float
) -> dict[Place | None, float]:
    """The density of all legal moves, and of the pass as None."""
    legal = scene.legal_places()
    if not legal:
        return {None: 1.0}
    result: dict[Place | None, float] = dict.fromkeys(legal, 0.0)
    places = list(np.ndindex(scene.size, scene.size))
    found = {place: answers(scene, place, turned) for place in places}
    for tree in trees:
        total: Counter[Place] = Counter()
        for place in places:
            view = directions(scene, place) if turned else ((1, 0), (0, 1))
            window = tree.leaf_density(found[place]).reshape(leaf_size, leaf_size)
            for (row, column), value in np.ndenumerate(window):
                half = leaf_size // 2
                total[seen_at(place, view, row - half, column - half)] += float(value)
        over_legal = sum(total[place] for place in legal)
        for place in legal:
            result[place] += (1 - passing) * total[place] / over_legal / len(trees)
    result[None] = passing
    return result
