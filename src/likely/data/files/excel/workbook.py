"""Excel workbooks (.xlsx): the cells of a sheet as text, as Excel would write them to a CSV file."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any
from xml.parsers import expat

from likely.data.files.archives import open_archive, open_part
from likely.data.files.excel.cell_values import built_in_format, time_format, whole
from likely.data.files.excel.sheet_cells import PartHandler, SharedTextReader, Sheet, SheetReader, plain
from likely.data.files.paths import cannot_open
from likely.errors import DataError, nearest

MOST_SILENT_BYTES = 1 << 24  # bytes of a sheet in which nothing begins or ends
MOST_DEPTH = 64  # elements within each other
_CHUNK = 1 << 18


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
            reader = SheetReader(self._texts, self._formats, self._since_1904, self._refuse)
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

    def _parse(self, archive: zipfile.ZipFile, part: str, handler: PartHandler) -> None:
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

    def _feed(self, parser: Any, file: IO[bytes], handler: PartHandler) -> None:
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

        self._parse(archive, part.lstrip("/"), PartHandler(start))
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

        self._parse(archive, part, PartHandler(start))
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
                codes[whole(told.get("numFmtId"))] = told.get("formatCode", "")
            elif name == "cellXfs":
                within.append(True)
            elif name == "xf" and within:
                number = whole(told.get("numFmtId"))
                styles.append(time_format(codes[number]) if number in codes else built_in_format(number))

        def end(name: str) -> None:
            if name == "cellXfs":
                within.clear()

        self._parse(archive, self._parts["styles"], PartHandler(start, end))
        return {str(at): shown for at, shown in enumerate(styles) if shown}

    def _shared(self, archive: zipfile.ZipFile) -> list[str]:
        """The texts that cells name by number."""
        if self._parts.get("sharedStrings") not in archive.NameToInfo:
            return []
        reader = SharedTextReader(self._refuse)
        self._parse(archive, self._parts["sharedStrings"], reader)
        return reader.texts
