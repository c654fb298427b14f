"""Excel files: what a person sees in a sheet is what is read; openpyxl writes them, which shares no code with it."""

from __future__ import annotations

import contextlib
import datetime
import gzip
import io
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pytest

import likely
from likely.data.files.excel import cell_values, sheet_cells
from likely.data.files.source import file_source
from likely.data.files.temporary import standard_input
from likely.errors import LikelyError

ROWS = [["region", "shop", "sold"], ["North", "a", 1], ["South", "b", 2.5], ["North", "c", 4]]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(*sheets: Sequence[Sequence[Any]], merged: Sequence[str] = (), path: str = "t.xlsx") -> str:
    """A workbook of sheets called A, B and so on; cells are merged in the first."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in zip("ABCDE", sheets, strict=False):
        sheet = book.create_sheet(name)
        for at, row in enumerate(rows, 1):
            for place, value in enumerate(row, 1):
                if value is not None:
                    sheet.cell(at, place, value)
                if isinstance(value, str) and value.startswith("#"):
                    sheet.cell(at, place).data_type = "e"
    for cells in merged:
        book["A"].merge_cells(cells)
    book.save(path)
    return path


def changed(path: str, part: str, old: str, new: str) -> None:
    """Put another text into a part of a workbook."""
    with zipfile.ZipFile(path) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    assert old.encode() in parts[part]
    parts[part] = parts[part].replace(old.encode(), new.encode())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)


def table(path: str, header: bool = True) -> pa.Table:
    return pa.Table.from_batches(list(file_source(path, None, header=header).read()))


def rows(path: str, header: bool = True) -> list[list[object]]:
    found = table(path, header)
    return [found.column_names, *(list(row.values()) for row in found.to_pylist())]


def fault(path: str) -> LikelyError:
    with pytest.raises(LikelyError) as caught:
        list(file_source(path, None).read())
    assert caught.value.hint
    return caught.value


def test_a_table_as_csv_and_as_excel_is_one_model() -> None:
    rng = np.random.default_rng(5)
    count = 300
    frame = pd.DataFrame(
        {
            "amount": rng.normal(size=count).round(3),
            "visits": rng.poisson(3, count),
            "colour": rng.choice(["red", "pale, blue", ' say "so"', "绿", "007"], count),
            "flag": rng.random(count) < 0.4,
            "code": rng.choice(["01", "02", "10"], count),
            "since": pd.date_range("2020-02-27", periods=count).date,
            "at": pd.date_range("1999-12-31 23:30", periods=count, freq="8h"),
            "odd": rng.choice(["1.5", "2", "NA", "word"], count),
        }
    )
    frame = frame.mask(rng.random(frame.shape) < 0.1).assign(y=rng.choice(["no", "yes"], count))
    frame["visits"] = frame["visits"].astype("Int64")
    frame.to_csv("t.csv", index=False)
    frame.to_excel("t.xlsx", index=False)
    assert table("t.xlsx").equals(table("t.csv"))
    Path("t.xlsx.gz").write_bytes(gzip.compress(Path("t.xlsx").read_bytes()))
    with zipfile.ZipFile("t.zip", "w") as file:
        file.write("t.xlsx")
    Path("t").write_bytes(Path("t.xlsx").read_bytes())
    for path in ("t.xlsx.gz", "t.zip", "t", standard_input(io.BytesIO(Path("t.xlsx").read_bytes()))):
        assert table(path).equals(table("t.csv")), path


def test_cells_are_what_they_are_shown_as() -> None:
    values = [
        (3, 3),
        (3.0, 3),
        (0.25, 0.25),
        (-1e-7, -1e-7),
        (12345678901, 12345678901),
        (True, True),
        ("=1/0", None),
        ("#N/A", None),
        ("#DIV/0!", None),
        (" padded ", "padded"),
        ("line\nend", "line\nend"),
        (datetime.date(2024, 2, 29), datetime.date(2024, 2, 29)),
        (datetime.date(1900, 1, 1), datetime.date(1900, 1, 1)),
        (datetime.datetime(2024, 2, 29, 13, 5, 7), datetime.datetime(2024, 2, 29, 13, 5, 7)),
    ]
    for at, (value, expected) in enumerate(values):
        written([["name", "value"], ["u", value], ["v", value], ["w", None]])
        found = [row[1] for row in rows("t.xlsx")[1:]]
        assert found == [expected, expected, None], at


def test_titles_footers_and_empty_rows_and_columns_are_no_part_of_a_table() -> None:
    body = [[None, *row] for row in [ROWS[0], ROWS[1], [None] * 3, *ROWS[2:]]]
    above = [[None, "Sales of May", None, None, None, "confidential"], [None, "by", "us"], []]
    below: list[list[Any]] = [[], [None, "Total", None, 7.5], [None, "Source: the office"]]
    written([*above, *body, *below])
    source = file_source("t.xlsx", None)
    assert rows("t.xlsx") == ROWS
    assert "'Total 7.5', 'Source: the office'" in source.notes[-1]
    with pytest.warns(UserWarning, match="footer"), pytest.warns(UserWarning, match="left out: by, us"):
        assert likely.fit("t.xlsx", "region").model_.rows.sum() == 3


def test_merged_cells_have_the_value_that_is_seen_in_them() -> None:
    body = [["Report", None, None, None], ["region", "shop", "first", None], [None, None, "sold", "lost"]]
    body += [["North", "a", 1, 5], [None, "b", 2, 6], ["South", "c", 3, 7], [None, "d", 4, 8]]
    written(body, merged=["A1:D1", "A2:A3", "B2:B3", "C2:D2", "A4:A5", "A6:A7"])
    assert rows("t.xlsx") == [
        ["region", "shop", "sold", "lost"],
        *(["North", "a", 1, 5], ["North", "b", 2, 6], ["South", "c", 3, 7], ["South", "d", 4, 8]),
    ]


def test_the_first_sheet_with_a_table_or_the_one_that_is_named() -> None:
    written([["Read this first"]], ROWS, [["a", "y"], [1, "p"], [2, "q"]])
    source = file_source("t.xlsx", None)
    assert (source.columns, "'B' of 3" in source.notes[0]) == (("region", "shop", "sold"), True)
    assert rows("t.xlsx#C") == [["a", "y"], [1, "p"], [2, "q"]]
    assert file_source("t.xlsx#C", None).notes == ()
    error = fault("t.xlsx#D")
    assert (error.code, "'A', 'B', 'C'" in error.hint) == ("D226", True)
    written([[]], [[]])
    assert fault("t.xlsx").code == "D209"
    book = openpyxl.Workbook()
    book.active.title = "hidden"
    book.active.append(["a", "b"])
    book.active.append([1, 2])
    for row in ROWS:
        book["hidden"].sheet_state = "hidden"
        ("shown" in book.sheetnames or book.create_sheet("shown")) and book["shown"].append(row)
    book.save("t.xlsx")
    assert rows("t.xlsx") == ROWS


def test_a_sheet_without_names() -> None:
    written(ROWS[1:])
    assert rows("t.xlsx", header=False) == [["c1", "c2", "c3"], *ROWS[1:]]
    model = likely.fit("t.xlsx", 1, header=False)
    assert model.feature_names_in_.tolist() == ["c2", "c3"]


def test_days_since_1904_and_times() -> None:
    book = openpyxl.Workbook()
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    for row in [["day", "n"], [datetime.date(2024, 3, 1), 1], [datetime.date(1905, 1, 1), 2]]:
        book.active.append(row)
    book.save("t.xlsx")
    assert [row[0] for row in rows("t.xlsx")[1:]] == [datetime.date(2024, 3, 1), datetime.date(1905, 1, 1)]
    for shown, texts in (("clock", ["12:00:00", "06:00:00", "08:30:00"]), ("duration", ["12:00:00", "30:00:00"])):
        told = [cell_values.number_text(value, shown) for value in ("0.5", "1.25", "46082.354166666664")]
        assert told[: len(texts)] == texts  # of a day with its time, a clock shows the time
    assert cell_values.number_text("0.999999999999", "clock") == "00:00:00"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        *(
            ("d.m.yy", "day"),
            ("[$-409]mmm\\-yy;@", "day"),
            ('yyyy"年"m"月"', "day"),
            ("m/d/yyyy h:mm", "day"),
            ("mmmm", "day"),
        ),
        *(("[h]:mm", "duration"), ("[mm]:ss", "duration"), ("mm:ss.0", "clock"), ("h:mm AM/PM", "clock")),
        *(
            ("#,##0.00 [$€-407]", ""),
            ("0.00E+00", ""),
            ('0 "days"', ""),
            ("[Red]0;[Blue]-0", ""),
            ("General", ""),
            ("@", ""),
        ),
        *(("_-* #,##0.00_d_-", ""), ("0.0%", "")),
    ],
)
def test_formats_of_days_and_times(code: str, shown: str) -> None:
    assert cell_values.time_format(code) == shown


def sheet_part(cells: str) -> None:
    """A workbook whose sheet is this."""
    written(ROWS)
    with zipfile.ZipFile("t.xlsx") as file:
        content = file.read("xl/worksheets/sheet1.xml").decode()
    start, end = content.index("<sheetData>"), content.index("</sheetData>")
    changed("t.xlsx", "xl/worksheets/sheet1.xml", content[start:end], f"<sheetData>{cells}")


def shared_texts(texts: str) -> None:
    """Give the workbook texts that its cells name by number, as Excel does with all of them."""
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    told = f'<Relationship Id="texts" Type="{link}" Target="sharedStrings.xml"/></Relationships>'
    changed("t.xlsx", "xl/_rels/workbook.xml.rels", "</Relationships>", told)
    with zipfile.ZipFile("t.xlsx", "a") as file:
        file.writestr("xl/sharedStrings.xml", f"<sst>{texts}</sst>")


def test_texts_that_cells_name_by_number() -> None:
    cell = '<c t="s"><v>{}</v></c>'
    at = [(0, 1), (2, 3), (4, 2), (3, 9)]
    sheet_part("".join(f"<row>{cell.format(one)}{cell.format(other)}</row>" for one, other in at))
    shared_texts(
        "<si><t>town</t></si><si><r><t>it</t></r><r><rPr><b/></rPr><t xml:space='preserve'>em </t></r></si>"
        "<si><t>大阪</t><rPh sb='0' eb='2'><t>オオサカ</t></rPh></si><si><t>a_x000D_&amp;</t></si><si/>"
    )
    assert rows("t.xlsx") == [["town", "item"], ["大阪", "a\r&"], [None, "大阪"], ["a\r&", None]]


def test_cells_without_places_with_prefixes_and_in_any_kind() -> None:
    text = '<c t="inlineStr"><is><t>{}</t></is></c>'
    head = "".join(text.format(name) for name in ("a", "b", "c"))
    sheet_part(
        f"<row>{head}</row><row>{text.format('x')}<c><v>1</v></c><c t='b'><v>1</v></c></row>"
        "<row><c t='str'><f>A2</f><v>y</v></c><c><v>2</v></c><c t='b'><v>0</v></c></row>"
        "<row><c t='inlineStr'><is><r><t>x</t></r><r><t> z</t></r><rPh><t>no</t></rPh></is></c>"
        "<c t='e'><v>#REF!</v></c></row>"
    )
    assert rows("t.xlsx") == [["a", "b", "c"], ["x", 1, True], ["y", 2, False], ["x z", None, None]]


def test_files_that_cannot_be_read() -> None:
    good = Path(written(ROWS)).read_bytes()
    at = good.index(b"sheet1.xml") + 30
    for name, content, code in (
        ("cut", good[:-40], "D227"),
        ("text", b"a,b\n1,2\n", "D210"),
        ("old", b"\xd0\xcf\x11\xe0" + bytes(600), "D210"),
        ("picture", b"\x89PNG\r\n\x1a\n" + bytes(600), "D210"),
        ("empty", b"", "D209"),
        ("inside", good[:at] + b"\xff" * 40 + good[at + 40 :], "D227"),
    ):
        Path(f"{name}.xlsx").write_bytes(content)
        assert fault(f"{name}.xlsx").code == code, name
    with zipfile.ZipFile("other.xlsx", "w") as file:
        file.writestr("xl/nothing.xml", "<a/>")
    assert fault("other.xlsx").code == "D227"
    changed("t.xlsx", "xl/worksheets/sheet1.xml", "</sheetData>", "")
    assert fault("t.xlsx").code == "D227"
    assert fault("nowhere.xlsx").code == "D202"
    assert "save it as .xlsx" in fault("t.xls").hint


def test_entities_and_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    written(ROWS)
    changed(
        "t.xlsx",
        "xl/workbook.xml",
        "<workbook ",
        '<!DOCTYPE w [<!ENTITY a "aa"><!ENTITY b SYSTEM "file:///x">]><workbook ',
    )
    assert "entities" in fault("t.xlsx").message
    sheet_part("<a>" * 200_000 + "</a>" * 200_000)
    assert "within each other" in fault("t.xlsx").message
    sheet_part(f"<row><c t='inlineStr'><is><t>{'x' * 40_000_000}</t></is></c></row>")
    assert fault("t.xlsx").code == "D228"
    assert Path("t.xlsx").stat().st_size < 100_000
    sheet_part(f"<row attribute='{'x' * 40_000_000}'></row>")
    assert "without a cell" in fault("t.xlsx").message
    monkeypatch.setattr(sheet_cells, "MOST_SHEET_COLUMNS", 100)
    sheet_part(f"<row>{'<c><v>1</v></c>' * 101}</row>")
    assert "more than 100 columns" in fault("t.xlsx").message
    monkeypatch.setattr(sheet_cells, "MOST_SHEET_LETTERS", 1000)
    sheet_part("<row>" + f"<c t='inlineStr'><is><t>{'x' * 100}</t></is></c>" * 11 + "</row>")
    assert "more than 1,000 letters in a sheet" in fault("t.xlsx").message
    sheet_part("<row r='1'><c r='A1'><v>1</v></c></row><row r='1048576'><c r='XFD1048576'><v>2</v></c></row>")
    assert len(rows("t.xlsx")) <= 3  # a cell at the far end makes no table of billions
    written([["a", "b"], *([[at, at] for at in range(200)])])
    monkeypatch.setattr(sheet_cells, "MOST_CELLS", 100)
    assert "more than 100 cells" in fault("t.xlsx").message
    shared_texts("<si/>" * 101)
    assert "more than 100 shared texts" in fault("t.xlsx").message
    assert cell_values.time_format("[" * 10_000_000 + "yyyy") == ""  # which no program says of a number


def test_whatever_is_damaged_is_told_in_words() -> None:
    with zipfile.ZipFile(written(ROWS, merged=["A2:A3"])) as file:
        parts = {name: file.read(name) for name in file.namelist()}
    odd = [name for name in parts if "/theme/" not in name and "docProps" not in name]
    random = np.random.default_rng(7)
    pieces = [b"-1", b"99999999999", b"nan", b"1e999", b"_xD800_", b'"', b"<c/>", b"A1:XFD1048576", b"\xff"]
    for _ in range(200):
        name = odd[random.integers(len(odd))]
        content = bytearray(parts[name])
        at, size = random.integers(len(content)), random.integers(1, 12)
        content[at : at + size] = pieces[random.integers(len(pieces))]
        with zipfile.ZipFile("odd.xlsx", "w") as file:
            for other in parts:
                file.writestr(other, bytes(content) if other == name else parts[other])
        with contextlib.suppress(LikelyError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            list(file_source("odd.xlsx", None).read())
