"""Labels of rows as they are handed in, read into codes or refused."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import Level, in_order, plain
from likely.data.targets.class_lists import near, not_a_class
from likely.data.targets.labels import missing_labels, no_column, odd_labels
from likely.errors import DataError, OptionError


def read_column(y: Any, place: str = "y") -> list[Any]:
    """One value a row, in a list of at least one."""
    try:
        values = np.asarray(y) if hasattr(y, "dtype") else np.asarray(y, dtype=object)
    except ValueError:  # arrays of different shapes
        values = np.empty((0, 0))
    if values.ndim != 1:
        raise no_column(values.ndim, place)
    if not len(values):
        raise DataError("D117", "there are no rows", place=place, hint="give at least one row")
    return values.tolist()  # type: ignore[no-any-return]


def read_levels(*columns: list[Any], place: str = "y") -> tuple[Level, ...]:
    """The different labels of columns, as `read_column` gives them, in their order; missing ones are left out.

    >>> read_levels(["b", None, "a", "b"])
    ('a', 'b')
    """
    labels = [label for values in columns for label in distinct(values, place)]
    return in_order([plain(label) for label in labels if not is_missing(label)], place)


def read_codes(y: Any, classes: Sequence[Level], place: str = "y", abstention: int | None = None) -> Array:
    """(rows,): the place of each label among the classes; a missing one is an `abstention`, or an error.

    >>> read_codes(["b", "a", "b"], ("a", "b")).tolist()
    [1, 0, 1]
    """
    values, at = read_column(y, place), {level: code for code, level in enumerate(classes)}
    known: dict[Any, int] = dict(at)
    for value in distinct(values, place):
        if value in at:
            continue
        if not is_missing(value):
            if plain(value) not in at:
                raise not_a_class(value, classes, f"{place}, row {_row(values, value)}")
            known[value] = at[plain(value)]
        elif abstention is not None:
            known[value] = abstention
        else:
            raise _missing(values, place)
    return np.fromiter(map(known.__getitem__, values), dtype=np.intp, count=len(values))


def read_hits(y: Any, positive: Any) -> Array:
    """(rows,) bool: whether each label is the positive one; where none is, that may be a slip of the pen.

    >>> read_hits(["no", "yes"], "yes").tolist()
    [False, True]
    """
    values = read_column(y)
    labels = distinct(values, "y")
    for value in labels:
        if is_missing(value):
            raise _missing(values, "y")
    wanted = {value for value in labels if plain(value) == plain(positive)}
    if not wanted:
        hint = f"name a label of y.{near(positive, labels)}"
        raise OptionError("O330", f"no row is {positive!r}", place="positive=", hint=hint)
    return np.fromiter((value in wanted for value in values), dtype=bool, count=len(values))


def distinct(values: list[Any], place: str) -> list[Any]:
    """The different values of a column, in the order of their first rows."""
    try:
        return list(dict.fromkeys(values))
    except TypeError:
        odd = next(type(value).__name__ for value in values if not isinstance(value, Hashable))
        raise odd_labels(odd, place) from None


def is_missing(value: Any) -> bool:
    """Whether a label is None, NaN, NaT or NA."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _missing(values: list[Any], place: str) -> DataError:
    return missing_labels([row for row, value in enumerate(values) if is_missing(value)], len(values), place)


def _row(values: list[Any], value: Any) -> int:
    return next(row for row, other in enumerate(values) if other is value or other == value)
