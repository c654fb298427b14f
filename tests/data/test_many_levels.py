"""A category of very many levels costs what the rows asked about cost, not what all its levels do."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import likely.data.arrow_columns as columns
from likely import NaiveBayes
from likely.core.schema import Column
from likely.data.arrow_columns import level_codes

LEVELS = tuple(f"user{at:05d}" for at in range(20_000))
SOME = ["user00007", None, "user19999", "nobody", "user00007"]


@pytest.fixture
def asked(monkeypatch):
    """The values that were looked up."""
    seen, plain = [], columns.plain
    monkeypatch.setattr(columns, "plain", lambda value: (seen.append(value), plain(value))[1])
    return seen


def test_a_few_rows_of_a_long_dictionary_look_up_no_more_than_themselves(asked):
    whole = pa.array([*LEVELS, *SOME]).dictionary_encode()
    found = level_codes(whole.slice(len(LEVELS)), Column("id", "category", LEVELS))
    assert found.tolist() == [7, 20_000, 19_999, 20_001, 7]
    assert len(asked) <= len(SOME)


def test_the_places_of_the_levels_are_made_once():
    column = Column("id", "category", LEVELS)
    level_codes(pa.array(SOME), column)
    assert column.places is column.places
    assert len(pickle.dumps(column)) == len(pickle.dumps(Column("id", "category", LEVELS)))
    assert pickle.loads(pickle.dumps(column)) == column


def test_frames_of_all_kinds_say_the_same():
    rng = np.random.default_rng(0)
    words, y = np.array(LEVELS)[rng.integers(0, len(LEVELS), 5000)], rng.integers(0, 2, 5000)
    frames = [
        pd.DataFrame({"id": words}),
        pd.DataFrame({"id": pd.Categorical(words, categories=LEVELS)}),
        pl.DataFrame({"id": words}),
        pl.DataFrame({"id": words}, schema={"id": pl.Categorical}),
    ]
    model = NaiveBayes(kinds={"id": "category"}).fit(frames[0], y)
    want = model.predict_log_proba(frames[0])
    for frame in frames[1:]:
        np.testing.assert_array_equal(model.predict_log_proba(frame), want)
        np.testing.assert_array_equal(model.predict_log_proba(frame[:7]), want[:7])
