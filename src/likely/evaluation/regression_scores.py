"""How good a regression is: errors in their units, R², and whether intervals hold what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.data.weights import weighted_mean
from likely.errors import ModelError, OptionError
from likely.errors.options import share
from likely.evaluation.rows.evaluation_rows import Measured, weighted_median
from likely.evaluation.rows.refit import predicts_numbers
from likely.evaluation.scores import wilson
from likely.output.draw import Drawn
from likely.output.jsonable import Written

LEAST_BIAS = 1e-9  # of the root mean square error: a smaller bias is none


@dataclass(frozen=True)
class Coverage(Written):
    """The share of rows within the prediction intervals of a level, its 95 % interval, and their mean width.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [1.1, 1.9, 3.2, 3.8, 5.1, 6.0]
    >>> found = likely.evaluation.evaluate_regression(likely.LinearRegression().fit(X, y), X, y, level=0.9)
    >>> found.coverage.words
    '100.0% of the values are within their 90% intervals, as they should'
    """

    level: float
    share: float
    interval: tuple[float, float]
    width: float

    @property
    def words(self) -> str:
        low, high = self.interval
        right = "as they should" if low <= self.level <= high else "too few" if high < self.level else "too many"
        return f"{self.share:.1%} of the values are within their {self.level:.0%} intervals, {right}"


@dataclass(frozen=True, eq=False, repr=False)
class RegressionEvaluation(Written, Drawn):
    """Predictions `predicted` (rows,) of a numeric target `y` (rows,), and how far they are off.

    `r2` is the share of the target's variance that the predictions explain (NaN where all its values are equal), `rmse`
    the root of the mean squared error, `mae` and `median` the mean and the median absolute error, and `bias` the mean
    of predicted - y: above 0 the predictions are too high. `baseline` is the root mean squared error of always saying
    the mean of these rows. `coverage` is None where the model gives no intervals.
    `plot` draws actual against predicted numbers, and residuals along these.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [1.1, 1.9, 3.2, 3.8, 5.1, 6.0]
    >>> model = likely.LinearRegression().fit(X, y)
    >>> found = likely.evaluation.evaluate_regression(model, X, y)
    >>> round(found.r2, 3)
    0.994
    """

    y: Floats
    predicted: Floats
    r2: float
    rmse: float
    mae: float
    median: float
    bias: float
    coverage: Coverage | None = None
    baseline: float = float("nan")
    _picture = "residuals"
    _written = (
        "rows",
        "r2",
        "rmse",
        "mae",
        "median",
        "bias",
        "predicted",
        "residuals",
        "notes",
        "coverage",
        "baseline",
    )

    @property
    def rows(self) -> int:
        return len(self.y)

    @property
    def residuals(self) -> Floats:
        """(rows,): y - predicted."""
        return self.y - self.predicted

    @property
    def told_bias(self) -> str:
        """The bias in words: none where it is but rounding."""
        return f"{self.bias:+.4g}" if abs(self.bias) > LEAST_BIAS * self.rmse else "0"

    @property
    def notes(self) -> tuple[str, ...]:
        if np.isnan(self.r2):
            return ("R² is undefined: every value is the same",)
        return ("the predictions are worse than always saying the mean",) if self.r2 < 0 else ()

    def __repr__(self) -> str:
        lines = [
            f"rows                {self.rows:,}",
            f"R²                  {self.r2:.4f}",
            f"root mean square    {self.rmse:.4g}",
            f"absolute error      {self.mae:.4g} mean, {self.median:.4g} median",
            f"bias                {self.told_bias}",
            *(
                [f"baseline            root mean square {self.baseline:.4g}: always the mean"]
                if self.baseline > 0
                else []
            ),
        ]
        lines += [f"intervals           {self.coverage.words}"] if self.coverage else []
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def evaluate_regression(model: Any, X: Any, y: Any, weights: Any = None, level: float = 0.95) -> RegressionEvaluation:
    """How far a fitted regressor is off on rows X of the numeric target y.

    Where the model has `interval(X, level)`, the share of rows within its prediction intervals is told too.

    >>> from sklearn.linear_model import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0]], [1.0, 3.0, 5.5]
    >>> round(evaluate_regression(LinearRegression().fit(X, y), X, y).r2, 4)
    0.9959
    """
    if not predicts_numbers(model):
        what = f"a {model.__name__ if isinstance(model, type) else type(model).__name__} is no regression model"
        hint = "give a fitted regressor; classifiers are for evaluate_model"
        raise OptionError("O654", what, place="model", hint=hint)
    share(level, "level", "O116")
    rows = Measured.read(X, y, weights)
    _refuse_unfitted(model)
    return evaluation_of(rows, rows.ask(model), _coverage(model, rows, float(level)))


def evaluation_of(rows: Measured, predicted: Floats, coverage: Coverage | None = None) -> RegressionEvaluation:
    """How far given predictions are off."""
    scores, away = rows.scores(predicted), np.abs(rows.y - predicted)
    median, bias = weighted_median(away, rows.weights), weighted_mean(predicted - rows.y, rows.weights)
    baseline = float(np.sqrt(rows.guess("squared")))
    return RegressionEvaluation(
        rows.y, predicted, scores["r2"], scores["rmse"], scores["absolute"], median, bias, coverage, baseline
    )


def _refuse_unfitted(model: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(model)
    except NotFittedError:
        raise ModelError("M308", "the model is not fitted", place="model", hint="call fit(X, y) first") from None


def _coverage(model: Any, rows: Measured, level: float) -> Coverage | None:
    if not hasattr(model, "interval"):
        return None
    try:
        low, high = np.asarray(model.interval(rows.X, level=level), dtype=np.float64).T
    except ModelError:  # a lasso, or too few rows: there is no telling
        return None
    share = weighted_mean((low <= rows.y) & (rows.y <= high), rows.weights)
    count = len(rows) if rows.weights is None else rows.weights.sum()
    least, most = wilson(share, count)
    return Coverage(level, share, (float(least), float(most)), weighted_mean(high - low, rows.weights))
