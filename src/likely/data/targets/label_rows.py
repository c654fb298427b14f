"""Rows of a source that have a label; labels written otherwise than the classes that they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from likely.core.schema import Level
from likely.data.targets.class_lists import alike
from likely.errors import DataError
from likely.output.phrases import plural

if TYPE_CHECKING:
    from likely.data.arrow import ArrowSource


class LabelledRows:
    """Reads batches without the rows that have no label, and counts these; `matched` maps labels to classes taken."""

    def __init__(
        self,
        read: Callable[[], Iterable[Any]],
        target: str,
        place: str,
        classes: Sequence[Level] | None = None,
        strict: bool = False,
    ) -> None:
        self._read, self._target, self._place, self._classes, self._strict = read, target, place, classes, strict
        self.left, self.total = 0, 0
        self.matched: dict[str, Level] = {}

    def __call__(self) -> Iterator[Any]:
        left = total = 0
        for batch in self._read():
            labelled = batch if self._strict else self._labelled(batch)
            left, total = left + batch.num_rows - labelled.num_rows, total + batch.num_rows
            if labelled.num_rows or not batch.num_rows:
                yield labelled if self._classes is None else self._as_classes(labelled)
        self.left, self.total = left, total
        if total and left == total:
            hint = "name another target, or give rows whose label is known"
            raise DataError("D105", "no row has a label", place=f"{self._place}, target {self._target!r}", hint=hint)

    def _labelled(self, batch: Any) -> Any:
        import pyarrow.compute as pc
        import pyarrow.types as types

        labels = batch.column(self._target)
        known = pc.is_valid(labels)
        if types.is_floating(labels.type):
            known = pc.and_(known, pc.fill_null(pc.invert(pc.is_nan(labels)), False))
        return batch if pc.all(known).as_py() is not False else batch.filter(known)

    def _as_classes(self, batch: Any) -> Any:
        """The batch with labels in the words of the classes, where they differ by blanks, case or a trailing dot."""
        import pyarrow as pa
        import pyarrow.types as types

        labels = batch.column(self._target)
        values = labels.dictionary_decode() if types.is_dictionary(labels.type) else labels
        if not (types.is_string(values.type) or types.is_large_string(values.type)):
            return batch
        known = set(self._classes or ())
        for value in values.unique().to_pylist():
            meant = None if value is None or value in known else alike(value, self._classes or ())
            if meant is not None:
                self.matched[value] = meant[0]
        told = pa.array([self.matched.get(value, value) for value in values.to_pylist()], type=pa.string())
        return batch.set_column(batch.schema.get_field_index(self._target), self._target, told)

    @property
    def words(self) -> list[str]:
        """What was left out, and what was taken for what."""
        found = []
        if self.left:
            have, are = ("has", "is") if self.left == 1 else ("have", "are")
            of = f"{self.left:,} of {plural(self.total, 'row')}"
            found.append(f"{of} {have} no label in {self._target!r} and {are} left out")
        for label, level in self.matched.items():
            found.append(f"the label {label!r} is taken for the class {level!r}")
        return found


def labelled(
    source: ArrowSource, target: str, classes: Sequence[Level] | None = None, strict: bool = False
) -> tuple[ArrowSource, LabelledRows]:
    """The source without the rows that have no label, and what counts them; with classes, labels in their words.

    Strictly, all rows are there, those without a label too.
    """
    rows = LabelledRows(source.read, target, source.place, classes, strict)
    if source.rows is not None and classes is None:
        for _ in rows():
            pass
        if not rows.left:
            return source, rows
    return replace(source, read=rows, rows=None), rows
