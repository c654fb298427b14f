"""AdaBoost: the algorithm against scikit-learn's, its bound, and how it ends."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification, make_hastie_10_2
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import likely
from likely.companions.progress import progress_watched_by
from likely.errors import ModelError, OptionError
from likely.estimators.companions.adaboost import AdaBoost
from likely.estimators.companions.decision_tree import DecisionTree

UCI = Path(__file__).resolve().parents[3] / "shared" / "data" / "uci"


def uci(name: str) -> tuple[Any, Any]:
    """The numbers of a table of the shared data, and its classes."""
    import pandas as pd
    from scipy.io import arff

    rows, _ = arff.loadarff(UCI / f"{name}.arff")
    frame = pd.DataFrame(rows)
    target = frame.columns[-1]
    return frame.drop(columns=target).to_numpy(dtype=float), frame[target].str.decode("utf-8").to_numpy()


def synthetic() -> tuple[Any, Any]:
    return make_classification(600, 8, n_informative=5, n_classes=3, random_state=1)


def hastie() -> tuple[Any, Any]:
    return make_hastie_10_2(1000, random_state=0)


def returned(load: Any) -> Any:
    return lambda: load(return_X_y=True)


TABLES = {
    "breast cancer": returned(load_breast_cancer),
    "wine": returned(load_wine),
    "synthetic, three classes": synthetic,
    "hastie": hastie,
    "waveform": lambda: uci("waveform5000"),
    "vehicle": lambda: uci("vehicle"),
}


def noisy(rows: int = 200, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 4))
    return X, (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=rows) > 0.7).astype(int)


@pytest.mark.parametrize("name", TABLES)
def test_stumps_are_those_of_scikit_learn(name: str) -> None:
    if name in ("waveform", "vehicle") and not UCI.exists():
        pytest.skip("the shared data are not here")
    X, y = TABLES[name]()
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1, random_state=0), n_estimators=25).fit(X, y)
    mine = AdaBoost(n_estimators=25, kinds="real").fit(X, y)
    half = 2 if len(np.unique(y)) == 2 else 1
    np.testing.assert_allclose(
        mine.estimator_errors_, theirs.estimator_errors_[: len(mine.estimator_errors_)], rtol=1e-9
    )
    np.testing.assert_allclose(half * mine.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    for stage, other in zip(mine.staged_predict(X), theirs.staged_predict(X), strict=True):
        np.testing.assert_array_equal(stage, other)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(max_depth=2, random_state=0), GaussianNB()])
def test_any_learner_that_takes_weights_gives_what_scikit_learn_gives(learner: Any) -> None:
    X, y = noisy()
    theirs = AdaBoostClassifier(learner, n_estimators=8, learning_rate=0.5).fit(X, y)
    mine = AdaBoost(learner, n_estimators=8, learning_rate=0.5, algorithm="samme").fit(X, y)
    done = len(mine.estimator_errors_)
    np.testing.assert_allclose(mine.estimator_errors_, theirs.estimator_errors_[:done], rtol=1e-9)
    np.testing.assert_allclose(mine.estimator_weights_, theirs.estimator_weights_[:done], rtol=1e-9)
    np.testing.assert_array_equal(mine.predict(X), theirs.predict(X))


def test_binary_weights_are_half_of_samme_and_the_answers_are_the_same() -> None:
    X, y = noisy()
    binary, samme = (AdaBoost(n_estimators=10, algorithm=name).fit(X, y) for name in ("binary", "samme"))
    np.testing.assert_allclose(2 * binary.estimator_weights_, samme.estimator_weights_)
    np.testing.assert_allclose(binary.predict_proba(X), samme.predict_proba(X), rtol=1e-9)


def test_the_probability_is_the_logistic_of_twice_the_sum() -> None:
    X, y = noisy()
    model = AdaBoost(n_estimators=12).fit(X, y)
    signs = np.array([2.0 * (tree.predict(X) == 1) - 1 for tree in model.estimators_])
    total = model.estimator_weights_ @ signs
    np.testing.assert_allclose(model.decision_function(X), total, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-2 * total)), rtol=1e-9)
    np.testing.assert_allclose(model.margins(X, y), total * (2 * y - 1) / model.estimator_weights_.sum(), atol=1e-12)


def test_more_classes_are_voted_on_by_the_weights() -> None:
    X, y = load_wine(return_X_y=True)
    model = AdaBoost(n_estimators=6).fit(X, y)
    votes = np.zeros((len(y), 3))
    for tree, weight in zip(model.estimators_, model.estimator_weights_, strict=True):
        votes[np.arange(len(y)), tree.predict(X)] += weight
    proba = np.exp(votes) / np.exp(votes).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), proba, rtol=1e-9)
    decision = model.decision_function(X)
    np.testing.assert_allclose(decision, votes - votes.mean(axis=1, keepdims=True), atol=1e-9)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Rows of a few numbers and words with holes, their classes, and weights."""
    rows, classes = draw(st.integers(4, 40)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.integers(0, 5, size=(rows, 3)).astype(object)
    X[:, 2] = np.array(list("abc"), dtype=object)[rng.integers(3, size=rows)]
    X[:, 1] = [float(value) + 0.5 for value in X[:, 1]]
    X[rng.random(X.shape) < draw(st.sampled_from([0.0, 0.2]))] = None
    y = rng.integers(classes, size=rows)
    return X, y, rng.random(rows) + 0.1 if draw(st.booleans()) else None


@given(tables(), st.sampled_from([0.3, 1.0, 2.0]), st.sampled_from([1, 2]))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_the_training_error_obeys_the_bound_in_every_round(
    table: tuple[Any, Any, Any], rate: float, depth: int
) -> None:
    X, y, weights = table
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = AdaBoost(DecisionTree(max_depth=depth), n_estimators=15, learning_rate=rate).fit(X, y, weights)
    told = model.rounds_
    assert (told.training <= told.bound + 1e-12).all()
    scores = list(model.staged_score(X, y, weights))
    np.testing.assert_allclose(1 - np.array(scores), told.training, atol=1e-12)
    if len(np.unique(y)) == 2 and rate == 1.0:
        factors = 2 * np.sqrt(told.error * (1 - told.error))
        np.testing.assert_allclose(told.bound, np.cumprod(factors), rtol=1e-9, atol=1e-15)
    log_proba = model.predict_log_proba(X)
    assert np.isfinite(log_proba).all()
    terms = model.explain(X).terms.sum(axis=1)
    terms = terms - np.log(np.exp(terms).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(terms, log_proba, atol=1e-9)


def test_a_perfect_learner_decides_alone_and_ends_it() -> None:
    model = AdaBoost().fit([[0.0], [1.0], [2.0], [3.0]], list("aabb"))
    assert model.estimator_weights_.tolist() == [np.inf]
    assert "makes no error" in model.stopped_
    assert "makes no error" in model.notes_[-1].text
    # four rows of four were right: Laplace's rule of succession gives five to one
    np.testing.assert_allclose(model.predict_proba([[0.5]]), [[5 / 6, 1 / 6]])
    assert model.rounds_.bound.tolist() == [0.0]


def test_a_learner_no_better_than_guessing_is_not_used() -> None:
    with pytest.warns(UserWarning, match="no better than guessing"):
        model = AdaBoost().fit([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0])
    assert len(model.estimators_) == 0
    np.testing.assert_allclose(model.predict_proba([[0.0, 0.0]]), [[0.5, 0.5]])
    assert "class shares" in model.stopped_
    assert list(model.staged_predict([[0.0, 0.0]])) == []


class Flipped(GaussianNB):  # type: ignore[misc]
    """Always the other class."""

    def predict(self, X: Any) -> Any:
        return 1 - super().predict(X)


def test_a_learner_worse_than_guessing_ends_it() -> None:
    X, y = noisy()
    with pytest.warns(UserWarning, match="no better than guessing"):
        model = AdaBoost(Flipped()).fit(X, y)
    assert model.stopped_.startswith("stopped: the learner of round 1")


def test_later_rounds_that_only_guess_end_it_with_the_rounds_before() -> None:
    X, y = [["a"], ["a"], ["a"], ["b"], ["b"], ["b"]], [0, 0, 1, 1, 1, 0]
    model = AdaBoost(kinds="category").fit(X, y)  # reweighted, the only split there is tells nothing any more
    assert len(model.estimators_) == 1
    assert "round 2 is no better than guessing" in model.stopped_


@pytest.mark.parametrize("rate", [3.0, 30.0, 1e308])
@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
def test_a_rate_so_high_that_weights_vanish_leaves_numbers(load: Any, rate: float) -> None:
    X, y = load(return_X_y=True)
    model = AdaBoost(n_estimators=30, learning_rate=rate).fit(X, y)
    told = model.rounds_
    assert (told.training <= told.bound + 1e-12).all()
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert np.isfinite(model.margins(X, y)).all()


@pytest.mark.parametrize("learner", [DecisionTree(max_depth=1), GaussianNB()])
@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_stages_are_told_under_other_priors_and_votes_are_not(load: Any, learner: Any) -> None:
    X, y = load(return_X_y=True)
    model = AdaBoost(learner, n_estimators=6).fit(X, y)
    rare = model.with_priors({0: 0.9, 1: 0.1} if y.max() == 1 else {0: 0.9, 1: 0.06, 2: 0.04})
    *_, last = rare.staged_predict_proba(X)
    np.testing.assert_allclose(last, rare.predict_proba(X), rtol=1e-9)
    *_, said = rare.staged_predict(X)
    np.testing.assert_array_equal(said, rare.predict(X))
    assert (rare.predict_proba(X) != model.predict_proba(X)).any()
    *_, votes = rare.staged_decision_function(X)
    np.testing.assert_allclose(rare.decision_function(X), votes, atol=1e-9)
    np.testing.assert_array_equal(rare.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(rare.margins(X, y), model.margins(X, y))


def test_importances_are_those_of_members_that_have_some() -> None:
    X, y = noisy()
    assert not hasattr(AdaBoost(GaussianNB(), n_estimators=3).fit(X, y), "feature_importances_")
    with pytest.raises(AttributeError, match="not trees"):
        _ = AdaBoost(GaussianNB(), n_estimators=3).fit(X, y).feature_importances_
    theirs = AdaBoost(DecisionTreeClassifier(max_depth=1), n_estimators=3).fit(X, y)
    np.testing.assert_allclose(theirs.feature_importances_, AdaBoost(n_estimators=3).fit(X, y).feature_importances_)


def test_weights_are_rows_repeated() -> None:
    X, y = noisy(60)
    counts = np.random.default_rng(1).integers(0, 4, size=60)
    weighed = AdaBoost(n_estimators=8).fit(X, y, sample_weight=counts)
    repeated = AdaBoost(n_estimators=8).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighed.estimator_errors_, repeated.estimator_errors_, rtol=1e-9)
    np.testing.assert_allclose(weighed.predict_proba(X), repeated.predict_proba(X), rtol=1e-9)


def test_terms_of_stumps_depend_on_their_column_alone_and_average_to_nothing() -> None:
    X, y = noisy()
    model = AdaBoost(n_estimators=20).fit(X, y)
    assert model.model_.additive
    terms = model.explain(X).terms
    np.testing.assert_allclose(terms[:, 1:].mean(axis=0), 0, atol=1e-9)
    other = X.copy()
    other[:, 1:] = X[::-1, 1:]
    np.testing.assert_allclose(model.explain(other).terms[:, 1], terms[:, 1], atol=1e-12)
    assert not AdaBoost(DecisionTree(max_depth=2), n_estimators=2).fit(X, y).model_.additive


def test_deeper_trees_explain_themselves_too() -> None:
    X, y = noisy()
    model = AdaBoost(DecisionTree(max_depth=3), n_estimators=5).fit(X, y)
    terms = model.explain(X).terms.sum(axis=1)
    np.testing.assert_allclose(terms[:, 1] - terms[:, 0], 2 * model.decision_function(X), atol=1e-9)


def test_words_and_holes_are_learnt_from() -> None:
    X = [["red", 1.0], ["red", None], ["blue", 3.0], [None, 4.0], ["blue", 1.5], ["red", 2.5]] * 3
    y = ["yes", "yes", "no", "no", "no", "yes"] * 3
    model = AdaBoost(n_estimators=5).fit(X, y)
    assert (model.predict(X) == np.array(y)).mean() >= 5 / 6
    assert np.isfinite(model.predict_log_proba([["green", None]])).all()


def test_other_learners_see_words_as_a_table() -> None:
    X = [["red", 1.0], ["red", 2.0], ["blue", 3.0], ["blue", 4.0], ["blue", 1.5], ["red", 3.5]] * 4
    y = np.array(["yes", "no", "no", "no", "yes", "yes"] * 4)
    model = AdaBoost(likely.NaiveBayes(), n_estimators=4).fit(X, y)
    assert set(model.predict(X)) <= {"yes", "no"}
    assert len(list(model.staged_predict_proba(X))) == len(model.estimators_)
    with pytest.raises(ModelError, match="M382"):
        AdaBoost(LogisticRegression()).fit(X, y)
    with pytest.raises(ModelError, match="M383"):
        model.explain(X)
    with pytest.raises(ModelError, match="M381"):
        model.save("nowhere.likely")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"n_estimators": 0}, "O641"),
        ({"n_estimators": 2.5}, "O641"),
        ({"learning_rate": 0}, "O642"),
        ({"learning_rate": "fast"}, "O642"),
        ({"algorithm": "same"}, "O643"),
        ({"algorithm": "binary"}, "O647"),
        ({"estimator": DecisionTree}, "O644"),
        ({"estimator": "stump"}, "O644"),
        ({"estimator": DecisionTree(kinds="category")}, "O650"),
        ({"estimator": DecisionTree(missing="error")}, "O650"),
        ({"estimator": KNeighborsClassifier()}, "O645"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], code: str) -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.raises(OptionError) as caught:
        AdaBoost(**options).fit(X, y)
    assert caught.value.code == code
    assert caught.value.hint


