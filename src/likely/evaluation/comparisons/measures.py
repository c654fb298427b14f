"""The scores by which models are compared: what they are called, which way is better, and who stands before whom."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.errors.options import unknown
from likely.evaluation.rows.evaluation_rows import REGRESSION_MEASURES

# The measures of a comparison of classifiers, and what tables call them
CLASS_MEASURES = {"accuracy": "accuracy", "log_loss": "log loss", "brier": "Brier", "auc": "AUC"}
MEASURE_OF_LOSS = {
    "log": "log_loss",
    "squared": "squared",
    "absolute": "absolute",
}  # the measure that says which is best
HIGHER_IS_BETTER = ("accuracy", "auc", "r2")
SENTENCE_NAMES = {
    "accuracy": "accuracy",
    "log_loss": "log loss",
    "brier": "Brier score",
    "auc": "area under ROC",
    "squared": "squared loss",
    "rmse": "root mean squared error",
    "absolute": "absolute loss",
    "r2": "R²",
}
OTHER_NAMES = {  # what other tools and people call them
    "logloss": "log_loss",
    "log": "log_loss",
    "cross_entropy": "log_loss",
    "brier_score": "brier",
    "roc_auc": "auc",
    "mse": "squared",
    "mean_squared_error": "squared",
    "root": "rmse",
    "root_mean_squared_error": "rmse",
    "mae": "absolute",
    "mean_absolute_error": "absolute",
    "r²": "r2",
}


def read_score(score: Any, numeric: bool) -> str:
    """The measure that is meant, of those that classifiers have or, of a numeric target, regressors.

    >>> read_score("Log loss", False), read_score("neg_mean_squared_error", True)
    ('log_loss', 'squared')
    >>> read_score("acuracy", False)
    Traceback (most recent call last):
    likely.errors.OptionError: [O376] unknown score 'acuracy'
      at: score=
      hint: choose one of 'accuracy', 'log_loss', 'brier', 'auc'. Did you mean 'accuracy'?
    """
    known = [*(REGRESSION_MEASURES if numeric else CLASS_MEASURES)]
    word = str(score).strip().lower().replace("-", "_").replace(" ", "_").removeprefix("neg_")
    found = OTHER_NAMES.get(word, word)
    if found in known:
        return found
    raise unknown(score, known, "score", "O376")


def standing(row: Any, measure: str) -> tuple[bool, float, float]:
    """The less the better: the mean of the measure turned so, and among equals the share; what has none is last."""
    mean = row.mean(measure)
    return bool(np.isnan(mean)), -mean if measure in HIGHER_IS_BETTER else mean, -row.mean(row.share)
