"""The cells of files from the pass that told what their columns are: they are not parsed again for their values."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from likely.core.reading import NUMBER, WHOLE, Reading
from likely.data.files.layout import is_number


class LookedAtCells:
    """The columns of each batch of each file, those of plain numbers as such, as long as there is `room` for them."""

    def __init__(self, room: int) -> None:
        self.again: Counter[str] = Counter()  # rows that repeat the names, by file
        self._room = room
        self._files: list[deque[list[Any]]] = []
        self._waiting: deque[list[Any]] = deque()
        self._places: Sequence[int] = ()

    def watched(self, batches: Iterable[Any], places: Sequence[int]) -> Iterator[list[Any]]:
        """The columns at these places, a batch of a further file at a time; `add` is told what they were, in order."""
        self._files.append(deque())
        self._places = places
        for batch in batches:
            columns = batch.columns
            self._waiting.append(columns)
            yield columns if len(places) == len(columns) else [columns[place] for place in places]

    def add(self, cells: Sequence[Any]) -> None:
        """The cells of a batch that was looked at."""
        columns = [*self._waiting.popleft()]
        for place, column in zip(self._places, cells, strict=True):
            columns[place] = column
        self._room -= sum(column.nbytes for column in columns)
        if self._room < 0:
            self._files = [deque() for _ in self._files]
        else:
            self._files[-1].append(columns)

    def serve(self, files: Sequence[Sequence[Reading]], types: Sequence[Sequence[Any]], marks: Collection[str]) -> bool:
        """Whether all cells are there, and those that are numbers are meant to be, of these types."""
        return self._room >= 0 and all(
            _serves(column, reading, type_, marks)
            for readings, told, batches in zip(files, types, self._files, strict=True)
            for columns in batches
            for column, reading, type_ in zip(columns, readings, told, strict=True)
        )

    def numbered(self, files: Sequence[Sequence[str]]) -> set[str]:
        """The columns by name, of files whose names are given, the words of which are numbered in all batches."""
        import pyarrow as pa

        every = zip(files, self._files, strict=True)
        seen = [
            (name, column) for names, all_ in every for part in all_ for name, column in zip(names, part, strict=True)
        ]
        return {name for name, _ in seen} - {name for name, one in seen if not pa.types.is_dictionary(one.type)}

    def taken(self, at: int) -> Iterator[list[Any]]:
        """The columns of each batch of a file, which are let go as they are handed out."""
        batches = self._files[at]
        while batches:
            yield batches.popleft()


def _serves(column: Any, reading: Reading, type_: Any, marks: Collection[str]) -> bool:
    """Whether numbers mean what their texts would, read so: they are no dates, and no number is a mark."""
    import pyarrow as pa

    if pa.types.is_string(column.type) or pa.types.is_dictionary(column.type):
        return True
    if (
        reading.form not in (WHOLE, NUMBER)
        or not reading.all_marks
        or reading.decimal != "."
        or reading.thousands == "."
    ):
        return False
    odd = any(is_number(mark) for mark in reading.marks if mark not in marks)
    return not odd and (column.type.equals(type_) or pa.types.is_integer(column.type))
