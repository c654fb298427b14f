"""The coefficients of logistic regression as a table: log odds, odds ratios, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from likely.companions.regression.coefficients import coefficient_table, read_level, word
from likely.companions.regression.logistic import Logistic
from likely.core.numerics import Floats
from likely.output.frames import FrameResult


@dataclass(frozen=True, eq=False)
class OddsTable(FrameResult):
    """estimates, errors (scores, 1 + width), the intercept first: log odds for each class of `classes` (scores,).

    Of two classes the odds are those of the second against the first; of more, of each against the average of all.
    Where it was not reckoned how sure they are, the errors are NaN; a coefficient that a lasso dropped has none.

    >>> OddsTable(("intercept", "age"), ("yes",), np.array([[-2.0, 0.7]]), np.array([[1.0, 0.1]]))
    log odds of 'yes'
               log odds   sd  odds ratio  95% from      to
    intercept        -2    1      0.1353   0.01906  0.9608  less
    age             0.7  0.1       2.014     1.655    2.45  more
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    estimates: Floats
    errors: Floats
    level: float = 0.95

    @classmethod
    def of(cls, model: Logistic) -> OddsTable:
        """The table of a model."""
        estimates = np.column_stack([model.intercepts, model.coefficients])
        errors = np.roll(model.errors(), 1, axis=1) if model.covariance.size else np.full(estimates.shape, np.nan)
        told = tuple(map(str, model.schema.classes))
        classes = told[1:] if len(told) == 2 else told
        return cls(("intercept", *model.names), classes, estimates, errors)

    def at(self, level: float) -> OddsTable:
        """The same with intervals of another level."""
        return replace(self, level=read_level(level))

    @property
    def intervals(self) -> Floats:
        """(scores, 1 + width, 2): of the log odds, equal tails."""
        reach = ndtri((1 + self.level) / 2) * self.errors
        return np.stack([self.estimates - reach, self.estimates + reach], axis=-1)

    @property
    def odds_ratios(self) -> Floats:
        """(scores, 1 + width): by how much one more of a column multiplies the odds; of the intercept, the odds."""
        return _exp(self.estimates)

    @property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """(scores, 1 + width): 'more', 'less', 'unclear' where the interval holds zero; 'none' of what was dropped."""
        return tuple(
            tuple(word(value, low, high) for value, (low, high) in zip(values, ends, strict=True))
            for values, ends in zip(self.estimates, self.intervals, strict=True)
        )

    def _page(self) -> Any:
        """A row for each class and name."""
        return [
            {"class": level, "name": name, **told}
            for level, names in self.to_dict().items()
            for name, told in names.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """By class and name: log odds, sd, odds ratio and the interval of the log odds, as plain data."""
        from likely.output.jsonable import to_jsonable

        page = {
            level: {
                name: {
                    "log_odds": self.estimates[k, j],
                    "sd": self.errors[k, j],
                    "odds_ratio": self.odds_ratios[k, j],
                    "interval": self.intervals[k, j].tolist(),
                    "level": self.level,
                }
                for j, name in enumerate(self.names)
            }
            for k, level in enumerate(self.classes)
        }
        return dict(to_jsonable(page))

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return "\n\n".join(self._paragraph(k) for k in range(len(self.classes)))

    def _paragraph(self, k: int) -> str:
        head = f"log odds of {self.classes[k]!r}" + (" against the average" if len(self.classes) > 1 else "")
        columns, words = {"log odds": self.estimates[k], "odds ratio": self.odds_ratios[k]}, self.words[k]
        if np.isnan(self.errors[k]).all():
            return f"{head}\n{coefficient_table(self.names, columns)}"
        (low, high), percent = _exp(self.intervals[k]).T, f"{100 * self.level:.4g}% from"
        known = {"log odds": self.estimates[k], "sd": self.errors[k], **columns, percent: low, "to": high}
        return f"{head}\n{coefficient_table(self.names, known, words)}"


def _exp(values: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(values))
