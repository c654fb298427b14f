"""Rows below a table: what is none of its rows is left out and told, what may be one is read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import likely
from likely.data.files.source import file_source

BODY = "region;shop;sold\nNorth;a;1\nSouth;b;2.5\nEast;c;4\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str) -> tuple[int, tuple[str, ...]]:
    Path("t.csv").write_text(text, encoding="utf-8")
    source = file_source("t.csv", None)
    return sum(batch.num_rows for batch in source.read()), source.notes


@pytest.mark.parametrize(
    "footer",
    [
        *("Total;;\n", "Total;;7.5\n", "Sum;;1234\n", "Summe;;7,5\n", "合计;;7.5\n", "Grand Total:;;7.5\n"),
        *("\nSource: the office\n", "Source: the office\n", "\n* provisional\n", ";;\n;;\n"),
        *("\nTotal;;7.5\n\nNote;;\n", "Total;;7.5\nMean;;2.5\n", "Rows of the table: 3;;\n", "Exported;2026-03-01;\n"),
    ],
)
def test_footers_are_left_out_and_told(footer: str) -> None:
    found, notes = read(BODY + footer)
    assert (found, len(notes), "left out" in notes[0]) == (3, 1, True)


@pytest.mark.parametrize(("footer", "rows"), [("Total;9;7.5\n", 3), ("Average;3;2.5\n", 3), ("Total;9;8\n", 4)])
def test_a_full_row_of_totals_is_told_by_adding_up(footer: str, rows: int) -> None:
    found, notes = read("region;staff;sold\nNorth;2;1\nSouth;4;2.5\nEast;3;4\n" + footer)
    assert (found, len(notes), "left out" in notes[0]) == (rows, 1, rows == 3)


@pytest.mark.parametrize(
    ("text", "rows", "told"),
    [
        (BODY + "West;d;\n", 4, False),  # a missing value
        (BODY + "West;;\n", 4, False),
        (BODY + "Total;d;9\n", 4, True),  # may be a shop of that name
        (BODY.replace("North", "Total") + "Total;;9\n", 4, False),  # a value as any other
        ("a;b;c\n1;;\n2;;\n3;;\n", 3, False),
        ("word\nsum\ntotal\naverage\n", 3, False),
        ("word;n\nx;\ny;\nTotal;\n", 3, True),
    ],
)
def test_what_may_be_a_row_is_read(text: str, rows: int, told: bool) -> None:
    found, notes = read(text)
    assert (found, any("may be a total" in note for note in notes)) == (rows, told)


def test_a_footer_far_below_the_first_lines() -> None:
    body = "a,b,c\n" + "1,word,3\n" * 200_000
    for footer, encoding in (("Total,,600000\n", "utf-8"), ("\nQuelle: Behörde\n", "cp1252"), (",,\n" * 9, "utf-16")):
        Path("t.csv.gz").write_bytes(gzip.compress((body + footer).encode(encoding)))
        source = file_source("t.csv.gz", None)
        assert sum(batch.num_rows for batch in source.read()) == 200_000
        assert "left out" in source.notes[0]


def test_python_is_warned_of_footers() -> None:
    Path("t.csv").write_text("a,b,y\n" + "1.5,2,p\n2.5,3,q\n" * 5 + "Total,,\n")
    with pytest.warns(UserWarning, match="'Total'"):
        model = likely.fit("t.csv", "y")
    assert [column.kind for column in model.model_.schema.columns] == ["real", "real"]