def test_it_can_be_watched_and_interrupted() -> None:
    X, y = noisy()
    done: list[int] = []
    with progress_watched_by(done.append):
        AdaBoost(n_estimators=4).fit(X, y)
    assert done == [1, 1, 1, 1]

    def stop(_: int) -> None:
        done.append(1)
        if len(done) == 7:
            raise KeyboardInterrupt

    with progress_watched_by(stop), pytest.warns(UserWarning, match="interrupted after 3 rounds of 50"):
        model = AdaBoost().fit(X, y)
    assert len(model.estimators_) == 3
    assert "interrupted" in model.stopped_
    assert model.rounds_.interrupted
    assert not AdaBoost(n_estimators=2).fit(X, y).rounds_.interrupted


def test_one_class_has_nothing_to_boost() -> None:
    model = AdaBoost().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]


@pytest.mark.parametrize("learner", [None, DecisionTree(max_depth=2, criterion="entropy")])
def test_a_file_brings_it_back(tmp_path: Path, learner: Any) -> None:
    X, y = noisy()
    model = AdaBoost(learner, n_estimators=7).fit(X, y)
    model.save(tmp_path / "model.likely")
    again = likely.load(tmp_path / "model.likely")
    np.testing.assert_array_equal(again.predict_log_proba(X), model.predict_log_proba(X))
    np.testing.assert_array_equal(again.explain(X).terms, model.explain(X).terms)
    assert repr(again.rounds_) == repr(model.rounds_)
    assert len(again.estimators_) == 7
    np.testing.assert_array_equal(again.feature_importances_, model.feature_importances_)
