"""Totals of words by cell: what text columns need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from likely.core.numerics import Array
from likely.statistics.statistic import Statistic


@dataclass(frozen=True, eq=False)
class Totals(Statistic):
    """rows (cells,); table (cells, words): how often each word occurred in the rows of each cell.

    >>> import numpy as np
    >>> part = Totals(np.array([1]), np.array([[3, 0]]))
    >>> (part - part).table.tolist()
    [[0, 0]]
    """

    AXES: ClassVar[Mapping[str, int]] = {"rows": 1}

    rows: Array
    table: Array
