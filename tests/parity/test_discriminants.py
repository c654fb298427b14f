"""GaussianBayes and LinearDiscriminant against scikit-learn and scipy."""

import numpy as np
import pytest
from scipy import stats
from sklearn.covariance import OAS
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

import likely
from likely.errors import OptionError

TABLES = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
PAIRS = {
    "full": (likely.GaussianBayes, QuadraticDiscriminantAnalysis),
    "shared": (lambda: likely.GaussianBayes("shared"), lambda: LinearDiscriminantAnalysis(solver="lsqr")),
    "discriminant": (likely.LinearDiscriminant, LinearDiscriminantAnalysis),
    "given": (
        lambda: likely.GaussianBayes("shared", shrinkage=0.3),
        lambda: LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.3),
    ),
    "ledoit-wolf": (
        lambda: likely.GaussianBayes("shared", shrinkage="ledoit-wolf"),
        lambda: LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    ),
    "oas": (
        lambda: likely.GaussianBayes("shared", shrinkage="oas"),
        lambda: LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=OAS()),
    ),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("pair", PAIRS)
def test_probabilities_are_those_of_scikit_learn(table, pair):
    X, y = TABLES[table]
    ours, theirs = PAIRS[pair]
    expected = theirs().fit(X, y).predict_proba(X)
    assert np.abs(ours().fit(X, y).predict_proba(X) - expected).max() < 1e-8


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("components", [1, 2])
def test_projections_span_the_same_space(table, components):
    X, y = TABLES[table]
    ours = likely.LinearDiscriminant(components=components).fit(X, y)
    theirs = LinearDiscriminantAnalysis(n_components=components).fit(X, y)
    mine, other = ours.transform(X), theirs.transform(X)
    assert mine.shape == other.shape
    assert np.abs(np.abs(mine) - np.abs(other)).max() < 1e-8
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-8)
    within = sum(np.cov(mine[y == c].T, ddof=0) * (y == c).sum() for c in set(y)) / len(y)
    np.testing.assert_allclose(np.atleast_2d(within), np.eye(components), atol=1e-10)


def test_eigenvalues_solve_the_generalised_problem():
    from scipy.linalg import eigh

    X, y = TABLES["wine"]
    model = likely.LinearDiscriminant().fit(X, y)
    share = np.bincount(y) / len(y)
    away = model.means_ - share @ model.means_
    between = (share[:, None] * away).T @ away
    expected = eigh(between, model.covariances_[0], eigvals_only=True)[::-1][:2]
    np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-9)


