"""Files as people write them: parts that differ, booleans, headers without rows; and what is noticed in them."""

import errno
import gzip
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likely
from likely.data.files.source import file_source
from likely.data.files.writer import write_rows
from likely.errors import SchemaWarning


def packed(data: bytes) -> bytes:
    """gzip without the time of day: names of tests are made of it."""
    return gzip.compress(data, mtime=0)


WORDS = "the of and to in is was he for it with as his on be at by had not are"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_parquet_parts_of_whole_and_fractional_numbers_keep_the_fractions():
    pd.DataFrame({"a": [1, 2], "y": ["p", "q"]}).to_parquet("part-1.parquet")
    pd.DataFrame({"a": [1.5, None], "y": ["p", "q"]}).to_parquet("part-2.parquet")
    model = likely.fit("part-*.parquet", target="y")
    whole = pd.DataFrame({"a": [1, 2, 1.5, None]})
    np.testing.assert_array_equal(
        model.predict_proba(whole), likely.NaiveBayes().fit(whole, list("pqpq")).predict_proba(whole)
    )


def test_csv_parts_with_columns_in_another_order():
    Path("part-1.csv").write_text("a,b,y\n1.5,u,p\n2.5,v,q\n")
    Path("part-2.csv").write_text("b,a,y\nu,3.5,p\nw,4.5,q\n")
    columns = likely.fit("part-*.csv", target="y").model_.schema.columns
    assert [(column.name, column.kind) for column in columns] == [("a", "real"), ("b", "category")]


def test_true_and_false_are_booleans_and_yes_and_no_are_two_levels():
    Path("t.csv").write_text("flag,word,y\ntrue,yes,0\nfalse,no,1\n,no,1\nTrue,yes,0\n")
    from_file, from_pandas = likely.fit("t.csv", "y"), likely.fit(pd.read_csv("t.csv"), "y")
    assert [column.kind for column in from_file.model_.schema.columns] == ["binary", "binary"]
    np.testing.assert_array_equal(from_file.predict_proba("t.csv"), from_pandas.predict_proba("t.csv"))
    assert likely.fit("t.csv", "word").classes_.tolist() == ["no", "yes"]
    Path("t.csv").write_text("a,y\n1,true\n2,false\n")
    assert likely.fit("t.csv", "y").classes_.tolist() == [False, True]


def test_a_header_without_rows():
    Path("none.csv").write_text("a,y\n")
    with pytest.raises(likely.LikelyError, match="D117"):
        likely.fit("none.csv", "y")
    model = likely.NaiveBayes().fit(pd.DataFrame({"a": [1.5, 2.5]}), [0, 1])
    assert model.predict_proba("none.csv").shape == (0, 2)


def test_patterns_of_arff_files():
    head = "@relation r\n@attribute a {x,y,z}\n@attribute c {no,yes}\n@data\n"
    Path("part-1.arff").write_text(head + "x,no\ny,yes\n")
    Path("part-2.arff").write_text(head + "x,no\n?,yes\n")
    model = likely.fit("part-*.arff", target="c")
    assert model.model_.rows.tolist() == [2, 2]
    assert model.model_.schema.columns[0].levels == ("x", "y", "z")


@pytest.mark.parametrize(
    ("name", "code"), [("folder", "D203"), ("table.xslx", "D201"), ("nowhere.csv", "D202"), ("odd.csv", "D221")]
)
def test_files_that_cannot_be_read(name: str, code: str):
    Path("folder").mkdir()
    Path("odd.csv").write_bytes(b"a,y\ncaf\xe9,0\nth\x01\xe9,1\n")
    with pytest.raises(likely.LikelyError) as caught:
        likely.fit(name, "y")
    assert (caught.value.code, bool(caught.value.hint)) == (code, True)


def test_a_relation_whose_connection_is_closed():
    connection = duckdb.connect()
    relation = connection.sql("select 1.5 as a, 'p' as y")
    connection.close()
    with pytest.raises(likely.LikelyError, match="D204"):
        likely.fit(relation, "y")


