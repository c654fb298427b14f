"""Leaving a row out of normal vectors, against learning the other rows."""

import warnings

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
from likely.errors import NotLearntError
from likely.families.multivariate import leave_one_out as vectors_without
from likely.families.multivariate.density import COVARIANCES, MULTIVARIATE_ESTIMATES, SHRINKAGES, Multivariate
from likely.families.predictor import Setting

FAMILIES = [Multivariate(covariance, estimate) for covariance in COVARIANCES for estimate in MULTIVARIATE_ESTIMATES] + [
    Multivariate(covariance, estimate, shrinkage)
    for covariance in ("full", "shared")
    for estimate in ("mle", "unbiased", "map")
    for shrinkage in (0.3, *SHRINKAGES)
]
# what shrinks is the covariance, whatever the estimate then is
TRIED = [
    pytest.param(
        family,
        id=f"{family.covariance}-{family.estimate}-{family.shrinkage}",
        marks=[pytest.mark.slow] if family.shrinkage and family.estimate != "mle" else [],
    )
    for family in FAMILIES
]


def encoded(X, y, weights=None, classes=3):
    columns = tuple(Column(f"x{j}", "real") for j in range(X.shape[1]))
    block = Block(len(X), np.zeros((len(X), 0), np.uint8), X, (), np.asarray(y, dtype=np.int32), weights)
    return Encoded(Schema(columns, Column("y", "category", tuple(range(classes)))), block)


def check(family, rows, setting):
    """Leaving each row out is learning the others: the log densities, and the probabilities that they give."""
    ((_, predictor),) = predictors(family, rows, setting)
    without = predictor.without(rows.block)
    assert np.isfinite(without).all()
    every = np.arange(len(rows))
    for row in every:
        ((_, rest),) = predictors(family, rows.take(every[every != row]), setting)
        truth = np.zeros((1, without.shape[1]))
        rest.add(rows.take([row]).block, truth)
        assert np.abs(without[row] - truth).max() <= 1e-8 * (1 + np.abs(truth).max()), row
        said, known = (np.exp(each - log_sum_exp(each)) for each in (without[row], truth[0]))
        assert np.abs(said - known).max() <= 1e-8, row


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("family", TRIED)
def test_without_is_a_refit(family, holes):
    rng = np.random.default_rng(0)
    y = np.arange(13) % 2
    y[7] = 2  # a class of one row, which leaving it out empties
    X = rng.normal(size=(13, 3)) @ rng.normal(size=(3, 3)) + 3 * y[:, None] + [0, 100, -5]
    if holes:
        X[rng.random(X.shape) < 0.25] = np.nan
    for weights, missing in ((None, "ignore"), (rng.choice([0.5, 1.0, 2.0], 13), "informative")):
        check(family, encoded(X, y, weights), Setting(missing=missing))
    check(family, encoded(X, y), Setting(smoothing=0.0))


def awkward(seed):
    """Few rows, equal and proportional columns, a value that is alone, holes, and numbers far from zero."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(1, 9)), int(rng.integers(1, 4))
    X, y = rng.normal(size=(rows, columns)), rng.integers(0, 3, rows)
    how = rng.integers(6)
    if how == 0:
        X = rng.integers(0, 2, X.shape).astype(float)
    elif how == 1:
        X = rng.integers(0, 4, X.shape) + 1e8
    elif how == 2:
        X[:, 0] = 5.0
        X[rng.integers(rows), 0] = rng.choice([6.0, 1e9])
    elif how == 3:
        X[:, -1] = 2 * X[:, 0] + 1
    elif how == 4:
        X[rng.random(X.shape) < 0.4] = np.nan
    else:
        X = X[rng.integers(0, rows, rows)]
    return X, y, None if rng.random() < 0.5 else rng.choice([0.5, 1.0, 2.0, 0.1], rows)


@settings(max_examples=60, deadline=None, derandomize=True, phases=set(Phase) - {Phase.explain})
@given(st.integers(0, 10**6), st.sampled_from(FAMILIES), st.sampled_from([0.0, 0.5, 1.0]))
def test_without_is_a_refit_of_awkward_rows(seed, family, smoothing):
    check(family, encoded(*awkward(seed)), Setting(smoothing=smoothing))


@pytest.mark.parametrize("estimate", ["mle", "unbiased"])
@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_rows_that_change_little_are_taken_out_without_a_refit(covariance, estimate, monkeypatch):
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 3)) + y[:, None]
    classes = 4 if covariance == "shared" else 3  # the fourth has no rows, and the mean of all
    rows, asked = encoded(X, y, classes=classes), []
    refit = vectors_without.refit

    def counted(learnt, rows, at, classes):
        asked.append(len(at))
        return refit(learnt, rows, at, classes)

    monkeypatch.setattr(vectors_without, "refit", counted)
    check(Multivariate(covariance, estimate), rows, Setting())
    assert not sum(asked)
    X[0, 0] = 7e3  # far out: what is left without it is nothing beside it
    check(Multivariate(covariance, estimate), encoded(X, y, classes=classes), Setting())
    assert sum(asked) == 1


def test_a_column_that_falls_silent_and_a_covariance_that_falls_singular():
    rng = np.random.default_rng(2)
    y = np.arange(16) % 2
    X = np.column_stack([np.full(16, 5.0), rng.normal(size=(16, 2))])
    X[3, 0] = 7.0  # alone: without it the column has no spread
    for family in FAMILIES:
        check(family, encoded(X, y, classes=2), Setting())
    X = rng.normal(size=(16, 3))
    X[y == 0, 2] = X[y == 0, 1]
    X[4, 2] = 9.0  # alone: without it two columns of the class are one
    for family in FAMILIES:
        check(family, encoded(X, y, classes=2), Setting())


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_rows_that_were_never_learnt_are_refused(covariance):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(12, 2)), np.arange(12) % 2
    family, rows = Multivariate(covariance, "mle"), encoded(X, y, classes=2)
    ((_, predictor),) = predictors(family, rows, Setting())
    X[5] = 50.0
    with pytest.raises(NotLearntError, match="M301") as caught:
        predictor.without(encoded(X, y, classes=2).block)
    assert caught.value.place == "row 5"


@pytest.mark.parametrize("constant", [0.0, 3.0])
@pytest.mark.parametrize("others", [0, 3], ids=["alone", "with-three"])
@pytest.mark.parametrize("family", TRIED)
def test_the_one_value_that_differs_in_its_class_can_leave(family, others, constant):
    """Without it the column has no spread in its class, or none at all, and rounding must leave none."""
    y = np.arange(330) % 2
    X = np.random.default_rng(0).normal(size=(330, 3))
    X[:, 1] = constant
    odd = [10, *np.flatnonzero(y == 1)[[3, 20, 40][:others]]]
    X[odd, 1] = 0.111111
    model = likely.GaussianBayes(family.covariance, estimate=family.estimate, shrinkage=family.shrinkage)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = model.fit(X, y).leave_one_out(X, y)
        for row in (*odd, 0, 1):
            rest = np.arange(len(y)) != row
            refit = model.fit(X[rest], y[rest]).predict_proba(X[[row]])[0]
            np.testing.assert_allclose(said[row], refit, rtol=1e-8, atol=1e-10)
