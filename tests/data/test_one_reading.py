"""One table, one model: whatever the file, and whatever is asked of it later."""

from __future__ import annotations

import csv
import gzip
import io
import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import likely
from likely.data import ArrowSource, open_source
from likely.data.readings.schema_readings import readings_of
from likely.errors import SchemaWarning

ROWS = 60


def table() -> dict[str, list[str]]:
    """Text as a person's export has it."""
    rng = np.random.default_rng(3)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 600, ROWS), "D")
    left = rng.random(ROWS) < 0.4
    return {
        "price": [f"¥{value:,.0f}" for value in rng.normal(60_000 + 9_000 * left, 5_000)],
        "rate": [f"{value:.1f} %" if value > 9.2 else "n.a." for value in rng.normal(12, 2, ROWS)],
        "amount": [f"{value:,.2f}".translate(str.maketrans(",.", ".,")) for value in rng.gamma(2, 900, ROWS)],
        "signed": [one.strftime("%d.%m.%Y") for one in day],
        "member": rng.choice(["Yes", "no", "?"], ROWS, p=[0.5, 0.4, 0.1]).tolist(),
        "age": [str(value) for value in rng.integers(18, 80, ROWS)],
        "town": rng.choice([" Łódź", "Oslo ", "Bern"], ROWS).tolist(),
        "churn": np.where(left, "left", "stays").tolist(),
    }


FRAMES: dict[str, Any] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}
DOORS = ["t.csv", "t.tsv.gz", "t.zip", "t16.tsv", "t.parquet", "t.xlsx", "t.jsonl", "pandas with empty words", *FRAMES]


def write(path: Path, columns: dict[str, list[str]]) -> Path:
    """The columns in the format that the path's name says."""
    rows = [list(columns), *map(list, zip(*columns.values(), strict=True))]
    said = io.StringIO()
    csv.writer(said, delimiter="\t" if ".tsv" in path.name else ",", lineterminator="\n").writerows(rows)
    text = said.getvalue()
    if path.suffix == ".parquet":
        pq.write_table(pa.table(typed(columns)), path)
    elif path.suffix == ".jsonl":  # what is missing is an empty word
        path.write_text("".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows[1:]))
    elif path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append([cell or None for cell in row])
        book.save(path)
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("t.csv", text)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-16" if path.stem.endswith("16") else "utf-8")
    return path


def typed(columns: dict[str, list[str]]) -> dict[str, list[str | None]]:
    """Where a missing cell has a value of its own, it is that."""
    return {name: [cell or None for cell in cells] for name, cells in columns.items()}


def through(door: str, folder: Path, columns: dict[str, list[str]]) -> Any:
    """The columns as a file, or as a frame of strings."""
    if door == "pandas with empty words":
        return pd.DataFrame(columns)
    return FRAMES[door](typed(columns)) if door in FRAMES else write(folder / door, columns)


@pytest.mark.parametrize("door", DOORS)
def test_one_table_is_one_model_by_every_door(tmp_path: Path, door: str) -> None:
    columns = table()
    rows = through(door, tmp_path, columns)
    plain = write(tmp_path / "t.tsv", columns)
    first, other = likely.fit(plain, "churn"), likely.fit(rows, "churn")
    kinds = {column.name: column.kind for column in first.model_.schema.columns}
    assert [kinds[name] for name in ("price", "rate", "amount", "member", "age")] == [*["real"] * 3, "binary", "real"]
    assert {name.partition(".")[2] for name in kinds if name.startswith("signed")} == {
        "days", "year", "month", "weekday"
    }  # fmt: skip
    for model, name in ((first, "a"), (other, "b")):
        model.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    again = likely.load(tmp_path / "b")
    np.testing.assert_array_equal(again.predict_proba(plain), first.predict_proba(rows))


def each(values: Any, write: Callable[[Any], str]) -> list[str]:
    return [write(value) for value in values.tolist()]


