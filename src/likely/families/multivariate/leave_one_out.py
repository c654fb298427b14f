"""Leaving one row out of normal vectors: by a rank-one change where that is safe, from the statistics elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats
from likely.families.multivariate.covariances import least_eigenvalue
from likely.families.multivariate.learnt import ClassScatter, VectorRows, describe
from likely.families.multivariate.normals import LOG_TURN, parts
from likely.statistics.statistic import LEFT_BEHIND_SHARE

# What is left of a covariance along a row must be so much, for each of its condition number
LEAST_COVARIANCE_LEFT = 1e-6
FRAGILE_EIGENVALUE = 1e-7  # below this least eigenvalue, a covariance may be singular once a row leaves

COARSE_MEAN = 1e-10  # deviations: a mean that is known less well than that is taken as a refit would round it


def without(learnt: ClassScatter, rows: VectorRows) -> Floats:
    """(rows, classes): log densities, had the model not learnt the very row in its own class."""
    every, each = np.arange(len(learnt.moments.count)), np.arange(len(rows.own))
    how = learnt.how
    plain = learnt.scatter is not None and learnt.scatter.whole and how.shrinkage is None
    if not plain or how.estimate not in ("mle", "unbiased"):
        return refit(learnt, rows, each, every)
    change = ScatterChange.of(learnt, rows)
    if how.shared:
        out = change.densities(change.across())
    else:
        out, own = learnt.described[0].log_density(rows.values), rows.own[:, None]
        mine = np.take_along_axis(change.square, own, axis=1)
        np.put_along_axis(out, own, change.densities((mine, mine), own), axis=1)
    for cell in every:
        for sure in (True, False):
            at = np.flatnonzero((rows.own == cell) & (change.sure == sure))
            classes = np.flatnonzero(change.fragile | (not sure and (how.shared | (every == cell))))
            if len(at) and len(classes):
                out[np.ix_(at, classes)] = refit(learnt, rows, at, classes)
    return out


def refit(learnt: ClassScatter, rows: VectorRows, at: Array, classes: Array) -> Floats:
    """(rows, classes): log densities of some rows in some classes, learnt anew from what is left without each row."""
    out, columns = np.empty((len(at), len(classes))), len(learnt.names)
    for part in parts(len(at), len(learnt.moments.count) * columns * (1 if learnt.scatter is None else columns)):
        some = rows.take(at[part])
        out[part] = describe(learnt.seen_without(some, classes), learnt.how)[0].log_density(some.values)
    return out


@dataclass(frozen=True)
class ScatterChange:
    """What a row that leaves does to the scatter S of its class, or of all classes: S - growth y y'.

    y is the row less the old mean of its class, square (rows, classes) squared lengths under the old covariances;
    freedom (rows,) is what S is divided by, left (rows,) the share of S that is left along y. Rows that are `sure` are
    right to rounding; `fragile` classes change by more than that.
    """

    learnt: ClassScatter
    rows: VectorRows
    square: Floats
    freedom: Floats
    growth: Floats
    left: Floats
    sure: Array
    fragile: Array

    @classmethod
    def of(cls, learnt: ClassScatter, rows: VectorRows) -> ScatterChange:
        """That of rows of a table without missing values."""
        normals, sick = learnt.described
        assert normals.core is not None, "a rank-one change is one of a matrix"
        own, weights, classes = rows.own, rows.weights, len(learnt.moments.count)
        marginal = normals.marginal(np.flatnonzero(normals.live))
        square, unit = marginal.squares(np.nan_to_num(rows.values)[:, normals.live])
        count = learnt.seen.count[:, 0]
        spare = count - (count > 0) * (learnt.how.estimate == "unbiased")
        freedom = np.full(len(own), spare.sum()) if learnt.how.shared else spare[own]
        rest = count[own] - weights
        sure = (rest > LEFT_BEHIND_SHARE * count[own]) & (freedom > weights) & ~np.isnan(rows.values).any(axis=1)
        growth = weights * count[own] / np.where(sure, rest, 1.0)
        left = 1.0 - growth * square[np.arange(len(own)), own] / np.where(sure, freedom, 1.0)
        least, scale = least_eigenvalue(normals.core), np.sqrt(np.diagonal(normals.core, axis1=-2, axis2=-1))
        spectrum = np.linalg.eigvalsh(normals.core / scale[:, :, None] / scale[:, None, :])
        fragile = np.broadcast_to(least < FRAGILE_EIGENVALUE, classes) | sick
        # far from zero, what rounding does to a mean is no longer nothing beside the deviations
        rounding = np.abs(marginal.whiteners) @ (np.finfo(np.float64).eps * np.abs(marginal.mean))[..., None]
        fragile |= (rounding > COARSE_MEAN).any(axis=(1, 2))
        limit = np.maximum(LEAST_COVARIANCE_LEFT * spectrum[:, -1] / spectrum[:, 0], FRAGILE_EIGENVALUE / least)
        sure &= (left > np.broadcast_to(limit, classes)[own]) & (unit == 1.0).all(axis=1) & ~fragile[own]
        return cls(learnt, rows, square, freedom, growth, np.where(sure, left, 1.0), sure, fragile)

    def across(self) -> tuple[Floats, Floats]:
        """(rows, classes): squared lengths, and products with y, of rows less the mean of each class."""
        normals, own = self.learnt.described[0], self.rows.own
        marginal = normals.marginal(np.flatnonzero(normals.live))
        white, values = marginal.whiteners[0], np.nan_to_num(self.rows.values)[:, normals.live]
        product = self.square[np.arange(len(own)), own][:, None] + np.zeros(self.square.shape)
        for cell in np.unique(own):
            mine = own == cell
            gaps = (marginal.mean[cell] - marginal.mean) @ white.T
            product[mine] += (values[mine] - marginal.mean[cell]) @ white.T @ gaps.T
        return self.square, product

    def densities(self, lengths: tuple[Floats, Floats], classes: Array | None = None) -> Floats:
        """(rows, classes): log densities from squared lengths and products; of one class each, or of all."""
        normals, own, weights = self.learnt.described[0], self.rows.own, self.rows.weights
        determinants = normals.marginal(np.flatnonzero(normals.live)).log_determinant
        every = np.arange(len(determinants))[None] if classes is None else classes
        count = self.learnt.seen.count[:, 0]
        freedom, less = self.freedom[:, None], np.where(self.sure, self.freedom - weights, 1.0)[:, None]
        # without the row, the mean of its class is further from it; that of a class without rows is the mean of all
        total = np.where(every == own[:, None], count[own][:, None], np.where(count[every] > 0, np.inf, count.sum()))
        stretch = 1.0 / (1.0 - weights[:, None] / np.where(self.sure[:, None], total, np.inf))
        square, product = (length / np.where(freedom > 0, freedom, 1.0) for length in lengths)
        left = self.left[:, None]
        length = less * stretch**2 * (square + self.growth[:, None] * product**2 / left)
        columns = int(normals.live.sum())
        grown = columns * np.log(np.where(freedom > 0, freedom, 1.0) / less) + np.log(left)
        return np.asarray((columns * LOG_TURN + determinants[every] + grown + length) / -2.0)
