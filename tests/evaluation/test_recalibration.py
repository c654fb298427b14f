"""Recalibration: maps against scikit-learn's, at the ends of the scale, and models that they help and do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, log_softmax
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

import likely
from likely import NaiveBayes
from likely.errors import LikelyError, StoreError
from likely.evaluation.folds.cross_validation import cross_validate
from likely.evaluation.recalibration.maps import MAPS, BetaMap, Isotonic, Platt, Temperature
from likely.evaluation.recalibration.recalibrated_model import mapped
from likely.evaluation.recalibration.recalibration import recalibrate

METHODS = ("platt", "isotonic", "beta", "temperature")
ONE_BY_ONE = (Platt, Isotonic, BetaMap)


def odds(seed: int = 0, rows: int = 300, slope: float = 0.4) -> tuple[np.ndarray, np.ndarray]:
    """Log odds that are too large by 1 / slope, and hits."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 5, rows)
    return scores, rng.random(rows) < expit(slope * scores - 0.3)


@pytest.mark.parametrize("weighted", [False, True])
def test_platt_is_that_of_scikit_learn(weighted: bool) -> None:
    scores, hits = odds()
    weights = np.random.default_rng(1).random(len(scores)) if weighted else None
    found, known = Platt.fit(scores, hits, weights), _SigmoidCalibration().fit(scores, hits.astype(int), weights)
    assert np.isclose(found.slope, -known.a_, rtol=1e-5)
    assert np.isclose(found.shift, -known.b_, rtol=1e-5)


@pytest.mark.parametrize("weighted", [False, True])
def test_isotonic_is_that_of_scikit_learn(weighted: bool) -> None:
    scores, hits = odds()
    scores = scores.round(1)  # ties
    weights = np.random.default_rng(1).random(len(scores)) if weighted else None
    found = Isotonic.fit(scores, hits, weights, pseudo=0.0)
    known = IsotonicRegression(out_of_bounds="clip").fit(scores, hits, weights)
    at = np.linspace(-30, 30, 2001)
    assert np.allclose(expit(found.apply(at)), known.predict(at), atol=1e-12)


@pytest.mark.parametrize("kind", MAPS.values(), ids=list(MAPS))
def test_rows_of_no_weight_teach_nothing(kind: Any) -> None:
    """Isotonic regression divided by the weight of what one score holds."""
    scores, hits = odds(rows=60)
    log_proba = np.column_stack([-np.logaddexp(0, scores), -np.logaddexp(0, -scores)])
    said = log_proba if kind is Temperature else scores
    weights = np.random.default_rng(1).integers(0, 3, 60).astype(float)
    weights[[scores.argmin(), scores.argmax()]] = 0.0
    some = weights > 0
    found = [kind.fit(said[at], hits[at].astype(int), weights[at]).apply(said) for at in (slice(None), some)]
    np.testing.assert_allclose(*found, rtol=1e-6)


@pytest.mark.parametrize("pseudo", [0.0, 1.0])
def test_beta_is_a_logistic_regression(pseudo: float) -> None:
    """Soft targets: each row goes in as a hit and as a miss, by weight."""
    scores, hits = odds()
    count = hits.sum()
    high, low = (count + pseudo) / (count + 2 * pseudo), pseudo / (len(hits) - count + 2 * pseudo)
    features = np.column_stack([np.log(expit(scores)), -np.log(expit(-scores))])
    targets = np.where(hits, high, low)
    known = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(
        np.vstack([features, features]), np.repeat([1, 0], len(hits)), np.append(targets, 1 - targets)
    )
    found = BetaMap.fit(scores, hits, pseudo=pseudo)
    assert np.allclose([found.a, found.b], known.coef_[0], atol=1e-4)
    assert np.isclose(found.shift, known.intercept_[0], atol=1e-4)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(6, 60), st.floats(-1.0, 1.0))
