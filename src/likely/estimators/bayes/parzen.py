"""ParzenBayes: kernels laid on the training rows of each class."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

from likely.core.numerics import Floats
from likely.estimators.bayes.numeric import DensityClassifier
from likely.estimators.face.options import Limits, ShownType, declared
from likely.estimators.face.rows import fitted_now
from likely.estimators.face.shared_options import ClassWeight, Missing, NumericKinds, Priors, Smoothing
from likely.families.windows import Windows, read


@declared
class ParzenBayes(DensityClassifier):
    """Parzen windows: the density of a class is the mean of kernels laid on its rows.

    Up to three columns of numbers are described together, more of them each by itself; words and texts stand beside
    them, as in NaiveBayes. A missing value is summed out exactly.

    Examples
    --------
    >>> import likely
    >>> X = [[1.0], [1.5], [2.5], [4.0], [4.5], [7.0]]
    >>> model = likely.ParzenBayes("epanechnikov", bandwidth=1.0).fit(X, ["a", "a", "a", "b", "b", "b"])
    >>> model.predict_proba([[2.0], [3.4], [4.2]]).round(3).tolist()
    [[1.0, 0.0], [0.229, 0.771], [0.0, 1.0]]
    """

    kernel: Annotated[
        Literal["gaussian", "box", "triangular", "epanechnikov", "biweight"], Limits(), "What is laid on each row."
    ] = "gaussian"
    bandwidth: Annotated[
        Any,
        ShownType("{'silverman', 'scott', 'cv', 'log-loss'}, float, {class: float} or one float a column"),
        "The deviation of the Gaussian, the radius of the others: by a rule, by what leaves each row of a class least"
        " surprised by the others ('cv'), by the least log loss of the classifier, each row left out ('log-loss'), or"
        " as said.",
    ] = "silverman"
    shared: Annotated[bool, Limits(), "Whether all classes have the same bandwidths."] = False
    joint: Annotated[
        bool | Literal["auto"],
        Limits(),
        "Whether numbers are described together; 'auto': up to three columns.",
    ] = "auto"
    tolerance: Annotated[
        float, Limits(least=0, most=0.1), "The largest relative error of a density; 0 sums every kernel."
    ] = 1e-6
    kinds: NumericKinds = "auto"
    estimate: Annotated[
        Literal["mle", "bayes"],
        Limits(),
        "'mle' (the windows alone) or 'bayes' (with a wide density worth `smoothing` rows, so that no value is"
        " impossible).",
    ] = "mle"
    smoothing: Smoothing = 1.0
    priors: Priors = None
    missing: Missing = "ignore"
    class_weight: ClassWeight = None

    def _density(self) -> Windows:
        return read(self.kernel, self.bandwidth, self.shared, self.joint, self.tolerance, self.estimate)

    @property
    def bandwidths_(self) -> Floats:
        """(classes, columns): the bandwidths of the numbers, in their units."""
        self = fitted_now(self)
        dense = self.model_.dense
        return np.zeros((len(self.classes_), 0)) if dense is None else np.asarray(dense.widths)
