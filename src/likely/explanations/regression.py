"""Why a number was predicted: the terms that add up to it.

AmountExplanation: terms (rows, 1 + features), names (1 + features), values (rows, features) or None, target.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.explanations.terms import Reason, RowTerms
from likely.output.draw import draw
from likely.output.jsonable import to_jsonable

BAR_WIDTH = 12  # characters of the longest bar, and reasons shown


@dataclass(frozen=True, eq=False, repr=False)
class AmountExplanation(RowTerms):
    """terms (rows, 1 + features): what is said before any column, then what each adds; their sum is the prediction.

    `values` (rows, features) is what was seen, where that is known; `target` is what is predicted.

    >>> why = AmountExplanation(np.array([[20.0, 3.0, -1.0]]), ("average", "rooms", "age"), None, "price")
    >>> why.reasons()
    [('rooms', '', 3.0), ('age', '', -1.0)]
    >>> why
    row 0: price 22, from an average of 20:
             +3  ++++++++++++  rooms
             -1  ----          age
    """

    terms: Floats
    names: tuple[str, ...]
    values: Array | None = None
    target: str = "y"

    @property
    def prediction(self) -> Floats:
        """(rows,): the sum of the terms."""
        return np.asarray(self.terms.sum(axis=1))

    def reasons(self, row: int = 0) -> list[Reason]:
        """(name, value, what it adds) of each column, the strongest first."""
        return [(self.names[at], self.value_at(row, at), amount) for at, amount in self.ranked(row)]

    def ranked(self, row: int = 0) -> list[tuple[int, float]]:
        """(place among the names, what it adds) of each column, the strongest first."""
        added = self.terms[self._row(row), 1:]
        return [(int(at) + 1, float(added[at])) for at in np.argsort(-np.abs(added), kind="stable")]

    def to_dict(self, row: int = 0) -> dict[str, Any]:
        """The prediction of a row and every term of it, as plain data."""
        terms = [
            {"name": name, "value": self.value_at(row, at), "adds": self.terms[self._row(row), at]}
            for at, name in enumerate(self.names)
        ]
        return dict(
            to_jsonable({"row": row, "target": self.target, "prediction": self.prediction[row], "terms": terms})
        )

    def _page(self) -> Any:
        """A row for each row and term: what was seen, and what it adds."""
        return [{"row": row, **term} for row in range(len(self.terms)) for term in self.to_dict(row)["terms"]]

    def plot(self, row: int = 0, **options: Any) -> Any:
        """A matplotlib figure: what each column adds to the prediction of a row, as bars."""
        return draw("regression_explanation", self, row=self._row(row), **options)

    def _paragraph(self, row: int) -> str:
        reasons = [reason for reason in self.reasons(row) if reason[2]][:BAR_WIDTH]
        most = max((abs(amount) for _, _, amount in reasons), default=1.0)
        start = self.names[0] if self.names[0] != "average" else "an average"
        lines = [f"row {row}: {self.target} {self.prediction[row]:.6g}, from {start} of {self.terms[row, 0]:.6g}:"]
        for name, value, amount in reasons:
            bar = ("+" if amount > 0 else "-") * round(BAR_WIDTH * abs(amount) / most)
            lines.append(f"  {amount:+10.4g}  {bar:<{BAR_WIDTH}}  {f'{name} = {value}' if value else name}")
        return "\n".join(lines)
