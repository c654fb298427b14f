"""New priors: against Bayes' rule by hand in exact fractions, and against a model whose priors are changed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

import likely
from likely.decisions import reweigh
from likely.errors import OptionError

PART = st.integers(1, 40)


@settings(deadline=None)
@given(st.lists(st.tuples(PART, st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=5))
def test_equals_bayes_by_hand(parts: list[tuple[int, int, int]]) -> None:
    """Likelihood of each class from proba / old, then prior times likelihood, in fractions."""
    old = [Fraction(a, sum(p[0] for p in parts)) for a, _, _ in parts]
    likelihood = [Fraction(b) for _, b, _ in parts]
    total_old = sum(o * w for o, w in zip(old, likelihood, strict=True))
    new_weights = [c for _, _, c in parts]
    total_new = sum(n * w for n, w in zip(new_weights, likelihood, strict=True))
    if total_old == 0 or total_new == 0:
        return
    proba = [[float(o * w / total_old) for o, w in zip(old, likelihood, strict=True)]]
    wanted = [float(n * w / total_new) for n, w in zip(new_weights, likelihood, strict=True)]
    assert reweigh(proba, [float(o) for o in old], new_weights)[0] == pytest.approx(wanted, abs=1e-14)


@pytest.mark.parametrize("columns", [1, 2, 4])
def test_equals_a_model_with_other_priors(columns: int) -> None:
    X, y = load_iris(return_X_y=True)
    model = likely.NaiveBayes().fit(X[:, :columns], np.array(["setosa", "versicolor", "virginica"])[y])
    old = np.exp(model.model_.log_prior)
    for new in (
        {"virginica": 0.01, "setosa": 0.01, "versicolor": 0.98},
        {"virginica": 3, "setosa": 2, "versicolor": 0},
    ):
        wanted = model.with_priors(new).predict_proba(X[:, :columns])
        found = reweigh(model.predict_proba(X[:, :columns]), old, new, model.classes_)
        assert np.abs(found - wanted).max() < 1e-12


def test_there_and_back() -> None:
    rng = np.random.default_rng(0)
    proba = rng.dirichlet([1, 1, 1], 50)
    there = reweigh(proba, [0.2, 0.3, 0.5], [0.6, 0.3, 0.1])
    assert np.abs(reweigh(there, [0.6, 0.3, 0.1], [0.2, 0.3, 0.5]) - proba).max() < 1e-14
    assert np.abs(there.sum(axis=1) - 1).max() < 1e-14
    assert reweigh(proba, "uniform", "uniform") == pytest.approx(proba, abs=1e-15)


def test_tiny_probabilities_come_back() -> None:
    proba = np.array([[1.0, 1e-290], [1.0, 1e-300]])
    found = reweigh(proba, [1 - 1e-16, 1e-300], [0.5, 0.5])
    assert found[1] == pytest.approx([0.5, 0.5])
    assert found[0] == pytest.approx([1e-10, 1], rel=1e-9)


def test_priors_of_zero() -> None:
    assert reweigh([[0.5, 0.5]], [0.5, 0.5], [0, 1]).tolist() == [[0, 1]]
    assert reweigh([[1.0, 0.0]], [0.5, 0.5], [0, 1]).tolist() == [[0, 1]]
    assert reweigh([[1.0, 0.0, 0.0]], [1, 1, 1], [0, 1, 3])[0] == pytest.approx([0, 0.25, 0.75])
    assert reweigh([[0.5, 0.5, 0.0]], [1, 1, 0], [1, 3, 0])[0] == pytest.approx([0.25, 0.75, 0])


def test_shapes_kept() -> None:
    assert reweigh([[1.0]], [1], [1]).tolist() == [[1]]
    assert reweigh(np.empty((0, 2)), [1, 1], [1, 2]).shape == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "code", "place"),
    [
        (([[1.0, 0.0]], [1, 0], [1, 1]), "O306", "old="),
        (([[0.5, 0.5]], {"a": 1, "b": 1}, [1, 1]), "O305", "old="),
        (([[0.5, 0.5]], None, [1, 1]), "O305", "old="),
        (([[0.5, 0.5]], [1, 1], "empirical"), "O305", "new="),
        (([[0.5, 0.5]], [1, 1], "unifrom"), "O104", "new="),
        (([[0.5, 0.5]], [1, 1], [1, 1, 1]), "O104", "new="),
        (([[0.5, 0.5]], [1, 1], [1, -1]), "O105", "new="),
        (([[0.5, 0.5]], [1, 1], [float("nan"), 1]), "O105", "new="),
        (([[0.5, 0.5]], [0, 0], [1, 1]), "O105", "old="),
        (([[0.5, 0.5]], [1, 1], {"a": 1, "c": 1}, ["a", "b"]), "O107", "new="),
        (([[0.5, 0.5]], [1, 1], {"a": 1}, ["a", "b"]), "O106", "new="),
        (([[0.5, 0.6]], [1, 1], [1, 1]), "O324", "proba="),
    ],
)
def test_refused(arguments: tuple[Any, ...], code: str, place: str) -> None:
    with pytest.raises(OptionError) as caught:
        reweigh(*arguments)
    assert caught.value.code == code
    assert caught.value.place.startswith(place)
    assert caught.value.hint
