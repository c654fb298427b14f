"""Models that would not fit into memory are refused before anything of them is made, with the way out."""

from __future__ import annotations

import numpy as np
import pytest

import likely
from likely.errors import OptionError
from likely.estimators.bayes import aode
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
