"""Density or levels: in which form a column of numbers tells more about the class."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.families.gaussian import describe
from likely.families.levels import share
from likely.families.numeric import Shape
from likely.families.predictor import Setting
from likely.statistics.sketch import Sketch

LOSS_NUMBERS_AT_A_TIME = 1 << 20  # numbers held at a time
EQUAL_LOSS_RATIO = 1e-9  # of the loss: no difference


def tells_more_in_levels(sketch: Sketch, cuts: tuple[float, ...], setting: Setting) -> bool:
    """Whether bins lose less than normal densities, each row judged without itself.

    The loss is the exact leave-one-out log loss of the column as the only one of a naive Bayes, from its sketch. Where
    a class has one value in all its rows, as of zeros or of small whole numbers, no normal density is to be trusted.

    >>> values = np.repeat([1.0, 2.0, 3.0], 9)
    >>> sketch = Sketch.of(values, (values == 2.0).astype(int), None, 2)
    >>> tells_more_in_levels(sketch, (1.5, 2.5), Setting())
    True
    """
    if not cuts or not sketch.counts.any():
        return False
    lone = (np.count_nonzero(sketch.counts, axis=0) == 1) & (sketch.counts.sum(axis=0) >= 2.0)
    if lone.any() and len(sketch.values) > 1:
        return True
    at, own = np.nonzero(sketch.counts)
    weights = sketch.counts[at, own]
    taken = np.minimum(weights, 1.0)
    rows = sketch.counts.sum(axis=0)
    prior = log(_less(rows, own, taken) + setting.smoothing)
    part = np.searchsorted(np.array(cuts), sketch.values)
    table = np.zeros((len(cuts) + 1, len(rows)))
    np.add.at(table, part, sketch.counts)
    left = _less(table[part[at]], own, taken)
    levels = log(share(left, _less(rows, own, taken), np.array(len(cuts) + 1), setting.smoothing))
    density = np.empty(levels.shape)
    step = max(1, LOSS_NUMBERS_AT_A_TIME // len(rows))
    for start in range(0, len(at), step):
        some = slice(start, start + step)
        density[some] = _densities(sketch, at[some], own[some], taken[some], setting)
    lost = [-(weights * _posterior(prior + said, own)).sum() for said in (levels, density)]
    return bool(lost[0] < lost[1] * (1 - EQUAL_LOSS_RATIO))


def _less(counts: Floats, own: Array, taken: Floats) -> Floats:
    """(points, classes): counts less what is taken out of the own class."""
    return np.maximum(counts - np.where(own[:, None] == np.arange(counts.shape[-1]), taken[:, None], 0.0), 0.0)


def _posterior(joint: Floats, own: Array) -> Floats:
    """(points,): the log probability of the own class."""
    return joint[np.arange(len(own)), own] - log_sum_exp(joint, axis=1)


def _densities(sketch: Sketch, at: Array, own: Array, taken: Floats, setting: Setting) -> Floats:
    """(points, classes): log densities of the values, had one observation of each not been made."""
    middle = sketch.values[len(sketch.values) // 2]
    x, counts = sketch.values - middle, sketch.counts
    rows = counts.sum(axis=0)
    mean = (x @ counts) / np.maximum(rows, 1e-300)
    spread = ((x[:, None] - mean) ** 2 * counts).sum(axis=0)
    value = x[at][:, None]
    cells = moments_without(
        rows, mean, spread, value, np.where(own[:, None] == np.arange(len(rows)), taken[:, None], 0.0)
    )
    total = rows.sum()
    whole = (rows * mean).sum() / total
    column = ((x[:, None] - whole) ** 2 * counts).sum()
    together = moments_without(total, whole, column, value, taken[:, None])
    within = cells[2].sum(axis=1, keepdims=True)
    return describe(Shape(*cells, *together, within), setting).log_density(value)


def moments_without(
    count: Floats | float, mean: Floats | float, spread: Floats | float, value: Floats, taken: Floats
) -> tuple[Floats, Floats, Floats]:
    """Count, mean and centred sum of squares, with some weight of a value taken out."""
    left = np.maximum(count - taken, 0.0)
    some = np.where(left > 0, left, 1.0)
    moved = np.where(left > 0, mean - taken * (value - mean) / some, 0.0)
    rest = spread - taken * (value - mean) * (value - moved)
    return left, moved, np.where((left > 0) & (rest > 1e-12 * spread), rest, 0.0)
