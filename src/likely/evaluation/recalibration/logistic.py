"""Logistic regression on a few features whose slopes may not be negative: what the parametric maps are fitted by."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.special import expit

from likely.core.numerics import Floats

MOST_NEWTON_STEPS = 200  # of Newton's method, which needs about ten
LEAST_SHARE = np.finfo(float).eps / 2  # what a share can differ from one by
FLAT_SLOPE = 1e-12  # of the weight of the rows: a slope of the loss that is none


def logistic(features: Floats, targets: Floats, weights: Floats) -> list[float]:
    """The slopes and, last, the intercept of least log loss, for targets (rows,) within 0..1; no slope is negative.

    The loss is convex: its least value under the constraints is the least of those with some slopes at zero and the
    others free, among those that keep to the constraints.
    """
    scale = np.maximum(np.abs(features).max(axis=0), 1e-300)
    count = features.shape[1]
    best, least = np.zeros(count + 1), np.inf
    for size in range(count, -1, -1):
        for free in combinations(range(count), size):
            design = np.column_stack([features[:, free] / scale[list(free)], np.ones(len(targets))])
            found, loss = _newton(design, targets, weights)
            if (found[:-1] >= 0).all() and loss < least:
                best, least = np.zeros(count + 1), loss
                best[[*free, count]] = found / np.append(scale[list(free)], 1.0)
        if size == count and np.isfinite(least):  # the constraints do not bind
            break
    return [float(value) for value in best]


def _newton(design: Floats, targets: Floats, weights: Floats) -> tuple[Floats, float]:
    """The coefficients of least loss, and the loss: Newton steps, halved until the loss falls (Lin, Lin, Weng 2007)."""
    share = float(weights @ targets) / float(weights.sum())
    share = min(
        max(share, LEAST_SHARE), 1 - LEAST_SHARE
    )  # to start from: heavy rows may leave nothing of the smoothing
    at = np.zeros(design.shape[1])
    at[-1] = np.log(share) - np.log1p(-share)
    loss = _loss(design, targets, weights, at)
    for _ in range(MOST_NEWTON_STEPS):
        said = expit(design @ at)
        slope = design.T @ (weights * (said - targets))
        if np.abs(slope).max() <= FLAT_SLOPE * weights.sum():
            break
        bend = (design * (weights * said * (1 - said))[:, None]).T @ design
        step, size = np.linalg.lstsq(bend, -slope, rcond=None)[0], 1.0
        while (
            size > 1e-10 and not _loss(design, targets, weights, at + size * step) < loss + 1e-4 * size * slope @ step
        ):
            size /= 2
        if size <= 1e-10:
            break
        at = at + size * step
        loss = _loss(design, targets, weights, at)
    return at, loss


def _loss(design: Floats, targets: Floats, weights: Floats, at: Floats) -> float:
    scores = design @ at
    return float(weights @ (np.logaddexp(0.0, scores) - targets * scores))
