"""What a model is worth over its baseline, which knows no column: the shares of the classes, or the mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.core.schema import Level
from likely.data.weights import weighted_mean
from likely.evaluation.curves.precision_recall import precision_along
from likely.evaluation.curves.thresholds import walk
from likely.evaluation.log_odds import log_odds
from likely.evaluation.predictions import Predictions
from likely.evaluation.rows.evaluation_rows import Measured
from likely.evaluation.scores import accuracy_of, log_loss_of
from likely.output.jsonable import Written

FLATTERING_SHARE = 0.8  # of the commonest class: from here on accuracy flatters
FOUND = "average precision and recall tell whether the others are found, recall by deciding for the likeliest class"


@dataclass(frozen=True)
class Skill(Written):
    """Scores, those of the baseline on the same rows, and `skill`, the share of the baseline's loss that is saved.

    The loss is log loss of classes and squared error of numbers, so that skill is 1 at best, 0 for the baseline, and
    below 0 for what is worse. Of two classes, `average_precision` and `recall` are those of the rarer one, `positive`;
    of more their means over the classes. `flattery` says why accuracy flatters, where it does.
    """

    scores: Mapping[str, float]
    baseline: Mapping[str, float]
    skill: float
    positive: Level | None = None
    flattery: str = ""


def skill_of_classes(forecasts: Predictions, log_shares: Floats) -> Skill:
    """The skill of predictions over always predicting the shares, (classes,) or (rows, classes), as logs.

    >>> proba = np.array([[0.8, 0.2], [0.6, 0.4], [0.3, 0.7]])
    >>> found = skill_of_classes(Predictions.read(["a", "a", "b"], proba, ["a", "b"]), np.log([2 / 3, 1 / 3]))
    >>> found.positive, found.scores["recall"], round(found.skill, 3)
    ('b', 1.0, 0.429)
    """
    rows, size = len(forecasts.codes), len(forecasts.classes)
    logs = np.broadcast_to(log_shares, (rows, size))
    shares = Predictions(forecasts.codes, np.exp(logs), forecasts.classes, forecasts.weights, logs)
    mass = np.bincount(forecasts.codes, forecasts.weights, minlength=size)
    rarer = size - 1 - int(mass[::-1].argmin()) if size == 2 else None
    at = range(size) if rarer is None else [rarer]
    precision, recall = _precision_and_recall(forecasts, [one for one in at if mass[one]])
    scores = {
        "accuracy": accuracy_of(forecasts),
        "log_loss": log_loss_of(forecasts),
        "average_precision": precision,
        "recall": recall,
    }
    chance = float(np.mean([mass[one] for one in at if mass[one]] or [np.nan]) / mass.sum())
    baseline = {"accuracy": accuracy_of(shares), "log_loss": log_loss_of(shares), "average_precision": chance}
    return Skill(
        scores,
        baseline,
        _saved(scores["log_loss"], baseline["log_loss"]),
        None if rarer is None else forecasts.classes[rarer],
        flattery(forecasts.classes, mass),
    )


def flattery(classes: Any, mass: Array, better: str = FOUND) -> str:
    """Why accuracy flatters, given the weight of the rows of each class, and what tells more; "" if not."""
    most = int(mass.argmax())
    share = mass[most] / mass.sum()
    if len(classes) < 2 or not FLATTERING_SHARE <= share < 1:
        return ""
    always = f"so that always saying so is right on {share:.1%}"
    return f"accuracy flatters here: {share:.1%} of the rows are {classes[most]!r}, {always}; {better}"


def _precision_and_recall(forecasts: Predictions, at: list[int]) -> tuple[float, float]:
    """The mean average precision and recall of some classes."""
    if not at:
        return float("nan"), float("nan")
    logs = log(forecasts.proba) if forecasts.log_proba is None else forecasts.log_proba
    odds, decided = log_odds(np.asarray(logs)), forecasts.decided
    found = []
    for one in at:
        hits = forecasts.codes == one
        curve = precision_along(walk(hits, odds[:, one], forecasts.weights), forecasts.classes[one])
        weights = None if forecasts.weights is None else forecasts.weights[hits]
        found.append((curve.average_precision, weighted_mean(decided[hits] == one, weights)))
    precision, recall = np.mean(found, axis=0).tolist()
    return precision, recall


def skill_of_amounts(rows: Measured, said: Floats, guess: Floats | float) -> Skill:
    """The skill of predictions of numbers over a constant, such as the mean of the rows that were learnt.

    >>> rows = Measured.read([[0.0]] * 3, [1.0, 2.0, 3.0])
    >>> skill_of_amounts(rows, np.array([1.0, 2.0, 2.0]), 2.0).skill
    0.5
    """
    found, constant = rows.scores(said), rows.scores(np.broadcast_to(np.asarray(guess, dtype=np.float64), len(rows)))
    names = {"r2": "r2", "rmse": "rmse", "mae": "absolute"}
    scores, baseline = ({own: one[name] for own, name in names.items()} for one in (found, constant))
    return Skill(scores, baseline, _saved(found["squared"], constant["squared"]))


def _saved(loss: float, baseline: float) -> float:
    return float("nan") if not baseline else 1.0 - loss / baseline
