"""What models say of rows that they have not seen: the whole minus a fold where the model can forget, else a refit."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Grid
from likely.errors import ModelError, NotLearntError
from likely.evaluation.rows.evaluation_rows import Judged
from likely.evaluation.rows.refit import quietly
from likely.models import Model
from likely.statistics import Question

GRID_SLACK_NODES = 4  # nodes: how far the range of a column may be from that of its grid's nodes that hold mass


class Dealt:
    """What rows dealt out to folds know of how their models were had."""

    fold: Array
    refitted: tuple[int, ...]

    @property
    def folds(self) -> int:
        return int(self.fold.max()) + 1

    @property
    def method(self) -> str:
        """'subtraction', 'refit', or 'subtraction and refit' where some folds had to be fitted afresh."""
        if not self.refitted:
            return "subtraction"
        return "refit" if len(self.refitted) == self.folds else "subtraction and refit"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the folds are to blame for, whatever the model."""
        return ()

    def by_fold(self, rows: Judged, said: Floats) -> dict[str, Floats]:
        """(folds,) each: the scores of the rows of each fold, of which the models said that."""
        parts = [np.flatnonzero(self.fold == part) for part in range(self.folds)]
        found = [rows.take(part).scores(said[part]) for part in parts]
        return {name: np.array([score[name] for score in found]) for name in found[0]}


def held_out(
    model: Any, rows: Judged, fold: Array, tick: Callable[[], object] | None
) -> tuple[Floats, tuple[int, ...], str]:
    """(rows, ...): what models without its fold say of each row; the folds that were fitted afresh, and why."""
    places: list[Array] = []
    answers: list[Floats] = []
    refitted, whys = [], []
    for part, (learnt, why) in enumerate(_without_each(model, rows, fold)):
        places.append(np.flatnonzero(fold == part))
        answers.append(rows.take(places[-1]).ask(learnt))
        if why:
            refitted.append(part)
            whys.append(why)
        if tick is not None:
            tick()
    said = np.concatenate(answers)[np.argsort(np.concatenate(places))]
    return said, tuple(refitted), "; ".join(dict.fromkeys(whys))


def _without_each(model: Any, rows: Judged, fold: Array) -> Iterator[tuple[Any, str]]:
    """The model without each fold, and why it had to be fitted afresh, if so."""
    why = "" if hasattr(model, "forget") else f"{type(model).__name__} cannot forget"
    whole = None if why else rows.teach(model)
    if getattr(whole, "_learns_structure", False):
        whole, why = None, "structure and cut points are learnt from the rows"
    for part in range(int(fold.max()) + 1):
        here = why
        if whole is not None:
            learnt, here = _forgotten(whole, rows.take(np.flatnonzero(fold == part)))
        if here:
            learnt = rows.take(np.flatnonzero(fold != part)).teach(model)
        yield learnt, here


def _forgotten(whole: Any, held: Judged) -> tuple[Any, str]:
    """A copy of a fitted model without some rows; else why it must be fitted afresh."""
    learnt = copy.copy(whole)
    if held.weights is None or held.weights.any():
        try:
            with quietly():
                learnt.forget(held.X, held.y, **({} if held.weights is None else {"sample_weight": held.weights}))
        except (NotImplementedError, ModelError, NotLearntError) as error:
            return None, f"{type(whole).__name__} could not forget: {getattr(error, 'message', error)}"
    if hasattr(learnt, "classes_") and not len(learnt.classes_):
        return None, "nothing is left without the fold"
    model = getattr(learnt, "model_", None)
    if isinstance(model, Model) and not _same_grids(model):
        return None, "a Parzen column has another grid without the fold"
    return learnt, ""


def _same_grids(model: Model) -> bool:
    """Whether the rows that are left would have been given the same grids, so that forgetting changed nothing else.

    Their grid begins at the same node where that still holds mass, and has the same spacing where their range is wide
    enough. Otherwise windows would stand on other nodes, and densities differ by some thousandths.
    """
    for at, column in enumerate(model.schema.columns):
        if column.kind == "parzen" and column.grid is not None and column.grid.high > column.grid.low:
            table = next(iter(model.bundle[Question("grid", (at,))].arrays().values()))
            held = np.flatnonzero(table.any(axis=0))
            if len(held) and (held[0] > 0 or held[-1] < Grid.NODES + GRID_SLACK_NODES):
                return False
    return True
