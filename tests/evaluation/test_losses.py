"""The four losses of a row, and the empirical risk."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from likely.errors import LikelyError
from likely.evaluation import absolute, empirical_risk, log, squared, zero_one

RNG = np.random.default_rng(0)


def test_zero_one_is_one_minus_accuracy() -> None:
    y, decided = RNG.choice(["a", "b", "c"], size=(2, 300))
    weights = RNG.uniform(0, 3, 300)
    found = empirical_risk(y, decided, weights=weights)
    assert found == pytest.approx(1 - metrics.accuracy_score(y, decided, sample_weight=weights), abs=1e-12)


def test_abstaining_is_not_right() -> None:
    assert zero_one(["a", "b"], [None, "b"]).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("loss", "oracle"), [("squared", metrics.mean_squared_error), ("absolute", metrics.mean_absolute_error)]
)
def test_losses_of_amounts_are_scikit_learns(loss: str, oracle) -> None:
    y, value, weights = [*RNG.normal(size=(2, 200)), RNG.uniform(0, 3, 200)]
    assert empirical_risk(y, value, loss, weights) == pytest.approx(oracle(y, value, sample_weight=weights), rel=1e-12)


def test_log_is_minus_the_log_of_the_probability_of_the_truth() -> None:
    proba = RNG.dirichlet([1, 1, 1], 100)
    y = RNG.choice(["a", "b", "c"], 100)
    rows = [-np.log(proba[row, "abc".index(label)]) for row, label in enumerate(y)]
    np.testing.assert_allclose(log(y, proba, ["a", "b", "c"]), rows, rtol=1e-14)
    assert empirical_risk(y, proba, "log", classes=["a", "b", "c"]) == pytest.approx(np.mean(rows), rel=1e-14)


def test_a_loss_of_the_impossible_is_infinite_unless_it_weighs_nothing() -> None:
    proba = [[1.0, 0.0], [0.5, 0.5]]
    assert empirical_risk([1, 1], proba, "log", classes=[0, 1]) == np.inf
    assert empirical_risk([1, 1], proba, "log", weights=[0, 2], classes=[0, 1]) == pytest.approx(np.log(2))


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("O331", lambda: empirical_risk([1], [1], "sqared")),
        ("O339", lambda: empirical_risk([1], [[0.5, 0.5]], "log")),
        ("O323", lambda: zero_one([1, 2], [1])),
        ("D105", lambda: zero_one([1, None], [1, 1])),
        ("D117", lambda: zero_one([], [])),
        ("D110", lambda: squared([[1.0]], [1.0])),
        ("O325", lambda: squared([1.0, np.nan], [1.0, 1.0])),
        ("O325", lambda: absolute(["a"], [1.0])),
        ("O323", lambda: absolute([1.0], [1.0, 2.0])),
        ("O337", lambda: squared([1e200], [-1e200])),
        ("O337", lambda: absolute([np.inf], [np.inf])),
        ("O339", lambda: empirical_risk([1], [1], [[0, 1], [1, 0]])),
        ("O339", lambda: empirical_risk([1], [1], {(1, 2): 3})),
        ("O336", lambda: empirical_risk([1, 2], [1, None], [[0, 1], [1, 0]], classes=[1, 2])),
        ("O321", lambda: empirical_risk([1, 2], [1, 3], "squared", classes=[1, 2])),
        ("O111", lambda: empirical_risk([1, 2], [1, 2], np.eye(3), classes=[1, 2])),
        ("O327", lambda: empirical_risk([1, 2], [1, 2], "zero-one", classes=5)),
        ("D103", lambda: zero_one([1, 2], ["1", "2"])),
        ("D110", lambda: zero_one([1], [[1]])),
    ],
)
def test_what_cannot_be_judged_is_refused(code: str, call) -> None:
    with pytest.raises(LikelyError) as caught:
        call()
    assert caught.value.code == code
    assert caught.value.place
    assert caught.value.hint


def test_a_slip_of_the_pen_is_answered_by_the_nearest_name() -> None:
    with pytest.raises(LikelyError, match="Did you mean 'squared'"):
        empirical_risk([1], [1], "sqared")


def test_labels_are_read_as_elsewhere() -> None:
    assert zero_one(np.array([1.0, 0.0]), [1, 1]).tolist() == [0.0, 1.0]
    assert zero_one([b"a", b"b"], ["a", "a"]).tolist() == [0.0, 1.0]
    assert zero_one(["a", "b", "a"], pd.Series(["a", pd.NA, None], dtype="string")).tolist() == [0.0, 1.0, 1.0]
    assert zero_one([1, 0], pd.Series([1, pd.NA], dtype="Int64")).tolist() == [0.0, 1.0]


def test_a_matrix_is_loss_true_decided() -> None:
    y, decided = RNG.choice(["a", "b", "c"], size=(2, 200))
    costs, weights = RNG.uniform(0, 9, (3, 3)), RNG.uniform(0, 2, 200)
    paid = [costs["abc".index(one), "abc".index(other)] for one, other in zip(y, decided, strict=True)]
    wanted = np.average(paid, weights=weights)
    assert empirical_risk(y, decided, costs, weights, ["a", "b", "c"]) == pytest.approx(wanted, rel=1e-12)
    written = {one: {other: costs[at, to] for to, other in enumerate("abc")} for at, one in enumerate("abc")}
    assert empirical_risk(y, decided, written, weights, ["a", "b", "c"]) == pytest.approx(wanted, rel=1e-12)
    assert empirical_risk(y, decided, classes=["a", "b", "c"]) == empirical_risk(y, decided)
    assert empirical_risk(["a", "b"], ["a", None], classes=["a", "b"]) == 0.5
    # words are as far apart as their places, numbers as their values
    assert empirical_risk(["a", "c"], ["c", "c"], "squared", classes=["a", "b", "c"]) == 2.0
    assert empirical_risk([1, 5], [5, 5], "absolute", classes=[1, 5]) == empirical_risk([1, 5], [5, 5], "absolute")
