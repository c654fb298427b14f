"""Sums of kernels on points, fast and within a bound; and the bandwidths that suit them."""

from likely.families.kernel_density.sums import KernelSum

__all__ = ["KernelSum"]
