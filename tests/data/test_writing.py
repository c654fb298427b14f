"""Tables written: what is read again is what was given, and a write that fails leaves everything as it was."""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import json
import math
import os
import resource
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likely.data.files.source import file_source
from likely.data.files.writer import check_writable, write_rows
from likely.errors import DataError, LikelyError, SchemaError, StoreError

FORMS = ["csv", "tsv", "parquet", "jsonl", "csv.gz", "tsv.gz", "jsonl.gz"]
TABLE = pa.table(
    {
        "n": pa.array([1, -2, None, 2**62]),
        "x": pa.array([0.1, 1e-300, None, -1.7976931348623157e308]),
        "w": pa.array(['say "so"', "two\nlines, and a comma", None, "中文 😀 it's\ttab"]),
        "d": pa.array([datetime.date(2020, 2, 29), None, datetime.date(1999, 12, 31), datetime.date(2000, 1, 1)]),
        "t": pa.array([datetime.datetime(2020, 2, 29, 1, 2, 3), None, *[datetime.datetime(1999, 1, 1, 4)] * 2]),
        "b": pa.array([True, None, False, True]),
    }
)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def again(path: str) -> pa.Table:
    return pa.Table.from_batches(list(file_source(path, None).read()))


def fault(path: str) -> LikelyError:
    with pytest.raises(LikelyError) as caught:
        check_writable(path)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("form", FORMS)
def test_what_is_written_is_read_again(form: str) -> None:
    path = f"rows.{form}"
    assert write_rows(path, TABLE.schema, TABLE.to_batches(max_chunksize=2)) == 4
    assert again(path).to_pydict() == TABLE.to_pydict()
    assert os.listdir() == [path]


def test_csv_is_the_csv_of_others() -> None:
    write_rows("rows.csv", TABLE.schema, TABLE.to_batches())
    with open("rows.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["w"] for row in rows] == [word or "" for word in TABLE["w"].to_pylist()]
    assert [row["x"] and float(row["x"]) for row in rows] == ["" if x is None else x for x in TABLE["x"].to_pylist()]
    assert rows[1]["b"] == ""
    write_rows("rows.jsonl.gz", TABLE.schema, TABLE.to_batches())
    lines = [json.loads(line) for line in gzip.decompress(Path("rows.jsonl.gz").read_bytes()).splitlines()]
    assert [line.get("w") for line in lines] == TABLE["w"].to_pylist()
    write_rows("rows.parquet", TABLE.schema, TABLE.to_batches())
    assert pq.read_table("rows.parquet").to_pydict() == TABLE.to_pydict()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50), st.sampled_from(FORMS))
def test_doubles_come_back_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory, xs: list[float], form: str
) -> None:
    path = str(tmp_path_factory.mktemp("doubles") / f"x.{form}")
    batch = pa.record_batch({"x": pa.array(xs, pa.float64()), "y": pa.array(["p"] * len(xs))})
    write_rows(path, batch.schema, [batch])
    found = [float(x) for x in again(path)["x"].to_pylist()]
    assert [x.hex() for x in found if x] == [x.hex() for x in xs if x]
    assert found == xs


def test_json_stays_json_where_a_number_is_none() -> None:
    batch = pa.record_batch({"x": pa.array([1.5, math.nan, math.inf]), "w": pa.array(["a", "b", "c"])})
    write_rows("x.jsonl", batch.schema, [batch])
    lines = [json.loads(line, parse_constant=pytest.fail) for line in Path("x.jsonl").read_text().splitlines()]
    assert [line["x"] for line in lines] == [1.5, None, "inf"]


