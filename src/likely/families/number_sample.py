"""Numbers of a column with their classes, each judged without itself: what a form of the column tells of the class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log, log_sum_exp
from likely.families.gaussian import describe
from likely.families.numeric import Shape
from likely.families.predictor import Setting
from likely.families.smoothing import share
from likely.statistics.sketch import Sketch

NUMBERS_AT_A_TIME = 1 << 20  # numbers held at a time
LEAST_NATS_SAVED = 2.0  # nats over all rows that a richer form must save, beside one standard error of what it saves
MOST_VALUES_WITH_A_PART = 20  # different values that may have a part each


@dataclass(frozen=True, eq=False)
class NumberSample:
    """values (rows,), all of them there; classes as numbers and weights (rows,); how many classes there are.

    All that is said of a row is what would be said had one observation of it not been made.

    >>> sample = NumberSample(np.array([1.0, 1.0, 2.0]), np.array([0, 0, 1]), np.ones(3), 2)
    >>> sample.rest.tolist()
    [[1.0, 1.0], [1.0, 1.0], [2.0, 0.0]]
    """

    values: Floats
    cells: Array
    weights: Floats
    classes: int

    @classmethod
    def of(cls, sketch: Sketch) -> NumberSample:
        """A row for each value of a sketch and class that has it."""
        at, cells = np.nonzero(sketch.counts)
        return cls(sketch.values[at], cells, sketch.counts[at, cells], sketch.counts.shape[1])

    def take(self, rows: Array) -> NumberSample:
        return NumberSample(self.values[rows], self.cells[rows], self.weights[rows], self.classes)

    @cached_property
    def taken(self) -> Floats:
        """(rows, classes): what is taken out of each class while a row is judged; of weight 2 one is left."""
        own = self.cells[:, None] == np.arange(self.classes)
        return np.where(own, np.minimum(self.weights, 1.0)[:, None], 0.0)

    def mass(self, weights: Floats | None = None) -> Floats:
        """(classes,)."""
        return np.bincount(self.cells, self.weights if weights is None else weights, self.classes).astype(np.float64)

    @cached_property
    def rest(self) -> Floats:
        """(rows, classes): the weight of each class without the row."""
        return np.maximum(self.mass() - self.taken, 0.0)

    def loss(self, terms: Floats, setting: Setting) -> Floats:
        """(rows,): the log loss of the class, given the log terms (rows, classes) of the values.

        Infinite where the class is impossible, as without smoothing of a value that no other row has.
        """
        joint = log(self.rest + setting.smoothing) + terms
        own, lost = joint[np.arange(len(self.values)), self.cells], np.full(len(self.values), np.inf)
        np.subtract(log_sum_exp(joint, axis=1), own, out=lost, where=own > -np.inf)
        return lost

    def parts(self, cuts: tuple[float, ...], setting: Setting) -> Floats:
        """(rows, classes): log probabilities of the parts between cuts."""
        part, many = np.searchsorted(np.array(cuts), self.values), len(cuts) + 1
        counts = np.zeros((many, self.classes))
        np.add.at(counts, (part, self.cells), self.weights)
        left = np.maximum(counts[part] - self.taken, 0.0)
        return log(share(left, self.rest, np.array(many), setting.smoothing))

    def normal(self, setting: Setting) -> Floats:
        """(rows, classes): log densities of normals."""
        out = np.empty((len(self.values), self.classes))
        if not len(out):
            return out
        x = self.values - np.median(self.values)
        count = self.mass()
        mean = self.mass(self.weights * x) / np.maximum(count, 1e-300)
        spread = self.mass(self.weights * (x - mean[self.cells]) ** 2)
        whole = count.sum()
        middle = float((self.weights * x).sum()) / whole
        deviation = float((self.weights * (x - middle) ** 2).sum())
        step = max(1, NUMBERS_AT_A_TIME // self.classes)
        for start in range(0, len(out), step):
            value, taken = x[start : start + step, None], self.taken[start : start + step]
            classes = _without(count, mean, spread, value, taken)
            together = _without(whole, middle, deviation, value, taken.sum(axis=1, keepdims=True))
            shape = Shape(*classes, *together, classes[2].sum(axis=1, keepdims=True))
            out[start : start + step] = describe(shape, setting).log_density(value)
        return out


def saved(loss: Floats, less: Floats) -> Floats:
    """(rows,): how much less the second loss is; nothing of rows that both hold to be impossible.

    >>> saved(np.array([1.0, np.inf]), np.array([0.5, np.inf])).tolist()
    [0.5, 0.0]
    """
    gained = np.zeros(len(loss))
    np.subtract(loss, less, out=gained, where=(loss < np.inf) | (less < np.inf))
    return gained


def _without(
    count: Floats | float, mean: Floats | float, spread: Floats | float, value: Floats, taken: Floats
) -> tuple[Floats, Floats, Floats]:
    """Count, mean and centred sum of squares, with some weight of a value taken out."""
    left = np.maximum(count - taken, 0.0)
    some = np.where(left > 0, left, 1.0)
    moved = np.where(left > 0, mean - taken * (value - mean) / some, 0.0)
    rest = spread - taken * (value - mean) * (value - moved)
    return left, moved, np.where((left > 0) & (rest > 1e-12 * spread), rest, 0.0)
