"""ParzenBayes: kernels laid on the training rows of each class."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.core.state import still
from likely.estimators.bayes.numeric import DensityClassifier
from likely.families.windows import Windows, read


class ParzenBayes(DensityClassifier):
    """Parzen windows: the density of a class is the mean of kernels laid on its rows.

    Up to three columns of numbers are described together, more of them each by itself; words and texts stand beside
    them, as in NaiveBayes. A missing value is summed out exactly.

    kernel : "gaussian", "box", "triangular", "epanechnikov" or "biweight".
    bandwidth : "silverman", "scott", "cv" (what leaves each row of a class least surprised by the others), "log-loss"
        (what leaves the least log loss of the classifier, each row left out), a number, {class: number}, or one number
        a column: the deviation of the Gaussian, the radius of the others.
    shared : whether all classes have the same bandwidths.
    joint : "auto" (up to three columns), True or False: whether numbers are described together.
    tolerance : the largest relative error of a density; 0 sums every kernel.
    kinds, smoothing, priors, missing : as in NaiveBayes; numbers are always 'real' unless another kind is named.
    estimate : "mle" (the windows alone) or "bayes" (with a wide density worth `smoothing` rows, so that no value is
        impossible).

    >>> import likely
    >>> X = [[1.0], [1.5], [2.5], [4.0], [4.5], [7.0]]
    >>> model = likely.ParzenBayes("epanechnikov", bandwidth=1.0).fit(X, ["a", "a", "a", "b", "b", "b"])
    >>> model.predict_proba([[2.0], [3.4], [4.2]]).round(3).tolist()
    [[1.0, 0.0], [0.229, 0.771], [0.0, 1.0]]
    """

    def __init__(
        self,
        kernel: str = "gaussian",
        bandwidth: Any = "silverman",
        shared: bool = False,
        joint: Any = "auto",
        tolerance: float = 1e-6,
        kinds: Any = "auto",
        estimate: str = "mle",
        smoothing: float = 1.0,
        priors: Any = None,
        missing: str = "ignore",
    ) -> None:
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.shared = shared
        self.joint = joint
        self.tolerance = tolerance
        self.kinds = kinds
        self.estimate = estimate
        self.smoothing = smoothing
        self.priors = priors
        self.missing = missing

    def _density(self) -> Windows:
        return read(self.kernel, self.bandwidth, self.shared, self.joint, self.tolerance, self.estimate)

    @property
    def bandwidths_(self) -> Floats:
        """(classes, columns): the bandwidths of the numbers, in their units."""
        self = still(self)
        self._refuse_unfitted()
        dense = self.model_.dense
        return np.zeros((len(self.classes_), 0)) if dense is None else np.asarray(dense.widths)