def test_no_rows_and_dictionaries_and_many_batches_in_order() -> None:
    assert write_rows("none.csv", TABLE.schema, []) == 0
    assert Path("none.csv").read_text() == "n,x,w,d,t,b\n"
    words = pa.array(["u", "v", "u"]).dictionary_encode()
    batch = pa.record_batch({"w": words})
    write_rows("words.parquet", batch.schema, [batch] * 3)
    assert pq.read_table("words.parquet")["w"].to_pylist() == ["u", "v", "u"] * 3
    many = [pa.record_batch({"i": pa.array(np.arange(k * 1000, (k + 1) * 1000))}) for k in range(300)]
    for form in ("csv", "parquet", "jsonl"):
        assert write_rows(f"many.{form}", many[0].schema, iter(many)) == 300_000
        assert again(f"many.{form}")["i"].to_numpy().tolist() == list(range(300_000))


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "csv.gz"])
@pytest.mark.parametrize("kind", [DataError, KeyboardInterrupt, RuntimeError])
def test_an_error_of_the_batches_comes_out_as_it_is_and_the_old_file_stays(
    form: str, kind: type[BaseException]
) -> None:
    error = kind("D104", "an infinite value")
    path = Path(f"rows.{form}")
    path.write_text("old")

    def batches() -> Iterator[pa.RecordBatch]:
        for at in range(10):
            if at == 7:
                raise error
            yield from TABLE.to_batches()

    with pytest.raises(type(error)) as caught:
        write_rows(path, TABLE.schema, batches())
    assert caught.value is error
    assert path.read_text() == "old"
    assert os.listdir() == [path.name]


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "csv.gz"])
def test_a_full_disk_leaves_the_old_file(form: str) -> None:
    path = Path(f"rows.{form}")
    path.write_text("old")
    rng = np.random.default_rng(0)
    batches = [pa.record_batch({"x": pa.array(rng.normal(size=20_000))}) for _ in range(10)]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))  # no file may grow beyond
    try:
        with pytest.raises(StoreError) as caught:
            write_rows(path, batches[0].schema, batches)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (caught.value.code, caught.value.place) == ("F402", str(path))
    assert path.read_text() == "old"
    assert os.listdir() == [path.name]


def test_batches_of_another_schema_fail_in_one_error() -> None:
    with pytest.raises(LikelyError, match="F402"):
        write_rows("rows.csv", TABLE.schema, [pa.record_batch({"z": [1]})])
    assert os.listdir() == []


def test_names_that_differ_in_letter_case_alone_are_refused_rather_than_changed() -> None:
    batch = pa.record_batch([[0.25], [0.75]], names=["Yes", "yes"])
    with pytest.raises(SchemaError, match="S209"):
        write_rows("rows.csv", batch.schema, [batch])
    odd = pa.record_batch([[1.5], [2.5]], names=['a "q", 中\n😀', "it's"])
    for form in FORMS:
        write_rows(f"odd.{form}", odd.schema, [odd])
        assert again(f"odd.{form}").column_names == odd.schema.names


@pytest.mark.parametrize(
    ("path", "code", "says"),
    [
        ("rows.cvs", "O121", "Did you mean '.csv'?"),
        ("rows", "O121", "end the name with one of"),
        ("rows.parquet.gz", "O121", "end the name with one of"),
        ("/dev/full", "O121", ""),
        ("folder.csv", "F401", "folder.csv/"),
        ("foldr/rows.csv", "F401", "mkdir"),
        ("pipe.csv", "F401", "another name"),
        ("nul\0.csv", "F401", ""),
    ],
)
def test_what_cannot_be_written_is_told_before_any_work(path: str, code: str, says: str) -> None:
    Path("folder.csv").mkdir()
    os.mkfifo("pipe.csv")
    error = fault(path)
    assert error.code == code
    assert says in error.hint
    with pytest.raises(LikelyError, match=code):
        write_rows(path, TABLE.schema, iter(pytest.fail, None))


def test_a_name_that_is_too_long() -> None:
    with pytest.raises(StoreError, match="F40"):
        write_rows("x" * 5000 + ".csv", TABLE.schema, TABLE.to_batches())


def test_a_folder_without_the_right_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.output.atomic_write.os.access", lambda path, mode: False)  # root may write anywhere
    assert fault("rows.csv").code == "F401"


def test_the_mode_and_the_link_stay() -> None:
    write_rows("rows.csv", TABLE.schema, TABLE.to_batches())
    Path("rows.csv").chmod(0o640)
    Path("link.csv").symlink_to("rows.csv")
    write_rows("link.csv", TABLE.schema, [])
    assert Path("link.csv").is_symlink()
    assert Path("rows.csv").read_text() == "n,x,w,d,t,b\n"
    assert Path("rows.csv").stat().st_mode & 0o777 == 0o640
    Path("plain").write_text("")
    write_rows("new.csv", TABLE.schema, [])
    assert Path("new.csv").stat().st_mode == Path("plain").stat().st_mode


def test_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out))
    check_writable("-")
    assert write_rows("-", TABLE.schema, TABLE.to_batches()) == 4
    assert out.getvalue().startswith(b"n,x,w")
