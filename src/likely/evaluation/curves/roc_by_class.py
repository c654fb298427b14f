"""One ROC curve for each class against the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.schema import Level
from likely.data.targets.class_lists import read_classes, read_positive
from likely.data.targets.label_codes import read_codes
from likely.data.targets.probabilities import read_scores
from likely.data.weights import read_weights
from likely.errors import OptionError
from likely.evaluation.curves.roc import Roc, evidence, roc, roc_along
from likely.evaluation.curves.thresholds import Walk, pooled, walk
from likely.evaluation.rows.labelled_rows import read_fitted
from likely.output.draw import draw
from likely.output.jsonable import to_jsonable


@dataclass(frozen=True, eq=False, repr=False)
class Rocs(Mapping[Level, Roc]):
    """One curve for each class against the rest, and averages of their areas.

    macro: the plain mean; weighted: by the rows of each class; micro: of all rows of all curves thrown together.
    `undefined` are the classes without a curve, as no row, or every row, is theirs; macro and weighted leave them out.
    """

    curves: Mapping[Level, Roc]
    macro: float
    weighted: float
    micro: float
    undefined: tuple[Level, ...] = ()

    def __getitem__(self, level: Level) -> Roc:
        return self.curves[level]

    def __iter__(self) -> Iterator[Level]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    def plot(self, **options: Any) -> Any:
        """A matplotlib Figure of all curves."""
        return draw("roc", self, **options)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        page = {name: getattr(self, name) for name in ("macro", "weighted", "micro", "undefined")}
        return {**to_jsonable(page), "curves": [curve.to_dict() for curve in self.values()]}

    def __repr__(self) -> str:
        areas = ", ".join(f"{level!r}: {curve.auc:.4f}" for level, curve in self.items())
        means = f"macro={self.macro:.4f}, weighted={self.weighted:.4f}, micro={self.micro:.4f}"
        return f"Rocs({{{areas}}}, {means})"


def rocs(y: Any, scores: Any, classes: Any, weights: Any = None) -> Rocs:
    """The ROC curves of scores (rows, classes), each class against the rest.

    >>> curves = rocs(["a", "b", "c"], np.eye(3), ["a", "b", "c"])
    >>> curves["a"].auc, curves.macro
    (1.0, 1.0)
    """
    levels = read_classes(classes)
    codes = read_codes(y, levels)
    values, given = read_scores(scores, (len(codes), len(levels))), read_weights(weights, len(codes))
    steps = [walk(codes == at, values[:, at], given) for at in range(len(levels))]
    return rocs_along(steps, levels, pooled(codes, values, given))


def rocs_along(steps: Sequence[Walk], classes: tuple[Level, ...], together: Walk) -> Rocs:
    """The curves along the walks of each class and, for the micro average, of all classes together."""
    curves = {level: roc_along(one, level) for level, one in zip(classes, steps, strict=True) if all(one.totals)}
    if not curves:
        hint = "a ROC curve needs rows of at least two classes"
        raise OptionError("O330", "every row is of the same class", place="y", hint=hint)
    areas = np.array([curve.auc for curve in curves.values()])
    rows = np.array([curve.positives for curve in curves.values()])
    micro = roc_along(together, "any class").auc
    undefined = tuple(level for level in classes if level not in curves)
    return Rocs(curves, float(areas.mean()), float(areas @ (rows / rows.sum())), micro, undefined)


def roc_of(model: Any, X: Any, y: Any, positive: Any = None, weights: Any = None) -> Roc | Rocs:
    """The ROC curve of a fitted model on rows X of the classes y: of `positive`, else of the second class of two.

    With more classes and none named, each class against the rest.
    """
    classes = read_fitted(model)
    scores = evidence(model, X)
    if positive is None and len(classes) != 2:
        return rocs(y, scores, classes, weights)
    at = read_positive(positive, classes)
    return roc(y, scores[:, at], classes[at], weights)
