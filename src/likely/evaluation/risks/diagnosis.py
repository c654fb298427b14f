"""Under-fitting, over-fitting or fine: the risks of a model in four fields, its learning curve, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.evaluation.folds.cross_validation import never_learnt
from likely.evaluation.risks.complexity import KNOWN_OPTIONS, advice, options_of
from likely.evaluation.risks.learning_curve import LearningCurve, learning_curve
from likely.output.draw import Drawn
from likely.output.jsonable import Written

# Empirical risk, then expected risk: what each of the four fields is called.
FIELDS = {
    ("small", "small"): "generalises well",
    ("small", "large"): "over-fitting",
    ("large", "small"): "luck",
    ("large", "large"): "under-fitting",
}


@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis(Written, Drawn):
    """The learning curve of a model, by name, and `ways` to change its options for the better.

    `empirical` and `expected` are the mean losses of models of the most rows, on those rows and on others. They are
    small or large beside what a random forest reaches on rows that it has not seen, by more than chance and more than a
    tenth of what guessing costs. `plot` draws the learning curve beside the four fields.

    >>> import likely
    >>> X, y = [[value] for value in [1.0, 2.0, 1.5, 2.5, 5.0, 6.0, 5.5, 6.5]], list("aaaabbbb")
    >>> found = likely.evaluation.diagnose(likely.NaiveBayes(), X, y, sizes=[4], folds=2)
    >>> found.model, found.verdict, found.field
    ('NaiveBayes', 'fine', ('small', 'small'))
    """

    model: str
    curve: LearningCurve
    ways: tuple[str, ...] = ()
    option: str | None = None
    _picture = "diagnosis"
    _written = ("model", "verdict", "field", "empirical", "expected", "option", "ways", "next", "words", "curve")

    @property
    def verdict(self) -> str:
        """'over-fitting', 'under-fitting' or 'fine'."""
        return self.curve.verdict

    @property
    def empirical(self) -> float:
        return self.curve.risks[0]

    @property
    def expected(self) -> float:
        return self.curve.risks[1]

    @property
    def field(self) -> tuple[str, str]:
        """Whether the empirical risk and the expected risk are 'small' or 'large': a key of `FIELDS`."""
        if self.curve.lucky:
            return ("large", "small")
        return {"over-fitting": ("small", "large"), "under-fitting": ("large", "large")}.get(
            self.verdict, ("small", "small")
        )

    @property
    def next(self) -> str:
        """What to do, by the names of the model's options."""
        if self.curve.lucky:
            return (
                "The rows held out were easier than those learnt from: that is luck, or the folds are not alike. "
                "Deal other ones (seed=) before you believe it."
            )
        if self.curve.unsure:
            return "The expected risk is larger, but the folds disagree on it: use more rows or folds to be sure."
        if not np.isfinite(self.expected) and self.curve.unlearnt:
            return "Deal folds that hold out no class whole."
        if self.verdict == "fine":
            return "More rows would still help." if self.curve.still_falling else "Nothing needs to change."
        said = [f"For this {self.model}: {'; or '.join(self.ways)}."]
        if self.option is not None:
            said.append(f"structural_risk(model, X, y, option={self.option!r}) tries values of it.")
        return " ".join([*said, *(["More rows would still help."] if self.curve.still_falling else [])])

    @property
    def words(self) -> str:
        """What was seen, and what to do."""
        never = [never_learnt(self.curve.unlearnt)] if self.curve.unlearnt else []
        return " ".join([self.curve.finding, self.next, *never])

    def __repr__(self) -> str:
        told = self.curve.told
        lines = [
            f"{self.model}: {self.verdict}  ({self.curve.loss} loss, {self.curve.folds} folds)",
            f"  {'':<28}{'expected risk small':<22}expected risk large",
        ]
        for row in ("small", "large"):
            fields = [self._shown(row, column) for column in ("small", "large")]
            lines.append(f"  empirical risk {row:<13}{fields[0]:<22}{fields[1]}")
        seen = f"empirical {told(self.empirical)}, expected {told(self.expected)}"
        beside = f"a random forest {told(self.curve.risks[2])}, guessing {told(self.curve.guess)}"
        return "\n".join([*lines, f"  {seen}; beside them {beside}", self.words])

    def _shown(self, row: str, column: str) -> str:
        name = FIELDS[row, column]
        return f"[{name}]" if self.field == (row, column) else f" {name}"


def diagnose(
    model: Any,
    X: Any,
    y: Any,
    loss: str | None = None,
    sizes: Sequence[int] | None = None,
    folds: Any = 5,
    seed: int = 0,
    weights: Any = None,
    tick: Callable[[], object] | None = None,
) -> Diagnosis:
    """Whether a model under-fits, over-fits or is fine, and which of its options to change; it is left as it is.

    `loss` is "log" (unless said), "zero-one" or "brier" of a classifier, "squared" (unless said) or "absolute" of a
    regressor; `sizes`, `folds` and `tick` are those of `learning_curve`.

    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> diagnose(LinearRegression(), X, (X**2).sum(axis=1), sizes=[80, 160]).verdict
    'under-fitting'
    """
    curve = learning_curve(model, X, y, sizes, folds, seed, loss, tick, weights)
    ways = () if curve.verdict == "fine" else advice(model, simpler=curve.verdict == "over-fitting")
    tried = [
        each.name for each in options_of(model) if KNOWN_OPTIONS[each.key][2] and any(each.name in way for way in ways)
    ]
    return Diagnosis(_name(model), curve, ways, tried[0] if tried else None)


def _name(model: Any) -> str:
    """The class of a model, or of the last step of a pipeline."""
    return type(model.steps[-1][1] if hasattr(model, "steps") else model).__name__
