"""Radial kernels: what they are along the distance, how high at the centre, how wide."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log, pi

import numpy as np

from likely.core.numerics import Floats
from likely.core.numerics import log as log_of
from likely.kernels.densities.radial import CONE_PROFILE, GAUSSIAN_PROFILE, POWER_PROFILE, cone

PROFILE_POWERS = {"box": 0, "epanechnikov": 1, "biweight": 2}  # of 1 - r²


@dataclass(frozen=True)
class KernelProfile:
    """A kernel c k(r) with k(0) = 1: its form as the loops know it, and log c."""

    shape: int
    bend: int
    log_peak: float

    @classmethod
    def of(cls, kernel: str, columns: int, whole: int) -> KernelProfile:
        """The kernel of `whole` columns, summed over all but `columns` of them.

        >>> peaks = [KernelProfile.of("epanechnikov", 1, 1).log_peak, KernelProfile.of("box", 1, 3).log_peak]
        >>> np.exp(peaks).round(12).tolist()
        [0.75, 0.75]
        """
        if kernel == "gaussian":
            return cls(GAUSSIAN_PROFILE, 0, -0.5 * columns * log(2.0 * pi))
        if kernel == "triangular":
            return cls(CONE_PROFILE, whole - columns, 0.0 if columns == 1 and whole != 2 else log(3.0 / pi))
        bend = 2 * PROFILE_POWERS[kernel] + whole - columns  # each column that is summed out adds half to the power
        volume = 0.5 * columns * log(pi) + lgamma(1.0 + bend / 2.0) - lgamma(1.0 + (bend + columns) / 2.0)
        return cls(POWER_PROFILE, bend, -volume)

    @property
    def polynomial(self) -> Floats | None:
        """The coefficients of the powers of r, where k is a polynomial up to one.

        >>> KernelProfile.of("biweight", 1, 1).polynomial.tolist()
        [1.0, 0.0, -2.0, 0.0, 1.0]
        """
        if self.shape == CONE_PROFILE and self.bend != 1:
            return np.array([1.0, 0.0, -3.0, 2.0] if self.bend else [1.0, -1.0])
        if self.shape != POWER_PROFILE or self.bend % 2:
            return None
        out = np.ones(1)
        for _ in range(self.bend // 2):
            out = np.convolve(out, [1.0, 0.0, -1.0])
        return out

    def logs(self, squares: Floats) -> Floats:
        """The logs of the kernel, one at its centre, at squared distances; minus infinity out of its reach.

        >>> np.exp(KernelProfile.of("epanechnikov", 1, 1).logs(np.array([0.0, 0.25, 2.0]))).tolist()
        [1.0, 0.75, 0.0]
        """
        if self.shape == GAUSSIAN_PROFILE:
            return squares / -2.0
        if self.shape == CONE_PROFILE and self.bend:
            return log_of(np.vectorize(cone, otypes=[np.float64])(self.bend, squares))
        if self.shape == CONE_PROFILE:
            return log_of(np.maximum(1.0 - np.sqrt(squares), 0.0))
        if not self.bend:
            return np.where(squares < 1.0, 0.0, -np.inf)
        return self.bend / 2.0 * log_of(np.maximum(1.0 - squares, 0.0))


def deviation(kernel: str, columns: int) -> float:
    """The standard deviation, along each of its columns, of a kernel of width one.

    >>> round(deviation("epanechnikov", 1) ** 2, 12), deviation("gaussian", 3)
    (0.2, 1.0)
    """
    if kernel == "gaussian":
        return 1.0
    if kernel == "triangular":
        return float(np.sqrt((columns + 1) / ((columns + 2) * (columns + 3))))
    return float(1.0 / np.sqrt(columns + 2 * PROFILE_POWERS[kernel] + 2))
