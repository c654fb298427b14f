"""Cells that are kept from the pass that tells what columns hold are those that parsing the file again gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import likely
from likely.data.files import csv as csv_files
from likely.data.files.source import file_source
from likely.data.readings.column_texts import FEW
from likely.data.readings.plain_numbers import kind_of_few, numbers_among

FORMS = (
    ("1", "-7", "12", "0", ""),
    ("1", "-0", "3", "4.5"),
    ("2.5", "-0.25", "1e-05", "NA", " 3.5", "nan", "inf"),
    ("9007199254740993", "1", "0.5"),
    ("007", "12", "3"),
    ("20240101", "20240229", "20231231"),
    ("2024-02-01", "2024-03-01", ""),
    ("red", "green", "NA", " blue", ""),
    ("yes", "no", "?"),
    ("1.234", "5.678", "12.345"),
    ("1,5", "2,75", "1.234,5"),
    ("5", "6", "7", "x7"),
    ("$5", "6", "7.5"),
    ("1", "2", "-"),
    ("-1.5", "2", "NAN", "."),
)
ROWS = 3 * FEW


def written(path: Path, rows: int = ROWS) -> Path:
    """A column of each form, each value in turn; most change their mind in the second half."""
    columns = []
    for at, form in enumerate(FORMS):
        usual = form[: 2 + at % 2]
        columns.append([(usual if row < rows // 2 else form)[row * (at + 3) % len(usual)] for row in range(rows)])
        if at % 3:
            columns[-1] = [form[(row * 7 + row // 5) % len(form)] for row in range(rows)]
    lines = [";".join(f"x{at}" for at in range(len(FORMS))), *(";".join(cells) for cells in zip(*columns, strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read(source: Any) -> pa.Table:
    return pa.Table.from_batches(source.read()).combine_chunks()


def same(one: pa.Table, other: pa.Table) -> None:
    assert one.schema == other.schema
    for name in one.column_names:
        mine, theirs = one.column(name), other.column(name)
        if pa.types.is_floating(mine.type):  # zeros with a minus, and NaN beside missing values, are told apart
            assert [repr(value) for value in mine.to_pylist()] == [repr(value) for value in theirs.to_pylist()], name
        else:
            assert mine.equals(theirs), name


@pytest.mark.parametrize("block", [1 << 11, 1 << 20])
@pytest.mark.parametrize("rows", [FEW // 2, ROWS])
def test_the_first_reading_is_the_second(
    tmp_path: Path, rows: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_files, "BLOCK_BYTES", block)
    monkeypatch.setattr(csv_files, "MOST_BLOCK_BYTES", block)
    source = file_source(written(tmp_path / "t.csv", rows), None)
    first = read(source)
    same(first, read(source))
    kept = pa.Table.from_batches(file_source(tmp_path / "t.csv", None).kept().read())
    told = pa.table({name: kept.column(name).cast(first.schema.field(name).type) for name in kept.column_names})
    same(told.combine_chunks(), first)


def test_each_column_alone_is_read_as_the_second_time(tmp_path: Path) -> None:
    """Where no other column makes all of them be parsed again."""
    for at, form in enumerate(FORMS):
        path = tmp_path / f"t{at}.csv"
        cells = [form[(row * 7 + row // 5) % len(form)] for row in range(ROWS)]
        path.write_text("x;y\n" + "".join(f"{cell};{row % 9}\n" for row, cell in enumerate(cells)), encoding="utf-8")
        source = file_source(path, None)
        same(read(source), read(source))


def test_what_finds_no_room_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "t.csv")
    known = read(file_source(path, None))
    monkeypatch.setattr("likely.data.files.delimited.MOST_KEPT", 1000)
    same(read(file_source(path, None)), known)


def test_several_files_keep_their_rows_in_order(tmp_path: Path) -> None:
    for at in range(3):
        lines = "".join(f"{row + at * 100},{'ab'[row % 2]}\n" for row in range(40))
        (tmp_path / f"{at}.csv").write_text("n,w\n" + lines)
    source = file_source(tmp_path / "*.csv", None)
    assert read(source).column("n").to_pylist() == [row + at * 100 for at in range(3) for row in range(40)]
    same(read(file_source(tmp_path / "*.csv", None)), read(source))


def test_a_model_reads_rows_as_it_learnt_them(tmp_path: Path) -> None:
    """Marks that a model keeps are missing though they are numbers."""
    rows = [f"{'999' if row % 7 == 0 else row * 1.5},{'ab'[row % 2]}" for row in range(ROWS)]
    (tmp_path / "t.csv").write_text("\n".join(["x,y", *rows]) + "\n")
    model = likely.fit(tmp_path / "t.csv", "y", likely.NaiveBayes(), missing_marks=["999"])
    (tmp_path / "new.csv").write_text("x\n" + "999\n" * ROWS)
    (tmp_path / "none.csv").write_text("x\n" + "NA\n" * ROWS)
    marked, missing = (model.predict_proba(tmp_path / name) for name in ("new.csv", "none.csv"))
    assert (marked == missing).all()


NUMBERS = st.one_of(
    st.sampled_from(["", "1", "-2", "007", "+1", "1e5", "1E5", "-0", "0", "0.5", ".5", "5.", "-.5", "-", ".", "1-2"]),
    st.sampled_from(["1.2.3", "-007", "nan", "inf", "1" * 18, "1" * 19, "é", "1 ", " 1", "12345678901234567890"]),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
)


@given(st.lists(st.lists(NUMBERS, min_size=4, max_size=4), min_size=1, max_size=6))
@example([["-0", "1", "2", ""]])
@example([["1" * 19, "1", "", ""]])
def test_many_short_columns_are_told_as_each_alone(columns: list[list[str]]) -> None:
    arrays = [pa.array([cell or None for cell in cells], pa.string()) for cells in columns]
    for cells, (kind, numbers) in zip(columns, numbers_among(arrays), strict=True):
        filled = [cell for cell in cells if cell]
        if kind:
            assert kind == kind_of_few(filled)
            value = int if kind == "whole" else float
            assert numbers.to_pylist() == [value(cell) if cell else None for cell in cells]