@pytest.mark.parametrize("covariance", ["full", "shared", "diagonal", "spherical", "tied-diagonal"])
@pytest.mark.parametrize("estimate", ["mle", "unbiased", "map"])
def test_log_densities_and_coefficients_are_scipys(covariance, estimate):
    X, y = TABLES["iris"]
    model = likely.GaussianBayes(covariance, estimate).fit(X, y)
    said = model.log_likelihood(X)
    expected = np.column_stack(
        [stats.multivariate_normal(m, c).logpdf(X) for m, c in zip(model.means_, model.covariances_, strict=True)]
    )
    np.testing.assert_allclose(said, expected, rtol=1e-10, atol=1e-10)
    g = np.einsum("ni,kij,nj->nk", X, model.quadratic_, X) + X @ model.linear_.T + model.constant_
    np.testing.assert_allclose(g, expected + np.log(np.bincount(y) / len(y)), rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("covariance", ["full", "shared", "diagonal"])
def test_missing_values_by_the_marginal(covariance):
    X, y = TABLES["iris"]
    model = likely.GaussianBayes(covariance).fit(X, y)
    rng = np.random.default_rng(0)
    holes = np.where(rng.random(X.shape) < 0.4, np.nan, X)
    said = model.log_likelihood(holes)
    for row, values in enumerate(holes):
        at = np.flatnonzero(~np.isnan(values))
        for k in range(3):
            normal = (model.means_[k][at], model.covariances_[k][np.ix_(at, at)])
            expected = stats.multivariate_normal(*normal).logpdf(values[at]) if len(at) else 0.0
            assert abs(said[row, k] - expected) < 1e-10 * max(1.0, abs(expected))
    quadratic, linear, constant = model.discriminant([0, 2])
    g = np.einsum("ni,kij,nj->nk", X[:, [0, 2]], quadratic, X[:, [0, 2]]) + X[:, [0, 2]] @ linear.T + constant
    some = np.full_like(X, np.nan)
    some[:, [0, 2]] = X[:, [0, 2]]
    np.testing.assert_allclose(g, model.log_likelihood(some) + model.model_.log_prior, rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_unbiased_covariances_are_numpys(covariance):
    X, y = TABLES["wine"]
    found = likely.GaussianBayes(covariance, "unbiased").fit(X, y).covariances_
    own = [np.cov(X[y == c].T) for c in range(3)]
    pooled = sum(cov * (np.sum(y == c) - 1) for c, cov in enumerate(own)) / (len(y) - 3)
    np.testing.assert_allclose(found, own if covariance == "full" else [pooled] * 3, rtol=1e-10, atol=1e-12)


def test_the_predictive_under_bayes_is_a_student_t():
    X, y = TABLES["iris"]
    model = likely.GaussianBayes("full", "bayes").fit(X, y)
    prior = model.model_.dense
    assert np.isfinite(model.log_likelihood(X)).all()
    with pytest.raises(likely.LikelyError, match="M313"):
        model.quadratic_  # noqa: B018
    naive = likely.NaiveBayes(kinds="real", priors="empirical").fit(X, y).log_likelihood(X)
    diagonal = likely.GaussianBayes("diagonal", "bayes").fit(X, y).log_likelihood(X)
    np.testing.assert_allclose(diagonal, naive, rtol=1e-10)
    assert prior is not None


@pytest.mark.parametrize("options", [{"covariance": "full"}, {"covariance": "shared", "shrinkage": "ledoit-wolf"}])
def test_leave_one_out_is_refitting(options):
    X, y = TABLES["wine"]
    model = likely.GaussianBayes(**options).fit(X, y)
    said = model.leave_one_out(X, y)
    for row in range(0, len(X), 7):
        rest = np.arange(len(X)) != row
        expected = likely.GaussianBayes(**options).fit(X[rest], y[rest]).predict_proba(X[[row]])[0]
        assert np.abs(said[row] - expected).max() < 1e-8


@pytest.mark.parametrize("shrinkage", [0.3, "oas", "ledoit-wolf"])
@pytest.mark.parametrize("covariance", ["full", "shared"])
def test_intervals_are_about_the_shrunk_probabilities(covariance, shrinkage):
    X, y = TABLES["wine"]
    model = likely.GaussianBayes(covariance, shrinkage=shrinkage).fit(X, y)
    proba, bounds = model.predict_proba(X[::6]), model.interval(X[::6])
    assert (bounds[..., 0] <= proba + 1e-6).all()
    assert (proba <= bounds[..., 1] + 1e-6).all()


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("scale", [1e-140, 1e-90, 1e90, 1e140])
def test_oas_does_not_mind_the_unit(scale):
    X, y = TABLES["iris"]
    near, far = (likely.GaussianBayes(shrinkage="oas").fit(X * by, y) for by in (1.0, scale))
    np.testing.assert_allclose(far.predict_proba(X * scale), near.predict_proba(X), atol=1e-8)


def test_ledoit_and_wolf_of_tiny_numbers_is_finite():
    X, y = TABLES["iris"]
    assert np.isfinite(likely.GaussianBayes(shrinkage="ledoit-wolf").fit(X * 1e-160, y).predict_proba(X * 1e-160)).all()


@pytest.mark.parametrize("X", [[[1.0, 2.0]] * 4, [[1.0, 0.0], [3.0, 2.0], [3.0, 2.0], [1.0, 0.0]]])
@pytest.mark.filterwarnings("ignore")
def test_no_direction_where_the_means_are_the_same(X):
    model = likely.LinearDiscriminant().fit(X, ["a", "a", "b", "b"])
    assert model.transform(X).tolist() == [[0.0]] * 4
    assert model.eigenvalues_.tolist() == model.explained_variance_ratio_.tolist() == [0.0]


def test_an_origin_has_a_number_for_each_column():
    X, y = TABLES["iris"]
    model = likely.GaussianBayes().fit(X, y)
    for origin in ([1.0], 1.0, [1.0] * 5):
        with pytest.raises(OptionError, match="O443"):
            model.discriminant(origin=origin)


@pytest.mark.filterwarnings("ignore::likely.errors.SingularWarning")
@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({}, "shrinkage='ledoit-wolf' or estimate='bayes' do more"),
        ({"covariance": "diagonal"}, "; estimate='bayes' does more"),
        ({"shrinkage": "ledoit-wolf"}, "; estimate='bayes' does more"),
        ({"estimate": "bayes", "smoothing": 0.0}, "; a larger smoothing= does more"),
    ],
)
def test_what_is_advised_for_a_singular_covariance_is_possible(options, advice):
    model = likely.GaussianBayes(**options).fit(
        [[1.5, 1.0], [1.5, 2.0], [2.0, 5.5], [3.0, 4.0], [5.0, 1.0]], list("aabbb")
    )
    assert advice in model.notes_[-1].text


def test_a_missing_number_is_expected_in_the_projection():
    X, y = TABLES["wine"]
    model = likely.LinearDiscriminant(components=2).fit(X, y)
    rng = np.random.default_rng(1)
    holes = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    said, proba = model.transform(holes), model.predict_proba(holes)
    covariance, filled = model.covariances_[0], holes.copy()
    for row, values in enumerate(holes):
        known, gone = np.flatnonzero(~np.isnan(values)), np.flatnonzero(np.isnan(values))
        for k, mean in enumerate(model.means_) if len(gone) else ():
            pull = np.linalg.solve(covariance[np.ix_(known, known)], values[known] - mean[known])
            expected = proba[row, k] * (mean[gone] + covariance[np.ix_(gone, known)] @ pull)
            filled[row, gone] = expected if k == 0 else filled[row, gone] + expected
    np.testing.assert_allclose(said, model.transform(filled), atol=1e-9)


def test_merging_names_the_options_that_differ():
    X, y = TABLES["iris"]
    one, other = likely.GaussianBayes().fit(X, y), likely.GaussianBayes("shared").fit(X, y)
    with pytest.raises(likely.LikelyError, match="covariance is 'full' and 'shared'"):
        one.merge(other)
