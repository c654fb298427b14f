"""Rows of a file through a model a block at a time, so that files larger than memory are scored and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.core.state import still
from likely.core.threads import in_threads
from likely.core.unusable_rows import no_rows
from likely.data import SCORED_ROWS, ArrowSource
from likely.estimators.face.fitted_model import FittedModel
from likely.estimators.face.generative import GenerativeClassifier
from likely.estimators.face.predictions import PredictionMethods
from likely.kernels.scoring.posteriors import log_normalise

if TYPE_CHECKING:  # few models need any of these
    from likely.estimators.companions.bagging import Bagging
    from likely.estimators.companions.regressor import CompanionRegressor
    from likely.evaluation.recalibration.recalibrated_model import Recalibrated

    Model = PredictionMethods | Recalibrated


def watched(source: ArrowSource, tick: Callable[[int], None]) -> ArrowSource:
    """The same source, which says how many rows it hands out as it hands them out."""
    read = source.read

    def counted() -> Iterator[Any]:
        for batch in read():
            yield batch
            tick(batch.num_rows)

    return replace(source, read=counted)


def scored(model: Model, source: ArrowSource, what: str = "proba") -> Iterator[tuple[Any, Floats]]:
    """Record batches as they were read, in order, each with its (rows, classes) `proba` or `log_likelihood`."""
    inner, bent = _inside(model)
    known, size = inner._located(source), len(inner.classes_)
    ask = getattr(inner.model_, what if bent is None or what != "proba" else "log_proba")

    def work(task: Any) -> tuple[Any, Floats]:
        block = task()
        said = ask(block, np.empty((block.rows, size)))
        return task.batch, np.exp(bent(said)) if bent is not None and what == "proba" else said

    yield from in_threads(work, known.tasks(inner.model_.schema, False, SCORED_ROWS))


def estimated(
    model: CompanionRegressor, source: ArrowSource, level: float | None = None
) -> Iterator[tuple[Any, Floats, Floats | None]]:
    """Record batches as they were read, in order, each with the numbers (rows,) that are predicted.

    With a level, also the limits (rows, 2) that hold the target of each row with that probability.
    """
    model = still(model)
    known, gauge = model._located(source), model.model_

    def work(task: Any) -> tuple[Any, Floats, Floats | None]:
        block = task()
        limits = None if level is None else gauge.interval(block, level, "amount")  # type: ignore[attr-defined]
        return task.batch, gauge.estimate(block, np.empty(block.rows)), limits

    yield from in_threads(work, known.tasks(gauge.schema, False, SCORED_ROWS))


def _inside(model: Model) -> tuple[PredictionMethods, Callable[[Floats], Floats] | None]:
    """The classifier itself, and what bends its log probabilities where it is recalibrated."""
    if isinstance(model, PredictionMethods):
        return still(model), None
    return still(model.model), model.bend


@dataclass(frozen=True)
class JudgedRows:
    """cells (rows,): the true classes by place; (rows, classes) of what the model says; weights (rows,) or None."""

    cells: Array
    log_likelihood: Floats
    log_proba: Floats
    weights: Floats | None

    @property
    def proba(self) -> Floats:
        return np.exp(self.log_proba)


def judged(model: Model, source: ArrowSource) -> JudgedRows:
    """What a model says of rows whose classes are known."""
    inner, bent = _inside(model)
    learnt = inner.model_

    def work(task: Any) -> tuple[Array, Floats, Floats, Floats | None]:
        block = task()
        evidence = learnt.log_likelihood(block, np.empty((block.rows, len(learnt.schema.classes))))
        log_proba = log_normalise(evidence + learnt.log_prior, learnt.log_prior)
        return block.cells, evidence, log_proba if bent is None else bent(log_proba), block.weights

    cells, evidence, log_proba, weights = _over(inner, source, work)
    return JudgedRows(cells, evidence, log_proba, weights)


def left_out(model: GenerativeClassifier, source: ArrowSource) -> tuple[Array, Floats, Floats | None]:
    """(rows,) true classes by place, (rows, classes) log probabilities had each row not been learnt, and weights."""
    model = still(model)

    def work(task: Any) -> tuple[Array, Floats, Floats | None]:
        block = task()
        return block.cells, model.model_.without(block), block.weights

    cells, log_proba, weights = _over(model, source, work, model._rows_left_out())
    return cells, log_proba, weights


def out_of_bag(model: Bagging, source: ArrowSource) -> tuple[Array, Floats, Floats | None]:
    """The same by the members that did not learn a row, of the rows that such members were asked of."""
    model = still(model)

    def work(task: Any) -> tuple[Array, Floats | None]:
        block = task()
        return block.cells, block.weights

    cells, weights = _over(model, source, work)
    learnt = np.ones(len(cells), dtype=bool) if weights is None else weights > 0
    asked = model.model_.asked > 0
    kept = np.flatnonzero(learnt)[asked]
    return cells[kept], log(model.oob_proba_[asked]), None if weights is None else weights[kept]


def _over(
    model: FittedModel, source: ArrowSource, work: Callable[[Any], tuple[Any, ...]], rows: int = SCORED_ROWS
) -> Any:
    """What `work` says of every block of at most so many rows, one array for each thing it says."""
    known = model._located(source, model.model_.schema.target.name)
    parts = zip(*in_threads(work, known.tasks(model.model_.schema, True, rows)), strict=True)
    whole: list[Any] = [None if blocks[0] is None else np.concatenate(blocks) for blocks in parts]
    if not len(whole[0]):
        raise no_rows(source.place)
    return whole
