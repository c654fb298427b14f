"""A target that is a number rather than a class: all rows are of one cell, and each has its amount."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import ALL_ROWS, Column, Level
from likely.core.unusable_rows import LARGEST_NUMBER
from likely.data.arrow_columns import arrow_type, numbers, one_array
from likely.data.targets.labels import no_column
from likely.errors import DataError

MOST_NUMERIC_CLASSES = 20  # different numbers that may be classes


@dataclass(frozen=True)
class NumericTarget:
    """The target (rows,) of rows held in memory."""

    name: str
    values: Floats

    @classmethod
    def read(cls, target: Any) -> NumericTarget:
        """The numbers of a one-dimensional target.

        >>> NumericTarget.read([1, 2.5]).values.tolist()
        [1.0, 2.5]
        """
        name = str(getattr(target, "name", None) or "y")
        held = target if hasattr(target, "dtype") or hasattr(target, "type") else np.asarray(target)
        if len(np.shape(held)) != 1:
            raise no_column(len(np.shape(held)), "y")
        plain = isinstance(held, np.ndarray) and held.dtype.kind in "fiub"
        return cls(name, _usable(held.astype(np.float64, copy=False), name, 0) if plain else amounts(held, name, 0))

    def column(self, declared: Sequence[Any] = ()) -> Column:
        """The target as a column."""
        return amount_column(self.name)

    def under(self, classes: Sequence[Level]) -> Array:
        """(rows,) int32: the cell of every row, the only one."""
        return np.zeros(len(self.values), dtype=np.int32)


def is_numeric_target(batches: Iterable[Any], name: str) -> bool:
    """Whether a column holds numbers that are no classes: some with a fraction, or many different ones.

    >>> import pyarrow as pa
    >>> [is_numeric_target([pa.record_batch({"y": y})], "y") for y in ([1.5, 2.5], [0, 1, 2], range(50), ["a"])]
    [True, False, True, False]
    """
    seen: set[float] = set()
    numeric = True
    for batch in batches:  # to the last one: what is read to the end is kept for who asks next
        column = batch.column(name)
        numeric = numeric and arrow_type(column.type, name) == "number"
        if numeric and len(seen) <= MOST_NUMERIC_CLASSES:
            values = numbers(column, name)
            seen.update(np.unique(values[~np.isnan(values)])[: MOST_NUMERIC_CLASSES + 1].tolist())
    return numeric and (len(seen) > MOST_NUMERIC_CLASSES or any(value % 1 for value in seen))


def amount_column(name: str) -> Column:
    """A target that is a number."""
    return Column(name, "real", ALL_ROWS, ALL_ROWS)


def amounts(target: Any, name: str, start: int) -> Floats:
    """(rows,): the numbers of a target column, none of them missing or infinite; `start` counts the rows before it."""
    column = one_array(target, f"target {name}")
    if column.null_count < len(column) and arrow_type(column.type, f"target {name}") not in ("number", "bool"):
        raise no_amounts(f"target {name!r}")
    return _usable(numbers(column, name), name, start)


def no_amounts(place: str) -> DataError:
    """The refusal of a target that holds no numbers where a regressor predicts them."""
    hint = "a classifier predicts words and classes: LogisticRegression, DecisionTree, NaiveBayes"
    what = "the target holds words where numbers are to be predicted: Unknown label type"
    return DataError("D446", what, place=place, hint=hint)


def _usable(values: Floats, name: str, start: int) -> Floats:
    bad = np.flatnonzero(~(np.abs(values) <= LARGEST_NUMBER))
    if len(bad):
        what = "NaN" if np.isnan(values[bad[0]]) else "infinity or a value too large"
        place, hint = f"target {name!r}, row {start + int(bad[0])}", "leave such rows out before fitting"
        raise DataError("D447", f"{len(bad)} of {len(values)}: Input y contains {what}", place=place, hint=hint)
    return values
