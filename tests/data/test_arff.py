"""ARFF files: the declared levels in their order, a quoted '?' that is not missing, and errors that name the line."""

from __future__ import annotations

import csv
import gzip
import io
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.io import arff as scipy_arff

from likely.data.files.arff import read_arff
from likely.errors import DataError

UCI = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "uci"
needs_data = pytest.mark.skipif(not UCI.is_dir(), reason=f"the UCI files are not at {UCI}")

# file -> rows, columns, missing values; counted with grep and awk, not with the reader
FILES = {
    "anneal": (898, 39, 0),
    "anneal.orig": (898, 39, 22175),
    "balance.scale": (625, 5, 0),
    "breast.cancer": (286, 10, 9),
    "car": (1728, 7, 0),
    "credit.a": (690, 16, 67),
    "credit.g": (1000, 21, 0),
    "glass": (214, 10, 0),
    "hepatitis": (155, 20, 167),
    "iris": (150, 5, 0),
    "kr.vs.kp": (3196, 37, 0),
    "labor": (57, 17, 326),
    "letter": (20000, 17, 0),
    "lymph": (148, 19, 0),
    "mushroom": (8124, 23, 2480),
    "nursery": (12960, 9, 0),
    "sick": (3772, 30, 6064),
    "soybean": (683, 36, 2337),
    "splice": (3190, 62, 0),
    "tic-tac-toe": (958, 10, 0),
    "vehicle": (846, 19, 0),
    "vote": (435, 17, 392),
    "vowel": (990, 14, 0),
    "waveform5000": (5000, 41, 0),
    "wine": (178, 14, 0),
    "zoo": (101, 18, 0),
}
# scipy keeps blanks at the end of levels (anneal.orig) or at their start (soybean) and then refuses the rows
SCIPY_READS = sorted(FILES.keys() - {"anneal.orig", "soybean"})


def read(text: str) -> pa.Table:
    return read_arff(io.StringIO(text))


def levels(table: pa.Table, name: str) -> list[str]:
    found: list[str] = table[name].chunk(0).dictionary.to_pylist()
    return found


def fault(text: str | bytes) -> DataError:
    with pytest.raises(DataError) as caught:
        read_arff(io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text))
    return caught.value


@needs_data
@pytest.mark.parametrize("name", FILES)
def test_every_uci_file_has_its_shape_its_missing_values_and_its_cells(name: str) -> None:
    table = read_arff(UCI / f"{name}.arff")
    table.validate(full=True)
    assert (*table.shape, sum(column.null_count for column in table.columns)) == FILES[name]
    # an oracle that knows nothing of types: the csv module on what follows @data
    text = (UCI / f"{name}.arff").read_text(encoding="ascii")
    data = text[text.lower().index("\n@data") :].splitlines()[2:]
    plain = csv.reader((line for line in data if line and line[0] != "%"), quotechar="'", skipinitialspace=True)
    for column, cells in zip(table.columns, zip(*plain, strict=True), strict=True):
        expected: list[object] = [cell.strip() for cell in cells]
        if not pa.types.is_dictionary(column.type):
            expected = [None if cell == "?" else float(str(cell)) for cell in expected]
            assert column.to_pylist() == expected
        else:
            assert ["?" if cell is None else cell for cell in column.to_pylist()] == expected


@needs_data
@pytest.mark.parametrize("name", SCIPY_READS)
def test_scipy_reads_the_same_levels_and_cells(name: str) -> None:
    table = read_arff(UCI / f"{name}.arff")
    rows, meta = scipy_arff.loadarff(UCI / f"{name}.arff")
    for theirs, ours in zip(meta.names(), table.column_names, strict=True):
        assert theirs.strip("'") == ours  # scipy leaves the quotes around names of one letter
        kind, declared = meta[theirs]
        cells = table[ours].to_pylist()
        if kind == "nominal":
            assert levels(table, ours) == list(declared)
            # scipy cannot tell a quoted '?' from a bare one; here only the bare one is missing
            assert ["?" if cell is None else cell for cell in cells] == [cell.decode() for cell in rows[theirs]]
        else:
            np.testing.assert_array_equal(np.array(cells, dtype=float), rows[theirs])


