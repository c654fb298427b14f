"""What decisions cost: expected by the model, and paid once the truth is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.data.targets.class_lists import answering, read_classes
from likely.data.targets.label_codes import read_codes
from likely.data.targets.probabilities import read_proba, refuse_no_rows, refuse_shape
from likely.data.weights import row_weights, weighted_mean
from likely.decisions.actions import ABSTAIN, answers, least_risk, under_priors
from likely.decisions.losses import read_loss
from likely.output.frames import FrameResult


def expected_error(proba: Any, weights: Any = None) -> float:
    """The share of mistakes that no decision can avoid, if the probabilities are right: the mean of 1 - largest.

    >>> round(expected_error([[0.9, 0.1], [0.4, 0.6]]), 6)
    0.25
    """
    found = read_proba(proba)
    return expected_risk(found, range(found.shape[1]), weights=weights)


def expected_risk(
    proba: Any,
    classes: Any,
    loss: Any = None,
    reject: float | None = None,
    weights: Any = None,
    priors: Any = None,
    learnt: Any = None,
) -> float:
    """The mean cost of deciding at least expected loss, if the probabilities are right, or are under new `priors`.

    >>> expected_risk([[0.5, 0.5], [1, 0]], ["ill", "well"], {("ill", "well"): 10})
    0.25
    """
    return judge(proba, classes, loss, reject, weights=weights, priors=priors, learnt=learnt).expected_risk


@dataclass(frozen=True, repr=False, eq=False)
class Decisions(FrameResult):
    """actions (rows,), None where abstaining; expected (rows,), the loss to expect; paid (rows,), the loss that came.

    `paid` is None where the truth is not known; `weights` (rows,) is what each row counts in the averages.

    >>> from likely.decisions import judge
    >>> found = judge([[0.9, 0.1], [0.4, 0.6]], ["no", "yes"], y=["no", "no"])
    >>> found.actions.tolist(), found.risk
    (['no', 'yes'], 0.5)
    """

    actions: Array
    expected: Floats
    paid: Floats | None
    weights: Floats

    @property
    def abstained(self) -> float:
        """The share of rows left undecided."""
        return self._mean(np.array([action is None for action in self.actions.tolist()], dtype=np.float64))

    @property
    def expected_risk(self) -> float:
        """The mean loss that the probabilities let expect."""
        return self._mean(self.expected)

    @property
    def risk(self) -> float | None:
        """The mean loss that was paid."""
        return None if self.paid is None else self._mean(self.paid)

    def _mean(self, values: Floats) -> float:
        return weighted_mean(values, self.weights)

    def to_dict(self) -> dict[str, Any]:
        """Plain Python: the averages, and each row's action and losses.

        >>> from likely.decisions import judge
        >>> judge([[0.9, 0.1], [0.4, 0.6]], ["no", "yes"], y=["no", "no"]).to_dict()["risk"]
        0.5
        """
        return {
            "rows": len(self.actions),
            "abstained": self.abstained,
            "expected_risk": self.expected_risk,
            "risk": self.risk,
            "actions": self.actions.tolist(),
            "expected": self.expected.tolist(),
            "paid": None if self.paid is None else self.paid.tolist(),
        }

    def __repr__(self) -> str:
        paid = "" if self.risk is None else f", paid {self.risk:.4g}"
        head = f"{len(self.actions)} decisions, {self.abstained:.1%} abstained"
        return f"{head}; mean loss: expected {self.expected_risk:.4g}{paid}"


def judge(
    proba: Any,
    classes: Any,
    loss: Any = None,
    reject: float | None = None,
    y: Any = None,
    weights: Any = None,
    priors: Any = None,
    learnt: Any = None,
) -> Decisions:
    """The decisions on some rows, what they are expected to cost and, where `y` is known, what they did cost.

    >>> judge([[0.9, 0.1], [0.55, 0.45]], ["no", "yes"], reject=0.2, y=["yes", "yes"])
    2 decisions, 50.0% abstained; mean loss: expected 0.15, paid 0.6
    """
    levels = read_classes(classes)
    found = read_proba(proba, len(levels))
    refuse_no_rows(len(found))
    matrix = read_loss(loss, levels)
    chosen, expected = least_risk(under_priors(found, levels, priors, learnt), matrix, reject)
    paid = None
    if y is not None:
        codes = read_codes(y, levels)
        refuse_shape(codes.shape, (len(found),), "y")
        paid = matrix[codes, chosen]
        paid[chosen == ABSTAIN] = reject
    actions = answers(chosen, answering(classes, levels), reject is not None)
    return Decisions(actions, expected, paid, row_weights(weights, len(found)))
