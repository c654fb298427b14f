"""NaiveBayes: every kind of column in one model."""

from __future__ import annotations

from typing import Any

from likely.estimators.face.generative import GenerativeClassifier


class NaiveBayes(GenerativeClassifier):
    """Naive Bayes on mixed and missing data: numbers, categories, counts, densities and text in one model.

    kinds : "auto", one kind for all columns, or {column: kind}. Kinds are 'real', 'binary', 'category', 'count',
        'parzen', 'text' and 'skip'; a list of levels declares a category; likely.Parzen and likely.Text have options.
    estimate : "bayes" (posterior predictive), "map" or "mle".
    smoothing : pseudo-counts of each level, and pseudo-observations behind each real and count column.
    priors : None (learnt, smoothed like everything else), "empirical", "uniform", {class: probability}, or one a class.
    missing : "ignore" (summed out), "informative" (that a value is missing is evidence itself) or "error".

    >>> import numpy as np
    >>> X = np.array([["sun", 21.0], ["sun", 25.0], ["rain", 12.0], ["rain", None]], dtype=object)
    >>> model = NaiveBayes().fit(X, ["out", "out", "in", "in"])
    >>> model.predict([["rain", 11.0], ["snow", 24.0]]).tolist()
    ['in', 'out']
    >>> model.explain([["rain", 11.0]]).log_odds("in", "out").round(3).tolist()
    [[0.0, 1.099, 2.725]]
    """

    def __init__(
        self,
        kinds: Any = "auto",
        estimate: str = "bayes",
        smoothing: float = 1.0,
        priors: Any = None,
        missing: str = "ignore",
    ) -> None:
        self.kinds = kinds
        self.estimate = estimate
        self.smoothing = smoothing
        self.priors = priors
        self.missing = missing
