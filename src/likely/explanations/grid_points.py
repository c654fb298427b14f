"""Where to look at a numeric column: finely about every class, and coarser away from them."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.unusable_rows import LARGEST_NUMBER
from likely.explanations.class_summaries import ClassSummary
from likely.explanations.columns import predictor_of
from likely.families.parzen import ParzenPredictor
from likely.families.predictor import Predictor
from likely.kernels.densities.parzen_windows import steps_of
from likely.models import NaiveModel

SCALES_FROM_CENTRE = np.array(
    [*np.arange(0.0, 6.5, 0.5), 8.0, 10.0, 12.0, *2.0 ** np.arange(4, 31)]
)  # scales from a centre
MOST_GRID_POINTS = 1024  # with many classes, places are thinned
MOST_COUNTS_LISTED = 4096  # counts that are looked at one by one


def grid_points(model: NaiveModel, at: int, one: ClassSummary) -> Floats:
    """Sorted values between which nothing sudden happens: whole numbers from 0 on of a count column."""
    kind = model.schema.columns[at].kind
    if kind == "count":
        return _whole_numbers(one)
    found = _nodes(predictor_of(model, at), one) if kind == "parzen" else _around(one)
    return np.unique(np.clip(found, -LARGEST_NUMBER, LARGEST_NUMBER))


def _around(one: ClassSummary) -> Floats:
    steps = np.concatenate([-SCALES_FROM_CENTRE[:0:-1], SCALES_FROM_CENTRE])
    inside = np.abs(steps) <= np.maximum(one.reach, SCALES_FROM_CENTRE[1])[:, None]
    found = np.unique((one.mean[:, None] + one.scale[:, None] * steps)[inside])
    return (
        found if len(found) <= MOST_GRID_POINTS else found[np.linspace(0, len(found) - 1, MOST_GRID_POINTS).astype(int)]
    )


def _nodes(predictor: Predictor, one: ClassSummary) -> Floats:
    """The nodes of the grid, as densely as the narrowest window asks; windows and base beyond them."""
    assert isinstance(predictor, ParzenPredictor), "a parzen column has windows"
    grid, far = predictor.grid, 0
    step = int(2.0 ** np.floor(np.log2(max(one.scale.min() / grid.spacing / 4.0, 1.0))))
    if predictor.form.kernel != "gaussian":  # the others have edges, which lie on nodes
        step = int(steps_of(predictor.widths, grid.spacing).min())
        far = step * (int(np.ceil(one.scale.max() / grid.spacing / step)) + 2)
    inner = grid.origin + grid.spacing * np.arange(-far, grid.nodes + far + step, step)
    beyond = (one.scale[:, None] * SCALES_FROM_CENTRE[1:][SCALES_FROM_CENTRE[1:] <= one.reach[0]]).ravel()
    if predictor.base.any():
        beyond = np.append(beyond, predictor.summary.deviation[-1] * SCALES_FROM_CENTRE[1:])
    return np.concatenate([inner[0] - beyond, inner, inner[-1] + beyond])


def _whole_numbers(one: ClassSummary) -> Floats:
    last = np.ceil((one.mean + one.reach * one.scale).max())
    if last <= MOST_COUNTS_LISTED:
        return np.arange(last + 1.0)
    strides = [_strides(*each) for each in zip(one.mean, one.scale, one.reach, strict=True)]
    return np.unique(np.maximum(np.concatenate(strides), 0.0))


def _strides(mean: float, scale: float, reach: float) -> Array:
    stride = max(1.0, np.floor(scale / 8.0))
    far = np.ceil(reach * scale / stride)
    return np.asarray(np.rint(mean + stride * np.arange(-far, far + 1.0)))
