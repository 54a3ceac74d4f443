"""MM: its competitions are the extractor's, its updates the twin's, and it finds what is there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from engine.geometry import BLACK, PASS, WHITE, point
from engine.position import Position
from knowledge import mm
from knowledge.features import Extractor, FeatureSet, History
from knowledge.games import Games
from knowledge.groups import SETS
from knowledge.harvest import harvest
from knowledge.records import read_games
from tests.naive import mm as naive

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
PLAIN = tuple(name for name in SETS["mm"] if name != "owner")


@pytest.fixture(scope="module")
def games() -> Games:
    """Small boards, two games with handicap stones among them."""
    games = read_games(GAMES)
    return games.select(games.sizes <= 9)


@pytest.fixture(scope="module")
def features(games: Games) -> FeatureSet:
    return FeatureSet(PLAIN, harvest(games, 8, largest=(9, 0, 0, 0)))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mm, "_BLOCK", 150)


def unpacked(data: mm.Competitions) -> list[tuple[np.ndarray, int]]:
    """The rows of ids of every position, and which one won."""
    result = []
    for block in data.blocks:
        starts = block.starts.astype(np.int64)
        ids = np.zeros((starts[-1], len(block.columns)), np.uint32)
        for k, (values, offsets, firsts) in enumerate(block.columns):
            rows = np.arange(starts[-1])
            if len(firsts):
                rows = np.repeat(starts[:-1], np.diff(firsts.astype(np.int64))) + offsets
            ids[rows, k] = np.where(values, values + data.first_ids[k] - 1, 0)
        for j, winner in enumerate(block.winners.astype(np.int64)):
            result.append((ids[starts[j] : starts[j + 1]], int(winner - starts[j])))
    return result


def extracted_one_by_one(games: Games, features: FeatureSet):
    """The same from the extractor's Python face."""
    extractor = Extractor(features)
    for record in games:
        position, moves = Position.from_stones(record.size, *record.setup), []
        for i, (color, p) in enumerate(
            zip(record.colors.tolist(), record.points.tolist(), strict=True)
        ):
            if record.learn[i]:
                latest = tuple(moves[::-1][:4])
                history = History(latest, len(moves), moves[-1:] == [PASS])
                points, ids = extractor.extract_at(position, color, history)
                yield ids, points.tolist().index(p)
            position.play(color, p)
            moves.append(p)


def as_teams(data: mm.Competitions) -> list[naive.Competition]:
    return [
        naive.Competition([frozenset(row[row > 0].tolist()) for row in ids], winner)
        for ids, winner in unpacked(data)
    ]


def as_groups(data: mm.Competitions) -> list[range]:
    return [range(first, end) for first, end in pairwise(data.first_ids.tolist())]


def made_up(
    gammas: np.ndarray, first_ids: np.ndarray, positions: int, moves: int, seed: int
) -> mm.Competitions:
    """Competitions of random teams, won as the gammas say, in blocks of up to 1,000 positions."""
    rng = np.random.default_rng(seed)
    blocks, wins = [], np.zeros(len(gammas), np.int64)
    for first in range(0, positions, 1000):
        n = min(1000, positions - first)
        columns = []
        for k, count in enumerate(np.diff(first_ids)):
            # The first group is there for few moves, so that it becomes a sparse column.
            value = rng.integers(0, count * (9 if k == 0 else 1) + 1, size=(n, moves))
            columns.append(np.where((value > 0) & (value <= count), value + first_ids[k] - 1, 0))
        ids = np.stack(columns, axis=2).astype(np.uint32)
        strength = gammas[ids].prod(axis=2)
        chance = strength.cumsum(axis=1) / strength.sum(axis=1, keepdims=True)
        winner = (chance > rng.random((n, 1))).argmax(axis=1)
        wins += np.bincount(ids[np.arange(n), winner].ravel(), minlength=len(gammas))
        starts = np.arange(0, n * moves + 1, moves)
        rows = ids.reshape(n * moves, -1)
        blocks.append(mm.packed_block(rows, starts, starts[:-1] + winner, first_ids))
    wins[0] = 0
    return mm.Competitions(blocks, wins, first_ids)


FIRST_IDS = np.array([1, 4, 9, 9, 15])  # of groups of 3, 5, 0 and 6 values
TRUE = np.exp(np.random.default_rng(1).normal(0.0, 1.2, 15))
TRUE[0] = 1.0


# --- Competitions -----------------------------------------------------------------------------


def test_competitions_are_the_extractors(games: Games, features: FeatureSet) -> None:
    rng = np.random.default_rng(2)
    some = games.learning(rng.random(games.n_moves) < 0.6)
    data = mm.extract(some, features)
    ours, expected = unpacked(data), list(extracted_one_by_one(some, features))
    assert len(ours) == len(expected) == data.positions == some.learn.sum() > 500
    wins = np.zeros(features.n_ids, np.int64)
    for (ids, winner), (true_ids, true_winner) in zip(ours, expected, strict=True):
        assert np.array_equal(ids, true_ids)
        assert winner == true_winner
        np.add.at(wins, ids[winner][ids[winner] > 0], 1)
    assert np.array_equal(data.wins, wins)
    assert len(data.blocks) > 3
    kinds = {len(column.firsts) > 0 for block in data.blocks for column in block.columns}
    assert kinds == {False, True}


