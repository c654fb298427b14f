"""What a report is about: a fitted model, rows, and what models that had not seen these rows say of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.data.origin import collected, is_frame, is_path
from likely.errors import LikelyError
from likely.estimators.inspection import Inspection, inspect
from likely.evaluation.comparisons.comparison import Comparison
from likely.evaluation.folds.cross_validation import validated
from likely.evaluation.folds.splits import Splits
from likely.evaluation.rows.evaluation_rows import Judged

NAMED_BYTES = 1 << 20  # read at a time for the hash of a file


@dataclass(frozen=True, eq=False)
class Subject:
    """`said` (rows, ...) is what was said of each row: log probabilities (rows, classes), or numbers (rows,).

    `method` is "cross_validation" in so many `folds`, or "as they are" of rows that the model has not learnt.
    """

    model: Any
    rows: Judged
    target: str
    said: Floats
    method: str
    folds: int
    exact: bool
    notes: tuple[str, ...]
    place: str
    digest: str
    inspection: Inspection | None
    comparison: Comparison | None
    left_out: Mapping[str, str]
    seed: int
    speak: Callable[[str], str] = str  # puts advice into the words of whoever asked
    recalibration: str = ""  # the maps that bend the model's probabilities, if any

    @property
    def numeric(self) -> bool:
        """Whether a number is predicted."""
        return not hasattr(self.model, "classes_")

    @property
    def name(self) -> str:
        """The name of the model's class, and the maps that bend its probabilities."""
        name = type(self.model).__name__
        return f"{name} ({self.recalibration})" if self.recalibration else name


def judged(model: Any, rows: Judged, splits: Splits | None) -> tuple[Floats, str, int, bool, tuple[str, ...]]:
    """What is said of each row, how, in how many folds, whether exactly so, and notes."""
    if splits is None:
        return rows.ask(model), "as they are", 0, True, ()
    return told_by(validated(model, rows, splits))


def told_by(found: Any) -> tuple[Floats, str, int, bool, tuple[str, ...]]:
    """The same, of a cross-validation."""
    said = found.predicted if hasattr(found, "predicted") else found.log_proba
    return said, "cross_validation", found.folds, found.method == "subtraction", tuple(found.notes)


def inspected(X: Any, y: Any, target: str, names: list[str]) -> Inspection | None:
    """A first look at rows in memory; None where they are no table of columns."""
    import pyarrow as pa

    table = as_table(X, names)
    if table is None:
        return None
    labels = y if isinstance(y, pa.Array | pa.ChunkedArray) else _array(np.asarray(y).tolist())
    if target in table.column_names:
        table = table.drop_columns([target])
    try:
        found: Inspection = inspect(table.append_column(target, labels), target)
    except LikelyError:
        return None
    return found


def as_table(X: Any, names: list[str]) -> Any:
    """Rows in memory as an Arrow table; an array has the names of the model's columns."""
    import narwhals as nw
    import pyarrow as pa

    if isinstance(X, pa.Table):
        return X
    rows = collected(X)
    if is_frame(rows):
        return nw.from_native(rows, eager_only=True).to_arrow()
    rows = rows.toarray() if hasattr(rows, "toarray") else np.asarray(rows, dtype=object)
    if rows.ndim != 2 or rows.shape[1] != len(names):
        return None
    return pa.table({name: _array(column.tolist()) for name, column in zip(names, rows.T, strict=True)})


def _array(values: list[Any]) -> Any:
    import pyarrow as pa

    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # numbers and words in one column
        return pa.array([None if value is None else str(value) for value in values])


def digest_of(place: Any, X: Any, y: Any, names: list[str]) -> str:
    """The SHA-256 of a file, or of the values of rows in memory, column by column."""
    found = hashlib.sha256()
    if is_path(place) and Path(place).is_file():
        with Path(place).open("rb") as file:
            while part := file.read(NAMED_BYTES):
                found.update(part)
        return found.hexdigest()
    table = as_table(X, names)
    for name in [] if table is None else table.column_names:
        found.update(repr((name, table.column(name).to_pylist())).encode())
    found.update(repr(y.to_pylist() if hasattr(y, "to_pylist") else np.asarray(y).tolist()).encode())
    return found.hexdigest()
