"""Bandwidths: rules of thumb, and the factor on them that leaving points out finds best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likely.core.numerics import Floats, log_sum_exp
from likely.families.kernel_density import KernelSum
from likely.families.kernel_density.factors import Group, QueryPoints, Score, best_factor, most_asked, score_of
from likely.families.kernel_density.profiles import deviation

TOLERANCES = (0.0, 1e-6, 1e-4, 1e-4)  # by columns


def rule(name: str, deviations: Floats, count: Floats | float, columns: int, kernel: str) -> Floats:
    """Widths, in the shape of deviations and count together, of the kernel of so many columns.

    silverman: sd (4 / ((columns + 2) n))^(1 / (columns + 4)); scott: sd n^(-1 / (columns + 4)). Both are meant for the
    Gaussian; the other kernels get widths that give them its deviation.

    >>> rule("scott", np.array([2.0]), 32.0, 1, "gaussian").round(12).tolist()
    [1.0]
    >>> rule("silverman", np.array([1.0]), 100.0, 1, "epanechnikov").round(2).tolist()
    [0.94]
    """
    scale = (4.0 / (columns + 2.0)) ** (1.0 / (columns + 4.0)) if name == "silverman" else 1.0
    shrunk = np.maximum(count, 1.0) ** (-1.0 / (columns + 4.0))
    return np.asarray(deviations * scale * shrunk / deviation(kernel, columns))


def cross_validated(groups: Sequence[Group], kernel: str) -> float:
    """The factor on the widths that maximises the leave-one-out likelihood, summed over the groups.

    It lies between a thirtieth (a thousandth, if no two points are equal) and three: the likelihood of points that are
    equal to others grows without bounds as the widths shrink. A compact kernel should reach each point from another:
    the fewer points a factor leaves out of reach, the better. One is the answer where there is nothing to choose by.
    Points that lie together are asked as one, and of very many only some.

    >>> points = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> round(cross_validated([(points, np.ones(4), np.ones(1))], "gaussian"), 1)
    1.9
    """
    groups = [group for group in groups if group[1].sum() > 0.0]
    if not groups:
        return 1.0
    kernels = _kernels(groups, kernel)

    def score(factor: float, asked: QueryPoints) -> Score:
        logs = np.empty(len(asked.cells))
        for cell, one in enumerate(kernels):
            rows = asked.cells == cell
            logs[rows] = one.log_density_at(factor, asked.points[rows], asked.own[rows])
        return score_of(logs, asked.weights)

    return best_factor(score, groups, kernel)


def least_loss(groups: Sequence[Group], log_priors: Floats, kernel: str) -> float:
    """The factor on the widths that minimises the leave-one-out log loss of the classes, one group each.

    The range, ties and the points that are asked are those of `cross_validated`. A point that no class allows is told
    by the log priors (classes,) alone; classes without points are left out.

    >>> one, two = (np.array([[0.0], [1.0], [2.0]]) + shift for shift in (0.0, 1.5))
    >>> groups = [(one, np.ones(3), np.ones(1)), (two, np.ones(3), np.ones(1))]
    >>> round(least_loss(groups, np.log([0.5, 0.5]), "gaussian"), 1)
    1.3
    """
    known = [at for at, group in enumerate(groups) if group[1].sum() > 0.0]
    groups, priors = [groups[at] for at in known], np.asarray(log_priors)[known]
    if len(groups) < 2:
        return 1.0
    kernels = _kernels(groups, kernel)

    def score(factor: float, asked: QueryPoints) -> Score:
        joint = np.empty((len(asked.cells), len(groups)))
        for cell, one in enumerate(kernels):
            own = np.where(asked.cells == cell, asked.own, 0.0)
            joint[:, cell] = priors[cell] + one.log_density_at(factor, asked.points, own)
        joint[np.isneginf(joint).all(axis=1)] = priors
        mine = np.take_along_axis(joint, asked.cells[:, None], axis=1)[:, 0]
        return score_of(mine - log_sum_exp(joint), asked.weights)

    return best_factor(score, groups, kernel)


def _kernels(groups: Sequence[Group], kernel: str) -> list[KernelSum]:
    """The kernels on each group."""
    columns, most = groups[0][0].shape[1], most_asked(groups, kernel)
    tolerance = TOLERANCES[columns]
    return [KernelSum(*group, kernel, columns, tolerance, min(most, len(group[0]))) for group in groups]