@pytest.mark.parametrize(
    ("count", "dtype"), [(255, np.uint8), (256, np.uint16), (1 << 16, np.uint32)]
)
def test_values_take_as_little_room_as_they_can(count: int, dtype: type) -> None:
    first_ids = np.array([1, 1 + count])
    ids = np.array([[0], [1], [count], [count - 1]], np.uint32)
    starts = np.array([0, 2, 4])
    block = mm.packed_block(ids, starts, np.array([1, 2]), first_ids)
    assert block.columns[0].values.dtype == dtype
    data = mm.Competitions([block], np.zeros(1 + count, np.int64), first_ids)
    assert np.array_equal(np.concatenate([rows for rows, _ in unpacked(data)]), ids)


def test_a_suicide_is_no_competition(features: FeatureSet) -> None:
    moves = [(WHITE, point(0, 1)), (WHITE, point(1, 0)), (BLACK, point(0, 0)), (BLACK, PASS)]
    data = mm.extract(Games.from_moves(5, [moves]), features)
    assert [len(ids) for ids, _ in unpacked(data)] == [26, 25, 23]
    assert unpacked(data)[-1][1] == 22  # the pass, after all empty points but the suicide


def test_owners_do_not_depend_on_threads_or_on_the_choice_of_moves(games: Games) -> None:
    features = FeatureSet(["owner", "border"])
    few = games.first(3)
    data = mm.extract(few, features, threads=2, seed=5)
    alone = mm.extract(few, features, threads=1, seed=5)
    pairs = list(zip(unpacked(data), unpacked(alone), strict=True))
    assert all(np.array_equal(ids, others) for (ids, _), (others, _) in pairs)
    half = mm.extract(few.learning(np.arange(few.n_moves) % 2 == 1), features, seed=5)
    odd = unpacked(data)[1::2]
    assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(odd, unpacked(half), strict=True))
    other = unpacked(mm.extract(few, features, seed=6))
    whole = unpacked(data)
    assert any(not np.array_equal(a, b) for (a, _), (b, _) in zip(other, whole, strict=True))
    owned = np.concatenate([ids[:-1, 0] for ids, _ in unpacked(data)])
    assert set(owned.tolist()) == set(range(1, 9))


# --- Updates ----------------------------------------------------------------------------------


def test_the_gammas_are_the_twins(games: Games, features: FeatureSet) -> None:
    few = games.select(games.sizes <= 7).first(6)
    data = mm.extract(few.learning(np.arange(few.n_moves) % 3 == 0), features)
    result = mm.learn(data, rounds=2)
    teams = as_teams(data)
    expected = naive.fitted(teams, as_groups(data), rounds=2)
    for i, gamma in expected.items():
        assert result.log_gammas[i] == pytest.approx(np.log(gamma), abs=1e-9)
    assert result.positions == len(teams) > 20
    assert result.history[-1] == pytest.approx(naive.log_evidence(teams, expected) / len(teams))
    assert result.log_gammas[0] == 0.0
    assert np.abs(result.log_gammas).max() > 1


def test_made_up_gammas_are_the_twins() -> None:
    data = made_up(TRUE, FIRST_IDS, positions=60, moves=7, seed=3)
    result = mm.learn(data, rounds=3)
    expected = naive.fitted(as_teams(data), as_groups(data), rounds=3)
    ours = {i: np.exp(result.log_gammas[i]) for i in expected}
    assert ours == pytest.approx(expected, rel=1e-9)


def test_no_update_lowers_the_posterior(games: Games, features: FeatureSet) -> None:
    learner = mm.Learner(mm.extract(games, features))
    value = learner.log_posterior()
    for _ in range(6):
        for column in range(len(features)):
            learner.update(column)
            before, value = value, learner.log_posterior()
            assert value >= before - 1e-9 * abs(before)
    assert value > mm.Learner(learner.data).log_posterior() + 100


def test_kept_strengths_are_the_products_of_gammas() -> None:
    data = made_up(TRUE, FIRST_IDS, positions=300, moves=9, seed=4)
    learner = mm.Learner(data)
    for column in (0, 1, 3, 0, 1, 3):
        learner.update(column)
    ids = np.concatenate([rows for rows, _ in unpacked(data)])
    expected = learner.gammas[ids].prod(axis=1)
    block = data.blocks[0]
    assert np.allclose(block.strength, expected, rtol=1e-12)
    assert np.allclose(block.total, expected.reshape(300, 9).sum(axis=1), rtol=1e-12)
    assert learner.gammas[0] == 1.0


