"""How good the model is on rows that it has not seen: scores with intervals, ROC, calibration, confusion."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.errors import LikelyError
from likely.evaluation.curves.calibration import calibration_of
from likely.evaluation.curves.roc import Roc, roc
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.log_odds import log_odds
from likely.evaluation.predictions import Predictions
from likely.evaluation.recalibration.recalibration import FOLDS_OF_MAPS, bent
from likely.evaluation.regression_scores import evaluation_of
from likely.evaluation.report import Evaluation, evaluate
from likely.evaluation.scores import log_loss_of
from likely.report.content.subject import Subject

NORMAL_QUANTILE = 1.959963984540054  # of 97.5 %: two-sided 95 %
MOST_CURVES = 12  # classes with a curve of their own
MOST_CONFUSED = 30  # classes of a matrix, else pairs of classes
CURVE_POINTS = 400  # of a curve: of more, the corners of its hull and others evenly along it
METHOD = "platt"  # of recalibration
FARTHEST_ODDS = 700.0  # log odds: what is farther is as good as certain


def evaluation(subject: Subject) -> Evaluation:
    """The evaluation of what was said of all rows."""
    rows: Any = subject.rows
    return evaluate(rows.y, np.exp(subject.said), rows.classes, None, None, rows.weights, subject.said)


def performance(subject: Subject, told: Evaluation) -> dict[str, Any]:
    """Scores with 95 % intervals, beside those of a baseline that knows no column."""
    rows: Any = subject.rows
    at = np.arange(len(rows))
    losses = -subject.said[at, rows.codes]
    off = np.exp(subject.said) - np.eye(len(rows.classes))[rows.codes]
    squares = ((off[:, 1:] if len(rows.classes) == 2 else off) ** 2).sum(axis=1)  # of two, the second says all
    area = told.roc.auc if isinstance(told.roc, Roc) else None if told.roc is None else told.roc.macro
    return {
        "method": subject.method,
        "folds": subject.folds,
        "exact": subject.exact,
        "rows": told.rows,
        "chosen_among": 0 if subject.comparison is None else len(subject.comparison.rows),
        "scores": [
            _score("accuracy", told.accuracy, told.accuracy_interval, told.baseline["accuracy"]),
            _score("log_loss", told.log_loss, mean_interval(losses), told.baseline["log_loss"]),
            _score("brier", told.brier.score, mean_interval(squares), _brier_of_shares(rows)),
            _score("auc", area, told.roc.interval() if isinstance(told.roc, Roc) else None, 0.5),
            _score("calibration_error", told.calibration.ece, None, None),
        ],
        "skill": told.skill,
        "impossible": len(told.impossible),
        "notes": [*told.notes, *subject.notes],
    }


def _score(name: str, value: float | None, interval: Any, baseline: float | None) -> dict[str, Any]:
    return {
        "name": name,
        "value": value,
        "interval": None if interval is None else list(interval),
        "baseline": baseline,
    }


def _brier_of_shares(rows: Any) -> float:
    shares = np.bincount(rows.codes, minlength=len(rows.classes)) / len(rows)
    return float(1 - (shares**2).sum()) / (2 if len(shares) == 2 else 1)


def mean_interval(values: Floats) -> tuple[float, float] | None:
    """A 95 % interval of the mean of values (rows,); None where there is no such thing."""
    if len(values) < 2 or not np.isfinite(values).all():
        return None
    half = NORMAL_QUANTILE * values.std(ddof=1) / np.sqrt(len(values))
    return max(float(values.mean() - half), 0.0), float(values.mean() + half)


def roc_curves(subject: Subject) -> dict[str, Any]:
    """The curve of each class against the rest (of two classes, of both), by rows, with thresholds in log odds.

    `prior_log_odds` is what the model believed before any column, so that another prior can be put in its place.
    """
    rows: Any = subject.rows
    odds = np.clip(log_odds(subject.said), -FARTHEST_ODDS, FARTHEST_ODDS)
    counts = np.bincount(rows.codes, minlength=len(rows.classes))
    held: Any = getattr(subject.model, "model_", None)
    own = np.exp(held.log_prior) if getattr(held, "log_prior", None) is not None else counts / counts.sum()
    if len(own) != len(counts) or not ((own > 0) & (own < 1)).all():
        own = counts / counts.sum()
    order = np.argsort(-counts, kind="stable")[:MOST_CURVES] if len(counts) > 2 else np.array([1, 0])
    found = []
    for at in order.tolist():
        if 0 < counts[at] < len(rows):
            curve = roc(rows.y, odds[:, at], rows.classes[at])
            found.append(_curve(curve, len(rows), float(np.log(own[at]) - np.log1p(-own[at]))))
    return {"classes": found, "omitted": max(len(counts) - MOST_CURVES, 0)}


def _curve(curve: Roc, rows: int, prior: float) -> dict[str, Any]:
    keep = np.arange(len(curve.thresholds))
    if len(keep) > CURVE_POINTS:
        corners = np.searchsorted(-curve.thresholds, -curve.convex_hull().thresholds)
        keep = np.unique(np.concatenate([corners, np.linspace(0, len(keep) - 1, CURVE_POINTS).round().astype(int)]))
    positives, negatives = round(curve.positives), round(curve.negatives)
    return {
        "class": curve.positive,
        "positives": positives,
        "negatives": negatives,
        "auc": curve.auc,
        "interval": list(curve.interval()),
        "prior_log_odds": prior,
        "false_positives": np.rint(curve.false_positive_rate[keep] * negatives).astype(int).tolist(),
        "true_positives": np.rint(curve.true_positive_rate[keep] * positives).astype(int).tolist(),
        "log_odds": [None if not np.isfinite(one) else round(float(one), 6) for one in curve.thresholds[keep]],
    }


def calibration(subject: Subject, told: Evaluation) -> dict[str, Any]:
    """Predicted probability against what happened, as the model is and after Platt's map of other rows bends it."""
    rows: Any = subject.rows
    fold = deal(rows.codes, min(FOLDS_OF_MAPS, len(rows)), 0)
    found = {"before": told.calibration.to_dict(), "log_loss_before": told.log_loss}
    try:
        logs = bent(METHOD, subject.said, rows, fold)
    except LikelyError as error:
        return {**found, "after": None, "reason": error.message}
    after = Predictions(rows.codes, np.exp(logs), rows.classes, rows.weights, logs)
    curve = calibration_of(after, positive=told.calibration.positive)
    return {**found, "after": curve.to_dict(), "method": METHOD, "log_loss_after": log_loss_of(after)}


