"""Structural risk: what a penalty, or another option of complexity, costs on rows learnt from and gains on others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors.options import is_number
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.risks.complexity import KNOWN_OPTIONS, read_option, read_values
from likely.evaluation.risks.cross_validated_risk import deviation, risks_by_fold
from likely.evaluation.rows.evaluation_rows import read_judged, read_loss_of
from likely.output.draw import Drawn
from likely.output.jsonable import Written

FLAT_STANDARD_ERRORS = 0.1  # where a neighbour is no farther off, values beyond the best are nothing to try


@dataclass(frozen=True, eq=False, repr=False)
class StructuralRisk(Written, Drawn):
    """For each of the values of an option: the empirical risk (values,) and the expected one (values, folds).

    `penalty` (values,) is what the model adds to the empirical risk for its complexity, in the same units: None where
    the model does not tell it, or is not learnt by this loss. The sum is the structural risk.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> model = likely.NaiveBayes().fit(X, y)
    >>> likely.evaluation.structural_risk(likely.DecisionTree(), X, y, [1, 2], "max_depth", folds=2).values
    (1, 2)
    """

    option: str
    values: tuple[Any, ...]
    loss: str
    empirical: Floats
    expected: Floats
    penalty: Floats | None = None
    _picture = "structural_risk"
    _written = (
        *("option", "values", "loss", "empirical", "penalty", "structural", "expected", "means", "errors"),
        *("best", "simplest", "words"),
    )

    @property
    def structural(self) -> Floats | None:
        """(values,): empirical risk + penalty, which the model makes least."""
        return None if self.penalty is None else self.empirical + self.penalty

    @property
    def means(self) -> Floats:
        """(values,): the expected risk, the mean over the folds that have one."""
        return np.array([one[~np.isnan(one)].mean() for one in self.expected])

    @property
    def errors(self) -> Floats:
        """(values,): the standard error of each mean; NaN where it is infinite."""
        known = [one[~np.isnan(one)] for one in self.expected]
        return np.array([deviation(one) / np.sqrt(len(one)) for one in known])

    @property
    def best(self) -> Any:
        """The value of the least expected risk."""
        return self.values[self._best]

    @property
    def simplest(self) -> Any:
        """The value of the simplest model whose expected risk is within one standard error of the least."""
        return self.values[self._simplest]

    @property
    def _best(self) -> int:
        return int(np.argmin(self.means))

    @property
    def _simplest(self) -> int:
        order, bar = self._from_simple, self.means[self._best] + np.nan_to_num(self.errors[self._best])
        return int(order[np.argmax(self.means[order] <= bar)]) if len(order) else self._best

    @property
    def _from_simple(self) -> Array:
        """The places of the values from the simplest model on; none where the rows learnt from do not tell them apart.

        A richer model fits the rows that it learnt from better: at which end those are is seen from the empirical risk.
        """
        places = np.flatnonzero(np.isfinite(self.empirical))
        slope = np.dot(places - places.mean(), self.empirical[places]) if len(places) else 0.0
        every = np.arange(len(self.values))
        return every[::-1] if slope > 0 else every if slope < 0 else every[:0]

    @property
    def words(self) -> str:
        """Which value to choose, and what happens beside it."""
        at, least, error = self._best, self.means[self._best], self.errors[self._best]
        if not np.isfinite(least):
            return f"No choice: the expected {self.loss} loss is infinite at every {self.option}."
        said = [f"The expected {self.loss} loss is least, {least:.4g}, at {self._named(at)}."]
        if self._simplest != at:
            said.append(f"{self._named(self._simplest)} is simpler and within a standard error ({error:.2g}) of it.")
        order = list(self._from_simple)
        for end, fault in ((order[:1], "under-fits"), (order[-1:], "over-fits")):
            if end and self.means[end[0]] > least + np.nan_to_num(error):
                seen = f"{self.empirical[end[0]]:.4g} on rows learnt from, {self.means[end[0]]:.4g} on others"
                said.append(f"At {self._named(end[0])} it {fault}: {seen}.")
        return " ".join([*said, *self._farther()])

    def _farther(self) -> Iterable[str]:
        """A hint where the best is the first or last of the numbers tried."""
        known = KNOWN_OPTIONS.get(self.option.rpartition("__")[2])
        inner = 1 if self._best == 0 else self._best - 1
        flat = self.means[inner] - self.means[self._best] <= FLAT_STANDARD_ERRORS * np.nan_to_num(
            self.errors[self._best]
        )
        if flat or not all(is_number(value) for value in self.values):
            return
        if self._best == 0 and not (known and self.best <= known[1]):
            yield "That is the least value tried: try less."
        elif self._best == len(self.values) - 1:
            yield "That is the largest value tried: try more."

    def _named(self, at: int) -> str:
        value = self.values[at]
        return f"{self.option}={value:.4g}" if isinstance(value, float) else f"{self.option}={value!r}"

    def __repr__(self) -> str:
        told = self.structural is not None
        wide = max(len(self.option), 8)
        lines = [f"{self.option:>{wide}}  empirical  {'structural  ' if told else ''}expected   ({self.loss} loss)"]
        for at, value in enumerate(self.values):
            shown = f"{value:.4g}" if isinstance(value, float) else str(value)
            middle = f"{self.structural[at]:10.4g}  " if self.structural is not None else ""
            mark = " best" if at == self._best else " simplest within an error" if at == self._simplest else ""
            expected = f"{self.means[at]:8.4g} ± {self.errors[at]:.2g}"
            lines.append(f"{shown:>{wide}}  {self.empirical[at]:9.4g}  {middle}{expected}{mark}")
        return "\n".join([*lines, self.words])


def structural_risk(
    model: Any,
    X: Any,
    y: Any,
    strengths: Iterable[Any] | None = None,
    option: str | None = None,
    loss: str | None = None,
    folds: Any = 5,
    seed: int = 0,
    weights: Any = None,
    tick: Callable[[], object] | None = None,
) -> StructuralRisk:
    """The risks of a model along the values of an option that makes it simpler or richer, as the strength of a penalty.

    `option` is its name (unless said the first that the model has of "strength", "alpha", "C", "degree", "max_depth",
    ...), and `strengths` are its values, in order of complexity, either way. The empirical risk is that of a copy that
    learnt from all rows, on them; the expected one is by `folds`. `tick` is called values · (folds + 1) times.

    >>> from sklearn.linear_model import Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0.1, 0.9, 2.1, 2.9, 4.2, 4.8]
    >>> structural_risk(Ridge(), X, y, [0.01, 100.0], folds=3).best
    0.01
    """
    from sklearn.base import clone

    rows = read_judged(model, X, y, weights)
    chosen = read_loss_of(rows, loss)
    name = read_option(model, option)
    values = read_values(name, strengths)
    fold = deal(rows.codes, folds, seed)
    empirical, penalty, expected = [], [], []
    for value in values:
        set_so = clone(model, safe=False).set_params(**{name: value})
        learnt = rows.teach(set_so)
        empirical.append(rows.risk(rows.ask(learnt), chosen))
        penalty.append(_penalty(learnt) if chosen == rows.losses[0] else np.nan)
        if tick is not None:
            tick()
        expected.append(risks_by_fold(set_so, rows, fold, chosen, tick))
    told = None if np.isnan(penalty).any() else np.array(penalty)
    return StructuralRisk(name, values, chosen, np.array(empirical), np.array(expected), told)


def _penalty(learnt: Any) -> float:
    """What a model, or the last step of a pipeline, adds to its mean loss; NaN where it does not say."""
    last = learnt.steps[-1][1] if hasattr(learnt, "steps") else learnt
    return float(last.penalty_value()) if hasattr(last, "penalty_value") else float("nan")
