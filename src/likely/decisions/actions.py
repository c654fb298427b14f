"""From probabilities to actions: the least expected loss, and the choice to abstain. Probabilities stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.data.targets.class_lists import answering, place_of, read_classes
from likely.data.targets.probabilities import read_proba
from likely.decisions.losses import read_loss
from likely.decisions.priors import reweigh
from likely.errors import OptionError
from likely.errors.options import is_number, number

ABSTAIN = -1  # the place of no class
EQUAL_LOSS_SHARE = 1e-12  # of the size of the costs: by so little one expected loss is not above another


def decide(
    proba: Any, classes: Any, loss: Any = None, reject: float | None = None, priors: Any = None, learnt: Any = None
) -> Array:
    """(rows,): the class of least expected loss; None where abstaining, at the cost `reject`, is cheaper.

    Where both cost the same, to within rounding, the class is decided.
    `priors` are the class priors that hold where the decision is made, where they are not those `learnt` by the model.

    >>> decide(np.array([[0.9, 0.1], [0.55, 0.45]]), np.array(["no", "yes"]), reject=0.2)
    array(['no', None], dtype=object)
    """
    levels = read_classes(classes)
    found = under_priors(read_proba(proba, len(levels)), levels, priors, learnt)
    chosen = least_risk(found, read_loss(loss, levels), reject)[0]
    return answers(chosen, answering(classes, levels), reject is not None)


def under_priors(proba: Floats, classes: Sequence[Level], priors: Any, learnt: Any) -> Floats:
    """(rows, classes): the probabilities that the decision rests on."""
    if priors is None:
        return proba
    if learnt is None:
        hint = "say learnt=, the priors behind the probabilities"
        raise OptionError("O304", "new priors, and no old ones to replace", place="learnt=", hint=hint)
    return reweigh(proba, learnt, priors, classes)


def least_risk(proba: Floats, matrix: Floats, reject: float | None) -> tuple[Array, Floats]:
    """(rows,), (rows,): the place of the class of least expected loss, or ABSTAIN, and that loss."""
    if reject is not None:
        number(reject, "reject", "O113", hint="say what abstaining costs: a number from 0 on")
    # Counted from the dearest decision for each true class, 0-1 loss is -P(decided) to the last bit: ties are ties.
    chosen = (proba @ (matrix - matrix.max(axis=1, keepdims=True))).argmin(axis=1)
    risk = (proba * matrix.T[chosen]).sum(axis=1)
    if reject is None:
        return chosen, risk
    size = reject + (proba * np.abs(matrix.T[chosen])).sum(axis=1)
    dearer = risk - reject > EQUAL_LOSS_SHARE * size  # 0.1 + 0.2 costs what 0.3 does
    return np.where(dearer, ABSTAIN, chosen), np.minimum(risk, reject)


def answers(chosen: Array, classes: Array, abstains: bool) -> Array:
    """(rows,): the classes at these places; None for ABSTAIN."""
    if not abstains:
        return np.asarray(classes[chosen])
    named = classes.astype(object)[chosen]
    named[chosen == ABSTAIN] = None
    return np.asarray(named)


def thresholds(loss: Any, classes: Any, positive: Any = None, reject: float | None = None) -> tuple[float, float]:
    """(low, high): what a loss says of two classes, as limits on P(positive).

    Decide `positive` (the second class, if not said) from `high` on, the other class up to `low`, and abstain between.
    At a limit itself both sides cost the same. Without a cost `reject` of abstaining, low is high; 0 says always and
    infinity never.

    >>> thresholds({("ill", "well"): 9}, ["ill", "well"], positive="ill")
    (0.1, 0.1)
    >>> low, high = thresholds({("ill", "well"): 9}, ["ill", "well"], positive="ill", reject=0.45)
    >>> round(low, 6), round(high, 6)
    (0.05, 0.55)
    """
    levels = read_classes(classes)
    at, other = two_classes(levels, positive)
    matrix = read_loss(loss, levels)
    hit, missed, right, alarm = matrix[at, at], matrix[at, other], matrix[other, other], matrix[other, at]
    gain, harm = missed - hit, alarm - right
    if gain < 0 and harm < 0:
        told = "a mistake costs less than the right answer, for both classes"
        raise OptionError("O308", told, place="loss=", hint="loss[true, decided]: put small numbers on the diagonal")
    limit = 0.0 if harm <= 0 <= gain else float("inf") if gain < 0 else float(harm / (gain + harm))
    if reject is None:
        return limit, limit
    if not (is_number(reject) and reject >= max(hit, right)):
        told = f"abstaining costs {reject}, a right answer up to {max(hit, right)}"
        raise OptionError("O308", told, place="reject=", hint="two limits cannot say this; decide() can")
    low = float((reject - right) / (missed - right)) if missed > reject else float("inf")
    high = float((alarm - reject) / (alarm - hit)) if alarm > reject else float("-inf")
    return (low, high) if low < high else (limit, limit)


def decide_above(proba: Any, classes: Any, positive: Any, threshold: Any) -> Array:
    """(rows,): `positive` where its probability is at least `threshold`, else the other of two classes.

    A pair (low, high), as from `thresholds`, abstains (None) strictly between the two.

    >>> decide_above([[0.7, 0.3], [0.95, 0.05]], ["well", "ill"], "ill", 0.1).tolist()
    ['ill', 'well']
    """
    levels = read_classes(classes)
    at, other = two_classes(levels, positive)
    low, high = _limits(threshold)
    share = read_proba(proba, 2)[:, at]
    chosen = np.where(share >= high, at, np.where((share <= low) | (low == high), other, ABSTAIN))
    return answers(chosen, answering(classes, levels), low < high)


def _limits(threshold: Any) -> tuple[float, float]:
    try:
        pair = threshold if np.ndim(threshold) else (threshold, threshold)
        low, high = (float(limit) for limit in pair)
    except (TypeError, ValueError, OverflowError):
        low, high = 1.0, 0.0
    if not low <= high:
        hint = "say a number, or a pair (low, high)"
        raise OptionError("O309", f"a threshold cannot be {threshold!r}", place="threshold=", hint=hint)
    return low, high


def two_classes(classes: Sequence[Level], positive: Any) -> tuple[int, int]:
    """The place of `positive` (the second class, if not said) and of the other class."""
    at = 1 if positive is None else place_of(positive, classes, "positive=")
    if len(classes) != 2:
        hint = "with more classes, say a loss and use decide()"
        raise OptionError("O307", f"a threshold parts two classes, not {len(classes)}", place="classes=", hint=hint)
    return at, 1 - at
