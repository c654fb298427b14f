"""How good a model is, judged on the rows that taught it by models that never saw them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from likely.cli.terminal.session import Session

MOST_ROWS_JUDGED = 100_000  # rows up to which a model is judged at once
MOST_FOLDS = 10


@dataclass(frozen=True)
class HeldOutScores:
    """`way` is leave_one_out, cross_validation or out_of_bag; `words` say what that means."""

    way: str
    scores: dict[str, float]
    words: str

    def line(self) -> str:
        """The scores and how they were had, on one line."""
        names = {"log_loss": "log loss", "r2": "R²", "rmse": "root mean square error", "mae": "absolute error"}
        form = ".4g" if "r2" in self.scores else ".3f"
        told = ", ".join(f"{names.get(name, name)} {value:{form}}" for name, value in self.scores.items())
        return f"{told}: {self.words}"


def judge(
    session: Session, fitted: Any, source: Any, target: str, weight: str | None, moved: bool = False
) -> HeldOutScores | None:
    """What models that never saw a row say of it, where that does not take long; `moved`: its priors are others."""
    if not 1 < fitted.model_.rows.sum() <= MOST_ROWS_JUDGED:
        return None
    if hasattr(fitted, "leave_one_out"):
        return _left_out(session, fitted, replace(source, weight=weight))
    if hasattr(fitted, "oob_error_"):
        found = _out_of_bag(fitted, replace(source, weight=weight))
    else:
        found = _by_folds(session, fitted, source, target, weight)
    return replace(found, words=f"{found.words}, before its class priors were moved") if found and moved else found


def _left_out(session: Session, fitted: Any, source: Any) -> HeldOutScores:
    from likely.estimators.streams import left_out, watched

    with session.watch("leaving one out") as tick:
        said = left_out(fitted, watched(source, tick))
    return _of_classes(fitted, "leave_one_out", "by the model that never saw it (leave-one-out, exact)", *said)


def _out_of_bag(fitted: Any, source: Any) -> HeldOutScores | None:
    from likely.estimators.streams import out_of_bag

    cells, log_proba, weights = out_of_bag(fitted, source)
    if not len(cells):
        return None
    return _of_classes(fitted, "out_of_bag", "by the members that never saw it (out of bag)", cells, log_proba, weights)


def _of_classes(fitted: Any, way: str, words: str, cells: Any, log_proba: Any, weights: Any) -> HeldOutScores:
    """The scores of log probabilities, since probabilities may be too small for a double; why, if one is infinite."""
    import numpy as np

    from likely.evaluation.predictions import Predictions
    from likely.evaluation.scores import accuracy_of, log_loss_of

    forecasts = Predictions.read(fitted.classes_[cells], np.exp(log_proba), fitted.classes_, weights, log_proba)
    scores = {"accuracy": accuracy_of(forecasts), "log_loss": log_loss_of(forecasts)}
    return HeldOutScores(way, scores, "; ".join([f"every row judged {words}", *forecasts.notes]))


def validated(
    model: Any, rows: Any, y: Any, seed: int, weights: Any = None, tick: Callable[[], object] | None = None
) -> Any:
    """What models that never saw a row say of it, by folds; the model of all rows has warned of what they would."""
    from likely.evaluation import cross_validate

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cross_validate(model, rows, y, min(MOST_FOLDS, len(y)), seed, weights, tick)


def _by_folds(session: Session, fitted: Any, source: Any, target: str, weight: str | None) -> HeldOutScores:
    from likely.cli.inputs import table_of

    rows, y, weights = table_of(source, target, weight)
    folds = min(MOST_FOLDS, len(y))
    with session.watch("judging by cross-validation", folds, "folds") as tick:
        found = validated(fitted, rows, y, session.seed, weights, lambda: tick(1))
    told: Any = found.evaluate()
    names = ("accuracy", "log_loss") if hasattr(fitted, "classes_") else ("r2", "rmse", "mae")
    scores = {name: float(getattr(told, name)) for name in names}
    exact = ", exact" if found.method == "subtraction" else ""
    how = f"every row judged by a model of the others ({folds}-fold cross-validation of the same rows{exact})"
    return HeldOutScores("cross_validation", scores, "; ".join([how, *told.notes]))
