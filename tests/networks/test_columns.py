"""Tables of any origin are read once into the same codes; amounts are cut, what has no levels is refused."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.levels.interval_levels import cuts_of
from likely.errors import LikelyError
from likely.networks.structure.columns import code_columns

FRAME = pd.DataFrame({"色": ["红", "绿", None, "绿"], "size": [1, 2, np.nan, 3], "ripe": [True, False, True, True]})
LEVELS = (("红", "绿"), (1, 2, 3), (False, True))
CODES = [[0, 0, 1], [1, 1, 0], [2, 3, 1], [1, 2, 1]]


def csv(path):
    FRAME.to_csv(path / "rows.csv", index=False)
    return str(path / "rows.csv")


def parquet(path):
    FRAME.to_parquet(path / "rows.parquet")
    return path / "rows.parquet"


SOURCES = {
    "pandas": lambda _: FRAME,
    "categories": lambda _: FRAME.astype("category"),
    "polars": lambda _: pl.from_pandas(FRAME),
    "lazy": lambda _: pl.from_pandas(FRAME).lazy(),
    "arrow": lambda _: pa.Table.from_pandas(FRAME),
    "columns": lambda _: FRAME.to_dict("list"),
    "records": lambda _: FRAME.to_dict("records"),
    "csv": csv,
    "parquet": parquet,
    "duckdb": lambda path: duckdb.sql(f"from '{parquet(path)}'"),
}


@pytest.mark.parametrize("source", SOURCES)
def test_any_origin_gives_the_same_codes(source, tmp_path):
    table = code_columns(SOURCES[source](tmp_path))
    assert table.names == tuple(FRAME.columns)
    assert table.levels == LEVELS
    assert table.codes.tolist() == CODES
    assert table.codes.dtype == np.uint8
    assert table.codes.flags.c_contiguous
    assert table.weights is None
    assert not table.amounts


@pytest.mark.parametrize("rows", [FRAME.to_numpy(dtype=object), FRAME.to_numpy(dtype=object).tolist()])
def test_columns_without_names_are_numbered(rows):
    table = code_columns(rows)
    assert table.names == ("x0", "x1", "x2")
    assert table.codes.tolist() == CODES


def test_many_blocks_of_a_file_meet_new_levels_late(tmp_path):
    rng = np.random.default_rng(0)
    words = np.array([f"w{at:03}" for at in range(300)])[np.sort(rng.integers(0, 300, 2 * ROWS_OF_A_BLOCK))]
    numbers = np.where(np.arange(2 * ROWS_OF_A_BLOCK) < ROWS_OF_A_BLOCK, 1, 1 + np.arange(2 * ROWS_OF_A_BLOCK) % 9)
    amounts = np.where(np.arange(2 * ROWS_OF_A_BLOCK) < ROWS_OF_A_BLOCK, 7, np.arange(2 * ROWS_OF_A_BLOCK) % 50)
    pl.DataFrame({"w": words, "n": numbers, "a": amounts}).write_parquet(tmp_path / "x.parquet")
    table = code_columns(tmp_path / "x.parquet")
    assert table.codes.dtype == np.int32  # 300 levels do not fit into a byte
    assert (np.array(table.levels[0])[table.codes[:, 0]] == words).all()
    assert (np.array(table.levels[1])[table.codes[:, 1]] == numbers).all()
    assert list(table.amounts) == [2]
    assert (np.searchsorted(cuts_of(table.levels[2]), amounts) == table.codes[:, 2]).all()


def test_declared_levels_stay():
    frame = pd.DataFrame({"a": pd.Categorical(["y"], ["y", "x"]), "b": [2], "c": [3.5]})
    table = code_columns(frame, {"b": [1, 2, 3], "c": ["<= 2.5", "2.5 .. 4", "> 4"]})
    assert table.levels == (("y", "x"), (1, 2, 3), ("<= 2.5", "2.5 .. 4", "> 4"))
    assert table.codes.tolist() == [[0, 1, 1]]
    assert table.declared == {"a", "b", "c"}
    assert code_columns(frame).declared == {"a"}
    with pytest.raises(LikelyError, match="row 0"):
        code_columns(frame, {"b": [1, 3]})


@pytest.mark.parametrize(
    ("values", "cut"),
    [
        (range(20), False),
        ([at % 21 for at in range(50)], True),
        ([0.5, 1, 2, 4, 8, 16, 32, 64], False),
        ([0.5, 1, 2, 4, 8, 16, 32, 64, 128], True),
        ([True, False], False),
        ([7.0, 7.0], False),
    ],
)
def test_which_numbers_are_amounts(values, cut):
    assert bool(code_columns({"a": list(values)}).amounts) == cut


def test_intervals_of_pandas_are_levels():
    parts = pd.cut(pd.Series([0.0, 2.5, 3.0, 9.0]), [-1, 2.5, 5, 10])
    for data in (pd.DataFrame({"a": parts}), {"a": parts}, {"a": parts.array}):
        table = code_columns(data)
        assert table.levels == (("(-1.0, 2.5]", "(2.5, 5.0]", "(5.0, 10.0]"),)
        assert table.codes[:, 0].tolist() == [0, 0, 1, 2]


def test_weights_beside_the_rows_and_in_a_column(tmp_path):
    frame = pd.DataFrame({"a": ["x", "y"], "w": [1.5, 2.0]})
    frame.to_csv(tmp_path / "w.csv", index=False)
    for table in (
        code_columns(frame, weights="w"),
        code_columns(tmp_path / "w.csv", weights="w"),
        code_columns({"a": ["x", "y"]}, weights=[1.5, 2.0]),
    ):
        assert table.names == ("a",)
        assert table.weights.tolist() == [1.5, 2.0]
    for bad, code in (([1.0, -1.0], "D113"), ([1.0, np.nan], "D113"), ([0.0, 0.0], "D123")):
        with pytest.raises(LikelyError, match=code):
            code_columns(frame.assign(w=bad), weights="w")


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        ({"a": [None, None]}, "D427", "leave it out"),
        ({"a": [np.nan, np.nan]}, "D427", "leave it out"),
        ({"a": [f"id{at}" for at in range(60)]}, "D426", "60 different values"),
        ({"a": list(range(100))}, "D426", "counts the rows"),
        ({"a": np.array(["2020-01-01"], dtype="datetime64[D]")}, "D426", "the month"),
        ({"a": [np.inf, 1.0]}, "D104", "infinite"),
        ({"a": [-np.inf, *np.linspace(0, 1, 30)]}, "D104", "infinite"),
        ({"a": [[1], [2]]}, "D111", "column 'a'"),
        ({"a": []}, "D117", "no rows"),
        ({}, "D117", "no columns"),
        ([], "D117", "no columns"),
        (pd.DataFrame(index=range(3)), "D117", "no columns"),
        (np.zeros(3), "D424", "(3,)"),
        (7, "D112", "int"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "S209", "two columns"),
    ],
)
def test_what_cannot_be_used_is_refused(data, code, said):
    with pytest.raises(LikelyError) as error:
        code_columns(data)
    assert error.value.code == code
    assert said in str(error.value)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from([None, "a", "b", "é"]), st.one_of(st.none(), st.integers(-3, 3))), min_size=1)
)
def test_codes_tell_the_values_back(rows):
    words, numbers = [row[0] for row in rows], [row[1] for row in rows]
    if all(word is None for word in words) or all(number is None for number in numbers):
        with pytest.raises(LikelyError, match="D427"):
            code_columns({"w": words, "n": numbers})
        return
    table = code_columns({"w": words, "n": numbers})
    told = [[(*own, None)[code] for code in table.codes[:, at]] for at, own in enumerate(table.levels)]
    assert told == [words, numbers]


@pytest.mark.parametrize("weights", ["beside", "column"])
def test_numbers_of_rows_without_weight_do_not_count_when_levels_are_told_from_amounts(weights):
    """Thirty different numbers, three of them in rows that count: three levels, as if the others were not there."""
    sizes = np.r_[np.tile([1.0, 2.0, 3.5], 10), np.arange(27) + 10.25, np.nan]
    weight = np.r_[np.ones(30), np.zeros(27), 1.0]
    frame = pd.DataFrame({"size": sizes, "ripe": np.resize(["no", "yes"], 58)})
    alone = code_columns(frame[weight > 0])
    if weights == "column":
        found = code_columns(frame.assign(w=weight), weights="w")
    else:
        found = code_columns(frame, weights=weight)
    assert found.levels == alone.levels == ((1, 2, 3.5), ("no", "yes"))
    assert not found.amounts
    np.testing.assert_array_equal(found.codes, alone.codes)
    few = pd.DataFrame({"size": np.r_[np.tile([1.0, 2.0], 10), 0.25 + np.arange(12)], "ripe": ["no", "yes"] * 16})
    assert code_columns(few, weights=np.r_[np.ones(20), np.zeros(12)]).levels[0] == (1, 2)
