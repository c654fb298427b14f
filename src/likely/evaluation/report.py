"""Everything that is worth knowing about predicted probabilities, in one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import entr

from likely.core.numerics import Array
from likely.core.schema import Level
from likely.data.targets.class_lists import read_positive
from likely.data.targets.probabilities import read_scores
from likely.decisions.risk import expected_error
from likely.evaluation.curves.calibration import Calibration, calibration_of
from likely.evaluation.curves.confusion import Confusion, confusion_of
from likely.evaluation.curves.precision_recall import PrecisionRecall, precision_along
from likely.evaluation.curves.roc import Roc, Rocs, prior_free, roc_along, rocs_along
from likely.evaluation.curves.thresholds import pooled, walk
from likely.evaluation.log_odds import log_odds
from likely.evaluation.predictions import Predictions
from likely.evaluation.rows.evaluation_rows import log_probabilities, read_fitted
from likely.evaluation.scores import Brier, accuracy_of, brier_parts_of, log_loss_of, wilson
from likely.evaluation.skill import flattery
from likely.output.draw import Drawn
from likely.output.jsonable import Written, to_jsonable
from likely.output.notebook import html_table

Precisions = PrecisionRecall | Mapping[Level, PrecisionRecall] | None
Curves = tuple[Roc | Rocs | None, Precisions]


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Written, Drawn):
    """Scores and curves of the predictions of `rows` rows; `notes` say what is undefined or infinite, and why.

    With a positive class, or two classes, `roc` and `precision_recall` are of that class (of two the second); else
    they map each class to its curve against the rest. `roc` is None where every row is of one class.
    `impossible` are the rows whose true class was given probability 0, which makes the log loss infinite. `baseline` is
    what always predicting the shares of the classes in these rows scores, `skill` the share of its log loss saved.
    `about` names the model and the target, where they are known.
    `plot` draws ROC, precision-recall, calibration and confusion on one page.

    >>> from likely.evaluation import evaluate
    >>> y, proba = list("aabb"), [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]]
    >>> found = evaluate(y, proba, ["a", "b"])
    >>> found.accuracy, round(found.log_loss, 4)
    (0.75, 0.5108)
    """

    rows: int
    classes: tuple[Level, ...]
    positive: Level | None
    accuracy: float
    accuracy_interval: tuple[float, float]
    log_loss: float
    impossible: Array
    brier: Brier
    roc: Roc | Rocs | None
    precision_recall: Precisions
    confusion: Confusion
    calibration: Calibration
    bayes_error: float
    notes: tuple[str, ...]
    about: str = ""
    _picture = "evaluation"

    @property
    def baseline(self) -> dict[str, float]:
        """The accuracy and log loss of always predicting the shares of the classes in these rows."""
        shares = self.confusion.matrix.sum(axis=1) / self.confusion.matrix.sum()
        return {"accuracy": float(shares.max()), "log_loss": float(entr(shares).sum())}

    @property
    def skill(self) -> float:
        """The share of the baseline's log loss that is saved: 1 at best, 0 for the baseline, below 0 if worse."""
        loss = self.baseline["log_loss"]
        return 1.0 - self.log_loss / loss if loss else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """The scores and curves as plain data; of several classes a list of curves.

        >>> from likely.evaluation import evaluate
        >>> found = evaluate(list("aabb"), [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]], ["a", "b"]).to_dict()
        >>> found["accuracy"], found["confusion"]["matrix"]
        (0.75, [[2, 0], [1, 1]])
        """
        curves = self.precision_recall
        listed = [curve.to_dict() for curve in curves.values()] if isinstance(curves, Mapping) else None
        more = {"baseline": self.baseline, "skill": to_jsonable(self.skill)}
        return super().to_dict() | more | ({} if listed is None else {"precision_recall": listed})

    def _page(self) -> Any:
        """One row of all scores; the curves and the confusion are frames of their own."""
        page = self.to_dict()
        curves = {"roc", "precision_recall", "confusion", "calibration", "classes", "impossible", "notes"}
        return {name: one for name, one in page.items() if name not in curves}

    def _html(self) -> str:
        pairs = [(name.strip(), value) for name, value in self._table() if value]
        columns = {"score": [name for name, _ in pairs], "value": [value for _, value in pairs]}
        return html_table(columns, f"Evaluation{f' of {self.about}' if self.about else ''}", self.notes)

    def __repr__(self) -> str:
        lines = [f"{name:<18}{value}" for name, value in self._table() if value]
        return "\n".join([*lines, "", repr(self.confusion), *(f"note: {note}" for note in self.notes)])

    def _table(self) -> list[tuple[str, str]]:
        low, high = self.accuracy_interval
        parts, baseline = self.brier, self.baseline
        always = f"accuracy {baseline['accuracy']:.4f}, log loss {baseline['log_loss']:.4f}"
        found = ("average precision", _average(self.precision_recall))
        rare = bool(flattery(self.classes, self.confusion.matrix.sum(axis=1)))
        known = self.skill == self.skill
        return [
            ("rows", f"{self.rows:,}"),
            ("positive class", "" if self.positive is None else str(self.positive)),
            *([found, ("recall", self._recall())] if rare else []),
            ("accuracy", f"{self.accuracy:.4f}  [{low:.4f}, {high:.4f}]"),
            ("log loss", f"{self.log_loss:.4f}"),
            ("baseline", f"{always}: shares of the classes" if known else ""),
            ("skill", f"{self.skill:.4f} of the baseline's log loss is saved" if known else ""),
            ("Brier score", f"{parts.score:.4f}"),
            ("  reliability", f"{parts.reliability:.4f}  resolution {parts.resolution:.4f}"),
            ("  uncertainty", f"{parts.uncertainty:.4f}  within bins {parts.within:.4f}"),
            ("area under ROC", _area(self.roc)),
            *([] if rare else [found]),
            ("calibration error", f"{self.calibration.ece:.4f} mean, {self.calibration.mce:.4f} at worst"),
            ("kappa", f"{self.confusion.kappa:.4f}"),
            ("expected error", f"{self.bayes_error:.4f}  if the probabilities are right"),
        ]

    def _recall(self) -> str:
        """The recall of the positive class, or its mean over the classes."""
        recall = self.confusion.recall
        if self.positive is None:
            return f"{np.nanmean(recall):.4f} macro"
        return f"{recall[self.classes.index(self.positive)]:.4f}"