def test_rows_without_names_go_by_position_and_the_reverse():
    frame, rows = pd.DataFrame({"c": ["S", "S", "C"], "z": [1.0, 2, 3]}), [["S", 1.0], ["S", 2.0], ["C", 3.0]]
    named = likely.NaiveBayes().fit(frame, list("nny"))
    with pytest.warns(UserWarning, match="feature names"):
        np.testing.assert_array_equal(named.predict_proba(rows), named.predict_proba(frame))
    unnamed = likely.NaiveBayes().fit(rows, list("nny"))
    with pytest.warns(UserWarning, match="feature names"):
        np.testing.assert_array_equal(unnamed.predict_proba(frame), named.predict_proba(frame))


def test_identifiers_and_texts_are_told_from_the_counts_in_whatever_parts_they_come():
    rng = np.random.default_rng(0)
    words = np.array(WORDS.split())
    frame = pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(120)],
            "note": [" ".join(rng.choice(words, 9)) for _ in range(120)],
            "city": rng.choice(["Rome", "Oslo", "Cairo"], 120),
        }
    )
    y = rng.choice(["no", "yes"], 120)
    with pytest.warns(SchemaWarning, match="'id' looks like an identifier"):
        whole = likely.NaiveBayes().fit(frame, y)
    assert [column.kind for column in whole.model_.schema.columns] == ["category", "text", "category"]
    assert not whole.explain(frame[:1]).terms[0, 1].any()
    for size in (7, 40):
        parts = likely.NaiveBayes()
        for start in range(0, 120, size):
            part = slice(start, start + size)
            if start == 0 and size == 40:
                with pytest.warns(SchemaWarning):
                    parts.partial_fit(frame[part], y[part])
            else:
                parts.partial_fit(frame[part], y[part])
        np.testing.assert_allclose(parts.predict_proba(frame), whole.predict_proba(frame), rtol=1e-12)


def test_a_column_that_counts_the_rows_is_noted():
    model = likely.NaiveBayes().fit(pd.DataFrame({"id": range(1000, 1100), "x": np.linspace(0, 1, 100)}), [0, 1] * 50)
    assert "counts the rows" in model.notes_[0].text


def test_a_model_that_forgot_everything_says_so():
    model = likely.NaiveBayes().fit([[1.5], [2.5]], ["a", "b"]).forget([[1.5], [2.5]], ["a", "b"])
    with pytest.raises(likely.LikelyError, match="M306"):
        model.predict([[1.5]])
    assert model.partial_fit([[1.5], [2.5]], ["a", "b"]).predict([[2.5]]).tolist() == ["b"]


def test_a_saved_model_has_the_mode_of_any_new_file():
    Path("plain").write_text("")
    model = likely.NaiveBayes().fit([[1.5], [2.5]], ["a", "b"])
    model.save("m.likely")
    assert Path("m.likely").stat().st_mode == Path("plain").stat().st_mode
    Path("m.likely").chmod(0o640)
    model.save("m.likely")
    assert Path("m.likely").stat().st_mode & 0o777 == 0o640


LINES = b"a,b,y\n1,u,p\n2,v,q\n3,w,p\n"
OBJECTS = b'{"a": 1, "y": "p"}\n{"a": 2.5, "y": "q"}\n'
GARBAGE = bytes(np.random.default_rng(0).integers(1, 256, 3000).astype(np.uint8))


def fault(path: str, target: str | None = "y") -> likely.LikelyError:
    """The one error that a file gives: short, with a code, a place and a hint."""
    with pytest.raises(likely.LikelyError) as caught:
        list(file_source(path, target).read())
    error = caught.value
    assert error.hint
    assert "LINE 1" not in str(error)
    assert len(error.message) < 330
    assert "\n" not in error.message
    return error


