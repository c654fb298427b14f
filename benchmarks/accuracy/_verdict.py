"""Whether one model is better than another over many tables: ranks, wins, and the Bayesian signed-rank test."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

DRAWS = 20_000
PRIOR_TABLES = 0.5  # what the prior table of no difference weighs, as the authors have it


def mean_ranks(values: np.ndarray) -> np.ndarray:
    """(models,): the mean rank over tables of values (tables, models), 1 being the least; ties share their ranks."""
    return rankdata(values, axis=1).mean(axis=0)


def signed_rank(differences: np.ndarray, alike: float, seed: int = 0) -> tuple[float, float, float]:
    """Probabilities that on a further table the first is better, that both are alike, that the other is better.

    The test of Benavoli, Mangili, Corani, Zaffalon and Ruggeri (2014): tables are weighed by a Dirichlet posterior
    under a prior table of no difference; the median of the mean of two tables' differences (first - other, less being
    better) is below -alike, within, or above alike.
    """
    z = np.concatenate([[0.0], differences])
    middle = (z[:, None] + z[None, :]) / 2
    below, above = middle < -alike, middle > alike
    weights = np.random.default_rng(seed).dirichlet([PRIOR_TABLES, *np.ones(len(differences))], DRAWS)
    first, other = (np.einsum("di,ij,dj->d", weights, side, weights, optimize=True) for side in (below, above))
    winner = np.stack([first, 1 - first - other, other], axis=1).argmax(axis=1)
    better, same, worse = np.bincount(winner, minlength=3) / DRAWS
    return float(better), float(same), float(worse)
