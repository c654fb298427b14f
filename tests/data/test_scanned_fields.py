"""Files whose fields are scanned once say what they say when Arrow takes them apart: evidence, values and errors."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from likely.core.block import Block
from likely.data.files import csv as csv_files
from likely.data.files.csv import CsvFile
from likely.data.files.source import file_source
from likely.data.readings.column_texts import FEW, look_at
from likely.data.readings.scanned_fields import ScannedBlock, scanned
from likely.errors import LikelyError
from likely.kernels.parsing.decimals import NO_DOUBLE, nearest_double, powers_of_five

FORMS = (
    ("1", "-7", "12", "0", ""),
    ("1", "-0", "3", "4.5"),
    ("4.5", "-0", "3"),
    ("-0", "5"),
    ("0.1", "-2.25", "17", "1e-05", "1.5e+10", ".5", "3.", "-.75", "6E+02"),
    ("1", "1e400", "1e", "1e-400", "0e999", "2e23"),
    ("2.5", "-0.25", "1e-05", "NA", " 3.5", "nan", "inf", "-nan"),
    ("9007199254740993", "9007199254740993.0", "1", "0.5"),
    ("9223372036854775807", "1", "-9223372036854775808"),
    ("0.00000000000000000012345678901234567", "1.7976931348623157e63", "123456789012345678901234567890.5"),
    ("007", "12", "3"),
    ("-007", "+3", "--4", "-", "1-2", "0x1F"),
    ("20240101", "20240229", "20231231"),
    ("202401011200", "202402291530"),
    ("2024-02-01", "2024-03-01", ""),
    ("red", "green", "NA", " blue", "", "grün", "北京"),
    ("yes", "no", "?"),
    ("1.234", "5.678", "12.345", "7"),
    ("1,5", "2,75", "1.234,5"),
    ("5", "6", "7", "x7"),
    ("$5", "6", "7.5"),
    ("1", "2", "-"),
    ("1E5", "2E7"),
    ("-1.5", "2", "NAN", "."),
    ("a long word of the kind that people write " * 5, "b"),
    ("", ""),
)
ROWS = FEW + 70


def column(form: tuple[str, ...], rows: int, seed: int, different: bool) -> list[str]:
    """Cells of a form, each a few times; if `different`, numbers among them go on with other digits."""
    rng = np.random.default_rng(seed)
    cells = [form[at] for at in rng.integers(len(form), size=rows)]
    digits = rng.integers(10**9, size=rows).tolist()
    return [
        f"{cell}{more}" if different and cell[-1:].isdigit() else cell for cell, more in zip(cells, digits, strict=True)
    ]


@contextmanager
def scanning(least: int, block: int = 1 << 20) -> Iterator[None]:
    """Files of so many bytes are scanned, in such blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_files, "LEAST_SCANNED_BYTES", least)
        patch.setattr(csv_files, "BLOCK_BYTES", block)
        patch.setattr(csv_files, "LINES_IN_BLOCK", 1)
        yield


def plain_form(cells: Any) -> Any:
    return cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells


def evidence(path: Path, scan: bool, block: int) -> list[Any]:
    """What each batch shows, its cells and how they are held."""
    with scanning(0, block):
        file = CsvFile.look(str(path), False, False)
        out = []
        for batch in file.batches(scan=scan):
            found, cells = look_at(batch.columns, [False] * len(batch.columns))
            out.append((batch.num_rows, found, [one.type for one in cells], [bits(plain_form(one)) for one in cells]))
        return out


def bits(values: Any) -> list[object]:
    """The values, of numbers the bits, as a zero may have a minus."""
    if pa.types.is_float64(values.type):
        return [None if one is None else one.hex() for one in values.to_pylist()]
    return values.to_pylist()  # type: ignore[no-any-return]


