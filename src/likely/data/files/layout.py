"""The layout of a table as people write it: what stands above it, one row of names or two, and where its rows begin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from likely.data.files.column_numbers import numbered_name
from likely.data.readings.missing_marks import MARK_SET

LAYOUT_ROWS = 1000  # rows that a layout is told from
LINES_ABOVE = 50  # lines of a title or of comments that may stand above the header
_RECURRING = 0.5  # share of the first row's words that are found below it, from which it is a row as any other
_MOST_HEADER_ROWS = 3  # rows of names
_MOSTLY = 0.7  # share of a column's cells that are numbers, from which it is one of numbers
_ROWS_BELOW = 2  # rows that must stand below several rows of names
# A number, an amount, a share or a date, as they are written: a currency before it, a unit of a few letters behind it.
_AMOUNT = re.compile(r"\W{0,3}(?:[A-Z]{2,3}\s)?\W{0,2}\d[\d.,:/'\s-]*(?:[eE][+-]?\d+)?\)?\s?(?:%|[^\d\s]{1,4})?")
# What is measured in, as in "kg", "m/s²", "%" or "(1000 persons)".
_UNIT = re.compile(
    r"[(\[].*[)\]]|[%‰°$€£¥]\w?|(?:[kcmµnMG]?(?:m|g|s|l|L|V|A|W|Hz|J|Pa)[²³]?|h|min|USD|EUR|years?)(?:/\w+)?"
)


@dataclass(frozen=True)
class Record:
    """A row as it stands in a file."""

    cells: list[str]
    end: int  # lines up to its end

    @property
    def is_blank(self) -> bool:
        return not any(map(str.strip, self.cells))

    @property
    def told(self) -> list[str]:
        return [cell for cell in self.cells if cell.strip()]


@dataclass(frozen=True)
class TableLayout:
    """The names of the columns, and how many records stand above the first row."""

    names: tuple[str, ...]
    headed: bool
    above: int
    titles: int = 0  # how many stand above the names
    spare: int = 0  # empty fields at the end of each line
    lead: int = 0  # empty fields at the start of each line, where there are some at the end: borders
    comment: str = ""  # what a line begins with that is no row
    notes: tuple[str, ...] = ()
    top: tuple[str, ...] = ()  # the only row of names as it stands, which files put together have again in their midst


def tell_layout(
    records: Sequence[Record],
    starts: Sequence[str],
    header: bool,
    said: bool,
    names_rows: Callable[[int], bool],
    named: Collection[str] = (),
) -> TableLayout:
    """The layout that the first records show.

    `starts` is what each record begins with; without `header` no row holds names; `said` is whether the first record
    says the delimiter; `names_rows` is whether the rows below a line have a name that the header has none for; `named`
    are columns that somebody names: a first row that holds one of them holds names.
    """
    width = common_width([record.cells for record in records])
    above, comment = _above(records, width, starts, said, header)
    rows = records[above:] or records[-1:]
    top = [cell.strip() for cell in rows[0].cells]
    below = [record.cells for record in rows[1:] if not (record.is_blank or _are_same(record.cells, top))]
    spare = 0
    if len(top) + 1 == width and below and not any(cell.strip() for row in below for cell in row[len(top) :]):
        spare = 1
    if len(top) + 1 == width and not spare and below and names_rows(rows[0].end):
        top.insert(0, "")
    notes: tuple[str, ...] = ()
    more = _more_rows_of_names(top, below, width) if header else 0
    headed = header and (more > 0 or _is_header(top, below, width))
    told_above = _names_in_comment(records[above - 1], width) if header and not headed and comment and above else []
    if told_above:
        return TableLayout(tuple(told_above), True, above, above, comment=comment)
    headed = headed or (header and any(cell in named and not is_number(cell) for cell in top if cell))
    if more and is_ruler(below[0]):
        below = below[1:]
    elif more:
        wide = [[*map(str.strip, row), *[""] * (width - len(row))] for row in below[:more]]
        top, told = _joined(top, wide)
        notes, below = (told,), below[more:]
    while (
        (headed or not header)
        and below
        and top
        and not top[-1]
        and not any(any(c.strip() for c in row[len(top) - 1 :]) for row in below)
    ):
        top.pop()  # each line ends in a delimiter
        spare += 1
    lead = int(spare > 0 and len(top) > 1 and not any(row[0].strip() for row in [top, *below] if len(row) > 1))
    top = top[lead:]
    names = tuple(cell if headed and cell else numbered_name(at) for at, cell in enumerate(top))
    titles = above
    if more:
        filled = [at for at, record in enumerate(records) if at > above and record.told]
        above = filled[more - 1]
    return TableLayout(names, headed, above + headed, titles, spare, lead, comment, notes, () if more else tuple(top))


def common_width(rows: Sequence[list[str]]) -> int:
    """How many cells most rows have."""
    widths = Counter(len(row) for row in rows if any(cell.strip() for cell in row))
    return max(widths, key=lambda width: (widths[width], width), default=1)


def _above(records: Sequence[Record], width: int, starts: Sequence[str], said: bool, header: bool) -> tuple[int, str]:
    """How many records stand above the header or the first row, and what comments begin with."""
    comment = ""
    whole = next((at for at, record in enumerate(records) if len(record.cells) >= width), 0)
    for at, record in enumerate(records[:LINES_ABOVE]):
        short = len(record.cells) < max(width, 2) or starts[at].lower().startswith(("# ", "##", "#fields:"))
        marked = starts[at].startswith(("#", "%")) and short
        if marked:
            comment = starts[at][0]
        title = len(record.told) <= 1 and ((header and width > 2) or len(record.cells) < width)
        few = 2 * len(record.cells) <= width and width > 3
        told = len(record.told)
        padded = header and (told <= 2 or 3 * told <= width) and 2 * _last_told(record.cells) <= width and width > 3
        apart = len(record.cells) < width and at + 1 < whole  # R leaves one name out, right above the rows
        about = header and told > width and _names_follow(records[at + 1 :], width)
        if record.told and not (marked or title or few or padded or apart or about or (said and at == 0)):
            return at, comment
    return 0, comment


def _names_follow(records: Sequence[Record], width: int) -> bool:
    """Whether names stand below a record that has more cells than the rows: it is about all of them, as of a logger."""
    rows = [[cell.strip() for cell in record.cells] for record in records if record.told]
    if len(rows) <= _MOST_HEADER_ROWS + _ROWS_BELOW or len(rows[0]) != width or not all(map(_is_name, rows[0])):
        return False
    columns = _columns(rows[_MOST_HEADER_ROWS:], width)
    return len({*rows[0]}) == width and any(all(map(is_number, column)) for column in columns)


def _last_told(cells: Sequence[str]) -> int:
    """How many cells there are up to the last that is not empty."""
    return max((at + 1 for at, cell in enumerate(cells) if cell.strip()), default=0)


def _is_header(top: Sequence[str], below: Sequence[Sequence[str]], width: int) -> bool:
    """Whether the first row has names: it differs from what stands below it, or all of it may be names."""
    if len(top) != width or not any(top):
        return any(map(_is_name, top))
    named = (at for at, cell in enumerate(top) if cell and not is_number(cell) and cell not in MARK_SET)
    if any(_is_numeric(below, at) for at in named):  # asked one by one: mostly the first of them says it
        return True
    filled = [cell for cell in top if cell]
    if not all(map(_is_name, filled)):
        years = [int(cell) for cell in filled if re.fullmatch(r"(?:1[89]|20)\d\d", cell)]
        rising = len(years) > 1 and all(late - early == 1 for early, late in pairwise(years))
        return rising and len(years) < len(filled) and all(_is_name(c) or re.fullmatch(r"\d{4}", c) for c in filled)
    again = [cell in column for cell, column in zip(top, _columns(below, width), strict=True) if cell]
    return not below or (len(set(filled)) == len(filled) and sum(again) < _RECURRING * len(again))


def _more_rows_of_names(top: Sequence[str], below: Sequence[Sequence[str]], width: int) -> int:
    """How many rows below the first hold names, units or words about the columns, too."""
    if len(top) != width or not any(top) or any(is_number(cell) and not _is_year(cell) for cell in top):
        return 0
    if below and is_ruler(below[0]):
        return 1
    for more in range(min(_MOST_HEADER_ROWS - 1, len(below) - _ROWS_BELOW), 0, -1):
        rows = [[*map(str.strip, row), *[""] * (width - len(row))] for row in below[:more]]
        if all(len(row) == width and _names_too(top, row, below[more:], width) for row in rows):
            return more
    return 0


def _names_too(top: Sequence[str], row: Sequence[str], below: Sequence[Sequence[str]], width: int) -> bool:
    """Whether a row holds no values: where columns have numbers it has words, and no word of it is found below."""
    told = [cell for cell in row if cell]
    if not told or not all(map(_is_name, told)):
        return False
    columns = [[cell for cell in column if cell and cell not in MARK_SET] for column in _columns(below, width)]
    if any(cell and cell in column for cell, column in zip(row, columns, strict=True)):
        return False
    numeric = [at for at, column in enumerate(columns) if _are_amounts(column)]
    worded = [row[at] for at in numeric if row[at]]
    units = [cell for cell in told if _UNIT.fullmatch(cell)]
    grouped = any(
        cell and not name for name, cell in zip(top[1:], row[1:], strict=True)
    )  # a name to the left is theirs
    whole = all(name or cell for name, cell in zip(top, row, strict=True))
    if 2 * len(worded) > len(numeric) or (worded and grouped and whole):
        return len(worded) > 1 or len(units) == len(told) or grouped
    return not numeric and grouped and whole and len(set(told)) == len(told) and len(below) > _ROWS_BELOW


def _are_same(row: Sequence[str], top: Sequence[str]) -> bool:
    """Whether a row is that of the names again."""
    return len(row) == len(top) and all(cell.strip() == name for cell, name in zip(row, top, strict=True))


def _are_amounts(column: Sequence[str]) -> bool:
    """Whether a column holds numbers, but for a few marks and footnotes."""
    others = (cell for cell in column if not _AMOUNT.fullmatch(cell))
    return bool(column) and next(islice(others, int((1 - _MOSTLY) * len(column)), None), None) is None


def is_ruler(row: Sequence[str]) -> bool:
    """Whether a row is but a line drawn below the names."""
    line = "".join(row)
    return ("--" in line or "==" in line) and re.fullmatch(r"[-=+:|\s]*", line) is not None


def _names_in_comment(record: Record, width: int) -> list[str]:
    """The names that a comment above the first row tells, as in "# x y" or "#Fields: date time"."""
    words = [cell.strip() for cell in record.cells]
    words[:1] = [re.sub(r"^[#%]+\s*(?:fields:)?\s*", "", words[0], flags=re.IGNORECASE)]
    words = words[1:] if not words[0] else words
    return words if len(words) == width == len({*words}) and all(map(_is_name, words)) else []


def _joined(top: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[str], str]:
    """One name for each column from several rows of them, the shortest that differ, and a note."""
    if all(top) and len({*top}) == len(top):
        told = ", ".join(cell for cell in rows[0] if cell)
        return list(top), f"the row below the names is about the columns and left out: {told}"
    groups = list(top)  # merged cells leave blanks to the right
    for at in range(1, len(groups)):
        groups[at] = groups[at] or groups[at - 1]
    lowest = [next((row[at] for row in reversed(rows) if row[at]), top[at]) for at in range(len(top))]
    names = lowest
    if not all(lowest) or len({*lowest}) < len(lowest):
        parts = [
            dict.fromkeys(part for part in (group, *(row[at] for row in rows)) if part)
            for at, group in enumerate(groups)
        ]
        names = [" ".join(part) for part in parts]
    if len(rows) == 1 and names == rows[0]:
        return (
            names,
            f"the row above the names is a title or says groups, and is left out: {', '.join(filter(None, top))}",
        )
    return names, f"names stand on {1 + len(rows)} rows: columns are called {', '.join(names)}"


def _columns(rows: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    """The cells of each column."""
    return [[row[at].strip() for row in rows if len(row) > at] for at in range(width)]


def _is_numeric(rows: Sequence[Sequence[str]], at: int) -> bool:
    """Whether a column holds numbers, but for marks of missing values."""
    found = False
    for row in rows:
        cell = row[at].strip() if len(row) > at else ""
        if cell not in MARK_SET:
            if not is_number(cell):
                return False
            found = True
    return found


def _is_name(cell: str) -> bool:
    data = cell in MARK_SET or cell.lower() in ("true", "false")
    return not (data or is_number(cell) or cell[:1].isdigit() or cell[:1] in "+-.")


def _is_year(cell: str) -> bool:
    return re.fullmatch(r"(?:1[89]|20)\d\d", cell) is not None


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell
