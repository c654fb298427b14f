"""Text files: their encoding told from all their bytes, in one fast pass in flat memory, and handed out as UTF-8."""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from likely.data.files.content import BYTES_LOOKED_AT, LONGEST_LINE, BytePass, open_packed
from likely.data.files.formats import FORMAT_BYTES, refuse_foreign, wide_letters
from likely.data.files.legacy_encodings import LEGACY, LegacyLetters
from likely.data.files.paths import cannot_open
from likely.errors import DataError

HEAD_BYTES = 1 << 20  # bytes that a dialect is told from
TAIL_BYTES = 1 << 15  # bytes at the end that may hold a footer
LINES_IN_HEAD = 3  # lines that it is told from at least, however long they are
_QUOTE_BYTE, _NEWLINE_BYTE = b'"\n'
_CONTROLS = bytes(at for at in range(32) if at not in b"\t\n\v\f\r\x1a") + b"\x7f"
MOSTLY_UTF8 = 0.75  # share of the bytes beyond ASCII that are UTF-8, from which a text is UTF-8 with damaged bytes


@dataclass(frozen=True)
class TextFile:
    """A text file that was looked through: how it is written, its first lines, and what may make it hard to read."""

    path: str
    packed: bool
    encoding: str
    head: str  # its first lines, each whole
    odd_quotes: bool  # whether all its double quotes together are odd in number
    whole: bool  # whether the head is the whole file
    tail: str = ""  # its last lines, where the head is not the whole
    size: int = 0  # bytes
    quoted: bool = False  # whether there is a double quote

    @contextmanager
    def open(self, skip: int = 0, hold: int = 0) -> Iterator[IO[bytes]]:
        """Its bytes as UTF-8, without a byte order mark, the first `skip` and the last `hold`."""
        with _bytes(self.path, self.packed) as raw:
            file = raw if self.encoding == "utf-8" else io.BufferedReader(_Transcoded(raw, self.encoding))
            if file.read(3) != codecs.BOM_UTF8:
                if file is raw:
                    raw.seek(0)
                else:  # no stream of other letters begins with the mark, as its decoder takes it away
                    raw.seek(0)
                    file = io.BufferedReader(_Transcoded(raw, self.encoding))
            while skip and (part := file.read(min(skip, BYTES_LOOKED_AT))):
                skip -= len(part)
            yield io.BufferedReader(_HeldBack(file, hold), BYTES_LOOKED_AT) if hold else file


def look_at_text(path: str, form: str, packed: bool) -> TextFile:
    """A CSV or TSV file, looked through (errors D206, D209 to D212, D216 and D221)."""
    longest = LONGEST_LINE[form]
    try:
        with _bytes(path, packed) as raw:
            first = raw.read(FORMAT_BYTES)
        if not first:
            raise DataError("D209", "the file is empty", place=path, hint="give a file with rows")
        refuse_foreign(first, form, path)
        encoding = wide_letters(first) or "utf-8"
        seen = _TextPass(path, longest)
        with TextFile(path, packed, encoding, "", False, False).open() as file:
            for chunk in iter(lambda: file.read(BYTES_LOOKED_AT), b""):
                seen.add(chunk)
        seen.refuse_blank()
        if encoding == "utf-8" and seen.bad_line:
            encoding = _eight_bits(path, packed, seen)
        elif encoding == "utf-8" and seen.marked:
            encoding = "utf-8-sig"
        odd = seen.quotes % 2 == 1
        with TextFile(path, packed, encoding, "", odd, False).open() as file:
            head = file.read(HEAD_BYTES)
            while max(head.count(b"\n"), head.count(b"\r")) < LINES_IN_HEAD and (more := file.readline(longest)):
                head += more
            whole = not file.read(1)
        if not whole:
            head = head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1]
        tail = "" if whole else seen.tail.partition(b"\n")[2].decode(encoding if encoding in LEGACY else "utf-8")
        tail = tail.replace("\ufeff", "")
        return TextFile(path, packed, encoding, head.decode("utf-8"), odd, whole, tail, seen.size, seen.quotes > 0)
    except UnicodeDecodeError as error:
        hint = "fetch or save it again, as UTF-8"
        raise DataError("D221", f"the text is not in {error.encoding.upper()}", place=path, hint=hint) from None
    except OSError as error:
        raise cannot_open(path, error) from None


