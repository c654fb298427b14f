"""Cross-validation: every row judged by a model that has not seen it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.data.targets.label_codes import read_codes
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.folds.held_out import Dealt, held_out
from likely.evaluation.folds.regression_folds import RegressionCrossValidation, validate_regression
from likely.evaluation.rows.evaluation_rows import Judged, read_judged
from likely.evaluation.rows.labelled_rows import Labelled
from likely.output.jsonable import to_jsonable

if TYPE_CHECKING:
    from likely.evaluation.report import Evaluation


@dataclass(frozen=True, eq=False)
class CrossValidation(Dealt):
    """What models that had not seen a row said of it: log_proba (rows, classes); fold and y (rows,).

    `refitted` are the folds whose model was fitted afresh, and `why` says why; all others are the whole minus a part.
    """

    log_proba: Floats
    fold: Array
    classes: tuple[Level, ...]
    y: Array
    weights: Floats | None = None
    refitted: tuple[int, ...] = ()
    why: str = ""

    @cached_property
    def proba(self) -> Floats:
        """(rows, classes): the out-of-fold probabilities."""
        return np.exp(self.log_proba)

    @property
    def unlearnt(self) -> tuple[Level, ...]:
        """The classes that some fold held out whole, so that the model without it never met them."""
        codes = read_codes(self.y, self.classes)
        mass = np.zeros((self.folds, len(self.classes)))
        np.add.at(mass, (self.fold, codes), 1.0 if self.weights is None else self.weights > 0)
        whole = ((mass > 0) & (mass == mass.sum(axis=0))).any(axis=0)
        return tuple(level for level, so in zip(self.classes, whole, strict=True) if so)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why a log loss is infinite whatever the model: classes that some folds left unlearnt."""
        return (never_learnt(self.unlearnt),) if self.unlearnt else ()

    def scores(self) -> dict[str, Floats]:
        """(folds,) each: accuracy, log loss and Brier score on each fold; NaN for a fold without weight."""
        rows = Labelled(self.fold, self.y, read_codes(self.y, self.classes), self.classes, self.weights)
        return self.by_fold(rows, self.log_proba)

    def evaluate(self, positive: Any = None) -> Evaluation:
        """The evaluation of all out-of-fold predictions together."""
        from likely.evaluation.report import evaluate

        found = evaluate(self.y, self.proba, self.classes, None, positive, self.weights, self.log_proba)
        return replace(found, notes=(*found.notes, *self.notes))

    def plot(self, **options: Any) -> Any:
        """A figure of the evaluation of all out-of-fold predictions."""
        return self.evaluate().plot(**options)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        names = ("folds", "classes", "method", "why", "notes", "fold", "proba")
        page = {"rows": len(self.fold), **{name: getattr(self, name) for name in names}, "scores": self.scores()}
        return to_jsonable(page)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        lines = [f"CrossValidation: {len(self.fold)} rows in {self.folds} folds, by {self.method}"]
        lines += [f"  {self.why}"] if self.why else []
        for name, values in self.scores().items():
            known = values[~np.isnan(values)]
            lines.append(f"  {name:<8}  {known.mean():.4f}  ({known.min():.4f} to {known.max():.4f})")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def never_learnt(levels: Sequence[Level]) -> str:
    """Why models could not know some classes, and what to do."""
    names, one = ", ".join(map(repr, levels)), len(levels) == 1
    who, its, it = (f"Class {names} was", "its", "it") if one else (f"Classes {names} were", "their", "them")
    return f"{who} never learnt in some folds, which held out all {its} rows: get more rows of {it}, or leave {it} out."


def cross_validate(
    model: Any,
    X: Any,
    y: Any,
    folds: Any = 10,
    seed: int = 0,
    weights: Any = None,
    tick: Callable[[], object] | None = None,
) -> CrossValidation | RegressionCrossValidation:
    """What the model says of each row had it learnt all other folds; the model itself is left as it is.

    A CrossValidation of a classifier, a RegressionCrossValidation of a regressor. `folds` is their number, or (rows,)
    the fold of each row, as of groups or times that must stay together.

    A model that can forget is fitted once, and each fold is taken out of a copy: the same as a refit to rounding, under
    the kinds of columns that all rows show. Fitted afresh are a fold without which a Parzen column would have another
    grid, a model that cannot forget, and one that learns a structure or cut points from the rows: what the held-out
    rows taught it would stay. `tick` is called after each fold.

    >>> import likely
    >>> found = cross_validate(likely.NaiveBayes(), [[1.0], [2.0], [5.0], [6.0]], ["a", "a", "b", "b"], folds=2)
    >>> found.method, found.scores()["accuracy"].tolist()
    ('subtraction', [1.0, 1.0])
    """
    rows = read_judged(model, X, y, weights)
    return validated(model, rows, deal(rows.codes, folds, seed), tick)


def validated(
    model: Any, rows: Judged, fold: Array, tick: Callable[[], object] | None = None
) -> CrossValidation | RegressionCrossValidation:
    """Cross-validation of a classifier or of a regressor over folds that are given."""
    if isinstance(rows, Labelled):
        return validate(model, rows, fold, tick)
    return validate_regression(model, rows, fold, tick)


def validate(model: Any, rows: Labelled, fold: Array, tick: Callable[[], object] | None = None) -> CrossValidation:
    """Cross-validation of a classifier over folds that are given."""
    log_proba, refitted, why = held_out(model, rows, fold, tick)
    return CrossValidation(log_proba, fold, rows.classes, rows.y, rows.weights, refitted, why)
