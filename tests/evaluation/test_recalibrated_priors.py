"""A recalibrated model under other class priors: the maps first, then the priors, whoever asks in which order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likely
from likely.errors import LikelyError
from likely.evaluation import log_loss
from likely.evaluation.recalibration.recalibration import recalibrate

METHODS = ("platt", "isotonic", "beta", "temperature")
RARE = {"no": 0.98, "yes": 0.02}
MODELS = {
    "naive": likely.NaiveBayes,
    "gaussian": likely.GaussianBayes,
    "tan": likely.TAN,
    "logistic": likely.LogisticRegression,
    "tree": likely.DecisionTree,
}


def rows(shares: float, many: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One column told four times, and classes of which so many are yes."""
    rng = np.random.default_rng(seed)
    yes = rng.random(many) < shares
    value = rng.normal(1.5 * yes, 1.0)
    return value[:, None] + rng.normal(0, 0.2, (many, 4)), np.where(yes, "yes", "no")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MODELS)
def test_priors_that_a_model_was_given_outlive_recalibration(name: str, method: str) -> None:
    X, y = rows(0.5, 400, 0)
    model = MODELS[name]().fit(X, y)
    given = recalibrate(model.with_priors(RARE), X, y, method)
    later = recalibrate(model, X, y, method).with_priors(RARE)
    np.testing.assert_allclose(given.predict_proba(X), later.predict_proba(X), atol=1e-9)
    elsewhere, truth = rows(0.02, 4000, 1)
    mean = given.predict_proba(elsewhere)[:, 1].mean()
    assert mean == pytest.approx((truth == "yes").mean(), abs=0.02)  # it was 0.5 and more


@pytest.mark.parametrize("method", METHODS)
def test_moved_priors_serve_rows_of_those_shares(method: str) -> None:
    X, y = rows(0.5, 2000, 0)
    bent = recalibrate(likely.NaiveBayes().fit(X, y), X, y, method)
    elsewhere, truth = rows(0.02, 20_000, 1)
    told = [
        log_loss(truth, np.exp(said), ["no", "yes"], log_proba=said)
        for model in (bent.with_priors(RARE), bent.model.with_priors(RARE), bent)
        for said in [model.predict_log_proba(elsewhere)]
    ]
    assert told[0] < min(told[1:])
    own = recalibrate(likely.NaiveBayes().fit(elsewhere, truth), elsewhere, truth, method)  # learnt where it is used
    assert told[0] < own.after + 0.01


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("classes", [2, 3])
def test_priors_move_the_odds_by_their_ratio(method: str, classes: int) -> None:
    rng = np.random.default_rng(classes)
    y = rng.choice(classes, 300, p=[0.5, 0.3, 0.2][:classes] if classes == 3 else [0.7, 0.3])
    X = rng.normal(y[:, None], 1.5, (300, 2))
    bent = recalibrate(likely.NaiveBayes().fit(X, y), X, y, method)
    said = np.array([0.1, 0.9] if classes == 2 else [0.2, 0.1, 0.7])
    shares = np.bincount(y) / len(y)
    before, after = bent.predict_log_proba(X), bent.with_priors(said).predict_log_proba(X)
    np.testing.assert_allclose(np.exp(after).sum(axis=1), 1.0, atol=1e-12)
    moved = (after - before) - (after - before)[:, :1]
    ratio = np.log(said / shares)
    np.testing.assert_allclose(moved, np.broadcast_to(ratio - ratio[0], moved.shape), atol=1e-9)
    again = bent.with_priors(said).with_priors("uniform").with_priors(None)
    assert again.predict_log_proba(X).tobytes() == before.tobytes()


def test_moved_priors_are_kept_in_the_file_and_told_in_the_terms(tmp_path: Path) -> None:
    X, y = rows(0.5, 300, 3)
    bent = recalibrate(likely.NaiveBayes().fit(X, y), X, y, "beta").with_priors(RARE)
    bent.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert again.predict_proba(X).tobytes() == bent.predict_proba(X).tobytes()
    assert again.decide(X, reject=0.01).tolist() == bent.decide(X, reject=0.01).tolist()
    assert again.to_dict() == bent.to_dict()
    np.testing.assert_allclose(again.explain(X[:1]).terms[0, 0], np.log([0.98, 0.02]), atol=1e-12)
    back = again.with_priors("empirical")
    np.testing.assert_array_equal(back.priors, back.shares)


def test_a_class_without_a_row_cannot_be_moved() -> None:
    X, y = rows(0.5, 300, 4)
    bent = recalibrate(likely.NaiveBayes().fit(X, y), X[y == "no"], y[y == "no"], "platt")
    with pytest.raises(LikelyError, match=r"\[M311\] no row of class 'yes' taught the maps"):
        bent.with_priors(RARE)


@pytest.mark.parametrize("verb", ["partial_fit", "forget", "merge"])
def test_what_a_recalibrated_model_cannot_do_is_said(verb: str) -> None:
    X, y = rows(0.5, 100, 5)
    bent: Any = recalibrate(likely.NaiveBayes().fit(X, y), X, y)
    assert not hasattr(bent, verb)
    with pytest.raises(LikelyError, match=rf"\[M309\] a recalibrated model cannot {verb}"):
        getattr(bent, verb)(X, y)
    with pytest.raises(LikelyError, match="M305"):
        bent.model.merge(bent)


@pytest.mark.parametrize("shares", [[1.0], [0.5, 0.6], "half", [-0.5, 1.5]])
def test_shares_in_a_file_that_are_none(tmp_path: Path, shares: Any) -> None:
    X, y = rows(0.5, 100, 6)
    bent = recalibrate(likely.NaiveBayes().fit(X, y), X, y)
    bent.model.save(tmp_path / "m.likely", recalibration=bent.to_dict() | {"shares": shares})
    with pytest.raises(LikelyError, match="F404"):
        likely.load(tmp_path / "m.likely")