def evaluate(
    y: Any,
    proba: Any,
    classes: Any,
    scores: Any = None,
    positive: Any = None,
    weights: Any = None,
    log_proba: Any = None,
) -> Evaluation:
    """The scores and curves of proba (rows, classes) for the true classes y (rows,).

    `log_proba` (rows, classes) gives the log loss of probabilities too small for a double, and draws the curves, since
    probabilities pile up at 0 and 1; `scores` (rows, classes), or (rows,) for one positive class, draw them instead.

    >>> result = evaluate(["n", "y", "n", "y"], [[0.9, 0.1], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]], ["n", "y"])
    >>> result.accuracy, result.roc.auc, round(result.log_loss, 4)
    (0.75, 0.875, 0.4723)
    """
    forecasts = Predictions.read(y, proba, classes, weights, log_proba)
    known, codes, given = forecasts.classes, forecasts.codes, forecasts.weights
    at = read_positive(positive, known) if positive is not None or len(known) == 2 else None
    judged = None if at is None else known[at]
    if scores is None:
        scores = proba if log_proba is None else log_odds(np.asarray(log_proba, dtype=np.float64))
    curves, notes = _curves(forecasts, scores, at)
    accuracy = accuracy_of(forecasts)
    low, high = wilson(accuracy, len(codes) if given is None else given.sum())
    notes += forecasts.notes
    flatters = flattery(known, np.bincount(codes, given, minlength=len(known)))
    notes += [flatters] if flatters else []
    if given is not None and given.sum() < np.count_nonzero(given) / 2:
        notes.append(
            f"the weights of {np.count_nonzero(given)} rows sum to {given.sum():.3g}, and intervals count them as so "
            "many rows: scale them to the rows that they stand for"
        )
    return Evaluation(
        len(codes),
        known,
        judged,
        accuracy,
        (float(low), float(high)),
        log_loss_of(forecasts),
        forecasts.impossible,
        brier_parts_of(forecasts),
        *curves,
        confusion_of(codes, forecasts.decided, known, given),
        calibration_of(forecasts, positive=judged),
        expected_error(forecasts.proba, given),
        tuple(notes),
    )


