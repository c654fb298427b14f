"""Densities of numbers and texts drawn many times at once: as one by one by scipy, and drawn but once for all rows."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import likely
from likely.beliefs import NormalInverseWishart
from likely.data import open_source
from likely.families.draws import Draws
from likely.families.multivariate.covariances import PooledScatter, Posterior
from likely.families.multivariate.spherical import SphericalBeliefs
from likely.families.parzen_densities import DrawnGridDensity
from likely.kernels.densities import parzen_windows
from likely.models.posterior_draws import Redrawn

DRAWS = 600


def numbers(missing: float, rows: int = 60) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=rows)
    X = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, 3)) + y[:, None]
    X[rng.random(X.shape) < missing] = np.nan
    return pd.DataFrame(X, columns=list("abc")), y


def redrawn(model: Any, some: pd.DataFrame, times: int = DRAWS) -> np.ndarray:
    """(rows, draws): P(class 1)."""
    (task,) = open_source(some).tasks(model.model_.schema, False, 10)
    return Redrawn.of(model.model_, 5, times).proba(task())[..., 1]


def posterior(said: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(draws,): P(class 1) from log densities (draws, classes), class shares drawn under Laplace's prior."""
    joint = said + np.log(rng.dirichlet(np.bincount(y) + 1.0, len(said)))
    return 1.0 / (1.0 + np.exp(joint[:, 0] - joint[:, 1]))


