"""A round of boosting over the rows: how much of each was voted wrongly, and what each weighs from then on."""

from __future__ import annotations

import numpy as np

from likely.kernels.arithmetic.elementary import exp_below
from likely.kernels.compiler import njit

ROWS_SUMMED_TOGETHER = 1 << 10  # rows summed at a time: sums of sums lose fewer digits than one long sum


@njit(nogil=True, cache=True)
def misjudge(said, cells, weights, wrong):
    """The weighted error of votes said (rows, classes), and the largest part that is wrong, told in `wrong`."""
    error, worst = 0.0, 0.0
    for start in range(0, len(cells), ROWS_SUMMED_TOGETHER):
        part = 0.0
        for row in range(start, min(start + ROWS_SUMMED_TOGETHER, len(cells))):
            wrong[row] = 1.0 - said[row, cells[row]]
            part += weights[row] * wrong[row]
            worst = max(worst, wrong[row])
        error += part
    return error, worst


@njit(nogil=True, cache=True)
def reweigh(said, cells, wrong, weight, start, votes, logs, weights):
    """Votes (rows, classes) with those said added, weights (rows,) after the round, and the error by `start` weights.

    Only ratios of weights matter: rows that are right lose weight instead of others gaining it. `logs` (rows,) are the
    logs of the weights, below their highest: a row whose weight has vanished may still be the heaviest of a later one.
    """
    error, top, total = 0.0, -np.inf, 0.0
    for first in range(0, len(cells), ROWS_SUMMED_TOGETHER):
        lost = 0.0
        for row in range(first, min(first + ROWS_SUMMED_TOGETHER, len(cells))):
            best = 0
            for cell in range(votes.shape[1]):
                votes[row, cell] += weight * said[row, cell]
                if votes[row, cell] > votes[row, best]:
                    best = cell
            if best != cells[row]:
                lost += start[row]
            logs[row] -= weight * (1.0 - wrong[row])
            top = max(top, logs[row])
        error += lost
    for row in range(len(cells)):  # apart from the sum, so that several go at a time
        logs[row] -= top
        weights[row] = exp_below(logs[row])
    for first in range(0, len(cells), ROWS_SUMMED_TOGETHER):
        kept = 0.0
        for row in range(first, min(first + ROWS_SUMMED_TOGETHER, len(cells))):
            kept += weights[row]
        total += kept
    for row in range(len(cells)):
        weights[row] /= total
    return error
