"""Better calibrated probabilities: maps learnt from what the model says of rows that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.errors import OptionError
from likely.errors.options import choose
from likely.evaluation.curves.calibration import calibration_of
from likely.evaluation.folds.cross_validation import validated
from likely.evaluation.folds.fold_assignment import deal
from likely.evaluation.folds.splits import Splits, read_splits
from likely.evaluation.log_odds import log_odds
from likely.evaluation.predictions import Predictions
from likely.evaluation.recalibration.maps import MAPS, Temperature
from likely.evaluation.recalibration.recalibrated_model import Maps, Recalibrated, mapped
from likely.evaluation.rows.evaluation_rows import Labelled, read_fitted, refuse_model
from likely.evaluation.scores import log_loss_of

FOLDS_UNSEEN = 10  # in which models that never saw a row are had
FOLDS_OF_MAPS = 5  # in which maps are judged on rows that they were not learnt from


def recalibrate(
    model: Any,
    X: Any,
    y: Any,
    method: str = "platt",
    weights: Any = None,
    cv: Any = None,
    groups: Any = None,
    times: Any = None,
) -> Recalibrated:
    """A fitted model with better calibrated probabilities, learnt from the rows that it was fitted on.

    `method` is "platt", "isotonic", "beta" or "temperature" (see `likely.evaluation.recalibration.maps`).
    The maps are learnt from the model's exact leave-one-out predictions, or from ten-fold cross-validation where it has
    none, or where they leave no chance at all to something that happened. With `cv`, `groups` or `times`, as of
    `cross_validate`, they are learnt from what models say of groups or times that these have not seen.

    Class priors that the model was given (`priors=`, `with_priors`) stay: the maps are learnt under the shares of the
    classes in the rows, where what happens can be seen, and the priors are moved after that.

    >>> import likely
    >>> X, y = [[1.0], [2.0], [3.0], [2.5], [3.5], [4.5]], ["a", "a", "a", "b", "b", "b"]
    >>> better = recalibrate(likely.NaiveBayes().fit(X, y), X, y, method="temperature")
    >>> better.predict([[1.0], [4.0]]).tolist()
    ['a', 'b']
    """
    choose(method, MAPS, "method", "O347")
    every = Labelled.read(X, y, weights).under(read_fitted(model))
    asked = [one for one in (cv, groups, times) if one is not None]
    splits = read_splits(every.codes, FOLDS_UNSEEN, 0, cv, groups, times, X, y) if asked else None
    rows = every.weighty() if splits is None else every.take(splits.at)
    if len(rows.classes) < 2:
        hint = "there is nothing to calibrate: fit the model on rows of two classes or more"
        raise OptionError("O349", "the model knows one class only", place="model", hint=hint)
    learnt, given = _under_shares(model)
    said, source = _unseen(learnt, rows) if splits is None else _unseen_in(learnt, every, splits)
    parted = splits is not None and len(splits.held) > 1  # maps are judged on other groups and times too
    fold = splits.fold if splits is not None and parted else deal(rows.codes, min(FOLDS_OF_MAPS, len(rows)), 0)
    after = bent(method, said, rows, fold)
    forecasts = {name: _forecasts(rows, logs) for name, logs in (("before", said), ("after", after))}
    losses = {name: log_loss_of(one) for name, one in forecasts.items()}
    curves = {name: calibration_of(one) for name, one in forecasts.items()}
    maps = _learnt(method, said, rows)
    error = _error(forecasts["after"].log_truth - forecasts["before"].log_truth, rows.weights)
    mass = np.bincount(rows.codes, rows.weights, minlength=len(rows.classes))
    found = Recalibrated(
        learnt,
        method,
        maps,
        np.asarray(model.classes_),
        **losses,
        error=error,
        source=source,
        curves=curves,
        shares=mass / mass.sum(),
        priors=mass / mass.sum(),
    )
    return found if given is None else found.with_priors(given)


def bent(method: str, said: Floats, rows: Labelled, fold: Array) -> Floats:
    """(rows, classes): log probabilities as maps bend them that are learnt of the other folds (rows,)."""
    after = np.empty_like(said)
    for part in range(int(fold.max()) + 1):
        kept, held = np.flatnonzero(fold != part), np.flatnonzero(fold == part)
        after[held] = mapped(_learnt(method, said[kept], rows.take(kept)), said[held])
    return after


def _under_shares(model: Any) -> tuple[Any, list[float] | None]:
    """The model under the shares of the classes that it learnt; the priors that it was given instead, if any."""
    if not hasattr(model, "with_priors") or not hasattr(model, "model_"):
        return model, None
    own = model.model_.log_prior
    if not hasattr(model, "leave_one_out") and hasattr(model, "by_class_"):
        return _as_learnt_again(model, own)
    learnt = [model.with_priors(shares) for shares in (None, "empirical")]  # None: smoothed, where it smoothes
    if any(np.array_equal(own, one.model_.log_prior) for one in learnt):
        return model, None
    return learnt[0], np.exp(own).tolist()


def _as_learnt_again(model: Any, own: Floats) -> tuple[Any, list[float] | None]:
    """The model under the shares that it has where it is fitted again, class weights and all; and its own priors."""
    shares = model.with_priors(None)
    rows, true = model.model_.rows, shares.model_.log_prior
    again = log(rows / rows.sum())
    moved = None if np.array_equal(own, true) else np.exp(own).tolist()
    if np.array_equal(own, again):
        return model, moved
    return (shares if np.array_equal(again, true) else model.with_priors((rows / rows.sum()).tolist())), moved


def _unseen(model: Any, rows: Labelled) -> tuple[Floats, str]:
    """(rows, classes): log probabilities of rows by models that have not seen them, and how they were had."""
    if hasattr(model, "leave_one_out"):
        weighing = {} if rows.weights is None else {"sample_weight": rows.weights}
        said = model.leave_one_out(rows.X, rows.y, log=True, **weighing)
        if np.isfinite(said).all():
            return said, "leave-one-out"
    return _unseen_in(model, rows, Splits.of(deal(rows.codes, min(FOLDS_UNSEEN, len(rows)), 0)))


def _unseen_in(model: Any, rows: Labelled, splits: Splits) -> tuple[Floats, str]:
    """The same, of the rows that splits hold out."""
    refuse_model(model)
    found: Any = validated(model, rows, splits)
    return found.log_proba, f"{found.folds}-fold cross-validation" if found.folds > 1 else "held out"


def _error(differences: Floats, weights: Floats | None) -> float:
    """The standard error of the mean of differences (rows,); 0 where one is infinite, which is no matter of chance."""
    if not np.isfinite(differences).all():
        return 0.0
    each = np.ones(len(differences)) if weights is None else weights
    shares = each / each.sum()
    return float(np.sqrt(np.sum((shares * (differences - shares @ differences)) ** 2)))


def _forecasts(rows: Labelled, log_proba: Floats) -> Predictions:
    return Predictions(rows.codes, np.exp(log_proba), rows.classes, rows.weights, log_proba)


def _learnt(method: str, log_proba: Floats, rows: Labelled) -> Maps:
    """The maps that a method learns: one for two classes, or for all of them; else one for each."""
    kind = MAPS[method]
    if kind is Temperature:
        return (kind.fit(log_proba, rows.codes, rows.weights),)
    odds = log_odds(log_proba)
    served = [1] if len(rows.classes) == 2 else range(len(rows.classes))
    return tuple(kind.fit(odds[:, at], rows.codes == at, rows.weights) for at in served)
