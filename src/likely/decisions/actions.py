"""From probabilities to actions: the least expected loss, and the choice to abstain. Probabilities stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likely.errors import OptionError, nearest
from likely.numerics import Array, Floats
from likely.schema import Level, plain


def read_loss(loss: Any, classes: Sequence[Level]) -> Floats:
    """(classes, classes): loss[true, decided] from None (0-1), a matrix, or a mapping.

    A mapping is {(true, decided): loss} or {true: {decided: loss}}; what it leaves out costs 0 if right and 1 if wrong.

    >>> read_loss({("ill", "well"): 10}, ["ill", "well"]).tolist()
    [[0.0, 10.0], [1.0, 0.0]]
    """
    size = len(classes)
    matrix = 1.0 - np.eye(size)
    if isinstance(loss, Mapping):
        at = {level: place for place, level in enumerate(classes)}
        for (true, decided), cost in _pairs(loss):
            matrix[_place(true, at), _place(decided, at)] = cost
    elif loss is not None:
        try:
            matrix = np.asarray(loss, dtype=np.float64)
        except (TypeError, ValueError):
            hint = "say loss[true, decided] as numbers, or {(true, decided): cost}"
            raise OptionError("O112", f"a loss cannot be {loss!r}", place="loss=", hint=hint) from None
    if matrix.shape != (size, size):
        raise OptionError(
            "O111",
            f"the loss is of shape {matrix.shape}, there are {size} classes",
            place="loss=",
            hint="loss[true, decided], a row and a column for each of classes_, in that order",
        )
    if not np.isfinite(matrix).all():
        raise OptionError("O112", "a loss is not a finite number", place="loss=", hint="say what each mistake costs")
    return matrix


def _pairs(loss: Mapping[Any, Any]) -> list[tuple[tuple[Any, Any], float]]:
    nested = all(isinstance(cost, Mapping) for cost in loss.values())
    if nested:
        return [((true, decided), float(cost)) for true, costs in loss.items() for decided, cost in costs.items()]
    return [((pair[0], pair[1]), float(cost)) for pair, cost in loss.items()]


def _place(level: Any, at: Mapping[Level, int]) -> int:
    found = at.get(plain(level))
    if found is None:
        hint = f"the classes are {', '.join(map(repr, at))}.{nearest(level, at)}"
        raise OptionError("O110", f"{level!r} is not a class", place="loss=", hint=hint)
    return found


def decide(proba: Floats, classes: Array, loss: Any = None, reject: float | None = None) -> Array:
    """(rows,): the class of least expected loss; None where abstaining, at the cost `reject`, is cheaper.

    >>> decide(np.array([[0.9, 0.1], [0.55, 0.45]]), np.array(["no", "yes"]), reject=0.2)
    array(['no', None], dtype=object)
    """
    risk = proba @ read_loss(loss, [plain(level) for level in classes])
    chosen = np.asarray(classes[risk.argmin(axis=1)])
    if reject is None:
        return chosen
    if not (np.isfinite(reject) and reject >= 0):
        raise OptionError(
            "O113", f"reject is {reject}", place="reject=", hint="say what abstaining costs: a number from 0 on"
        )
    answers = chosen.astype(object)
    answers[risk.min(axis=1) > reject] = None
    return answers
