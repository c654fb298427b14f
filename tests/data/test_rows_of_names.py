"""Names on several rows, as spreadsheets and survey tools write them, and rows that only look so."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import likely
from likely.data.files.source import file_source


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str) -> tuple[list[dict[str, object]], tuple[str, ...]]:
    Path("t.csv").write_text(text, encoding="utf-8")
    source = file_source("t.csv", None)
    return [dict(row) for row in pa.Table.from_batches(list(source.read())).to_pylist()], source.notes


@pytest.mark.parametrize(
    ("head", "names"),
    [
        ("person,height,weight\n,cm,kg\n", ["person", "height", "weight"]),
        ("person,height,weight\n-,(cm),(kg)\n", None),  # a mark of what is missing is a value
        ("person,height,weight\nname,cm,kg\n", ["person", "height", "weight"]),
        (",Body,\nperson,height,weight\n", ["person", "height", "weight"]),
        ("person,Body,\n,height,weight\n", ["person", "height", "weight"]),
        ("person,before,after\n,size,size\n", ["person", "before", "after"]),
        ("Q1,Q2,Q3\nWho are you?,How tall are you?,What do you weigh?\n", ["Q1", "Q2", "Q3"]),
        (
            'Q1,Q2,Q3\nWho?,How tall?,How heavy?\n"{""Id"":""a""}","{""Id"":""b""}","{""Id"":""c""}"\n',
            ["Q1", "Q2", "Q3"],
        ),
        ("Our people,,\nperson,height,weight\n,cm,kg\n", ["person", "height", "weight"]),
    ],
)
def test_rows_of_names_are_no_rows(head: str, names: list[str] | None) -> None:
    found, notes = read(head + "Ann,170.5,60\nBob,181,82.5\nCyd,166,57\nDan,190,91\n")
    if names is None:
        assert len(found) == 5
        return
    assert [*found[0]] == names
    assert [*found[0].values()] == ["Ann", 170.5, 60.0]
    assert len(found) == 4
    assert notes or "Body" in head


def test_a_group_is_part_of_names_that_do_not_differ_without_it() -> None:
    rows = "Ann,1,2,3,4\nBob,5,6,7,8\nCyd,3,4,1,7\n"
    found, notes = read(",2024,,2025,\nname,art,math,art,math\n" + rows)
    assert [*found[0]] == ["name", "2024 art", "2024 math", "2025 art", "2025 math"]
    assert "2025 math" in notes[0]
    found, _ = read("name,first,,second,\n,art,math,art,math\n,points,points,points,points\n" + rows)
    assert [*found[0]] == ["name", *(f"{t} {n} points" for t in ("first", "second") for n in ("art", "math"))]


def test_groups_over_words() -> None:
    found, _ = read("Person,,Address,\nname,sex,street,town\nAnn,f,Elm St,Rome\nBob,m,Oak St,Oslo\nCyd,f,Ash St,Rome\n")
    assert (len(found), [*found[0]]) == (3, ["name", "sex", "street", "town"])


@pytest.mark.parametrize(
    "text",
    [
        "name,age\nAnn,unknown age\nBob,31\nCyd,44\nDan,27\n",  # one value that is none
        "name,sex\nAnn,f\nBob,m\nCyd,f\nDan,m\n",
        "name,age,size\nAnn,12,13\nBob,31,4\nCyd,44,3\nDan,27,5\n",
        "name,age,size\nAnn,NA,\nBob,31,4\nCyd,44,3\nDan,27,5\n",
        "a,b\nx,y\nz,w\nu,v\ns,t\n",
        ",word,size\n0,x,1\n1,y,2\n2,z,3\n3,w,4\n",
    ],
)
def test_a_first_row_of_values_is_a_row(text: str) -> None:
    found, notes = read(text)
    assert (len(found), notes) == (4, ())


def test_the_numbers_below_units_are_numbers() -> None:
    Path("t.csv").write_text("species,length,width\n,mm,mm\n" + "a,5.1,3.5\nb,4.9,3\na,5.5,3.1\nb,4.7,3.2\n" * 4)
    with pytest.warns(UserWarning, match="about the columns and left out: mm, mm"):
        model = likely.fit("t.csv", "species")
    assert [column.kind for column in model.model_.schema.columns] == ["real", "real"]


def test_a_line_about_a_logger_stands_above_the_names() -> None:
    rows = "".join(f'"2024-06-0{at}",{at},{at}.5,"dry"\n' for at in range(1, 8))
    station = '"TOA5","Hilltop","CR1000","12345","2.3"\n'
    found, _ = read(station + '"TIME","RAIN","TEMP","SKY"\n"TS","mm","Deg C",""\n"","Tot","Avg","Smp"\n' + rows)
    assert [*found[0]] == ["TIME", "RAIN", "TEMP", "SKY"]
    assert len(found) == 7
    with pytest.raises(likely.errors.DataError):  # a row that lacks a cell is no reason to take the names for a title
        read("a,b,c,d,e\n" + "x,1,2,3\n" * 7)


def test_groups_over_some_columns_of_numbers() -> None:
    """Two of four columns with numbers have a second name: more than half need not, where each blank is filled."""
    rows = "".join(f"{at},2024-01-0{at},{at + 90},{at + 50},{at}.5,home\n" for at in range(1, 8))
    found, _ = read("n,seen,pressure,,weight,out\n,,high,low,,\n" + rows)
    assert [*found[0]] == ["n", "seen", "high", "low", "weight", "out"]


@pytest.mark.parametrize("rule", ["|---|---|---|\n", "-------------\n", "+--+--+--+\n"])
def test_a_table_with_borders_has_the_columns_within(rule: str) -> None:
    rows = "".join(f"| {name} | {at} |   |\n" for at, name in enumerate(["Ann", "Bob", "Cyd", "Dan"]))
    found, _ = read("| name | age | dog |\n" + rule + rows)
    assert [[*row.values()] for row in found] == [
        [name, at, None] for at, name in enumerate(["Ann", "Bob", "Cyd", "Dan"])
    ]
    assert [*found[0]] == ["name", "age", "dog"]
    if "|" not in rule:  # as lists and query tools end them
        assert read("| name | age | dog |\n" + rule + rows + rule)[0] == found
