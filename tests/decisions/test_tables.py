"""Tables of pandas, polars and pyarrow as losses and priors: the labels count, not the places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from likely.decisions import decide, estimate_priors, read_loss, reweigh
from likely.errors import OptionError

RIGHT = [[0.0, 20.0], [1.0, 0.0]]  # of a, then b
PANDAS = pd.DataFrame([[0, 1], [20, 0]], index=["b", "a"], columns=["b", "a"])
POLARS = pl.DataFrame({"true": ["b", "a"], "b": [0, 20], "a": [1, 0]})


@pytest.mark.parametrize("table", [PANDAS, PANDAS.astype(float), PANDAS.loc[["a", "b"]], POLARS, POLARS.to_arrow()])
def test_costs_go_by_their_labels(table: Any) -> None:
    assert read_loss(table, ["a", "b"]).tolist() == RIGHT
    assert decide([[0.1, 0.9]], ["a", "b"], table).tolist() == ["a"]


def test_labels_are_matched_by_their_text() -> None:
    named = pd.DataFrame([[0, 7], [1, 0]], index=[1.0, 0.0], columns=["1", "0"])
    assert read_loss(named, [0, 1]).tolist() == [[0, 1], [7, 0]]
    assert read_loss(pd.DataFrame([[0, 7], [1, 0]]), [0, 1]).tolist() == [[0, 7], [1, 0]]
    truth = pl.DataFrame({"true": [True, False], "true ": [0, 5], "False": [2, 0]})
    assert read_loss(truth, [False, True]).tolist() == [[0, 5], [2, 0]]


@pytest.mark.parametrize(
    ("table", "code"),
    [
        (pd.DataFrame(RIGHT), "O317"),
        (PANDAS.loc[["a", "a"]], "O317"),
        (PANDAS[["a"]], "O317"),
        (PANDAS.replace(20, np.nan), "O112"),
        (POLARS.select("b", "a"), "O317"),
        (POLARS.with_columns(b=None), "O112"),
        (pl.DataFrame(), "O317"),
        (pd.DataFrame(), "O317"),
    ],
)
def test_other_tables_are_refused(table: Any, code: str) -> None:
    with pytest.raises(OptionError) as caught:
        read_loss(table, ["a", "b"])
    assert caught.value.code == code
    assert caught.value.hint


@pytest.mark.parametrize("series", [pd.Series({"b": 0.9, "a": 0.1}), pl.Series([0.1, 0.9]), np.array([0.1, 0.9])])
def test_series_are_priors(series: Any) -> None:
    proba = [[0.5, 0.5], [0.9, 0.1]]
    assert (reweigh(proba, [0.5, 0.5], series, ["a", "b"]) == reweigh(proba, [0.5, 0.5], [0.1, 0.9])).all()
    assert estimate_priors(proba, series, ["a", "b"], iterations=np.int64(50)).old.round(9).tolist() == [0.1, 0.9]
    with pytest.raises(OptionError):
        reweigh(proba, [0.5, 0.5], pd.DataFrame({"a": [0.1], "b": [0.9]}), ["a", "b"])