@needs_data
def test_a_quoted_question_mark_is_a_level_of_anneal() -> None:
    table, original = read_arff(UCI / "anneal.arff"), read_arff(UCI / "anneal.orig.arff")
    assert levels(table, "family") == ["?", "GB", "GK", "GS", "TN", "ZA", "ZF", "ZH", "ZM", "ZS"]
    # anneal is anneal.orig, row for row, with every missing value made the level '?'
    for ours, theirs in zip(table.columns, original.columns, strict=True):
        assert ours.to_pylist() == ["?" if cell is None else cell for cell in theirs.to_pylist()]


@needs_data
def test_levels_that_never_occur_stay() -> None:
    table = read_arff(UCI / "breast.cancer.arff")
    assert "10-19" in levels(table, "age")
    assert "10-19" not in table["age"].to_pylist()


@needs_data
def test_letter_is_read_with_little_work_for_each_value(calls: Callable[..., int]) -> None:
    lines = (UCI / "letter.arff").read_text(encoding="utf-8").splitlines()
    start = lines.index("@data") + 1
    few, many = (calls(lambda rows=rows: read("\n".join(lines[: start + rows]))) for rows in (5_000, 10_000))
    assert many < 2 * 17 * 10_000  # two calls for each of 17 values
    assert many < 2.1 * few  # twice the rows are twice the work


