"""Files that are packed, and files whose names tell nothing."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import likely
from likely.data.files import temporary
from likely.data.files.formats import GZIP
from likely.data.files.source import file_source
from likely.data.files.temporary import standard_input
from likely.errors import LikelyError
from likely.output.atomic_write import temporary_folder

LINES = b"a,b,y\n1,u,p\n2.5,,q\n3,w,p\n"
OBJECTS = b'{"a": 1, "b": "u", "y": "p"}\n{"a": 2.5, "y": "q"}\n{"a": 3, "b": "w", "y": "p"}\n'
ARFF = b"@relation r\n@attribute a real\n@attribute b {u,w}\n@attribute y {p,q}\n@data\n1,u,p\n2.5,?,q\n3,w,p\n"
ROWS = [{"a": 1.0, "b": "u", "y": "p"}, {"a": 2.5, "b": None, "y": "q"}, {"a": 3.0, "b": "w", "y": "p"}]


def parquet() -> bytes:
    file = io.BytesIO()
    pyarrow.parquet.write_table(pa.Table.from_pylist(ROWS), file)
    return file.getvalue()


CONTENTS = {
    "csv": LINES,
    "tsv": LINES.replace(b",", b"\t"),
    "jsonl": OBJECTS,
    "arff": ARFF,
    "parquet": parquet(),
    "csv.gz": gzip.compress(LINES),
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def archive(name: str, packing: int = zipfile.ZIP_DEFLATED, **members: bytes) -> None:
    with zipfile.ZipFile(name, "w", packing) as file:
        for member, content in members.items():
            file.writestr(member, content)


def rows(path: str) -> list[dict[str, object]]:
    return [dict(row) for row in pa.Table.from_batches(list(file_source(path, None).read())).to_pylist()]


def fault(path: str) -> LikelyError:
    with pytest.raises(LikelyError) as caught:
        list(file_source(path, None).read())
    return caught.value


@pytest.mark.parametrize("form", CONTENTS)
def test_the_one_table_of_an_archive(form: str) -> None:
    inner = f"folder/rows.{form}"
    archive("t.zip", **{"folder/": b"", inner: CONTENTS[form], "README.txt": b"by us\n", "__MACOSX/._rows.csv": b"\0"})
    assert rows("t.zip") == rows(f"t.zip#{inner}") == ROWS
    assert file_source("t.zip", None).place == f"t.zip#{inner}"
    assert likely.fit("t.zip", "y").classes_.tolist() == ["p", "q"]


@pytest.mark.parametrize("form", CONTENTS)
def test_a_file_without_an_ending_is_told_from_its_bytes(form: str) -> None:
    Path("rows").write_bytes(CONTENTS[form])
    archive("t.zip", rows=CONTENTS[form])
    if form != "csv.gz":
        Path("rows.gz").write_bytes(gzip.compress(CONTENTS[form]))
        if form != "parquet":
            assert rows("rows.gz") == ROWS
        assert rows("t.zip") == ROWS
    assert rows("rows") == ROWS


def test_endings_of_text() -> None:
    for ending in ("dat", "test", "DATA"):
        Path(f"rows.{ending}").write_bytes(LINES)
        assert rows(f"rows.{ending}") == ROWS
    Path("rows.tab").write_bytes(CONTENTS["tsv"])
    assert rows("rows.tab") == ROWS


def test_archives_without_one_table_name_what_they_hold() -> None:
    archive("two.zip", **{"a.csv": LINES, "b.data": LINES, "notes.doc": b"x"})
    error = fault("two.zip")
    assert (error.code, "'a.csv', 'b.data'" in error.hint, "two.zip#a.csv" in error.hint) == ("D225", True, True)
    assert rows("two.zip#b.data") == ROWS
    error = fault("two.zip#c.csv")
    assert (error.code, "'a.csv'" in error.hint) == ("D225", True)
    archive("none.zip", **{"a.doc": b"x", "b.exe": b"x"})
    assert fault("none.zip").code == "D225"
    archive("empty.zip")
    assert fault("empty.zip").code == "D225"
    archive("one.zip", **{"a.doc": b"x"})
    assert fault("one.zip").code == "D201"
    assert fault("nowhere.zip").code == fault("nowhere.zip#a.csv").code == "D202"
    Path("hash.zip#a.csv").write_bytes(LINES)  # a file of that very name
    assert rows("hash.zip#a.csv") == ROWS


def test_damaged_archives() -> None:
    archive("good.zip", **{"a.csv": LINES * 99})
    good = Path("good.zip").read_bytes()
    odd = {"cut": good[:-30], "text": LINES, "inside": good[:60] + b"\xff" * 9 + good[69:], "nothing": b""}
    for name, content in odd.items():
        Path(f"{name}.zip").write_bytes(content)
        assert fault(f"{name}.zip").code == "D212", name
    locked = bytearray(good)
    locked[6] |= 1
    locked[good.rindex(b"PK\1\2") + 8] |= 1
    Path("locked.zip").write_bytes(locked)
    assert "password" in fault("locked.zip").message
    archive("other.zip", zipfile.ZIP_BZIP2, **{"a.csv": LINES})
    assert "deflate" in fault("other.zip").message


@pytest.mark.parametrize("form", ["csv", "jsonl", "arff", "parquet"])
def test_a_bomb_is_refused_before_it_is_unpacked(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary, "_kept", None)  # nothing may be written
    archive("bomb.zip", **{f"a.{form}": b"x" * 50_000_000})
    assert fault("bomb.zip").code == {"parquet": "D210"}.get(form, "D216")
    assert os.path.getsize("bomb.zip") < 100_000


def test_a_bomb_that_begins_like_a_table_does_not_fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporary, "MOST_BYTES_ON_DISK", 10_000_000)
    archive("bomb.zip", **{"a.parquet": b"PAR1" + bytes(50_000_000)})
    Path("bomb.parquet.gz").write_bytes(gzip.compress(b"PAR1" + bytes(50_000_000)))
    for name in ("bomb.zip", "bomb.parquet.gz"):
        assert fault(name).code == "D229"
    kept = Path(temporary_folder()).parent.rglob("*.parquet")
    assert all(file.stat().st_size < 10_000 for file in kept)


def test_a_damaged_stream_is_told_in_words() -> None:
    for content in (GZIP + b"nothing that is packed", gzip.compress(LINES)[:5], gzip.compress(LINES)[:-9]):
        with pytest.raises(LikelyError) as caught:
            list(file_source(standard_input(io.BytesIO(content)), None).read())
        assert caught.value.code == "D212"


def test_what_is_no_table_is_told_without_an_ending_too() -> None:
    Path("table").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(200)))
    assert "PNG" in fault("table").message
    archive("t.zip", **{"a.csv": LINES})
    Path("t.zip").rename("packed")
    assert (fault("packed").code, ".zip" in fault("packed").hint) == ("D210", True)
    assert ".dat" in fault("rows.xyz").hint


@pytest.mark.filterwarnings("ignore::likely.errors.SchemaWarning")  # of the names, which repeat
def test_whatever_is_damaged_is_told_in_words() -> None:
    archive("good.zip", **{"a.csv": LINES * 9, "b.csv": LINES})
    good, random = Path("good.zip").read_bytes(), np.random.default_rng(11)
    for _ in range(150):
        content = bytearray(good)
        for at in random.integers(len(good) - 250, len(good), 3):
            content[at] = random.choice([0, 255, random.integers(256)])
        Path("odd.zip").write_bytes(content)
        with contextlib.suppress(LikelyError):
            list(file_source("odd.zip#a.csv", None).read())