@pytest.mark.parametrize(
    ("name", "content", "code", "place", "says"),
    [
        ("empty.csv", b"", "D209", "", "empty"),
        ("empty.parquet", b"", "D209", "", "empty"),
        ("empty.csv.gz", packed(b""), "D209", "", "empty"),
        ("blank.csv", b"\n\r\n \n", "D209", "", "blank"),
        ("more.csv", LINES + b"4,u,p,EXTRA\n5,u,p\n", "D214", ", line 5", "4 fields where 3"),
        ("less.csv", LINES + b"4\n5,u,p\n", "D214", ", line 5", "1 field where 3"),
        ("first.csv", b"a,b,y\n1,u,p,EXTRA\n2,v,q,x\n3,w,p,x\n", "D214", ", line 2", "4 fields where 3"),
        ("less.tsv", LINES.replace(b",", b"\t") + b"4\tu\n", "D214", ", line 5", "2 fields where 3"),
        ("quote.csv", LINES + b'4,"u,p\n5,u,p\n', "D215", ", line 5", "does not close"),
        ("twice.csv", b"a,a,y\n1,2,p\n", "S209", "", "two columns are called 'a'"),
        ("odd.csv", LINES + "4,caf\xe9 \x02,p\n".encode("latin-1"), "D221", ", line 5", "UTF-8"),
        ("damaged.csv", "a\n中文\n中文\n".encode() + b"\xe4\xb8\n", "D221", ", line 4", "UTF-8"),
        ("latin.jsonl", OBJECTS + '{"a": 1, "y": "caf\xe9"}\n'.encode("latin-1"), "D221", ", line 3", "UTF-8"),
        ("nul.csv", LINES + b"4,u\0,p\n", "D211", ", byte 27", "not a text"),
        ("zeros.csv", bytes(5000), "D211", "", ""),
        ("utf32.jsonl", OBJECTS.decode().encode("utf-32"), "D211", "", "UTF-32"),
        ("utf16.arff", "@relation r\n@attribute y {p,q}\n@data\np\n".encode("utf-16"), "D211", "", "UTF-16"),
        ("garbage.csv", GARBAGE, "D221", ", line 1", "UTF-8"),
        ("garbage.parquet", GARBAGE, "D210", "", "no Parquet"),
        ("text.parquet", LINES, "D210", "", "no Parquet"),
        ("zip.csv", b"PK\x03\x04" + GARBAGE, "D210", "", "ZIP"),
        ("xlsx.csv", b"PK\x03\x04" + b"[Content_Types].xml" + GARBAGE, "D210", "", "Excel"),
        ("png.csv", b"\x89PNG\r\n\x1a\n" + GARBAGE, "D210", "", "PNG"),
        ("gzip.csv", packed(LINES), "D210", "", "gzip"),
        ("sqlite.csv", b"SQLite format 3\0" + GARBAGE, "D210", "", "SQLite"),
        ("pdf.tsv", b"%PDF-1.7\n" + GARBAGE, "D210", "", "PDF"),
        ("pdf.parquet", b"%PDF-1.7\n" + GARBAGE, "D210", "", "PDF"),
        ("page.csv", b"\n<!DOCTYPE html><html>404</html>", "D210", "", "web page"),
        ("json.csv", OBJECTS, "D210", "", "JSON"),
        ("arff.csv", b"@RELATION r\n@data\n", "D210", "", "ARFF"),
        ("png.csv.gz", packed(b"\x89PNG\r\n\x1a\n" + GARBAGE), "D210", "", "PNG"),
        ("cut.csv.gz", packed(GARBAGE.hex().encode())[:-30], "D212", "", "damaged"),
        ("crc.csv.gz", packed(LINES)[:-8] + b"\1\2\3\4" + packed(LINES)[-4:], "D212", "", "CRC"),
        ("middle.jsonl.gz", packed(OBJECTS * 99)[:30] + b"\0\1\2" + packed(OBJECTS)[33:], "D212", "", ""),
        ("cut.arff.gz", packed(b"@relation r\n@data\n" * 99)[:-9], "D212", "", "damaged"),
        ("plain.csv.gz", LINES, "D212", "", "not a gzip"),
        ("line.csv", b"a,y\n1,p\n" + b"x" * 20_000_000, "D216", "", "16,777,216"),
        ("line.jsonl", b"x" * 20_000_000, "D216", "", "16,777,216"),
        ("bomb.csv.gz", packed(b"x" * 50_000_000), "D216", "", "16,777,216"),
        ("broken.jsonl", OBJECTS + b'{"a": 1 "y": 2}\n' + OBJECTS, "D217", ", line 3", "JSON"),
        ("cut.jsonl", OBJECTS + b'{"a": 1, "y', "D217", ", line 3", "JSON"),
        ("twice.jsonl", b'{"a": 1, "a": 2, "y": "p"}\n' + OBJECTS, "D217", ", line 1", "duplicate key"),
        ("numbers.json", b"[1, 2, 3]", "D217", "", "no rows"),
        ("none.json", b"[]", "D217", "", "no rows"),
        ("case.jsonl", b'{"a": 1, "A": 2, "y": "p"}\n', "S209", "", "large and small letters"),
        ("object.jsonl", b'{"a": {"b": 1}, "y": "p"}\n', "D218", ", column 'a'", "nested"),
        ("list.json", b'[{"a": [1, 2], "y": "p"}]', "D218", ", column 'a'", "nested"),
        ("mixed.jsonl", b'{"a": 1, "y": "p"}\n{"a": "u", "y": "q"}\n', "D103", ", column 'a'", "several types"),
        ("headless.csv", b"1,2,p\n3,4,q\n", "D219", "", "looks like data"),
        ("numbers.csv", b"1,2\n3,4\n", "D219", "", "looks like data"),
        ("table.xls", b"PK\x03\x04", "D201", "", ".xls"),
        ("packed.parquet.gz", packed(b"PAR1"), "D213", "", ""),
    ],
)
def test_content_that_cannot_be_read(name: str, content: bytes, code: str, place: str, says: str):
    Path(name).write_bytes(content)
    error = fault(name)
    assert error.code == code
    assert error.place == f"{name}{place}" if place or code != "D211" else error.place.startswith(name)
    assert says in error.message


