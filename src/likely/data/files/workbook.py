"""Excel workbooks (.xlsx): the cells of a sheet as text, as Excel would write them to a CSV file."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import IO, Any
from xml.parsers import expat

from likely.data.files.archives import open_archive, open_part
from likely.data.files.paths import cannot_open
from likely.errors import DataError, nearest

MOST_CELLS = 1 << 26  # cells of a sheet, empty ones too, that are held in memory
MOST_SHEET_COLUMNS = 1 << 17  # columns of a sheet in which there is something; Excel has 16,384
MOST_LETTERS = 1 << 30  # letters of the texts that the sheets of a workbook share, or of those within a sheet
MOST_FORMAT_LETTERS = 255  # letters of the format of a number; Excel takes no more
MOST_CELL_LETTERS = 1 << 20  # letters of a cell; Excel holds 32,767
MOST_SILENT_BYTES = 1 << 24  # bytes of a sheet in which nothing begins or ends
MOST_MERGED = 1 << 20  # merged cells of a sheet
MOST_ELEMENTS = 1 << 18  # sheets, styles and the like of a workbook
MOST_DEPTH = 64  # elements within each other
_CHUNK = 1 << 18
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_UNSHOWN = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)  # what is no place for a number
_DAY_FORMATS = frozenset((*range(14, 18), 22, *range(27, 32), 36, *range(50, 55), 57, 58))
_CLOCK_FORMATS = frozenset((18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56))
_DURATION_FORMAT = 46
_FIRST_DAYS = {False: datetime(1899, 12, 30), True: datetime(1904, 1, 1)}
_LAST_DAY = 2_958_466  # of the year 9999
_MILLISECONDS = 86_400_000  # of a day


@dataclass
class Sheet:
    """The cells of a sheet: only rows and columns in which there is something."""

    columns: dict[int, list[str]] = field(default_factory=dict)  # number -> a text a row, "" where there is none
    rows: list[int] = field(default_factory=list)  # the number of each row in the workbook
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)  # first and last row, first and last column


class Workbook:
    """A workbook: the names of its sheets, and their cells."""

    def __init__(self, path: str, place: str) -> None:
        self.path, self.place = path, place
        with self._archive() as archive:
            top = self._relations(archive, "", "_rels/.rels")
            book = next((part for kind, part in top.values() if kind.endswith("/officeDocument")), "xl/workbook.xml")
            folder, name = posixpath.split(book)
            parts = self._relations(archive, folder, f"{folder}/_rels/{name}.rels")
            self._parts = {kind.rpartition("/")[2]: part for kind, part in parts.values()}
            sheets, self._since_1904 = self._sheets(archive, book)
            known = {link: part for link, (kind, part) in parts.items() if kind.endswith("/worksheet")}
            self.sheets = {name: known[link] for name, link in sheets if link in known}
            if not self.sheets:
                raise self._damaged("there is no sheet in it")
            self._formats = self._styles(archive)
            self._texts: list[str] | None = None

    def read(self, name: str) -> Sheet:
        """The cells of a sheet."""
        if name not in self.sheets:
            hint = f"the sheets are {', '.join(map(repr, self.sheets))}.{nearest(name, self.sheets)}"
            raise DataError("D226", f"there is no sheet {name!r}", place=self.place, hint=hint)
        with self._archive() as archive:
            if self._texts is None:
                self._texts = self._shared(archive)
            reader = _SheetReader(self._texts, self._formats, self._since_1904, self._refuse)
            self._parse(archive, self.sheets[name], reader)
        return reader.done()

    @contextmanager
    def _archive(self) -> Iterator[zipfile.ZipFile]:
        try:
            with open_archive(self.path) as archive:
                yield archive
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
            raise self._damaged(str(error)) from None
        except OSError as error:
            raise cannot_open(self.place, error) from None

    def _damaged(self, why: str) -> DataError:
        hint = "open and save it in Excel again, or save the sheet as CSV"
        return DataError("D227", f"the Excel file cannot be read: {why[:120]}", place=self.place, hint=hint)

    def _refuse(self, why: str) -> DataError:
        hint = "is it a table? Save the sheet as CSV and give that"
        return DataError("D228", why, place=self.place, hint=hint)

    def _parse(self, archive: zipfile.ZipFile, part: str, handler: _Handler) -> None:
        """Hand what is in a part of the workbook to a handler, in flat memory."""
        info = archive.NameToInfo.get(part)
        if info is None:
            raise self._damaged(f"it has no part {part!r}")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self._damaged("packed by another method than deflate")
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = handler.start, handler.end
        parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = self._declared
        try:
            with open_part(archive, part) as file:
                self._feed(parser, file, handler)
        except expat.ExpatError as error:
            raise self._damaged(str(error)) from None

    def _feed(self, parser: Any, file: IO[bytes], handler: _Handler) -> None:
        silent, before = 0, 0
        while chunk := file.read(_CHUNK):
            parser.Parse(chunk, False)
            silent, before = (silent + len(chunk) if handler.seen == before else 0), handler.seen
            if silent > MOST_SILENT_BYTES:
                raise self._refuse(f"{MOST_SILENT_BYTES:,} bytes without a cell")
            if handler.depth > MOST_DEPTH:
                raise self._refuse(f"more than {MOST_DEPTH} elements within each other")
        parser.Parse(b"", True)

    def _declared(self, *told: object) -> None:
        raise self._refuse("it declares entities, as no workbook does")

    def _relations(self, archive: zipfile.ZipFile, folder: str, part: str) -> dict[str, tuple[str, str]]:
        """{identifier: (kind, part)} of the parts that a part speaks of."""
        found: dict[str, tuple[str, str]] = {}

        def start(name: str, told: Mapping[str, str]) -> None:
            if name == "Relationship" and told.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, told.get("Target", ""))).lstrip("/")
                found[told.get("Id", "")] = (told.get("Type", ""), target)

        self._parse(archive, part.lstrip("/"), _Handler(start))
        return found

    def _sheets(self, archive: zipfile.ZipFile, part: str) -> tuple[list[tuple[str, str]], bool]:
        """The name and the identifier of each sheet, those that are shown first; whether days count from 1904."""
        found: list[tuple[bool, str, str]] = []
        since: list[bool] = []

        def start(name: str, told: Mapping[str, str]) -> None:
            if name == "sheet":
                link = next((value for key, value in told.items() if plain(key) == "id"), "")
                found.append((told.get("state", "visible") != "visible", told.get("name", ""), link))
            elif name == "workbookPr":
                since.append(told.get("date1904", "0") in ("1", "true"))

        self._parse(archive, part, _Handler(start))
        return [(name, link) for _, name, link in sorted(found, key=lambda one: one[0])], any(since)

    def _styles(self, archive: zipfile.ZipFile) -> dict[str, str]:
        """What a number is by its style, as of `time_format`; those of other styles are numbers as any other."""
        if self._parts.get("styles") not in archive.NameToInfo:
            return {}
        codes: dict[int, str] = {}
        styles: list[str] = []
        within: list[bool] = []

        def start(name: str, told: Mapping[str, str]) -> None:
            if name == "numFmt":
                codes[_whole(told.get("numFmtId"))] = told.get("formatCode", "")
            elif name == "cellXfs":
                within.append(True)
            elif name == "xf" and within:
                number = _whole(told.get("numFmtId"))
                styles.append(time_format(codes[number]) if number in codes else _built_in(number))

        def end(name: str) -> None:
            if name == "cellXfs":
                within.clear()

        self._parse(archive, self._parts["styles"], _Handler(start, end))
        return {str(at): shown for at, shown in enumerate(styles) if shown}

    def _shared(self, archive: zipfile.ZipFile) -> list[str]:
        """The texts that cells name by number."""
        if self._parts.get("sharedStrings") not in archive.NameToInfo:
            return []
        reader = _TextReader(self._refuse)
        self._parse(archive, self._parts["sharedStrings"], reader)
        return reader.texts


class _Handler:
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


class _TextReader(_Handler):
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
            if self._letters > MOST_LETTERS:
                raise self._refuse(f"more than {MOST_LETTERS:,} letters in its texts")


class _SheetReader(_Handler):
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
            self._row = _whole(told.get("r")) or self._row + 1
            self._column, self._told = 0, False
        elif name == "mergeCell" and len(self.sheet.merged) < MOST_MERGED:
            ends = [_CELL.fullmatch(end) for end in told.get("ref", "").split(":")]
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
            if self._all_letters > MOST_LETTERS:
                raise self._refuse(f"more than {MOST_LETTERS:,} letters in a sheet")

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
            at = _whole(told)
            return self._texts[at] if at < len(self._texts) else ""
        if kind == "b":
            return "TRUE" if told.strip() == "1" else "FALSE"
        if kind == "e":
            return ""  # such as #N/A or #DIV/0!: there is no value
        return told.removesuffix("T00:00:00") if kind == "d" else unescaped(told)


def time_format(code: str) -> str:
    """What numbers of a format are: "day", "clock" or "duration" where they are shown as such, else nothing.

    >>> [time_format(code) for code in ("yyyy-mm-dd", "h:mm", "[h]:mm:ss", "General", '0.0" days"', "[Red]0")]
    ['day', 'clock', 'duration', '', '', '']
    """
    shown = _UNSHOWN.sub("", code[:MOST_FORMAT_LETTERS].partition(";")[0]).lower().replace("general", "")
    if re.search("[yd]", shown) or ("m" in shown and not re.search("[hs]", shown)):
        return "day"
    if re.search(r"\[[hms]+\]", shown):
        return "duration"
    return "clock" if re.search("[hs]", shown) else ""


def number_text(told: str, shown: str, since_1904: bool = False) -> str:
    """A number as text, whole ones without a point; a day as in 2026-03-01, a time of the day as in 09:30:00.

    >>> number_text("3", ""), number_text("0.5", ""), number_text("46082.25", "day"), number_text("0.25", "clock")
    ('3', '0.5', '2026-03-01 06:00:00', '06:00:00')
    """
    try:
        value = float(told)
    except ValueError:
        return told
    if shown in ("clock", "duration") and 0 <= value < _LAST_DAY:
        since = round(value * _MILLISECONDS)
        seconds, thousandths = divmod(since % _MILLISECONDS if shown == "clock" else since, 1000)
        fraction = f".{thousandths:03}" if thousandths else ""
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
    if shown == "day" and 0 < value < _LAST_DAY:
        first = _FIRST_DAYS[since_1904]
        early = timedelta(days=not since_1904 and value < 60)  # Excel counts a 29th of February 1900
        moment = first + early + timedelta(milliseconds=round(value * _MILLISECONDS))
        return moment.date().isoformat() if moment.time() == datetime.min.time() else moment.isoformat(" ")
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def unescaped(text: str) -> str:
    """A text without the escapes of signs that XML cannot hold.

    >>> unescaped("a_x000D_\\nb_x005F_x0041_")
    'a\\r\\nb_x0041_'
    """
    if "_x" not in text:
        return text
    told = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)  # halves of signs may come in pairs, or alone
    return told.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def column_number(letters: str) -> int:
    """The number of a column, from 1.

    >>> column_number("A"), column_number("AB")
    (1, 28)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def _built_in(number: int) -> str:
    if number == _DURATION_FORMAT:
        return "duration"
    return "day" if number in _DAY_FORMATS else "clock" if number in _CLOCK_FORMATS else ""


def _whole(told: str | None) -> int:
    return int(told) if told is not None and told.isascii() and told.isdecimal() and len(told) < 10 else 0
