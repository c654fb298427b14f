"""GaussianBayes: a normal of all numbers together in each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np

from likely.core.numerics import Floats
from likely.core.state import still
from likely.errors import ModelError
from likely.estimators.bayes.numeric import DensityClassifier
from likely.estimators.face.options import Limits, declared
from likely.estimators.face.rows import fitted_now
from likely.estimators.face.shared_options import ClassWeight, Missing, NumericKinds, Priors, Shrinkage, Smoothing
from likely.families.multivariate import Multivariate, read


class NormalClassifier(DensityClassifier):
    """Methods of the classifiers whose numbers are normal in each class."""

    @property
    def _dense(self) -> Any:
        self = fitted_now(self)
        if self.model_.dense is None:
            name = type(self).__name__
            hint = "give at least one column of numbers"
            raise ModelError("M314", f"this {name} has no column of numbers", place=name, hint=hint)
        return self.model_.dense

    @property
    def means_(self) -> Floats:
        """(classes, columns): the means of the numbers."""
        return np.asarray(self._dense.means)

    @property
    def covariances_(self) -> Floats:
        """(classes, columns, columns): the covariances of the numbers."""
        return np.asarray(self._dense.covariances)

    def discriminant(self, features: Sequence[Any] | None = None, origin: Any = None) -> tuple[Floats, Floats, Floats]:
        """(classes, d, d), (classes, d), (classes,): log P(class, x) is x'Qx + l'x + c, with x counted from `origin`.

        `features` are some of the numbers, by name or place (all of them by default); the others are summed out.

        Examples
        --------
        >>> import likely
        >>> X = [[1.0, 1.0], [2.0, 1.5], [1.5, 2.5], [4.0, 4.0], [6.0, 3.5], [5.0, 6.5]]
        >>> quadratic, linear, constant = likely.GaussianBayes("shared").fit(X, ["a"] * 3 + ["b"] * 3).discriminant()
        >>> quadratic.shape, linear.shape, constant.shape
        ((2, 2, 2), (2, 2), (2,))
        """
        self = still(self)
        from likely.surfaces.features import read_features  # late: most models are never drawn

        dense = self._dense
        columns = self.model_.columns if features is None else read_features(self, features, len(features))
        quadratic, linear, constant = dense.discriminant(columns, origin)
        return quadratic, linear, constant + self.model_.log_prior

    @property
    def quadratic_(self) -> Floats:
        """(classes, columns, columns): what x multiplies twice in the log of P(class, x); see `discriminant`."""
        return self.discriminant()[0]

    @property
    def linear_(self) -> Floats:
        """(classes, columns): what x multiplies once in the log of P(class, x)."""
        return self.discriminant()[1]

    @property
    def constant_(self) -> Floats:
        """(classes,): what is left of the log of P(class, x) at zero."""
        return self.discriminant()[2]


@declared
class GaussianBayes(NormalClassifier):
    """A normal density of all numbers together in each class: quadratic and linear discriminant analysis and between.

    Numbers are described together; words and texts stand beside them, as in NaiveBayes. A missing value is summed out
    exactly, by the marginal normal of the columns that are there.

    A covariance that cannot be inverted is mended and told of in `notes_`; a column without spread says nothing.

    Examples
    --------
    >>> import likely
    >>> X = [[1.0, 1.0], [2.0, 1.5], [1.5, 2.5], [4.0, 4.0], [6.0, 3.5], [5.0, 6.5]]
    >>> model = likely.GaussianBayes("shared").fit(X, ["a"] * 3 + ["b"] * 3)
    >>> model.predict([[2.0, 2.0], [4.0, None]]).tolist()
    ['a', 'b']
    >>> (model.linear_[1] - model.linear_[0]).round(3).tolist()  # the log odds grow by so much for each unit
    [8.719, 3.186]
    """

    covariance: Annotated[
        Literal["full", "shared", "diagonal", "spherical", "tied-diagonal"],
        Limits(),
        "'full' (one for each class: quadratic discriminant analysis), 'shared' (one for all: linear), 'diagonal'"
        " (columns independent in a class), 'spherical' (one variance in a class) or 'tied-diagonal'.",
    ] = "full"
    estimate: Annotated[
        Literal["mle", "unbiased", "map", "bayes"],
        Limits(),
        "'mle', 'unbiased' (divided by n - 1), 'map' (the mode under a prior worth `smoothing` rows), or 'bayes'"
        " (averaged over what the rows leave open: a Student-t in place of the normal).",
    ] = "mle"
    shrinkage: Shrinkage = None
    kinds: NumericKinds = "auto"
    smoothing: Smoothing = 1.0
    priors: Priors = None
    missing: Missing = "ignore"
    class_weight: ClassWeight = None

    def _density(self) -> Multivariate:
        return read(self.covariance, self.estimate, self.shrinkage)
