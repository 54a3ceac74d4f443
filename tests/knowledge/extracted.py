"""Features by the engine's kernels, in the words of their slow twins."""

from __future__ import annotations

from engine.geometry import PASS, point
from engine.position import Position
from knowledge.features import Extractor, FeatureSet, History
from tests.knowledge.scenes import place_of, position_of
from tests.naive.scene import Place, Scene

Numbers = dict[Place | None, dict[str, int]]


def position_in(scene: Scene) -> Position:
    """The engine's position, with what the last move took off."""
    position = position_of(scene.grid, scene.ko)
    position.record["n_removed"] = scene.captured
    return position


def history_in(scene: Scene) -> History:
    moves = tuple(PASS if place is None else point(*place) for place in scene.moves[:4])
    return History(moves, len(scene.moves), scene.moves[:1] == (None,))


def numbers(extractor: Extractor, scene: Scene) -> Numbers:
    """For every legal move, None for the pass, the numbers of its values by group."""
    points, ids = extractor.extract_at(position_in(scene), scene.color, history_in(scene))
    features: FeatureSet = extractor.set
    return {
        place_of(int(p)): {
            name: int(i) - int(first)
            for name, first, i in zip(features.groups, features.first_ids, row, strict=False)
            if i
        }
        for p, row in zip(points, ids, strict=True)
    }
