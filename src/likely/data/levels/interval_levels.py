"""Levels that are intervals of numbers, told by their texts: files keep the cuts with the names of the levels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import plain

_INTERVAL_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_FIRST, _LAST = re.compile(rf"<= ({_INTERVAL_NUMBER})"), re.compile(rf"> ({_INTERVAL_NUMBER})")
_MIDDLE = re.compile(rf"({_INTERVAL_NUMBER}) \.\. ({_INTERVAL_NUMBER})")


def interval_levels(cuts: Sequence[float] | Floats) -> tuple[str, ...]:
    """The texts of the parts that rising cuts leave; a value on a cut belongs to the part below it.

    >>> interval_levels([2.45, 5.0])
    ('<= 2.45', '2.45 .. 5', '> 5')
    """
    told = [str(plain(float(cut))) for cut in cuts]
    return (f"<= {told[0]}", *(f"{low} .. {high}" for low, high in pairwise(told)), f"> {told[-1]}")


def cuts_of(levels: Sequence[Any]) -> Floats | None:
    """(cuts,): where the levels part numbers; None where they are no intervals, one after the other.

    >>> cuts_of(("<= 2.45", "2.45 .. 5", "> 5")).tolist(), cuts_of(("no", "yes"))
    ([2.45, 5.0], None)
    """
    if len(levels) < 2 or not all(isinstance(level, str) for level in levels):
        return None
    first, last = _FIRST.fullmatch(levels[0]), _LAST.fullmatch(levels[-1])
    middle = [_MIDDLE.fullmatch(level) for level in levels[1:-1]]
    if first is None or last is None or None in middle:
        return None
    lows = [first[1], *(one[2] for one in middle if one)]
    highs = [*(one[1] for one in middle if one), last[1]]
    cuts = np.array(lows, dtype=np.float64)
    return cuts if lows == highs and np.isfinite(cuts).all() and (np.diff(cuts) > 0).all() else None


def parts_of(values: Floats, cuts: Array) -> Array:
    """(rows,): the part of each number, a value on a cut below it; after the last part where it is missing.

    >>> parts_of(np.array([1.0, 2.45, 9.0, np.nan]), np.array([2.45, 5.0])).tolist()
    [0, 0, 2, 3]
    """
    found = np.searchsorted(cuts, values)
    return np.where(np.isnan(values), len(cuts) + 1, found)


def short_between(low: float, high: float) -> float:
    """The number of fewest digits in the middle half between two numbers; at least the lower, below the upper.

    >>> short_between(2.4000000000000004, 2.5), short_between(1.0, 4.0)
    (2.45, 2.0)
    """
    middle, reach = low / 2 + high / 2, high / 4 - low / 4
    for digits in range(1, 18):
        short = float(f"{middle:.{digits}g}")
        if abs(short - middle) <= reach and low <= short < high:
            return short
    return float(low)
