"""Which density, or levels, coarse or one a value: in which form a column of numbers tells more about the class."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats
from likely.families.discretization import between
from likely.families.number_descriptions import LEAST_DESCRIBED_VALUES, densities
from likely.families.number_sample import LEAST_NATS_SAVED, MOST_VALUES_WITH_A_PART, NumberSample, saved
from likely.families.predictor import Setting
from likely.statistics.sketch import Sketch

EQUAL_LOSS_RATIO = 1e-9  # of the loss: no difference
# Rows of a class and a value, on average, for each parent of a column: with fewer, columns that depend on it find none
LEAST_ROWS_A_CELL = 5.0
# Densities that are tried below cells, beside the normal. Zeros apart and kernels do not pay there: docs/dependence.md
DENSITIES_IN_CELLS = ("log", "poisson")


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
    sample = NumberSample.of(sketch)
    lost = [  # as sums, not as products of vectors, whose last digits hang on the number of threads
        float((sample.weights * sample.loss(terms, setting)).sum())
        for terms in (sample.parts(cuts, setting), sample.normal(setting))
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
    finest, sample = tuple(map(between, values[:-1].tolist(), values[1:].tolist())), NumberSample.of(sketch)
    losses = (sample.loss(sample.parts(edges, setting), setting) for edges in (cuts, finest))
    return finest if _pays(sample, *losses) else cuts


def density_that_tells_more(
    sketch: Sketch,
    setting: Setting,
    bins: int,
    parts: tuple[float, ...] | None = None,
    tried: tuple[str, ...] = DENSITIES_IN_CELLS,
) -> str:
    """The density that loses less than the normal, or the `parts`, that a column has else; "" where none does.

    The loss is that of `tells_more_in_levels`, and must be less by more than a standard error; of densities that are
    as good as the best, the first. The rows must be enough for cells of one parent of so many `bins`.

    >>> rng = np.random.default_rng(0)
    >>> cells = np.repeat([0, 1], 200)
    >>> sketch = Sketch.of(np.exp(rng.normal(2.0 * cells, 1.0)), cells, None, 2)
    >>> density_that_tells_more(sketch, Setting(), 5, (1.0, 5.0))
    'log'
    """
    rows = float(sketch.counts.sum())
    if len(sketch.values) < 2 or rows < max(LEAST_DESCRIBED_VALUES, LEAST_ROWS_A_CELL * bins * sketch.counts.shape[1]):
        return ""
    sample = NumberSample.of(sketch)
    able = densities(sample, setting)
    losses = {name: sample.loss(able[name]()[0], setting) for name in tried if name in able}
    if not losses:
        return ""
    usual = sample.loss(sample.normal(setting) if parts is None else sample.parts(parts, setting), setting)
    best = losses[min(losses, key=lambda name: float((sample.weights * losses[name]).sum()))]
    if not _pays(sample, usual, best):
        return ""
    return next(name for name in losses if not _pays(sample, losses[name], best))


def _pays(sample: NumberSample, loss: Floats, less: Floats) -> bool:
    """Whether a loss (rows,) is less than another by more than a standard error of the difference and a little."""
    gained = saved(loss, less)
    if not np.isfinite(gained).all():  # rows that one of the two alone holds to be impossible
        return float(sample.weights[np.isinf(less)].sum()) < float(sample.weights[np.isinf(loss)].sum())
    gain = float((sample.weights * gained).sum())
    error = float(np.sqrt((sample.weights * (gained - gain / sample.weights.sum()) ** 2).sum()))
    return gain > max(error, LEAST_NATS_SAVED)
