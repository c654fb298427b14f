"""Expected risk: the mean loss on rows that a model has not seen, and how far folds spread about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.evaluation.comparisons.significance import corrected_t
from likely.evaluation.folds.cross_validation import validated
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.rows.evaluation_rows import Judged, read_judged, read_loss_of
from likely.output.jsonable import Written


@dataclass(frozen=True, eq=False, repr=False)
class ExpectedRisk(Written):
    """The mean loss on each fold (folds,) of models that had not seen it; NaN for a fold without weight.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> model = likely.NaiveBayes().fit(X, y)
    >>> found = likely.evaluation.cross_validated_risk(model, X, y, folds=2)
    >>> found.loss
    'log'
    """

    loss: str
    folds: Floats
    _written = ("loss", "mean", "spread", "interval", "folds")

    @property
    def mean(self) -> float:
        """The mean over the folds."""
        return float(self._known.mean())

    @property
    def spread(self) -> float:
        """The standard deviation over the folds; NaN where one of them is infinite."""
        return deviation(self._known)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean, corrected for the rows that folds share; NaN where a fold is infinite."""
        if len(self._known) < 2 or not np.isfinite(self._known).all():
            return (float("nan"), float("nan"))
        return corrected_t(self._known, 1 / len(self.folds)).interval

    @property
    def _known(self) -> Floats:
        return self.folds[~np.isnan(self.folds)]

    def __float__(self) -> float:
        return self.mean

    def __repr__(self) -> str:
        low, high = self.interval
        sure = f", 95 % interval {low:.4g} to {high:.4g}" if np.isfinite(low) else ""
        return f"expected risk {self.mean:.4g} ({self.loss} loss, {len(self.folds)} folds{sure})"


def cross_validated_risk(
    model: Any,
    X: Any,
    y: Any,
    loss: str | None = None,
    folds: Any = 10,
    seed: int = 0,
    weights: Any = None,
    tick: Callable[[], object] | None = None,
) -> ExpectedRisk:
    """The loss to expect on rows that the model has not seen, by cross-validation; the model is left as it is.

    `loss` is "log" (unless said), "zero-one" or "brier" of a classifier, "squared" (unless said) or "absolute" of a
    regressor. `folds` is their number, or (rows,) the fold of each row. `tick` is called after each fold.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [5.0], [6.0], [5.5]], list("aaabbb")
    >>> cross_validated_risk(likely.NaiveBayes(), X, y, "zero-one", folds=3).mean
    0.0
    """
    rows = read_judged(model, X, y, weights)
    chosen = read_loss_of(rows, loss)
    return ExpectedRisk(chosen, risks_by_fold(model, rows, deal(rows.codes, folds, seed), chosen, tick))


def risks_by_fold(model: Any, rows: Judged, fold: Array, loss: str, tick: Callable[[], object] | None = None) -> Floats:
    """(folds,): the mean loss on each fold of models that had not seen it."""
    found: Any = validated(model, rows, fold, tick)
    said = found.log_proba if hasattr(found, "log_proba") else found.predicted
    parts = [np.flatnonzero(fold == part) for part in range(found.folds)]
    return np.array([rows.take(part).risk(said[part], loss) for part in parts])


def deviation(values: Floats) -> float:
    """The standard deviation; NaN where a value is infinite, or alone."""
    return float(values.std(ddof=1)) if len(values) > 1 and np.isfinite(values).all() else float("nan")
