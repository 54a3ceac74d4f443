"""Spatial probability trees: against their twin, by brute force, turned, saved and damaged."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.game import Game
from engine.geometry import BLACK, PASS, WHITE, point, row_and_column
from knowledge.features import History
from knowledge.games import Games
from knowledge.progress import Progress
from knowledge.records import read_games
from knowledge.spt import (
    PAPER,
    SptModel,
    SptSettings,
    _chosen,
    _pass_chance,
    calibrate,
    fit,
    leaf_densities,
)
from knowledge.spt_observations import observe
from knowledge.spt_questions import COLUMNS, LARGEST, NAMES, PLAIN_COLUMNS, answers_at
from knowledge.spt_tree import LEAF, Tree, grow
from tests.knowledge.scenes import (
    game_scenes,
    position_of,
    random_scenes,
    swapped,
    turned,
    turned_scene,
)
from tests.naive import spt as naive
from tests.naive.scene import Place, Scene
from weights.files import BadWeights, load_weights, save_weights

GAMES = Path(__file__).resolve().parents[1] / "data" / "gnugo.sgf"
SMALL = SptSettings(depth=8, min_node=5, samples=60, trees=2, positions=150)


@cache
def small_games() -> Games:
    games = read_games(GAMES, progress=False)
    return games.select((games.sizes <= 9) & (np.diff(games.setup_starts) == 0))


@cache
def model_of(leaf_size: int = 3, turned: bool = True) -> SptModel:
    return fit(small_games(), replace(SMALL, leaf_size=leaf_size, turned=turned))


def history_of(scene: Scene) -> History:
    moves = [PASS if place is None else point(*place) for place in scene.moves]
    return History(tuple(moves[:4]), len(moves), moves[:1] == [PASS])


def answers_of(scene: Scene, turned: bool) -> np.ndarray:
    position = position_of(scene.grid, scene.ko)
    return answers_at(position, scene.color, history_of(scene), turned)


# --- Questions ----------------------------------------------------------------------------


def check_answers(scenes: Iterable[Scene], every: int = 1) -> None:
    """Compare the answers, on large boards only for one in so many points."""
    for scene in scenes:
        found, plain = answers_of(scene, True), answers_of(scene, False)
        assert (found[:, :PLAIN_COLUMNS] == plain).all()
        places = list(enumerate(np.ndindex(scene.size, scene.size)))
        for i, place in places[::every]:
            expected = naive.answers(scene, place, True)
            assert dict(zip(NAMES, found[i].tolist(), strict=True)) == expected, place


def test_answers_are_those_of_the_twin() -> None:
    check_answers(random_scenes(seed=1, count=50, sizes=(2, 3, 5, 6, 9)))
    check_answers(random_scenes(seed=2, count=4, sizes=(13, 19)), every=5)
    check_answers(random_scenes(seed=3, count=1, sizes=(25,)), every=5)


def test_answers_in_real_games_are_those_of_the_twin(shared_data) -> None:
    check_answers(game_scenes(shared_data / "dan9-valid.sgf.xz", games=4, every=12))
    check_answers(game_scenes(shared_data / "pro19-valid.sgf.xz", games=2, every=60), every=5)


def test_no_answer_is_larger_than_the_largest() -> None:
    reached = np.zeros(COLUMNS, np.uint8)
    for scene in [Scene.start(19), *random_scenes(seed=3, count=30, sizes=(5, 9, 25))]:
        reached = np.maximum(reached, answers_of(scene, True).max(axis=0))
    assert (reached <= LARGEST).all()
    assert (reached >= 1).sum() == COLUMNS - 1  # no point of the board is off the board


def has_choice(scene: Scene, place: Place) -> bool:
    """Whether the rules of the view don't say what is ahead, so that symmetry can't hold."""
    last = scene.move(1) or place
    away = [abs(last[axis] - place[axis]) for axis in (0, 1)]
    edge = [min(place[axis], scene.size - 1 - place[axis]) for axis in (0, 1)]
    middle = any(away[axis] == 0 and 2 * place[axis] == scene.size - 1 for axis in (0, 1))
    return middle or (away[0] == away[1] and edge[0] == edge[1])


def test_answers_know_no_colours_and_no_symmetry() -> None:
    compared = 0
    for i, scene in enumerate(random_scenes(seed=4, count=48, sizes=(5, 6, 8, 9))):
        found = answers_of(scene, True)
        assert (answers_of(swapped(scene), True) == found).all()
        turn = i % 7 + 1
        other = answers_of(turned_scene(scene, turn), True)
        for j, place in enumerate(np.ndindex(scene.size, scene.size)):
            row, column = turned(place, scene.size, turn)
            there = other[row * scene.size + column]
            assert (there[:PLAIN_COLUMNS] == found[j, :PLAIN_COLUMNS]).all()
            if not has_choice(scene, place):
                compared += 1
                assert (there == found[j]).all()
    assert compared > 1000


# --- Observations -------------------------------------------------------------------------


@pytest.mark.parametrize("leaf_size", [1, 3, 5])
@pytest.mark.parametrize("turned", [False, True])
def test_observations_say_where_the_move_is(leaf_size: int, turned: bool) -> None:
    moves = [(BLACK, point(4, 4)), (WHITE, point(0, 1)), (BLACK, point(6, 5)), (WHITE, PASS)]
    games = Games.from_moves(9, [moves])
    chosen = np.array([False, True, True, False])
    seen = observe(games, chosen, leaf_size, turned, 3, seed=1)
    elsewhere, half = leaf_size**2, leaf_size // 2
    positives, n = [], 0
    scene = Scene.start(9)
    for (_, p), wanted in zip(moves, chosen, strict=True):
        place = None if p == PASS else row_and_column(p)
        if wanted:
            near = {}
            for focus in np.ndindex(9, 9):
                away = max(abs(focus[0] - place[0]), abs(focus[1] - place[1]))
                if away <= half:
                    view = naive.directions(scene, focus) if turned else ((1, 0), (0, 1))
                    ahead, right = naive.seen_from(focus, view, place)
                    near[focus] = (ahead + half) * leaf_size + right + half
            answers = answers_of(scene, True)
            rows = {tuple(answers[r * 9 + c, : seen_columns(turned)]) for r, c in near}
            for focus, label in near.items():
                assert seen.labels[n] == label
                expected = answers[focus[0] * 9 + focus[1]]
                assert (seen.answers[n] == expected)[: seen_columns(turned)].all()
                n += 1
            far = answers_of(scene, True)[:, : seen_columns(turned)].tolist()
            for row in seen.answers[n : n + 3 * len(near), : seen_columns(turned)].tolist():
                assert row in far
                assert len(near) > 9 or tuple(row) not in rows or far.count(row) > 1
            assert (seen.labels[n : n + 3 * len(near)] == elsewhere).all()
            n += 3 * len(near)
            positives.append(len(near))
        scene = scene.play(place)
    assert n == len(seen.labels) == len(seen.answers)
    others = 2 * 81 - sum(positives)
    assert seen.weight == pytest.approx(others / (3 * sum(positives)))


def seen_columns(turned: bool) -> int:
    return COLUMNS if turned else PLAIN_COLUMNS


def test_a_window_over_the_whole_board_has_nothing_elsewhere() -> None:
    games = Games.from_moves(3, [[(BLACK, point(1, 1)), (WHITE, point(0, 0))]])
    seen = observe(games, np.array([True, False]), 9, True, 4, seed=1)
    assert len(seen.labels) == 9
    assert seen.weight == 1.0
    model = fit(games, replace(SMALL, leaf_size=5, trees=1))
    assert np.isfinite(model.scores(Game(3))[1]).all()


def test_each_tree_learns_from_games_of_its_own() -> None:
    games = small_games()
    settings = replace(SMALL, trees=3, positions=40)
    parts = [_chosen(games, settings, number) for number in range(3)]
    labels = [label for part, _ in parts for label in part.source]
    assert sorted(labels) == sorted(games.source)
    for part, mask in parts:
        assert mask.sum() == 40
        assert not (mask & ((part.points == PASS) | ~part.learn)).any()
    only_white = games.learning(games.colors == WHITE)
    part, mask = _chosen(only_white, replace(settings, positions=100_000), 0)
    assert (mask == ((part.points != PASS) & (part.colors == WHITE))).all()


# --- Growing ------------------------------------------------------------------------------


def check_tree(
    tree: Tree, rows: np.ndarray, labels: np.ndarray, depth: int, least: int, exact: bool
) -> None:
    """Every split is allowed and, if all questions were tried, the best; every leaf must be one."""
    waiting = [(0, np.arange(len(labels)), 0)]
    leaves = set()
    while waiting:
        node, here, level = waiting.pop()
        own = [int(label) for label in labels[here]]
        gain, best = naive.best_split(rows[here].tolist(), own, least)
        if tree.column[node] == LEAF:
            assert level == depth or not exact or gain < 1e-6
            leaf = int(tree.child[node])
            leaves.add(leaf)
            n_labels = tree.counts.shape[1]
            assert (tree.counts[leaf] == np.bincount(own, minlength=n_labels)).all()
            continue
        column, threshold = int(tree.column[node]), int(tree.threshold[node])
        yes = rows[here, column] <= threshold
        assert level < depth
        assert min(yes.sum(), (~yes).sum()) >= least
        if exact:
            same = {tuple(rows[here, c] <= t) for c, t in best}
            assert tuple(yes) in same
        child = int(tree.child[node])
        waiting += [(child, here[yes], level + 1), (child + 1, here[~yes], level + 1)]
    assert leaves == set(range(len(tree.counts)))


def random_observations(seed: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 4, (n, COLUMNS)).astype(np.uint8)
    rows = np.minimum(rows, LARGEST)
    chance = rng.random(n) < 0.8
    labels = np.where(chance, (rows[:, 7] + rows[:, 40]) % 3, rng.integers(0, 5, n))
    return rows, labels.astype(np.uint8)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_splits_have_the_highest_likelihood_ratio(seed: int) -> None:
    rows, labels = random_observations(seed, 120)
    for depth, least in ((0, 1), (1, 1), (3, 10), (4, 4)):
        tree = grow(rows, labels, 5, COLUMNS, depth, least, 0, seed)
        check_tree(tree, rows, labels, depth, least, exact=True)


def test_splits_of_real_observations_have_the_highest_likelihood_ratio() -> None:
    games = small_games()
    part, chosen = _chosen(games, replace(SMALL, positions=8), 0)
    seen = observe(part, chosen, 3, True, 1, seed=1)
    tree = grow(seen.answers, seen.labels, 10, COLUMNS, 4, 5, 0, 1)
    assert len(tree.counts) > 3
    check_tree(tree, seen.answers, seen.labels, 4, 5, exact=True)


def test_drawn_questions_keep_the_rules() -> None:
    rows, labels = random_observations(5, 150)
    for samples in (1, 5, 300):
        tree = grow(rows, labels, 5, COLUMNS, 5, 7, samples, 1)
        check_tree(tree, rows, labels, 5, 7, exact=False)
    plain = grow(rows, labels, 5, PLAIN_COLUMNS, 5, 7, 300, 1)
    asked = plain.column[plain.column != LEAF]
    assert len(asked)
    assert asked.max() < PLAIN_COLUMNS
    few = grow(rows, labels, 5, COLUMNS, 1, 7, 1, 1)
    other = [grow(rows, labels, 5, COLUMNS, 1, 7, 1, seed).column[0] for seed in range(2, 8)]
    assert any(column != few.column[0] for column in other)


def test_more_questions_explain_more() -> None:
    rows, labels = random_observations(6, 400)

    def explained(samples: int) -> float:
        tree = grow(rows, labels, 5, COLUMNS, 1, 5, samples, 3)
        return sum(
            float((n * np.log(n / n.sum()))[n > 0].sum()) for n in np.maximum(tree.counts, 1e-300)
        )

    values = [explained(samples) for samples in (1, 3000, 0)]
    assert values[0] < values[1] <= values[2] + 1e-9


def test_growing_needs_observations() -> None:
    with pytest.raises(ValueError, match="needs observations"):
        grow(np.zeros((0, COLUMNS), np.uint8), np.zeros(0, np.uint8), 5, COLUMNS, 3, 1, 0, 1)


# --- Densities ----------------------------------------------------------------------------


def test_leaf_densities_count_the_points_left_out() -> None:
    counts = np.array([[3, 1, 4], [0, 0, 10]])
    found = leaf_densities(counts, 5.0)
    average = np.array([4, 2]) / (4 + 70 + 2 + 1)
    assert found[0] == pytest.approx((np.array([3, 1]) + average) / (24 + 1))
    assert found[1] == pytest.approx(average / 51)
    assert (found > 0).all()
    assert found.dtype == np.float32


def check_density(scene: Scene, model: SptModel) -> None:
    settings = model.settings
    parts, start = [], 0
    for tree in model.trees:
        leaves = model.leaves[start : start + len(tree.counts)]
        parts.append(naive.NaiveTree(*tree[:3], leaves, NAMES, LEAF))
        start += len(tree.counts)
    passing = float(model.pass_chance[int(history_of(scene).after_pass)])
    expected = naive.density(scene, parts, settings.leaf_size, settings.turned, passing)
    points, scores = model.scores_at(
        position_of(scene.grid, scene.ko), scene.color, history_of(scene)
    )
    assert points[-1] == PASS
    found = {
        None if p == PASS else row_and_column(int(p)): float(np.exp(s))
        for p, s in zip(points, scores, strict=True)
    }
    assert len(found) == len(points)
    assert found == {key: pytest.approx(value, rel=1e-4) for key, value in expected.items()}
    assert sum(found.values()) == pytest.approx(1, rel=1e-4)


@pytest.mark.parametrize(("leaf_size", "turned"), [(1, True), (3, True), (3, False), (5, True)])
def test_density_is_that_of_the_twin(leaf_size: int, turned: bool) -> None:
    model = model_of(leaf_size, turned)
    assert all(len(tree.counts) > 5 for tree in model.trees)
    for scene in random_scenes(seed=leaf_size, count=12, sizes=(2, 5, 7, 9)):
        check_density(scene, model)


def test_density_in_real_games_is_that_of_the_twin(shared_data) -> None:
    for scene in game_scenes(shared_data / "dan9-valid.sgf.xz", games=2, every=12):
        check_density(scene, model_of())
    for scene in game_scenes(shared_data / "pro19-valid.sgf.xz", games=1, every=180):
        check_density(scene, model_of(9))


def test_density_is_the_same_in_all_symmetries() -> None:
    """As far as the views are clear: the few points that have a choice change sums a little."""
    model = model_of()
    scene = Scene.start(8).play((2, 1)).play((5, 3)).play((1, 6))
    unclear = [place for place in np.ndindex(8, 8) if has_choice(scene, place)]
    assert len(unclear) < 10
    expected = dict(zip(*scores_by_place(model, scene), strict=True))
    for turn in range(1, 8):
        found = dict(zip(*scores_by_place(model, turned_scene(scene, turn)), strict=True))
        for place, score in expected.items():
            if all(max(abs(place[0] - r), abs(place[1] - c)) > 1 for r, c in unclear):
                assert found[turned(place, 8, turn)] == pytest.approx(score, abs=0.1)


def scores_by_place(model: SptModel, scene: Scene) -> tuple[list[Place], list[float]]:
    points, scores = model.scores_at(
        position_of(scene.grid, scene.ko), scene.color, history_of(scene)
    )
    return [row_and_column(int(p)) for p in points[:-1]], [float(s) for s in scores[:-1]]


def test_scores_of_a_game() -> None:
    game = Game(9)
    for p in (point(4, 4), point(2, 2), point(6, 2)):
        game.play(game.to_move, p)
    points, scores = model_of().scores(game)
    assert points.tolist() == [*game.legal_points(game.to_move), PASS]
    again, black = model_of().scores(game, BLACK)
    assert again.tolist() == points.tolist()
    assert not np.allclose(scores, black)
    ranked = model_of().rank(game)
    assert ranked.points.tolist() == points.tolist()
    assert ranked.probabilities.sum() == pytest.approx(1)


def test_without_a_legal_move_there_is_only_the_pass() -> None:
    game = Game(2)
    game.set_up([point(0, 0), point(1, 1)], [], (), WHITE)
    points, scores = model_of().scores(game)
    assert points.tolist() == [PASS]
    assert scores.tolist() == [0.0]


def test_chance_of_a_pass() -> None:
    stone = (BLACK, point(1, 1))
    games = Games.from_moves(
        5, [[stone, (WHITE, PASS), (BLACK, PASS)], [], [stone, (WHITE, point(2, 2))]]
    )
    # After a move (or first): 4 seen, 1 of them a pass. After a pass: 1 seen, a pass.
    assert _pass_chance(games) == pytest.approx([2 / 6, 2 / 3])


# --- Learning and predicting --------------------------------------------------------------


def same_models(one: SptModel, other: SptModel) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("forest", "nodes", "leaves", "weights", "pass_chance")
    )


def test_the_same_seed_gives_the_same_forest_on_any_threads() -> None:
    games = small_games()
    first = fit(games, SMALL, threads=2)
    assert same_models(first, fit(games, SMALL, threads=1))
    assert not same_models(first, fit(games, replace(SMALL, seed=2)))
    assert not np.array_equal(first.trees[0].column, first.trees[1].column)


def test_it_learns() -> None:
    games = small_games()
    half = len(games) // 2
    settings = SptSettings(trees=2, positions=4000)
    model = fit(games.first(half), settings, Progress("Growing", quiet=True))
    rest = games.select(np.arange(half, len(games)))
    figures = model.predict(rest).figures()
    flat = fit(games.first(half), replace(settings, depth=0)).predict(rest).figures()
    assert figures["top1"] > 15 > 2 * flat["top1"]
    assert figures["log_evidence"] > flat["log_evidence"] + 0.5


def test_predictions_are_those_of_single_positions() -> None:
    games = small_games().select([0, 3])
    games = games.learning(np.arange(games.n_moves) % 3 > 0)
    model = model_of()
    found = model.predict(games, threads=2)
    assert len(found.ranks) == int(games.learn.sum())
    j = 0
    for record in games:
        game = Game(record.size)
        for i in range(len(record.points)):
            color, p = int(record.colors[i]), int(record.points[i])
            if record.learn[i]:
                points, scores = model.scores(game, color)
                own = scores[points.tolist().index(p)]
                rank = 1 + (scores > own).sum() + 0.5 * ((scores == own).sum() - 1)
                assert found.ranks[j] == rank
                log = float(np.interp(1.0, *temperature_curve(found, j)))
                assert log == pytest.approx(float(own), abs=1e-3)
                assert found.numbers[j] == i
                j += 1
            game.play(color, p)
    assert calibrate(model, games).temperature != 1.0


def temperature_curve(found, j: int) -> tuple[np.ndarray, np.ndarray]:
    from knowledge.predictions import TEMPERATURES

    return TEMPERATURES, found.logs[j]


@pytest.mark.parametrize(
    "wrong",
    [
        {"leaf_size": 2},
        {"leaf_size": 11},
        {"trees": 0},
        {"trees": 65},
        {"depth": -1},
        {"samples": -1},
        {"min_node": 0},
        {"positions": 0},
        {"negatives": 0},
        {"seed": -1},
    ],
)
def test_wrong_settings_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"leaf's side|a forest has|can't be negative|at least 1"):
        replace(SMALL, **wrong)


def test_too_few_games_are_refused() -> None:
    with pytest.raises(ValueError, match="too few games"):
        fit(small_games().first(1), SMALL)


@pytest.mark.slow
def test_it_predicts_professionals(shared_data) -> None:
    train = read_games(shared_data / "pro19-train.sgf.xz", progress=False).first(400)
    valid = read_games(shared_data / "pro19-valid.sgf.xz", progress=False).first(30)
    plain = fit(train, PAPER).predict(valid).figures()
    turned = fit(train, SptSettings(positions=8000, trees=4)).predict(valid).figures()
    assert plain["top1"] > 15
    assert turned["top1"] > 27


# --- Files --------------------------------------------------------------------------------


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    model = model_of()
    model.save(tmp_path / "spt-9x9.npz")
    loaded = SptModel.load(tmp_path / "spt-9x9.npz")
    assert same_models(model, loaded)
    assert loaded.settings == model.settings
    assert loaded.size == model.size
    assert loaded.temperature == model.temperature
    scene = next(random_scenes(seed=9, count=1, sizes=(9,)))
    check_density(scene, loaded)


def damaged(arrays: dict[str, np.ndarray], rng: random.Random) -> Iterable[dict[str, np.ndarray]]:
    """Files with a right checksum and wrong content."""
    inside = np.flatnonzero(arrays["column"] != LEAF)
    leaf = np.flatnonzero(arrays["column"] == LEAF)

    def changed(name: str, at: int, value: int) -> dict[str, np.ndarray]:
        array = arrays[name].copy()
        array[at] = value
        return {**arrays, name: array}

    yield changed("child", rng.choice(inside.tolist()), 0)  # a loop
    yield changed("child", rng.choice(inside.tolist()), 1 << 30)
    yield changed("child", rng.choice(leaf.tolist()), 1 << 30)
    yield changed("column", rng.choice(inside.tolist()), COLUMNS)
    yield changed("column", rng.choice(inside.tolist()), LEAF)
    yield changed("nodes", 0, int(arrays["nodes"][0]) + 2)
    yield {**arrays, "counts": arrays["counts"][:-1]}
    yield {**arrays, "counts": arrays["counts"][:, :-1]}
    yield {**arrays, "child": arrays["child"][:-1]}
    yield {**arrays, "threshold": arrays["threshold"][:-1]}
    yield {**arrays, "questions": arrays["questions"][:-1]}
    yield {**arrays, "setting_leaf_size": np.array(4)}
    yield {**arrays, "setting_trees": np.array(3)}
    yield {**arrays, "weights": arrays["weights"][:1]}
    yield {**arrays, "weights": np.full_like(arrays["weights"], np.nan)}
    yield {**arrays, "pass_chance": np.array([0.5])}
    yield {**arrays, "pass_chance": np.array([0.0, 2.0])}
    yield {name: array for name, array in arrays.items() if name != "child"}


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spt-9x9.npz"
    model_of().save(path)
    whole = path.read_bytes()
    arrays = load_weights(path, "spt")
    for wrong in damaged(arrays, random.Random(1)):
        save_weights(path, "spt", wrong)
        with pytest.raises(BadWeights, match="not a forest of moves"):
            SptModel.load(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadWeights, match="cut short"):
        SptModel.load(path)
    save_weights(path, "fbt", arrays)
    with pytest.raises(BadWeights, match="kind 'fbt', not 'spt'"):
        SptModel.load(path)
