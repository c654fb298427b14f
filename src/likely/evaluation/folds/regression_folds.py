"""Cross-validation of regressors: every number predicted by a model that has not seen it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.evaluation.folds.held_out import Dealt, held_out
from likely.evaluation.regression_scores import RegressionEvaluation, evaluation_of
from likely.evaluation.rows.numeric_rows import Measured
from likely.output.jsonable import to_jsonable


@dataclass(frozen=True, eq=False, repr=False)
class RegressionCrossValidation(Dealt):
    """What models that had not seen a row said of it: predicted (rows,); fold and y (rows,).

    `refitted` are the folds whose model was fitted afresh, and `why` says why; all others are the whole minus a part.
    """

    predicted: Floats
    fold: Array
    y: Floats
    weights: Floats | None = None
    refitted: tuple[int, ...] = ()
    why: str = ""

    def scores(self) -> dict[str, Floats]:
        """(folds,) each: mean squared error, its root, mean absolute error and R² on each fold; NaN where undefined."""
        return self.by_fold(Measured(self.fold, self.y, self.weights), self.predicted)

    def evaluate(self) -> RegressionEvaluation:
        """The evaluation of all out-of-fold predictions together."""
        return evaluation_of(Measured(self.fold, self.y, self.weights), self.predicted)

    def plot(self, **options: Any) -> Any:
        """A figure of the residuals of all out-of-fold predictions."""
        return self.evaluate().plot(**options)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        names = ("folds", "method", "why", "fold", "predicted")
        page = {"rows": len(self.fold), **{name: getattr(self, name) for name in names}, "scores": self.scores()}
        return to_jsonable(page)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        lines = [f"RegressionCrossValidation: {len(self.fold)} rows in {self.folds} folds, by {self.method}"]
        lines += [f"  {self.why}"] if self.why else []
        for name, values in self.scores().items():
            known = values[~np.isnan(values)]
            told = f"{known.mean():.4g}  ({known.min():.4g} to {known.max():.4g})" if len(known) else "undefined"
            lines.append(f"  {name:<8}  {told}")
        return "\n".join(lines)


def validate_regression(
    model: Any, rows: Measured, fold: Array, tick: Callable[[], object] | None = None
) -> RegressionCrossValidation:
    """Cross-validation of a regressor over folds that are given."""
    predicted, refitted, why = held_out(model, rows, fold, tick)
    return RegressionCrossValidation(predicted, fold, rows.y, rows.weights, refitted, why)
