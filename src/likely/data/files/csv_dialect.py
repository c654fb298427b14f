"""The dialect of a CSV or TSV file, told once, from its first lines: delimiter, quotes, lines above, header, names."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from likely.data.files.footers import LOOKED_AT, tell_footer
from likely.data.files.layout import LAYOUT_ROWS, LINES_ABOVE, Record, common_width, is_number, tell_layout
from likely.data.files.text_encoding import TextFile

_DELIMITERS = "\t;|,"  # of two that fit as well, the first: a comma may be that of numbers
_BLANK_ROWS = 3  # rows that agree, before blanks are a delimiter
# Between tabs a quote may be a letter: it is where one opens a field and none closes it.
_QUOTED_FIELD = re.compile(r'(^|[\t\n])"(?:[^"]|"")*"(?=[\t\n]|$)')
_OPEN = re.compile(r'(?:^|[\t\n])"')
# A field in brackets, and one in quotes, within which brackets are letters.
_BRACKETED = re.compile(r'("(?:[^"\\]|\\.)*")|(?<!\S)\[([^]"]*)\](?!\S)')
_AMOUNT_WITH_COMMA = re.compile(r'[-+(]?(?:[^\W\d]{1,3}|[$€£¥])?\s?\d[\d.]*,\d+\s?[^\d,;"]{0,12}')
_LINE_OF_TEXT = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(frozen=True)
class Dialect:
    """How to read one file: its marks, the names of its columns, and where its rows begin."""

    delimiter: str  # " " for any number of blanks
    quote: str  # '"', or nothing
    escape: str  # a backslash, or nothing: a quote within quotes is doubled
    names: tuple[str, ...]
    headed: bool
    start: int  # bytes of UTF-8 above the first row
    lines: int  # lines above it
    comment: str = ""  # what a line begins with that is no row
    spare: int = 0  # empty fields at the end of each line
    bracketed: bool = False  # whether a field may stand in brackets, as the time does in logs of servers
    marks: tuple[str, ...] = ()  # what stands for a missing value in all columns
    lead: int = 0  # empty fields at the start of each line
    odd: bool = False  # whether only the slow reader reads it right
    footer: int = 0  # bytes of UTF-8 below the last row
    notes: tuple[str, ...] = ()  # what a person should know of how it is read
    top: tuple[str, ...] = ()  # the only row of names as it stands

    @property
    def width(self) -> int:
        return len(self.names)

    def without_borders(self, cells: list[str]) -> list[str]:
        """The cells of a row without the empty ones before and behind it."""
        end = self.lead + self.width
        if any(cell.strip() for cell in (*cells[: self.lead], *cells[end:])):
            return cells
        return cells[self.lead : end] if self.lead < len(cells) else cells


def tell_dialect(file: TextFile, tabs: bool, header: bool = True, named: Collection[str] = ()) -> Dialect:
    """The dialect of a file; where none fits, the plain one, so that reading it tells the line that is wrong.

    Without `header`, the first row is one as any other, whatever it looks like; `named` are columns that there are.
    """
    lines = _LINE_OF_TEXT.findall(file.head)[:-1]
    first = next(line for line in lines if line.strip())
    said = re.fullmatch(r'"?sep=(.)"?\s*', first)
    literal = tabs and "\t" in first and _has_open_quote("".join(lines[:LAYOUT_ROWS]))
    plain = Dialect(",", "" if literal else '"', _escape(lines), (), False, 0, 0)
    read: dict[Dialect, list[Record]] = {}
    delimiter = said[1] if said else "\t" if tabs and "\t" in first else _delimiter(lines, plain, read)
    bracketed = delimiter == " " and _is_bracketed(lines)
    fields = delimiter == " " and any(line.lower().startswith("#fields:") for line in lines[:LINES_ABOVE])
    plain = replace(plain, delimiter=delimiter, bracketed=bracketed, marks=("-",) if bracketed or fields else ())
    records = read.get(plain) or _first(lines, plain)
    starts = [lines[record.end] for record in [Record([], 0), *records][: len(records)]]
    layout = tell_layout(
        records, starts, header, said is not None, lambda end: _names_rows(lines, end, delimiter), named
    )
    end = records[layout.above - 1].end if layout.above else 0
    start = len("".join(lines[:end]).encode())
    dialect = replace(plain, names=layout.names, headed=layout.headed, start=start, lines=end)
    dialect = replace(dialect, comment=layout.comment, spare=layout.spare, lead=layout.lead, notes=layout.notes)
    dialect = replace(dialect, top=layout.top)
    dialect = replace(dialect, odd=_is_odd(file, lines[end : end + LAYOUT_ROWS], dialect))
    footer, note = _footer(file, lines, dialect)
    return replace(dialect, footer=footer, notes=(*dialect.notes, note)) if note else dialect


def _has_open_quote(lines: str) -> bool:
    """Whether a quote between tabs opens a field and none closes it."""
    return _OPEN.search(_QUOTED_FIELD.sub(r"\1", lines)) is not None


def records_of(lines: Sequence[str] | Iterator[str], dialect: Dialect) -> Iterator[Record]:
    """The cells of each row, and the lines up to its end."""
    blanks = dialect.delimiter == " "
    options: dict[str, Any] = {"quotechar": dialect.quote} if dialect.quote else {"quoting": csv.QUOTE_NONE}
    if dialect.escape:
        options |= {"escapechar": dialect.escape, "doublequote": False}
    if dialect.bracketed:
        lines = (_BRACKETED.sub(lambda field: field[1] or f'"{field[2]}"', line) for line in lines)
    stripped = (line.strip(" \r\n") + "\n" for line in lines) if blanks else iter(lines)
    reader = csv.reader(stripped, delimiter=dialect.delimiter, skipinitialspace=True, **options)
    for cells in reader:
        yield Record(cells, reader.line_num)


def _first(lines: Sequence[str], dialect: Dialect) -> list[Record]:
    """The first records, as far as they can be told."""
    found: list[Record] = []
    with suppress(csv.Error):  # a quote that does not close; the reader says where
        found.extend(islice(records_of(lines, dialect), LAYOUT_ROWS))
    return found or [Record(next(csv.reader([lines[0]], delimiter=dialect.delimiter, quoting=csv.QUOTE_NONE)), 1)]


def _escape(lines: Sequence[str]) -> str:
    """A backslash where it stands before quotes within quotes."""
    some = "".join(lines[:LAYOUT_ROWS])
    return "\\" if "\\" in some and re.search(r'\\"[^",;|\t\r\n]', some) else ""


def _delimiter(lines: Sequence[str], plain: Dialect, read: dict[Dialect, list[Record]]) -> str:
    """The delimiter by which most rows have as many cells; a blank only where no other does.

    What was `read` of the lines is kept.
    """
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        if not any(delimiter in line for line in lines[:LAYOUT_ROWS]):
            continue
        tried = replace(plain, delimiter=delimiter)
        rows = [record.cells for record in read.setdefault(tried, _first(lines, tried))]
        filled = [row for row in rows if any(cell.strip() for cell in row)]
        width = common_width([row for row in filled if len(row) > 1])
        share = sum(len(row) == width for row in filled) / max(len(filled), 1) if width > 1 else 0.0
        if share > most:
            best, most = delimiter, share
    if best == "," and _is_one_column(lines):
        return ";"  # which does not occur
    if most < 0.5:
        bracketed = _is_bracketed(lines)
        blank = replace(plain, delimiter=" ", bracketed=bracketed)
        rows = [record.cells for record in _first(lines, blank) if record.told]
        fields = any(row[0].lower() == "#fields:" for row in rows[:LINES_ABOVE])  # of a log of a server
        rows = [row for row in rows if not row[0].startswith(("#", "%"))]
        widths = {len(row) for row in rows[1:]}
        numbers = [is_number(cell) for row in rows[1:] for cell in row]
        quoted = all('" ' in line or ' "' in line for line in lines[:LAYOUT_ROWS] if line.strip())  # as R writes them
        if (
            len(rows) > _BLANK_ROWS
            and len(widths) == 1
            and widths != {1}
            and (fields or bracketed or quoted or 2 * sum(numbers) >= len(numbers))
        ):
            return " "
    return best


def _is_bracketed(lines: Sequence[str]) -> bool:
    """Whether each line has a field in brackets, and more around it: a log of a server."""
    told = [line for line in lines[:LAYOUT_ROWS] if line.strip() and not line.startswith("#")]
    fields = [[match for match in _BRACKETED.finditer(line) if match[1] is None] for line in told]
    return bool(told) and all(
        len(line.split()) > _BLANK_ROWS and found for line, found in zip(told, fields, strict=True)
    )


def _is_one_column(lines: Sequence[str]) -> bool:
    """Whether a name stands above numbers, the commas of which are before their fractions."""
    told = [line.strip() for line in lines[:LAYOUT_ROWS] if line.strip()]
    return len(told) > 1 and "," not in told[0] and all(map(_AMOUNT_WITH_COMMA.fullmatch, told[1:]))


def _footer(file: TextFile, lines: Sequence[str], dialect: Dialect) -> tuple[int, str]:
    """How many bytes stand below the last row, and a note about them."""
    last = lines[dialect.lines :] if file.whole else _LINE_OF_TEXT.findall(file.tail)[:-1]
    whole = file.whole and len(last) <= LOOKED_AT
    last = last[-LOOKED_AT:]
    if dialect.delimiter == " " or (dialect.quote and "".join(last).count(dialect.quote) % 2):
        return 0, ""
    records = []
    with suppress(csv.Error):
        records = list(records_of(last, dialect))
    width = dialect.width
    rows = [dialect.without_borders(record.cells) for record in records]
    count, note = tell_footer(rows, width, whole)
    return len("".join(last[records[-count - 1].end :]).encode()) if count else 0, note


def _names_rows(lines: Sequence[str], end: int, delimiter: str) -> bool:
    """Whether R wrote the names of the rows, to which no name stands in the header."""
    return delimiter in " \t" or all(line.startswith('"') for line in lines[end : end + LAYOUT_ROWS] if line.strip())


def _is_odd(file: TextFile, lines: Sequence[str], dialect: Dialect) -> bool:
    """Whether the fast reader would read these lines wrong."""
    if dialect.delimiter == " " or (dialect.comment and any(line.startswith(dialect.comment) for line in lines)):
        return True
    if not dialect.quote:
        return False
    mark = re.escape(dialect.delimiter)
    after_blank = re.compile(rf'(?:^|{mark}) +"[^"]*{mark}')
    return file.odd_quotes or any(after_blank.search(line) for line in lines if '"' in line)