def test_parquet_files_that_cannot_be_read():
    table = pa.table({"a": np.arange(20_000.0), "y": ["p", "q"] * 10_000})
    pq.write_table(table, "good.parquet", compression="none")
    good = Path("good.parquet").read_bytes()
    for name, content, code in (
        ("cut", good[:-20], "D213"),
        ("short", b"PAR1", "D213"),
        ("foot", good[:4] + good[4:-200] + b"\xff" * 150 + good[-50:], "D213"),
        ("page", good[:4] + b"\xff" * 200 + good[204:], "D213"),
        ("marks", b"PAR1" + GARBAGE + b"PAR1", "D213"),
    ):
        Path(f"{name}.parquet").write_bytes(content)
        assert fault(f"{name}.parquet").code == code
    pq.write_table(pa.table({}), "none.parquet")
    assert fault("none.parquet").code == "D209"
    pq.write_table(pa.table({"s": [{"x": 1}], "y": ["p"]}), "nested.parquet")
    assert fault("nested.parquet").place == "nested.parquet, column 's'"
    pq.write_table(pa.table([[1], [2], ["p"]], names=["a", "a", "y"]), "twice.parquet")
    assert fault("twice.parquet").code == "S209"
    pq.write_table(pa.table([[1], [2], ["p"]], names=["a", "A", "y"]), "case.parquet")
    assert file_source("case.parquet", "y").columns == ("a", "A", "y")


