"""Harvesting counts exactly, whatever the threads and however little memory there is."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.commands.main import main
from engine.geometry import BLACK, PASS, WHITE, point, row_and_column
from engine.position import Position
from knowledge import harvest as harvesting
from knowledge.dictionary import NO_PARENT, Dictionary
from knowledge.games import Games
from knowledge.harvest import harvest, played_patterns, sizes_by_phase
from knowledge.patterns import pattern_keys
from knowledge.records import read_games
from knowledge.templates import FAMILIES, LARGEST, MARKED, PLAIN, RESPONSE, WHOLE_BOARD
from tests.naive import patterns as naive
from tests.positions import grid_of

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"


@pytest.fixture(scope="module")
def games() -> Games:
    return read_games(GAMES)


def lessons(games: Games):
    """Each move to learn from: its number, the position before it, the mover, the last move."""
    for game in range(len(games)):
        record, last = games.game(game), PASS
        position = Position.from_stones(record.size, *record.setup)
        for i, (color, p) in enumerate(zip(record.colors, record.points, strict=True)):
            if record.learn[i] and p != PASS:
                yield int(games.starts[game]) + i, position, int(color), last, int(p)
            position.play(int(color), int(p), suicide=True)
            last = int(p)


def counted_by_hand(games: Games) -> Counter[tuple[int, int, int]]:
    """How often each key was played, by family and size."""
    result: Counter[tuple[int, int, int]] = Counter()
    for _, position, color, last, p in lessons(games):
        keys = pattern_keys(position, color, last, p)
        result.update((int(f), int(s), int(keys[f, s])) for f, s in np.argwhere(keys))
    return result


def content(dictionary: Dictionary) -> dict[tuple[int, int, int], int]:
    columns = (dictionary.family, dictionary.size, dictionary.keys, dictionary.counts)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {(family, size, key): count for family, size, key, count in rows}


def same(one: Dictionary, other: Dictionary) -> bool:
    arrays = one.to_arrays()
    return all(np.array_equal(arrays[name], array) for name, array in other.to_arrays().items())


def test_a_harvest_is_exact(games: Games) -> None:
    by_hand = counted_by_hand(games)
    for needed in (2, 10):
        expected = {name: count for name, count in by_hand.items() if count >= needed}
        assert content(harvest(games, needed)) == expected
        assert len(expected) > 500


def test_a_harvest_is_the_twins(games: Games) -> None:
    few = games.select(games.sizes == 9).first(4)
    counts: dict[str, Counter] = {name: Counter() for name in FAMILIES}
    for _, position, color, last, p in lessons(few):
        before = row_and_column(last) if last else None
        view = naive.View(grid_of(position), color)
        for family, name in enumerate(FAMILIES):
            for size in range(1, LARGEST[family] + 1):
                shape = naive.pattern(name, size, view, row_and_column(p), before)
                if shape is not None:
                    counts[name][size, shape] += 1
    dictionary = harvest(few, 3)
    for family, name in enumerate(FAMILIES):
        expected = sorted((size, n) for (size, _), n in counts[name].items() if n >= 3)
        ours = dictionary.family == family
        found = zip(dictionary.size[ours].tolist(), dictionary.counts[ours].tolist(), strict=True)
        assert sorted(found) == expected


def test_threads_chunks_and_memory_change_nothing(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = harvest(games, 4, threads=1)
    monkeypatch.setattr(harvesting, "_CHUNK", 3)
    assert same(harvest(games, 4, threads=3), expected)
    assert same(harvest(games, 4, key_bytes=1), expected)
    assert same(harvest(games, 4, key_bytes=3 * 8 * games.n_moves), expected)


def test_a_pattern_is_never_more_frequent_than_the_smaller_one(games: Games) -> None:
    dictionary = harvest(games, 3)
    child = dictionary.parent != NO_PARENT
    parent = dictionary.parent[child]
    assert (dictionary.counts[parent] >= dictionary.counts[child]).all()
    assert (dictionary.size[~child & (dictionary.family != MARKED)] == 1).all()
    assert (dictionary.size[~child & (dictionary.family == MARKED)] > 1).any()


def test_parents_are_the_smaller_patterns_of_the_same_moves(games: Games) -> None:
    dictionary = harvest(games, 3)
    moves, ids = played_patterns(games, dictionary)
    rows = {int(move): row for row, move in enumerate(moves)}
    for move, position, color, last, p in lessons(games):
        if move % 7:
            continue
        keys = pattern_keys(position, color, last, p)
        for family in range(len(FAMILIES)):
            known = []
            for key in keys[family][keys[family] > 0]:
                found = int(dictionary.ids(np.array([key]))[0])
                if not found:
                    break
                known.append(found - 1)
            largest = int(ids[rows[move], family])
            nested = dictionary.nested(largest - 1) if largest else []
            assert nested == known[::-1]


def test_each_family_may_have_its_own_count_and_largest_size(games: Games) -> None:
    everything = content(harvest(games, 2))
    needed, largest = (5, 3, 2, 9), (14, 4, 0, 6)
    expected = {
        (family, size, key): count
        for (family, size, key), count in everything.items()
        if count >= needed[family] and size <= largest[family]
    }
    assert content(harvest(games, needed, largest)) == expected


@pytest.mark.parametrize(
    ("needed", "largest"), [(0, LARGEST), ((1, 2, 3), LARGEST), (1, (14, 7, 6))]
)
def test_a_senseless_harvest_is_refused(games: Games, needed, largest) -> None:
    with pytest.raises(ValueError, match="for each family"):
        harvest(games, needed, largest)


def test_nothing_comes_of_nothing(games: Games) -> None:
    assert len(harvest(Games.from_moves(9, []))) == 0
    assert len(harvest(Games.from_moves(9, [[(BLACK, PASS)]]), 1)) == 0
    assert len(harvest(games, 1, (0, 0, 0, 0))) == 0


def test_only_moves_to_learn_from_are_harvested(games: Games) -> None:
    chosen = games.learn & (games.colors == WHITE)
    whites = replace(games, learn=chosen)
    assert content(harvest(whites, 1)) == dict(counted_by_hand(whites))
    moves, _ = played_patterns(whites, harvest(whites, 5))
    assert (moves == np.flatnonzero(chosen & (games.points != PASS))).all()


def test_setup_passes_and_suicide_are_replayed() -> None:
    corner = [(BLACK, point(0, 1)), (BLACK, point(1, 1)), (BLACK, point(2, 0))]
    moves = [
        (WHITE, point(0, 0)),
        (BLACK, PASS),
        (WHITE, point(1, 0)),  # takes both white stones off
        (BLACK, point(1, 0)),  # where the last move was
        (WHITE, point(5, 5)),
    ]
    games = Games.from_moves(9, [moves], [corner])
    assert content(harvest(games, 1)) == dict(counted_by_hand(games))
    assert harvest(games, 1).table()[RESPONSE, 1] == 1


def test_progress_is_told(games: Games) -> None:
    told: list[tuple[int, int]] = []
    harvest(games, tell=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (len(games), len(games))
    assert len(told) >= len(FAMILIES)


def test_phases(games: Games) -> None:
    dictionary = harvest(games, 5)
    moves, ids = played_patterns(games, dictionary)
    sizes = dictionary.sizes_of(ids[:, PLAIN])
    table = sizes_by_phase(games, moves, sizes)
    assert table.sum() == len(moves)
    first = (moves - games.starts[games.owner[moves]]) < 30
    assert (table[0] == np.bincount(sizes[first], minlength=WHOLE_BOARD + 1)).all()
    late = (moves - games.starts[games.owner[moves]]) >= 330
    assert table[11].sum() == late.sum()


# --- The subcommand -----------------------------------------------------------------------


def test_the_program_prints_the_same_figures(games: Games, capsys: pytest.CaptureFixture) -> None:
    words = ["patterns", str(GAMES), "--min-count", "5", "--size", "19"]
    assert main([*words, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    large = games.select(games.sizes == 19)
    table = harvest(large, 5).table()
    assert figures["games"] == len(large)
    assert figures["min_count"] == 5
    for family, name in enumerate(FAMILIES):
        assert figures["patterns"][name] == table[family, 1:].tolist()
    assert np.sum(figures["phases"]) == figures["moves"] == np.sum(large.points != PASS)
    assert main(words) == 0
    text = capsys.readouterr().out
    total = sum(figures["patterns"]["plain"])
    assert f" all          {total:9,}" in text
    assert "\n1-30 " in text


def test_the_program_names_what_it_cannot_read(tmp_path: Path, capsys) -> None:
    assert main(["patterns", str(tmp_path / "none.sgf")]) == 2
    assert main(["patterns", str(GAMES), "--size", "25"]) == 2
    error = capsys.readouterr().err
    assert "none.sgf" in error
    assert "no games that pass the filters" in error
