"""The scikit-learn face: its whole check suite, and the tools that people put a classifier into."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import likely


@parametrize_with_checks(
    [
        likely.NaiveBayes(),
        likely.NaiveBayes(estimate="map", missing="informative"),
        likely.NaiveBayes(estimate="mle"),
        likely.SPODE(),
        likely.TAN(),
        likely.KDB(),
        likely.AODE(),
        likely.AnDE(),
        likely.BayesClassifier(candidates=["naive", "lda"]),
        likely.BayesForest(n_estimators=3),
        likely.BayesForest(n_estimators=2, normals=False, missing="ignore"),
        likely.NetworkClassifier(),
        likely.NetworkClassifier(score="cll"),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([likely.BayesClassifier(), likely.BayesClassifier(pool="best")])
def test_scikit_learn_checks_of_a_whole_pool(estimator, check):
    check(estimator)


def test_no_check_is_expected_to_fail():
    """Not one exemption: every check of the suite passes, the array API's too, where SciPy allows for it."""
    script = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "import likely; from sklearn.utils.estimator_checks import check_estimator\n"
        "results = check_estimator(likely.NaiveBayes(), on_fail=None, on_skip=None)\n"
        "print({r['check_name'] for r in results if r['status'] != 'passed'})"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "set()"


def test_cross_validation_of_a_pipeline():
    X, y = load_wine(return_X_y=True)
    normal = likely.NaiveBayes(kinds="real")
    plain = cross_val_score(normal, X, y, cv=5)
    scaled = cross_val_score(make_pipeline(StandardScaler(), normal), X, y, cv=5)
    assert plain.mean() > 0.95
    np.testing.assert_array_equal(plain, scaled)  # shift and scale change nothing of a normal
    assert cross_val_score(likely.NaiveBayes(), X, y, cv=5).mean() > 0.95


def test_grid_search():
    X, y = load_iris(return_X_y=True)
    grid = {"estimate": ["bayes", "map"], "smoothing": [0.1, 1.0], "kinds": ["real", "parzen", likely.Parzen("box")]}
    search = GridSearchCV(likely.NaiveBayes(), grid, cv=3, scoring="neg_log_loss").fit(X, y)
    assert search.best_score_ > -0.2


def test_frames_from_transformers():
    X, y = load_iris(return_X_y=True, as_frame=True)
    mixed = X.assign(size=np.where(X["petal length (cm)"] > 4, "large", "small"))
    prepare = ColumnTransformer([("scale", StandardScaler(), list(X.columns))], remainder="passthrough")
    pipeline = Pipeline([("prepare", prepare), ("bayes", likely.NaiveBayes())]).set_output(transform="pandas")
    pipeline.fit(mixed, y)
    assert pipeline.score(mixed, y) > 0.9
    assert pipeline[-1].model_.schema.columns[-1].kind == "category"


def test_votes_beside_other_classifiers():
    X, y = load_iris(return_X_y=True)
    vote = VotingClassifier([("a", likely.NaiveBayes()), ("b", likely.NaiveBayes(kinds="parzen"))], voting="soft")
    assert vote.fit(X, y).score(X, y) > 0.9


def test_clone_keeps_what_was_said():
    model = likely.NaiveBayes(kinds={"a": likely.Parzen("box")}, priors={"x": 1})
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("fitted", [False, True])
def test_representations(fitted):
    model = likely.NaiveBayes(smoothing=0.5)
    if fitted:
        model.fit(pd.DataFrame({"port": ["S", "<b>", "S"], "age": [1.5, 2.5, None]}), ["no", "yes", "no"])
    assert repr(model).startswith("NaiveBayes(smoothing=0.5)")
    page = model._repr_html_()
    assert "NaiveBayes" in page
    if fitted:
        assert "rows 3 ('no': 2, 'yes': 1)" in repr(model)
        assert "port" in page
        assert "<b>," not in page


def test_the_option_score_of_a_network_classifier_does_not_hide_the_method() -> None:
    rows = np.array([["a", "x"], ["b", "x"], ["a", "z"], ["b", "z"]] * 6)
    y = rows[:, 0]
    model = likely.NetworkClassifier(score="bdeu")
    assert clone(model).get_params()["score"] == "bdeu"
    model.score = "aic"
    assert model.get_params()["score"] == "aic"
    assert model.set_params(score="bic").get_params()["score"] == "bic"
    assert model.fit(rows, y).score(rows, y) == 1.0
    with sklearn.config_context(enable_metadata_routing=True):
        asked = likely.NetworkClassifier().set_score_request(sample_weight=True)
        assert asked.get_metadata_routing().score.requests == {"sample_weight": True}
    search = GridSearchCV(likely.NetworkClassifier(), {"score": ["bic", "aic"]}, cv=2).fit(rows, y)
    assert search.best_params_["score"] == "bic"
