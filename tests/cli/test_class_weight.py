"""Class weights: of a generative model they multiply the priors, of logistic regression the rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import check_class_weight_classifiers

import likely
from likely.errors import LikelyError
from likely.evaluation import recalibrate
from tests.cli.conftest import Command

GENERATIVE = (
    likely.NaiveBayes,
    likely.TAN,
    likely.AODE,
    likely.NetworkClassifier,
    likely.GaussianBayes,
    likely.LinearDiscriminant,
    likely.ParzenBayes,
)


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    return X, np.where(X[:, 0] + rng.normal(size=200) > 1, "yes", "no")


@pytest.mark.parametrize("kind", GENERATIVE)
def test_weights_multiply_the_priors_and_nothing_else(kind: Any, rows: Any, tmp_path: Path) -> None:
    X, y = rows
    plain, weighted = kind().fit(X, y), kind(class_weight={"yes": 5}).fit(X, y)
    prior = np.exp(plain.model_.log_prior) * [1, 5]
    moved = plain.with_priors(dict(zip(plain.classes_, prior / prior.sum(), strict=True)))
    np.testing.assert_allclose(weighted.predict_log_proba(X), moved.predict_log_proba(X), atol=1e-9)
    weighted.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    np.testing.assert_array_equal(again.predict_log_proba(X), weighted.predict_log_proba(X))
    assert again.class_weight == {"yes": 5}
    back = weighted.with_priors(None)
    np.testing.assert_allclose(back.predict_log_proba(X), plain.predict_log_proba(X), atol=1e-9)
    even = kind(class_weight="balanced").fit(X, y)
    np.testing.assert_array_equal(even.model_.log_prior, np.log([0.5, 0.5]))
    check_class_weight_classifiers(kind.__name__, kind(class_weight=None))


def test_weights_stay_as_rows_come_and_go(rows: Any) -> None:
    X, y = rows
    kind = likely.NaiveBayes(class_weight={"yes": 3})
    whole = kind.fit(X, y)
    parts = likely.NaiveBayes(class_weight={"yes": 3}).fit(X[:150], y[:150]).partial_fit(X[150:], y[150:])
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X))
    left = whole.leave_one_out(X, y)
    one = likely.NaiveBayes(class_weight={"yes": 3}).fit(X[1:], y[1:])
    np.testing.assert_allclose(left[0], one.predict_proba(X[:1])[0])
    assert whole.interval(X[:2]).shape == (2, 2, 2)


def test_logistic_regression_is_that_of_scikit_learn(rows: Any) -> None:
    X, y = rows
    for weights in ("balanced", {"yes": 4.0, "no": 0.5}):
        mine = likely.LogisticRegression(class_weight=weights).fit(X, y)
        theirs = LogisticRegression(class_weight=weights, tol=1e-10).fit(X, y)
        np.testing.assert_allclose(mine.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    plain = likely.LogisticRegression(class_weight="balanced").fit(X, y)
    share = (y == "yes").mean()
    assert np.exp(plain.with_priors(None).model_.log_prior)[1] == pytest.approx(share)
    check_class_weight_classifiers("LogisticRegression", likely.LogisticRegression())


@pytest.mark.parametrize("kind", [likely.NaiveBayes, likely.LogisticRegression])
def test_maps_do_not_undo_the_weights(kind: Any, rows: Any) -> None:
    X, y = rows
    plain, weighted = (recalibrate(one.fit(X, y), X, y) for one in (kind(), kind(class_weight={"yes": 5})))
    prior = plain.shares * [1, 5] / (plain.shares @ [1, 5])
    np.testing.assert_allclose(weighted.priors, prior, atol=0.01)
    moved = plain.with_priors(prior.tolist()).predict_proba(X)
    assert abs(weighted.predict_proba(X) - moved).mean() < 0.03
    calm = weighted.with_priors(None).predict_proba(X)[:, 1].mean()
    assert calm == pytest.approx((y == "yes").mean(), abs=0.03)


@pytest.mark.parametrize(
    ("code", "options"),
    [
        ("O125", {"class_weight": "even"}),
        ("O125", {"class_weight": {"yes": 0}}),
        ("O125", {"class_weight": {"yes": "much"}}),
        ("O107", {"class_weight": {"yess": 2}}),
        ("O126", {"class_weight": "balanced", "priors": "uniform"}),
    ],
)
def test_weights_that_cannot_be_are_refused(code: str, options: dict[str, Any], rows: Any) -> None:
    with pytest.raises(LikelyError) as caught:
        likely.NaiveBayes(**options).fit(*rows)
    assert caught.value.code == code


def test_the_command_line_weighs_classes(tmp_path: Path, rows: Any, likely_says: Command) -> None:
    X, y = rows
    pd.DataFrame(X, columns=["a", "b"]).assign(ill=(y == "yes").astype(int)).to_csv(tmp_path / "d.csv", index=False)
    for model, kind in (("naive", likely.NaiveBayes), ("logistic", likely.LogisticRegression)):
        kept = tmp_path / "m.likely"
        words = ("fit", tmp_path / "d.csv", "-t", "ill", "-m", model, "-o", kept)
        told = likely_says(*words, "--class-weight", "1=5", "--json")
        assert "class weights move the class priors" in told.err
        assert [one["rows"] for one in told.document["classes"]] == [(y == "no").sum(), (y == "yes").sum()]
        frame = pd.read_csv(tmp_path / "d.csv")
        own = kind(class_weight={1: 5}).fit(frame[["a", "b"]], frame["ill"])
        np.testing.assert_allclose(
            likely.load(kept).predict_proba(frame[["a", "b"]]), own.predict_proba(frame[["a", "b"]])
        )
    for code, words in (
        ("U110", ("--class-weight", "1=5", "--priors", "uniform")),
        ("U131", ("-m", "tree", "--class-weight", "balanced")),
    ):
        assert f"[{code}]" in likely_says("fit", tmp_path / "d.csv", "-t", "ill", *words).err


@pytest.mark.parametrize("name", ["tree", "c4.5", "adaboost", "bagging"])
@pytest.mark.parametrize("words", [["--class-weight", "yes=5,no=1"], ["--set", "class_weight=balanced"]])
def test_models_without_class_weights_say_what_there_is(
    tmp_path: Path, rows: Any, likely_says: Command, name: str, words: list[str]
) -> None:
    pd.DataFrame(rows[0], columns=["a", "b"]).assign(y=rows[1]).to_csv(tmp_path / "rows.csv", index=False)
    told = likely_says("fit", tmp_path / "rows.csv", "-t", "y", "-m", name, *words)
    assert (told.exit, f"{name} has no --class-weight" in told.err) == (2, True)
    assert "--priors CLASS=P,..." in told.err
    if name == "tree":  # what is advised can be done
        assert likely_says("fit", tmp_path / "rows.csv", "-t", "y", "-m", name, "--priors", "yes=0.5,no=0.5").exit == 0
