"""Models from training to file to prediction, on a few small games that come with the tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.game import Game
from engine.geometry import PASS
from knowledge import fbt, lfr, training
from knowledge.calibration import Calibration, rising_curve
from knowledge.evaluate import predict
from knowledge.explain import explain
from knowledge.factors import FactorModel
from knowledge.features import FeatureSet
from knowledge.games import Games
from knowledge.harvest import harvest
from knowledge.predictions import BINS, TEMPERATURES, Predictions, fitted
from knowledge.predictor import FactorPredictor, load_predictor
from knowledge.records import Filters, read_games
from knowledge.training import Epoch, Recipe, Training, train_together
from tests.knowledge.test_descent import naive_scores
from weights.files import BadWeights

RECORDS = Path(__file__).parents[1] / "data" / "gnugo.sgf"


@pytest.fixture(scope="module")
def games() -> Games:
    return read_games([RECORDS], Filters(size=9)).first(8)


@pytest.fixture(scope="module")
def features(games: Games) -> FeatureSet:
    return FeatureSet("best", harvest(games, 3, threads=1))


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "CHUNK", 1)


def new_model(features: FeatureSet, kind: str = "fbt", k: int = 4) -> FactorModel:
    return FactorModel.new(kind, features, k, nested=True, seed=5, size=9)


@pytest.fixture(scope="module")
def trained(games: Games, features: FeatureSet) -> FactorModel:
    model = new_model(features)
    Training(model, games, Recipe(epochs=2, threads=1)).run()
    return model


def game_at(games: Games, number: int, moves: int) -> Game:
    record = games.game(number)
    game = Game(record.size)
    for color, p in zip(record.colors[:moves], record.points[:moves], strict=True):
        game.play(int(color), int(p))
    return game


def test_training_teaches(games: Games, features: FeatureSet) -> None:
    model = new_model(features)
    before = predict(model, games)
    epochs = Training(model, games, Recipe(epochs=2, threads=1), games).run()
    assert epochs[-1].valid_log_evidence > before.log_evidence() + 1
    assert epochs[-1].valid_top1 > 100 * (before.ranks < 2).mean() + 10
    assert predict(model, games).log_evidence() == pytest.approx(epochs[-1].valid_log_evidence)


@pytest.mark.parametrize("recipe", [fbt.recipe("sgd", epochs=1), lfr.recipe(epochs=1)])
def test_the_papers_recipes_teach(games: Games, features: FeatureSet, recipe: Recipe) -> None:
    model = new_model(features)
    before = (predict(model, games).ranks < 2).mean()
    # So few games need longer steps than the papers' many.
    faster = replace(recipe, rate_w=0.005, rate_v=0.005, epochs=2, threads=1)
    Training(model, games, faster).run()
    assert (predict(model, games).ranks < 2).mean() > before + 0.05


def test_a_model_gone_astray_is_measured_all_the_same(games: Games, features: FeatureSet) -> None:
    model = new_model(features)
    model.rows[:] = np.nan
    assert predict(model, games).figures()["top1"] == 0.0


def test_an_epoch_gone_astray_is_never_the_best(games: Games, features: FeatureSet) -> None:
    run = Training(new_model(features), games, Recipe())
    nothing = float("nan")
    run.epochs = [Epoch(-2.0, 30.0, -2.0, 30.0, 1.0), Epoch(nothing, 0.0, nothing, 0.0, 1.0)]
    assert run._best_epoch() == 0


def test_a_training_that_has_levelled_off_is_not_gone_on_with(
    games: Games, features: FeatureSet
) -> None:
    run = Training(new_model(features), games, Recipe(epochs=9), games)
    run.epochs = [Epoch(-2.0, 30.0, top, 30.0, 1.0) for top in (-2.0, -2.1, -2.1, -2.1)]
    run._epoch = 4
    assert len(run.run()) == 4


def test_the_same_seed_gives_the_same_rows(games: Games, features: FeatureSet) -> None:
    rows = []
    for seed in (1, 1, 2):
        model = new_model(features)
        Training(model, games, Recipe(epochs=1, threads=1, seed=seed)).run()
        rows.append(model.rows.copy())
    assert np.array_equal(rows[0], rows[1])
    assert not np.array_equal(rows[0], rows[2])


def test_an_averaged_model_has_the_mean_of_the_scores(games: Games, features: FeatureSet) -> None:
    models = []
    for seed in (1, 2, 3):
        model = FactorModel.new("fbt", features, 4 + seed, nested=True, seed=seed, size=9)
        Training(model, games, Recipe(epochs=1, threads=1, seed=seed)).run()
        models.append(model)
    both = FactorModel.averaged(models)
    assert both.k == 18  # so rows have two blocks
    for number, moves in ((0, 10), (3, 30)):
        game = game_at(games, number, moves)
        expected = np.mean([model.rank(game).scores for model in models], axis=0)
        assert both.rank(game).scores == pytest.approx(expected, abs=1e-4)
    other = FactorModel.new("fbt", FeatureSet("small"), 4, nested=True, seed=1, size=9)
    with pytest.raises(ValueError, match="same features"):
        FactorModel.averaged([models[0], other])


class Killed(Exception):
    """The training was broken off."""


def killer(chunk: int) -> Callable[[int, int, str], None]:
    """Breaks a training off after so many chunks of games."""

    def kill(done: int, total: int, note: str) -> None:
        if done == chunk:
            raise Killed

    return kill


def test_a_resumed_training_ends_like_an_unbroken_one(
    games: Games, features: FeatureSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    recipe = Recipe(epochs=2, threads=1)
    # Stretches of one game, so that a checkpoint falls inside an epoch.
    monkeypatch.setattr(
        Training, "_stretches", lambda self, n: [(i, i + 1) for i in range(self._chunk, n)]
    )
    unbroken = Training(new_model(features), games, recipe, games)
    unbroken.run()

    file = tmp_path / "x.checkpoint"
    broken = Training(new_model(features), games, recipe, games, file)
    with pytest.raises(Killed):
        broken.run(killer(13))
    again = Training(new_model(features), games, recipe, games, file)
    again.resume()
    assert again._epoch == 1
    again.run()
    assert np.array_equal(again.model.rows, unbroken.model.rows)
    assert [e.valid_top1 for e in again.epochs] == [e.valid_top1 for e in unbroken.epochs]

    other = Training(new_model(features), games, replace(recipe, rate_w=0.1), games, file)
    with pytest.raises(BadWeights, match="another training"):
        other.resume()


def test_models_trained_together_end_as_if_alone(
    games: Games, features: FeatureSet, tmp_path: Path
) -> None:
    recipes = [Recipe(epochs=2, threads=1), fbt.recipe("sgd", 5, epochs=1), lfr.recipe(epochs=2)]
    recipes = [replace(recipe, threads=1) for recipe in recipes]
    alone = [Training(new_model(features), games, recipe, games) for recipe in recipes]
    together = [Training(new_model(features), games, recipe, games) for recipe in recipes]
    for one in alone:
        one.run()
    # One of them was further on than the others when it was broken off.
    file = tmp_path / "x.checkpoint"
    ahead = Training(new_model(features), games, recipes[0], games, file)
    with pytest.raises(Killed):
        ahead.run(killer(13))
    together[0].checkpoint = file
    together[0].resume()
    train_together(together)
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.model.rows, other.model.rows)
        assert [e.valid_top1 for e in one.epochs] == [e.valid_top1 for e in other.epochs]
        assert all(epoch.seconds > 0 for epoch in other.epochs)
    other_seed = Training(new_model(features), games, replace(recipes[0], seed=2), games)
    with pytest.raises(ValueError, match="read the same"):
        train_together([alone[0], other_seed])


def test_a_share_of_the_positions_is_learned_from(games: Games, features: FeatureSet) -> None:
    run = Training(new_model(features), games, Recipe(epochs=1, threads=1, share=0.25))
    epoch = run.run()[0]
    assert 0.15 < epoch.positions / games.learn.sum() < 0.35


def test_training_stops_when_nothing_is_gained_and_keeps_the_best(
    games: Games, features: FeatureSet
) -> None:
    model = new_model(features)
    wild = Recipe(epochs=12, threads=1, rate_w=3.0, rate_v=3.0, falling=False)
    run = Training(model, games, wild, games)
    epochs = run.run()
    best = max(epoch.valid_log_evidence for epoch in epochs)
    assert predict(model, games).log_evidence() == pytest.approx(best)
    at = [epoch.valid_log_evidence for epoch in epochs].index(best)
    assert len(epochs) == 12 or len(epochs) - 1 - at == training.FLAT_EPOCHS


def test_a_training_ends_in_time_with_small_steps(
    games: Games, features: FeatureSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Training, "_stretches", lambda self, n: [(i, i + 1) for i in range(self._chunk, n)]
    )
    # A clock that strikes with every game.
    monkeypatch.setattr(Training, "_seconds", lambda self: 8.0 * self._epoch + self._chunk)
    run = Training(new_model(features), games, Recipe(epochs=9, threads=1, seconds=4.0))
    first = run._order()[:4]
    assert run._rate(0, 8) == 1.0
    epochs = run.run()
    assert len(epochs) == 1
    assert epochs[0].positions == np.diff(games.starts)[first].sum()
    run._epoch, run._chunk = 0, 2
    assert run._rate(0, 8) == pytest.approx(1 - 0.98 * 0.5)
    with pytest.raises(ValueError, match="needs time"):
        Recipe(seconds=0.0)


def test_the_rate_may_rise_before_it_falls(games: Games, features: FeatureSet) -> None:
    run = Training(new_model(features), games, Recipe(epochs=1, rising=0.5))
    rates = [run._rate(chunk, 8) for chunk in range(9)]
    assert rates[0] == 0.0
    assert rates[2] == pytest.approx(0.5 * (1 - 0.98 * 0.25))
    assert rates[4] == pytest.approx(1 - 0.98 * 0.5)
    assert rates[8] == pytest.approx(training.LAST_RATE)


def test_what_another_model_knows_is_taken_over(
    trained: FactorModel, games: Games, features: FeatureSet
) -> None:
    assert features.dictionary is not None
    larger = FeatureSet("best", harvest(games, 2, threads=1))
    model = FactorModel.new("fbt", larger, 4, nested=True, seed=1, spread=0.0, size=9)
    assert model.take_over(trained) == features.n_ids - 1 < larger.n_ids - 1
    trained.calibration = Calibration()
    # Patterns that only the new model knows add nothing yet.
    assert np.array_equal(predict(model, games).ranks, predict(trained, games).ranks)
    none = FactorModel.new("fbt", FeatureSet("small"), 4, nested=True, seed=1)
    assert 0 < none.take_over(trained) < none.features.n_ids - 1


def test_the_best_temperature_is_found_wherever_it_is() -> None:
    def predict(unit: float) -> Predictions:
        # The log-evidence has its peak at a temperature of 0.06.
        logs = -(np.log(unit * TEMPERATURES / 0.06) ** 2)[np.newaxis]
        bins = np.array([[100.0, 1.0, 1.0]] + [[0.0, 0.0, 0.0]] * (BINS - 1))
        return Predictions(np.ones(1), logs, np.zeros(1), np.zeros(1), bins, 0.0, unit)

    assert fitted(predict).temperature == pytest.approx(0.06, rel=0.02)
    found = predict(0.05)
    assert found.log_evidence(0.06) == pytest.approx(0.0, abs=1e-6)


def test_the_calibration_curve_compares_what_was_said_and_seen() -> None:
    bins = np.zeros((BINS, 3))
    bins[0] = 900.0, 9.0, 18.0
    bins[4] = 100.0, 9.0, 8.0
    bins[30] = 10.0, 6.1, 5.0
    nothing = np.zeros((1, len(TEMPERATURES)))
    found = Predictions(np.ones(1), nothing, np.zeros(1, int), np.zeros(1, int), bins, 0.0)
    curve = np.array([[0.0, 0.5, 1.0], [0.0, 0.4, 0.9]])
    told = found.curve(Calibration(1.0, curve))
    assert told == [[1.8, 1.44, 2.6, 1000], [61.0, 51.0, 50.0, 10]]
    assert found.figures()["calibration"][0] == [1.8, 1.8, 2.6, 1000]


def test_a_file_brings_the_model_back(trained: FactorModel, games: Games, tmp_path: Path) -> None:
    path = tmp_path / "fbt-9x9.npz"
    curve = np.array([[0.0, 0.5, 1.0], [0.0, 0.4, 0.9]])
    trained.calibration = Calibration(0.9, curve)
    trained.save(path)
    loaded = load_predictor(path)
    assert isinstance(loaded, FactorPredictor)
    assert loaded.temperature == 0.9
    game = game_at(games, 0, 20)
    ours, theirs = trained.rank(game), loaded.rank(game)
    assert np.array_equal(ours.points, theirs.points)
    assert np.allclose(ours.scores, theirs.scores, atol=0.05)
    assert theirs.probabilities.sum() == pytest.approx(1.0)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadWeights, match="cut short"):
        load_predictor(path)


def test_files_of_other_kinds_are_refused(tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "weights" / "playout-9x9.npz"
    with pytest.raises(BadWeights, match="predict no moves"):
        load_predictor(shipped)
    with pytest.raises(BadWeights, match="no such file"):
        load_predictor(tmp_path / "none.npz")


def test_folded_scores_are_the_models_definition(trained: FactorModel, games: Games) -> None:
    from knowledge.features import Extractor

    extractor = Extractor(trained.features)
    for moves in (0, 5, 15, 30):
        _, ids = extractor.extract(game_at(games, 1, moves))
        expected = naive_scores(trained.table().astype(np.float64), trained.parents(), ids)
        assert np.allclose(trained.score(ids), expected, atol=1e-3)


def test_predictions_are_those_of_single_positions(trained: FactorModel, games: Games) -> None:
    trained.calibration = Calibration()
    few = games.first(2)
    found = predict(trained, few, threads=2)
    row = 0
    for number in range(2):
        record = few.game(number)
        for i, p in enumerate(record.points):
            ranked = trained.rank(game_at(few, number, i), int(record.colors[i]))
            at = int(np.flatnonzero(ranked.points == p)[-1])
            ahead = (ranked.scores > ranked.scores[at]).sum()
            equal = (ranked.scores == ranked.scores[at]).sum() - 1
            assert found.ranks[row] == ahead + equal / 2 + 1
            one = int(np.flatnonzero(np.isclose(TEMPERATURES, 1.0))[0])
            log = np.log(ranked.probabilities[at])
            assert found.logs[row, one] == pytest.approx(log, abs=1e-3)
            assert found.numbers[row] == i
            row += 1
    assert row == len(found.ranks)
    figures = found.figures()
    assert figures["top1"] == round(100 * float((found.ranks < 2).mean()), 2)
    assert found.bins[:, 2].sum() == row


def test_explanations_add_up_to_the_score(trained: FactorModel, games: Games) -> None:
    game = game_at(games, 2, 12)
    ranked = trained.rank(game)
    scores = dict(zip(ranked.points.tolist(), ranked.scores.tolist(), strict=True))
    found = explain(trained, game, top=4, points=(PASS,))
    assert len(found) == 5
    for explanation in found:
        assert explanation.score == pytest.approx(scores[explanation.point], abs=1e-3)
        shares = sum(reason.share for reason in explanation.reasons)
        assert shares == pytest.approx(explanation.score)
        products = sum(pair.product for pair in explanation.pairs)
        weights = sum(reason.weight for reason in explanation.reasons)
        assert weights + products == pytest.approx(explanation.score)
    assert "%" in found[0].text()


def test_a_rising_curve_pools_what_falls() -> None:
    said = np.array([0.1, 0.3, 0.5, 0.7])
    curve = rising_curve(said, np.array([0.1, 0.4, 0.3, 0.6]), np.array([10, 10, 10, 10]))
    assert (np.diff(curve[1]) >= 0).all()
    assert np.interp(0.4, *curve) == pytest.approx(0.35)
    probabilities = Calibration(1.0, curve).probabilities(np.array([1.0, 0.0, -1.0]))
    assert probabilities.sum() == pytest.approx(1.0)
    assert (np.diff(probabilities) < 0).all()
