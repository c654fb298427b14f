"""What averages and graphs share: columns that can be parents, and counts below their cells."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

from likely.core.cache import cached_property
from likely.core.schema import Schema
from likely.families.predictor import Setting
from likely.models.cells.cell_counts import CellCounts
from likely.models.column_predictors import ColumnPredictors
from likely.models.model import Model
from likely.models.priors import Priors

COLUMN_STREAM, TEXT_STREAM, CLASS_STREAM = range(
    1, 4
)  # of what draws are, as streams of random numbers are told apart; 0 is the prior


@dataclass(frozen=True)
class StructureInputs:
    """What is settled before a structure is learnt: kinds and cuts, options, and the columns that can be parents."""

    schema: Schema
    setting: Setting
    priors: Priors
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Dependent(Model, ABC):
    """A model in which columns depend on each other; `nodes` are those that can be parents."""

    nodes: tuple[int, ...]

    @cached_property
    def inside(self) -> CellCounts:
        """Counts and predictors below the cells of parents."""
        return CellCounts(self.schema, self.setting, self.bundle, self.rows, self.nodes)

    @cached_property
    def texts(self) -> ColumnPredictors:
        """The columns that depend on the class alone."""
        return ColumnPredictors.of(self.schema, self.setting, self.bundle, self.rows, text=True)