def confusion(told: Evaluation) -> dict[str, Any]:
    """Rows by true and predicted class, as people read the classes; of very many, the commonest mistakes alone."""
    found = told.confusion.as_read()
    if len(found.classes) <= MOST_CONFUSED:
        return found.to_dict()
    wrong = found.square.copy()
    np.fill_diagonal(wrong, 0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_CONFUSED]
    names, pages = list(map(str, found.classes)), []
    for at in order.tolist():
        true, said = divmod(at, len(names))
        if wrong[true, said]:
            pages.append({"true": names[true], "predicted": names[said], "rows": float(wrong[true, said])})
    return {"pairs": pages, "accuracy": found.accuracy, "kappa": found.kappa}


def regression_performance(subject: Subject) -> dict[str, Any]:
    """Errors in the units of the target beside those of the mean, and what was predicted of each row."""
    rows: Any = subject.rows
    told = evaluation_of(rows, subject.said)
    off = subject.said - rows.y
    squares = mean_interval(off**2)
    keep = np.linspace(0, len(off) - 1, min(len(off), CURVE_POINTS)).round().astype(int)
    return {
        "method": subject.method,
        "folds": subject.folds,
        "exact": subject.exact,
        "rows": told.rows,
        "chosen_among": 0 if subject.comparison is None else len(subject.comparison.rows),
        "scores": [
            _score("r2", told.r2, None, 0.0),
            _score("rmse", told.rmse, None if squares is None else np.sqrt(squares).tolist(), told.baseline),
            _score("mae", told.mae, mean_interval(np.abs(off)), float(np.abs(rows.y - rows.y.mean()).mean())),
            _score("bias", told.bias, None, None),
        ],
        "points": [[float(rows.y[at]), float(subject.said[at])] for at in keep],
        "skill": told.r2,
        "notes": list(told.notes),
    }