def test_slopes_are_never_negative_and_the_loss_is_least(seed: int, rows: int, slope: float) -> None:
    """Against a general minimiser under bounds, also where the model is worse than a guess."""
    scores, hits = odds(seed, rows, slope)
    found = BetaMap.fit(scores, hits)
    features = np.column_stack([-np.logaddexp(0, -scores), np.logaddexp(0, scores), np.ones(rows)])
    count = hits.sum()
    targets = np.where(hits, (count + 1) / (count + 2), 1 / (rows - count + 2))

    def loss(at: np.ndarray) -> float:
        z = features @ at
        return float((np.logaddexp(0, z) - targets * z).sum())

    known = minimize(loss, [0.5, 0.5, 0.0], method="L-BFGS-B", bounds=[(0, None), (0, None), (None, None)])
    assert found.a >= 0
    assert found.b >= 0
    assert loss(np.array([found.a, found.b, found.shift])) <= known.fun + 1e-6


def test_temperature_is_the_best_there_is() -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 2, (400, 4))
    codes = np.array([rng.choice(4, p=np.exp(row)) for row in log_softmax(logits, axis=1)])
    sure = log_softmax(3 * logits, axis=1)
    found = Temperature.fit(sure, codes, pseudo=0.0)
    tried = np.linspace(1.5, 6, 9001)
    losses = [-log_softmax(sure / t, axis=1)[np.arange(400), codes].mean() for t in tried]
    assert np.isclose(found.temperature, tried[np.argmin(losses)], atol=1e-3)
    assert np.isclose(Temperature.fit(sure, codes).temperature, found.temperature, rtol=0.1)


@pytest.mark.parametrize("kind", ONE_BY_ONE)
def test_maps_rise_and_stay_off_the_ends(kind: Any) -> None:
    """Also from rows that are told apart without exception, or are all hits."""
    scores = np.linspace(-5, 5, 41)
    for hits in (scores > 0, np.ones(41, dtype=bool), np.zeros(41, dtype=bool), scores < 0):
        found = kind.fit(scores, hits)
        said = found.apply(np.linspace(-50, 50, 999))
        assert np.isfinite(said).all()
        assert (np.diff(said) >= -1e-12).all()


def test_isotonic_ends_are_laplace_or_as_observed() -> None:
    scores, hits = np.arange(10.0), np.arange(10) >= 6
    assert Isotonic.fit(scores, hits).shares == (1 / 8, 1 / 8, 5 / 6, 5 / 6)
    assert Isotonic.fit(scores, hits, pseudo=0.0).shares == (0, 0, 1, 1)
    assert Isotonic.fit(scores, hits, pseudo=0.0).apply(np.array([-9.0, 5.5, 99.0])).tolist() == [-np.inf, 0, np.inf]


@pytest.mark.parametrize("kind", ONE_BY_ONE)
def test_infinite_evidence_is_learnt_from_and_answered(kind: Any) -> None:
    scores, hits = odds()
    scores[:2] = np.inf, -np.inf
    hits[:2] = True, False
    found = kind.fit(scores, hits)
    said = found.apply(np.array([-np.inf, -800.0, 0.0, 800.0, np.inf]))
    assert not np.isnan(said).any()
    assert np.isfinite(said[1:4]).all()
    flat = kind.fit(scores, ~hits) if kind is not Isotonic else found  # slopes of zero: nothing of infinity is nothing
    assert not np.isnan(flat.apply(np.array([-np.inf, np.inf]))).any()


