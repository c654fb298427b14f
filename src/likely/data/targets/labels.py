"""The target of rows held in memory: classes and one code a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import Column, Level, in_order, plain
from likely.data.arrow_columns import arrow_type, one_array
from likely.data.targets.class_lists import alike
from likely.errors import DataError, NotLearntError, listed, nearest
from likely.errors.advice import Advice, InPython

COUNTED_CLASS_RANGE = 1 << 16  # whole-number classes within such a range are counted rather than sorted


@dataclass(frozen=True)
class Labels:
    """levels, and codes (rows,) into them."""

    name: str
    levels: tuple[Level, ...]
    codes: Array
    dtype: Any

    @classmethod
    def read(cls, target: Any) -> Labels:
        """The labels of a one-dimensional target; a missing one is an error."""
        name = str(getattr(target, "name", None) or "y")
        if len(np.shape(target)) == 2 and np.shape(target)[1] == 1:
            target = np.asarray(target)[:, 0]
        if len(np.shape(target)) != 1:
            raise no_column(len(np.shape(target)), "y")
        values = target if hasattr(target, "dtype") or hasattr(target, "type") else np.asarray(target)
        dtype = values.dtype if isinstance(values, np.ndarray) else getattr(values, "dtype", None)
        plain_numbers = isinstance(dtype, np.dtype) and dtype.kind in "fiub"
        levels, codes, holes = _encode(np.asarray(values)) if plain_numbers else _encode_words(values, name)
        if len(holes):
            raise missing_labels(holes.tolist(), len(codes), f"target {name!r}")
        return cls(name, levels, codes, dtype if plain_numbers else np.array(levels).dtype)

    def column(self, declared: Sequence[Any] = ()) -> Column:
        """The target as a column, with classes that the user declared."""
        said = tuple(plain(level) for level in declared)
        return Column(
            self.name, "category", in_order({*self.levels, *said}, "the target"), in_order(said, "the target")
        )

    def under(self, classes: Sequence[Level]) -> Array:
        """(rows,) int32: codes into `classes`; a class that is not among them was never learnt."""
        if tuple(classes) == self.levels:
            return self.codes
        at = {level: place for place, level in enumerate(classes)}
        unknown = [level for level in self.levels if level not in at]
        if unknown:
            raise never_learnt_class(unknown[0], classes, "y", f"class {unknown[0]!r} was never learnt")
        return np.array([at[level] for level in self.levels], dtype=np.int32)[self.codes]


def _encode(values: Array) -> tuple[tuple[Level, ...], Array, Array]:
    """Levels, codes and missing places of numbers."""
    if values.dtype.kind == "f":
        holes = np.flatnonzero(np.isnan(values))
        if len(holes):
            return (), values, holes
    elif len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < COUNTED_CLASS_RANGE:  # counting beats sorting by far
            whole = values if values.dtype.kind == "u" else values.astype(np.int64)  # small signed types would overflow
            shifted = whole - whole.dtype.type(low) if low else whole
            present = np.bincount(shifted.astype(np.intp, copy=False), minlength=high - low + 1) > 0
            lookup = (np.cumsum(present) - 1).astype(np.int32)
            levels = tuple(plain(values.dtype.type(low + int(at))) for at in np.flatnonzero(present))
            return levels, lookup[shifted], np.empty(0)
    found, codes = np.unique(values, return_inverse=True)
    return tuple(plain(level) for level in found), codes.astype(np.int32), np.empty(0)


def _encode_words(values: Any, name: str) -> tuple[tuple[Level, ...], Array, Array]:
    """Levels, codes and missing places of anything else, numbered by Arrow."""
    array = one_array(values, f"target {name}")
    if arrow_type(array.type, f"target {name}") not in ("word", "number", "bool", "empty"):
        raise odd_labels(str(array.type), f"target {name!r}")
    if hasattr(array, "dictionary") and array.dictionary.null_count:
        array = array.dictionary_decode()
    encoded = array if hasattr(array, "dictionary") else array.dictionary_encode()
    if encoded.null_count:
        return (), np.empty(len(encoded)), np.flatnonzero(encoded.is_null().to_numpy(zero_copy_only=False))
    found = [plain(value) for value in encoded.dictionary.to_pylist()]
    levels = in_order(found, "the target")
    at = {level: place for place, level in enumerate(levels)}
    lookup = np.array([at[level] for level in found], dtype=np.int32)
    used = np.unique(indices := encoded.indices.to_numpy(zero_copy_only=False))
    if len(used) < len(levels):  # categories that no row has are no classes
        keep = np.zeros(len(levels), dtype=bool)
        keep[lookup[used]] = True
        renumber = (np.cumsum(keep) - 1).astype(np.int32)
        return tuple(np.array(levels, dtype=object)[keep]), renumber[lookup[indices]], np.empty(0)
    return levels, lookup[indices], np.empty(0)


def held(target: Any) -> Any:
    """A target as an array, unless it is an array, a column of a data frame or of Arrow."""
    if hasattr(target, "shape") or hasattr(target, "type"):
        return target
    try:
        return np.asarray(target)
    except ValueError:  # lists of different lengths
        raise odd_labels("list", "y") from None


def no_column(dimensions: int, place: str) -> DataError:
    """The refusal of a target that has not one value a row."""
    what, hint = f"{place} has {dimensions} dimensions instead of one", "give one value a row, in a list or a column"
    return DataError("D110", what, place=place, hint=hint)


def missing_labels(rows: Sequence[int], total: int, place: str) -> DataError:
    """The refusal of rows without a label."""
    what = f"{len(rows)} of {total} labels are missing: Input y contains NaN"
    where = f"{place}, row {', '.join(map(str, rows[:3]))}"
    return DataError("D105", what, place=where, hint="leave out the rows without a label")


def one_class(classes: Sequence[Level], place: str) -> DataError:
    """The refusal of rows that are all of one class."""
    what = f"there is one class only{f', {classes[0]!r}' if classes else ''}: nothing to tell apart"
    hint = "give rows of another class too, or name another target; parts of one class each are learnt by partial_fit"
    return DataError("D136", what, place=place, hint=hint)


def never_learnt_class(label: Any, classes: Sequence[Level], place: str, what: str) -> NotLearntError:
    """The refusal of a label that is no class of a model, with the class that may be meant."""
    meant = alike(label, classes)
    if meant is None:
        hint: str = f"the classes are {listed(classes)}.{nearest(label, classes)}"
    else:
        way = InPython("write the labels as the classes are", "say --match-labels to take such labels for the classes")
        hint = Advice(f"{label!r} is the class {meant[0]!r} but for {meant[1]}: ", way)
    return NotLearntError("M304", what, place=place, hint=hint)


def odd_labels(what: str, place: str) -> DataError:
    """The refusal of labels that are neither words nor numbers nor booleans."""
    hint = "labels are words, whole numbers or booleans"
    return DataError("D125", f"labels cannot be of type {what}", place=place, hint=hint)


def refuse_amounts(levels: Iterable[Level], name: str) -> None:
    """An error if labels are numbers with fractions rather than classes."""
    if any(isinstance(level, float) for level in levels):
        what = "Unknown label type: continuous. A classifier expects discrete classes, these are numbers"
        hint = "LinearRegression and RegressionTree predict numbers; for a classifier, bin them into classes first"
        raise DataError("D120", what, place=f"target {name!r}", hint=hint)