MIXED = r"""% a comment, with 'one quote
@RELATION 'a relation'

@Attribute 'it\'s 5% of a, b' {'new car', "say \"hi\"", 50%, '?', never}  % and another
@attribute	"x{1}"	REAL [0, 9]
@attribute n INTEGER
@attribute s string
@attribute class{a,b}
@attribute d date "yyyy-MM-dd"
@DATA  % the rows
'new car' ,	1e3 , 7 , 'x, y % z', a, "2020-01-02"
  % a comment between rows
"say \"hi\"",.5,-3,"tab\tnew\nline \\",b,?  % after a row
50%,?,?,?,?,'?'

'?' +1. 4.0 it's b 2020-01-02
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_quotes_comments_blanks_and_line_endings(ending: str) -> None:
    table = read(MIXED.replace("\n", ending))
    nominal = pa.dictionary(pa.int32(), pa.string())
    assert table.schema.types == [nominal, pa.float64(), pa.int64(), pa.string(), nominal, pa.string()]
    assert table.column_names == ["it's 5% of a, b", "x{1}", "n", "s", "class", "d"]
    assert levels(table, "it's 5% of a, b") == ["new car", 'say "hi"', "50%", "?", "never"]
    assert [column.to_pylist() for column in table.columns] == [
        ["new car", 'say "hi"', "50%", "?"],
        [1000.0, 0.5, None, 1.0],
        [7, -3, None, 4],
        ["x, y % z", "tab\tnew\nline \\", None, "it's"],
        ["a", "b", None, "b"],
        ["2020-01-02", None, "?", "2020-01-02"],
    ]


def test_sparse_rows_take_the_first_level_or_zero() -> None:
    head = "@attribute a real\n@attribute b {no, yes}\n@attribute c integer\n@attribute d string\n@data\n"
    table = read(head + "{1 yes, 2 3}\n{}\n{ 3 'a, b' ,0 ? }\n1,no,2,z\n")
    assert table.to_pylist() == [
        {"a": 0.0, "b": "yes", "c": 3, "d": None},
        {"a": 0.0, "b": "no", "c": 0, "d": None},
        {"a": None, "b": "no", "c": 0, "d": "a, b"},
        {"a": 1.0, "b": "no", "c": 2, "d": "z"},
    ]


def test_no_rows_no_levels_and_a_bare_question_mark_among_levels() -> None:
    table = read("@attribute a {?, x}\n@attribute b {}\n@data")
    assert (table.num_rows, table["a"].type) == (0, pa.dictionary(pa.int32(), pa.string()))
    table = read("@attribute a {?, x}\n@attribute b {}\n@data\n?, ?\n'?', ?\n{}")
    assert (table["a"].to_pylist(), table["b"].to_pylist()) == ([None, "?", "?"], [None, None, None])
    assert levels(table, "b") == []


def test_whole_numbers_keep_all_their_digits() -> None:
    cells = ["9007199254740993", "-9223372036854775808", "1e3", "?"]
    table = read("@attribute n integer\n@data\n" + "\n".join(cells))
    assert table["n"].to_pylist() == [9007199254740993, -(2**63), 1000, None]


def test_encodings_and_compression(tmp_path: Path) -> None:
    text = "@attribute größe {groß, 'très\x85petit'}\n@data\ngroß\n'très\x85petit'\n"
    path = tmp_path / "size.arff"
    for content in (
        text.encode(),
        text.encode("utf-8-sig"),
        text.encode("latin-1"),
        gzip.compress(text.encode(), mtime=0),
    ):
        path.write_bytes(content)
        zipped = path.rename(tmp_path / "size.arff.gz") if content[:2] == b"\x1f\x8b" else path
        with zipped.open("rb") as stream:
            for source in (zipped, str(zipped), io.BytesIO(content), stream):
                table = read_arff(source)
                assert table.to_pydict() == {"größe": ["groß", "très\x85petit"]}
    assert read("\ufeff" + text)["größe"].to_pylist() == ["groß", "très\x85petit"]


def test_what_a_writer_quotes_comes_back() -> None:
    draw = random.Random(7)
    signs = list("ab ,%'\"\\{}?\t\n\r\u00a0\u2028é")

    def quote(value: str | None) -> str:
        escaped = (value or "").replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
        return "?" if value is None else f"'{escaped}'"

    words = list(dict.fromkeys("".join(draw.choices(signs, k=draw.randrange(6))) for _ in range(300)))
    cells = [draw.choice([None, *words]) for _ in range(2000)]
    other = [draw.choice([None, *words]) for _ in range(2000)]
    head = f"@attribute {quote(words[-1])} string\n@attribute a {{{','.join(map(quote, words))}}}\n@data\n"
    table = read(head + "\n".join(f"{quote(left)}, {quote(right)}" for left, right in zip(other, cells, strict=True)))
    assert table.column_names == [words[-1], "a"]
    assert levels(table, "a") == words
    assert (table[0].to_pylist(), table[1].to_pylist()) == (other, cells)


LONG = 1_000_000  # a pattern that looks at a line again from each of its signs would never come to the end


@pytest.mark.parametrize(
    "text",
    [
        "@attribute x {" + " " * LONG + "a" + " " * LONG + "\n@data",
        "@attribute x real\n@data\n" + "1" * LONG + "x",
        "@attribute x {a, b}\n@data\n" + "1" * LONG + "x",
        "@attribute x string\n@data\n" + "'" * (LONG + 1),
        "@attribute x string\n@data\n" + "'\"x " * LONG + " %",
    ],
    ids=["blanks", "digits", "a level", "quotes", "mixed quotes"],
)
def test_no_line_makes_the_patterns_slow_or_the_error_long(text: str) -> None:
    assert len(str(fault(text))) < 300


X = "@relation r\n@attribute x real\n@attribute 'the class' {yes, no}\n@data\n"
WRONG = [
    ("", "D301", "<stream>", "empty"),
    (" \r\n\n", "D301", "<stream>", "empty"),
    (X.encode("utf-16"), "D302", "<stream>", "not a text"),
    (b"PK\x03\x04\x00\x00", "D302", "<stream>", "not a text"),
    (gzip.compress(X.encode(), mtime=0)[:-9], "D212", "<stream>", "damaged gzip"),
    ("% only a comment", "D303", "<stream>", "no @data"),
    ("@attribute x real\n", "D303", "<stream>", "no @data"),
    ("@relation r\n@data\n1\n", "D304", "<stream>, line 2", "no @attribute"),
    ("@attribute x real\n@attribute 'x' real\n@data", "D305", "<stream>, line 2", "a second attribute 'x'"),
    ("a,b\n1,2\n", "D306", "<stream>, line 1", "'a,b'"),
    ("@attribute x\n@data", "D306", "<stream>, line 1", "'@attribute x'"),
    ("@attribute update\n@data", "D306", "<stream>, line 1", "update"),
    ("@attribute x float\n@data", "D306", "<stream>, line 1", "float"),
    ("@attribute x relational\n@data", "D306", "<stream>, line 1", "relational"),
    ("@attribute x {a, b\n@data", "D306", "<stream>, line 1", "{a, b"),
    ("@attribute x real {0.5}\n@data", "D306", "<stream>, line 1", "{0.5}"),
    ("@attribute x {a, b, a}\n@data", "D307", "<stream>, line 1, attribute 'x'", "'a' is declared twice"),
    ("@attribute 'x real\n@data", "D308", "<stream>, line 1", "quote '"),
    ("@attribute x {a, 'b}\n@data", "D308", "<stream>, line 1, attribute 'x'", "quote '"),
    (X + "1,yes\n2,'no\n", "D308", "<stream>, line 6", "quote '"),
    (X + '1,"no\n', "D308", "<stream>, line 5", 'quote "'),
    (X + "1,'no'yes\n", "D308", "<stream>, line 5", "quote '"),
    (X + "1,\n", "D309", "<stream>, line 5", "empty"),
    (X + ",yes\n", "D309", "<stream>, line 5", "empty"),
    (X + "1, ,yes\n", "D309", "<stream>, line 5", "empty"),
    ("@attribute x {a,,b}\n@data", "D309", "<stream>, line 1, attribute 'x'", "empty"),
    (X + "1,yes,{5}\n", "D310", "<stream>, line 5", "unexpected {"),
    (X + "{1 'no'}, {5}\n", "D310", "<stream>, line 5", "unexpected }"),
    ("@attribute x {a, b} {0.5}\n@data", "D310", "<stream>, line 1, attribute 'x'", "unexpected }"),
    (X + "1,yes\n\n% and\n2\n", "D311", "<stream>, line 8", "too few values: 1 for 2"),
    (X + "1,yes,no\n", "D312", "<stream>, line 5", "too many values: 3 for 2"),
    (X + "1,yes\n2,No\n", "D313", "<stream>, line 6, attribute 'the class'", "'No' is not a declared level."),
    (X + "1,'?'\n", "D313", "<stream>, line 5, attribute 'the class'", "'?' is not"),
    (X + "\n1,yes\none,no\n", "D314", "<stream>, line 7, attribute 'x'", "'one' is not a finite number"),
    *[
        (X + f"{cell},no\n", "D314", "<stream>, line 5, attribute 'x'", "not a finite")
        for cell in ("nan", "inf", "'?'")
    ],
    *[
        (X + f"{cell},no\n", "D314", "<stream>, line 5, attribute 'x'", "not a finite")
        for cell in ("1_0", "1e999", "٣")
    ],
    ("@attribute n integer\n@data\n2.5", "D314", "<stream>, line 3, attribute 'n'", "not a whole number"),
    ("@attribute n integer\n@data\n9223372036854775808", "D314", "<stream>, line 3, attribute 'n'", "not a whole"),
    *[(X + f"{row}\n", "D315", "<stream>, line 5", row) for row in ("{1 no", "{1}", "{2 no}", "{-1 1}", "{? 1}")],
    (X + "{0 1, 0 2}\n", "D315", "<stream>, line 5", "not a sparse row"),
]


@pytest.mark.parametrize(("text", "code", "place", "part"), WRONG)
def test_errors_say_what_is_wrong_and_where(text: str | bytes, code: str, place: str, part: str) -> None:
    error = fault(text)
    assert (error.code, error.place) == (code, place)
    assert part in error.message


def test_an_undeclared_level_names_the_file_the_line_and_the_nearest_level(tmp_path: Path) -> None:
    path = tmp_path / "pets.arff"
    path.write_text("@attribute kind {cat, hamster}\n@data\ncat\nhamstr\n")
    with pytest.raises(DataError) as caught:
        read_arff(path)
    assert str(caught.value).splitlines() == [
        "[D313] 'hamstr' is not a declared level. Did you mean 'hamster'?",
        "  at: pets.arff, line 4, attribute 'kind'",
        "  hint: declared are cat, hamster",
    ]


def test_pyarrow_is_imported_only_when_a_file_is_read() -> None:
    program = "import sys, likely.data.files.arff; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
