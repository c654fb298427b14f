"""Classes are shown as people read them; `classes_` stays sorted, as scikit-learn has it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likely
from likely.evaluation import confusion
from likely.output.class_order import RANKS, reading_order

READ = [
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    ["一月", "二月", "三月", "十月", "十一月"],
    ["Monday", "Tuesday", "Sunday"],
    ["low", "medium", "high"],
    ["Very low", "Low", "Moderate", "High", "very-high"],
    ["low", "med", "high", "vhigh"],
    ["S", "M", "L", "XL"],
    ["小", "中", "大"],
    ["低", "中", "高"],
    ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"],
    ["grade 1", "grade 2", "grade 10"],
    ["<5", "5-17", "18-25", "26+"],
    ["Q1", "Q2", "Q3", "Q4"],
]


@pytest.mark.parametrize("classes", READ, ids=str)
def test_classes_are_read_in_their_order(classes: list[str]) -> None:
    for seed in range(3):
        mixed = random.Random(seed).sample(classes, len(classes))
        assert [mixed[at] for at in reading_order(mixed)] == classes


@pytest.mark.parametrize(
    "classes",
    [["no", "yes"], [1, 2, 10], [False, True], ["a", "b10", "c"], ["F", "M"], ["low", "other"], ["C", "Q", "S"], []],
)
def test_others_stay_as_they_are(classes: list[Any]) -> None:
    assert reading_order(classes) == list(range(len(classes)))


def test_no_word_has_two_ranks_of_one_scale() -> None:
    assert all(len(ranks) >= 3 for ranks in RANKS)


def test_tables_and_pictures_are_in_that_order_and_classes_are_sorted() -> None:
    rng = np.random.default_rng(0)
    y = rng.choice(["low", "medium", "high"], 60)
    X = pd.DataFrame({"x": rng.normal(size=60)})
    model = likely.NaiveBayes().fit(X, y)
    assert model.classes_.tolist() == ["high", "low", "medium"]
    found = confusion(y, model.predict(X), model.classes_)
    assert [line.split()[0] for line in repr(found).splitlines()[1:4]] == ["low", "medium", "high"]
    figure = found.plot()
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["low", "medium", "high"]
    assert list(likely.inspect(X.assign(y=y), "y").balance) == ["low", "medium", "high"]
