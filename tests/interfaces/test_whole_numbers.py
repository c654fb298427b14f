"""What is drawn of a column that held whole numbers is whole, whatever brought the rows and whatever learnt them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import likely
from likely.core.schema import Column
from likely.core.schema_union import join

MODELS = [
    likely.NaiveBayes(),
    likely.NaiveBayes(kinds={"age": "parzen", "score": "parzen"}),
    likely.TAN(),
    likely.KDB(numbers="levels"),
    likely.AODE(),
    likely.NetworkClassifier(),
    likely.GaussianBayes(),
    likely.LinearDiscriminant(),
    likely.ParzenBayes(),
]


def table(rows: int = 300) -> tuple[pd.DataFrame, NDArray[np.str_]]:
    rng = np.random.default_rng(0)
    y = np.array(["no", "yes"])[rng.integers(2, size=rows)]
    age = np.rint(rng.normal(40 + 15 * (y == "yes"), 9)).astype(int)
    return pd.DataFrame({"age": age, "score": rng.normal(size=rows), "paid": age * 1000 + 500}), y


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_whole_columns_are_drawn_whole_and_others_are_not(model: likely.NaiveBayes, tmp_path: Path) -> None:
    X, y = table()
    model.fit(X, y).save(tmp_path / "m.likely")
    for one in (model, likely.load(tmp_path / "m.likely")):
        drawn, _ = one.sample(200, seed=1)
        assert drawn["age"].dtype == drawn["paid"].dtype == np.int64
        assert drawn["age"].between(-20, 120).all()
        assert drawn["age"].nunique() > 5
        assert (drawn["score"] != drawn["score"].round()).any()


@pytest.mark.parametrize("missing", ["ignore", "informative"])
def test_missing_values_stay_missing(missing: str) -> None:
    X, y = table()
    X["age"] = X["age"].astype(float).mask(X["score"] > 1)
    drawn, _ = likely.NaiveBayes(missing=missing).fit(X, y).sample(200, seed=0)
    known = drawn["age"].dropna()
    assert (known == known.round()).all()
    assert (len(known) < 200) is (missing == "informative")
    assert drawn["age"].dtype == (np.float64 if missing == "informative" else np.int64)


@pytest.mark.parametrize("kinds", ["auto", "real"])
def test_all_rows_of_an_array_are_looked_at(kinds: str) -> None:
    values = np.tile(np.arange(100.0), (2, 60)).T.copy()
    values[5000, 1] = 0.5
    values[7, 0] = np.nan
    drawn, _ = likely.NaiveBayes(kinds=kinds).fit(values, np.arange(len(values)) % 2).sample(50, seed=0)
    assert (drawn[:, 0] == np.rint(drawn[:, 0])).all()
    assert (drawn[:, 1] != np.rint(drawn[:, 1])).any()


def test_whole_numbers_that_all_large_doubles_are_say_nothing() -> None:
    values = np.random.default_rng(0).normal(size=(50, 1)) * 1e20
    drawn, _ = likely.NaiveBayes().fit(pd.DataFrame(values, columns=["x"]), np.arange(50) % 2).sample(5, seed=0)
    assert drawn["x"].dtype == np.float64


@pytest.mark.parametrize("model", [likely.NaiveBayes(), likely.TAN(numbers="levels"), likely.AODE()], ids=repr)
def test_parts_know_what_the_whole_knows(model: likely.NaiveBayes) -> None:
    X, y = table()
    first, second = (X[:150], y[:150]), (X[150:], y[150:])

    def whole() -> list[bool]:
        return [column.whole for column in model.model_.schema.columns]

    model.fit(*first).partial_fit(*second)
    assert whole() == [True, False, True]
    model.partial_fit(X.assign(age=X["age"] + 0.25), y)
    assert whole() == [False, False, True]


def test_zeros_and_ones_are_whole_and_what_was_never_seen_is_not_counted() -> None:
    real, whole = Column("x", "real"), Column("x", "real", whole=True)
    assert join(whole, Column("x", "binary", (0, 1), (0, 1))).whole
    assert join(whole, Column("x", "real", empty=True)).whole
    assert not join(whole, real).whole
    lone = likely.NaiveBayes().fit([[1.0], [1.0]], ["a", "b"])
    assert lone.partial_fit([[7.0], [3.0]], ["a", "b"]).model_.schema.columns[0].whole


def test_a_file_that_does_not_say_draws_as_before(tmp_path: Path) -> None:
    X, y = table()
    likely.NaiveBayes().fit(X, y).save(tmp_path / "new.likely")
    with zipfile.ZipFile(tmp_path / "new.likely") as new, zipfile.ZipFile(tmp_path / "old.likely", "w") as old:
        for name in new.namelist():
            data = new.read(name)
            if name == "model.json":
                page = json.loads(data)
                assert [column.pop("whole", False) for column in page["schema"]["columns"]] == [True, False, True]
                data = json.dumps(page).encode()
            old.writestr(name, data)
    drawn, _ = likely.load(tmp_path / "old.likely").sample(50, seed=0)
    assert (drawn["age"] != drawn["age"].round()).any()