def test_beta_next_to_the_ends() -> None:
    """As it would be with as many digits as it takes: ln p = -e^-s, and -ln(1 - p) = s, to a double."""
    assert BetaMap(2.0, 3.0, 0.0).apply(np.array([700.0]))[0] == 2100.0
    assert BetaMap(2.0, 3.0, 0.0).apply(np.array([-700.0]))[0] == -1400.0
    scores = np.linspace(-30, 30, 61)
    assert np.allclose(BetaMap(1.0, 1.0, 0.0).apply(scores), scores, atol=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_maps_are_written_down_and_read_back(method: str) -> None:
    scores, hits = odds()
    kind = MAPS[method]
    learnt: Any = scores if kind is not Temperature else np.log(np.column_stack([expit(-scores), expit(scores)]))
    found = kind.fit(learnt, hits.astype(int))
    page = json.loads(json.dumps(found.to_dict()))
    assert page["map"] == method
    assert kind.from_dict(page) == found


def overconfident(classes: int = 2, rows: int = 240) -> tuple[np.ndarray, np.ndarray]:
    """The same column six times, nearly: a naive model counts its evidence six times."""
    rng = np.random.default_rng(2)
    value = rng.normal(size=rows)
    cuts = {2: [0.0], 3: [-0.5, 0.5]}[classes]
    labels = np.digitize(value + rng.normal(0, 0.8, rows), cuts)
    return value[:, None] + rng.normal(0, 0.2, (rows, 6)), np.array(["a", "b", "c"])[labels]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("classes", [2, 3])
def test_an_overconfident_model_is_put_right(method: str, classes: int) -> None:
    X, y = overconfident(classes)
    model = NaiveBayes().fit(X[:160], y[:160])
    found = recalibrate(model, X[:160], y[:160], method)
    assert found.source == "leave-one-out"
    assert len(found.maps) == (1 if classes == 2 or method == "temperature" else 3)
    assert found.after < 0.8 * found.before
    assert not found.worse
    assert "are better" in repr(found)
    proba, codes = found.predict_proba(X[160:]), np.searchsorted(model.classes_, y[160:])
    assert np.allclose(proba.sum(axis=1), 1)
    assert ((proba > 0) & (proba < 1)).all()
    fresh = [-np.log(p[np.arange(80), codes]).mean() for p in (proba, model.predict_proba(X[160:]))]
    assert fresh[0] < 0.8 * fresh[1]
    assert np.array_equal(found.predict(X), model.classes_[found.predict_proba(X).argmax(axis=1)])
    page = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    again = tuple(MAPS[one["map"]].from_dict(one) for one in page["maps"])
    assert np.array_equal(np.exp(mapped(again, model.predict_log_proba(X[160:]))), proba)


def test_what_is_calibrated_already_gets_no_better() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(1.5 * y[:, None], 1.0, (60, 1))
    found = recalibrate(NaiveBayes().fit(X, y), X, y, "isotonic")
    assert found.after > found.before
    assert found.worse
    assert "keep the model as it is" in found.words


def test_two_classes_map_the_same_whichever_is_first() -> None:
    X, y = overconfident()
    swapped = np.where(y == "a", "z", y)  # now the second
    one, other = (recalibrate(NaiveBayes().fit(X, labels), X, labels, "beta") for labels in (y, swapped))
    assert np.allclose(one.predict_proba(X), other.predict_proba(X)[:, ::-1], atol=1e-8)


def test_a_model_that_cannot_leave_rows_out_is_cross_validated() -> None:
    X, y = overconfident()
    model = LogisticRegression().fit(X, y)
    found = recalibrate(model, X, y, "platt")
    assert found.source == "10-fold cross-validation"
    run = cross_validate(model, X, y)
    assert found.maps == (Platt.fit(run.log_proba[:, 1] - run.log_proba[:, 0], y == "b"),)


def test_weights() -> None:
    """A weight of two is a row twice, and of none no row."""
    X, y = overconfident()
    weights = np.resize([1.0, 2.0, 0.0], len(y))
    model = NaiveBayes().fit(X, y, weights)
    found = recalibrate(model, X, y, "platt", weights)
    left_out = model.leave_one_out(X, y, weights)[weights > 0]
    scores = np.log(left_out[:, 1]) - np.log(left_out[:, 0])
    twice = np.repeat(np.arange(len(scores)), weights[weights > 0].astype(int))
    wanted = Platt.fit(scores[twice], (y[weights > 0] == "b")[twice])
    assert np.allclose([found.maps[0].slope, found.maps[0].shift], [wanted.slope, wanted.shift])  # type: ignore[union-attr]


def test_a_model_sure_beyond_doubles() -> None:
    X, y = overconfident()
    X = np.hstack([X] * 60)
    model = NaiveBayes().fit(X, y)
    assert (model.predict_proba(X) == 0).any()
    for method in METHODS:
        found = recalibrate(model, X, y, method)
        assert found.source == "leave-one-out"  # in logs, where nothing is rounded to 0
        assert 10 < found.before < np.inf
        assert found.after < 1
        proba = found.predict_proba(X)
        assert ((proba > 0) & (proba < 1)).all()


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda m, X, y: recalibrate(m, X, y, "plat"), "O347"),
        (lambda m, X, y: recalibrate(m, X, y, ["platt"]), "O347"),
        (lambda m, X, y: recalibrate(None, X, y), "O342"),
        (lambda m, X, y: recalibrate(NaiveBayes, X, y), "O342"),
        (lambda m, X, y: recalibrate(recalibrate(m, X, y), X, y), "O342"),
        (lambda m, X, y: recalibrate(LogisticRegression(), X, y), "M308"),
        (lambda m, X, y: recalibrate(NaiveBayes().fit(X, ["a"] * len(y)), X, ["a"] * len(y)), "O349"),
        (lambda m, X, y: Platt.fit(np.array([0.0, np.nan]), np.array([True, False])), "O345"),
        (lambda m, X, y: Platt.fit(np.array([0.0, 1.0]), np.array([True, True]), pseudo=0.0), "O346"),
        (lambda m, X, y: recalibrate(m, X, np.where(y == "a", "q", y)), "O321"),
    ],
)
def test_refusals(call: Any, code: str) -> None:
    X, y = overconfident()
    with pytest.raises(LikelyError) as error:
        call(NaiveBayes().fit(X, y), X, y)
    assert error.value.code == code


