"""Rows below a table: what is none of its rows is left out and told, what may be one is read."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import likely
from likely.data.files.source import file_source
from likely.errors import DataError

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


@pytest.mark.parametrize("rest", ["\nWest;d\nWest;e;1\n", "West;d\n", "North;7\n", "\nNorth;7\n"])
def test_a_short_row_that_is_no_footer_is_refused(rest: str) -> None:
    with pytest.raises(DataError) as refused:
        read(BODY + rest)
    assert refused.value.code == "D214"


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


@pytest.mark.parametrize(
    ("text", "first", "rows"),
    [
        (  # a statement of a bank: pairs above the names, a balance below a blank line
            "Account;DE12 3456\nPeriod;January\n\nDate;Text;Amount\nday 1;Rent;-800\nday 2;Pay;2500\nday 3;Food;-45\n"
            "\nBalance;;1655\n",
            {"Date": "day 1", "Text": "Rent", "Amount": -800},
            3,
        ),
        (  # an export of Germany: a blank row above the sum
            "Umsatz 2026;;\nStand: 01.03.2026;;\n;;\nOrt;Kanal;Kunden\nBerlin;a;12\nKöln;b;7\nUlm;;3\n;;\nSumme;3;22\n",
            {"Ort": "Berlin", "Kanal": "a", "Kunden": 12},
            3,
        ),
        (  # a log of a server
            "#Software: IIS\n#Version: 1.0\n#Fields: day time method status\n"
            "d1 t1 GET 200\nd1 t2 PUT 404\nd2 t3 GET 200\nd2 t4 GET 1\n",
            {"day": "d1", "time": "t1", "method": "GET", "status": 200},
            4,
        ),
        ("# made by us\n# x y\n1.5 2\n2.5 3\n4 4.5\n7 8\n9 1\n", {"x": 1.5, "y": 2.0}, 5),
        (" id | name \n----+------\n 1 | ann\n 2 | bob\n(2 rows)\n", {"id": 1, "name": "ann"}, 2),
        ("a\tb\n1\t2\n3\t4\n(2 rows affected)\n", {"a": 1, "b": 2}, 2),
        (  # the World Bank
            '"Data Source","World",\n\n"Last Updated","2026-02-28",\n\n"Land","Code","1960","1961",\n'
            '"A","B","1.5","2",\n"C","D","","3",\n',
            {"Land": "A", "Code": "B", "1960": 1.5, "1961": 2},
            2,
        ),
    ],
)
def test_what_stands_above_and_below_in_files_as_they_are_exported(
    text: str, first: dict[str, object], rows: int
) -> None:
    Path("t.csv").write_text(text, encoding="utf-8")
    table = pa.Table.from_batches(list(file_source("t.csv", None).read()))
    assert (table.to_pylist()[0], table.num_rows) == (first, rows)


WORDS = [
    "red",
    "This is as good as it gets",
    "Q: why",
    "mean",
    "total war",
    "count",
    "note",
    "7",
    "1.5",
    "-",
    "sum",
    "",
    "x y",
]


@pytest.mark.parametrize("seed", range(40))
def test_tables_of_any_words_keep_their_rows(seed: int) -> None:
    random = np.random.default_rng(seed)
    width, count = random.integers(2, 6), random.integers(30, 90)
    cells = random.choice(WORDS, (count, width)).tolist()
    texts = [f"word{at}" if seed % 2 else f"{at} things that I saw: many" for at in range(count)]
    names = [f"name {at}" for at in range(width)]
    lines = [",".join(row) for row in [["text", *names], *([t, *row] for t, row in zip(texts, cells, strict=True))]]
    found, notes = read("\n".join(lines) + "\n")
    assert (found, notes) == (count, ())


def test_values_that_look_like_totals_are_values() -> None:
    found, _ = read("what,a,b\ncount,3,3\nmean,1.5,2\nstd,1,1\nmin,1,\nmean,1,\n")
    assert found == 5
    told = "".join(f"I bought {at} of them and liked it,yes,{at}\n" for at in range(30))
    assert read(f"review,again,stars\n{told}It broke on the first day,,\n") == (31, ())
