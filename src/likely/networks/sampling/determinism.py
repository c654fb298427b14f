"""Zeros that tie nodes together, so that moves of single nodes may not lead from one state to another."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Array


def ties(possible: Array) -> bool:
    """Whether the possible combinations (an axis a node) are not all combinations of levels that are possible.

    >>> ties(np.array([[True, False], [False, True]])), ties(np.array([[True, True], [False, False]]))
    (True, False)
    """
    whole = np.ones((), dtype=np.bool_)
    for axis in range(possible.ndim):
        others = tuple(at for at in range(possible.ndim) if at != axis)
        whole = np.logical_and.outer(whole, possible.any(axis=others))
    return bool((possible != whole).any())
