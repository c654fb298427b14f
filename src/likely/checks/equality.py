"""When two things that were learnt are the same: whole numbers exactly, others to what rounding allows."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.schema import Column, Schema
from likely.core.schema_union import unite
from likely.models.alignment import carry
from likely.statistics import Bundle, GridCounts, Points, Quartics, Statistic

EQUAL_WITHIN = 1e-9


def readings(statistic: Statistic) -> dict[str, Array]:
    """What a statistic says: its fields, those held in two doubles as one, and what its properties make of them.

    >>> from likely.statistics import Moments
    >>> sorted(readings(Moments.of(np.array([[1.0], [2.0]]))))
    ['count', 'mean', 'spread', 'squares', 'total']
    """
    arrays = statistic.arrays()
    found = {name: array for name, array in arrays.items() if not name.endswith("_low")}
    for name in found:
        if f"{name}_low" in arrays:
            found[name] = found[name] + arrays[f"{name}_low"]
    properties = [name for name, member in vars(type(statistic)).items() if isinstance(member, property)]
    return found | {name: np.asarray(getattr(statistic, name)) for name in properties if not name.startswith("_")}


def check_same(one: Any, other: Any, what: str = "they", tolerance: float = EQUAL_WITHIN, among: Any = None) -> None:
    """Two statistics, bundles, fitted classifiers or arrays are the same.

    Whole numbers are the same when they are equal. Others may differ by `tolerance` of the largest number beside them:
    in the same column, in either, or in `among`, from which both were made.

    >>> check_same(np.array([1.0]), np.array([1.0 + 1e-12]))
    >>> check_same(np.array([1]), np.array([2]), "the counts")
    Traceback (most recent call last):
    AssertionError: the counts: 1 and 2
    """
    if hasattr(one, "model_"):
        _same_classifier(one, other, what, tolerance)
    elif isinstance(one, Bundle):
        assert set(one) == set(other), f"{what}: different questions are answered"
        for question in one:
            about = f"{what}: {question.of} of columns {list(question.columns)}"
            check_same(one[question], other[question], about, tolerance, None if among is None else among[question])
    elif isinstance(one, Statistic):
        assert type(one) is type(other), f"{what}: a {type(one).__name__} and a {type(other).__name__}"
        theirs, around = readings(other), {} if among is None else readings(among)
        if isinstance(one, GridCounts):  # how a value is shared between two nodes rounds as the value itself does
            around["table"] = np.broadcast_to(np.abs(one.table).sum(axis=1).max(initial=0.0), one.table.shape)
        if isinstance(one, Quartics):  # odd powers nearly cancel, and are as right as the even ones around them
            fourth, second = (np.diagonal(part, axis1=1, axis2=2) for part in (one.fourth, one.second))
            around["third"] = np.sqrt(fourth[:, :, None] * second[:, None, :])
        for name, mine in readings(one).items():
            if isinstance(one, Points):  # of rows that are kept as they are, missing values are kept
                _same_array(np.isnan(mine), np.isnan(theirs[name]), f"{what}: missing in {name}", tolerance, None)
                mine, theirs[name] = np.nan_to_num(mine), np.nan_to_num(theirs[name])
            _same_array(mine, theirs[name], f"{what}: {name}", tolerance, around.get(name))
    else:
        _same_array(np.asarray(one), np.asarray(other), what, tolerance, None if among is None else np.asarray(among))


def _same_array(one: Array, other: Array, what: str, tolerance: float, among: Array | None) -> None:
    assert one.shape == other.shape, f"{what}: shapes {one.shape} and {other.shape}"
    if one.dtype.kind in "iub" and other.dtype.kind in "iub":
        off = one != other
    else:
        with np.errstate(invalid="ignore"):  # two infinities are equal, and have no difference
            off = ~(one == other) & ~(np.abs(one - other) <= tolerance * _size(one, other, among))
    if off.any():
        at = tuple(int(place) for place in np.argwhere(off)[0])
        where = f" at {list(at)}" if one.size > 1 else ""
        raise AssertionError(f"{what}{where}: {one[at].item()!r} and {other[at].item()!r}")


def _size(*arrays: Array | None) -> Any:
    """The largest finite number of each column, over the first axis of all arrays; NaN and infinity have no size."""
    size: Any = 0.0
    for array in arrays:
        if array is not None and array.size:
            finite = np.where(np.isfinite(array), np.abs(array), 0.0)
            size = np.maximum(size, finite.max(axis=0) if finite.ndim else finite)
    return size


def _same_classifier(one: Any, other: Any, what: str, tolerance: float) -> None:
    """The same domains, the same statistics; grids may differ in range, as counts carry over exactly."""
    mine, theirs = one.model_, other.model_
    check_same_schema(mine.schema, theirs.schema, what)
    assert one.classes_.tolist() == other.classes_.tolist(), f"{what}: classes {one.classes_} and {other.classes_}"
    whole = unite(mine.schema, theirs.schema)
    carried = [carry(model.bundle, model.schema, whole, getattr(model, "density", None)) for model in (mine, theirs)]
    check_same(carried[0], carried[1], what, tolerance)
    check_same(mine.log_prior, theirs.log_prior, f"{what}: log priors", tolerance)


def check_same_schema(one: Schema, other: Schema, what: str = "they") -> None:
    """Columns of the same names, kinds and levels, and the same classes."""

    def shown(column: Column) -> tuple[Any, ...]:
        return column.name, column.kind, tuple(column.levels), tuple(column.declared)

    assert len(one.columns) == len(other.columns), f"{what}: {len(one.columns)} and {len(other.columns)} columns"
    for mine, theirs in zip(one.columns, other.columns, strict=True):
        assert shown(mine) == shown(theirs), f"{what}: columns {shown(mine)} and {shown(theirs)}"
    classes = tuple(one.classes), tuple(other.classes)
    assert classes[0] == classes[1], f"{what}: classes {classes[0]} and {classes[1]}"
