"""Normal vectors against scipy, scikit-learn, Bayesian regression, and the naive Gaussian."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.linalg import logm
from sklearn.covariance import OAS, ledoit_wolf, oas, shrunk_covariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler

from likely.checks.family_laws import check_missing_says_nothing, check_predictive_is_a_distribution, predictors
from likely.checks.tables import Encoded, table
from likely.core.block import Block
from likely.core.numerics import log_sum_exp
from likely.core.schema import Column, Schema
from likely.errors import ModelError, OptionError
from likely.families.draws import Draws
from likely.families.gaussian import Gaussian
from likely.families.multivariate.density import COVARIANCES, MULTIVARIATE_ESTIMATES, Multivariate, read
from likely.families.predictor import Setting

PLAIN = Setting()


def encoded(X, y=None, weights=None, classes=None):
    X = np.asarray(X, dtype=np.float64)
    # a count comes first: the places in the block are not those among the real columns
    columns = (Column("n", "count"), *(Column(f"x{j}", "real") for j in range(X.shape[1])))
    cells = None if y is None else np.asarray(y, dtype=np.int32)
    classes = classes or (1 if y is None else int(cells.max()) + 1)
    reals = np.column_stack([np.zeros(len(X)), X])
    block = Block(len(X), np.zeros((len(X), 0), np.uint8), reals, (), cells, weights)
    return Encoded(Schema(columns, Column("y", "category", tuple(range(classes)))), block)


def learn(family, X, y, weights=None, classes=None, setting=PLAIN):
    ((_, predictor),) = predictors(family, encoded(X, y, weights, classes), setting)
    return predictor


def score(predictor, X, way="add"):
    out = np.zeros((len(X), len(predictor.means)))
    getattr(predictor, way)(encoded(X).block, out)
    return out


def data(seed=0, rows=60, columns=3, classes=3):
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    mixing = rng.normal(size=(classes, columns, columns))
    X = np.einsum("nij,nj->ni", mixing[y], rng.normal(size=(rows, columns))) + 2 * y[:, None]
    return X, y


def regression(Z, X, z, prior_mean, hold, freedom, scale):
    """Bayesian multivariate regression of X on Z: (degrees, location, scale matrix) of what comes next at z."""
    precision = Z.T @ Z + hold * np.eye(Z.shape[1])
    slopes = np.linalg.solve(precision, Z.T @ X + hold * prior_mean)
    rest = scale + X.T @ X + hold * prior_mean.T @ prior_mean - slopes.T @ precision @ slopes
    degrees = freedom + len(X) - X.shape[1] + 1
    return degrees, z @ slopes, rest * (1 + z @ np.linalg.solve(precision, z)) / degrees


def expected(X, y, cell, covariance, estimate, s=1.0):
    """(mean, matrix, degrees): what the estimate says of a class of a table without holes."""
    mine, classes, d = X[y == cell], np.unique(y), X.shape[1]
    within = sum(np.cov(X[y == c].T, bias=True).reshape(d, d) * (y == c).sum() for c in classes)
    if estimate in ("mle", "unbiased"):
        less = estimate == "unbiased"
        own = np.cov(mine.T, bias=not less).reshape(d, d)
        shared = within / (len(X) - less * len(classes))
        matrix = {
            "full": own,
            "shared": shared,
            "diagonal": np.diag(np.diag(own)),
            "spherical": np.trace(own) / d * np.eye(d),
            "tied-diagonal": np.diag(np.diag(shared)),
        }[covariance]
        return mine.mean(axis=0), matrix, None
    v = X.var(axis=0)
    w = (np.diag(within) + s * v) / (len(X) + s)
    centre, hold = X.mean(axis=0), s * np.mean(w / v)
    if covariance == "full":
        found = regression(np.ones((len(mine), 1)), mine, np.ones(1), centre[None], hold, s + d - 1, s * np.diag(w))
        worth = hold + len(mine)
    elif covariance == "shared":
        Z, worth = (y[:, None] == classes).astype(float), hold + len(mine)
        means = np.tile(centre, (len(classes), 1))
        found = regression(Z, X, Z[y == cell][0], means, hold, s + d - 1, s * np.diag(w))
    else:  # spherical: every value is a row of its own
        Z, worth = np.tile(np.eye(d), (len(mine), 1)), hold + len(mine)
        scale, values = np.array([[s * w.mean()]]), mine.reshape(-1, 1)
        parts = [regression(Z, values, z, centre[:, None], hold, s, scale) for z in np.eye(d)]
        found = parts[0][0], np.array([part[1][0] for part in parts]), parts[0][2] * np.eye(d)
    degrees, mean, matrix = found
    return (mean, matrix, degrees) if estimate == "bayes" else (mean, matrix / (1 + 1 / worth), None)


def log_density(values, mean, matrix, degrees):
    if degrees is None:
        return stats.multivariate_normal(mean, matrix).logpdf(values)
    return stats.multivariate_t(mean, matrix, degrees).logpdf(values)


@pytest.mark.parametrize("s", [1.0, 2.5])
@pytest.mark.parametrize("estimate", MULTIVARIATE_ESTIMATES)
@pytest.mark.parametrize("covariance", ["full", "shared", "spherical"])
def test_densities_and_marginals_are_scipys(covariance, estimate, s):
    X, y = data(1)
    predictor = learn(Multivariate(covariance, estimate), X, y, setting=Setting(smoothing=s))
    rng = np.random.default_rng(2)
    queries = rng.normal(0, 5, (40, 3))
    said = score(predictor, queries)
    holes = np.where(rng.random(queries.shape) < 0.4, np.nan, queries)
    marginal = score(predictor, holes)
    for cell in range(3):
        mean, matrix, degrees = expected(X, y, cell, covariance, estimate, s)
        np.testing.assert_allclose(said[:, cell], log_density(queries, mean, matrix, degrees), rtol=1e-10, atol=1e-10)
        for row, values in enumerate(holes):
            at = np.flatnonzero(~np.isnan(values))
            truth = log_density(values[at], mean[at], matrix[np.ix_(at, at)], degrees) if len(at) else 0.0
            np.testing.assert_allclose(marginal[row, cell], truth, rtol=1e-10, atol=1e-10)
        if degrees is None:
            np.testing.assert_allclose(predictor.means[cell], mean, rtol=1e-12)
            np.testing.assert_allclose(predictor.covariances[cell], matrix, rtol=1e-10, atol=1e-12)
    assert not predictor.fallbacks.any()


@pytest.mark.parametrize("estimate", ["mle", "unbiased"])
@pytest.mark.parametrize("covariance", ["diagonal", "tied-diagonal"])
def test_independent_columns_are_scipys(covariance, estimate):
    X, y = data(3)
    predictor = learn(Multivariate(covariance, estimate), X, y)
    for cell in range(3):
        mean, matrix, _ = expected(X, y, cell, covariance, estimate)
        np.testing.assert_allclose(score(predictor, X)[:, cell], log_density(X, mean, matrix, None), rtol=1e-10)
        np.testing.assert_allclose(predictor.covariances[cell], matrix, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("estimate", ["map", "bayes"])
@pytest.mark.parametrize("covariance", ["diagonal", "tied-diagonal"])
def test_independent_columns_are_vectors_of_one_column(covariance, estimate):
    X, y = data(4)
    alike = "full" if covariance == "diagonal" else "shared"
    together = learn(Multivariate(covariance, estimate), X, y).terms(encoded(X).block)
    for column in range(3):
        alone = score(learn(Multivariate(alike, estimate), X[:, [column]], y), X[:, [column]])
        np.testing.assert_allclose(together[:, column], alone, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("smoothing", [1.0, 0.3, 0.0])
def test_diagonal_bayes_is_the_naive_gaussian(smoothing):
    X, y = data(5)
    X[::7, 1] = np.nan
    setting = Setting(smoothing=smoothing)
    family, rows = Multivariate("diagonal", "bayes"), encoded(X, y)
    ((_, naive),) = predictors(Gaussian(), rows, setting)
    ours = learn(family, X, y, setting=setting)
    np.testing.assert_array_equal(ours.terms(rows.block), naive.terms(rows.block))
    np.testing.assert_array_equal(ours.without(rows.block), naive.without(rows.block))
    if smoothing:
        single = learn(Multivariate("full", "bayes"), X[:, :1], y, setting=setting)
        np.testing.assert_allclose(score(single, X[:, :1]), naive.terms(rows.block)[:, 0], rtol=1e-11, atol=1e-11)


def proba(predictor, X, y, way="compare"):
    joint = score(predictor, X, way) + np.log(np.bincount(y) / len(y))
    return np.exp(joint - log_sum_exp(joint)[:, None])


@pytest.mark.parametrize(
    ("family", "theirs"),
    [
        (Multivariate("shared", "mle"), LinearDiscriminantAnalysis(solver="lsqr")),
        (Multivariate("shared", "mle", 0.3), LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.3)),
        (Multivariate("shared", "mle", "ledoit-wolf"), LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")),
        (Multivariate("shared", "mle", "oas"), LinearDiscriminantAnalysis("lsqr", covariance_estimator=OAS())),
    ],
)
def test_probabilities_are_scikit_learns(family, theirs):
    X, y = data(6, rows=90, columns=4)
    predictor = learn(family, X, y)
    truth = theirs.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(proba(predictor, X, y), truth, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(proba(predictor, X, y, "add"), truth, rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize(
    ("covariance", "theirs"), [("full", QuadraticDiscriminantAnalysis()), ("shared", LinearDiscriminantAnalysis())]
)
def test_probabilities_are_those_of_scikit_learns_first_choice(covariance, theirs):
    X, y = data(6, rows=90, columns=4)
    truth = theirs.fit(X, y).predict_proba(X)
    # scikit-learn divided by n - 1 (or n - classes) for many years, and by n since 1.9
    ours = [proba(learn(Multivariate(covariance, estimate), X, y), X, y) for estimate in ("mle", "unbiased")]
    assert min(np.abs(found - truth).max() for found in ours) < 1e-10


@pytest.mark.parametrize("columns", [1, 4])
def test_shrunk_covariances_of_classes_are_scikit_learns(columns):
    X, y = data(7, columns=columns)
    for cell in range(3):
        mine = X[y == cell]
        scaler = StandardScaler().fit(mine)
        size = scaler.scale_[:, None] * scaler.scale_
        truths = {
            0.25: shrunk_covariance(np.cov(mine.T, bias=True).reshape(columns, columns), 0.25),
            "oas": oas(mine)[0],
            "ledoit-wolf": ledoit_wolf(scaler.transform(mine))[0] * size,
        }
        for shrinkage, truth in truths.items():
            found = learn(Multivariate("full", "mle", shrinkage), X, y).covariances[cell]
            np.testing.assert_allclose(found, truth, rtol=1e-9, atol=1e-12)
    # without any shrinking, the ways of pooling agree
    for covariance in ("full", "shared"):
        for estimate in ("mle", "unbiased", "map"):
            none, zero = (learn(Multivariate(covariance, estimate, share), X, y).covariances for share in (None, 0.0))
            np.testing.assert_allclose(zero, none, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("estimate", MULTIVARIATE_ESTIMATES)
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_terms_sum_and_move_with_their_columns(covariance, estimate):
    X, y = data(8, columns=4)
    X[::3, 1] = X[::4, 2] = np.nan
    X[:, 3] = 7.0  # silent
    order = [2, 0, 3, 1]
    block = encoded(X).block
    terms = learn(Multivariate(covariance, estimate), X, y).terms(block)
    moved = learn(Multivariate(covariance, estimate), X[:, order], y).terms(encoded(X[:, order]).block)
    np.testing.assert_allclose(moved, terms[:, order], rtol=1e-9, atol=1e-9)
    said = score(learn(Multivariate(covariance, estimate), X, y), X)
    assert (np.abs(terms.sum(axis=1) - said) <= 1e-12 * (np.abs(terms).sum(axis=1) + 1)).all()
    assert not terms[np.isnan(X)].any()
    assert not terms[:, 3].any()


def test_terms_of_a_normal_as_they_are_defined():
    X, y = data(9)
    predictor = learn(Multivariate("full", "mle"), X, y)
    terms = predictor.terms(encoded(X).block)
    within = (sum(X[y == c].var(axis=0) * (y == c).sum() for c in range(3)) + X.var(axis=0)) / (len(X) + 1)
    size = np.sqrt(within)
    for cell in range(3):
        P, v = np.linalg.inv(predictor.covariances[cell]), X - X.mean(axis=0)
        e = predictor.means[cell] - X.mean(axis=0)
        q = v * (v @ P) - 2 * v * (P @ e) + e * (P @ e)
        share = np.diag(logm(predictor.covariances[cell] / size / size[:, None])) + np.log(within)
        np.testing.assert_allclose(terms[:, :, cell], -(q + share + np.log(2 * np.pi)) / 2, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("estimate", ["mle", "map"])
def test_log_odds_of_a_column_under_a_shared_covariance_depend_on_its_value_alone(estimate):
    X, y = data(10)
    predictor = learn(Multivariate("shared", estimate), X, y)
    one, other = X.copy(), np.random.default_rng(0).normal(0, 9, X.shape)
    other[:, 1] = one[:, 1]
    odds = [np.diff(predictor.terms(encoded(queries).block)[:, 1], axis=-1) for queries in (one, other)]
    np.testing.assert_allclose(*odds, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(  # unbiased is as mle, but for the width
    "estimate",
    [one if one != "unbiased" else pytest.param(one, marks=pytest.mark.slow) for one in MULTIVARIATE_ESTIMATES],
)
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_marginals_are_distributions_and_missing_values_say_nothing(covariance, estimate):
    rows = table(1, 20, ["real"], 0.2).encoded()
    check_predictive_is_a_distribution(Multivariate(covariance, estimate), rows, Setting(missing="informative"))
    check_missing_says_nothing(Multivariate(covariance, estimate), rows)


@pytest.mark.parametrize("estimate", ["mle", "unbiased", "map"])
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_discriminants_are_the_log_density(covariance, estimate):
    X, y = data(11, columns=4)
    X[:, 2] = 3.0  # silent
    predictor = learn(Multivariate(covariance, estimate), X, y)
    some = np.full_like(X, np.nan)
    some[:, [3, 0, 2]] = X[:, [3, 0, 2]]
    for origin in (None, [5.0, -3.0, 2.0]):
        quadratic, linear, constant = predictor.discriminant([4, 1, 3], origin)  # a count comes first
        x = X[:, [3, 0, 2]] - (0.0 if origin is None else origin)
        said = np.einsum("ni,kij,nj->nk", x, quadratic, x) + x @ linear.T + constant
        np.testing.assert_allclose(said, score(predictor, some), rtol=1e-9, atol=1e-9)
    assert not predictor.covariances[:, 2].any()
    np.testing.assert_array_equal(predictor.means[:, 2], 3.0)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_a_student_has_no_discriminant(covariance):
    predictor = learn(Multivariate(covariance, "bayes"), *data(12))
    with pytest.raises(ModelError, match="M313"):
        predictor.discriminant([1])
    with pytest.raises(ModelError, match="mle"):
        _ = predictor.covariances
    assert predictor.means.shape == (3, 3)


@pytest.mark.parametrize("estimate", MULTIVARIATE_ESTIMATES)
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_far_from_zero_and_in_any_units(covariance, estimate):
    X, y = data(13)
    X = np.round(X * 2**20) / 2**20  # so that nothing is lost on the way to 1e8
    near = learn(Multivariate(covariance, estimate), X, y)
    far = learn(Multivariate(covariance, estimate), X + 2.0**27, y)
    np.testing.assert_allclose(score(far, X + 2.0**27), score(near, X), rtol=1e-6, atol=1e-6)
    units = 1.0 if covariance == "spherical" else np.array([2.0**-30, 1.0, 2.0**40])
    scaled = learn(Multivariate(covariance, estimate), X * units, y)
    moved = score(scaled, X * units) + np.log(units * np.ones(3)).sum()
    np.testing.assert_allclose(moved, score(near, X), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("estimate", MULTIVARIATE_ESTIMATES)
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_values_far_out_have_no_nan(covariance, estimate):
    X, y = data(14)
    predictor = learn(Multivariate(covariance, estimate), X, y)
    queries = np.array([[1e300, -1e300, 1e299], [1e160, 0.0, 0.0], [np.nan, -1.7e308, 1.7e308]])
    said, terms = score(predictor, queries), predictor.terms(encoded(queries).block)
    assert not np.isnan(said).any()
    assert not np.isnan(terms).any()
    assert not np.isnan(score(predictor, queries, "compare")).any()
    if estimate == "bayes":
        assert np.isfinite(said).all()
        assert np.isfinite(terms).all()
        np.testing.assert_allclose(terms.sum(axis=1), said, rtol=1e-12)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_weights_are_rows_and_missing_values_may_be_evidence(covariance):
    X, y = data(15)
    X[::5, 0] = np.nan
    weights = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    again = np.repeat(np.arange(len(X)), weights.astype(int))
    setting = Setting(missing="informative")
    for shrinkage in (None, "oas", "ledoit-wolf") if covariance in ("full", "shared") else (None,):
        family = Multivariate(covariance, "mle", shrinkage)
        weighed = learn(family, X, y, weights, setting=setting)
        said = score(weighed, X)
        np.testing.assert_allclose(said, score(learn(family, X[again], y[again], setting=setting), X), rtol=1e-9)
        ignored = score(learn(family, X, y, weights), X)
        rows = np.bincount(y, weights)
        gone = np.bincount(y, weights * np.isnan(X[:, 0]))
        column = np.where(np.isnan(X[:, [0]]), np.log((gone + 1) / (rows + 2)), np.log((rows - gone + 1) / (rows + 2)))
        others = 2 * np.log((rows + 1) / (rows + 2))
        np.testing.assert_allclose(said - ignored, column + others, rtol=1e-8, atol=1e-10)
        compared = score(weighed, X, "compare") - said
        np.testing.assert_allclose(compared, np.tile(compared[:, :1], 3), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("estimate", ["mle", "bayes"])
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_samples_and_draws(covariance, estimate):
    X, y = data(16, rows=18)
    X[:, 2] = 4.0  # silent
    predictor, rng = learn(Multivariate(covariance, estimate), X, y), np.random.default_rng(3)
    cells = np.repeat([0, 2], 20_000)
    drawn = predictor.sample(cells, rng)
    assert (drawn[:, 2] == 4.0).all()
    for cell in (0, 2):
        mine = drawn[cells == cell]
        middle = np.median(mine[:, :2], axis=0)
        np.testing.assert_allclose(middle, predictor.means[cell][:2], atol=0.1 * X[:, :2].std())
        if estimate == "mle":
            np.testing.assert_allclose(np.cov(mine.T), predictor.covariances[cell], atol=0.05 * np.var(X))
    # averaged over parameters drawn from the posterior, the density is that of the Student-t
    queries = X[:4]
    many = 20_000 if "diagonal" in covariance else 500  # far out, few draws make up the mean
    out = np.zeros((4, many * 3))
    predictor.drawn(Draws.of(3, many)).add(encoded(queries).block, out)
    densities = np.exp(out).reshape(4, many, 3).mean(axis=1)
    student = learn(Multivariate(covariance, "bayes"), X, y)
    np.testing.assert_allclose(np.log(densities), score(student, queries), atol=0.25)


def test_a_draw_under_a_shared_covariance_has_one():
    X, y = data(17)
    drawn = learn(Multivariate("shared", "mle"), X, y).drawn(Draws.of(0, 2)).normals
    np.testing.assert_array_equal(drawn.covariances[0], drawn.covariances[2])
    assert not np.array_equal(drawn.covariances[2], drawn.covariances[3])
    tied = learn(Multivariate("tied-diagonal", "mle"), X, y).drawn(Draws.of(0, 1)).described
    np.testing.assert_array_equal(tied.variance[:, 0], tied.variance[:, 2])
    ball = learn(Multivariate("spherical", "mle"), X, y).drawn(Draws.of(0, 1)).described
    assert len(np.unique(ball.variance)) == 3


@pytest.mark.parametrize(
    ("options", "code", "hint"),
    [
        (("ful", "mle", None), "O401", "'full'"),
        ((None, "mle", None), "O401", "choose one"),
        (("full", "umbiased", None), "O402", "'unbiased'"),
        (("full", "mle", "ledoitwolf"), "O403", "'ledoit-wolf'"),
        (("full", "mle", 1.5), "O403", "0 to 1"),
        (("full", "mle", float("nan")), "O403", "0 to 1"),
        (("full", "mle", True), "O403", "0 to 1"),
        (("shared", "bayes", 0.5), "O404", "smoothing"),
        (("diagonal", "mle", "oas"), "O405", "full"),
    ],
)
def test_options_are_refused(options, code, hint):
    with pytest.raises(OptionError, match=code) as caught:
        read(*options)
    assert hint in str(caught.value)
    assert read("shared", "map", np.float64(1)) == Multivariate("shared", "map", 1.0)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.sampled_from(["full", "shared"]), st.sampled_from(MULTIVARIATE_ESTIMATES))
def test_pairwise_estimates_where_values_are_missing(seed, covariance, estimate):
    X, y = data(seed, rows=30)
    X[np.random.default_rng(seed).random(X.shape) < 0.3] = np.nan
    predictor = learn(Multivariate(covariance, estimate), X, y)
    said = score(predictor, X)
    assert np.isfinite(said).all()
    if covariance == "full" and estimate == "mle":
        for cell in np.flatnonzero(~predictor.fallbacks):
            mine = X[y == cell]
            away, known = np.nan_to_num(mine - np.nanmean(mine, axis=0)), (~np.isnan(mine)).astype(float)
            truth = away.T @ away / (known.T @ known)
            np.testing.assert_allclose(predictor.covariances[cell], truth, rtol=1e-9, atol=1e-12)
