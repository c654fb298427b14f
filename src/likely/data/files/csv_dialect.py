"""The dialect of a CSV or TSV file, told once, from its first lines: delimiter, quotes, lines above, header, names."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from operator import and_
from typing import Any

from likely.data.files.column_numbers import numbered_name
from likely.data.files.text import TextFile
from likely.data.readings.marks import ALL_MARKS

_DELIMITERS = "\t;|,"  # of two that fit as well, the first: a comma may be that of numbers
_ROWS = 1000  # rows that a dialect is told from
_LINES_ABOVE = 50  # lines of a title or of comments that may stand above the header
_BLANK_ROWS = 3  # rows that agree, before blanks are a delimiter
_RECURRING = 0.5  # share of the first row's words that are found below it, from which it is a row as any other
# Between tabs a quote may be a letter: it is where one opens a field and none closes it.
_QUOTED = re.compile(r'(^|[\t\n])"(?:[^"]|"")*"(?=[\t\n]|$)')
_OPEN = re.compile(r'(?:^|[\t\n])"')
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


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
    made_up: frozenset[int] = frozenset()  # places of columns whose names are made up
    comment: str = ""  # what a line begins with that is no row
    spare: int = 0  # empty fields at the end of each line
    odd: bool = False  # whether only the slow reader reads it right

    @property
    def width(self) -> int:
        return len(self.names)


@dataclass(frozen=True)
class Record:
    """A row as it stands in a file."""

    cells: list[str]
    end: int  # lines up to its end

    @property
    def told(self) -> list[str]:
        return [cell for cell in self.cells if cell.strip()]


def tell_dialect(file: TextFile, tabs: bool, header: bool = True) -> Dialect:
    """The dialect of a file; where none fits, the plain one, so that reading it tells the line that is wrong.

    Without `header`, the first row is one as any other, whatever it looks like.
    """
    lines = _LINE.findall(file.head)[:-1]
    first = next(line for line in lines if line.strip())
    said = re.fullmatch(r'"?sep=(.)"?\s*', first)
    literal = tabs and "\t" in first and _OPEN.search(_QUOTED.sub(r"\1", "".join(lines[:_ROWS]))) is not None
    plain = Dialect(",", "" if literal else '"', _escape(lines), (), False, 0, 0)
    delimiter = said[1] if said else "\t" if tabs and "\t" in first else _delimiter(lines, plain)
    plain = replace(plain, delimiter=delimiter)
    records = _first(lines, plain)
    width = _width([record.cells for record in records])
    above, comment = _above(records, width, lines, said is not None, header)
    rows = records[above:] or records[-1:]
    top = [cell.strip() for cell in rows[0].cells]
    below = [record.cells for record in rows[1:] if record.told]
    spare = 0
    if len(top) + 1 == width and below and not any(cell.strip() for row in below for cell in row[len(top) :]):
        spare = 1
    if len(top) + 1 == width and not spare and below and _names_rows(lines, rows[0].end, delimiter):
        top.insert(0, "")
    headed = header and _is_header(top, below, width)
    while (
        (headed or not header)
        and below
        and top
        and not top[-1]
        and not any(any(c.strip() for c in row[len(top) - 1 :]) for row in below)
    ):
        top.pop()  # each line ends in a delimiter
        spare += 1
    names = tuple(cell if headed and cell else numbered_name(at) for at, cell in enumerate(top))
    made_up = frozenset(at for at, cell in enumerate(top) if not (headed and cell))
    end = rows[0].end if headed else records[above - 1].end if above else 0
    start = len("".join(lines[:end]).encode())
    dialect = replace(plain, names=names, headed=headed, start=start, lines=end, made_up=made_up, comment=comment)
    return replace(dialect, spare=spare, odd=_is_odd(file, lines[end : end + _ROWS], dialect))


def records_of(lines: Sequence[str] | Iterator[str], dialect: Dialect) -> Iterator[Record]:
    """The cells of each row, and the lines up to its end."""
    blanks = dialect.delimiter == " "
    options: dict[str, Any] = {"quotechar": dialect.quote} if dialect.quote else {"quoting": csv.QUOTE_NONE}
    if dialect.escape:
        options |= {"escapechar": dialect.escape, "doublequote": False}
    stripped = (line.strip(" \r\n") + "\n" for line in lines) if blanks else iter(lines)
    reader = csv.reader(stripped, delimiter=dialect.delimiter, skipinitialspace=True, **options)
    for cells in reader:
        yield Record(cells, reader.line_num)


def _first(lines: Sequence[str], dialect: Dialect) -> list[Record]:
    """The first records, as far as they can be told."""
    found: list[Record] = []
    with suppress(csv.Error):  # a quote that does not close; the reader says where
        found.extend(islice(records_of(lines, dialect), _ROWS))
    return found or [Record(next(csv.reader([lines[0]], delimiter=dialect.delimiter, quoting=csv.QUOTE_NONE)), 1)]


def _escape(lines: Sequence[str]) -> str:
    """A backslash where it stands before quotes within quotes."""
    some = "".join(lines[:_ROWS])
    return "\\" if '\\"' in some and re.search(r'\\"[^",;|\t\r\n]', some) else ""


def _width(rows: Sequence[list[str]]) -> int:
    """How many cells most rows have."""
    widths = Counter(len(row) for row in rows if any(cell.strip() for cell in row))
    return max(widths, key=lambda width: (widths[width], width), default=1)


def _delimiter(lines: Sequence[str], plain: Dialect) -> str:
    """The delimiter by which most rows have as many cells; a blank only where no other does."""
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        if not any(delimiter in line for line in lines[:_ROWS]):
            continue
        rows = [record.cells for record in _first(lines, replace(plain, delimiter=delimiter))]
        filled = [row for row in rows if any(cell.strip() for cell in row)]
        width = _width([row for row in filled if len(row) > 1])
        share = sum(len(row) == width for row in filled) / max(len(filled), 1) if width > 1 else 0.0
        if share > most:
            best, most = delimiter, share
    if most < 0.5:
        rows = [record.cells for record in _first(lines, replace(plain, delimiter=" ")) if record.told]
        widths = {len(row) for row in rows[1:]}
        numbers = [is_number(cell) for row in rows[1:] for cell in row]
        if len(rows) > _BLANK_ROWS and len(widths) == 1 and widths != {1} and 2 * sum(numbers) >= len(numbers):
            return " "
    return best


def _above(records: Sequence[Record], width: int, lines: Sequence[str], said: bool, header: bool) -> tuple[int, str]:
    """How many records stand above the header or the first row, and what comments begin with."""
    comment = ""
    for at, record in enumerate(records[:_LINES_ABOVE]):
        line = lines[records[at - 1].end if at else 0]
        marked = line.startswith(("#", "%")) and (len(record.cells) < max(width, 2) or line.startswith(("# ", "##")))
        if marked:
            comment = line[0]
        title = len(record.told) <= 1 and ((header and width > 2) or len(record.cells) < width)
        few = 2 * len(record.cells) <= width and width > 3
        if record.told and not (marked or title or few or (said and at == 0)):
            return at, comment
    return 0, comment


def _names_rows(lines: Sequence[str], end: int, delimiter: str) -> bool:
    """Whether R wrote the names of the rows, to which no name stands in the header."""
    return delimiter in " \t" or all(line.startswith('"') for line in lines[end : end + _ROWS] if line.strip())


def _is_header(top: Sequence[str], below: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the first row has names: it differs from what stands below it, or all of it may be names."""
    if len(top) != width or not any(top):
        return any(map(_is_name, top))
    columns = [[row[at].strip() for row in below if len(row) > at] for at in range(width)]
    told = [[cell for cell in column if cell not in ALL_MARKS] for column in columns]
    numeric = [bool(some) and all(map(is_number, some)) for some in told]
    named = (cell and not is_number(cell) and cell not in ALL_MARKS for cell in top)
    if any(map(and_, numeric, map(bool, named))):
        return True
    filled = [cell for cell in top if cell]
    if not all(map(_is_name, filled)):
        years = [int(cell) for cell in filled if re.fullmatch(r"(?:1[89]|20)\d\d", cell)]
        rising = len(years) > 1 and all(late - early == 1 for early, late in pairwise(years))
        return rising and len(years) < len(filled) and all(_is_name(c) or re.fullmatch(r"\d{4}", c) for c in filled)
    again = [cell in column for cell, column in zip(top, columns, strict=True) if cell]
    return not below or (len(set(filled)) == len(filled) and sum(again) < _RECURRING * len(again))


def _is_name(cell: str) -> bool:
    data = cell in ALL_MARKS or cell.lower() in ("true", "false")
    return not (data or is_number(cell) or cell[0].isdigit() or cell[0] in "+-.")


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


def _is_odd(file: TextFile, lines: Sequence[str], dialect: Dialect) -> bool:
    """Whether the fast reader would read these lines wrong."""
    if dialect.delimiter == " " or (dialect.comment and any(line.startswith(dialect.comment) for line in lines)):
        return True
    if not dialect.quote:
        return False
    mark = re.escape(dialect.delimiter)
    after_blank = re.compile(rf'(?:^|{mark}) +"[^"]*{mark}')
    return file.odd_quotes or any(after_blank.search(line) for line in lines if '"' in line)
