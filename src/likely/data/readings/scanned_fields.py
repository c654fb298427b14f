"""Lines of text without quotes, each field scanned once: plain numbers as such, few words by number, others as text."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.reading import NUMBER, WHOLE
from likely.kernels.parsing import (
    FRACTION,
    MINUS_ZERO,
    MISPLACED,
    MISSING,
    NO_NUMBER,
    PLACES,
    TOO_MANY_WORDS,
    UNGROUPED,
)

MOST_NUMBERED_WORDS = 256  # different words of a column that are numbered: FEW, and as many as a byte tells apart
_BEGIN_NUMBERS = b"-.0123456789"


class ScannedBlock:
    """Lines of a text: `begins` is where the field of each column and row begins, one behind the end of that before.

    `told` is what is among the fields of each column, `values` what its numbers are where there is nothing else.
    """

    def __init__(self, raw: bytes, begins: Array, told: list[int], values: list[Array | None]) -> None:
        self.raw, self.begins, self.told, self.values = raw, begins, told, values
        self.num_rows = begins.shape[1]
        self.columns = [ScannedColumn(self, at) for at in range(len(told))]

    def texts(self) -> Any:
        """The same as an Arrow table of text."""
        import pyarrow as pa

        names = [f"c{at}" for at in range(len(self.told))]
        return pa.record_batch([column.texts() for column in self.columns], names=names)


class ScannedColumn:
    """A column of such lines: `kind` says what its numbers are, if nothing else is in it."""

    def __init__(self, block: ScannedBlock, at: int) -> None:
        told, self._raw, self._values = block.told[at], block.raw, block.values[at]
        self._begins, self._behind = block.begins[at], block.begins[at + 1]  # one behind the end
        self._there = self._behind - 1 > self._begins if told & MISSING else None  # None: all of them
        self.null_count = 0 if self._there is None else len(self) - int(np.count_nonzero(self._there))
        self._rows = np.flatnonzero(self._there) if self._there is not None else None  # that are not empty
        self.kind = "" if self._values is None else NUMBER if told & FRACTION else WHOLE
        self.has_minus_zero = bool(told & MINUS_ZERO)  # which whole numbers do not tell
        self.grouped = not told & UNGROUPED  # whether the points of all numbers could part thousands
        self.words = None if self.kind else self._numbered()  # by number, if they are few

    def __len__(self) -> int:
        return len(self._begins)

    def some(self, first: int, count: int) -> list[str]:
        """The different texts of so many fields that are not empty, from the first on."""
        some = slice(first, first + count)
        at = some if self._rows is None else self._rows[some]
        if self.kind == WHOLE and self._values is not None and not self.has_minus_zero:
            return [*map(str, dict.fromkeys(self._values[at].view(np.int64).tolist()))]  # sooner than each is cut out
        return self._cut(at)

    def _cut(self, at: Any) -> list[str]:
        """The texts of these rows."""
        raw, places = self._raw, zip(self._begins[at].tolist(), self._behind[at].tolist(), strict=True)
        return [raw[begin : behind - 1].decode() for begin, behind in places]

    def may_hold(self, text: str) -> bool:
        """Whether the text may be among the fields."""
        if self.kind and text[:1] not in _BEGIN_NUMBERS.decode():
            return False
        return text in self.words.dictionary.to_pylist() if self.words is not None else text.encode() in self._raw

    def numbers(self) -> Any:
        """The numbers as an Arrow array."""
        import pyarrow as pa

        type_ = pa.int64() if self.kind == WHOLE else pa.float64()
        buffers = [self._valid(), pa.py_buffer(self._values)]
        return pa.Array.from_buffers(type_, len(self), buffers, self.null_count)

    def _valid(self) -> Any:
        import pyarrow as pa

        return None if self._there is None else pa.py_buffer(np.packbits(self._there, bitorder="little"))

    def texts(self) -> Any:
        """The fields as an Arrow array of text, missing where they are empty."""
        import pyarrow as pa

        from likely.kernels.parsing.words import join

        places = np.zeros(len(self) + 1, np.int32)
        np.cumsum(self._behind - 1 - self._begins, out=places[1:])
        letters = np.empty(places[-1], np.uint8)
        join(np.frombuffer(self._raw, np.uint8), self._begins, places, letters)
        buffers = [self._valid(), pa.py_buffer(places), pa.py_buffer(letters)]
        return pa.Array.from_buffers(pa.string(), len(self), buffers, self.null_count)

    def _numbered(self) -> Any:
        """The words as numbers into a dictionary, in the order in which they come; None where they are too many."""
        import pyarrow as pa

        from likely.kernels.parsing.words import number_words

        firsts, codes = np.empty(MOST_NUMBERED_WORDS, np.int32), np.empty(len(self), np.uint8)
        table = np.full(PLACES, -1, np.int32)
        count = number_words(np.frombuffer(self._raw, np.uint8), self._begins, self._behind, table, firsts, codes)
        if count == TOO_MANY_WORDS:
            return None
        words = pa.array(self._cut(firsts[:count]), pa.string())
        indices = pa.Array.from_buffers(pa.uint8(), len(self), [self._valid(), pa.py_buffer(codes)], self.null_count)
        return pa.DictionaryArray.from_arrays(indices, words)


def _room(rows: int, columns: int, type_: type) -> Array:
    """An array of Arrow's memory, which keeps pages that were touched: to touch new ones takes as long as a scan."""
    import pyarrow as pa

    room = pa.allocate_buffer(rows * columns * np.dtype(type_).itemsize)
    return np.frombuffer(room, type_).reshape(rows, columns)


@cache
def _fives() -> Array:
    from likely.kernels.parsing.decimals import powers_of_five

    return powers_of_five()


def _is_utf8(raw: bytes) -> bool:
    """Whether all letters are whole: that a file ends in the midst of one is not seen when it is looked through."""
    try:
        return raw.isascii() or bool(raw.decode())
    except UnicodeDecodeError:
        return False


def scanned(raw: bytes, delimiter: bytes, width: int) -> ScannedBlock | None:
    """Lines of text, the last of which ends, by field; None of those that only a general reader takes.

    As where not all have as many fields, or a line ends in a return.
    """
    from likely.kernels.parsing.fields import scan

    first = raw.lstrip(b"\r\n").partition(b"\n")[0].rstrip(b"\r").split(delimiter)
    if len(first) != width or not _is_utf8(raw):
        return None
    letters = np.frombuffer(raw, np.uint8)
    rows = int(np.count_nonzero(letters == ord("\n")))
    may = np.array([cell[:1] in _BEGIN_NUMBERS for cell in first])  # an empty one may be missing
    rows_of = np.where(may, np.cumsum(may) - 1, -1).astype(np.int32)
    values, begins = _room(int(may.sum()), rows, np.uint64), _room(width + 1, rows, np.int32)
    told = np.zeros(width, np.uint8)
    count = scan(letters, ord(delimiter), rows_of, _fives(), begins, values, told)
    if count == MISPLACED:
        return None
    are = may & ~(told & NO_NUMBER).astype(bool)
    for column in np.flatnonzero(are & (told & MISSING).astype(bool)).tolist():
        are[column] = (begins[column + 1, :count] - 1 > begins[column, :count]).any()
    spare = not are[may].all()  # room that is not needed
    numbers = [
        None if not is_ else values[row, :count].copy() if spare else values[row, :count]
        for row, is_ in zip(rows_of.tolist(), are.tolist(), strict=True)
    ]
    return ScannedBlock(raw, begins[:, :count], told.tolist(), numbers)