def test_a_small_difference_may_be_chance() -> None:
    """A model that is right: row by row, the map does as well, and no better."""
    rng = np.random.default_rng(3)
    y = np.arange(400) % 2
    X = rng.normal(1.5 * y[:, None], 1.0, (400, 1))
    found = recalibrate(NaiveBayes().fit(X, y), X, y, "platt")
    assert abs(found.after - found.before) < 2 * found.error
    assert not found.better
    assert not found.worse
    assert "may be chance: keep the model as it is" in found.words
    X, y = overconfident()
    assert recalibrate(NaiveBayes().fit(X, y), X, y, "platt").better


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("classes", [2, 3])
def test_a_recalibrated_model_is_saved_and_loaded_to_the_last_bit(tmp_path: Path, method: str, classes: int) -> None:
    rng = np.random.default_rng(classes)
    y = rng.integers(0, classes, 150)
    X = rng.normal(y[:, None], 2, (150, 3))
    found = recalibrate(NaiveBayes().fit(X, y), X, y, method)
    found.save(tmp_path / "m.likely")
    again = likely.load(tmp_path / "m.likely")
    assert again.predict_proba(X).tobytes() == found.predict_proba(X).tobytes()
    assert again.decide(X, reject=0.3).tolist() == found.decide(X, reject=0.3).tolist()
    assert again.to_dict() == found.to_dict()
    assert again.explain(X[:2]).terms.tobytes() == found.model.explain(X[:2]).terms.tobytes()
    assert again.plot() is not None


@pytest.mark.parametrize(
    "page", [3, {}, {"method": "magic"}, {"method": "platt", "maps": [{"slope": 1}]}, {"method": "platt", "maps": 1}]
)
def test_a_recalibration_that_cannot_be_read(tmp_path: Path, page: Any) -> None:
    X, y = overconfident()
    NaiveBayes().fit(X, y).save(tmp_path / "m.likely", recalibration=page if isinstance(page, dict) else {"maps": page})
    with pytest.raises(StoreError, match="F404"):
        likely.load(tmp_path / "m.likely")


@pytest.mark.parametrize("kind", [Platt, BetaMap])
@pytest.mark.parametrize("hit", [False, True])
def test_rows_of_one_kind_that_outweigh_the_smoothing_are_believed(kind: Any, hit: bool) -> None:
    """The start was infinite, and the map said one half of every row."""
    found = kind.fit(np.array([1.0, -1.0, 2.0]), np.full(3, hit), np.full(3, 1e30))
    said = expit(found.apply(np.array([-3.0, 0.0, 3.0])))
    np.testing.assert_allclose(said, float(hit), atol=1e-12)
