"""NaiveBayes: every kind of column in one model."""

from __future__ import annotations

from likely.estimators.face.generative import GenerativeClassifier
from likely.estimators.face.options import declared
from likely.estimators.face.shared_options import ClassWeight, Estimate, Kinds, Missing, Priors, Smoothing


@declared
class NaiveBayes(GenerativeClassifier):
    """Naive Bayes on mixed and missing data: numbers, categories, counts, densities and text in one model.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([["sun", 21.0], ["sun", 25.0], ["rain", 12.0], ["rain", None]], dtype=object)
    >>> model = NaiveBayes().fit(X, ["out", "out", "in", "in"])
    >>> model.predict([["rain", 11.0], ["snow", 24.0]]).tolist()
    ['in', 'out']
    >>> model.explain([["rain", 11.0]]).log_odds("in", "out").round(3).tolist()
    [[0.0, 1.099, 2.725]]
    """

    kinds: Kinds = "auto"
    estimate: Estimate = "bayes"
    smoothing: Smoothing = 1.0
    priors: Priors = None
    missing: Missing = "ignore"
    class_weight: ClassWeight = None
