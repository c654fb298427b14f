"""The ROC curve of two classes says what the columns tell: class priors have no part in it, not in the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likely
from likely.evaluation import evaluate_model, roc_of

PRIORS = [0.5, 0.3, 0.7, 0.999999, 1e-12]


def rows(columns: int, seed: int, digits: int) -> tuple[np.ndarray, np.ndarray]:
    """Two overlapping clouds; few digits make ties."""
    rng = np.random.default_rng(seed)
    y = (rng.random(300) < 0.4).astype(int)
    return np.round(rng.normal(y[:, None] * 0.8, 1 + y[:, None], (300, columns)), digits), y


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("kind", ["real", "parzen", "category"])
@pytest.mark.parametrize("estimate", ["bayes", "map"])
def test_the_curve_is_the_same_to_the_last_bit_under_any_priors(columns: int, kind: str, estimate: str) -> None:
    X, y = rows(columns, columns, 0 if kind == "category" else 2)
    model = likely.NaiveBayes(kinds=kind, estimate=estimate).fit(X, y)
    first = roc_of(model, X, y)
    for prior in PRIORS:
        other = roc_of(model.with_priors({0: 1 - prior, 1: prior}), X, y)
        for name in ("false_positive_rate", "true_positive_rate", "thresholds"):
            assert getattr(other, name).tobytes() == getattr(first, name).tobytes()
        assert other.auc == first.auc


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 3), st.integers(0, 10**6), st.floats(1e-9, 1 - 1e-9))
def test_the_report_draws_that_very_curve(columns: int, seed: int, prior: float) -> None:
    X, y = rows(columns, seed, 1)
    model = likely.NaiveBayes().fit(X, y)
    moved = model.with_priors([1 - prior, prior])
    one, other = (evaluate_model(found, X, y).roc for found in (model, moved))
    assert one.true_positive_rate.tobytes() == other.true_positive_rate.tobytes()
    assert one.false_positive_rate.tobytes() == other.false_positive_rate.tobytes()
    assert one.auc == other.auc


def test_probabilities_themselves_do_depend_on_priors() -> None:
    """The law is no accident of priors that are not used."""
    X, y = rows(2, 0, 2)
    model = likely.NaiveBayes().fit(X, y)
    assert not np.allclose(model.with_priors([0.9, 0.1]).predict_proba(X), model.predict_proba(X))
