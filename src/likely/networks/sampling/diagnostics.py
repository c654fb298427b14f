"""How far chains of draws can be trusted: R-hat, effective sample size, standard errors.

Chains are told of by counts (chains, batches, cells): how many of the `batch` draws of each batch lay in each cell. Of
an indicator that says all there is: ranks change nothing, and its variance is p(1 - p).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likely.core.numerics import Array, Floats

LARGEST_RHAT = 1.01  # Vehtari et al. 2021: above it chains do not agree
LEAST_EFFECTIVE = 400.0  # and below it R-hat itself is not reliable
SPECTRA_AT_ONCE = 512  # cells whose spectra are held together


def rhat(counts: Array, batch: int = 1) -> Floats:
    """(cells,): split R-hat; nan where no draw differs from another, infinite where chains differ that never move.

    >>> agreeing, apart = np.tile([[[1], [0]]], (2, 80, 1)), np.repeat([[[1]], [[0]]], 16, axis=1)
    >>> rhat(agreeing).round(1), rhat(apart)
    (array([1.]), array([inf]))
    """
    halves = _halves(counts)
    draws = halves.shape[1] * batch
    if draws < 2:
        return np.full(counts.shape[-1], np.nan)
    shares = halves.sum(axis=1) / draws
    within = (shares * (1.0 - shares)).mean(axis=0) * draws / (draws - 1)
    between = shares.var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.sqrt((draws - 1) / draws + between / within))


def effective_size(counts: Array, batch: int = 1) -> Floats:
    """(cells,): how many independent draws would tell as much; nan where no draw differs from another.

    Geyer's initial monotone sequence over the autocorrelation of the batches, within and between half chains.
    """
    parts = [
        _effective(counts[..., at : at + SPECTRA_AT_ONCE], batch) for at in range(0, counts.shape[-1], SPECTRA_AT_ONCE)
    ]
    return np.concatenate(parts)


def _effective(counts: Array, batch: int) -> Floats:
    halves = _halves(counts)
    chains, batches, _ = halves.shape
    draws = chains * batches * batch
    shares = halves.mean(axis=(0, 1)) / batch
    spread = np.where((shares > 0.0) & (shares < 1.0), shares * (1.0 - shares), np.nan)
    if batches < 4:  # too short to see how draws depend on each other: the starts do not
        return np.where(np.isnan(spread), np.nan, float(len(counts)))
    series = halves / batch
    centred = series - series.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * batches, axis=1)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, :batches].mean(axis=0) / batches
    within = covariance[0] * batches / (batches - 1)
    variance = covariance[0] + series.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = 1.0 - (within - covariance) / variance
        correlation[0] = 1.0
        pairs = correlation[: batches // 2 * 2].reshape(-1, 2, counts.shape[-1]).sum(axis=1)
        kept = np.logical_and.accumulate(pairs > 0.0, axis=0)
        time = np.maximum(2.0 * np.where(kept, np.minimum.accumulate(pairs, axis=0), 0.0).sum(axis=0) - 1.0, 1.0)
        return np.asarray(np.minimum(spread / (variance * time / (chains * batches)), draws))


def pooled(shares: Floats, effective: Floats, begins: Array) -> Floats:
    """(groups,): the effective size of all cells of a group together, which begin at `begins`; nan where none moved.

    The spread of the group's indicators over the variance of their means: rare cells, of whose own effective size
    little is known, count little.
    """
    spread = np.where(np.isnan(effective), 0.0, shares * (1.0 - shares))
    variance = np.divide(spread, effective, out=np.zeros_like(spread), where=spread > 0.0)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.add.reduceat(spread, begins) / np.add.reduceat(variance, begins))


def with_unseen(errors: npt.ArrayLike, effective: npt.ArrayLike) -> Floats:
    """(...): standard errors that stay right near zero and one, of shares among so many independent draws.

    None of n draws shows a level of probability 6/n one time in 400: three errors must reach that far.

    >>> with_unseen([0.02, 0.0], 196.0).round(3)
    array([0.022, 0.01 ])
    """
    return np.hypot(errors, 2.0 / (np.asarray(effective, dtype=np.float64) + 4.0))


def _halves(counts: Array) -> Floats:
    """Each chain as two, so that one that drifts disagrees with itself."""
    chains, batches, cells = counts.shape
    half = batches // 2
    kept = counts[:, batches - 2 * half :] if half else counts
    return kept.reshape(chains * 2, half, cells).astype(np.float64) if half else kept.astype(np.float64)
