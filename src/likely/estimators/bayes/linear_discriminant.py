"""LinearDiscriminant: a classifier, and the directions that tell the classes apart best."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from likely.core.block import Block
from likely.core.numerics import Floats
from likely.core.schema import NUMERIC
from likely.core.state import still
from likely.data import score
from likely.errors import OptionError
from likely.estimators.bayes.gaussian import NormalClassifier
from likely.estimators.face.options import Limits, declared
from likely.estimators.face.rows import fitted_now
from likely.estimators.face.shared_options import ClassWeight, Missing, NumericKinds, Priors, Shrinkage, Smoothing
from likely.families.multivariate import Multivariate, read
from likely.families.multivariate.marginals import patterns
from likely.models.notes import Note

LEAST_EIGENVALUE = 1e-10  # of the largest eigenvalue: directions below it are rounding


@declared
class LinearDiscriminant(ClassNamePrefixFeaturesOutMixin, TransformerMixin, NormalClassifier):  # type: ignore[misc]
    """Linear discriminant analysis: normals with one covariance, and the directions in which their means differ most.

    As a classifier it is GaussianBayes("shared"); `transform` projects rows to the directions in which the classes lie
    furthest apart for their spread, the best first, scaled so that the spread within classes is one.

    Examples
    --------
    >>> import likely
    >>> X = [[1.0, 1.0], [2.0, 1.5], [1.5, 2.5], [4.0, 4.0], [6.0, 3.5], [5.0, 6.5]]
    >>> model = likely.LinearDiscriminant().fit(X, ["a"] * 3 + ["b"] * 3)
    >>> model.transform(X).round(2).ravel().tolist()
    [-4.19, -2.56, -2.75, 1.45, 3.96, 4.09]
    """

    components: Annotated[
        int | None,
        Limits("O441", "say None, or a whole number from 1", least=1),
        "The most directions to keep, None for all; there are one less than classes, and no more than columns.",
    ] = None
    estimate: Annotated[Literal["mle", "unbiased", "map"], Limits(), "Of the covariance, as in GaussianBayes."] = "mle"
    shrinkage: Shrinkage = None
    kinds: NumericKinds = "auto"
    smoothing: Smoothing = 1.0
    priors: Priors = None
    missing: Missing = "ignore"
    class_weight: ClassWeight = None

    def _density(self) -> Multivariate:
        estimate: str = self.estimate
        if estimate == "bayes":
            hint = "say 'mle', 'unbiased' or 'map'; as a classifier alone, GaussianBayes('shared', estimate='bayes')"
            raise OptionError("O442", "under 'bayes' there is no one covariance", place="estimate=", hint=hint)
        return read("shared", estimate, self.shrinkage)

    @property
    def _axes(self) -> tuple[Floats, Floats]:
        """(directions,) and (columns, directions): eigenvalues, the largest first, and the directions."""
        self = still(self)
        means, covariance = self.means_, self.covariances_[0]
        most = min(len(self.classes_) - 1, means.shape[1])
        return directions(means, covariance, np.exp(self.model_.log_prior), most)

    @property
    def notes_(self) -> tuple[Note, ...]:
        """What a person should know about the columns, and of components that there cannot be."""
        self = still(self)
        told = super().notes_
        found = min(len(self.classes_) - 1, len(self.model_.columns))
        if self.components is None or self.components <= found:
            return told
        text = f"there are {found} components, not {self.components}: one less than classes, and no more than columns"
        return (*told, Note("components", "", text))

    @property
    def eigenvalues_(self) -> Floats:
        """(components,): the variance between classes for that within them, along each direction."""
        return self._axes[0][: self.components]

    @property
    def explained_variance_ratio_(self) -> Floats:
        """(components,): the share of each direction in the variance between classes."""
        found, _ = self._axes
        whole = found.sum()
        return (found / whole if whole > 0 else found)[: self.components]

    @property
    def scalings_(self) -> Floats:
        """(columns, components): what multiplies the numbers in each direction."""
        return self._axes[1][:, : self.components]

    @property
    def _n_features_out(self) -> int:
        return len(self.eigenvalues_)

    def transform(self, X: Any) -> Floats:
        """(rows, components): rows along the directions, from the mean of the classes; a missing value is expected.

        Examples
        --------
        >>> import likely
        >>> X = [[1.0, 1.0], [2.0, 1.5], [1.5, 2.5], [4.0, 4.0], [6.0, 3.5], [5.0, 6.5]]
        >>> model = likely.LinearDiscriminant().fit(X, ["a"] * 3 + ["b"] * 3)
        >>> model.transform([[1.0, 1.0], [4.0, None]]).round(2).tolist()
        [[-4.19], [1.84]]
        """
        self = fitted_now(self)
        scalings = self.scalings_
        centre = np.exp(self.model_.log_prior) @ self.means_

        def work(block: Block, out: Floats) -> None:
            out[:] = (self._expected(block) - centre) @ scalings

        return score(self._rows(X), self.model_.schema, scalings.shape[1], work)

    def _expected(self, block: Block) -> Floats:
        """(rows, columns): the numbers, with what the model expects where they are missing."""
        numeric = self.model_.schema.of(*NUMERIC)
        values = block.reals[:, [numeric.index(at) for at in self.model_.columns]]
        holes = np.isnan(values)
        if not holes.any():
            return values
        means, covariance = self.means_, self.covariances_[0]
        proba = self.model_.proba(block, np.empty((block.rows, len(self.classes_))))
        filled = values.copy()
        for rows, known in patterns(values, np.diagonal(covariance) > 0):
            gone = np.setdiff1d(np.arange(len(covariance)), known)
            slopes = np.linalg.solve(covariance[np.ix_(known, known)], covariance[np.ix_(known, gone)])
            # the classes share their slopes, so that only the means are weighed
            expected = proba[rows] @ means
            guess = expected[:, gone] + (values[rows][:, known] - expected[:, known]) @ slopes
            filled[rows, gone[:, None]] = np.where(holes[rows][:, gone], guess, values[rows][:, gone]).T
        return filled


def directions(means: Floats, covariance: Floats, shares: Floats, most: int) -> tuple[Floats, Floats]:
    """(most,) and (columns, most): eigenvalues and directions of the spread of means for that within classes.

    >>> found, axes = directions(np.array([[0.0, 0.0], [2.0, 0.0]]), np.diag([4.0, 1.0]), np.array([0.5, 0.5]), 1)
    >>> found.round(3).tolist(), axes.tolist()
    ([0.25], [[0.5], [0.0]])
    """
    spread = np.flatnonzero(np.diagonal(covariance) > 0)
    scale = np.sqrt(np.diagonal(covariance)[spread])
    inverse = np.linalg.inv(np.linalg.cholesky(covariance[np.ix_(spread, spread)] / scale[:, None] / scale)) / scale
    away = np.sqrt(shares)[:, None] * (means - shares @ means)[:, spread] @ inverse.T
    _, sizes, axes = np.linalg.svd(away, full_matrices=False)
    found, out = np.zeros(most), np.zeros((means.shape[1], most))
    clear = np.flatnonzero(sizes**2 > LEAST_EIGENVALUE * max(sizes.max(initial=0.0) ** 2, 1e-300))[:most]
    found[clear] = sizes[clear] ** 2
    if not len(clear):  # the means are the same, or there is no spread
        return found, out
    turned = inverse.T @ axes[clear].T
    # the sign of a direction is free: its weightiest column counts upwards
    heaviest = np.abs(turned * scale[:, None]).argmax(axis=0)
    out[np.ix_(spread, clear)] = turned * np.sign(turned[heaviest, np.arange(len(clear))])
    return found, out
