"""A thousand tables that are close to singular, tiny or far from zero: never a NaN, and a fallback that is told."""

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import likely
from likely.checks.family_laws import predictors
from likely.checks.tables import Encoded
from likely.core.block import Block
from likely.core.numerics import log_sum_exp
from likely.core.schema import Column, Schema
from likely.families.draws import Draws
from likely.families.multivariate.covariances import SINGULAR_EIGENVALUE
from likely.families.multivariate.density import COVARIANCES, MULTIVARIATE_ESTIMATES, SHRINKAGES, Multivariate
from likely.families.predictor import Setting

FAMILIES = [Multivariate(covariance, estimate) for covariance in COVARIANCES for estimate in MULTIVARIATE_ESTIMATES] + [
    Multivariate(covariance, estimate, shrinkage)
    for covariance in ("full", "shared")
    for estimate in ("mle", "unbiased", "map")
    for shrinkage in (0.0, 0.3, *SHRINKAGES)
]


def learn(family, X, y, weights=None, classes=3, setting=Setting()):  # noqa: B008  frozen
    columns = tuple(Column(f"x{j}", "real") for j in range(X.shape[1]))
    block = Block(len(X), np.zeros((len(X), 0), np.uint8), X, (), np.asarray(y, dtype=np.int32), weights)
    rows = Encoded(Schema(columns, Column("y", "category", tuple(range(classes)))), block)
    ((_, predictor),) = predictors(family, rows, setting)
    return predictor, block


