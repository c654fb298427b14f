"""Every fit that searches ends, on tables of extreme numbers too, and says whether it got there."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import likely
from likely import AdaBoost, Bagging, LinearRegression, LogisticRegression
from likely.companions.regression.gradient_descent import descend
from likely.companions.regression.log_loss import LogLoss
from likely.companions.regression.minimisation import MOST_STEP_HALVINGS
from likely.errors import LikelyError

SIZES = (5e-324, 1e-300, 1e-150, 1e-8, 1.0, 1e8, 1e16, 1e149, 0.0)
WEIGHTS = (1e-300, 1e-8, 1.0, 1e8, 1e100, 1e290)
STEPS = 300


@pytest.fixture
def looks(monkeypatch):
    """How often the loss was looked at."""
    seen = [0]
    call = LogLoss.__call__

    def counted(self, *what):
        seen[0] += 1
        return call(self, *what)

    monkeypatch.setattr(LogLoss, "__call__", counted)
    return seen


def fitted(X, y, weights=None, **options):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = LogisticRegression(**options).fit(X, y, sample_weight=weights)
    return model, [str(one.message) for one in told]


def test_steps_that_no_longer_lower_the_loss_are_the_last(looks):
    x = np.array([-0.157908919, 0.793131019, -0.491805924])
    X = np.column_stack([x, x, x, np.full(3, 1e8), [-1e-8, -1e-150, 1e8]])
    model, told = fitted(X, [0, 1, 0], [1e100, 1.0, 1e100], penalty=None)
    assert looks[0] < 1000  # it was without end; whether it gets there hangs on the last digits of the processor
    assert any("not converged" in text for text in told) is not model.converged_
    assert any("not converged" in text for text in model.model_.said) is not model.converged_


def test_steps_that_do_not_suffice_are_told():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    model, told = fitted(X, X[:, 0] + rng.normal(size=200) > 0, max_iter=1)
    assert not model.converged_
    assert any("not converged" in text for text in told)
    assert any("not converged" in text for text in model.model_.said)


def test_a_loss_that_stays_the_same_ends_the_search(looks):
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    weights = rng.choice(WEIGHTS, 300)
    model, _ = fitted(x[:, None], (x > 0).astype(int), weights, penalty=None)
    assert model.n_iter_[0] < 2000
    assert looks[0] <= 1 + model.n_iter_[0] * MOST_STEP_HALVINGS


def test_a_plain_table_converges_and_says_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    model, told = fitted(X, X[:, 0] + rng.normal(size=200) > 0)
    assert model.converged_
    assert not told


def test_sums_that_overflow_are_refused():
    with pytest.raises(LikelyError, match=r"D459.*\n.*'x1'") as refused:
        fitted(np.array([[0.0, 1e140], [1.0, 1.0], [2.0, -1e140]]), [0, 1, 0], np.full(3, 1e100))
    assert refused.value.hint
    with pytest.raises(LikelyError, match="D459"):
        fitted(np.array([[0.0], [1.0], [2.0]]), [0, 1, 0], np.full(3, 1e308))


@settings(deadline=None, derandomize=True, max_examples=40)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([None, "l2", "l1"]),
    st.sampled_from(["newton", "lbfgs", "descent"]),
    st.booleans(),
)
@example(12788475, None, "newton", True)  # a curvature that rounding makes larger across than along
def test_the_loss_is_looked_at_a_bounded_number_of_times(seed, penalty, method, weighed):
    rng = np.random.default_rng(seed)
    rows, columns, classes = rng.choice([1, 2, 3, 12, 40]), rng.integers(1, 6), rng.integers(2, 5)
    X = rng.normal(size=(rows, columns))
    for at in range(columns):
        kind, size = rng.integers(4), rng.choice(SIZES, rows if rng.random() < 0.4 else 1)
        if kind == 0:  # the column before, once more
            X[:, at] = X[:, max(at - 1, 0)]
        elif kind == 1:
            X[:, at] = np.clip(X[:, at] * size, -1e149, 1e149)
        else:
            X[:, at] = size * (rng.choice([-1.0, 1.0], rows) if kind == 2 else 1.0)
    y = rng.integers(0, classes, rows)
    weights = rng.choice(WEIGHTS, rows) if weighed else None
    method = "newton" if method == "descent" and penalty == "l1" else method
    seen, call = [0], LogLoss.__call__

    def counted(self, *what):
        seen[0] += 1
        return call(self, *what)

    LogLoss.__call__ = counted
    try:
        model, told = fitted(X, y, weights, penalty=penalty, method=method, max_iter=STEPS)
    except LikelyError:
        return
    finally:
        LogLoss.__call__ = call
    charted = 61 * 61 + 2  # points of the picture of a path
    assert (
        seen[0]
        <= {"newton": 2 + STEPS * MOST_STEP_HALVINGS, "lbfgs": 4 * STEPS + 52, "descent": STEPS + 2 + charted}[method]
    )
    assert model.n_iter_[0] <= STEPS
    assert np.isfinite(model.predict_proba(X)).all()
    if not model.converged_:
        assert any("converged" in text or "diverged" in text for text in told)


@pytest.mark.parametrize("option", [{}, {"penalty": "l2"}, {"penalty": "l1"}, {"method": "descent"}])
def test_sums_of_a_line_that_overflow_are_refused(option):
    X, y = np.array([[0.0, 1e140], [1.0, 1.0], [2.0, -1e140]]), [0.0, 1.0, 5.0]
    with pytest.raises(LikelyError, match=r"D459.*\n.*'x1'"):
        LinearRegression(**option).fit(X, y, sample_weight=np.full(3, 1e100))
    with pytest.raises(LikelyError, match=r"D459.*\n.*sample_weight"):
        LinearRegression(**option).fit(X[:, :1], y, sample_weight=np.full(3, 1e308))
    with pytest.raises(LikelyError, match=r"D459.*\n.*'y'"):
        LinearRegression(**option).fit(X[:, :1], np.array(y) * 1e149, sample_weight=np.full(3, 1e50))
    halves = [LinearRegression(**option).fit(X[:, 1:] * 6e9, y) for _ in range(2)]
    with pytest.raises(LikelyError, match=r"D459.*\n.*'x0'"):
        halves[0].merge(halves[1])


def test_a_slope_whose_square_overflows_is_not_flat():
    """It was taken for one that had converged, before the first step."""
    path = descend(lambda at: (float(np.abs(at).sum()) * 1e200, np.sign(at) * 1e200), np.ones(2), 1e-202, 5, 1e-6)
    assert (path.stopped, path.taken) == ("steps", 5)


def sweeping(monkeypatch):
    """How many sweeps over the coordinates each lasso took."""
    from sklearn.linear_model import Lasso

    taken, fit = [], Lasso.fit

    def counted(self, *rows):
        fit(self, *rows)
        taken.append(self.n_iter_)
        return self

    monkeypatch.setattr(Lasso, "fit", counted)
    return taken


def test_a_lasso_ends_and_says_whether_it_is_the_best(monkeypatch):
    taken = sweeping(monkeypatch)
    rng = np.random.default_rng(0)
    ends = set()
    for _ in range(60):
        rows, columns = int(rng.choice([3, 10, 50])), int(rng.integers(1, 9))
        X = rng.normal(size=(rows, columns)) * 10.0 ** rng.integers(-6, 7, columns)
        if columns > 2:
            X[:, 2] = X[:, 0] + X[:, 1]
        y = X @ rng.normal(size=columns) + rng.normal(size=rows)
        X[:, 0] = 2.0**53 + rng.integers(0, 9, rows)
        strength = float(10.0 ** rng.integers(-8, 3))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            model = LinearRegression(penalty="l1", strength=strength).fit(X, y)
        said = any("the lasso has not converged" in str(one.message) for one in told)
        assert said is not model.converged_
        assert any("not converged" in note for note in model.model_.remarks()) is said
        ends.add(model.converged_)
        if model.converged_:  # no step along one coordinate, however small, is better
            spread = X.std(axis=0)
            for at in range(1, columns):  # the first is, to a double, a constant
                for step in (-1e-4, 1e-4):
                    moved = model.coef_ + step * np.eye(columns)[at] * y.std() / spread[at]
                    assert loss_of(X, y, moved, strength) >= loss_of(X, y, model.coef_, strength) * (1 - 1e-9)
    assert ends == {False, True}
    assert max(taken) <= 100_000


def loss_of(X, y, coefficients, strength):
    """Half the mean square about the best intercept, and the penalty."""
    left = y - y.mean() - (X - X.mean(axis=0)) @ coefficients
    return 0.5 * np.mean(left**2) + strength * np.abs(coefficients).sum()


@pytest.mark.parametrize("ensemble", [AdaBoost, Bagging])
def test_ensembles_of_logistic_members_end(ensemble, looks):
    """Constant, collinear, tiny and huge columns, whole numbers near 2**53, separated classes, a class of one row."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 1))
    X = np.column_stack([x, x, 1e140 * x, 1e-300 * x, np.full(30, 7.0), 2.0**53 + rng.integers(0, 5, 30)])
    y = np.where(x[:, 0] > 0, "high", "low")
    y[0] = "once"
    member = LogisticRegression(penalty=None, max_iter=STEPS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = ensemble(member, n_estimators=3, random_state=0).fit(X, y)
    assert 0 < looks[0] <= 3 * (2 + STEPS * MOST_STEP_HALVINGS)
    assert np.isfinite(model.predict_proba(X)).all()


LEARNERS = {
    "naive": lambda: likely.NaiveBayes(),
    "parzen": lambda: likely.NaiveBayes(kinds="parzen"),
    "windows": lambda: likely.ParzenBayes(),
    "full": lambda: likely.GaussianBayes(),
    "shared": lambda: likely.GaussianBayes("shared"),
    "diagonal": lambda: likely.GaussianBayes("diagonal"),
    "tree": lambda: likely.DecisionTree(),
    "regression tree": lambda: likely.RegressionTree(),
    "median tree": lambda: likely.RegressionTree(criterion="absolute"),
    "cross-validated tree": lambda: likely.RegressionTree(prune="cost-complexity"),
    "held-out tree": lambda: likely.RegressionTree(prune="reduced-error"),
    "linear": lambda: LinearRegression(),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_extreme_numbers_and_weights_give_numbers_or_are_refused(name):
    """They gave NaN, or a flood of warnings of NumPy."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rows = rng.choice([2, 3, 12, 40])
        X = rng.choice([-1.0, 0.5, 1.0], (rows, 3)) * rng.choice(SIZES, (rows if seed % 3 else 1, 3))
        y = rng.integers(0, 3, rows)
        amounts = name in ("linear", "regression tree", "median tree", "cross-validated tree", "held-out tree")
        target = rng.normal(size=rows) * rng.choice(SIZES, rows if seed % 5 else 1) if amounts else y
        weights = rng.choice([*WEIGHTS, 1e300], rows) if seed % 2 else None
        model = LEARNERS[name]()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            try:
                said = (
                    model.fit(X, target, sample_weight=weights).predict(X)
                    if amounts
                    else model.fit(X, target, sample_weight=weights).predict_proba(X)
                )
            except LikelyError:
                continue
        assert np.isfinite(said).all(), seed
