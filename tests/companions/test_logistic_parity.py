"""Logistic regression against scikit-learn's solvers, published values and the conditions of an optimum."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression as Peer
from sklearn.preprocessing import StandardScaler

from likely.companions.regression.log_loss import LogLoss
from likely.errors import LikelyError
from likely.estimators.companions.logistic_regression import LogisticRegression

HOURS = [0.50, 0.75, 1.00, 1.25, 1.50, 1.75, 1.75, 2.00, 2.25, 2.50]
HOURS += [2.75, 3.00, 3.25, 3.50, 4.00, 4.25, 4.50, 4.75, 5.00, 5.50]
PASSED = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1]


def table(rows, columns, classes, seed):
    """Rows of unequal scales and means, classes by noisy linear scores."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) * np.exp(rng.normal(size=columns)) + 3 * rng.normal(size=columns)
    scores = ((X - X.mean(axis=0)) / X.std(axis=0)) @ rng.normal(size=(columns, classes))
    return X, (scores + rng.gumbel(size=(rows, classes))).argmax(axis=1), rng.random(rows) + 0.1


def peer(X, y, penalty, strength, weights=None):
    options = {"C": np.inf if penalty is None else 1 / strength, "tol": 1e-10}
    if penalty == "l1":
        options |= {"solver": "saga", "l1_ratio": 1.0, "max_iter": 100_000, "tol": 1e-9}
    else:
        options |= {"solver": "newton-cholesky"}
    return Peer(**options).fit(X, y, weights)


def share(coefficients, intercepts, X):
    scores = X @ coefficients.T + intercepts
    scores = np.column_stack([np.zeros(len(X)), scores]) if scores.shape[1] == 1 else scores
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("method", ["newton", "lbfgs"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", [None, "l2", "l1"])
@pytest.mark.parametrize("classes", [2, 3])
def test_coefficients_are_scikit_learns(classes, penalty, weighted, method):
    X, y, weights = table(150, 4, classes, 5)
    X = StandardScaler().fit_transform(X) + 0.5  # its l1 solver needs columns of one scale to end
    weights = weights if weighted else None
    theirs = peer(X, y, penalty, 1.5, weights)
    ours = LogisticRegression(penalty=penalty, strength=1.5, method=method, tol=1e-6).fit(X, y, weights)
    assert ours.coef_.shape == theirs.coef_.shape
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    if penalty != "l1" or classes == 2:
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_known_tables(load):
    X, y = load(return_X_y=True)
    theirs = peer(X, y, "l2", 1.0)
    ours = LogisticRegression(kinds="real").fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-5, rtol=1e-5)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5, rtol=1e-5)


def test_many_coefficients_take_lbfgs_to_the_same_end():
    X, y = load_digits(n_class=5, return_X_y=True)
    ours = LogisticRegression(kinds="real", strength=5.0).fit(X[:200], y[:200])
    assert ours.model_.options.method == "lbfgs"
    newton = LogisticRegression(kinds="real", strength=5.0, method="newton").fit(X[:200], y[:200])
    np.testing.assert_allclose(ours.coef_, newton.coef_, atol=1e-5)
    assert ours.model_.loss == pytest.approx(newton.model_.loss, rel=1e-9)


def test_published_hours_of_study():
    """Twenty students: intercept -4.0777 (standard error 1.7610), hours 1.5046 (0.6287)."""
    table = LogisticRegression(penalty=None).fit(np.array(HOURS)[:, None], PASSED).coefficients_
    np.testing.assert_allclose(table.estimates, [[-4.0777, 1.5046]], atol=6e-5)
    np.testing.assert_allclose(table.errors, [[1.7610, 0.6287]], atol=6e-5)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.integers(0, 10_000),
    st.integers(2, 4),
    st.sampled_from([None, "l1", "l2"]),
    st.sampled_from(["newton", "lbfgs"]),
    st.sampled_from([0.3, 3.0, 30.0]),
)
def test_no_slope_is_left_at_the_optimum(seed, classes, penalty, method, strength):
    """With a lasso a coefficient at zero may have a slope up to the strength, others have it exactly."""
    X, y, weights = table(60, 3, classes, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of these are separated
        model = LogisticRegression(penalty=penalty, strength=strength, method=method, tol=1e-7).fit(X, y, weights)
    places = np.searchsorted(model.classes_, y)
    wrong = weights[:, None] * (share(model.coef_, model.intercept_, X) - np.eye(len(model.classes_))[places])
    wrong = wrong[:, 1:] if len(model.coef_) == 1 else wrong
    slopes = wrong.T @ ((X - X.mean(axis=0)) / X.std(axis=0))
    pull = strength / X.std(axis=0)
    if penalty == "l2":
        slopes = slopes + pull * model.coef_
    elif penalty == "l1":
        assert (np.abs(slopes) <= pull + 1e-4).all()
        slopes = np.where(model.coef_ != 0, slopes + pull * np.sign(model.coef_), 0.0)
    np.testing.assert_allclose(slopes, 0.0, atol=1e-4)
    np.testing.assert_allclose(wrong.sum(axis=0), 0.0, atol=1e-4)


def test_a_lasso_drops_columns_exactly():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12))
    y = (X[:, 0] - X[:, 1] + rng.logistic(size=300) > 0).astype(int)
    model = LogisticRegression(penalty="lasso", strength=30.0).fit(X, y)
    np.testing.assert_array_equal(model.coef_ != 0, peer(X, y, "l1", 30.0).coef_ != 0)
    assert (model.coef_ == 0).sum() >= 6
    assert set(model.coefficients_.words[0]) >= {"none", "more", "less"}