def difficult(seed):
    """Tables of a row and more, of columns that nearly repeat each other, in any units, up to 1e8 deviations away."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.choice([1, 2, 3, 5, 8, 20])), int(rng.integers(1, 7))
    y = rng.integers(0, 3, rows)
    rank = int(rng.integers(1, columns + 1))
    X = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, columns))
    X += rng.normal(size=X.shape) * 10.0 ** -rng.integers(0, 17)
    X[:, rng.random(columns) < 0.15] = 1.0
    if rng.random() < 0.3:
        X = np.round(X)
    X = (X + rng.choice([0.0, 1.0, 1e4, 1e8])) * 10.0 ** rng.integers(-9, 10, columns)
    if rng.random() < 0.3:
        X[rng.random(X.shape) < 0.3] = np.nan
    return X, y, None if rng.random() < 0.7 else rng.choice([0.1, 1.0, 3.0], rows)


def finite(seed, family, smoothing):
    """Everything that a family says of a difficult table is a number."""
    X, y, weights = difficult(seed)
    predictor, block = learn(family, X, y, weights, setting=Setting(smoothing=smoothing))
    out = np.zeros((len(X), 3))
    predictor.add(block, out)
    assert np.isfinite(out).all()
    assert np.abs(np.exp(out - log_sum_exp(out)[:, None]).sum(axis=1) - 1).max() < 1e-9
    terms = predictor.terms(block)
    assert (np.abs(terms.sum(axis=1) - out) <= 1e-12 * (np.abs(terms).sum(axis=1) + 1)).all()
    assert np.isfinite(predictor.without(block)).all()
    rng = np.random.default_rng(seed)
    drawn = np.zeros((len(X), 2 * 3))
    predictor.drawn(Draws.of(seed, 2)).add(block, drawn)
    assert np.isfinite(drawn).all()
    if smoothing != 1e-12 or family.estimate != "bayes":  # so few degrees have values that are no doubles
        assert np.isfinite(predictor.sample(np.array([0, 1, 2]), rng)).all()
    assert predictor.fallbacks.shape == (3,)


CASES = given(st.integers(0, 10**9), st.sampled_from(FAMILIES), st.sampled_from([0.0, 1e-12, 1.0]))


@settings(max_examples=250, phases=set(Phase) - {Phase.explain})
@CASES
def test_no_nan_ever(seed, family, smoothing):
    finite(seed, family, smoothing)


@pytest.mark.slow
@settings(max_examples=5000, phases=set(Phase) - {Phase.explain})
@CASES
def test_no_nan_in_thousands_of_tables(seed, family, smoothing):
    finite(seed, family, smoothing)


@settings(max_examples=300, deadline=None, derandomize=True, phases=set(Phase) - {Phase.explain})
@given(st.integers(0, 10**9), st.sampled_from(["full", "shared", "diagonal", "tied-diagonal", "spherical"]))
def test_fallbacks_are_told(seed, covariance):
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(1, 16)), int(rng.integers(1, 4))
    X, y = rng.integers(0, 3, (rows, columns)).astype(float), rng.integers(0, 3, rows)
    predictor, _ = learn(Multivariate(covariance, "mle"), X + 1e6, y)
    live = X[:, np.ptp(X, axis=0) > 0]
    away = [live[y == cell] - live[y == cell].mean(axis=0) if (y == cell).any() else live[:0] for cell in range(3)]
    if not live.shape[1]:
        pass  # nothing to invert
    elif covariance in ("shared", "full"):
        rank = [np.linalg.matrix_rank(part) if part.size else 0 for part in [*away, np.vstack(away)]]
        poor = [r < live.shape[1] for r in rank]
        assert predictor.fallbacks.tolist() == (poor[:3] if covariance == "full" else poor[3:] * 3)
    else:
        spread = np.array([(part**2).sum(axis=0) for part in away])
        spread = {"tied-diagonal": spread.sum(axis=0) + 0 * spread, "spherical": spread.sum(axis=1, keepdims=True)}.get(
            covariance, spread
        )
        assert predictor.fallbacks.tolist() == (spread < 1e-9).any(axis=1).tolist()


def test_the_fallback_is_the_one_that_is_stated():
    X = np.array([[0.0, 0.0, 9.0], [1.0, 1.0, 9.0], [2.0, 2.0, 9.0], [7.0, 1.0, 9.0], [5.0, 3.0, 9.0], [6.0, 8.0, 9.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    for s in (0.0, 1.0, 4.0):
        predictor, _ = learn(Multivariate("full", "mle"), X, y, setting=Setting(smoothing=s))
        scatter = [np.cov(X[y == c, :2].T, bias=True) * 3 for c in (0, 1)]
        within = (np.diag(sum(scatter)) + (s or 1) * X[:, :2].var(axis=0)) / (6 + (s or 1))
        worth = max(s, 1.0)
        truth = (scatter[0] + worth * np.diag(within)) / (3 + worth)
        assert predictor.fallbacks.tolist() == [True, False, True]
        np.testing.assert_allclose(predictor.covariances[0, :2, :2], truth, rtol=1e-12)
        np.testing.assert_allclose(predictor.covariances[1, :2, :2], scatter[1] / 3, rtol=1e-12)
        np.testing.assert_allclose(predictor.covariances[2, :2, :2], np.diag(within), rtol=1e-12)
        np.testing.assert_allclose(predictor.means[2], X.mean(axis=0), rtol=1e-12)
        assert not predictor.covariances[:, 2].any()


@pytest.mark.parametrize("estimate", ["map", "bayes"])
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_a_prior_needs_no_fallback(covariance, estimate):
    X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    predictor, _ = learn(Multivariate(covariance, estimate), X, np.array([0, 0, 1]))
    assert not predictor.fallbacks.any()
    predictor, _ = learn(Multivariate(covariance, estimate), X, np.array([0, 0, 1]), setting=Setting(smoothing=0.0))
    assert predictor.fallbacks.any()


def test_close_to_singular():
    rng = np.random.default_rng(0)
    for gap, poor in ((1e-3, False), (1e-6, True)):
        X = rng.normal(size=(50, 2))
        X[:, 1] = X[:, 0] + gap * X[:, 1]
        predictor, _ = learn(Multivariate("full", "mle"), X + 1e3, np.zeros(50), classes=1)
        assert (gap**2 < SINGULAR_EIGENVALUE) == poor
        assert predictor.fallbacks.tolist() == [poor]


@pytest.mark.parametrize("covariance", ["full", "shared"])
@pytest.mark.parametrize("estimate", ["mle", "bayes"])
def test_few_rows_near_a_line_and_far_from_zero(covariance, estimate):
    for seed in (18, 520, 963, *range(0, 1000, 25)):  # the first have columns whose spread is all but lost in rounding
        rng = np.random.default_rng(seed)
        rows, columns, classes = (int(rng.integers(1, most)) for most in (15, 7, 4))
        X = rng.normal(size=(rows, max(1, columns // 2))) @ rng.normal(size=(max(1, columns // 2), columns))
        X = X + 10.0 ** rng.integers(-12, 0) * rng.normal(size=X.shape)
        X = X * 10.0 ** rng.integers(-6, 6) + 10.0 ** rng.integers(-3, 9) * rng.choice([-1, 1], size=columns)
        if rng.random() < 0.3:
            X[rng.random(X.shape) < 0.2] = np.nan
        if rng.random() < 0.2:
            X[:, 0] = 5.0
        y = rng.integers(0, classes, rows)
        model = likely.GaussianBayes(covariance, estimate).fit(X, y)
        strange = np.vstack([X, X + rng.normal(size=X.shape) * 10.0 ** rng.integers(-3, 6)])
        for proba in (model.predict_proba(strange), model.leave_one_out(X, y)):
            assert np.isfinite(proba).all()
            assert np.abs(proba.sum(axis=1) - 1.0).max() < 1e-12
        told = any(note.code == "singular" for note in model.notes_)
        assert told == bool(model.model_.dense.fallbacks.any())
