"""The columns of text of any source, each read as its reading says: told from all cells, or given by a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from likely.core.identifiers import named_as_identifier, named_as_version
from likely.core.reading import NUMBER, TRUTH, WHOLE, Reading
from likely.core.threads import in_threads
from likely.data.readings.column_texts import ColumnTexts, look_at
from likely.data.readings.dates import COMPACT
from likely.data.readings.detection import in_one_order, tell, uses_comma, with_codes_of_lands, with_dashes
from likely.data.readings.misfits import Misfits
from likely.data.readings.missing_marks import with_marks
from likely.data.readings.values import read


def tell_readings(
    names: Sequence[str],
    parts: Iterable[tuple[Sequence[str], Iterable[Any]]],
    target: str | None,
    marks: Collection[str] = (),
    kinds: object = None,
    keep: Callable[[Sequence[Any]], object] | None = None,
) -> dict[str, Reading]:
    """How each column of text is read; `parts` are the names of columns, and batches of them, a file each.

    `marks` stand for missing values in all columns, whatever else may. Of columns that the `kinds` call categories
    numbers that are spelt in two ways, as 1.1 and 1.10, are words. `keep` is given the columns of each batch in turn,
    those of plain numbers as such.
    """
    seen: dict[str, ColumnTexts] = {}
    for told, batches in parts:

        def work(batch: Sequence[Any], told: Sequence[str] = told) -> tuple[list[ColumnTexts], list[Any]]:
            return look_at(batch, [name in seen and seen[name].full for name in told], marks)

        for part, cells in in_threads(work, batches):
            for name, one in zip(told, part, strict=True):
                if name in seen:
                    seen[name].add(one)
                else:
                    seen[name] = one.checked
            if keep is not None:
                keep(cells)
    seen = {name: seen[name] if name in seen else ColumnTexts() for name in names}
    days = {name: name != target and not named_as_identifier(name) for name in seen}
    found = {name: tell(one, False, days[name]) for name, one in seen.items()}
    if any(map(uses_comma, found.values())):
        found = {name: tell(one, True, days[name]) for name, one in seen.items()}
    found = with_codes_of_lands(with_dashes(in_one_order(found), seen, target), seen)
    found |= {name: Reading() for name, one in seen.items() if _is_spelling(name, found[name], one, kinds)}
    if target in found and found[target].form == TRUTH and found[target].words:
        found[target] = Reading()  # classes keep the names that they have
    return {name: with_marks(reading, marks) for name, reading in found.items()}


def _is_spelling(name: str, reading: Reading, seen: ColumnTexts, kinds: object) -> bool:
    """Whether numbers are words, as their spelling says more than their value."""
    if seen.texts or reading.form != NUMBER or reading.decimal != "." or not seen.spelt:
        return False
    said = kinds.get(name) if isinstance(kinds, Mapping) else kinds
    if said in (None, "auto"):
        return named_as_version(name)
    return bool(reading.doubt) and (said == "category" or isinstance(said, list | tuple))


class TextColumns:
    """Batches whose columns of text are read; those of other types stay as they are.

    `numbered` are the columns of text, where their cells are numbers into a dictionary already.
    """

    def __init__(
        self,
        batches: Callable[[], Iterable[Any]],
        place: str,
        target: str | None = None,
        given: Mapping[str, Reading] | None = None,
        strict: bool = False,
        digits: bool = False,
        marks: Collection[str] = (),
        numbered: Sequence[str] | None = None,
        kinds: object = None,
    ) -> None:
        self._kinds = kinds
        self._batches, self._place, self._target, self._strict = batches, place, target, strict
        self._given, self._digits, self._marks, self._numbered = given, digits, marks, numbered
        self._readings: Mapping[str, Reading] | None = None
        self.misfits = Misfits(place)

    @property
    def readings(self) -> Mapping[str, Reading]:
        """How each column of text is read; text of digits is a code among columns of numbers."""
        import pyarrow as pa

        if self._readings is None:
            batches = iter(self._batches())
            first = next(batches)
            if hasattr(batches, "close"):
                batches.close()
            names = self._numbered or [field.name for field in first.schema if is_text(field.type)]
            missing = [name for name in names if self._given is None or name not in self._given]
            parts = [(missing, ([batch.column(name) for name in missing] for batch in self._batches()))]
            told = tell_readings(missing, parts, self._target, self._marks, self._kinds) if missing else {}
            others = {field.name for field in first.schema if not pa.types.is_null(field.type)} - {*names, self._target}
            if others or self._digits:
                told = {name: _as_typed(one) for name, one in told.items()}
            self._readings = {**told, **{name: one for name, one in (self._given or {}).items() if name in names}}
        return self._readings

    def read(self) -> Iterator[Any]:
        """The batches, columns of text as values."""
        import pyarrow as pa

        readings = self.readings
        self.misfits, start = Misfits(self._place, self._strict, self._given or ()), 0
        for batch in self._batches():
            columns = [
                read(column, readings[name], partial(self.misfits.add, name, readings[name], start))
                if name in readings
                else column
                for name, column in zip(batch.schema.names, batch.columns, strict=True)
            ]
            yield pa.record_batch(columns, names=batch.schema.names)
            start += batch.num_rows

    def numbered(self) -> Iterator[Any]:
        """The same: words are numbered where they were before."""
        return self.read()


def _as_typed(told: Reading) -> Reading:
    """What text beside columns of numbers is: text of digits is what somebody made text."""
    digits = (
        replace(told, marks=(), all_marks=False, doubt="") in (Reading(WHOLE), Reading(NUMBER))
        or told.layout == COMPACT
    )
    return Reading(marks=told.marks) if digits else told


def is_text(type_: Any) -> bool:
    """Whether an Arrow column of this type holds text that nobody has numbered."""
    import pyarrow as pa

    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))
