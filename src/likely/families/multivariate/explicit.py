"""Normal predictors in numbers: means, covariances, and log densities as polynomials."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from likely.core.numerics import Floats
from likely.errors import ModelError, OptionError
from likely.errors.advice import Advice, Option
from likely.families.multivariate.normals import LOG_TURN, MultivariateNormals


class ExplicitNormal:
    """What a predictor says in numbers, if it is normal; `columns` are the places of its columns in the schema."""

    columns: tuple[int, ...]

    @property
    @abstractmethod
    def presence(self) -> tuple[Floats, Floats]:
        """(columns, classes): log probabilities that a value is there, and that it is missing."""

    @property
    @abstractmethod
    def plain(self) -> MultivariateNormals:
        """The normals of the classes; an error if they are no normals."""

    @property
    def covariances(self) -> Floats:
        """(classes, d, d); zero in columns without any spread."""
        return self.plain.covariances

    def discriminant(self, columns: Sequence[int], origin: ArrayLike | None = None) -> tuple[Floats, Floats, Floats]:
        """(classes, d, d), (classes, d), (classes,): the log density in some columns of the schema, as coefficients.

        The other columns are summed out. It is x'Qx + l'x + c, with x counted from the origin (zeros by default).
        """
        normals = self.plain
        at = np.array([self.columns.index(column) for column in columns], dtype=np.int64)
        start = np.zeros(len(at)) if origin is None else np.asarray(origin, dtype=np.float64)
        if start.shape != at.shape:
            what, hint = f"an origin of shape {start.shape} for {len(at)} columns", "give one number for each column"
            raise OptionError("O443", what, place="origin=", hint=hint)
        (live,) = np.nonzero(normals.live[at])
        marginal = normals.marginal(at[live])
        classes = len(normals.mean)
        quadratic, linear = np.zeros((classes, len(at), len(at))), np.zeros((classes, len(at)))
        quadratic[:, live[:, None], live] = -marginal.precisions / 2.0
        away = marginal.mean - start[live]
        white = (marginal.whiteners @ away[..., None])[..., 0]
        linear[:, live] = (np.swapaxes(marginal.whiteners, 1, 2) @ white[..., None])[..., 0]
        peak = (len(live) * LOG_TURN + marginal.log_determinant + np.square(white).sum(axis=-1)) / -2.0
        return quadratic, linear, peak + self.presence[0][at].sum(axis=0)


def not_normal() -> ModelError:
    """The error of a model whose densities are Student-t."""
    return ModelError(
        "M313",
        "under estimate='bayes' the densities are Student-t: their logarithms are no polynomials",
        place="discriminant",
        hint=Advice("say ", Option("estimate", "mle"), ", or 'unbiased' or 'map'"),
    )
