"""Formats: one table in every format gives one model; what a file really is, is told from its bytes."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import likely
from likely.data.files.csv import CsvFile
from likely.data.files.duckdb import call, connect
from likely.data.files.formats import form_of_bytes, form_of_name
from likely.data.files.source import file_source
from likely.data.files.temporary import standard_input
from likely.data.files.writer import write_rows
from likely.data.readings.missing_marks import MISSING_MARKS
from likely.errors import DataError, LikelyError


def packed(data: bytes) -> bytes:
    """gzip without the time of day: names of tests are made of it."""
    return gzip.compress(data, mtime=0)


SQL_TYPES = ("NULL", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "VARCHAR")
FORMS = ["csv", "tsv", "csv.gz", "parquet", "jsonl", "jsonl.gz", "arff", "arff.gz", "json"]
LINES = b"a,b,y\n1,u,p\n2.5,,q\n3,w,p\n"
GZIP = packed(LINES)
ARRAY = b'[{"a": 1, "b": "u", "y": "p"},\n {"a": 2.5, "b": null, "y": "q"}, {"a": 3, "b": "w", "y": "p"}]'
ARFF = b"@relation r\n@attribute a real\n@attribute b {u,w}\n@attribute y {p,q}\n@data\n1,u,p\n2.5,?,q\n3,w,p\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rows(path: str, form: str | None = None) -> list[dict[str, object]]:
    found: list[dict[str, object]] = pa.Table.from_batches(list(file_source(path, None, form).read())).to_pylist()
    return found


def fault(path: str, target: str | None = None) -> LikelyError:
    with pytest.raises(LikelyError) as caught:
        list(file_source(path, target).read())
    told = str(caught.value)
    assert "LINE 1" not in told
    assert len(told) < 700
    assert caught.value.hint
    assert os.path.basename(path)[:20].split("\0")[0] in caught.value.place
    return caught.value


def mixed() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    rows = 200
    frame = pd.DataFrame(
        {
            "amount": rng.normal(size=rows),
            "visits": rng.poisson(3, rows).astype(float),
            "colour": rng.choice(["red", "pale, blue", "say 'so'", "绿"], rows),
            "flag": rng.integers(0, 2, rows).astype(float),
        }
    )
    frame = frame.mask(rng.random(frame.shape) < 0.15)
    return frame.assign(y=rng.choice(["no", "yes"], rows))


def written(frame: pd.DataFrame, form: str) -> str:
    path = f"table.{form}"
    if form.startswith("arff"):
        levels = sorted(frame["colour"].dropna().unique())
        quoted = ["'" + level.replace("'", "\\'") + "'" for level in levels]
        head = ["@relation r", "@attribute amount real", "@attribute visits real"]
        head += [f"@attribute colour {{{','.join(quoted)}}}", "@attribute flag real", "@attribute y {no,yes}", "@data"]
        words = dict(zip(levels, quoted, strict=True))
        cells = [
            ",".join("?" if x != x else repr(x) if isinstance(x, float) else words.get(x, x) for x in row)
            for row in frame.itertuples(index=False)
        ]
        text = "\n".join([*head, *cells]).encode()
        Path(path).write_bytes(packed(text) if form.endswith("gz") else text)
    elif form == "json":
        records = [{k: v if v == v else None for k, v in row.items()} for row in frame.to_dict("records")]
        Path(path).write_text(json.dumps(records))
    else:
        table = pa.Table.from_pandas(frame, preserve_index=False)
        write_rows(path, table.schema, table.to_batches())
    return path


@pytest.mark.parametrize("form", FORMS)
def test_one_table_in_every_format_gives_one_model(form: str) -> None:
    frame = mixed()
    path = written(frame, form)
    model, known = likely.fit(path, "y"), likely.fit(frame, "y")
    X = frame.drop(columns="y")
    assert [c.kind for c in model.model_.schema.columns] == ["real", "real", "category", "binary"]
    expected = known.predict_proba(X)
    for found in (model.predict_proba(X), known.predict_proba(path)):
        np.testing.assert_allclose(found, expected, rtol=0, atol=0 if form == "parquet" else 1e-12)


@pytest.mark.parametrize("form", ["csv", "tsv.gz", "parquet", "jsonl"])
def test_true_and_false_agree(form: str) -> None:
    frame = pd.DataFrame({"b": [True, False, None, True], "y": ["p", "q", "p", "q"]})
    table = pa.table({"b": pa.array([True, False, None, True]), "y": frame["y"].tolist()})
    write_rows(f"t.{form}", table.schema, table.to_batches())
    assert likely.fit(f"t.{form}", "y").model_.schema.columns[0].kind == "binary"


NUMBERS = st.one_of(
    st.integers(-(2**64), 2**64).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(str),
    st.text("0123456789.+-eE_", min_size=1, max_size=6),
    st.sampled_from(["true", "False", "007", "+8", "1_000", "word", "", "NA", "2020-01-02", "-0", "1e400"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=4))
def test_types_are_those_that_duckdb_tells_from_all_rows(cells: list[str]) -> None:
    """An independent oracle: DuckDB's own telling, which holds the whole file (and takes 0x1F and 1E5 for numbers)."""
    assume(not any(re.fullmatch("[0-9]+E[0-9]+", cell) for cell in cells))
    Path("v.csv").write_text("y,v\n" + "".join(f'p,"{cell}"\n' for cell in cells))
    options = {"delim": ",", "quote": '"', "header": True, "sample_size": -1, "nullstr": MISSING_MARKS}
    told = call(
        "sniff_csv",
        "v.csv",
        {**options, "auto_type_candidates": SQL_TYPES},
    )
    ((columns,),) = duckdb.sql(f"select Columns from {told}").fetchall()
    (column,) = (column for column in columns if column["name"] == "v")
    batches = list(file_source("v.csv", None).read())
    found = {"int64": "BIGINT", "double": "DOUBLE", "date32[day]": "DATE"}.get(str(batches[0].schema.field("v").type))
    assert (found or "VARCHAR") == column["type"]


