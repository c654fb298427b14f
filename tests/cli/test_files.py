"""Files as the command line is told of them: without names of columns, with footers, by their sheets."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

import likely
from tests.cli.conftest import Command

BODY = "1.5, u, p\n2.5, v, q\n3.5, u, p\n4, v, q\n" * 5


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bare.data").write_text(BODY)
    Path("named.csv").write_text("size, mark, class\n" + BODY)


def test_the_command_line_reads_rows_without_names(likely_says: Command) -> None:
    assert likely_says("fit", "bare.data", "--no-header", "-t", "3", "-o", "m.likely").exit == 0
    told = likely_says("evaluate", "m.likely", "bare.data", "--no-picture")
    assert (told.exit, "first line of bare.data looks like data" in told.err) == (0, True)
    quiet = likely_says("predict", "m.likely", "bare.data", "--no-header")
    assert (quiet.exit, quiet.err, len(quiet.out.splitlines())) == (0, "", 21)
    told = likely_says("predict", "m.likely", "named.csv")
    assert (told.exit, "say --no-header" in told.err) == (3, True)
    for verb in (["inspect"], ["compare", "--model", "naive,tree", "--folds", "2"]):
        assert likely_says(*verb, "bare.data", "--no-header", "-t", "3").exit == 0
    assert "'class'" in likely_says("fit", "named.csv", "-t", "3").out


def test_the_error_names_the_way_out(likely_says: Command) -> None:
    for target in ("3", "class"):
        told = likely_says("fit", "bare.data", "-t", target)
        assert (told.exit, "D219" in told.err, "--no-header" in told.err) == (3, True, True)


def test_rows_without_names_are_split_as_they_are(likely_says: Command) -> None:
    Path("words.csv").write_text("name,place\nu,v\nw,x\ny,z\n")
    assert likely_says("split", "words.csv", "--no-header", "--test", "2").exit == 0
    parts = Path("words-train.csv").read_text() + Path("words-test.csv").read_text()
    assert sorted(parts.split()) == ["name,place", "u,v", "w,x", "y,z"]


def test_a_footer_is_no_row_to_split(likely_says: Command) -> None:
    body = "".join(f"s{at},{at},1\n" for at in range(9))
    Path("sums.csv").write_text(f"shop,sold,lost\n{body}Total,,\nSource: us\n")
    told = likely_says("split", "sums.csv", "--test", "3")
    assert (told.exit, "a footer and left out: 'Total', 'Source: us'" in told.err) == (0, True)
    parts = [Path(f"sums-{part}.csv").read_text().splitlines() for part in ("train", "test")]
    assert ([len(part) for part in parts], "Total" in str(parts)) == ([7, 4], False)


def test_a_sheet_is_named(likely_says: Command) -> None:
    book = openpyxl.Workbook()
    for name in ("May", "June"):
        sheet = book.create_sheet(name)
        for row in [["size", name], *([at / 2, "pq"[at % 2]] for at in range(8))]:
            sheet.append(row)
    book.save("sales.xlsx")
    assert "'May' of 3 is read" in likely_says("fit", "sales.xlsx", "-t", "May").err
    told = likely_says("fit", "sales.xlsx", "--sheet", "June", "-t", "June", "-o", "m.likely")
    assert (told.exit, told.err) == (0, "")
    assert likely_says("predict", "m.likely", "sales.xlsx#June").exit == 0
    assert "Did you mean 'May'" in likely_says("inspect", "sales.xlsx", "--sheet", "Mai").err
    assert likely_says("inspect", "named.csv", "--sheet", "May").exit == 2
    assert "D223" in likely_says("split", "sales.xlsx").err


@pytest.mark.parametrize("text", ["x,y\na,y\nb,n\na,y\nb,n\n", "y,z\ny,u\nn,v\ny,u\nn,v\n"])
def test_the_line_that_holds_the_target_holds_names(text: str, likely_says: Command) -> None:
    """Though a name may be a level of its column too."""
    Path("h.csv").write_text(text)
    names = text.splitlines()[0].split(",")
    assert likely_says("fit", "h.csv", "-t", names[1], "-o", "m.likely").exit == 0
    assert likely.fit("h.csv", names[1]).model_.schema.origins == (names[0],)
    assert len(likely_says("predict", "m.likely", "h.csv").out.splitlines()) == 5
    assert likely_says("inspect", "h.csv", "-t", names[1], "--json").document["rows"] == 4
    assert likely_says("split", "h.csv", names[1], "--stratify", "--test", "2").exit == 0
    assert {Path(f"h-{part}.csv").read_text().splitlines()[0] for part in ("train", "test")} == {",".join(names)}


@pytest.mark.parametrize("words", [["--kind", "x=category"], ["--groups", "x"], ["--weight", "x"], []])
def test_the_line_that_holds_any_column_that_is_named_holds_names(words: list[str], likely_says: Command) -> None:
    Path("h.csv").write_text("x,y,z\nx,y,u\nw,v,v\nx,y,u\nw,v,v\n")
    told = likely_says("fit", "h.csv", "-t", "3", *words)
    assert ("'z' from h.csv" in told.out or "column 'x'" in told.err) == bool(words)
    if not words:
        assert "D219" in told.err or "c3" in told.out