# How people write a column: of so many rows, drawn by a generator.
HABITS: list[Callable[[np.random.Generator, int], list[str]]] = [
    lambda rng, rows: each(rng.normal(60_000, 9_000, rows), "¥{:,.0f}".format),
    lambda rng, rows: each(rng.normal(12, 2, rows), "{:.1f} %".format),
    lambda rng, rows: each(rng.gamma(2, 900, rows), lambda x: f"{x:,.2f}".translate(str.maketrans(",.", ".,"))),
    lambda rng, rows: each(rng.normal(0, 5_000, rows), lambda x: f"({-x:,.0f})" if x < 0 else f"{x:,.0f}"),
    lambda rng, rows: each(rng.integers(1, 320, rows), lambda x: f"{1 + x % 28}.{1 + x % 12}.2024"),
    lambda rng, rows: each(rng.integers(0, 24, rows), lambda x: f"2024-03-{x + 1:02} {x:02}:30"),
    lambda rng, rows: each(rng.integers(0, 900, rows), lambda x: f"{x // 60}:{x % 60:02}"),
    lambda rng, rows: each(rng.integers(40, 99, rows), "{} kg".format),
    lambda rng, rows: each(rng.uniform(-5, 9, rows), lambda x: f"{10**x:.2e}"),
    lambda rng, rows: each(rng.normal(size=rows), repr),
    lambda rng, rows: each(rng.uniform(-80, 80, rows), lambda x: f"{abs(x):.4f}{'S' if x < 0 else 'N'}"),
    lambda rng, rows: each(rng.normal(9, 2, rows), lambda x: f"{x:.1f} ± 0.{int(abs(x)) % 9 + 1}"),
    lambda rng, rows: each(rng.normal(0, 900, rows), lambda x: f"{abs(x):.2f}{'-' if x < 0 else ''} EUR"),
    lambda rng, rows: each(rng.integers(2, 8, rows), lambda x: f"令和{x}年{x + 3}月{4 * x - 3}日"),
    lambda rng, rows: each(rng.integers(1, 13, rows), lambda x: f"{x} มี.ค. {x + 2560}"),
    lambda rng, rows: each(rng.integers(1, 13, rows), lambda x: f"{x:02}/20{x + 8:02}"),
    lambda rng, rows: each(rng.integers(18, 80, rows), str),
    lambda rng, rows: each(rng.integers(0, 9, rows), "{:03}".format),
    lambda rng, rows: each(rng.choice(["Yes", "no"], rows), str),
    lambda rng, rows: each(rng.choice(["true", "false"], rows), str),
    lambda rng, rows: each(rng.choice([" Łódź", "Oslo ", "a, b", 'the "end"', "未知"], rows), str),
    lambda rng, rows: each(rng.permutation(rows), "id{}".format),
    lambda rng, rows: each(rng.integers(0, 1_000, rows), "the name of it was {}".format),
    lambda rng, rows: ["x"] * rows,
]