@pytest.mark.parametrize("last", ["2.5", "x", "true", "2020-01-02", "99999999999999999999", "007"])
def test_a_value_far_below_the_first_rows_counts_as_much(last: str) -> None:
    Path("far.csv").write_text("a,e,y\n" + "1,,p\n" * 30_000 + f"{last},7,q\n")
    found = rows("far.csv")[-1]
    assert found == {"a": {"2.5": 2.5, "99999999999999999999": 1e20}.get(last, last), "e": 7, "y": "q"}


def test_types_of_parts_go_together() -> None:
    Path("p-1.csv").write_text("n,w,e,B,y\n1,7,,true,p\n2,8,,false,q\n")
    Path("p-2.csv").write_text("w;y;n;new\nx;p;1.5;1\n9;q;2;2\n")
    found = rows("p-*.csv")
    assert [row["n"] for row in found] == [1.0, 2.0, 1.5, 2.0]
    assert [row["w"] for row in found] == ["7", "8", "x", "9"]
    assert [row["B"] for row in found] == [True, False, None, None]
    assert [row["new"] for row in found] == [None, None, 1, 2]
    Path("p-3.csv").write_text("")  # a part without rows may be empty
    assert rows("p-*.csv") == found


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bom.csv", b"\xef\xbb\xbf" + LINES),
        ("bom.tsv", b"\xef\xbb\xbf" + LINES.replace(b",", b"\t")),
        ("bom.arff", b"\xef\xbb\xbf" + ARFF),
        ("bom.json", b"\xef\xbb\xbf" + ARRAY),
        ("cr.csv", LINES.replace(b"\n", b"\r")),
        ("crlf.csv", LINES.replace(b"\n", b"\r\n")),
        ("semicolons.csv", LINES.replace(b",", b";")),
        ("bars.txt", LINES.replace(b",", b"|")),
        ("tabs.csv", LINES.replace(b",", b"\t")),
        ("quoted.csv", b'"a","b","y"\n"1","u","p"\n"2.5","","q"\n"3","w","p"\n'),
        ("title.csv", b"A title\n\n" + LINES),
        ("comment.csv", b"# a comment\n" + LINES),
        ("two-members.csv.gz", packed(LINES[:12]) + packed(LINES[12:])),
        ("UPPER.CSV", LINES),
        ("data[1].csv", LINES),
        ("what?*.csv", LINES),
        ('it\'s "so".csv', LINES),
        ("array.json", ARRAY),
        ("lines.json", b'{"a":1,"b":"u","y":"p"}\n{"y":"q","a":2.5}\n\n{"b":"w","a":3,"y":"p"}\n'),
        ("pretty.json", json.dumps(json.loads(ARRAY), indent=2).encode()),
        ("lines.ndjson.gz", packed(b'{"a":1,"b":"u","y":"p"}\n{"a":2.5,"y":"q"}\n{"a":3,"b":"w","y":"p"}')),
    ],
)
def test_files_as_people_write_them(name: str, content: bytes) -> None:
    Path("data1.csv").write_bytes(b"z\n9\n")  # what data[1].csv would mean as a pattern
    Path(name).write_bytes(content)
    expected = [{"a": 1.0, "b": "u", "y": "p"}, {"a": 2.5, "b": None, "y": "q"}, {"a": 3.0, "b": "w", "y": "p"}]
    assert rows(name) == expected
    assert file_source(name, None).place == name


