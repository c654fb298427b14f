"""Where a convex loss is least, some numbers bounded from below."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import numpy as np

from likely.core.numerics import Floats

CHANGES_KEPT, MOST_ITERATIONS = 10, 100
Change = tuple[Floats, Floats, float]  # a step, the change of slope along it, and the product of both
STEP_SIZES = tuple(0.5**n for n in range(20))  # tried in turn
SMALLEST_SLOPE = 1e-6  # of a loss a row, where a search may end
SUFFICIENT_SHARE = 1e-4  # of the descent that a slope promises


def least_above(
    loss: Callable[[Floats], tuple[float, Floats]], start: Floats, floor: float | Floats = 0.0, flat: float = 1e-9
) -> Floats:
    """(n,): where a convex loss is least, no number below its floor; it comes with its slope, to be `flat` there.

    By steps from the last few changes of slope (L-BFGS), along which numbers stop at their floor: those of SciPy call
    on as many threads as there are for a handful of numbers.

    >>> best = np.array([2.0, -1.0])
    >>> least_above(lambda at: (float(((at - best) ** 2).sum()), 2 * (at - best)), np.ones(2)).round(3)
    array([2., 0.])
    """
    at, steps = start, deque[Change](maxlen=CHANGES_KEPT)
    lost, slope = loss(at)
    for _ in range(MOST_ITERATIONS):
        free = (at > floor) | (slope < 0)
        if not free.any() or np.abs(slope[free]).max() <= flat:
            break
        if free.all():
            way = -_turned(slope, steps)
        else:
            way = -_turned(np.where(free, slope, 0.0), [_change(one * free, other * free) for one, other, _ in steps])
        for size in STEP_SIZES:
            after = np.maximum(at + size * way, floor)
            then, bent = loss(after)
            if then <= lost + SUFFICIENT_SHARE * float(slope @ (after - at)):
                break
        else:
            if not steps:
                break
            steps.clear()  # the steepest way, then
            continue
        steps.append(_change(after - at, bent - slope))
        at, lost, slope = after, then, bent
    return at


def _change(step: Floats, bend: Floats) -> Change:
    return step, bend, float(step @ bend)


def _turned(slope: Floats, steps: Iterable[Change]) -> Floats:
    """The slope, divided by the bends that some steps and changes of slope tell of."""
    told, out, shares = [one for one in steps if one[2] > 0.0], slope.copy(), []
    for step, bend, product in reversed(told):
        shares.append(float(step @ out) / product)
        out -= shares[-1] * bend
    if told:
        out *= told[-1][2] / float(told[-1][1] @ told[-1][1])
    else:
        out /= max(1.0, float(np.abs(slope).max()))
    for (step, bend, product), share in zip(told, reversed(shares), strict=True):
        out += (share - float(bend @ out) / product) * step
    return out