def test_nested_values_that_no_one_asks_for_do_no_harm():
    model = likely.fit(pd.DataFrame({"a": [1.5, 2.5], "y": ["p", "q"]}), "y")
    Path("new.jsonl").write_text('{"a": 1.5, "tags": ["x"], "odd": 1}\n{"odd": "u", "a": 2.5}\n')
    np.testing.assert_array_equal(
        model.predict_proba("new.jsonl"), model.predict_proba(pd.DataFrame({"a": [1.5, 2.5]}))
    )


def test_nested_and_mixed_values_are_refused_when_someone_asks_for_them():
    for text in ('{"tags": ["x"]}\n', '{"tags": 1}\n{"tags": "u"}\n'):
        Path("t.jsonl").write_text(text)
        with pytest.raises(likely.LikelyError, match="column 'tags'"):
            file_source("t.jsonl", None).survey("auto")


def test_paths_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch):
    Path("data.csv").write_bytes(LINES)
    Path("data.parquet").write_bytes(b"PAR1")
    os.mkfifo("pipe.csv")
    Path("loop.csv").symlink_to("loop.csv")
    Path("nowhere.csv").symlink_to("gone.csv")
    Path("folder").mkdir()
    for path, code, says in (
        ("dta.csv", "D202", "Did you mean 'data.csv'?"),
        ("folders/data.csv", "D202", "no folder 'folders'"),
        ("data.csv/x.csv", "D202", ""),
        ("nowhere.csv", "D202", ""),
        ("none-*.csv", "D202", ""),
        ("folder", "D203", "folder/*.parquet"),
        ("pipe.csv", "D205", "standard input"),
        ("/dev/zero", "D205", "standard input"),
        ("/dev/full", "D205", "standard input"),
        ("loop.csv", "D206", "link"),
        ("x" * 5000 + ".csv", "D206", ""),
        ("nul\0.csv", "D206", ""),
        ("data.*", "D208", "one format"),
        ("data.cvs", "D201", "Did you mean '.csv'?"),
        ("data", "D202", ""),
    ):
        error = fault(path)
        assert error.code == code, path[:20]
        assert says in error.hint

    def refused(*given: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("likely.data.files.text_encoding.open", refused, raising=False)  # root may read anything
    assert fault("data.csv").code == "D206"


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.jsonl"])
def test_a_file_deleted_between_two_passes(name: str):
    table = pa.table({"a": [1.5], "y": ["p"]})
    write_rows(name, table.schema, table.to_batches())
    source = file_source(name, "y")
    assert sum(batch.num_rows for batch in source.read()) == 1
    Path(name).unlink()
    with pytest.raises(likely.LikelyError) as caught:
        list(source.read())
    assert (caught.value.code, caught.value.place) == ("D202", name)


def test_errors_far_down_are_quick_and_name_the_line():
    body = b"1,u,p\n" * 300_000
    for bad, code, line in (
        (b"1,u\n", "D214", 300_002),
        (b'1,"u,p\n', "D215", 300_002),
        (b"1,\xe9\x01,p\n", "D221", 300_002),
    ):
        Path("far.csv").write_bytes(b"a,b,y\n" + body + bad + body)
        error = fault("far.csv")
        assert (error.code, error.place) == (code, f"far.csv, line {line}")
    Path("far.jsonl").write_bytes(OBJECTS * 100_000 + b'{"a"\n' + OBJECTS)
    assert fault("far.jsonl").place == "far.jsonl, line 200001"


@pytest.mark.slow
def test_a_large_csv_is_read_in_flat_memory():
    script = """
import resource, sys
from likely.data.files.source import file_source
source = file_source("large.csv", "y")
print(sum(batch.num_rows for batch in source.read()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
    with open("large.csv", "wb") as file:
        file.write(b"a,b,c,y\n")
        for _ in range(600):
            file.write(b"1.25,word,3,p\n2.5,other,4,q\n" * 50_000)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    rows, peak = map(int, run.stdout.split())
    assert rows == 60_000_000
    assert peak < 700