def test_names_as_people_write_them() -> None:
    Path("n.csv").write_text('"a ""q""","new\nline",中文,😀, blank ,A,a,\n1,2,3,4,5,6,7,8\n', encoding="utf-8")
    names = ['a "q"', "new\nline", "中文", "😀", "blank", "A", "a", "c8"]
    assert rows("n.csv") == [dict(zip(names, range(1, 9), strict=True))]
    pd.DataFrame({"x": [1.5, 2.5], "y": ["p", "q"]}).to_csv("index.csv")  # an empty name above the index
    assert rows("index.csv") == [{"c1": 0, "x": 1.5, "y": "p"}, {"c1": 1, "x": 2.5, "y": "q"}]
    Path("none.csv").write_text("1,2,p\n3,4,q\n")
    assert rows("none.csv")[1] == {"c1": 3, "c2": 4, "c3": "q"}
    assert fault("none.csv", "y").code == "D219"


def test_mixed_types_in_a_parquet_file() -> None:
    import decimal

    table = pa.table(
        {
            "amount": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("2.25")]),
            "when": pa.array([0, None, 1], pa.timestamp("us")),
            "word": pa.array(["u", None, "v"]).dictionary_encode(),
            "y": ["p", "q", "p"],
        }
    )
    pq.write_table(table, "t.parquet")
    columns = likely.fit("t.parquet", "y").model_.schema.columns
    kinds = ["real", "real", "real", "category", "category", "category", "category"]
    assert [column.kind for column in columns] == kinds
    assert [column.date_part for column in columns] == ["", "days", "year", "month", "weekday", "hour", ""]
    pq.write_table(table[:0], "none.parquet")
    with pytest.raises(LikelyError, match="D117"):
        likely.fit("none.parquet", "y")


@pytest.mark.parametrize(
    ("head", "form"),
    [
        (b"PAR1", "parquet"),
        (b" \n% c\n@Relation r", "arff"),
        (b'\xef\xbb\xbf{"a"', "jsonl"),
        (b"[\n{", "jsonl"),
        (b"a\tb\n1\t2", "tsv"),
        (b"a,b\n1,2", "csv"),
        (b"", "csv"),
    ],
)
def test_the_format_of_a_stream(head: bytes, form: str) -> None:
    assert form_of_bytes(head) == form


class Trickle(io.RawIOBase):
    """A pipe that gives a few bytes at a time."""

    def __init__(self, content: bytes) -> None:
        self.rest = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        part = self.rest.read(7)
        memoryview(buffer)[: len(part)] = part  # type: ignore[arg-type]
        return len(part)


