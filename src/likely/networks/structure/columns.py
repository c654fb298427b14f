"""A table of any origin, read once in blocks into compact codes; amounts are cut into parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from likely.core.identifiers import ENOUGH_VALUES, identifies
from likely.core.numerics import Array, Floats
from likely.core.schema import Level, in_order, plain
from likely.core.threads import in_threads
from likely.core.unusable_rows import LARGEST_NUMBER, too_large
from likely.data import ArrowSource
from likely.data.arrow import ROWS_OF_A_BLOCK
from likely.data.arrow_columns import arrow_type, numbers
from likely.data.levels.column_kinds import MOST_WHOLE_LEVELS, are_levels
from likely.data.levels.level_text import Levels, declared_levels, text_codes
from likely.data.tables import open_rows
from likely.data.weights import check_weights, refuse_no_weight
from likely.errors import DataError
from likely.errors.advice import Advice, InPython, LeaveOut
from likely.networks.structure.cuts import BinnedColumn, first_cuts

UNFIT_COLUMN_CODES = ("D426", "D427")  # why a column cannot be a node
LEVELS_IN_A_BYTE = 255  # codes of one byte: so many levels, and one more for what is missing


Told = tuple[tuple[Level, ...], Iterable[Array], BinnedColumn | None]  # levels, their places in pieces, and amounts


class Columns(NamedTuple):
    """codes (rows, nodes), C-contiguous: the place among the levels, after the last where missing; weights (rows,).

    They are bytes where no column has over 255 levels, otherwise int32. `amounts` tell, by position, where columns of
    amounts may be cut; the levels of such a column are the parts that its first cuts leave. `declared` are the names of
    columns whose levels were known before the rows were read.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[Level, ...], ...]
    codes: Array
    weights: Floats | None
    amounts: Mapping[int, BinnedColumn]
    declared: frozenset[str] = frozenset()


class TooManyError(Exception):
    """The codes would not fit into the memory that they may take."""


def code_columns(
    data: Any, levels: Levels = None, weights: Any = None, most: int | None = None, aside: dict[str, str] | None = None
) -> Columns:
    """The columns of a frame, columns by name, records, an array, a file or a relation as codes; each is a node.

    Levels that are declared (`levels`, or by the type of a column: pandas' categories) stay as they are. Numbers are
    amounts, which are cut, where more than 20 differ, or more than 8 that are not all whole; fewer are levels. The
    columns of an array are called x0, x1, ... More than so many bytes (`most`) are too many.
    Columns that cannot be nodes (dates, names of rows, nothing at all) are refused; or left out, where `aside` is told.

    >>> table = code_columns({"rain": ["no", "yes", None], "wet": [False, True, True]})
    >>> table.levels, table.codes.tolist()
    ((('no', 'yes'), (False, True)), [[0, 0], [1, 1], [2, 1]])
    """
    source = open_rows(data, None, weights, levels=levels if isinstance(levels, Mapping) else None)
    if not source.names:
        raise DataError("D117", "there are no columns", place=source.place, hint="give at least one")
    said = dict(source.declared) | declared_levels(source.names, levels)
    readings = [Declared(name, said[name]) if name in said else ObservedLevels(name) for name in source.names]
    weighed: list[Floats] = []
    rows = held = 0
    for part in in_threads(_Part(source, readings), _slices(source)):
        for reading, seen in zip(readings, part.columns, strict=True):
            reading.take(seen)
            held += reading.parts[-1].nbytes
        if part.weights is not None:
            weighed.append(part.weights)
        rows += part.rows
        if most is not None and held > most:
            raise TooManyError
    if not rows:
        raise DataError("D117", "there are no rows", place=source.place, hint="give at least one row")
    return _joined(readings, _weights(source, weighed), rows, aside)


def _slices(source: ArrowSource) -> Iterator[tuple[int, Any]]:
    """Some rows at a time, and the number of the first of them."""
    first = 0
    for batch in source.read():
        for start in range(0, batch.num_rows, ROWS_OF_A_BLOCK):
            yield first + start, batch.slice(start, ROWS_OF_A_BLOCK)
        first += batch.num_rows


def _weights(source: ArrowSource, weighed: Sequence[Floats]) -> Floats | None:
    if source.weight is None:
        return source.weights
    weights = np.concatenate(weighed)
    refuse_no_weight(weights, f"column {source.weight!r}")
    return weights