def encoded(path: Path, least: int, block: int) -> object:
    """All that is read of a file: schema, codes, numbers and warnings; or the error."""
    with scanning(least, block), warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            source = file_source(path, None)
            schema = source.kept().survey("auto")
            blocks: list[Block] = [task() for task in source.tasks(schema, False, 1 << 16)]
        except LikelyError as error:
            return type(error), str(error)
        codes = [(one.codes.tolist(), one.reals.tobytes()) for one in blocks]
        return schema, codes, [str(one.message) for one in heard], source.notes


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Lines of a table: mostly plain, here and there with what only a general reader takes."""
    forms = draw(st.lists(st.sampled_from(FORMS), min_size=1, max_size=6))
    rows = draw(st.sampled_from([3, FEW, FEW + 1, ROWS, 3 * ROWS]))
    seed, mixed = draw(st.integers(0, 9)), draw(st.booleans())
    mark = draw(st.sampled_from([",", ";", "\t"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    columns = [column(form, rows, seed + at, mixed) for at, form in enumerate(forms)]
    lines = [mark.join(cell.replace(mark, " ") for cell in row) + end for row in zip(*columns, strict=True)]
    more = mark * (len(forms) - 1)
    names = mark.join(f"n{at}" for at in range(len(forms)))
    odd = st.sampled_from(
        [end, f"{mark}{end}", f"1{mark}{more}{end}", "\r", f" {end}", f'"x"{more}{end}', f"{names}{end}"]
    )
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        lines.insert(draw(st.integers(0, len(lines))), draw(odd))
    text = names + end + "".join(lines)
    return text.removesuffix(end) if draw(st.booleans()) else text


def same(folder: Any, text: str, block: int, encoding: str) -> None:
    path = folder.mktemp("scanned") / "t.csv"
    path.write_bytes(text.encode(encoding))
    assert repr(encoded(path, 0, block)) == repr(encoded(path, 1 << 40, block))


BLOCKS, ENCODINGS = st.sampled_from([1 << 20, 1 << 12, 1000]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])


@settings(max_examples=12)
@given(tables(), BLOCKS, ENCODINGS)
def test_a_scanned_file_is_read_as_any_other(tmp_path_factory: Any, text: str, block: int, encoding: str) -> None:
    same(tmp_path_factory, text, block, encoding)


@pytest.mark.slow
@settings(max_examples=200)
@given(tables(), BLOCKS, ENCODINGS)
def test_many_scanned_files_are_read_as_any_other(tmp_path_factory: Any, text: str, block: int, encoding: str) -> None:
    same(tmp_path_factory, text, block, encoding)


@pytest.mark.parametrize("different", [False, True], ids=["few", "many"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("form", FORMS, ids=range(len(FORMS)))
def test_what_a_scanned_column_shows_is_what_its_texts_show(
    tmp_path: Path, form: tuple[str, ...], end: str, different: bool
) -> None:
    path = tmp_path / "t.csv"
    beside = [str(at) for at in range(5 * FEW)]
    lines = zip(beside, column(form, 5 * FEW, 1, different), beside, strict=True)
    path.write_bytes(("a;b;c" + end + "".join(";".join(line) + end for line in lines)).encode())
    for block in (1 << 20, 1 << 13):
        assert evidence(path, True, block) == evidence(path, False, block)


@pytest.mark.parametrize("form", FORMS, ids=range(len(FORMS)))
def test_fields_are_those_of_pythons_reader(form: tuple[str, ...]) -> None:
    rows = [(cell, str(at), cell) for at, cell in enumerate(column(form, ROWS, 3, True))]
    text = "".join("\t".join(row) + "\r\n" * (1 + at % 3) for at, row in enumerate(rows))
    block = scanned(text.encode(), b"\t", 3)
    assert isinstance(block, ScannedBlock)
    read = [row for row in csv.reader(text.splitlines(), delimiter="\t") if row]
    told = [one.to_pylist() for one in block.texts().columns]
    assert [[cell or "" for cell in row] for row in zip(*told, strict=True)] == read
    for at, one in enumerate(block.columns):
        if one.kind:
            numbers = [float(row[at]) if row[at] else None for row in read]
            assert (
                bits(one.numbers().cast(pa.float64(), safe=False)) == [x if x is None else x.hex() for x in numbers]
                or one.has_minus_zero
            )
        elif one.words is not None:
            assert [cell or "" for cell in plain_form(one.words).to_pylist()] == [row[at] for row in read]


@given(st.integers(0, 10**19 - 1), st.integers(-66, 66))
@example(2**53 + 1, 0)
@example(9007199254740993, 0)
@example(9007199254740995, 0)
@example(10**19 - 1, 64)
@example(10**19 - 1, -64)
@example(7450580596923828125, -27)  # half way between two doubles
def test_a_decimal_number_is_the_nearest_double(digits: int, power: int) -> None:
    told = nearest_double(np.uint64(digits), power, powers_of_five())
    if np.uint64(told) == NO_DOUBLE:
        assert digits > 0
        assert abs(power) > 27
    else:
        assert np.uint64(told).view(np.float64) == float(f"{digits}e{power}")


@given(st.floats(1e-30, 1e30))
def test_a_double_is_found_again(value: float) -> None:
    digits, _, power = f"{value:.16e}".partition("e")
    told = nearest_double(np.uint64(int(digits.replace(".", ""))), int(power) - 16, powers_of_five())
    assert np.uint64(told).view(np.float64) == value


@pytest.mark.parametrize("text", ["1,2\n3\n", "1,2\n3,4,5\n", "1,2\n  \n", "1,2\r3,4\n", "1\n2,3\n"])
def test_lines_of_other_forms_are_left_to_the_general_reader(text: str) -> None:
    assert scanned(text.encode(), b",", 2) is None


@pytest.mark.parametrize("word", ["grün".encode(), "grün".encode()[:3], b"gr\xfcn"], ids=["whole", "cut", "latin"])
def test_a_file_that_ends_within_a_letter_is_read_as_any_other(tmp_path: Path, word: bytes) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,red\n" * 2000 + b"2," + word)
    assert repr(encoded(path, 0, 1 << 12)) == repr(encoded(path, 1 << 40, 1 << 12))


def test_a_large_file_with_a_ragged_line_is_refused_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 2000 + "3\n" + "1,2\n" * 500)
    with scanning(0, 1 << 12), pytest.raises(LikelyError, match="line 2002"):
        list(file_source(path, None).read())
