"""Stacking: how several models are best weighed together, learnt from what they say of rows that they have not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.minimization import SMALLEST_SLOPE, least_above
from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.models.pool import Mixing

WEIGHT_PENALTY = 2.0  # times half the squared distance of each weight from an even share
BIAS_PENALTY = 1.0  # times half the square of each bias
MATRIX_PENALTY = 100.0  # times half the square of each entry
MOST_MATRIX_ENTRIES = 1500  # members times classes squared, beyond which no matrix is learnt
LEAST_WEIGHT = 1e-3  # a member that weighs less is left out


@dataclass(frozen=True, eq=False)
class Stack:
    """What models say of rows that they have not seen: log likelihoods (members, rows, classes) of the classes.

    log_prior (rows, classes) is what was known before a row was seen; codes (rows,) are the classes by place.
    """

    log_likelihood: Floats
    log_prior: Floats
    codes: Array
    weights: Floats

    def take(self, at: Array) -> Stack:
        """Some of the rows."""
        return Stack(self.log_likelihood[:, at], self.log_prior[at], self.codes[at], self.weights[at])

    def losses(self, scores: Floats) -> Floats:
        """(rows,): the log loss of scores (rows, classes)."""
        top = scores.max(axis=1, keepdims=True)
        return np.asarray(
            (top + np.log(np.exp(scores - top).sum(axis=1, keepdims=True)))[:, 0]
            - scores[np.arange(len(scores)), self.codes]
        )


def learn_mixing(stack: Stack, classes: tuple[Level, ...], matrix: bool = False, start: Mixing | None = None) -> Mixing:
    """Weights from 0 on, biases of classes and, if wanted, a matrix, that lose least, drawn a little to an even share.

    The search begins where another ended, if that is given.

    >>> said = np.log([[[0.9, 0.1], [0.2, 0.8], [0.8, 0.2]], [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]])
    >>> mixing = learn_mixing(Stack(said, np.zeros((3, 2)), np.array([0, 1, 0]), np.ones(3)), ("no", "yes"))
    >>> mixing.weights[0] > mixing.weights[1]
    True
    """
    members, rows, many = stack.log_likelihood.shape
    even, seats = 1.0 / members, np.arange(rows)
    centred = stack.log_likelihood - stack.log_likelihood.mean(axis=2, keepdims=True)
    sizes = (members, many, members * many * many if matrix else 0)

    def loss(theta: Floats) -> tuple[float, Floats]:
        weights, biases, entries = np.split(theta, np.cumsum(sizes)[:-1])
        scores = np.tensordot(weights, centred, 1) + stack.log_prior + biases
        square = entries.reshape(members, many, many) if matrix else None
        if square is not None:
            scores = scores + np.einsum("mnk,mck->nc", centred, square)
        scores = scores - scores.max(axis=1, keepdims=True)
        share = np.exp(scores)
        total = share.sum(axis=1, keepdims=True)
        whole = float(stack.weights @ (np.log(total[:, 0]) - scores[seats, stack.codes]))
        share /= total
        share[seats, stack.codes] -= 1.0
        share *= stack.weights[:, None]
        whole += WEIGHT_PENALTY / 2 * float(((weights - even) ** 2).sum()) + BIAS_PENALTY / 2 * float(biases @ biases)
        slope = np.einsum("mnc,nc->m", centred, share) + WEIGHT_PENALTY * (weights - even)
        parts = [slope, share.sum(axis=0) + BIAS_PENALTY * biases]
        if square is not None:
            whole += MATRIX_PENALTY / 2 * float(entries @ entries)
            parts.append((np.einsum("nc,mnk->mck", share, centred) + MATRIX_PENALTY * square).reshape(-1))
        return whole, np.concatenate(parts)

    if start is None:
        first = np.concatenate([np.full(members, even), np.zeros(sizes[1] + sizes[2])])
    else:
        first = np.concatenate([start.weights, start.biases, np.reshape(start.matrix, -1)])
    floor = np.concatenate([np.zeros(members), np.full(sizes[1] + sizes[2], -np.inf)])
    best = least_above(loss, first, floor, SMALLEST_SLOPE * max(1.0, float(stack.weights.sum())))
    weights, biases, entries = np.split(best, np.cumsum(sizes)[:-1])
    square = entries.reshape(members, many, many) if matrix else np.zeros((0, many, many))
    return Mixing(
        classes,
        tuple(weights.tolist()),
        tuple(biases.tolist()),
        tuple(tuple(tuple(row) for row in one) for one in square.tolist()),
    )


def scores_of(mixing: Mixing, stack: Stack) -> Floats:
    """(rows, classes): the scores that a mixing gives."""
    biases, matrix = mixing.under(mixing.classes)
    scores = np.tensordot(np.array(mixing.weights), stack.log_likelihood, 1) + stack.log_prior + biases
    if matrix is not None:
        centred = stack.log_likelihood - stack.log_likelihood.mean(axis=2, keepdims=True)
        scores += np.einsum("mnk,mck->nc", centred, matrix)
    return np.asarray(scores)
