"""Counts of levels by cell: what binary and category columns need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from likely.core.numerics import Array
from likely.statistics.statistic import Statistic


@dataclass(frozen=True, eq=False)
class Counts(Statistic):
    """rows (cells,); table (cells, slots): the slots of all columns side by side, each its levels, missing, unseen.

    >>> import numpy as np
    >>> part = Counts(np.array([2]), np.array([[1, 1, 0, 0]]))
    >>> (part + part * 2 - part).table.tolist()
    [[2, 2, 0, 0]]
    """

    AXES: ClassVar[Mapping[str, int]] = {"rows": 1}

    rows: Array
    table: Array
