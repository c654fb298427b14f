"""The statistics of columns of numbers together, and the same without a row."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.errors import NotLearntError
from likely.families.multivariate import covariances, spherical
from likely.families.multivariate.covariances import CovarianceSettings
from likely.families.multivariate.normals import MultivariateNormals
from likely.families.multivariate.observed import FourthMoments, ObservedMoments
from likely.families.numeric import own_moments
from likely.families.predictor import never_learnt_error, own_weights
from likely.statistics import Moments, Quartics, Scatter


@dataclass(frozen=True)
class VectorRows:
    """Values (rows, d) of rows; (rows,) their classes, their weights, and their places in the whole."""

    values: Floats
    own: Array
    weights: Floats
    places: Array

    @classmethod
    def of(cls, block: Block, at: Array | slice) -> VectorRows:
        """The columns `at` of a block's reals."""
        return cls(block.reals[:, at], *own_weights(block), block.start + np.arange(block.rows))

    def take(self, at: Array) -> VectorRows:
        """Some of the rows."""
        return VectorRows(self.values[at], self.own[at], self.weights[at], self.places[at])


@dataclass(frozen=True)
class ClassScatter:
    """Moments (classes, d); scatter (classes, d, d) where there are covariances, quartics where these are shrunk."""

    moments: Moments
    scatter: Scatter | None
    quartics: Quartics | None
    names: tuple[str, ...]
    how: CovarianceSettings

    @classmethod
    def of(
        cls, scatter: Scatter, quartics: Quartics | None, names: tuple[str, ...], how: CovarianceSettings
    ) -> ClassScatter:
        """From scatter alone: the moments are its diagonal."""
        return cls(scatter.moments(), scatter, quartics, names, how)

    @cached_property
    def every(self) -> Moments:
        """(1, d): all classes together."""
        return self.moments.pooled()

    @cached_property
    def centred(self) -> Floats:
        """(classes, d, d): the scatter about the means."""
        assert self.scatter is not None, "there is no scatter without covariances"
        return self.scatter.centred

    @cached_property
    def seen(self) -> ObservedMoments:
        """What the rows say."""
        seen = ObservedMoments.of(_shape(self.moments), [part[0] for part in _shape(self.every)], self.how.strength)
        if self.scatter is None:
            return seen
        pairs, whole = np.asarray(self.scatter.count, dtype=np.float64), self.scatter.whole
        fourths = None if self.quartics is None else FourthMoments(*_fourths(self.quartics))
        return replace(seen, pairs=pairs, scatter=self.centred, fourths=fourths, whole=whole)

    @cached_property
    def described(self) -> tuple[MultivariateNormals, Array]:
        """The vectors of the classes, and (classes,) whose covariance could not be inverted."""
        return describe(self.seen, self.how)

    def seen_without(self, rows: VectorRows, classes: Array) -> ObservedMoments:
        """(rows, ...): what is seen by some classes without each row, taken out of its own."""
        columns, every_class, size = np.arange(len(self.names)), np.arange(len(self.moments.count)), len(rows.own)
        single = own_moments(rows.values, rows.weights)
        if self.scatter is None:
            left, rest = None, self.moments.take(rows.own, columns) - single
        else:  # the scatter knows what its rounding may leave; its diagonal alone does not
            left = self.scatter.take(rows.own, columns) - Scatter.of(rows.values, np.arange(size), rows.weights, size)
            rest = left.moments()
        if not rest.possible():
            raise self._refused(rest.impossible(), rows)
        every = self.every.take(np.zeros(size, dtype=np.int64), columns) - single
        by_class = [
            _instead(all_, left, rows.own[:, None] == every_class)
            for all_, left in zip(_shape(self.moments), _shape(rest), strict=True)
        ]
        seen = ObservedMoments.of(by_class, _shape(every), self.how.strength).of_classes(classes)
        if self.scatter is None or left is None:
            return seen
        mine = rows.own[:, None] == classes
        pairs = _instead(self.scatter.count[classes], left.count, mine)
        scatter = _instead(self.centred[classes], left.centred, mine)
        fourths = None
        if self.quartics is not None:
            fewer = _fourths(self.quartics.take(rows.own, columns) - _alone(rows))
            parts = zip(_fourths(self.quartics), fewer, strict=True)
            fourths = FourthMoments(*(_instead(all_[classes], part, mine) for all_, part in parts))
        return replace(seen, pairs=pairs, scatter=scatter, fourths=fourths, whole=self.scatter.whole)

    def _refused(self, impossible: Array, rows: VectorRows) -> NotLearntError:
        """The error of the first row that cannot have been there, from (rows, d) of what is left."""
        row = int(np.argmax(impossible.any(axis=1)))
        name = self.names[int(np.argmax(impossible[row]))]
        return never_learnt_error(int(rows.places[row]), f"its class has no such value of {name!r}")


def describe(seen: ObservedMoments, how: CovarianceSettings) -> tuple[MultivariateNormals, Array]:
    """The vectors of the classes, and (..., classes) whose covariance could not be inverted."""
    if how.covariance == "spherical":
        return spherical.described(seen, how)
    return covariances.described(seen, how)


def _shape(moments: Moments) -> list[Array]:
    return [moments.count, moments.mean, moments.spread]


def _fourths(quartics: Quartics) -> list[Array]:
    return [np.asarray(quartics.count, dtype=np.float64), quartics.second, quartics.fourth]


def _alone(rows: VectorRows) -> Quartics:
    """(rows, ...): of each row by itself, which has no spread; one with missing values counts nothing."""
    holes = np.asarray(np.isnan(rows.values).any(axis=1, keepdims=True))
    nothing = np.zeros((*rows.values.shape, rows.values.shape[1]))
    return Quartics(
        count=np.where(holes[:, 0], 0.0, rows.weights),
        mean=np.where(holes, 0.0, rows.values),
        mean_low=np.zeros(rows.values.shape),
        second=nothing,
        third=nothing,
        fourth=nothing,
    )


def _instead(all_: Array, part: Array, mine: Array) -> Floats:
    """(rows, classes, ...): the same for every row, but a part of its own (rows, ...) where mine (rows, classes)."""
    out = np.repeat(np.asarray(all_, dtype=np.float64)[None], len(mine), axis=0)
    row, place = np.nonzero(mine)
    out[row, place] = part[row]
    return out
