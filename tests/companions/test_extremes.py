"""Every fit of logistic regression ends, on tables of extreme numbers too, and says whether it got there."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely import LogisticRegression
from likely.companions.logloss import LogLoss
from likely.companions.minimising import HALVES
from likely.errors import LikelyError

SIZES = (5e-324, 1e-300, 1e-150, 1e-8, 1.0, 1e8, 1e16, 1e149, 0.0)
WEIGHTS = (1e-300, 1e-8, 1.0, 1e8, 1e100, 1e300)
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
    assert looks[0] < 1000
    # whether the last step gets there is a matter of rounding, which differs from processor to processor
    assert any("not converged" in text for text in told) is not model.converged_
    assert any("not converged" in text for text in model.model_.said) is not model.converged_


def test_a_loss_that_stays_the_same_ends_the_search(looks):
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    weights = rng.choice(WEIGHTS, 300)
    model, _ = fitted(x[:, None], (x > 0).astype(int), weights, penalty=None)
    assert model.n_iter_[0] < 2000
    assert looks[0] <= 1 + model.n_iter_[0] * HALVES


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
    assert seen[0] <= {"newton": 2 + STEPS * HALVES, "lbfgs": 4 * STEPS + 52, "descent": STEPS + 2 + charted}[method]
    assert model.n_iter_[0] <= STEPS
    assert np.isfinite(model.predict_proba(X)).all()
    if not model.converged_:
        assert any("converged" in text or "diverged" in text for text in told)
