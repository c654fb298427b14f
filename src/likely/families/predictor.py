"""The contract of a family on one page: questions out, answers in, log predictive terms back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

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
    """All that a family predicts from: its columns, the answers about them, and rows (cells,), the weight of cells."""

    schema: Schema
    columns: tuple[int, ...]
    answers: Mapping[Question, Statistic]
    rows: Array
    setting: Setting

    def answer(self, kind: type[S]) -> S:
        """The one answer of this kind about the columns."""
        of = next(name for name, statistic in STATISTICS.items() if statistic is kind)
        found = self.answers[Question(of, self.columns)]
        assert isinstance(found, kind)
        return found

    @property
    def column(self) -> Column:
        """The column, of a family that serves one at a time."""
        (at,) = self.columns
        return self.schema.columns[at]


class ColumnScorer(Protocol):
    """The columns of one family under known parameters; `cells` are classes here."""

    def add(self, block: Block, out: Floats) -> None:
        """out (rows, cells) += the sum of the terms of all columns."""


class Predictor(ColumnScorer, Protocol):
    """The columns of one family under their posterior."""

    def terms(self, block: Block) -> Floats:
        """(rows, columns, cells): log predictive probability of each value in each cell."""

    def without(self, block: Block) -> Floats:
        """(rows, cells): the sum of the terms, had the model not learnt that very row in its own cell."""

    def drawn(self, draws: Draws) -> ColumnScorer:
        """The same columns under parameters drawn from their posterior: it adds to out (rows, draws * cells)."""

    @property
    def drawn_size(self) -> float:
        """How many numbers are held of one draw."""

    def sample(self, cells: Array, rng: np.random.Generator) -> Array:
        """(rows, columns): values drawn from the predictive distribution of each row's cell."""


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


def with_missing(values: Floats, gone: Floats, setting: Setting, cells: Array, rng: np.random.Generator) -> Floats:
    """Drawn values (rows, columns), some of them missing where that is evidence; gone (columns, cells) in logs."""
    if setting.missing != "informative":
        return values
    return np.where(rng.random(values.shape) < np.exp(gone)[:, cells].T, np.nan, values)


def own_weights(block: Block) -> tuple[Array, Floats]:
    """Cell and weight (rows,) of each row of a block with a target."""
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