def evaluate_model(model: Any, X: Any, y: Any, positive: Any = None, weights: Any = None) -> Evaluation:
    """The scores and curves of a fitted model on rows X of the classes y.

    The curves are of the model's `evidence`: of two classes it is free of its priors, where it has likelihoods.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [1.5], [2.5], [5.0], [6.0], [5.5], [1.7]], list("aaaabbbb")
    >>> model = likely.NaiveBayes().fit(X, y)
    >>> likely.evaluation.evaluate_model(model, X, y).accuracy
    0.875
    """
    classes, scores, logs = read_fitted(model), prior_free(model, X), log_probabilities(model, X)
    found = evaluate(y, model.predict_proba(X), classes, scores, positive, weights, logs)
    return replace(found, about=about(model))


def about(model: Any) -> str:
    """A model and its target by name; a target that nobody named is not told.

    >>> import likely
    >>> about(likely.NaiveBayes().fit([[1.0], [2.0], [4.0], [5.0]], ["a", "a", "b", "b"]))
    'NaiveBayes'
    """
    inner = getattr(model, "model", model)
    target = getattr(getattr(getattr(inner, "model_", None), "schema", None), "target", None)
    name = type(inner).__name__
    return name if target is None or target.name == "y" else f"{name} of {target.name}"


def _curves(forecasts: Predictions, scores: Any, at: int | None) -> tuple[Curves, list[str]]:
    """The ROC and precision-recall curves of one class, or of each against the rest; and why one is not there."""
    codes, classes, weights = forecasts.codes, forecasts.classes, forecasts.weights
    drawn = read_scores(scores, _shape(scores, forecasts, at))
    if at is not None:
        steps = walk(codes == at, drawn if drawn.ndim == 1 else drawn[:, at], weights)
        positives, negatives = steps.totals
        precision = precision_along(steps, classes[at]) if positives else None
        if positives and negatives:
            return (roc_along(steps, classes[at]), precision), []
        return (None, precision), [f"no ROC curve: {'every' if positives else 'no'} row is {classes[at]!r}"]
    walks = [walk(codes == one, drawn[:, one], weights) for one in range(len(classes))]
    met = {level: steps for level, steps in zip(classes, walks, strict=True) if steps.totals[0]}
    precisions = {level: precision_along(steps, level) for level, steps in met.items()}
    if len(met) == 1:
        return (None, precisions), [f"no ROC curves: every row is {next(iter(met))!r}"]
    absent = ", ".join(repr(level) for level in classes if level not in met)
    notes = [f"no curves where no row is of the class: {absent}"] if absent else []
    return (rocs_along(walks, classes, pooled(codes, drawn, weights)), precisions), notes


def _shape(scores: Any, forecasts: Predictions, at: int | None) -> tuple[int, ...]:
    """What the scores must be like: one a row will do where one class is positive."""
    return forecasts.codes.shape if at is not None and np.ndim(scores) == 1 else forecasts.proba.shape


def _area(curve: Roc | Rocs | None) -> str:
    if curve is None:
        return ""
    if isinstance(curve, Rocs):
        return f"{curve.macro:.4f} macro, {curve.weighted:.4f} weighted, {curve.micro:.4f} micro"
    low, high = curve.interval()
    return f"{curve.auc:.4f}  [{low:.4f}, {high:.4f}]"


def _average(curves: Precisions) -> str:
    if curves is None:
        return ""
    if isinstance(curves, PrecisionRecall):
        return f"{curves.average_precision:.4f}"
    return f"{np.mean([curve.average_precision for curve in curves.values()]):.4f} macro"
