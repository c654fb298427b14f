"""Cells of text as values: marks of what is missing, blanks around words, numbers that are codes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.core.reading import Reading
from likely.data import frames
from likely.data.files.source import file_source
from likely.data.readings import values
from likely.data.readings.column_texts import look
from likely.data.readings.plain_numbers import kind_of_few, plain_kind


def columns(path: Path, text: str) -> dict[str, list[object]]:
    path.write_text(text, encoding="utf-8")
    found: dict[str, list[object]] = pa.Table.from_batches(list(file_source(path, None).read())).to_pydict()
    return found


def test_a_census_file_without_header(tmp_path: Path) -> None:
    """Blanks after commas, and question marks where nothing is known."""
    text = "39, State-gov, 77516, <=50K\n50, ?, 83311, >50K\n38, Private, ?, <=50K\n"
    expected = [[39, 50, 38], ["State-gov", None, "Private"], [77516, 83311, None], ["<=50K", ">50K", "<=50K"]]
    for name in ("t.csv", "t.data"):
        assert list(columns(tmp_path / name, text).values()) == expected


@pytest.mark.parametrize("mark", ["?", "NA", "n/a", "NULL", "-", ".", "nan", " - ", ""])
def test_a_mark_is_missing_among_numbers_dates_and_truth_values(tmp_path: Path, mark: str) -> None:
    text = f"n,x,d,t\n1,1.5,2026-03-01,true\n{mark},{mark},{mark},{mark}\n2,2.5,2026-03-02,false\n"
    found = columns(tmp_path / "t.csv", text)
    assert (found["n"], found["x"], found["t"]) == ([1, None, 2], [1.5, None, 2.5], [True, None, False])
    assert [None if day is None else str(day) for day in found["d"]] == ["2026-03-01", None, "2026-03-02"]


@pytest.mark.parametrize(("mark", "read"), [("-", "-"), (".", "."), ("?", None), ("N/A", None)])
def test_a_dash_is_a_word_among_words(tmp_path: Path, mark: str, read: str | None) -> None:
    """As in blood groups, or in signs of charge."""
    found = columns(tmp_path / "t.csv", f"w,e,n\nplus,{mark},1\n{mark},{mark},2\nplus,,3\n")
    assert found["w"] == ["plus", read, "plus"]
    assert found["e"] == [None, None, None]


def test_a_mark_far_below_the_first_rows_counts_as_much(tmp_path: Path) -> None:
    found = columns(tmp_path / "t.csv", "n,w\n" + "7, red \n" * 70_000 + "-,?\n")
    assert found["n"] == [7] * 70_000 + [None]
    assert found["w"] == ["red"] * 70_000 + [None]


CELLS = st.one_of(
    st.integers(-(2**64), 2**64).map(str),
    st.text("0123456789.+-eE_x", min_size=1, max_size=6),
    st.sampled_from(["inf", "-Infinity", "nan", "e5", "1e400", "word", "-0", "00"]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=4))
def test_few_cells_and_many_are_numbers_alike(cells: list[str]) -> None:
    assert kind_of_few(cells) == plain_kind(pa.array(cells))


@pytest.mark.parametrize(
    "pool",
    [
        ["1", "22", "-3"],
        ["1.5", "2.25", "100.000"],
        ["20240101", "20240229"],
        ["007", "1"],
        ["1", "x", " 3"],
        ["1", ""],
    ],
    ids=str,
)
@pytest.mark.parametrize("marks", [(), ("1", "22")], ids=str)
def test_words_that_are_numbered_show_what_they_show_row_by_row(pool, marks):
    cells = pa.array([*pool, *([None, ""] if "x" in pool else [])] * 200, pa.string())
    assert look(cells.dictionary_encode(), marks=marks) == look(cells, marks=marks)


@pytest.mark.parametrize("marks", [(), ("red",)], ids=str)
@pytest.mark.parametrize("odd", ["NA", "-", "", " red", "red\u2003", "未知", None, "blue"])
def test_a_few_words_are_read_as_many_are(odd, marks, monkeypatch):
    for every in (False, True):
        reading, cells = Reading(all_marks=every, marks=marks), pa.array(["red", odd, "blue"], pa.string())
        said = [values.read(some, reading).to_pylist() for some in (cells, cells.dictionary_encode())]
        with monkeypatch.context() as context:
            context.setattr(values, "FEW", -1)
            assert [values.read(cells, reading).to_pylist()] * 2 == said


def test_columns_of_pandas_are_taken_as_they_are(monkeypatch):
    """Whichever module it says that its frames come from: narwhals takes twice as long for a few rows."""
    monkeypatch.setattr("narwhals.from_native", None)
    assert [name for name, _ in frames._columns(pd.DataFrame({"a": [1], 2: ["x"]}))] == ["a", "2"]
