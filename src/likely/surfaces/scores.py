"""How well each class fits at a point: quadratics of normal models, or what any other model says there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import ModelError
from likely.surfaces.rows import rows

NEWTON_STEPS = 5  # of Newton
ZERO_LOG_ODDS = 1e-8  # log odds that are none
ON_FACE_SHARE = 1e-12  # of the box: what is nearer to a face lies on it
SLIGHT_SLOPE = 1e-3  # of the steepest coordinate: along a flatter one it is far to the surface


class Scores(Protocol):
    """The log of P(class, x), up to a number that is the same for all classes."""

    def logs(self, points: Floats) -> Floats:
        """(points, classes)"""

    def odds(self, points: Floats, a: int, b: int) -> Floats:
        """(points,): class a against class b."""


@dataclass(frozen=True, eq=False)
class NormalScores:
    """log P(class, x) = y'Qy + l'y + c with y = x - origin; the class is the first axis of all three."""

    quadratic: Floats
    linear: Floats
    constant: Floats
    origin: Floats

    def logs(self, points: Floats) -> Floats:
        y = points - self.origin
        parts = zip(self.quadratic, self.linear, self.constant, strict=True)
        return np.stack([((y @ q) * y).sum(axis=1) + y @ li + c for q, li, c in parts], axis=1)

    def pair(self, a: int, b: int) -> tuple[Floats, Floats, float]:
        """The log odds of class a against b: what two classes have in common is gone before anything is summed."""
        q, li, c = self.quadratic, self.linear, self.constant
        return q[a] - q[b], li[a] - li[b], float(c[a] - c[b])

    def odds(self, points: Floats, a: int, b: int) -> Floats:
        q, li, c = self.pair(a, b)
        y = points - self.origin
        return np.asarray(((y @ q) * y).sum(axis=1) + y @ li + c)

    def slopes(self, points: Floats, a: int, b: int) -> Floats:
        """(points, d): the gradient of the log odds."""
        q, li, _ = self.pair(a, b)
        return np.asarray((points - self.origin) @ (q + q.T) + li)

    def take(self, columns: Array) -> NormalScores:
        """Some columns, where the others have no say."""
        square = self.quadratic[:, columns[:, None], columns]
        return NormalScores(square, self.linear[:, columns], self.constant, self.origin[columns])


@dataclass(frozen=True, eq=False)
class ModelScores:
    """What a model says of rows that have these columns only."""

    model: Any
    at: tuple[int, ...]
    classes: Array

    def logs(self, points: Floats) -> Floats:
        if not len(points):  # no rows are an error to a model
            return np.zeros((0, len(self.classes)))
        return np.asarray(self.model.predict_log_proba(rows(self.model, self.at, points)))[:, self.classes]

    def odds(self, points: Floats, a: int, b: int) -> Floats:
        logs = self.logs(points)
        with np.errstate(invalid="ignore"):
            found = logs[:, a] - logs[:, b]
        return np.where(np.isnan(found), 0.0, found)  # neither is possible


def scores_of(
    model: Any, at: tuple[int, ...], classes: Array, origin: Sequence[float] | Floats | None = None
) -> Scores:
    """The quadratics of a normal model about an origin; else the model itself, to be asked."""
    kinds = {model.model_.schema.columns[one].kind for one in at}
    if not hasattr(model, "discriminant") or kinds != {"real"}:
        return ModelScores(model, at, classes)
    about = np.zeros(len(at)) if origin is None else np.asarray(origin, dtype=np.float64)
    try:
        quadratic, linear, constant = model.discriminant(list(at), about)
    except ModelError:
        return ModelScores(model, at, classes)
    return NormalScores(quadratic[classes], linear[classes], constant[classes], about)


def lead_over_others(scores: Scores, points: Floats, a: int, b: int) -> Floats:
    """(points,): how far the better of two classes is ahead of all the others; below zero where it is behind."""
    logs = scores.logs(points)
    others = np.delete(logs, [a, b], axis=1).max(axis=1, initial=-np.inf)
    best = np.maximum(logs[:, a], logs[:, b])
    with np.errstate(invalid="ignore"):
        ahead = best - others
    return np.where(np.isneginf(others), np.inf, ahead)


def is_tie(scores: NormalScores, a: int, b: int, points: Floats) -> Array:
    """(points,): whether two classes tie at a point, as nearly as doubles can tell there."""
    grain = (np.abs(scores.slopes(points, a, b)) * np.spacing(np.abs(points))).sum(axis=1)
    return np.asarray(np.abs(scores.odds(points, a, b)) <= np.maximum(ZERO_LOG_ODDS, 8.0 * grain))


def onto_surface(scores: NormalScores, a: int, b: int, points: Floats, box: Floats) -> Floats:
    """(points, d): moved along the gradient onto g = 0, each on the faces of the box that it lies on.

    The last step is along the coordinate in which neighbouring doubles differ least in g: far from zero it matters.
    """
    low, high = box.T
    width = high - low
    best = np.where(
        points <= low + ON_FACE_SHARE * width, low, np.where(points >= high - ON_FACE_SHARE * width, high, points)
    )
    off, at = scores.odds(best, a, b), best
    for turn in range(NEWTON_STEPS):
        slopes = scores.slopes(at, a, b) * width * ((at > low) & (at < high))
        if turn == NEWTON_STEPS - 1:
            grain = np.where(np.abs(slopes) > SLIGHT_SLOPE * np.abs(slopes).max(axis=1, keepdims=True), slopes, np.inf)
            grain = np.abs(grain) * np.spacing(np.abs(at)) / width
            slopes = np.where(grain == grain.min(axis=1, keepdims=True), slopes, 0.0)
        steep = (slopes**2).sum(axis=1)
        step = np.divide(scores.odds(at, a, b), steep, out=np.zeros(len(at)), where=steep > 0)[:, None] * slopes
        small = (np.abs(step) <= 0.1).all(axis=1, keepdims=True)  # elsewhere there is no surface to step to
        at = np.clip(at - np.where(small, step, 0.0) * width, low, high)
        now = scores.odds(at, a, b)
        better = np.abs(now) < np.abs(off)
        best, off = np.where(better[:, None], at, best), np.where(better, now, off)
    return best
