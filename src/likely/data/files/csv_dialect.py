"""The dialect and the header of a CSV or TSV file, told once, from its first rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from likely.data.files.duckdb import call
from likely.errors import DataError

# What pandas takes as missing, so that a file means the same to both; a yes/no column stays words, it is no true/false.
MISSING_WORDS = ("", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NULL", "null", "NaN", "nan", "-NaN", "-nan", "None")
SQL_TYPES = ("NULL", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "VARCHAR")
SQL_TEXT = "VARCHAR"
MOST_CSV_COLUMNS = 20_000  # columns: what DuckDB needs grows with their square
_DELIMITERS = ",;|\t"
_QUOTES = {"quote": '"', "escape": '"'}
# Between tabs a quote may be a letter: it is where one opens a field and none closes it.
_QUOTED = re.compile(r'(^|[\t\n])"(?:[^"]|"")*"(?=[\t\n]|$)')
_OPEN = re.compile(r'(?:^|[\t\n])"')


@dataclass(frozen=True)
class Dialect:
    """How to read one file: DuckDB's options, the names of the columns, and the types of their first values."""

    path: str
    options: Mapping[str, Any]
    names: tuple[str, ...]
    types: tuple[str, ...]
    headed: bool

    def rows(self, types: Sequence[str], **options: Any) -> str:
        """The call that reads the file, its columns called c0, c1, ... and of these types."""
        columns = {f"c{at}": kind for at, kind in enumerate(types)}
        told = {
            "header": self.headed,
            "nullstr": MISSING_WORDS,
            **self.options,
            "auto_detect": False,
            "columns": columns,
        }
        return call("read_csv", self.path, {**told, **options})


def tell_dialect(connection: Any, path: str, head: bytes, packed: bool, tabs: bool) -> Dialect:
    """The dialect of a file; where none fits, the plain one, so that reading it tells the line that is wrong."""
    lines = re.split(r"\r\n|\r|\n", head.decode("utf-8", "replace").removeprefix("\ufeff"))
    marks = re.sub('"[^"]*"', "", lines[0])
    mark = max(_DELIMITERS, key=marks.count)
    if marks.count(mark) >= MOST_CSV_COLUMNS:
        hint = "read it into an array, as with numpy.loadtxt, and give that to fit(X, y)"
        message = f"{marks.count(mark) + 1:,} columns; of a text file up to {MOST_CSV_COLUMNS:,} are read"
        raise DataError("D220", message, place=path, hint=hint)
    fixed = {"compression": "gzip" if packed else "none"}
    if tabs and "\t" in marks:
        mark = fixed["delim"] = "\t"
    odd = any(line.count('"') % 2 for line in lines[:-1])
    literal = "delim" in fixed and _OPEN.search(_QUOTED.sub(r"\1", "\n".join(lines[:-1]))) is not None
    if literal:
        fixed |= {"quote": "", "escape": ""}
    found = _sniff(connection, path, fixed)
    if not literal and (found is None or (found["Quote"] == "(empty)" and odd)):  # in CSV it is none
        found = _sniff(connection, path, {**fixed, **_QUOTES})
    if found and len(found["Columns"]) == 1 and mark in marks and any(mark in line for line in lines[1:]):
        # DuckDB takes lines that differ in their number of fields for one field each
        found = _sniff(connection, path, {**_QUOTES, **fixed, "delim": mark})
    if found and _skips_header(lines, found):
        found = None
    if found is None:
        cells = next(csv.reader([lines[0]], delimiter=mark))
        names = tuple(f"column{at}" for at in range(len(cells)))
        plain = Dialect(path, {**_QUOTES, **fixed, "delim": mark}, names, ("",) * len(names), True)
    else:
        if not literal and found["Quote"] == "(empty)" and '"' not in "".join(lines):  # there may be some further down
            found |= {"Quote": '"', "Escape": '"'}
        plain = _dialect(path, fixed, found)
    return _named(connection, plain)


def _sniff(connection: Any, path: str, fixed: Mapping[str, Any]) -> dict[str, Any] | None:
    """What DuckDB takes the first rows for; None where no dialect fits them."""
    import duckdb

    try:
        found = connection.sql(
            f"from {call('sniff_csv', path, {**fixed, 'nullstr': MISSING_WORDS, 'auto_type_candidates': SQL_TYPES})}"
        )
        return dict(zip(found.columns, found.fetchall()[0], strict=True))
    except duckdb.Error:
        return None


def _dialect(path: str, fixed: Mapping[str, Any], found: Mapping[str, Any]) -> Dialect:
    """What DuckDB found, as options that need no finding."""
    keys = {"Delimiter": "delim", "Quote": "quote", "Escape": "escape", "Comment": "comment"}
    options = {key: found[name].replace("(empty)", "") for name, key in keys.items()}
    options["escape"] = options["escape"] or options["quote"]  # where nothing is escaped yet, quotes are doubled
    options["skip"] = found["SkipRows"]
    if found["NewLineDelimiter"] in ("\\n", "\\r", "\\r\\n"):
        options["new_line"] = found["NewLineDelimiter"]
    names = tuple(column["name"] for column in found["Columns"])
    types = tuple(column["type"] for column in found["Columns"])
    return Dialect(path, {**fixed, **options}, names, types, found["HasHeader"])


def _skips_header(lines: Sequence[str], found: Mapping[str, Any]) -> bool:
    """Whether the line above the first row that fits looks like a header with more or fewer names, not like a title."""
    skipped = found["SkipRows"]
    above = lines[skipped - 1] if 0 < skipped <= len(lines) else ""
    return found["Delimiter"] in above and not above.startswith("#")


def _named(connection: Any, dialect: Dialect) -> Dialect:
    """The dialect with the names as they stand in the file: DuckDB gives A beside a, and a second a, a number."""
    first = dialect.rows([SQL_TEXT] * len(dialect.names), header=False, nullstr=[""])
    rows = connection.sql(f"from {first} limit 1").fetchall()
    cells = [(cell or "").removeprefix("\ufeff").strip() for row in rows for cell in row]
    if not dialect.headed and "" in cells and any(cells) and all(map(_is_name, filter(None, cells))):
        # a header with an empty name, as pandas writes it above its index, which DuckDB takes for data
        found = _sniff(connection, dialect.path, {**dialect.options, "header": True})
        if found is not None and len(found["Columns"]) == len(cells):
            dialect = _dialect(dialect.path, dialect.options, found)
    if not dialect.headed:
        return dialect
    names = tuple(cell or name for cell, name in zip(cells, dialect.names, strict=True))
    return Dialect(dialect.path, dialect.options, names, dialect.types, True)


def _is_name(cell: str) -> bool:
    data = cell in MISSING_WORDS or cell.lower() in ("true", "false")
    return not (data or cell[0].isdigit() or cell[0] in "+-.")