@contextmanager
def _bytes(path: str, packed: bool) -> Iterator[Any]:
    with open_packed(path) if packed else open(path, "rb") as file:
        yield file


class _Transcoded(io.RawIOBase):
    """A stream of bytes in any letters, as UTF-8."""

    def __init__(self, raw: IO[bytes], encoding: str) -> None:
        self._text = codecs.getreader(encoding)(raw)
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        while not self._left:
            letters = self._text.read(1 << 16)
            if not letters:
                return 0
            self._left = letters.replace("\ufeff", "").encode("utf-8", "replace")
        size = min(len(room), len(self._left))
        room[:size], self._left = self._left[:size], self._left[size:]
        return size


class _HeldBack(io.RawIOBase):
    """A stream without its last bytes."""

    def __init__(self, raw: IO[bytes], hold: int) -> None:
        self._raw, self._hold = raw, hold
        self._kept = b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        while len(self._kept) <= self._hold:
            part = self._raw.read(BYTES_LOOKED_AT)
            if not part:
                return 0
            self._kept += part
        size = min(len(room), len(self._kept) - self._hold)
        room[:size], self._kept = self._kept[:size], self._kept[size:]
        return size


class _TextPass(BytePass):
    """A pass that tells how a text is written, too."""

    def __init__(self, path: str, longest: int) -> None:
        super().__init__(path, longest)
        self.quotes = 0
        self.bad_line = 0  # the first line that is not in UTF-8
        self.marked = False  # whether a byte order mark stands in its midst, as where files were put together
        self.letters = 0  # letters beyond ASCII that are in UTF-8
        self._lines = 0
        self.tail = b""  # the last bytes
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def add(self, chunk: bytes) -> None:
        super().add(chunk)
        letters = np.frombuffer(chunk, np.uint8)  # which NumPy counts several times as fast as Python
        self.quotes += int(np.count_nonzero(letters == _QUOTE_BYTE)) if b'"' in chunk else 0
        plain = chunk.isascii()
        if not self.marked and not (plain and self.tail.isascii()):
            self.marked = codecs.BOM_UTF8 in chunk or codecs.BOM_UTF8 in self.tail[-2:] + chunk[:2]
        if not self.bad_line and not (plain and not self._decoder.getstate()[0]):
            self._decode(chunk)
        self.tail = (self.tail + chunk[-TAIL_BYTES:])[-TAIL_BYTES:]
        if not self.bad_line:
            self._lines += int(np.count_nonzero(letters == _NEWLINE_BYTE))

    def _decode(self, chunk: bytes) -> None:
        try:
            self.letters += sum(letter > "\x7f" for letter in set(self._decoder.decode(chunk)))
        except UnicodeDecodeError as error:
            self.bad_line = self._lines + 1 + error.object[: error.start].count(b"\n")


def _eight_bits(path: str, packed: bool, seen: _TextPass) -> str:
    """The letters of a text that is not in UTF-8."""
    letters = LegacyLetters()
    with _bytes(path, packed) as file:
        for chunk in iter(lambda: file.read(BYTES_LOOKED_AT), b""):
            if chunk.isascii() and len(chunk.translate(None, _CONTROLS)) == len(chunk):
                continue
            if len(chunk.translate(None, _CONTROLS)) < len(chunk):
                raise _not_utf8(path, seen.bad_line)
            valid = sum(map(len, re.findall(rb"[\xc3-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}", chunk)))
            if valid > MOSTLY_UTF8 * len(re.findall(rb"[\x80-\xff]", chunk)):
                raise _not_utf8(path, seen.bad_line)  # UTF-8 but for a few bytes, which are damaged
            letters.add(chunk)
    return letters.tell()


def _not_utf8(path: str, line: int) -> DataError:
    name = os.path.basename(path)
    hint = f"turn it into UTF-8: iconv -f latin1 -t utf-8 {name} > new.csv; for Chinese text try -f gb18030"
    return DataError("D221", "the text is not in UTF-8", place=f"{path}, line {line}", hint=hint)
