"""Counts of two and of three columns together, by class: what models with dependent columns need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, TypeVar

import numpy as np

from likely.core.numerics import Array
from likely.statistics.statistic import Statistic

T = TypeVar("T", "Pairs", "Triples")


def _taking(self: T, other: T) -> T:
    """The sum, in the room of the first, which may be large."""
    if self.table.dtype != other.table.dtype:
        return self + other
    np.add(self.table, other.table, out=self.table)
    return self


@dataclass(frozen=True, eq=False)
class Pairs(Statistic):
    """table (classes, parts, parts): rows with a part of one column and a part of another, all columns side by side.

    A missing value is in no part. The table is symmetric; on its diagonal stand the counts of single parts, and the
    rest of a column against itself is empty.

    >>> part = Pairs(np.array([[[2, 0], [0, 1]]]))
    >>> (part + part).table.tolist()
    [[[4, 0], [0, 2]]]
    """

    AXES: ClassVar[Mapping[str, int]] = {"table": 3}

    table: Array
    taking = _taking


@dataclass(frozen=True, eq=False)
class Triples(Statistic):
    """table (classes, boxes): rows with a part of each of three different columns.

    The boxes of three columns i < j < k lie together, the parts of the last running fastest, and threes follow each
    other as `itertools.combinations` has them; `triple_starts` says where each begins.

    >>> part = Triples(np.array([[1, 0, 2]]))
    >>> (part - part).table.tolist()
    [[0, 0, 0]]
    """

    table: Array
    taking = _taking


def triple_starts(parts: Array) -> Array:
    """(threes + 1,): where the boxes of each three columns begin, and how many boxes there are.

    >>> triple_starts(np.array([2, 2, 3, 1])).tolist()
    [0, 12, 16, 22, 28]
    """
    threes = np.array(list(combinations(range(len(parts)), 3)), dtype=np.int64).reshape(-1, 3)
    return np.concatenate([[0], np.cumsum(np.asarray(parts, dtype=np.int64)[threes].prod(axis=1))])