def test_weights_are_repeated_rows():
    X, y, _ = table(80, 3, 3, 1)
    times = np.random.default_rng(1).integers(0, 4, 80)
    weighted = LogisticRegression(strength=0.5).fit(X, y, times)
    repeated = LogisticRegression(strength=0.5).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-9)
    np.testing.assert_allclose(weighted.coefficients_.errors, repeated.coefficients_.errors, rtol=1e-7)


@pytest.mark.parametrize("method", ["newton", "lbfgs"])
@pytest.mark.parametrize("scale", [1e-9, 1 / 150, 1e9])
def test_without_a_penalty_the_scale_of_weights_does_not_matter(scale, method):
    X, y, weights = table(150, 3, 3, 2)
    plain = LogisticRegression(penalty=None).fit(X, y, weights)
    scaled = LogisticRegression(penalty=None, method=method).fit(X, y, weights * scale)
    np.testing.assert_allclose(scaled.coef_, plain.coef_, atol=1e-5)


def test_far_from_zero_nothing_is_lost():
    X, y, _ = table(200, 2, 2, 3)
    near = LogisticRegression(penalty=None).fit(X, y)
    far = LogisticRegression(penalty=None).fit(X + 2.0**33, y)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-4)
    np.testing.assert_allclose(far.predict_proba(X + 2.0**33), near.predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("classes", [2, 3])
def test_standard_errors_are_those_of_the_bends(classes):
    """Of two classes Wald's; of more, of differences between classes, against the bends without the last class."""
    X, y, _ = table(300, 2, classes, 4)
    model = LogisticRegression(penalty=None).fit(X, y)
    rows = np.column_stack([X, np.ones(len(X))])
    shares = share(model.coef_, model.intercept_, X)[:, 1:]
    bend = np.zeros((classes - 1, 3, classes - 1, 3))
    for k in range(classes - 1):
        for other in range(classes - 1):
            weight = shares[:, k] * ((k == other) - shares[:, other])
            bend[k, :, other] = (rows * weight[:, None]).T @ rows
    wald = np.linalg.inv(bend.reshape(3 * (classes - 1), -1)).reshape(bend.shape)
    if classes == 2:
        expected = np.sqrt(np.diagonal(wald[0, :, 0]))
        np.testing.assert_allclose(model.coefficients_.errors[0], expected[[2, 0, 1]], rtol=1e-5)
        return
    mine = model.model_.covariance.reshape(3, 3, 3, 3)
    for j in range(2):
        for k in (1, 2):
            apart = mine[k, j, k, j] + mine[0, j, 0, j] - 2 * mine[k, j, 0, j]
            assert apart == pytest.approx(wald[k - 1, j, k - 1, j], rel=1e-5)


def test_many_more_columns_than_rows_are_no_burden(tmp_path):
    """How sure they are is not reckoned: that alone would take a minute and gigabytes."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(40, 3000))
    y = (X[:, 0] > 0).astype(int)
    ours = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(ours.coef_, Peer(tol=1e-9).fit(X, y).coef_, atol=1e-5)
    with pytest.raises(LikelyError) as caught:
        ours.interval(X)
    assert caught.value.code == "M378"
    ours.save(tmp_path / "wide")
    assert (tmp_path / "wide").stat().st_size < 1 << 20


def test_pieces_of_the_rows_sum_to_the_whole():
    X, y, weights = table(10_000, 3, 3, 8)
    loss = LogLoss(X, y.astype(np.int32), weights, X.mean(axis=0), 3, ridge=2.0)
    at = np.random.default_rng(8).normal(size=loss.size)
    value, slope, bend = loss(at, True)
    rows = np.column_stack([X - X.mean(axis=0), np.ones(len(X))])
    scores = rows @ at.reshape(3, 4).T
    shares = np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])
    held = 2.0 * np.tile([1.0, 1.0, 1.0, 0.0], 3)
    assert value == pytest.approx(-weights @ np.log(shares[np.arange(len(y)), y]) + 0.5 * held @ at**2, rel=1e-12)
    wrong = weights[:, None] * (shares - np.eye(3)[y])
    np.testing.assert_allclose(slope, (wrong.T @ rows).ravel() + held * at, rtol=1e-9, atol=1e-6)
    turns = np.einsum("n,nk,nkl,ni,nj->kilj", weights, shares, np.eye(3) - shares[:, None], rows, rows, optimize=True)
    np.testing.assert_allclose(bend, turns.reshape(12, 12) + np.diag(held), rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(loss.gram(), rows.T @ (rows * weights[:, None]), rtol=1e-9, atol=1e-6)
