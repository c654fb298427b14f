"""Density or levels, coarse or one a value: in which form a column of numbers tells more about the class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.families.discretization import between
from likely.families.gaussian import describe
from likely.families.levels import share
from likely.families.numeric import Shape
from likely.families.predictor import Setting
from likely.statistics.sketch import Sketch

LOSS_NUMBERS_AT_A_TIME = 1 << 20  # numbers held at a time
EQUAL_LOSS_RATIO = 1e-9  # of the loss: no difference
MOST_VALUES_WITH_A_PART = 20  # different values that may have a part each
# Rows of a class and a value, on average, for each parent of a column: with fewer, columns that depend on it find none
LEAST_ROWS_A_CELL = 5.0
LEAST_GAIN = 2.0  # nats over all rows that finer parts must save, or one standard error of it where that is more


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
    points = _Points.of(sketch)
    lost = [
        float(points.weights @ points.loss(said, setting))
        for said in (points.levels(cuts, setting), points.density(setting))
    ]
    return lost[0] < lost[1] * (1 - EQUAL_LOSS_RATIO)


def parts_by_value(sketch: Sketch, cuts: tuple[float, ...], setting: Setting, parents: int = 1) -> tuple[float, ...]:
    """The edges between all values, where these are few and such parts lose less than those of `cuts`; else `cuts`.

    The loss is that of `tells_more_in_levels`, and must be less by more than a standard error. The rows must be enough
    for cells of so many `parents`.

    >>> values = np.tile(np.arange(6.0), 100)
    >>> parts_by_value(Sketch.of(values, (values % 2).astype(int), None, 2), (1.5, 3.5), Setting())
    (0.5, 1.5, 2.5, 3.5, 4.5)
    """
    values, rows = sketch.values, float(sketch.counts.sum())
    few = len(cuts) + 1 < len(values) <= MOST_VALUES_WITH_A_PART
    if not few or rows < parents * LEAST_ROWS_A_CELL * len(values) * sketch.counts.shape[1]:
        return cuts
    finest, points = tuple(map(between, values[:-1].tolist(), values[1:].tolist())), _Points.of(sketch)
    losses = (points.loss(points.levels(edges, setting), setting) for edges in (cuts, finest))
    saved = np.subtract(*losses)
    gain = float(points.weights @ saved)
    error = float(np.sqrt(points.weights @ (saved - gain / rows) ** 2))
    return finest if gain > max(error, LEAST_GAIN) else cuts


@dataclass(frozen=True, eq=False)
class _Points:
    """The values of a sketch in each class that has them: (points,) their places, classes and weights."""

    sketch: Sketch
    at: Array
    own: Array
    weights: Floats

    @classmethod
    def of(cls, sketch: Sketch) -> _Points:
        at, own = np.nonzero(sketch.counts)
        return cls(sketch, at, own, sketch.counts[at, own])

    @property
    def taken(self) -> Floats:
        """(points,): what is taken out of its class while a point is judged; of weight 2 one is left."""
        return np.minimum(self.weights, 1.0)

    @property
    def rest(self) -> Floats:
        """(points, classes): the weight of each class without the point."""
        return _less(self.sketch.counts.sum(axis=0), self.own, self.taken)

    def loss(self, said: Floats, setting: Setting) -> Floats:
        """(points,): the log loss of the class, given log probabilities (points, classes) of the values."""
        joint = log(self.rest + setting.smoothing) + said
        return log_sum_exp(joint, axis=1) - joint[np.arange(len(self.own)), self.own]

    def levels(self, cuts: tuple[float, ...], setting: Setting) -> Floats:
        """(points, classes): log probabilities of the parts between cuts, without the point."""
        part = np.searchsorted(np.array(cuts), self.sketch.values)
        table = np.zeros((len(cuts) + 1, self.sketch.counts.shape[1]))
        np.add.at(table, part, self.sketch.counts)
        left = _less(table[part[self.at]], self.own, self.taken)
        return log(share(left, self.rest, np.array(len(cuts) + 1), setting.smoothing))

    def density(self, setting: Setting) -> Floats:
        """(points, classes): log densities of normals, without the point."""
        out = np.empty((len(self.at), self.sketch.counts.shape[1]))
        step = max(1, LOSS_NUMBERS_AT_A_TIME // out.shape[1])
        for start in range(0, len(out), step):
            some = slice(start, start + step)
            out[some] = _densities(self.sketch, self.at[some], self.own[some], self.taken[some], setting)
        return out


def _less(counts: Floats, own: Array, taken: Floats) -> Floats:
    """(points, classes): counts less what is taken out of the own class."""
    return np.maximum(counts - np.where(own[:, None] == np.arange(counts.shape[-1]), taken[:, None], 0.0), 0.0)


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