def _joined(
    readings: Sequence[Declared | ObservedLevels], weights: Floats | None, rows: int, aside: dict[str, str] | None
) -> Columns:
    """The codes of all columns side by side."""
    if weights is not None and not (weights > 0).all():  # what has no weight is not there
        for reading in readings:
            reading.parts = [np.concatenate(reading.parts)[weights > 0]]
        weights = weights[weights > 0]
        rows = len(weights)

    def work(reading: Declared | ObservedLevels) -> Told | DataError:
        try:
            return reading.coded(weights)
        except DataError as error:
            if aside is None or error.code not in UNFIT_COLUMN_CODES:
                raise
            return error

    found = dict(zip([reading.name for reading in readings], in_threads(work, readings), strict=True))
    names = tuple(name for name, one in found.items() if not isinstance(one, DataError))
    told = [one for one in found.values() if not isinstance(one, DataError)]
    faults = {name: one for name, one in found.items() if isinstance(one, DataError)}
    if faults and not told:
        raise next(iter(faults.values()))
    if aside is not None:
        aside |= {name: f"{name!r} is left out: {fault.message}" for name, fault in faults.items()}
    codes = np.empty((rows, len(names)), dtype=_room(max(len(own) for own, _, _ in told)))
    for at, (_, parts, _) in enumerate(told):
        start = 0
        for part in parts:
            codes[start : start + len(part), at] = part
            start += len(part)
    amounts = {at: found for at, (_, _, found) in enumerate(told) if found is not None}
    declared = frozenset(reading.name for reading in readings if isinstance(reading, Declared))
    return Columns(names, tuple(own for own, _, _ in told), codes, weights, amounts, declared)


class _RowsSeen(NamedTuple):
    """What is seen of some rows: of each column what its reading looked up, and the weights from their column."""

    rows: int
    columns: list[Any]
    weights: Floats | None


@dataclass(frozen=True)
class _Part:
    """The work of a thread: it looks at some rows, and changes nothing."""

    source: ArrowSource
    readings: Sequence[Declared | ObservedLevels]

    def __call__(self, part: tuple[int, Any]) -> _RowsSeen:
        start, batch = part
        looked = [reading.look(batch.column(reading.name), start) for reading in self.readings]
        weight = self.source.weight
        if weight is None:
            return _RowsSeen(batch.num_rows, looked, None)
        weights = np.array(numbers(batch.column(weight), weight), dtype=np.float64)
        return _RowsSeen(batch.num_rows, looked, check_weights(weights, f"column {weight!r}", start))


@dataclass
class Declared:
    """A column whose levels are known before it is read."""

    name: str
    levels: tuple[Level, ...]
    parts: list[Array] = field(default_factory=list)

    def look(self, column: Any, start: int) -> Array:
        return text_codes(column, self.name, self.levels, start).astype(_room(len(self.levels)))

    def take(self, seen: Array) -> None:
        self.parts.append(seen)

    def coded(self, _: Floats | None) -> Told:
        """The levels, and their places."""
        return self.levels, self.parts, None


