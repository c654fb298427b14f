"""The contract of a family on one page: questions out, answers in, log predictive terms back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats, log
from likely.core.schema import Column, Schema
from likely.errors import NotLearntError
from likely.statistics import STATISTICS, Question, Statistic
from likely.statistics.statistic import subtract

if TYPE_CHECKING:
    from likely.families.draws import Draws

S = TypeVar("S", bound=Statistic)

ESTIMATES = ("bayes", "map", "mle")
MISSING_TREATMENTS = ("ignore", "informative", "error")
BACKOFFS = ("class", "column", "even")


@dataclass(frozen=True)
class Setting:
    """How statistics become predictions: the estimate, the pseudo-counts, what a missing value says.

    `backoff` is what a thin cell below a class leans on: its class, the whole column, or all levels evenly; `leaning`
    and `evenly` are what the class, and each level beside it, are worth then, for each of `smoothing`. `joint`: where
    all levels are even, the parents of an average are smoothed together with the class, and not within it.
    """

    estimate: str = "bayes"
    smoothing: float = 1.0
    missing: str = "ignore"
    backoff: str = "even"
    leaning: float = 2.0
    evenly: float = 0.25
    joint: bool = True

    @property
    def pseudo(self) -> float:
        """Pseudo-counts of a level: maximum likelihood has none."""
        return 0.0 if self.estimate == "mle" else self.smoothing


@dataclass(frozen=True)
class Evidence:
    """All that a family predicts from: its columns, the answers about them, and rows (classes,), the weight of classes.

    The answers are about the columns by class and, where they have the parents `by`, by class and cell of the parents.
    """

    schema: Schema
    columns: tuple[int, ...]
    answers: Mapping[Question, Statistic]
    rows: Array
    setting: Setting
    by: tuple[int, ...] = ()

    def answer(self, kind: type[S]) -> S:
        """(classes, ...): the one answer of this kind about the columns by class."""
        return self._answer(kind, ())

    def below(self, kind: type[S]) -> S:
        """(classes * cells, ...): the same by class and cell of the parents; there are no cells without parents."""
        if self.by:
            return self._answer(kind, self.by)
        return kind(**{name: array[:0] for name, array in self.answer(kind).arrays().items()})

    def _answer(self, kind: type[S], by: tuple[int, ...]) -> S:
        of = next(name for name, statistic in STATISTICS.items() if statistic is kind)
        found = self.answers[Question(of, self.columns, by)]
        assert isinstance(found, kind)
        return found

    @property
    def column(self) -> Column:
        """The column, of a family that serves one at a time."""
        (at,) = self.columns
        return self.schema.columns[at]


class ColumnScorer(Protocol):
    """The columns of one family under known parameters."""

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, classes) += the sum of the terms of all columns."""


class Predictor(ColumnScorer, Protocol):
    """The columns of one family under their posterior."""

    def terms(self, block: Block) -> Floats:
        """(rows, columns, classes): log predictive probability of each value in each class."""

    def without(self, block: Block) -> Floats:
        """(rows, classes): the sum of the terms, had the model not learnt that very row in its own class."""

    def drawn(self, draws: Draws) -> ColumnScorer:
        """The same columns under parameters drawn from their posterior: it adds to out (rows, draws * classes)."""

    @property
    def drawn_size(self) -> float:
        """How many numbers are held of one draw."""

    def sample(self, classes: Array, rng: np.random.Generator) -> Array:
        """(rows, columns): values drawn from the predictive distribution of each row's class."""


class CellScorer(ColumnScorer, Protocol):
    """Columns that may have parents: cells (rows,) are those of the parents, -1 if a row has none.

    A row without a cell is judged by its class alone, and so are all rows where no cells are given.
    """

    def add(self, block: Block, out: Floats, cells: Array | None = None, skip: Sequence[int] = ()) -> None:
        """out (rows, classes) += the sum of the terms; with cells, of all columns but those at the places to `skip`."""


@runtime_checkable
class CellPredictor(CellScorer, Predictor, Protocol):
    """Columns that may have parents, under their posterior: a cell leans on its class as the class on the column."""

    def terms(self, block: Block, cells: Array | None = None) -> Floats:
        """(rows, columns, classes): log predictive probability of each value in each class, given the row's cell."""

    def terms_without(self, block: Block, cells: Array, counted: Array) -> Floats:
        """(rows, columns, classes): the terms, had the model not learnt that very row in its own class.

        `counted` (rows,): whether the row was learnt in its cell; if not, the cell is imagined for missing parents.
        """

    def drawn_cells(self, draws: Draws) -> CellScorer:
        """As `drawn`, of the cells that rows are in: each has random numbers of its own, whatever others are seen."""

    def sample(self, classes: Array, rng: np.random.Generator, cells: Array | None = None) -> Array:
        """(rows, columns): values drawn from the predictive distribution of each row's class and cell."""

    def mass(self, place: int, edges: tuple[float, ...]) -> Floats:
        """(classes, cells + 1, edges + 1): log probability of each part of a column between edges; last, of no cell.

        A value on an edge is in the part below. A column without spread has all its mass where its values are.
        """


class Family(Protocol):
    """What a kind of column needs to know of the rows, and how it predicts."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of columns it serves."""

    @property
    def together(self) -> bool:
        """Whether all columns of the family share one predictor."""

    def questions(self, columns: Sequence[int]) -> tuple[Question, ...]:
        """What to ask of the rows."""

    def predictor(self, evidence: Evidence) -> Predictor:
        """The predictor that the answers give."""


def presence(setting: Setting, rows: Array, present: Array) -> tuple[Floats, Floats]:
    """Log probabilities that a value is present and that it is missing, by cell; zeros unless missing is informative.

    >>> presence(Setting(missing="informative"), np.array([2]), np.array([2]))[1].round(4)
    array([-1.3863])
    """
    shape = np.broadcast_shapes(np.shape(rows), np.shape(present))
    if setting.missing != "informative":
        return np.zeros(shape), np.zeros(shape)
    half = setting.pseudo
    whole = np.asarray(rows + 2 * half, dtype=np.float64)
    known = whole > 0
    here = np.divide(present + half, whole, out=np.full(shape, 0.5), where=known)
    gone = np.divide(subtract(rows, present) + half, whole, out=np.full(shape, 0.5), where=known)
    return log(here), log(gone)


def with_missing(values: Floats, gone: Floats, setting: Setting, classes: Array, rng: np.random.Generator) -> Floats:
    """Drawn values (rows, columns), some of them missing where that is evidence; gone (columns, classes) in logs."""
    if setting.missing != "informative":
        return values
    return np.where(rng.random(values.shape) < np.exp(gone)[:, classes].T, np.nan, values)


def own_weights(block: Block) -> tuple[Array, Floats]:
    """Class and weight (rows,) of each row of a block with a target."""
    assert block.cells is not None, "leave-one-out needs the target"
    weights = np.ones(block.rows) if block.weights is None else block.weights
    return block.cells, weights


def never_learnt_error(row: int, what: str) -> NotLearntError:
    """The error for a row that is taken out but was never in."""
    return NotLearntError(
        "M301",
        f"this row was never learnt: {what}",
        place=f"row {row}",
        hint="leave_one_out and forget take rows (and weights) that the model was fitted on",
    )
