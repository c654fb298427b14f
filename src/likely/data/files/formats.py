"""Formats of files: told by the ending of the name, and by the first bytes."""

from __future__ import annotations

import os
import re

from likely.data.files.paths import parted, within_zip
from likely.errors import DataError, nearest

FORMAT_ENDINGS = {
    ".csv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".dat": "csv",
    ".test": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arff": "arff",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
}
GZIP = b"\x1f\x8b"
FORMAT_BYTES = 1 << 16  # bytes that tell a format
_CSV = "save the table as CSV and give that"
_UNPACK = "unpack it, or pack it with gzip"
# The first bytes of what people hand in by mistake: what it is, and what to do.
_SIGNATURES = {
    b"PAR1": ("a Parquet file", "let its name end in .parquet"),
    GZIP: ("a gzip file", "let its name end in .gz, as in data.csv.gz"),
    b"ARROW1": ("an Arrow file", "save the table as Parquet and give that"),
    b"SQLite format 3\0": ("an SQLite database", "export the table as CSV: sqlite3 -header -csv FILE 'select ...'"),
    b"\xd0\xcf\x11\xe0": ("an old Excel or Word file, or a locked one", "save it as .xlsx or CSV, without a password"),
    b"PK\x03\x04": ("a ZIP archive", "let its name end in .zip, or unpack it and give the file that is in it"),
    b"BZh": ("a bzip2 file", _UNPACK),
    b"\xfd7zXZ": ("an xz file", _UNPACK),
    b"\x28\xb5\x2f\xfd": ("a zstd file", _UNPACK),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it and give the file that is in it"),
    b"\x93NUMPY": ("a NumPy array", "load it and give the array"),
    b"\x89HDF": ("an HDF5 file", _CSV),
    b"\x80\x04": ("a Python pickle", _CSV),
    b"\x80\x05": ("a Python pickle", _CSV),
    b"\x89PNG": ("a PNG image", "give a table"),
    b"\xff\xd8\xff": ("a JPEG image", "give a table"),
    b"GIF8": ("a GIF image", "give a table"),
    b"%PDF": ("a PDF document", _CSV),
    b"{\\rtf": ("a rich-text document", _CSV),
}
_UNICODE = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def form_of_name(path: str, form: str | None = None) -> tuple[str, bool]:
    """(csv, tsv, parquet, arff or jsonl; whether gzip is around it), from the ending of a name or the form told.

    >>> form_of_name("data/part-1.CSV.gz"), form_of_name("data.dat", form="tsv")
    (('csv', True), ('tsv', False))
    """
    packed = path.lower().endswith(".gz") or within_zip(path) is not None
    ending = ending_of(path) if form is None else f".{form.lower().lstrip('.')}"
    if ending not in FORMAT_ENDINGS:
        excel = " In the spreadsheet, save it as .xlsx or CSV." if ending.startswith((".xl", ".ods")) else ""
        known = ", ".join(FORMAT_ENDINGS)
        said = f"likely reads {known}, also with .gz behind or in a .zip; or say the form: form='tsv', --format tsv."
        hint = f"{said}{excel}{nearest(ending, FORMAT_ENDINGS)}"
        if ending == ".likely":
            hint = "this is a model: likely explain tells what it has learnt; give a file of rows"
        raise DataError("D201", f"a file with the ending {ending!r} cannot be read", place=path, hint=hint)
    return FORMAT_ENDINGS[ending], packed


def ending_of(path: str) -> str:
    """The ending of a name in small letters, without .gz behind it; nothing where there is none.

    >>> ending_of("data/part-1.CSV.gz"), ending_of("table.zip#old/adult")
    ('.csv', '')
    """
    name = os.path.basename(within_zip(path) or parted(path)[0]).lower()
    return os.path.splitext(name.removesuffix(".gz"))[1]


def form_of_bytes(head: bytes) -> str:
    """The format that the first bytes of a stream show: parquet, arff, jsonl, tsv or csv.

    >>> form_of_bytes(b'{"a": 1}'), form_of_bytes(b"% pets\\n@RELATION pets"), form_of_bytes(b"a\\tb\\n1\\t2\\n")
    ('jsonl', 'arff', 'tsv')
    """
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"PAR1"):
        return "parquet"
    if is_workbook(head):
        return "xlsx"
    if re.match(rb"(?:%[^\r\n]*\s+)*@(?:relation|attribute)\b", text, re.IGNORECASE):
        return "arff"
    if text[:1] in (b"{", b"["):
        return "jsonl"
    return "tsv" if b"\t" in text.partition(b"\n")[0] else "csv"


def is_workbook(head: bytes) -> bool:
    """Whether the first bytes are those of an Excel or Word file, which is a ZIP archive of its parts."""
    return head.startswith(b"PK") and (b"xl/" in head or b"[Content_Types].xml" in head)


def refuse_foreign(head: bytes, form: str, place: str) -> None:
    """An error if a file of this format begins as something else does."""
    found = next((told for start, told in _SIGNATURES.items() if head.startswith(start)), None)
    if is_workbook(head):
        found = ("an Excel or Word file", "if it is from Excel, let its name end in .xlsx")
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:200].lower()
    if text.startswith((b"<!doctype html", b"<html")):
        found = ("a web page", "it may be the answer of a failed download: look at it")
    elif text.startswith(b"<?xml"):
        found = ("an XML file", _CSV)
    elif form in ("csv", "tsv") and re.match(rb'\{\s*"|\[\s*\{\s*"', text):
        found = ("a JSON file", "let its name end in .jsonl or .json")
    elif form != "arff" and text.startswith(b"@relation"):
        found = ("an ARFF file", "let its name end in .arff")
    if form == "xlsx" and head.startswith(b"PK"):
        return
    if form == "xlsx" and not found:
        found = ("no Excel file", "is it in the format that its name says?")
    if form == "parquet" and found and head.startswith(b"PAR1"):
        return
    if form == "parquet" and not found:
        found = ("no Parquet file", "is it in the format that its name says?")
    if found:
        raise DataError("D210", f"it is {found[0]}", place=place, hint=found[1])


def wide_letters(head: bytes) -> str:
    """UTF-16 or UTF-32, if a text is written in two or four bytes a letter, as Python names it; else nothing.

    >>> wide_letters("a,b".encode("utf-16")), wide_letters("a,b\\n1,2".encode("utf-16-le")), wide_letters(b"a,b")
    ('utf-16', 'utf-16-le', '')
    """
    width = next((name for mark, name in _UNICODE.items() if head.startswith(mark)), "")
    if width:
        return width.lower()
    some = head[: min(len(head), 4096) // 4 * 4]
    if 4 * some.count(0) < len(some) or len(some) < 4:
        return ""
    mostly = "".join("0" if some[at::4].count(0) > len(some) // 8 else "x" for at in range(4))  # of four, NUL or not
    return {"x0x0": "utf-16-le", "0x0x": "utf-16-be", "x000": "utf-32-le", "000x": "utf-32-be"}.get(mostly, "")


def refuse_wide_letters(head: bytes, place: str) -> None:
    """An error if a text that has to be in UTF-8 is written in two or four bytes a letter."""
    width = wide_letters(head)
    if width:
        hint = f"turn it into UTF-8: iconv -f {width} -t utf-8 {os.path.basename(place)} > new.csv"
        raise DataError("D211", f"the text is in {width[:6].upper()}", place=place, hint=hint)