@pytest.mark.parametrize("content", [LINES, LINES.replace(b",", b"\t"), GZIP, ARFF, ARRAY, packed(ARRAY)])
def test_standard_input_is_kept_for_every_pass(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = standard_input(Trickle(content))
    assert [row["a"] for row in rows(path)] == [1.0, 2.5, 3.0]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    source = file_source("-", "y")
    assert [sum(batch.num_rows for batch in source.read()) for _ in range(3)] == [3, 3, 3]


def test_standard_input_of_a_parquet_file_of_nothing_and_of_a_told_form() -> None:
    table = pa.table({"a": [1.5]})
    pq.write_table(table, "t.parquet")
    assert rows(standard_input(io.BytesIO(Path("t.parquet").read_bytes()))) == [{"a": 1.5}]
    assert rows(standard_input(io.BytesIO(b"a\n1\n"), form="csv")) == [{"a": 1}]
    for content, form, code in ((b"", None, "D209"), (b"a", "cvs", "D201"), (packed(b"PAR1"), None, "D213")):
        with pytest.raises(DataError, match=code):
            rows(standard_input(io.BytesIO(content), form))


def test_a_form_told_goes_before_the_ending() -> None:
    Path("data.dat").write_bytes(LINES.replace(b",", b"\t"))
    assert rows("data.dat", "tsv")[1] == {"a": 2.5, "b": None, "y": "q"}
    assert form_of_name("x.dat.gz", "jsonl") == ("jsonl", True)
    with pytest.raises(DataError, match=r"Did you mean '\.tsv'"):
        rows("data.dat", "tvs")


def test_nothing_comes_from_elsewhere() -> None:
    connection = connect()
    settings_ = "current_setting('autoinstall_known_extensions'), current_setting('autoload_known_extensions')"
    assert connection.sql(f"select {settings_}").fetchall() == [(False, False)]
    for path in ("http://127.0.0.1:9/x.csv", "s3://bucket/x.parquet", "https://x.org/*.csv", "file:///x.csv"):
        assert fault(path).code == "D207"


def test_types_are_told_in_one_pass_and_each_pass_is_one_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("t.csv").write_bytes(LINES)
    told = []
    original = CsvFile.batches
    monkeypatch.setattr(
        CsvFile, "batches", lambda *given, **named: told.append(len(given)) or original(*given, **named)
    )
    source = file_source("t.csv", "y")
    assert [len(list(source.read())) for _ in range(3)] == [2, 2, 2]
    assert told == [1, 3, 3]  # to tell the types, which gives the cells once; then as they are told


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "cp1252"])
def test_letters_are_told_apart(encoding: str) -> None:
    words = ["中文", "北京市", "上海"] if encoding != "cp1252" else ["café", "Zürich", "señor €5"]
    rows_ = [{"name": word, "n": at} for at, word in enumerate(words * 20)]
    text = "name,n\r\n" + "".join(f"{row['name']},{row['n']}\r\n" for row in rows_)
    Path("t.csv").write_bytes(text.encode(encoding))
    assert rows("t.csv") == rows_


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sep=;\na;b\n1;x\n2;y\n", [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
        ("a,b,\n1,x,\n2,y,\n", [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
        ("a,b\n1,x,\n2,y,\n", [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
        ("a,b\r\n1,x\n2,y\r\n", [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
        ('a,b\n1, "x, z"\n2, y\n', [{"a": 1, "b": "x, z"}, {"a": 2, "b": "y"}]),
        ('a,b\n1,"say \\"hi\\" there"\n2,y\n', [{"a": 1, "b": 'say "hi" there'}, {"a": 2, "b": "y"}]),
        ("a b\n1 2\n 3  4\n5   6\n7 8\n", [{"a": at, "b": at + 1} for at in (1, 3, 5, 7)]),
        ("Report,,\nof May,,\na,b,c\n1,x,2\n3,y,4\n", [{"a": 1, "b": "x", "c": 2}, {"a": 3, "b": "y", "c": 4}]),
        ("a,b,c\n1,x,2\n3,y,4\n\nSource: the office\n", [{"a": 1, "b": "x", "c": 2}, {"a": 3, "b": "y", "c": 4}]),
        ("a,b\n1,x\n# half time\n2,y\n", None),
        ("# by us\na,b\n1,x\n# half time\n2,y\n", [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
        (
            "land,2010,2011\nA,1.5,2.5\nB,3.5,4.5\n",
            [{"land": "A", "2010": 1.5, "2011": 2.5}, {"land": "B", "2010": 3.5, "2011": 4.5}],
        ),
        (
            "p,x,s\np,y,s\ne,x,s\np,x,t\n",
            [dict(zip(["c1", "c2", "c3"], row, strict=True)) for row in ("pxs", "pys", "exs", "pxt")],
        ),
        ('pipe,n\n5" wide,1\n7" wide,2\n9" wide,3\n', [{"pipe": f'{at}" wide', "n": at // 2 - 1} for at in (5, 7, 9)]),
    ],
)
def test_habits_of_those_who_write_csv(text: str, expected: list[dict[str, object]] | None) -> None:
    Path("t.csv").write_text(text, encoding="utf-8", newline="")
    if expected is None:
        assert fault("t.csv").code == "D214"
    else:
        assert rows("t.csv") == expected


def test_the_slow_reader_goes_on_where_the_fast_one_fails() -> None:
    """The odd line stands in a later block than those that were handed out before."""
    body = "".join(f"{at},w{at % 7}\n" for at in range(200_000))
    Path("t.csv").write_text("n,w\n" + body + "7,u,,\n" + body)
    batches = list(file_source("t.csv", None).read())
    table = pa.Table.from_batches(batches)
    assert table.num_rows == 400_001
    assert table["n"].to_pylist() == [*range(200_000), 7, *range(200_000)]
    assert table["w"][200_000].as_py() == "u"
