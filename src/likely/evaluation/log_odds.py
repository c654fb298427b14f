"""Between log probabilities and log odds."""

from __future__ import annotations

import numpy as np

from likely.core.numerics import Floats


def log_odds(log_proba: Floats) -> Floats:
    """(rows, classes): log odds of each class against all the others, from logs: nothing piles up at 0 and 1.

    >>> log_odds(np.log([[0.5, 0.25, 0.25]])).round(4).tolist()
    [[0.0, -1.0986, -1.0986]]
    """
    nothing = np.full((len(log_proba), 1), -np.inf)
    before = np.logaddexp.accumulate(np.hstack([nothing, log_proba[:, :-1]]), axis=1)
    after = np.logaddexp.accumulate(np.hstack([nothing, log_proba[:, :0:-1]]), axis=1)[:, ::-1]
    return np.asarray(log_proba - np.logaddexp(before, after))


def log_share(log_odds: Floats) -> Floats:
    """ln p of log odds, as exact for p next to 0 as for p next to 1."""
    return np.asarray(-np.logaddexp(0.0, -log_odds))
