"""Bagging: members of bootstraps, out-of-bag errors, and the same answers from the same seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

import likely
from likely.companions.ensembles import bagging
from likely.companions.ensembles.bagging import Bootstrap
from likely.companions.progress import progress_watched_by
from likely.core.block import Block
from likely.core.threads import in_threads
from likely.errors import ModelError, OptionError
from likely.estimators.companions.bagging import Bagging
from likely.estimators.companions.decision_tree import DecisionTree


def noisy(rows: int = 200, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    return X, (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=rows) > 0.7).astype(int)


def test_the_probabilities_are_the_average_of_the_members_and_the_class_shares() -> None:
    X, y = noisy()
    model = Bagging(n_estimators=9, random_state=1).fit(X, y)
    members = [one.predict_proba(X) for one in model.estimators_]
    shares = np.tile(np.bincount(y) / len(y), (len(y), 1))
    np.testing.assert_allclose(model.predict_proba(X), np.mean([*members, shares], axis=0), rtol=1e-12)
    for at, stage in enumerate(model.staged_predict_proba(X), start=1):
        np.testing.assert_allclose(stage, np.mean([*members[:at], shares], axis=0), rtol=1e-12)
    assert (model.predict(X) == list(model.staged_predict(X))[-1]).all()


def test_out_of_bag_is_what_the_members_that_did_not_see_a_row_say_of_it() -> None:
    X, y = noisy(60)
    model = Bagging(n_estimators=7, random_state=4).fit(X, y)
    seeds = np.random.SeedSequence(int(np.random.RandomState(4).randint(2**31 - 1))).generate_state(14)
    bootstrap = Bootstrap.of(Block(60, np.empty((60, 0)), X, cells=y), 1.0)
    drawn = np.array([bootstrap.draw(int(seed)) for seed in seeds[::2]])
    members = np.array([one.predict_proba(X) for one in model.estimators_])
    shares = np.bincount(y) / len(y)
    wrong = []
    for row in range(60):
        said = [*members[drawn[:, row] == 0, row], shares]
        np.testing.assert_allclose(model.oob_proba_[row], np.mean(said, axis=0), rtol=1e-12)
        if len(said) > 1:
            wrong.append(np.mean(said, axis=0).argmax() != y[row])
    assert model.oob_error_ == pytest.approx(np.mean(wrong))
    assert model.rounds_.out_of_bag[-1] == model.oob_error_
    # a member learnt from exactly the rows that were drawn for it
    for one, counts in zip(model.estimators_, drawn, strict=True):
        np.testing.assert_array_equal(one.tree_.counts[0], np.bincount(y, counts))


def test_it_does_as_well_as_that_of_scikit_learn() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    theirs = BaggingClassifier(n_estimators=60, oob_score=True, random_state=0).fit(X, y)
    mine = Bagging(n_estimators=60, random_state=0).fit(X, y)
    assert mine.oob_error_ == pytest.approx(1 - theirs.oob_score_, abs=0.02)  # both about 0.045, on 569 rows
    told = Bagging(n_estimators=60, random_state=0).fit(*noisy(400)).rounds_
    assert told.out_of_bag[-1] < told.out_of_bag[0] - 0.02


def test_the_same_seed_gives_the_same_model_whatever_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = noisy()
    one = Bagging(n_estimators=8, random_state=3).fit(X, y)
    monkeypatch.setattr(bagging, "in_threads", lambda work, tasks: in_threads(work, tasks, 1))
    other = Bagging(n_estimators=8, random_state=3).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    np.testing.assert_array_equal(one.oob_proba_, other.oob_proba_)
    assert (one.oob_proba_ != Bagging(n_estimators=8, random_state=5).fit(X, y).oob_proba_).any()


def test_heavier_rows_are_drawn_more_often() -> None:
    X, y = np.arange(4.0)[:, None], np.zeros(4, dtype=np.int32)
    for weights in (None, np.array([1.0, 2.0, 0.0, 5.0]), np.array([0.1, 0.2, 0.0, 0.5])):
        bootstrap = Bootstrap.of(Block(4, np.empty((4, 0)), X, cells=y, weights=weights), 1.0)
        drawn = sum(bootstrap.draw(seed) for seed in range(4000))
        wanted = np.ones(4) if weights is None else weights
        np.testing.assert_allclose(drawn / drawn.sum(), wanted / wanted.sum(), atol=0.015)
        assert bootstrap.draws == (8 if weights is not None and weights[1] == 2 else 4)


def test_the_order_of_rows_is_irrelevant_and_a_weight_is_a_row_repeated() -> None:
    X, y = noisy(60)
    weights = np.random.default_rng(1).integers(0, 4, size=60)
    order = np.random.default_rng(2).permutation(60)
    one = Bagging(n_estimators=5, random_state=0).fit(X[order], y[order], sample_weight=weights[order])
    other = Bagging(n_estimators=5, random_state=0).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=1e-12)


def test_weights_beyond_counting_are_shares_of_the_draws() -> None:
    X, y = noisy(50)
    few, pieces, many = (
        Bootstrap.of(Block(50, np.empty((50, 0)), X, cells=y, weights=np.full(50, weight)), 1.0)
        for weight in (1.0, 4000.0, 1e8)
    )
    np.testing.assert_array_equal(few.draw(3), many.draw(3))
    assert pieces.draw(0).sum() == pieces.draws == 200_000  # in four pieces
    places = np.random.default_rng(0).random(200_000) * 200_000
    drawn = pieces.order[np.searchsorted(pieces.edges, places, side="right")]
    np.testing.assert_array_equal(pieces.draw(0), np.bincount(drawn, minlength=50))


def test_stages_are_told_under_other_priors() -> None:
    X, y = noisy()
    rare = Bagging(n_estimators=4, random_state=0).fit(X, y).with_priors({0: 0.9, 1: 0.1})
    *_, last = rare.staged_predict_proba(X)
    np.testing.assert_allclose(last, rare.predict_proba(X), rtol=1e-12)
    *_, said = rare.staged_predict(X)
    np.testing.assert_array_equal(said, rare.predict(X))


@given(st.integers(0, 1000), st.sampled_from([None, 1, 3]), st.booleans())
@settings(derandomize=True, deadline=None, max_examples=25)
def test_the_terms_add_up_to_the_prediction(seed: int, depth: int | None, holes: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3)).astype(object)
    X[:, 2] = np.array(["a", "b", "c"], dtype=object)[rng.integers(3, size=30)]
    y = rng.integers(3, size=30)
    if holes:
        X[rng.random(X.shape) < 0.2] = None
    model = Bagging(DecisionTree(max_depth=depth), n_estimators=4, random_state=seed).fit(X, y)
    log_proba = model.predict_log_proba(X)
    assert np.isfinite(log_proba).all()
    np.testing.assert_allclose(model.explain(X).terms.sum(axis=1), log_proba, atol=1e-9)
    np.testing.assert_allclose(np.exp(log_proba).sum(axis=1), 1.0)


def test_fewer_draws_leave_more_rows_out() -> None:
    X, y = noisy()
    model = Bagging(n_estimators=5, max_samples=0.3, random_state=0).fit(X, y)
    assert [one.tree_.counts[0].sum() for one in model.estimators_] == [60.0] * 5


def test_any_classifier_can_be_a_member() -> None:
    X, y = load_iris(return_X_y=True)
    model = Bagging(KNeighborsClassifier(3), n_estimators=5, random_state=0).fit(X, y)  # it takes no weights
    assert (model.predict(X) == y).mean() > 0.9
    assert model.oob_error_ < 0.2
    with pytest.raises(ModelError, match="M383"):
        model.explain(X)
    with pytest.raises(ModelError, match="M381"):
        model.save("nowhere.likely")
    naive = Bagging(likely.NaiveBayes(), n_estimators=3, random_state=0).fit(X, y)
    assert (naive.predict(X) == y).mean() > 0.9


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"n_estimators": -1}, "O641"),
        ({"max_samples": 0}, "O646"),
        ({"max_samples": 10}, "O646"),
        ({"estimator": LinearRegression()}, "O644"),
        ({"estimator": StandardScaler()}, "O644"),
        ({"estimator": DecisionTree(criterion="squared")}, "O626"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], code: str) -> None:
    X, y = noisy(20)
    with pytest.raises(OptionError) as caught:
        Bagging(**options).fit(X, y)
    assert caught.value.code == code


def test_it_can_be_watched_and_interrupted() -> None:
    X, y = noisy()
    done: list[int] = []

    def stop(_: int) -> None:
        done.append(1)
        if len(done) == 3:
            raise KeyboardInterrupt

    with progress_watched_by(stop), pytest.warns(UserWarning, match="interrupted after 3 members of 20"):
        model = Bagging(n_estimators=20, random_state=0).fit(X, y)
    assert len(model.estimators_) == 3
    assert len(model.rounds_) == 3
    assert "interrupted" in model.notes_[-1].text
    whole = Bagging(n_estimators=3, random_state=0).fit(X, y)
    assert model.rounds_.interrupted
    assert not whole.rounds_.interrupted
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))


def test_a_file_brings_it_back(tmp_path: Path) -> None:
    X, y = noisy()
    model = Bagging(n_estimators=4, random_state=0).fit(X, y)
    model.save(tmp_path / "model.likely")
    again = likely.load(tmp_path / "model.likely")
    np.testing.assert_array_equal(again.predict_log_proba(X), model.predict_log_proba(X))
    np.testing.assert_array_equal(again.oob_proba_, model.oob_proba_)
    assert repr(again.rounds_) == repr(model.rounds_)
