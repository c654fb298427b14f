"""What each column could do for all rows together: the table that the first split was chosen from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.companions.trees.candidate_splits import RATIO_CRITERIA, Cuts
from likely.companions.trees.growth_options import REGRESSION_CRITERIA
from likely.core.numerics import Floats
from likely.core.schema import Schema
from likely.output.display_width import display_width, padded
from likely.output.frames import FrameResult


@dataclass(frozen=True, eq=False)
class Gains(FrameResult):
    """(columns,) of each: the `gain` of the best split, NaN where there is none; its `ratio` to the split information;
    the `threshold` where the column is a number.

    >>> Gains(("size", "纹理"), np.array([0.25, 0.5]), np.array([0.3, 0.5]), np.array([1.5, np.nan]), "gain-ratio")
    column    gain   ratio  threshold
    size    0.2500  0.3000        1.5
    纹理    0.5000  0.5000
    """

    names: tuple[str, ...]
    gain: Floats
    ratio: Floats
    threshold: Floats
    criterion: str

    @classmethod
    def of(cls, schema: Schema, cuts: Cuts | None, criterion: str) -> Gains:
        """The first node of some splits; where nothing was to be split, nothing is known."""
        names = tuple(column.name for column in schema.columns)
        if cuts is None:
            nothing = np.full(len(names), np.nan)
            return cls(names, nothing, nothing, nothing, criterion)
        found = np.isfinite(cuts.gain[:, 0])
        threshold = cuts.thresholds(np.arange(len(names)), np.zeros(len(names), dtype=np.int64))
        gain, ratio = np.where(found, cuts.gain[:, 0], np.nan), np.where(found, cuts.ratio[:, 0], np.nan)
        return cls(names, gain, ratio, threshold, criterion)

    def fits(self, schema: Schema, amounts: bool) -> bool:
        """Whether it is a table of the columns of a schema, by a criterion of classification or of regression."""
        arrays = self.gain, self.ratio, self.threshold
        named = self.names == tuple(column.name for column in schema.columns)
        fits = named and all(one.shape == (len(self.names),) for one in arrays)
        return fits and (self.criterion in REGRESSION_CRITERIA) is amounts

    def to_dict(self) -> dict[str, Any]:
        """Gain, ratio and threshold of each column, as plain data."""
        from likely.output.jsonable import to_jsonable

        table = zip(self.names, self.gain, self.ratio, self.threshold, strict=True)
        return dict(to_jsonable({name: {"gain": g, "ratio": r, "threshold": t} for name, g, r, t in table}))

    def __repr__(self) -> str:
        columns = [["column", *self.names], ["gain", *(f"{gain:.4f}" for gain in self.gain)]]
        if self.criterion in RATIO_CRITERIA:
            columns.append(["ratio", *(f"{ratio:.4f}" for ratio in self.ratio)])
        if not np.isnan(self.threshold).all():
            columns.append(["threshold", *(f"{cut:.12g}" for cut in self.threshold)])
        columns = [[cell.replace("nan", "") if at else cell for cell in column] for at, column in enumerate(columns)]
        wide = [max(map(display_width, column)) for column in columns]
        rows = zip(*columns, strict=True)
        lines = (
            "  ".join(padded(cell, size, right=at > 0) for at, (cell, size) in enumerate(zip(row, wide, strict=True)))
            for row in rows
        )
        return "\n".join(line.rstrip() for line in lines)
