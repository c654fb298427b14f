"""Up to k parents for each column, after Sahami (1996)."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats


def k_dependence(
    information: Floats, class_information: Floats, k: int
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """(columns,) in order, and (columns,) of up to k parents each, by position.

    Columns come in order of falling information about the class. Each takes the k of those before it that tell most
    about it given the class, and none that tells nothing; of equals the first column. Parents stand in order of falling
    information, so that the first of them are the parents for a smaller k.

    >>> information = np.array([[0, 0.3, 0.1], [0.3, 0, 0.2], [0.1, 0.2, 0]])
    >>> k_dependence(information, np.array([0.1, 0.2, 0.9]), 2)
    ((2, 1, 0), ((1, 2), (2,), ()))
    """
    order = np.argsort(-np.asarray(class_information), kind="stable")
    parents: list[tuple[int, ...]] = [()] * len(order)
    for place, at in enumerate(order):
        before = np.sort(order[:place])
        told = information[at, before]
        chosen = np.argsort(-told, kind="stable")[:k]
        parents[at] = tuple(before[chosen[told[chosen] > 0]].tolist())
    return tuple(order.tolist()), tuple(parents)
