"""The contract of numeric columns below the class: one distribution for every class and cell of the parents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema
from likely.families.draws import Draws
from likely.families.predictor import Evidence, Setting
from likely.statistics import STATISTICS, Question, Statistic

S = TypeVar("S", bound=Statistic)


@dataclass(frozen=True)
class Under:
    """All that columns under the parents `by` are predicted from; rows (classes,), the weight of the classes.

    The answers are about the columns by class, and about the columns by class and cell of the parents.
    """

    schema: Schema
    columns: tuple[int, ...]
    by: tuple[int, ...]
    answers: Mapping[Question, Statistic]
    rows: Array
    setting: Setting

    @property
    def level(self) -> Evidence:
        """What the class alone says of the columns."""
        return Evidence(self.schema, self.columns, self.answers, self.rows, self.setting)

    @property
    def cells(self) -> int:
        """How many cells the parents make; none where there are no parents."""
        return int(self.schema.parts(self.by).prod()) if self.by else 0

    def answer(self, kind: type[S]) -> S:
        """(classes * cells, ...): the one answer of this kind about the columns under their parents."""
        of = next(name for name, statistic in STATISTICS.items() if statistic is kind)
        if not self.by:
            found = self.level.answer(kind)
            return type(found)(**{name: array[:0] for name, array in found.arrays().items()})
        answer = self.answers[Question(of, self.columns, self.by)]
        assert isinstance(answer, kind)
        return answer


class NestedScorer(Protocol):
    """Columns under their parents, with known parameters; cells (rows,) are those of the parents, -1 if a row has none.

    A row without a cell is judged by its class alone.
    """

    def add(self, block: Block, cells: Array, out: Floats, skip: Sequence[int] = ()) -> None:
        """out (rows, classes) += the sum of the terms of all columns but those at the places to `skip`."""


class NestedPredictor(NestedScorer, Protocol):
    """Columns under their parents, with the posterior of their parameters."""

    def terms(self, block: Block, cells: Array) -> Floats:
        """(rows, columns, classes): log predictive probability of each value in each class, given the row's cell."""

    def without(self, block: Block, cells: Array, counted: Array) -> Floats:
        """(rows, columns, classes): the terms, had the model not learnt that very row in its own class.

        `counted` (rows,): whether the row was learnt in its cell; if not, the cell is imagined for missing parents.
        """

    def drawn(self, draws: Draws) -> NestedScorer:
        """The same columns under parameters drawn from their posterior: it adds to out (rows, draws * classes)."""

    def sample(self, classes: Array, cells: Array, rng: np.random.Generator) -> Array:
        """(rows, columns): values drawn from the predictive distribution of each row's class and cell."""

    def mass(self, place: int, edges: tuple[float, ...]) -> Floats:
        """(classes, cells + 1, edges + 1): log probability of each part of a column between edges; last, of no cell.

        A value on an edge is in the part below. A column without spread has all its mass where its values are.
        """


def nested(evidence: Under) -> NestedPredictor:
    """The predictor of columns of one kind: all real, all counts, or one parzen column."""
    from likely.families.nested_numeric import NestedCounts, NestedReals  # they build on the contract above
    from likely.families.nested_parzen import NestedParzen

    (kind,) = {evidence.schema.columns[at].kind for at in evidence.columns}
    if kind == "real":
        return NestedReals.of(evidence)
    return NestedCounts.of(evidence) if kind == "count" else NestedParzen.of(evidence)
