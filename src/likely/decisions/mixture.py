"""Rows as a mixture of classes in unknown shares: the likelihood of the shares, and the climb to its one peak."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Floats, log

LEAST_GAIN_A_ROW = 1e-10  # nats a row that better shares could still add, where the climb ends
STEP_LENGTHS = (1.0, 0.5, 0.25, 0.125)
NEWTON_REGION = 1e8  # nats a row: from further away no quadratic fits, and EM alone is fast


@dataclass(frozen=True, eq=False)
class Mixture:
    """ratios (rows, classes): how likely each row is under each class, a factor for each row left open.

    `settled` (rows,) is what a class whose share is held adds to each row; the others share what is `left`.
    `log_likelihood` is counted from `origin`, that of the shares before.
    """

    ratios: Floats
    weights: Floats
    settled: Floats
    left: float = 1.0
    origin: float = 0.0

    @classmethod
    def of(cls, log_ratios: Floats, weights: Floats, before: Floats) -> Mixture:
        """A mixture whose log likelihood is zero at the shares `before`."""
        counted = log_ratios[weights > 0]
        ratios = np.exp(counted - counted.max(axis=1, keepdims=True))  # a row's factor changes no share
        bare = cls(ratios, weights[weights > 0], np.zeros(len(ratios)))
        return cls(bare.ratios, bare.weights, bare.settled, origin=bare.at(before).log_likelihood)

    def held(self, column: int, share: float) -> Mixture:
        """The mixture of the other classes, with one share held."""
        others = np.delete(self.ratios, column, axis=1)
        return Mixture(others, self.weights, share * self.ratios[:, column], 1.0 - share, self.origin)

    def at(self, shares: Floats) -> MixtureStep:
        """The likelihood at these shares, how much higher the peak can be, and where one step of EM leads."""
        density = self.settled + self.ratios @ shares
        if not (density > 0).all():  # a row that no class can have
            return MixtureStep(shares, -np.inf, 0.0, shares)
        rows = self.weights.sum()
        belong = self.weights @ (self.ratios * shares / density[:, None]) / rows
        taken = float(belong.sum())
        with np.errstate(over="ignore"):  # a share of almost nothing that rows cry out for
            gradient = self.weights @ (self.ratios / density[:, None]) / rows
        # The likelihood is concave: its tangent bounds what any other shares can add.
        room = self.left * float(gradient.max()) - taken
        after = self.left * belong / taken if taken > 0 else shares
        return MixtureStep(shares, float(self.weights @ log(density)) - self.origin, room, after)


@dataclass(frozen=True, eq=False)
class MixtureStep:
    """Shares, their log likelihood, the room (nats a row) above it, and the shares after one step of EM."""

    shares: Floats
    log_likelihood: float
    room: float
    after: Floats


@dataclass(frozen=True, eq=False)
class Peak:
    """The shares where the climb ended."""

    shares: Floats
    log_likelihood: float
    iterations: int
    converged: bool


def maximise_likelihood(mixture: Mixture, start: Floats, iterations: int = 1000) -> Peak:
    """Up the likelihood by EM; it never falls. EM creeps where classes overlap, so each step is followed by a leap.

    The leap is the constrained Newton step of Wang (2007); it is taken as far as it ends higher than EM alone.
    """
    here = mixture.at(start)
    done = 0
    while here.room > LEAST_GAIN_A_ROW and done < iterations:
        here = _leap(mixture, mixture.at(here.after))
        done += 1
    return Peak(here.shares, here.log_likelihood, done, here.room <= LEAST_GAIN_A_ROW)


def _leap(mixture: Mixture, here: MixtureStep) -> MixtureStep:
    """The first of ever shorter steps towards the peak of the quadratic that fits here which leads up."""
    if not 0 < here.room < NEWTON_REGION:
        return here
    target = _quadratic_peak(mixture, here.shares)
    for length in STEP_LENGTHS:
        there = mixture.at(here.shares + length * (target - here.shares))
        if there.log_likelihood > here.log_likelihood:
            return there
    return here


def _quadratic_peak(mixture: Mixture, shares: Floats) -> Floats:
    """The shares that are best if log(1 + u) were u - u²/2 around the ones given.

    That is least squares over shares of zero or more with a given sum, which is non-negative least squares (Dax 1990).
    """
    from scipy.optimize import nnls  # late: slow to import

    density = mixture.settled + mixture.ratios @ shares
    missing = (2 - mixture.settled / density)[:, None]
    rows = np.sqrt(mixture.weights)[:, None] * (mixture.left * mixture.ratios / density[:, None] - missing)
    square = np.asarray(np.linalg.qr(rows, mode="r"))
    square /= max(float(np.abs(square).max()), 1e-300)  # which moves no peak, and leaves shares that are no zeros
    sides = np.concatenate([np.zeros(len(square)), [1.0]])
    found = nnls(np.concatenate([square, np.ones((1, len(shares)))]), sides)[0]
    return np.asarray(mixture.left * found / found.sum())
