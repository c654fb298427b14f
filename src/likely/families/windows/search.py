"""Bandwidths that are searched for: a factor on those of a rule, under which rows that are left out fare best."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats, log
from likely.families.kernel_density.bandwidths import cross_validated, least_loss
from likely.families.windows.densities import WindowDensities


def searched_bandwidths(densities: WindowDensities, bandwidth: str, shared: bool) -> Floats:
    """(cells, columns): the bandwidths of densities, each group of columns times its factor.

    `cv` has a factor in each cell, or one where they are shared: that of the likeliest rows. `log-loss` has one for all
    cells: that under which the columns of the group tell the classes best.
    """
    widths, cells = densities.widths.copy(), range(len(densities.base))
    for group in densities.groups:
        at = list(group)
        laid = [(*densities.rows_of(densities.lender(cell, group), group), widths[cell, at]) for cell in cells]
        mass = densities.mass(group)
        if bandwidth == "log-loss":
            some = np.flatnonzero(mass)
            priors = log(mass[some] / mass.sum())
            widths[:, at] *= least_loss([laid[cell] for cell in some], priors, densities.kernel)
            continue
        # rows that are all the same would be likeliest in windows of no width
        able = [cell for cell in cells if len(laid[cell][0]) > 1]
        if shared:
            widths[:, at] *= cross_validated([laid[cell] for cell in able if mass[cell] > 0], densities.kernel)
            continue
        for cell in able:
            widths[cell, at] *= cross_validated([laid[cell]], densities.kernel)
    return widths
