"""Batches that are read from a file once and kept while they fit: whoever reads them again needs no file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

MOST_KEPT = 1 << 28  # bytes of batches that are kept in memory; a file that needs more is read each time


class KeptBatches:
    """Reads batches, words numbered; from the second time on from memory, if the first was to the end and they fit."""

    def __init__(self, read: Callable[[], Iterable[Any]]) -> None:
        self._read = read
        self._kept: list[Any] | None = None

    def __call__(self) -> Iterator[Any]:
        return iter(self._kept) if self._kept is not None else self._first()

    def _first(self) -> Iterator[Any]:
        kept: list[Any] | None = []
        room = MOST_KEPT
        for batch in self._read():
            numbered = _numbered(batch)
            room -= numbered.nbytes
            if room < 0:
                kept = None
            if kept is not None:
                kept.append(numbered)
            yield numbered
        self._kept = kept


def _numbered(batch: Any) -> Any:
    """A batch whose words are numbered: they are looked up once a batch instead of once a row, and take less room."""
    import pyarrow as pa

    columns = [numbered(column) for column in batch.columns]
    return pa.record_batch(columns, names=batch.schema.names)


def numbered(array: Any) -> Any:
    """A column of words as numbers into a dictionary; any other as it is."""
    import pyarrow as pa

    of = pa.types
    words = of.is_string(array.type) or of.is_large_string(array.type) or of.is_string_view(array.type)
    return array.dictionary_encode() if words else array