def test_the_slope_vanishes_where_updates_lead() -> None:
    data = made_up(TRUE, FIRST_IDS, positions=80, moves=6, seed=5)
    teams = as_teams(data)
    result = mm.learn(data, rounds=600)

    def slope(log_gammas: np.ndarray, i: int, step: float = 1e-4) -> float:
        sides = []
        for change in (step, -step):
            moved = log_gammas.copy()
            moved[i] += change
            gammas = {k: float(np.exp(moved[k])) for k in range(1, len(moved))}
            sides.append(naive.log_posterior(teams, gammas))
        return (sides[0] - sides[1]) / (2 * step)

    assert all(abs(slope(result.log_gammas, i)) < 1e-5 for i in range(1, len(TRUE)))
    assert any(abs(slope(np.zeros(len(TRUE)), i)) > 1 for i in range(1, len(TRUE)))


def test_what_made_the_data_is_found() -> None:
    data = made_up(TRUE, FIRST_IDS, positions=30_000, moves=10, seed=6)
    result = mm.learn(data, rounds=200)
    assert np.abs(result.log_gammas - np.log(TRUE)).max() < 0.08


def test_what_never_occurs_stays_at_one(games: Games, features: FeatureSet) -> None:
    one = games.first(1)
    data = mm.extract(one, features)
    result = mm.learn(data, rounds=3)
    seen = {i for ids, _ in unpacked(data) for i in ids.ravel().tolist()}
    unseen = sorted(set(range(features.n_ids)) - seen)
    assert len(unseen) > 10
    assert not result.log_gammas[unseen].any()


# --- Learning ---------------------------------------------------------------------------------


def test_threads_change_nothing(games: Games, features: FeatureSet) -> None:
    results = [mm.fit(games, features, rounds=3, threads=n, valid=games) for n in (1, 2, 3)]
    for other in results[1:]:
        assert np.array_equal(other.log_gammas, results[0].log_gammas)
        assert other.history == results[0].history
        assert other.valid_history == results[0].valid_history
    assert results[0].valid_history == pytest.approx(results[0].history)


def test_going_on_is_as_never_having_stopped(games: Games, features: FeatureSet) -> None:
    kept: list[mm.MMResult] = []
    whole = mm.fit(games, features, rounds=5, keep=kept.append)
    assert [len(result.history) for result in kept] == [1, 2, 3, 4, 5]
    for start in (kept[1], kept[4]):
        again = mm.fit(games, features, rounds=5, start=start)
        assert np.array_equal(again.log_gammas, whole.log_gammas)
        assert again.history == whole.history


def test_progress_is_told(games: Games, features: FeatureSet) -> None:
    told: list[tuple[int, int]] = []
    notes: list[tuple[int, int, str]] = []
    result = mm.fit(
        games, features, rounds=2, valid=games.first(2),
        progress=lambda *note: notes.append(note), tell=lambda *done: told.append(done),
    )  # fmt: skip
    assert (len(games), len(games)) in told
    assert [note[:2] for note in notes] == [(1, 2), (2, 2)]
    expected = f"log-evidence {result.history[1]:.4f}, validation {result.valid_history[1]:.4f}"
    assert notes[1][2] == expected


def test_what_does_not_fit_into_memory_is_sampled(
    games: Games, features: FeatureSet, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = mm.extract(games, features)
    limit = whole.nbytes // 2
    share = mm.share_that_fits(games, features, limit, threads=1)
    assert 0.35 < share < 0.55
    assert mm.share_that_fits(games, features, 2 * whole.nbytes, threads=1) == 1.0
    results = [mm.fit(games, features, rounds=1, memory=limit, seed=n) for n in (1, 1, 2)]
    assert 0.3 < results[0].positions / whole.positions < 0.6
    assert np.array_equal(results[0].log_gammas, results[1].log_gammas)
    assert not np.array_equal(results[0].log_gammas, results[2].log_gammas)
    lines = capsys.readouterr().err.splitlines()
    line = f"MM learns from {share:.1%} of the positions: more would need too much memory"
    assert lines == [line] * 3


def test_nothing_to_learn_from_is_said(games: Games, features: FeatureSet) -> None:
    with pytest.raises(ValueError, match="no moves to learn from"):
        mm.fit(games.learning(np.zeros(games.n_moves, np.bool_)), features)
    with pytest.raises(ValueError, match="no moves to learn from"):
        mm.fit(games.first(0), features)


@pytest.mark.slow
def test_the_papers_games(shared_data: Path) -> None:
    train, test = (read_games(shared_data / f"kgs-2006-0{i}.sgf.xz") for i in (1, 2))
    features = FeatureSet(PLAIN, harvest(train, 4, largest=(9, 0, 0, 0)))
    result = mm.fit(train, features, rounds=20, valid=test)
    assert result.positions == 131_939
    assert result.valid_history[-1] > -2.75
