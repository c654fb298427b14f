"""Rows of joint log probabilities, made posteriors in place: short rows are where NumPy's reductions are slow."""

import numpy as np

from likely.core.numerics import Floats, Ints
from likely.kernels.compiler import njit


@njit(nogil=True, cache=True)
def lower_by_largest(joint: Floats, fallback: Floats) -> None:
    """Take its largest entry from each row; a row of -inf alone becomes `fallback`."""
    rows, classes = joint.shape
    for i in range(rows):
        top = -np.inf
        for c in range(classes):
            top = max(top, joint[i, c])
        if top == -np.inf:
            for c in range(classes):
                joint[i, c] = fallback[c]
                top = max(top, fallback[c])
        for c in range(classes):
            joint[i, c] -= top


@njit(nogil=True, cache=True)
def find_largest(joint: Floats, fallback: int, out: Ints) -> None:
    """out (rows,): the place of the first largest entry of each row; of a row of -inf alone, `fallback`."""
    for i in range(joint.shape[0]):
        row, top = joint[i], -np.inf
        for c in range(len(row)):
            if row[c] > top:
                top = row[c]
                out[i] = c
        if top == -np.inf:
            out[i] = fallback


@njit(nogil=True, cache=True)
def divide_by_sum(rows: Floats) -> None:
    """Make each row sum to one."""
    for i in range(rows.shape[0]):
        total = 0.0
        for c in range(rows.shape[1]):
            total += rows[i, c]
        for c in range(rows.shape[1]):
            rows[i, c] /= total


def normalise(joint: Floats, fallback: Floats) -> Floats:
    """(rows, classes), in place: joint log probabilities become posterior probabilities, each row summing to one.

    A row that is impossible under every class (all -inf) takes `fallback`, the log prior of the classes:
    there is no posterior to report, and the prior is what is still known.

    >>> normalise(np.log([[2.0, 6.0]]), np.log([0.5, 0.5])).round(6)
    array([[0.25, 0.75]])
    """
    lower_by_largest(joint, fallback)
    np.exp(joint, out=joint)
    divide_by_sum(joint)
    return joint


def log_normalise(joint: Floats, fallback: Floats) -> Floats:
    """(rows, classes), in place: the same in logs.

    >>> log_normalise(np.log([[2.0, 6.0]]), np.log([0.5, 0.5])).round(6)
    array([[-1.386294, -0.287682]])
    """
    lower_by_largest(joint, fallback)
    joint -= np.log(np.exp(joint).sum(axis=1, keepdims=True))
    return joint
