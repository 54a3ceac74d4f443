"""Training data from many machines: the blocks of `mm.extract`, one work item each.

A block is the same wherever it is made: it has the same games, and the playouts of its moves start
from their numbers among all moves. Arrays travel as the text of an .npz archive.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.cluster import Workers
from knowledge.dictionary import Dictionary
from knowledge.features import FeatureSet
from knowledge.games import Games
from knowledge.mm import Block, Column, Competitions, Extractor, Tell, block_bounds, one_block

FUNCTION = "knowledge.spread_extraction:extract_item"
_GAMES = ("sizes", "komi", "starts", "colors", "points", "learn", "setup_starts", "setup_colors",
          "setup_points")  # fmt: skip
_BLOCK = ("starts", "winners", "strength", "total")


# --- Arrays as text -----------------------------------------------------------------------


def arrays_text(arrays: Mapping[str, np.ndarray]) -> str:
    """Arrays by name as a text."""
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return base64.b64encode(file.getvalue()).decode("ascii")


def text_arrays(text: str) -> dict[str, np.ndarray]:
    """The arrays of a text."""
    with np.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _packed(block: Block, won: np.ndarray) -> str:
    arrays = {name: getattr(block, name) for name in _BLOCK} | {"won": won}
    for i, column in enumerate(block.columns):
        arrays |= {f"{i} {name}": array for name, array in column._asdict().items()}
    return arrays_text(arrays)


def _unpacked(text: str) -> tuple[Block, np.ndarray]:
    arrays = text_arrays(text)
    won = arrays.pop("won")
    own = {name: arrays.pop(name) for name in _BLOCK}
    count = len(arrays) // len(Column._fields)
    columns = (Column(*(arrays[f"{i} {name}"] for name in Column._fields)) for i in range(count))
    return Block(**own, columns=tuple(columns)), won


# --- The work -----------------------------------------------------------------------------

_last_set: tuple[Any, FeatureSet] | None = None


def _feature_set(item: Mapping[str, Any]) -> FeatureSet:
    """The set of an item; the next item mostly wants the same."""
    global _last_set
    wanted = (item["groups"], item["dictionary"])
    if _last_set is None or _last_set[0] != wanted:
        text = item["dictionary"]
        dictionary = Dictionary.from_arrays(text_arrays(text)) if text else None
        _last_set = (wanted, FeatureSet(item["groups"], dictionary))
    return _last_set[1]


def extract_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """A block from the games of an item."""
    arrays = text_arrays(item["games"])
    n = len(arrays["sizes"])
    unknown = Games.from_moves(19, [()] * n)
    games = Games(**{**unknown.__dict__, **arrays})
    block, won = one_block(games, _feature_set(item), item["seed"], item["before"])
    return {"block": _packed(block, won)}


def extract_by(workers: Workers) -> Extractor:
    """An `extract` that lets workers do it; threads are theirs to choose."""

    def extract(
        games: Games, feature_set: FeatureSet, threads: int, tell: Tell | None, seed: int
    ) -> Competitions:
        bounds = block_bounds(games)
        dictionary = feature_set.dictionary
        known = None if dictionary is None else arrays_text(dictionary.to_arrays())

        def items() -> Iterator[dict[str, Any]]:
            for number, (first, end) in enumerate(bounds):
                part = games.select(np.arange(first, end))
                arrays = {name: getattr(part, name) for name in _GAMES}
                yield {
                    "number": number, "games": arrays_text(arrays), "seed": seed,
                    "groups": list(feature_set.groups), "dictionary": known,
                    "before": int(games.starts[first]),
                }  # fmt: skip

        found: dict[int, tuple[Block, np.ndarray]] = {}
        for item, result in workers.map(FUNCTION, items()):
            found[item["number"]] = _unpacked(result["block"])
            if tell is not None:
                tell(sum(end - first for first, end in (bounds[i] for i in found)), len(games))
        return Competitions.joined([found[i] for i in range(len(bounds))], feature_set)

    return extract
