"""The cells of a sheet, read as its part of the workbook goes by."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from likely.data.files.excel.cell_values import column_number, number_text, unescaped, whole
from likely.errors import DataError

MOST_CELLS = 1 << 26  # cells of a sheet, empty ones too, that are held in memory
MOST_SHEET_COLUMNS = 1 << 17  # columns of a sheet in which there is something; Excel has 16,384
MOST_SHEET_LETTERS = 1 << 30  # letters of the texts that the sheets of a workbook share, or of those within a sheet
MOST_CELL_LETTERS = 1 << 20  # letters of a cell; Excel holds 32,767
MOST_MERGED = 1 << 20  # merged cells of a sheet
MOST_ELEMENTS = 1 << 18  # sheets, styles and the like of a workbook
_CELL_NAME = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


@dataclass
class Sheet:
    """The cells of a sheet: only rows and columns in which there is something."""

    columns: dict[int, list[str]] = field(default_factory=dict)  # number -> a text a row, "" where there is none
    rows: list[int] = field(default_factory=list)  # the number of each row in the workbook
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)  # first and last row, first and last column


class PartHandler:
    """What is done where an element of a part begins and ends; names are told without their prefix."""

    def __init__(
        self, start: Callable[[str, Mapping[str, str]], None] | None = None, end: Callable[[str], None] | None = None
    ) -> None:
        self._start, self._end = start, end
        self.depth = self.seen = 0

    def start(self, name: str, told: Mapping[str, str]) -> None:
        self.depth += 1
        self.seen += 1
        if self._start is not None and self.seen < MOST_ELEMENTS:
            self._start(plain(name), told)

    def end(self, name: str) -> None:
        self.depth -= 1
        if self._end is not None:
            self._end(plain(name))

    def text(self, letters: str) -> None:
        """Letters within an element."""


def plain(name: str) -> str:
    """A name without its prefix.

    >>> plain("x:row"), plain("row")
    ('row', 'row')
    """
    return name.rpartition(":")[2] if ":" in name else name


class SharedTextReader(PartHandler):
    """The shared texts, without what is said of their pronunciation."""

    def __init__(self, refuse: Callable[[str], DataError]) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._refuse, self._letters = refuse, 0
        self._parts: list[str] = []
        self._open = self._beside = False

    def start(self, name: str, told: Mapping[str, str]) -> None:
        self.depth += 1
        self.seen += 1
        name = plain(name)
        if name == "si":
            self._parts = []
        elif name == "rPh":
            self._beside = True
        elif name == "t":
            self._open = not self._beside

    def end(self, name: str) -> None:
        self.depth -= 1
        name = plain(name)
        if name == "t":
            self._open = False
        elif name == "rPh":
            self._beside = False
        elif name == "si":
            self.texts.append(unescaped("".join(self._parts)))
            if len(self.texts) > MOST_CELLS:
                raise self._refuse(f"more than {MOST_CELLS:,} shared texts")

    def text(self, letters: str) -> None:
        if self._open:
            self._parts.append(letters)
            self._letters += len(letters)
            if self._letters > MOST_SHEET_LETTERS:
                raise self._refuse(f"more than {MOST_SHEET_LETTERS:,} letters in its texts")


class SheetReader(PartHandler):
    """The cells of a sheet."""

    def __init__(
        self, texts: Sequence[str], formats: Mapping[str, str], since_1904: bool, refuse: Callable[[str], DataError]
    ) -> None:
        super().__init__()
        self.sheet = Sheet()
        self._texts, self._formats, self._since_1904, self._refuse = texts, formats, since_1904, refuse
        self._row = self._column = 0
        self._kind = self._style = ""
        self._numbers: dict[str, int] = {}  # of columns
        self._parts: list[str] = []
        self._letters = self._all_letters = 0
        self._open = self._beside = self._told = False

    def start(self, name: str, told: Mapping[str, str]) -> None:
        self.depth += 1
        self.seen += 1
        name = plain(name)
        if name == "c":
            letters = told.get("r", "").rstrip("0123456789")
            self._column = self._numbers.get(letters) or self._number(letters)
            self._kind, self._style = told.get("t", "n"), told.get("s", "")
            self._parts.clear()
            self._letters = 0
        elif name == "v":
            self._open = True
        elif name == "t":
            self._open = not self._beside
        elif name == "rPh":
            self._beside = True
        elif name == "row":
            self._row = whole(told.get("r")) or self._row + 1
            self._column, self._told = 0, False
        elif name == "mergeCell" and len(self.sheet.merged) < MOST_MERGED:
            ends = [_CELL_NAME.fullmatch(end) for end in told.get("ref", "").split(":")]
            if len(ends) == 2 and ends[0] and ends[1]:
                (left, top), (right, bottom) = ends[0].groups(), ends[1].groups()
                self.sheet.merged.append((int(top), int(bottom), column_number(left), column_number(right)))

    def end(self, name: str) -> None:
        self.depth -= 1
        name = plain(name)
        if name in ("v", "t"):
            self._open = False
        elif name == "c":
            if self._parts:
                text = self._value("".join(self._parts))
                if text and not text.isspace():
                    self._keep(text)
        elif name == "rPh":
            self._beside = False

    def text(self, letters: str) -> None:
        if self._open:
            self._parts.append(letters)
            self._letters += len(letters)
            self._all_letters += len(letters)
            if self._letters > MOST_CELL_LETTERS:
                raise self._refuse(f"a cell of more than {MOST_CELL_LETTERS:,} letters")
            if self._all_letters > MOST_SHEET_LETTERS:
                raise self._refuse(f"more than {MOST_SHEET_LETTERS:,} letters in a sheet")

    def done(self) -> Sheet:
        for column in self.sheet.columns.values():
            column.extend([""] * (len(self.sheet.rows) - len(column)))
        return self.sheet

    def _number(self, letters: str) -> int:
        """The number of a column; of a cell that does not say it, the next."""
        if not (letters.isascii() and letters.isalpha() and letters.isupper() and len(letters) <= 3):
            return self._column + 1
        return self._numbers.setdefault(letters, column_number(letters))

    def _keep(self, text: str) -> None:
        sheet = self.sheet
        if not self._told:
            self._told = True
            sheet.rows.append(self._row)
        column = sheet.columns.get(self._column)
        if column is None:
            column = sheet.columns[self._column] = []
            if len(sheet.columns) > MOST_SHEET_COLUMNS:
                raise self._refuse(f"more than {MOST_SHEET_COLUMNS:,} columns in a sheet")
        if len(sheet.rows) * len(sheet.columns) > MOST_CELLS:
            raise self._refuse(f"more than {MOST_CELLS:,} cells in a sheet")
        missing = len(sheet.rows) - 1 - len(column)
        if missing > 0:
            column.extend([""] * missing)
        column[len(sheet.rows) - 1 :] = [text]

    def _value(self, told: str) -> str:
        """What a cell holds, as text."""
        kind = self._kind
        if kind == "n":
            shown = self._formats.get(self._style, "")
            return number_text(told, shown, self._since_1904) if shown or not told.isdecimal() else told
        if kind == "s":
            at = whole(told)
            return self._texts[at] if at < len(self._texts) else ""
        if kind == "b":
            return "TRUE" if told.strip() == "1" else "FALSE"
        if kind == "e":
            return ""  # such as #N/A or #DIV/0!: there is no value
        return told.removesuffix("T00:00:00") if kind == "d" else unescaped(told)
