"""Rows with an amount to forecast: some of them taken, a copy of a regressor taught on them, and asked about others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.core.numerics import Array, Floats
from likely.data.origin import take
from likely.data.targets.label_codes import is_missing, read_column
from likely.data.targets.numeric_target import no_amounts
from likely.data.weights import read_weights, weighted_mean
from likely.errors import DataError, OptionError
from likely.evaluation.losses import LARGEST_TARGET
from likely.evaluation.rows.refit import in_memory, refuse_rows, teach

# The measures of regression, and what tables call them
REGRESSION_MEASURES = {"squared": "squared", "rmse": "root", "absolute": "absolute", "r2": "R²"}


@dataclass(frozen=True, eq=False)
class Measured:
    """A table, its amounts y (rows,), and a weight a row or None."""

    X: Any
    y: Floats
    weights: Floats | None

    @classmethod
    def read(cls, X: Any, y: Any, weights: Any = None) -> Self:
        amounts = read_amounts(y)
        table = in_memory(X)
        refuse_rows(table, len(amounts))
        return cls(table, amounts, read_weights(weights, len(amounts)))

    def __len__(self) -> int:
        return len(self.y)

    @property
    def codes(self) -> Array:
        """(rows,): zeros, for amounts have no classes to be dealt out evenly."""
        return np.zeros(len(self), dtype=np.intp)

    def weighty(self) -> Measured:
        """Without the rows of weight 0."""
        return self if self.weights is None else self.take(np.flatnonzero(self.weights))

    def take(self, at: Array) -> Measured:
        """The rows at these places, in this order."""
        return Measured(take(self.X, at), self.y[at], None if self.weights is None else self.weights[at])

    def teach(self, model: Any) -> Any:
        """A copy of a regressor, fitted on these rows."""
        return teach(model, self.X, self.y, self.weights)

    def ask(self, model: Any) -> Floats:
        """(rows,): the amounts that a model forecasts."""
        said = np.asarray(model.predict(self.X), dtype=np.float64)
        if said.shape != self.y.shape or not (np.abs(said) <= LARGEST_TARGET).all():
            what = f"{type(model).__name__} does not forecast one finite number a row"
            raise OptionError(
                "O653", what, place="model.predict(X)", hint="give a regressor of one amount that converges"
            )
        return said

    def scores(self, said: Floats) -> dict[str, float]:
        """Mean squared and absolute error, root and R² of forecasts of these rows; NaN where they have none."""
        if self.weights is not None and not self.weights.any():
            return dict.fromkeys(REGRESSION_MEASURES, np.nan)
        mean = self.risk(said, "squared")
        spread = (
            self.guess("squared") if np.ptp(self.weighty().y) else 0.0
        )  # equal ones have none, whatever rounding says
        root, share = float(np.sqrt(mean)), 1.0 - mean / spread if spread else np.nan
        return dict(zip(REGRESSION_MEASURES, (mean, root, self.risk(said, "absolute"), share), strict=True))

    @property
    def losses(self) -> tuple[str, ...]:
        """The losses that forecasts of amounts have, the usual one first."""
        return ("squared", "absolute")

    def risk(self, said: Any, loss: str) -> float:
        """The mean loss of forecasts of these rows; NaN where the rows have no weight."""
        if self.weights is not None and not self.weights.any():
            return float("nan")
        away = np.abs(self.y - said)
        return weighted_mean(away**2 if loss == "squared" else away, self.weights)

    def guess(self, loss: str) -> float:
        """The mean loss of always forecasting the best of all constants: the mean, or for absolute loss the median."""
        centre = weighted_mean(self.y, self.weights) if loss == "squared" else weighted_median(self.y, self.weights)
        return self.risk(centre, loss)


def read_amounts(y: Any, place: str = "y") -> Floats:
    """(rows,): finite numbers, at least one.

    >>> read_amounts([1, 2.5]).tolist()
    [1.0, 2.5]
    """
    values = read_column(y, place)
    try:
        amounts = np.array([np.nan if is_missing(value) else value for value in values], dtype=np.float64)
    except (TypeError, ValueError):
        raise no_amounts(place) from None
    wrong = ~(np.abs(amounts) <= LARGEST_TARGET)
    if wrong.any():
        row = int(wrong.argmax())
        what = f"the number {values[row]!r} is missing, or beyond {LARGEST_TARGET:g}"
        hint = "leave such rows out, or measure in larger units"
        raise DataError("D447", what, place=f"{place}, row {row}", hint=hint)
    return amounts


def weighted_median(values: Floats, weights: Floats | None) -> float:
    """The value with the least mean absolute distance from all; the middle of two where both have it.

    >>> weighted_median(np.array([1.0, 5.0, 9.0]), np.array([1.0, 1.0, 3.0]))
    9.0
    >>> weighted_median(np.array([1.0, 3.0]), np.array([2.0, 2.0]))
    2.0
    """
    if weights is None:
        return float(np.median(values))
    order = np.flatnonzero(weights)[np.argsort(values[weights > 0], kind="stable")]
    sums = np.cumsum(weights[order])
    ends = [np.searchsorted(sums, sums[-1] / 2, side) for side in ("left", "right")]
    return float(values[order][np.minimum(ends, len(order) - 1)].mean())
