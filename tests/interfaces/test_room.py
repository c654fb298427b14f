"""Models that would not fit into memory are refused before anything of them is made, with the way out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import likely
from likely.errors import OptionError
from likely.estimators.bayes import aode, forest
from likely.estimators.companions import bagging


def never(*given: object, **options: object) -> None:
    raise AssertionError("work was begun that cannot be finished")


def test_every_three_of_two_thousand_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aode, "combinations", never)
    X = np.random.default_rng(0).integers(0, 2, (20, 2000))
    with pytest.raises(OptionError, match=r"O393.*three of 2000 columns takes [\d.]+ GiB") as caught:
        likely.AnDE(order=2, kinds="binary").fit(X, [0, 1] * 10)
    assert "order=1" in caught.value.hint


def test_a_hundred_trees_of_five_thousand_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bagging, "bag", never)
    X, y = np.arange(5000.0)[:, None], np.arange(5000).astype(str)
    with pytest.raises(OptionError, match=r"O393.*100 members of 5,000 classes take \d+ GiB") as caught:
        likely.Bagging(random_state=0).fit(X, y)
    assert "max_depth" in caught.value.hint


def test_what_fits_is_learnt() -> None:
    X, y = np.arange(300.0)[:, None], np.arange(300).astype(str)
    assert (
        len(likely.Bagging(likely.DecisionTree(max_depth=2), n_estimators=3, random_state=0).fit(X, y).classes_) == 300
    )


def many_classes(numbers: bool) -> tuple[np.ndarray, np.ndarray]:
    """20,000 rows of 30 columns in 5,000 classes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 30)) if numbers else rng.integers(0, 5, (20_000, 30))
    return X, np.arange(20_000) % 5000


@pytest.mark.parametrize("kind", [likely.SPODE, likely.AODE, likely.TAN, likely.KDB, likely.BayesForest])
def test_many_different_numbers_in_five_thousand_classes(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.estimators.face.sketches.Sketch.of", never)
    with pytest.raises(OptionError, match=r"O393.*different values of 30 numeric columns in 5,000 classes") as caught:
        kind().fit(*many_classes(True))
    assert "join rare classes" in caught.value.hint


@pytest.mark.parametrize("make", [likely.SPODE, lambda **said: likely.AODE(weights="loss", **said)])
def test_rows_left_out_of_cells_of_five_thousand_classes(make: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.models.average.AverageModel.losses", never)
    X, y = many_classes(False)
    with pytest.raises(OptionError, match=r"O393.*leaving rows out.* for 5,000 classes takes 2\.2 GiB"):
        make(kinds="category").fit(X[:, :3], y)


def test_weights_of_a_forest_of_fifty_thousand_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest.MemberDrawing, "draw", never)
    X = np.random.default_rng(0).integers(0, 5, (50_000, 30))
    with pytest.raises(OptionError, match=r"O393.*weights of 30 columns for 50,000 classes takes 2\.9 GiB"):
        likely.BayesForest(kinds="category", random_state=0).fit(X, np.arange(50_000))