def vectors_by_hand(model: likely.GaussianBayes, row: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(draws, classes): log densities under means and covariances that scipy draws one by one."""
    ((_, predictor),) = model.model_._predictors.parts
    seen, how, here = predictor.learnt.seen, predictor.learnt.how, ~np.isnan(row)
    out = np.empty((DRAWS, 2))
    if how.covariance == "spherical":
        found, _ = SphericalBeliefs.sound(seen, how)
    else:
        found, _ = Posterior.sound(seen, PooledScatter.of(seen, how), how)
    for draw in range(DRAWS):
        for cell in range(2):
            if how.covariance == "spherical":
                degrees = found.degrees[cell]
                scale = found.variance[cell] * degrees / 2.0
                covariance = np.eye(3) * stats.invgamma.rvs(degrees / 2.0, scale=scale, random_state=rng)
            elif cell == 0 or how.covariance == "full":
                degrees, unit = found.degrees[cell], np.diag(seen.deviation.reshape(-1)[:3])
                scale = unit @ found.core[cell] @ unit * degrees
                covariance = stats.invwishart.rvs(degrees + 2.0, scale, random_state=rng)
            worth = 1.0 / np.sqrt(found.worth[cell])
            mean = rng.multivariate_normal(found.mean[cell], covariance * np.outer(worth, worth))
            inside = covariance[np.ix_(here, here)]
            out[draw, cell] = stats.multivariate_normal.logpdf(row[here], mean[here], inside)
    return out


@pytest.mark.parametrize("missing", [pytest.param(0.0, marks=pytest.mark.slow), 0.2])
@pytest.mark.parametrize("covariance", ["full", "shared", "spherical"])
def test_vectors_are_drawn_as_by_scipy(covariance: str, missing: float) -> None:
    X, y = numbers(missing)
    model = likely.GaussianBayes(covariance=covariance, estimate="bayes").fit(X, y)
    some = pd.DataFrame([[0.5, 0.2, -0.3], [1.0, np.nan, 0.4]], columns=list("abc"))
    found, rng = redrawn(model, some), np.random.default_rng(1)
    for at, row in enumerate(some.to_numpy()):
        wanted = posterior(vectors_by_hand(model, row, rng), y, rng)
        assert stats.ks_2samp(found[at], wanted).pvalue > 1e-3


@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_covariances_are_drawn_once_for_all_rows(covariance: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = numbers(0.1, 900)
    model = likely.GaussianBayes(covariance=covariance).fit(X, y)
    calls, real = [], NormalInverseWishart.sample
    monkeypatch.setattr(NormalInverseWishart, "sample", lambda *given: (calls.append(1), real(*given))[1])
    whole = model.interval(X)
    assert len(calls) == 1
    np.testing.assert_allclose(model.interval(X[100:120]), whole[100:120], rtol=1e-8)


WINDOWS = list(product(["bayes", "mle"], ["gaussian", "triangular", "epanechnikov"], [0.0, 0.2]))
QUICK_WINDOWS = [("bayes", "gaussian", 0.2), ("bayes", "triangular", 0.0), ("mle", "epanechnikov", 0.2)]


@pytest.mark.parametrize(
    ("estimate", "kernel", "missing"),
    [one if one in QUICK_WINDOWS else pytest.param(*one, marks=pytest.mark.slow) for one in WINDOWS],
)
def test_windows_are_drawn_as_one_by_one(estimate: str, kernel: str, missing: float) -> None:
    X, y = numbers(missing)
    model = likely.ParzenBayes(kernel=kernel, estimate=estimate, bandwidth=1.5).fit(X[["a", "b"]], y)
    ((_, predictor),) = model.model_._predictors.parts
    some = pd.DataFrame([[0.5, 0.2], [1.0, np.nan]], columns=["a", "b"])
    found, rng, points = redrawn(model, some), np.random.default_rng(1), predictor.points
    said = np.empty((2, DRAWS, 2))
    for draw in range(DRAWS):  # the same windows, of which each point has another weight
        weights = rng.gamma(points.weights.astype(float))
        base = rng.gamma(predictor.base) if estimate == "bayes" else predictor.base
        one = replace(predictor.described, points=type(points)(points.values, points.cells, weights), base=base)
        said[:, draw] = one.scores(some.to_numpy())
    for at in range(2):
        assert stats.ks_2samp(found[at], posterior(said[at], y, rng)).pvalue > 1e-3


def test_words_are_drawn_as_by_dirichlet() -> None:
    texts = ["red red blue", "blue green", "red", "green green blue", "green", "blue blue red"]
    y = np.array([0, 1, 0, 1, 1, 0])
    model = likely.NaiveBayes(kinds={"t": "text"}).fit(pd.DataFrame({"t": texts}), y)
    found, rng = redrawn(model, pd.DataFrame({"t": ["red blue blue"]})), np.random.default_rng(1)
    counts = np.array([[text.split().count(word) for word in ("blue", "green", "red")] for text in texts])
    shares = [np.log(rng.dirichlet(counts[y == cell].sum(axis=0) + 1.0, DRAWS)) for cell in range(2)]
    said = np.stack([each @ [2.0, 0.0, 1.0] for each in shares], axis=1)
    assert stats.ks_2samp(found[0], posterior(said, y, rng)).pvalue > 1e-3


@pytest.mark.parametrize("model", [likely.GaussianBayes(), likely.ParzenBayes(), likely.NaiveBayes()], ids=repr)
def test_limits_are_quantiles(model: Any) -> None:
    X, y = numbers(0.1)
    model.fit(X, y)
    (task,) = open_source(X[:5]).tasks(model.model_.schema, False, 10)
    drawn = Redrawn.of(model.model_, 7, 400).proba(task())
    wanted = np.moveaxis(np.quantile(drawn, [0.05, 0.95], axis=1), 0, -1)
    np.testing.assert_allclose(model.interval(X[:5], level=0.9, seed=7), wanted, rtol=1e-9)
    np.testing.assert_array_equal(model.interval(X[:5], seed=7), model.interval(X[:5], seed=7))


@pytest.mark.parametrize("kernel", range(5))
@pytest.mark.parametrize("width", [0.06, 0.4, 3.0])
def test_drawn_weights_are_smoothed_as_tables_are(width: float, kernel: int) -> None:
    rng = np.random.default_rng(2)
    counts = rng.gamma(1.0, size=(7, 300)) * (rng.random(300) < 0.4)
    values, nodes = rng.uniform(-9, 12, 500), np.flatnonzero(counts[0])
    wanted = parzen_windows.DensityTables.of(counts, np.full(7, width), kernel, -1.0, 0.01).at(values)
    found = DrawnGridDensity.of(nodes, counts[:, nodes], width, kernel, -1.0, 0.01).at(values)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("weight", [1e-3, 1e-6])
@pytest.mark.parametrize("estimate", ["bayes", "mle"])
def test_points_of_next_to_no_weight_leave_limits_finite(estimate: str, weight: float) -> None:
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(40, 2)), np.repeat([0, 1], 20), np.ones(40)
    X[20:39, 0], weights[39] = np.nan, weight
    limits = likely.ParzenBayes(estimate=estimate).fit(X, y, sample_weight=weights).interval([[0.2, np.nan]], seed=0)
    assert np.isfinite(limits).all()


def test_a_base_of_next_to_no_weight_leaves_limits_finite() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), np.repeat([0, 1], 20)
    X[20:, 0] = np.nan
    limits = likely.NaiveBayes(kinds="parzen", smoothing=1e-3).fit(X, y).interval([[0.3, np.nan]], seed=0)
    assert np.isfinite(limits).all()


def test_classes_that_borrow_the_same_values_share_their_draws() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.repeat([0, 1, 2], 20)
    X[20:, 0] = np.nan
    model = likely.NaiveBayes(kinds="parzen", estimate="mle", priors="uniform").fit(X, y)
    block = next(iter(open_source(np.array([[0.3, np.nan]])).tasks(model.model_.schema, False, 1)))()
    drawn = Redrawn.of(model.model_, 0, 50).proba(block)[0]
    np.testing.assert_allclose(drawn[:, 1], drawn[:, 2], rtol=1e-12)


def test_covariances_of_many_columns_are_inverted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were made again for every hundred rows, as they took more room than matrices of missing values may."""
    from likely.families.multivariate.marginals import Marginal

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 50)), np.arange(200) % 3
    model = likely.GaussianBayes().fit(X, y)
    made, real = [], Marginal.of.__func__
    monkeypatch.setattr(Marginal, "of", classmethod(lambda *given: (made.append(len(given[2])), real(*given))[1]))
    monkeypatch.setattr("likely.models.posterior_draws.MOST_ROWS_AT_A_TIME", 64)
    model.interval(X)
    assert made == [3 * 400]


@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_rows_with_missing_values_are_judged_as_by_each_pattern_alone(covariance: str) -> None:
    rng = np.random.default_rng(1)
    y = np.arange(300) % 3
    X = rng.normal(size=(300, 5)) + y[:, None]
    X[rng.random(X.shape) < 0.2] = np.nan
    model = likely.GaussianBayes(covariance).fit(X, y)
    drawn = model.model_._predictors.drawn(Draws.of(0, 60))
    normals = drawn.scorers[0].normals
    assert len(normals.mean) == 180
    assert normals._inverse is not None
    np.testing.assert_allclose(normals.log_density(X), normals._by_patterns(X), rtol=1e-9, atol=1e-9)
