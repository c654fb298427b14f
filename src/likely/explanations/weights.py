"""Why: the terms of the log posterior, before they are summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.errors import OptionError, nearest
from likely.numerics import Array, Floats, log_sum_exp
from likely.schema import Level, plain


@dataclass(frozen=True)
class Explanation:
    """terms (rows, 1 + features, classes): the log prior, then what each column says; their sum is the prediction.

    `names` has 'prior' first; `values` (rows, features) is what was seen, where that is known.
    """

    terms: Floats
    names: tuple[str, ...]
    classes: tuple[Level, ...]
    values: Array | None = None

    @property
    def joint(self) -> Floats:
        """(rows, classes): log P(class, row), the sum of the terms."""
        return np.asarray(self.terms.sum(axis=1))

    @property
    def proba(self) -> Floats:
        """(rows, classes): the posterior probabilities that the terms add up to."""
        joint = self.joint
        impossible = np.isneginf(joint).all(axis=1)
        joint[impossible] = self.terms[impossible, 0]  # what is still known of a row that no class can have
        return np.exp(joint - log_sum_exp(joint)[:, None])

    def log_odds(self, for_: Any, against: Any) -> Floats:
        """(rows, 1 + features): how much each term speaks for one class against another; log 10 is ten to one."""
        pro, con = self.terms[:, :, self._at(for_)], self.terms[:, :, self._at(against)]
        return np.subtract(pro, con, out=np.zeros_like(pro), where=np.isfinite(pro) | np.isfinite(con))

    def _at(self, level: Any) -> int:
        try:
            return self.classes.index(plain(level))
        except ValueError:
            known = ", ".join(map(repr, self.classes))
            hint = f"the classes are {known}.{nearest(level, self.classes)}"
            raise OptionError("O110", f"{level!r} is not a class", place="log_odds", hint=hint) from None

    def rival(self, row: int) -> tuple[Level, Level]:
        """The likeliest class of a row, and the runner-up (the same again where there is only one class)."""
        order = np.argsort(-self.joint[row], kind="stable")
        return self.classes[order[0]], self.classes[order[min(1, len(order) - 1)]]

    def reasons(self, row: int = 0) -> list[tuple[str, str, float]]:
        """(name, value, log odds) for the likeliest class against the runner-up, the strongest first."""
        best, second = self.rival(row)
        odds = self.log_odds(best, second)[row]
        order = np.argsort(-np.abs(odds), kind="stable")
        return [(self.names[at], self._value(row, at), float(odds[at])) for at in order]

    def _value(self, row: int, at: int) -> str:
        return "" if at == 0 or self.values is None else str(self.values[row, at - 1])

    def __repr__(self) -> str:
        return "\n\n".join(self._paragraph(row) for row in range(min(len(self.terms), 3)))

    def _paragraph(self, row: int) -> str:
        best, second = self.rival(row)
        share = self.proba[row, self._at(best)]
        head = f"row {row}: {best!r} with probability {share:.3f}; log odds against {second!r}:"
        return "\n".join([head, *self._lines(self.reasons(row)[:12])])

    @staticmethod
    def _lines(reasons: Sequence[tuple[str, str, float]]) -> list[str]:
        most = max((abs(odds) for _, _, odds in reasons if np.isfinite(odds)), default=0.0) or 1.0
        lines = []
        for name, value, odds in reasons:
            length = 12 if not np.isfinite(odds) else round(12 * abs(odds) / most)
            label = f"{name} = {value}" if value else name
            lines.append(f"  {odds:+8.3f}  {('+' if odds > 0 else '-') * length:<12}  {label}")
        return lines