def random_table(seed: int) -> dict[str, list[str]]:
    """Columns of any habits; in half of them marks of missing values stand here and there."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(12, 60))
    classes = [["u", "v"], ["yes", "no"], ["1", "2"]][seed % 3]
    columns = {"target": [*classes, *rng.choice(classes, rows - 2).tolist()]}
    for at in range(rng.integers(1, 6)):
        cells = HABITS[rng.integers(len(HABITS))](rng, rows)
        marks, share = rng.choice(["", "?", "NA", "n.a.", "-", "#N/A"], 2).tolist(), rng.choice([0, 0.1])
        columns[f"v{at}"] = [marks[row % 2] if rng.random() < share else cell for row, cell in enumerate(cells)]
    return columns


def check_one_model(tmp_path: Path, door: str, seed: int) -> None:
    columns = random_table(seed)
    plain, rows = write(tmp_path / "plain.tsv", columns), through(door, tmp_path, columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)  # of columns set aside
        first, other = likely.fit(plain, "target"), likely.fit(rows, "target")
        first.save(tmp_path / "a")
        other.save(tmp_path / "b")
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
        asked = first.predict_proba(plain).tobytes()
        for model in (first, other, likely.load(tmp_path / "b")):
            assert model.predict_proba(rows).tobytes() == asked


@pytest.mark.parametrize("door", DOORS)
def test_random_tables_are_one_model_by_every_door(tmp_path: Path, door: str) -> None:
    for seed in range(4):
        check_one_model(tmp_path, door, seed)


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_many_random_tables_are_one_model_by_every_door(tmp_path: Path, door: str) -> None:
    for seed in range(4, 60):
        check_one_model(tmp_path, door, seed)


@pytest.mark.parametrize("seed", range(4))
def test_a_merge_of_halves_by_two_doors_reads_rows_alike_by_each(tmp_path: Path, seed: int) -> None:
    columns, rng = random_table(seed), np.random.default_rng(seed)
    doors = rng.choice(DOORS, 3, replace=False).tolist()
    rows = rng.permutation(len(columns["target"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of columns set aside, and of halves that are written otherwise
        first, other = (
            likely.fit(
                through(door, tmp_path, {name: [cells[at] for at in half] for name, cells in columns.items()}), "target"
            )
            for door, half in zip(doors, np.array_split(rows, 2), strict=False)
        )
        merged = first.merge(other)
        assert len({merged.predict_proba(through(door, tmp_path, columns)).tobytes() for door in doors}) == 1


def test_later_parts_are_learnt_as_the_first_was(tmp_path: Path) -> None:
    """By frames and by a file; hours are a part of dates only if the first rows have some."""
    frame = pd.DataFrame(table())
    first, rest = frame[:40], frame[40:]
    normal = likely.NaiveBayes(descriptions="normal")
    whole = likely.fit(frame, "churn", normal)
    timed = rest.assign(signed=rest.signed + " 10:30")
    for later in (rest, timed, write(tmp_path / "rest.tsv", {name: list(rest[name]) for name in rest})):
        model = likely.fit(first, "churn", normal)
        model.partial_fit(*([later] if isinstance(later, Path) else [later.drop(columns="churn"), later.churn]))
        assert [one.name for one in model.model_.schema.columns] == [one.name for one in whole.model_.schema.columns]
        if later is not timed:
            np.testing.assert_allclose(model.predict_proba(frame), whole.predict_proba(frame), rtol=1e-9)


def test_a_few_rows_are_read_as_all_were(tmp_path: Path) -> None:
    """Of one row by itself nothing could be told: 01.02.2025 might be any day, 1.234 any number."""
    columns = table()
    model = likely.fit(write(tmp_path / "t.tsv", columns), "churn")
    whole = model.predict_proba(tmp_path / "t.tsv")
    for row in range(0, ROWS, 7):
        one = {name: values[row : row + 1] for name, values in columns.items() if name != "churn"}
        for rows in (write(tmp_path / "one.tsv", one), pd.DataFrame(one)):
            np.testing.assert_allclose(model.predict_proba(rows), whole[row : row + 1], rtol=1e-12)


def test_cells_that_do_not_fit_are_missing_and_named(tmp_path: Path) -> None:
    columns = table()
    model = likely.fit(write(tmp_path / "t.tsv", columns), "churn")
    odd = {name: values[:4] for name, values in columns.items()}
    gone = {name: list(values) for name, values in odd.items()}
    odd["price"][2], gone["price"][2] = "cheap", ""
    odd["signed"][3], gone["signed"][3] = "soon", ""
    rows = [write(tmp_path / "odd.tsv", odd), pd.DataFrame(odd).drop(columns="churn")]
    same = model.predict_proba(write(tmp_path / "gone.tsv", gone))
    for one in rows:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            np.testing.assert_array_equal(model.predict_proba(one), same)
        assert [str(warning.message).partition(": ")[2] for warning in told] == [
            "1 cell is taken as missing: 'cheap' in row 2",
            "1 cell is taken as missing: 'soon' in row 3",
        ]


def test_rows_all_of_which_are_below_a_limit_are_read(tmp_path: Path) -> None:
    """The numbers are not known; words where there were numbers are another column, though."""
    columns = {"crp": [str(at / 10) for at in range(40)], "sex": ["f", "m"] * 20, "ill": ["no", "yes"] * 20}
    model = likely.fit(pd.DataFrame(columns), "ill")
    low = {"crp": ["<0.1", "> 90"], "sex": ["f", "m"]}
    gone = model.predict_proba(pd.DataFrame({**low, "crp": [None, None]}))
    for rows in (pd.DataFrame(low), write(tmp_path / "low.csv", low)):
        with pytest.warns(SchemaWarning, match="'<0.1' in row 0"):
            np.testing.assert_array_equal(model.predict_proba(rows), gone)
    for rows in (
        pd.DataFrame({**low, "crp": ["low", "high"]}),
        write(tmp_path / "low.csv", {**low, "crp": ["low", "high"]}),
    ):
        with pytest.raises(likely.LikelyError, match="S208"):
            model.predict_proba(rows)


def test_typed_columns_are_as_they_are(tmp_path: Path) -> None:
    """Text of digits among columns of numbers is what somebody made text."""
    frame = pd.DataFrame({"code": ["1", "2", "1", "2"], "x": [1.5, 2.5, 3.5, 4.5]})
    schema = likely.NaiveBayes().fit(frame, [0, 1, 0, 1]).model_.schema
    assert [column.kind for column in schema.columns] == ["category", "real"]
    array = likely.NaiveBayes().fit(frame[["code"]].to_numpy(), [0, 1, 0, 1]).model_.schema
    assert array.columns[0].levels == ("1", "2")


CELLS = st.sampled_from(
    [
        "1",
        "2",
        "3.5",
        "1,5",
        "1.234",
        "¥5",
        "7 kg",
        "9 %",
        "yes",
        "no",
        "true",
        "-",
        "?",
        "",
        "red",
        " blue ",
        "a,b",
        "2024-02-03",
        "03.02.2024",
        "3/4/2024",
        "2024-02-03 10:30",
        "1:30",
        "unknown",
        "007",
        "1e3",
        "(5)",
        "是",
        "否",
        "1.2K",
        "3.4M",
        "950",
        "5*",
        "<0.1",
        "$ (5)",
        "$-",
        "20240229",
        "20240301",
        "20231231",
        "\\N",
    ]
)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[str]]:
    rows = draw(st.integers(2, 12))
    some = [draw(st.lists(CELLS, min_size=1, max_size=3)) for _ in range(3)]
    return {
        f"v{at}": draw(st.lists(st.sampled_from(cells), min_size=rows, max_size=rows)) for at, cells in enumerate(some)
    } | {"target": ["u", "v"] * (rows // 2) + ["u"] * (rows % 2)}


@settings(suppress_health_check=[*settings().suppress_health_check, HealthCheck.function_scoped_fixture])
@given(tables(), st.sampled_from([door for door in DOORS if door != "duckdb"]))  # which has one reader at a time
def test_rows_are_read_later_as_they_were_learnt(tmp_path: Path, columns: dict[str, list[str]], door: str) -> None:
    """The same codes and numbers, bit for bit, when only the model says how to read."""
    rows = through(door, tmp_path, columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)
        learnt = open_source(rows, "target")
        assert isinstance(learnt, ArrowSource)
        schema = learnt.survey("auto")
        later = open_source(rows, "target", readings=readings_of(schema))
        for mine, theirs in zip(learnt.tasks(schema, True, 100), later.tasks(schema, True, 100), strict=True):
            block, other = mine(), theirs()
            np.testing.assert_array_equal(block.codes, other.codes)
            np.testing.assert_array_equal(block.reals, other.reals)
            np.testing.assert_array_equal(block.cells, other.cells)


def test_marks_that_were_said_are_those_of_later_rows(tmp_path: Path) -> None:
    """By the model alone, of a file and of its frame; a number that is a mark is none."""
    columns = {"age": [*"34567", "999"] * 5, "town": ["Rome", "refused", "Oslo"] * 10, "y": ["a", "b"] * 15}
    model = likely.fit(write(tmp_path / "t.tsv", columns), "y", missing_marks=["999", "refused"])
    model.save(tmp_path / "m.likely")
    later = likely.load(tmp_path / "m.likely")
    rows = pd.DataFrame({"age": ["999", "3"], "town": ["refused", "Oslo"]})
    gone = pd.DataFrame({"age": ["", "3"], "town": [None, "Oslo"]})
    np.testing.assert_array_equal(later.predict_proba(rows), model.predict_proba(gone))
    np.testing.assert_array_equal(
        likely.fit(pd.DataFrame(columns), "y", missing_marks=["999", "refused"]).predict_proba(rows),
        model.predict_proba(rows),
    )


def test_a_dash_of_a_log_is_missing_later_too(tmp_path: Path) -> None:
    """Though it is a word elsewhere."""
    lines = [
        f'10.0.0.{at % 4} - {"-ab"[at % 3]} [10/Oct/2025:13:{at}:36 +0000] "GET /{at % 2} HTTP/1.1" {200 + at % 2} {at}'
        for at in range(10, 40)
    ]
    path = tmp_path / "access.csv"
    path.write_text("\n".join(lines) + "\n")
    model = likely.fit(path, "c6", header=False)
    assert [column.name for column in model.model_.schema.columns if column.origin == "c4"][-1] == "c4.hour"
    assert model.model_.schema.columns[2].levels == ("a", "b")
    assert {note.text for note in model.notes_ if note.column == "c3"} == {"'c3' is read as words (missing: '-')"}


def test_amounts_in_yen_do_not_hide_that_a_text_is_chinese(tmp_path: Path) -> None:
    """The sign takes four bytes of GB 18030, and is no Chinese letter."""
    rows = "".join(f"{['北京', '上海'][at % 2]},¥{at},{'ab'[at % 2]}\n" for at in range(40))
    (tmp_path / "t.csv").write_bytes(f"城市,金额,y\n{rows}".encode("gb18030"))
    assert [column.name for column in likely.inspect(tmp_path / "t.csv", "y").columns] == ["城市", "金额"]


def test_a_lone_row_may_have_a_cell_that_does_not_fit() -> None:
    rows = pd.DataFrame({"crp": [str(at) for at in range(30)], "name": ["a", "b"] * 15, "ill": ["yes", "no"] * 15})
    model = likely.fit(rows, "ill")
    with pytest.warns(SchemaWarning, match="'>100' in row 0"):
        found = model.predict_proba(pd.DataFrame({"crp": [">100"], "name": ["a"]}))
    np.testing.assert_array_equal(found, model.predict_proba(pd.DataFrame({"crp": [None], "name": ["a"]})))


@pytest.mark.parametrize("other", ["NA", "1.5"])
def test_na_is_namibia_unless_the_file_misses_values_so(tmp_path: Path, other: str) -> None:
    lands = ["NA", "NO", "DE", "ZA", "NA", "US"] * 5
    rows = "".join(f"{land},{other if at == 3 else at},{'ab'[at % 2]}\n" for at, land in enumerate(lands))
    (tmp_path / "lands.csv").write_text("land,size,y\n" + rows)
    model = likely.fit(tmp_path / "lands.csv", "y")
    assert ("NA" in model.model_.schema.columns[0].levels) == (other != "NA")
    model.save(tmp_path / "lands.likely")
    again = likely.load(tmp_path / "lands.likely")
    one = pd.DataFrame({"land": ["NA"], "size": ["7"]})
    np.testing.assert_array_equal(again.predict_proba(one), model.predict_proba(one))


def test_names_in_the_midst_are_no_rows_later_either(tmp_path: Path) -> None:
    part = "".join(f"{at},{'red' if at % 3 else 'blue'},{'ab'[at % 2]}\n" for at in range(20))
    (tmp_path / "one.csv").write_text("size,hue,y\n" + part + part)
    (tmp_path / "two.csv").write_text(f"size,hue,y\n{part}size,hue,y\n{part}")
    model = likely.fit(tmp_path / "one.csv", "y")
    with pytest.warns(SchemaWarning, match="1 row repeats the names"):
        same = likely.fit(tmp_path / "two.csv", "y")
    with pytest.warns(SchemaWarning, match="1 row repeats the names"):
        found = model.predict_proba(tmp_path / "two.csv")
    np.testing.assert_array_equal(found, same.predict_proba(tmp_path / "one.csv"))


def test_a_word_of_no_value_is_kept_as_a_mark(tmp_path: Path) -> None:
    cells = ["OVRFLW" if at % 4 == 0 else f"{at}.5" for at in range(40)]
    rows = pd.DataFrame({"od": cells, "y": ["a", "b"] * 20})
    model = likely.fit(rows, "y")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model.predict_proba(pd.DataFrame({"od": ["OVRFLW", "3.5"]}))
    assert found[0].tolist() == model.predict_proba(pd.DataFrame({"od": [None, "3.5"]}))[0].tolist()
