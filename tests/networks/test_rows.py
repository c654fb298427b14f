"""Rows of any origin give the same codes; what is no node, and what is no level, is refused by name."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from likely.data import ask
from likely.data.level_rows import code_rows, source_of
from likely.data.levels.level_text import place_of, spellings
from likely.data.tables import open_rows
from likely.errors import LikelyError
from likely.networks.learning.counts import questions
from likely.structures.graph import Graph

NODES = ("色", "size", "ripe")
LEVELS = (("红", "绿"), ("1", "2", "3"), ("true", "false"))
FRAME = pd.DataFrame({"色": ["红", "绿", None, "绿"], "size": [1, 2, np.nan, 3], "ripe": [True, False, True, True]})
CODES = [[0, 0, 0], [1, 1, 1], [-1, -1, 0], [1, 2, 0]]
GRAPH = Graph.of({"a": [], "b": ["a"]})


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
    "lists": lambda _: FRAME.to_numpy(dtype=object).tolist(),
    "objects": lambda _: FRAME.to_numpy(dtype=object),
    "csv": csv,
    "parquet": parquet,
    "duckdb": lambda path: duckdb.sql(f"from '{parquet(path)}'"),
}


@pytest.mark.parametrize("source", SOURCES)
def test_any_origin_gives_the_same_codes(source, tmp_path):
    codes = code_rows(SOURCES[source](tmp_path), NODES, LEVELS)
    assert codes.dtype == np.int32
    assert codes.tolist() == CODES


def test_columns_go_by_name_and_numbers_by_position():
    assert code_rows(FRAME[["ripe", "色", "size"]], NODES, LEVELS).tolist() == CODES
    numbers = np.array([[0.0, 2.0], [1.0, np.nan]])
    assert code_rows(numbers, ("a", "b"), ((0, 1), ("2", "3"))).tolist() == [[0, 0], [1, -1]]
    masked = np.ma.array(np.array([[0, 3]]), mask=[[True, False]])
    assert code_rows(masked, ("a", "b"), ((0, 1), (2, 3))).tolist() == [[-1, 1]]


def test_a_node_that_is_no_column_is_missing_everywhere():
    assert code_rows({"size": [3, 1]}, NODES, LEVELS).tolist() == [[-1, 2, -1], [-1, 0, -1]]


@pytest.mark.parametrize("nothing", [[], FRAME[:0], np.empty((0, 3))])
def test_no_rows(nothing):
    assert code_rows(nothing, NODES, LEVELS).shape == (0, 3)


def test_many_rows_in_several_blocks():
    rng = np.random.default_rng(0)
    values = rng.integers(-1, 300, size=(150_000, 2))
    frame = pl.DataFrame({"a": values[:, 0], "b": values[:, 1]}).with_columns(pl.all().replace(-1, None))
    assert (code_rows(frame, ("a", "b"), (range(300),) * 2) == values).all()


@pytest.mark.parametrize(
    ("levels", "value", "place"),
    [
        ([1, 2], "2", 1),
        (["1", "2"], 2.0, 1),
        ([1, 2], "2.0", 1),
        (["01", "02"], 2, 1),
        (["1", "01"], 1, 0),
        ([False, True], "True", 1),
        (["True", "False"], True, 0),
        (["TRUE", "FALSE"], False, 1),
        ([0, 1], True, 1),
        ([False, True], 0, 0),
        (["1.50", "2.50"], 2.5, 1),
        (["no", "yes"], np.str_("yes"), 1),
        (["no", "yes"], "Yes", -1),
        (["1_0", "2"], 10, -1),
        (["inf", "nan"], "inf", 0),
    ],
)
def test_levels_that_differ_only_in_type_are_the_same(levels, value, place):
    assert place_of(value, spellings(levels)) == place


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        ({"colour": [1]}, "D421", "'colour' is no node"),
        (FRAME.rename(columns={"ripe": "Ripe"}), "D421", "Did you mean 'ripe'"),
        ({"size": [1, 7]}, "D422", "column 'size', row 1"),
        ({"ripe": ["tru"]}, "D422", "Did you mean 'true'"),
        ({"size": "1"}, "D423", "give a list"),
        ({"size": 1}, "D423", "give a list"),
        ({"size": [1, 2], "ripe": [True]}, "D423", "'size' has 2"),
        ([[1, 2, 3], [1, 2]], "D423", "no table"),
        ([1, 2, 3], "D423", "no table"),
        (np.zeros((2, 2)), "D424", "(2, 2)"),
        (np.zeros(3), "D424", "(3,)"),
        (7, "D112", "int"),
        ("nowhere.csv", "D202", "nowhere.csv"),
    ],
)
def test_what_cannot_be_used_is_refused(data, code, said):
    with pytest.raises(LikelyError) as error:
        code_rows(data, NODES, LEVELS)
    assert error.value.code == code
    assert said in str(error.value)


def test_the_row_of_an_unknown_level_is_counted_from_the_first_block():
    values = ["x"] * 100_000 + ["y"]
    with pytest.raises(LikelyError, match="row 100000"):
        code_rows({"a": values}, ("a",), (("x",),))


def test_strangers_may_be_ignored_but_not_if_there_is_nothing_else():
    source = open_rows({"size": [1], "note": ["long"]}, NODES, strangers="ignore")
    assert source.names == ("size", "note")
    with pytest.raises(LikelyError, match="D421"):
        open_rows({"note": ["long"]}, NODES, strangers="ignore")


def test_levels_are_those_of_the_rows_unless_they_are_declared():
    data = {"a": ["y", "x", None], "b": [True, False, True]}
    _, schema = source_of(data, GRAPH.nodes)
    assert [tuple(column.levels) for column in schema.columns] == [("x", "y"), (False, True)]
    _, schema = source_of(data, GRAPH.nodes, {"a": ["z", "y", "x"]})
    assert tuple(schema.columns[0].levels) == ("z", "y", "x")
    categories = pd.DataFrame({"a": pd.Categorical(["y"], ["y", "x"]), "b": [1]})
    assert tuple(source_of(categories, GRAPH.nodes)[1].columns[0].levels) == ("y", "x")


def test_questions_count_rows_that_have_all_nodes():
    rows, schema = source_of({"a": [0, 0, 1, None], "b": [0, 1, None, 1]}, GRAPH.nodes, None, [1, 2, 1, 5])
    answers = ask(rows, schema, questions(GRAPH))
    family = answers[questions(GRAPH)[-1]]
    assert family.table.tolist() == [[1, 2, 0, 0], [0, 0, 1, 0]]


@pytest.mark.parametrize(
    ("data", "levels", "code"),
    [
        ({"a": np.linspace(0, 1, 100), "b": [0] * 100}, None, "D426"),
        ({"a": [f"id{at}" for at in range(60)], "b": [0] * 60}, None, "D426"),
        ({"a": np.array(["2020-01-01"], dtype="datetime64[D]"), "b": [0]}, None, "D426"),
        ({"a": [1]}, None, "D427"),
        ({"a": [None, None], "b": [0, 1]}, None, "D427"),
        ({"a": [1], "b": [1]}, {"c": [1]}, "O480"),
        ({"a": [1], "b": [1]}, {"a": [1, "1"]}, "O482"),
        ({"a": [1], "b": [1]}, {"a": "no"}, "O482"),
        ({"a": [1], "b": [1]}, {"a": 3}, "O482"),
        ({"a": [1], "b": [1]}, {"a": [2]}, None),
    ],
)
def test_columns_without_levels_are_refused(data, levels, code):
    if code is None:  # seen only when the rows are read
        rows, schema = source_of(data, GRAPH.nodes, levels)
        with pytest.raises(LikelyError, match="D422"):
            ask(rows, schema, questions(GRAPH))
        return
    with pytest.raises(LikelyError) as error:
        source_of(data, GRAPH.nodes, levels)
    assert error.value.code == code


@pytest.mark.parametrize(
    ("weights", "code"),
    [
        ([1.0], "D122"),
        ([1, -1], "D113"),
        ([1, np.nan], "D113"),
        ([0, 0], "D123"),
        (["a", "b"], "D129"),
        ("nothing", "S207"),
        (np.ones((2, 1)), "D122"),
        ("bad", "D113"),
    ],
)
def test_weights_are_checked(weights, code):
    data = {"a": [0, 1], "b": [0, 1], "bad": [-1, 1]}
    with pytest.raises(LikelyError, match=code):
        ask(*source_of(data, GRAPH.nodes, None, weights), questions(GRAPH))


def test_weights_beside_a_file_are_refused(tmp_path):
    pd.DataFrame({"a": [0], "b": [1]}).to_csv(tmp_path / "x.csv", index=False)
    with pytest.raises(LikelyError, match="name the column"):
        source_of(tmp_path / "x.csv", GRAPH.nodes, None, [1.0])
