"""What rows say of columns of numbers: by class, of all rows, and of each two columns together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats


@dataclass(frozen=True)
class FourthMoments:
    """(..., classes) and (..., classes, d, d): weight, and sums of a_j a_k and a_j² a_k², of complete rows."""

    count: Floats
    second: Floats
    fourth: Floats


@dataclass(frozen=True)
class ObservedMoments:
    """(..., classes, d): count, mean, spread by class; (..., d): the mean and the variance of all rows, that within.

    `live` columns have a spread; the others say nothing, and their variances are one. A class without a value has the
    mean of all rows. The matrices (..., classes, d, d) are there where covariances are asked for.
    """

    count: Floats
    mean: Floats
    spread: Floats
    centre: Floats
    variance: Floats
    within: Floats
    live: Array
    pairs: Floats | None = None
    scatter: Floats | None = None
    fourths: FourthMoments | None = None
    whole: bool = True

    @classmethod
    def of(cls, by_class: Sequence[Array], every: Sequence[Array], strength: float) -> ObservedMoments:
        """From the count, the mean and the spread of classes (..., classes, d), and of all rows (..., d)."""
        count, mean, spread = by_class
        total, centre, around = every
        live = around > 0
        variance = np.where(live, around / np.where(total > 0, total, 1.0), 1.0)
        # the variance of all rows, worth as much as the prior, keeps that within classes above zero
        worth = strength if strength > 0 else 1.0
        within = np.where(live, (spread.sum(axis=-2) + worth * variance) / (total + worth), 1.0)
        there = np.where(count > 0, mean, centre[..., None, :])
        return cls(np.asarray(count, np.float64), there, spread, centre, variance, within, live)

    def of_classes(self, classes: Array) -> ObservedMoments:
        """Some of the classes, without their matrices; what is known of all rows stays."""
        count, mean, spread = (part[..., classes, :] for part in (self.count, self.mean, self.spread))
        return replace(self, count=count, mean=mean, spread=spread)

    @cached_property
    def deviation(self) -> Floats:
        """(..., 1, d): within classes; one where a column is silent."""
        return np.sqrt(self.within)[..., None, :]

    @cached_property
    def columns(self) -> Array:
        """(...): how many columns say anything; one where none does."""
        return np.asarray(np.maximum(self.live.sum(axis=-1), 1))

    @cached_property
    def hold(self) -> Floats:
        """(..., 1): what a prior worth one row is worth for the means: the less, the better the classes separate."""
        ratio = np.where(self.live, self.within / self.variance, 0.0).sum(axis=-1)
        return np.asarray(ratio / self.columns)[..., None]

    @cached_property
    def away(self) -> Floats:
        """(..., classes, d): how far the means of the classes are from that of all rows; zero in silent columns."""
        return np.where(self.live[..., None, :], self.mean - self.centre[..., None, :], 0.0)
