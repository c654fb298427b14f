"""The pages of a Parquet file, told by their headers alone: how large each is unpacked, how its values are encoded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

BYTES_OF_A_HEADER = 1 << 14  # of a page, with the least and the greatest value in it
DICTIONARY_PAGE = 2  # the kind of a page that holds the words
DICTIONARY_ENCODINGS = (2, 8)  # of pages of numbers into the dictionary
_DATA_HEADERS = {5: 2, 8: 4}  # where headers of data pages, of either version, stand, and where in them the encoding
_STRUCT = 12


@dataclass(frozen=True)
class ParquetPage:
    """A page of one column of one row group.

    >>> ParquetPage(DICTIONARY_PAGE, unpacked=4096, encoding=0).is_dictionary
    True
    """

    kind: int
    unpacked: int  # bytes
    encoding: int

    @property
    def is_dictionary(self) -> bool:
        return self.kind == DICTIONARY_PAGE


def pages(file: BinaryIO, chunk: Any) -> Iterator[ParquetPage | None]:
    """The pages of a column's part of a row group; None, and no more, from a header on that cannot be told.

    Nothing is unpacked. `chunk` is what Arrow's metadata says of the column in the row group.
    """
    starts = [at for at in (chunk.dictionary_page_offset, chunk.data_page_offset) if at]
    at = min(starts, default=0)
    end = at + chunk.total_compressed_size
    while at < end:
        file.seek(at)
        header = _Header(file.read(BYTES_OF_A_HEADER))
        try:
            told = header.struct()
            page, packed = _page(told), told[3]
        except (IndexError, KeyError, TypeError, RecursionError):
            page = None
        if page is None or packed < 0 or page.unpacked < 0:
            yield None
            return
        yield page
        at += header.at + packed


def _page(told: dict[int, Any]) -> ParquetPage:
    encodings = [told[place][at] for place, at in _DATA_HEADERS.items() if place in told]
    return ParquetPage(told[1], told[2], encodings[0] if encodings else 0)


class _Header:
    """Thrift's compact protocol, as far as page headers need it: numbers by their field, structs within structs."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def struct(self) -> dict[int, Any]:
        """The values of a struct by the numbers of its fields."""
        found: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._signed()
            found[field] = self._value(head & 15)
        return found

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _number(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def _signed(self) -> int:
        number = self._number()
        return (number >> 1) ^ -(number & 1)

    def _value(self, type_: int) -> Any:
        """A truth (1, 2), a byte (3), a whole number (4-6), a double (7), bytes (8) or a struct: there is no other."""
        if type_ in (1, 2):
            return type_ == 1
        if type_ == 3:
            return self._byte()
        if type_ in (4, 5, 6):
            return self._signed()
        if type_ in (7, 8):
            length = 8 if type_ == 7 else self._number()
            self.at += length
            return None
        if type_ == _STRUCT:
            return self.struct()
        raise KeyError(type_)
