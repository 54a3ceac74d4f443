"""What travels to and from workers that extract training data; the blocks' bounds."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from knowledge import mm, spread_extraction
from knowledge.features import FeatureSet
from knowledge.games import Games
from knowledge.mm import Block, block_bounds, packed_block
from knowledge.spread_extraction import arrays_text, extract_by, text_arrays


def some_games(lengths: list[int]) -> Games:
    moves = [[(1 + i % 2, 30 + i) for i in range(length)] for length in lengths]
    return Games.from_moves(9, moves, komi=[6.5] * len(lengths))


def some_block(seed: int, features: FeatureSet) -> tuple[Block, np.ndarray]:
    """A block of made-up ids: dense and sparse columns of all types."""
    rng = np.random.default_rng(seed)
    ids = np.zeros((40, len(features)), np.uint32)
    for column, (first, end) in enumerate(
        zip(features.first_ids, features.first_ids[1:], strict=False)
    ):
        chosen = rng.random(40) < (0.9 if column % 2 else 0.1)
        ids[chosen, column] = rng.integers(first, end, chosen.sum())
    starts = np.array([0, 10, 25, 40])
    winners = np.array([3, 12, 39])
    return packed_block(ids, starts, winners, features.first_ids), ids[winners]


def same(one: Block, other: Block) -> bool:
    pairs = [(getattr(one, name), getattr(other, name)) for name in Block._fields[:4]]
    for ours, theirs in zip(one.columns, other.columns, strict=True):
        pairs += zip(ours, theirs, strict=True)
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


def test_arrays_survive_as_text() -> None:
    arrays = {"a": np.arange(5, dtype=np.uint16), "b c": np.zeros((2, 0)), "d": np.array([True])}
    found = text_arrays(arrays_text(arrays))
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)


def test_bounds_cover_all_games_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mm, "_BLOCK", 20)
    bounds = block_bounds(some_games([15, 15, 0, 50, 3, 3, 3]))
    assert bounds[0][0] == 0
    assert bounds[-1][1] == 7
    assert all(end == start for (_, end), (start, _) in pairwise(bounds))
    assert len(bounds) == 3
    assert block_bounds(some_games([])) == []


class Here:
    """Workers that do the items at once, the last one first, through the same texts."""

    count = 1

    def map(self, function: str, items: Any) -> Any:
        assert function == spread_extraction.FUNCTION
        for item in reversed(list(items)):
            yield item, spread_extraction.extract_item(item)


def test_blocks_come_back_in_order_with_their_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mm, "_BLOCK", 20)
    games = some_games([15, 15, 7, 50, 3])
    features = FeatureSet("light")
    seen = []

    def one_block(part: Games, found: FeatureSet, seed: int, before: int) -> Any:
        assert found.groups == features.groups
        seen.append((part.points.tolist(), part.komi.tolist(), seed, before))
        return some_block(before, features)

    monkeypatch.setattr(spread_extraction, "one_block", one_block)
    told: list[tuple[int, int]] = []
    data = extract_by(Here())(games, features, 1, lambda *done: told.append(done), 7)
    bounds = block_bounds(games)
    for (first, end), (points, komi, seed, before) in zip(bounds, seen[::-1], strict=True):
        part = games.select(np.arange(first, end))
        assert (points, komi) == (part.points.tolist(), part.komi.tolist())
        assert (seed, before) == (7, int(games.starts[first]))
    expected = [some_block(int(games.starts[first]), features) for first, _ in bounds]
    assert all(same(a, b) for a, (b, _) in zip(data.blocks, expected, strict=True))
    wins = sum(np.bincount(won.ravel(), minlength=features.n_ids) for _, won in expected)
    assert data.wins[0] == 0
    assert np.array_equal(data.wins[1:], wins[1:])
    assert told[-1] == (5, 5)
