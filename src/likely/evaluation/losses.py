"""The four losses of a row: 0-1, squared, absolute and log; and their mean over rows, the empirical risk."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.data.targets.class_lists import read_classes
from likely.data.targets.label_codes import read_codes, read_column, read_levels
from likely.data.targets.probabilities import read_scores, refuse_shape
from likely.data.weights import read_weights, weighted_mean
from likely.decisions.losses import read_loss
from likely.errors import OptionError
from likely.errors.options import unknown
from likely.evaluation.predictions import Predictions

LOSS_NAMES = ("zero-one", "squared", "absolute", "log")
LARGEST_TARGET = 1e100  # beyond it squares and their sums overflow


def zero_one(y: Any, decided: Any) -> Floats:
    """(rows,): 0 where the decided label is the true one, else 1; an abstention (None) is not right.

    >>> zero_one(["a", "b"], ["a", "a"]).tolist()
    [0.0, 1.0]
    """
    levels = read_levels(read_column(y), read_column(decided, "decided"), place="y and decided")
    true, answers = _coded(y, decided, levels)
    return np.asarray(true != answers, dtype=np.float64)


def squared(y: Any, value: Any) -> Floats:
    """(rows,): (y - value)².

    >>> squared([1.0, 2.0], [1.5, 4.0]).tolist()
    [0.25, 4.0]
    """
    return _differences(y, value) ** 2


def absolute(y: Any, value: Any) -> Floats:
    """(rows,): |y - value|.

    >>> absolute([1.0, 2.0], [1.5, 4.0]).tolist()
    [0.5, 2.0]
    """
    return np.abs(_differences(y, value))


def log(y: Any, proba: Any, classes: Any) -> Floats:
    """(rows,): -log P(true class), infinite where the truth was held to be impossible.

    >>> log(["a", "b"], [[1.0, 0.0], [1.0, 0.0]], ["a", "b"]).tolist()
    [0.0, inf]
    """
    return 0.0 - Predictions.read(y, proba, classes).log_truth  # 0 - 0 is 0, where -0 would print a sign


def empirical_risk(y: Any, answers: Any, loss: Any = "zero-one", weights: Any = None, classes: Any = None) -> float:
    """The mean loss over rows: of labels ("zero-one"), numbers ("squared", "absolute") or probabilities ("log").

    With `classes`, all but "log" is loss[true, decided] of labels, as `likely.decisions.read_loss` reads it: a name, a
    matrix in the order of the classes, a mapping or a file. "log" needs the classes as the order of the columns.

    >>> empirical_risk(["a", "b"], ["a", "a"])
    0.5
    >>> empirical_risk(["ill", "well"], ["well", "well"], {("ill", "well"): 10}, classes=["ill", "well"])
    5.0
    """
    named = isinstance(loss, str) and loss in LOSS_NAMES
    if isinstance(loss, str) and loss == "log" and classes is not None:
        values = log(y, answers, classes)
    elif classes is not None:
        values = _paid(y, answers, loss, read_classes(classes))
    elif named and loss != "log":
        values = {"zero-one": zero_one, "squared": squared, "absolute": absolute}[loss](y, answers)
    elif named or not isinstance(loss, str):
        hint = "say classes=model.classes_, the order of the columns"
        raise OptionError("O339", "this loss needs the classes", place="classes=", hint=hint)
    else:
        raise unknown(loss, LOSS_NAMES, "loss", "O331", also=", or say classes= for a file")
    return weighted_mean(values, read_weights(weights, len(values)))


def _paid(y: Any, decided: Any, loss: Any, classes: tuple[Level, ...]) -> Floats:
    """(rows,): loss[true, decided]; an abstention costs 1 under 0-1 loss, and has no cost under another."""
    costs, (true, answers) = read_loss(loss, classes), _coded(y, decided, classes)
    undecided = answers == len(classes)
    if undecided.any() and not (isinstance(loss, str) and loss == "zero-one"):
        hint = "leave such rows out, or let likely.decisions.judge count them at reject="
        place = f"decided, row {int(undecided.argmax())}"
        raise OptionError("O336", "the loss does not say what an abstention costs", place=place, hint=hint)
    return np.column_stack([costs, np.ones(len(classes))])[true, answers]


def _coded(y: Any, decided: Any, levels: tuple[Level, ...]) -> tuple[Array, Array]:
    """(rows,) each: the codes of the true labels and of the decided ones, where an abstention is beyond the levels."""
    true, answers = read_codes(y, levels), read_codes(decided, levels, "decided", abstention=len(levels))
    refuse_shape(answers.shape, true.shape, "decided")
    return true, answers


def _differences(y: Any, value: Any) -> Floats:
    read_column(y)  # one value a row, at least one
    true = read_scores(y, np.shape(y), "y")
    given = read_scores(value, true.shape, "value")
    large = ~((np.abs(true) <= LARGEST_TARGET) & (np.abs(given) <= LARGEST_TARGET))
    if large.any():
        place = f"row {int(large.argmax())}"
        raise OptionError("O337", f"a number is beyond {LARGEST_TARGET:g}", place=place, hint="measure in larger units")
    return true - given