@dataclass
class ObservedLevels:
    """A column whose levels are the values that it turns out to have; numbers may turn out to be amounts."""

    name: str
    kind: str = "empty"
    places: dict[Level, int] = field(default_factory=dict)  # from 1 on: 0 is missing
    parts: list[Array] = field(default_factory=list)
    is_amount: bool = False

    def look(self, column: Any, _: int) -> tuple[str, list[Level | None] | None, Array]:
        """The kind, the different values, and (rows,) which of them each row has; of many numbers, these themselves."""
        import pyarrow as pa

        kind = arrow_type(column.type, self.name)
        if kind == "date":
            return kind, [], np.zeros(0, dtype=np.int32)
        amounts = np.zeros(0)
        if kind == "number":
            amounts = numbers(column, self.name)
            if self.is_amount:
                return kind, None, amounts
            column = pa.array(amounts, from_pandas=True)
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        different = encoded.dictionary
        if kind == "number" and len(different) > MOST_WHOLE_LEVELS:
            return kind, None, amounts
        indices = encoded.indices.cast(pa.int32())
        if indices.null_count:
            indices = indices.fill_null(len(different))
        values = [None if value is None else plain(value) for value in different.to_pylist()]
        return kind, values, indices.to_numpy()

    def take(self, seen: tuple[str, list[Level | None] | None, Array]) -> None:
        kind, different, at = seen
        self.kind = kind if kind != "empty" else self.kind
        if different is None or self.is_amount:
            self._become_amount()
            self.parts.append(at if different is None else np.array([*different, np.nan], dtype=np.float64)[at])
            return
        for value in different:
            if value is not None:
                self.places.setdefault(value, len(self.places) + 1)
        found = [0 if value is None else self.places[value] for value in (*different, None)]
        lookup = np.array(found, dtype=_room(len(self.places)))
        self.parts.append(lookup[at])
        if self.kind == "number" and len(self.places) > MOST_WHOLE_LEVELS:
            self._become_amount()

    def _become_amount(self) -> None:
        """What was kept by its place so far is kept as numbers."""
        if not self.is_amount:
            lookup = np.array([np.nan, *self.places], dtype=np.float64)
            self.parts, self.is_amount = [lookup[part] for part in self.parts], True

    def _amounts(self) -> Floats | None:
        """(rows,): the numbers, where they are amounts; rows without weight, which are gone by now, do not count."""
        different = self._numbers()
        if len(different) > 1 and max(-different[0], different[-1]) > LARGEST_NUMBER:
            raise too_large(self.name, float(different[0] if -different[0] > different[-1] else different[-1]))
        if are_levels(different.tolist()):
            self._become_levels(different)
            return None
        self._become_amount()
        values = np.concatenate(self.parts)
        self.parts = []
        if len(values) >= ENOUGH_VALUES and (np.diff(values) == 1).all():
            raise _no_levels(self.name, "the column counts the rows", Advice(LeaveOut(self.name)))
        return values

    def _numbers(self) -> Floats:
        """The different numbers of the rows, rising."""
        if self.is_amount:
            values = np.concatenate(self.parts)
            return np.unique(values[~np.isnan(values)])
        present = [value for value, rows in zip(self.places, self._rows_of_each(), strict=True) if rows]
        return np.sort(np.array(present, dtype=np.float64))

    def _rows_of_each(self) -> list[int]:
        """How many rows have each of the values."""
        often = np.zeros(len(self.places) + 1, dtype=np.int64)
        for part in self.parts:
            often += np.bincount(part, minlength=len(often))
        return list(map(int, often[1:]))

    def _become_levels(self, different: Floats) -> None:
        """A few numbers are nothing to cut: what was kept as numbers is kept by its place."""
        if self.is_amount:
            values = np.concatenate(self.parts)
            at = np.where(np.isnan(values), 0, np.searchsorted(different, values) + 1)
            self.places = {plain(value): place for place, value in enumerate(different.tolist(), 1)}
            self.parts, self.is_amount = [at.astype(np.uint8)], False

    def coded(self, weights: Floats | None) -> Told:
        """The levels, and their places in pieces; of amounts, the parts, and where else they may be cut."""
        if self.kind == "date":
            hint = Advice("derive levels from them, such as the month or the weekday, or ", LeaveOut(self.name))
            raise _no_levels(self.name, "dates are no levels", hint)
        values = self._amounts() if self.kind == "number" else None
        if values is not None:
            amounts = BinnedColumn.of(values, weights)
            own, codes = amounts.cut(first_cuts(amounts, weights))
            return own, [codes], amounts
        levels, parts = self._levels()
        return levels, parts, None

    @property
    def _out_or_declared(self) -> Advice:
        return Advice(LeaveOut(self.name), InPython(f", or declare levels={{{self.name!r}: [...]}}"))

    def _levels(self) -> tuple[tuple[Level, ...], Iterable[Array]]:
        rows = self._rows_of_each()
        present = [value for value, own in zip(self.places, rows, strict=True) if own]  # rows without weight are gone
        if not present:
            what = f"no row tells which levels {self.name!r} has"
            raise DataError("D427", what, place=f"column {self.name!r}", hint=self._out_or_declared)
        if identifies(self.name, len(present), sum(rows)):
            what = f"{len(present)} different values in {sum(rows)} rows are no levels"
            raise _no_levels(self.name, what, self._out_or_declared)
        own = in_order(present, f"column {self.name!r}")
        rank = {level: at for at, level in enumerate(own)}
        lookup = np.array([len(own), *(rank.get(value, len(own)) for value in self.places)], dtype=_room(len(own)))
        return own, (lookup[part] for part in self.parts)


def _no_levels(name: str, what: str, hint: str) -> DataError:
    return DataError("D426", what, place=f"column {name!r}", hint=hint)


def _room(levels: int) -> type[np.generic]:
    return np.uint8 if levels <= LEVELS_IN_A_BYTE else np.int32
