"""Sheets of Excel workbooks as tables: what stands above the names, merged cells, footers; their cells as text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.files.excel.sheet_cells import MOST_CELLS, Sheet
from likely.data.files.excel.workbook import Workbook
from likely.data.files.footers import LOOKED_AT, tell_footer
from likely.data.files.layout import LAYOUT_ROWS, Record, TableLayout, tell_layout
from likely.errors import DataError


@dataclass
class SheetFile:
    """A sheet of a workbook, whose cells are read as those of a text file."""

    path: str
    dialect: TableLayout
    columns: list[list[str]]  # the texts of each

    @classmethod
    def look(
        cls, path: str, sheet: str | None, place: str, header: bool = True, named: Collection[str] = ()
    ) -> SheetFile:
        """The sheet that is named, or the first with a table."""
        found, cells, names = _chosen(Workbook(path, place), sheet)
        if not cells.rows:
            what = "there is nothing in its sheets" if sheet is None else f"there is nothing in the sheet {sheet!r}"
            raise DataError("D209", what, place=place, hint="give a file with rows")
        columns = [cells.columns[at] for at in sorted(cells.columns)]
        several = [column for column in columns if sum(map(bool, column[:LAYOUT_ROWS])) > 1] or columns
        layout = _layout(several, header, named)
        if len(several) < len(columns):  # a column may have a name and no values; a title may stand beside the table
            columns = [column for column in columns if any(column[layout.titles :])]
            layout = _layout(columns, header, named)
        _fill_merged(cells, layout.above)
        footer, note = _footer(cells.rows, columns, layout.above)
        notes = (
            [f"the sheet {found!r} of {len(names)} is read; another by --sheet NAME, or {place}#NAME"]
            if len(names) > 1
            else []
        )
        layout = replace(layout, notes=(*notes, *layout.notes, *filter(None, [note])))
        rows = slice(layout.above, len(cells.rows) - footer)
        return cls(place, layout, [column[rows] for column in columns[: len(layout.names)]])

    def batches(self, numeric: Mapping[int, Any] | None = None, marks: Sequence[str] = ()) -> Iterator[Any]:
        """The rows, columns by place, as text."""
        import pyarrow as pa

        names = [f"c{at}" for at in range(len(self.columns))]
        for start in range(0, len(self.columns[0]), ROWS_OF_A_BLOCK):
            some = slice(start, start + ROWS_OF_A_BLOCK)
            yield pa.record_batch([pa.array(column[some], pa.string()) for column in self.columns], names=names)


def _chosen(book: Workbook, sheet: str | None) -> tuple[str, Sheet, Sequence[str]]:
    """The sheet that is named, or the first with a table: its name, its cells, and all names there were to choose."""
    names = list(book.sheets) if sheet is None else [sheet]
    found, cells = names[0], Sheet()
    for name in names:
        some = book.read(name)
        if len(some.rows) > len(cells.rows):
            found, cells = name, some
        if len(some.rows) > 1 and len(some.columns) > 1:
            return name, some, names
    return found, cells, names


def _layout(columns: Sequence[Sequence[str]], header: bool, named: Collection[str]) -> TableLayout:
    records = [Record(list(row), at) for at, row in enumerate(zip(*(c[:LAYOUT_ROWS] for c in columns), strict=True))]
    return tell_layout(records, [""] * len(records), header, False, lambda end: False, named)


def _fill_merged(cells: Sheet, above: int) -> None:
    """Cells of the rows that were merged from top to bottom all have the value that stands in the first."""
    room = MOST_CELLS
    for top, bottom, left, _ in cells.merged:
        column, first = cells.columns.get(left), bisect_left(cells.rows, top)
        last = bisect_left(cells.rows, bottom + 1)
        room -= max(last - first, 0)
        if column is None or first < above or first >= last or cells.rows[first] != top or room < 0:
            continue
        column[first:last] = [column[first]] * (last - first)


def _footer(numbers: Sequence[int], columns: Sequence[Sequence[str]], above: int) -> tuple[int, str]:
    """How many of the last rows are a footer, and a note."""
    start = max(above, len(numbers) - LOOKED_AT)
    rows: list[list[str]] = []
    for at in range(start, len(numbers)):
        if at > start and numbers[at] > numbers[at - 1] + 1:
            rows.append([])
        rows.append([column[at] for column in columns])
    count, note = tell_footer(rows, len(columns), start == above)
    return sum(map(bool, rows[len(rows) - count :])), note
