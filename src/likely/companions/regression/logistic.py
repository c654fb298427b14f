"""Logistic regression as a value: linear scores of the classes, and how sure their coefficients are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from scipy.special import ndtri

from likely.companions.fitted import ClassModel
from likely.companions.regression.design import Design
from likely.companions.regression.gradient_descent import Path
from likely.companions.regression.options import LogisticOptions
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.unusable_rows import refuse_large
from likely.errors import ModelError
from likely.errors.advice import Advice, Option
from likely.kernels.scoring.posteriors import log_normalise

COEFFICIENT_DRAWS = 400  # of the coefficients, behind an interval where there are more than two classes


@dataclass(frozen=True, eq=False)
class Logistic(ClassModel):
    """coefficients (scores, width) of the design's columns, constants (scores,) at the average row.

    One score is the log odds of the second of two classes; else every class has one. `covariance` is that of all
    (scores × (width + 1)) parameters, of each score its coefficients and then its constant: the inverse of the bends of
    the penalised loss; (0, 0) where it was not reckoned. `shift` (classes,) is what other priors add to the scores.
    """

    design: Design
    coefficients: Floats
    constants: Floats
    covariance: Floats
    options: LogisticOptions
    loss: float
    steps: int
    stopped: str
    shift: Floats
    said: tuple[str, ...] = ()
    path: Path | None = None

    additive: ClassVar[bool] = True

    @property
    def names(self) -> tuple[str, ...]:
        """(width,): the columns of the design."""
        return self.design.names

    @cached_property
    def log_prior(self) -> Floats:
        """(classes,): the shares of the classes among the rows learnt, or as was said since."""
        shares = log(self.rows / self.rows.sum()) + self.shift
        return np.asarray(log_normalise(shares[None].copy(), shares)[0])

    @cached_property
    def intercepts(self) -> Floats:
        """(scores,): the constants where all columns of the design are zero, under the priors that hold."""
        return np.asarray(self._constants - self.coefficients @ self.design.means)

    @cached_property
    def _constants(self) -> Floats:
        """(scores,): the constants at the average row, under the priors that hold."""
        moved = self.shift[1:] - self.shift[:1] if len(self.constants) == 1 and len(self.shift) == 2 else self.shift
        return self.constants + moved

    @cached_property
    def _by_class(self) -> tuple[Floats, Floats]:
        """(width, classes) and (classes,): coefficients and constants of a score of each class; of two, half each."""
        if len(self.rows) != 2:
            return self.coefficients.T, self._constants
        sides = np.array([-0.5, 0.5])
        return self.coefficients.T * sides, self._constants * sides

    def scores(self, block: Block) -> Floats:
        """(rows, scores): log odds of the second of two classes, or a score of each class."""
        away = self._away(block)
        with np.errstate(over="ignore", invalid="ignore"):
            out = away @ self.coefficients.T + self._constants
        if not np.isfinite(out).all():
            refuse_large(block, self.schema)
        return np.asarray(out)

    def _away(self, block: Block) -> Floats:
        """(rows, width): the rows about the average row, so that no digit is lost where numbers are large."""
        return np.asarray(self.design.matrix(block) - self.design.means)

    def log_proba(self, block: Block, out: Floats) -> Floats:
        return self._said(self.scores(block), out)

    def _said(self, scores: Floats, out: Floats) -> Floats:
        if scores.shape[1] == 1 and out.shape[1] == 2:
            out[:] = _two(scores[:, 0])
        else:
            out[:] = scores
        return log_normalise(out, self.log_prior)

    def terms(self, block: Block) -> Floats:
        coefficients, constants = self._by_class
        refuse_large(block, self.schema)
        out = np.empty((block.rows, 1 + len(self.schema.columns), len(self.rows)))
        alone = _two(self._constants)[0] if len(self.rows) == 2 else constants
        out[:, 0] = log_normalise(alone[None].copy(), alone)[0]
        out[:, 1:] = self.design.terms(self.design.matrix(block), coefficients)
        return out

    def sound(self) -> bool:
        if not super().sound() or self.design.schema != self.schema or not self.design.sound():
            return False
        classes, width = len(self.schema.classes), self.design.width
        scores = 1 if classes == 2 else classes
        size = scores * (width + 1)
        shapes = (self.coefficients.shape, self.constants.shape, self.shift.shape)
        fits = shapes == ((scores, width), (scores,), (classes,)) and not np.isnan(self.shift).any()
        finite = np.isfinite(self.coefficients).all() and np.isfinite(self.constants).all()
        fits = fits and bool(finite) and self.covariance.shape in ((0, 0), (size, size))
        return fits and (self.path is None or self.path.sound(size))

    def remarks(self) -> tuple[str, ...]:
        return self.said if self.path is None else (*self.said, f"gradient descent {self.path.words}")

    def under(self, log_priors: Floats) -> Self:
        """The same evidence under other class priors: the intercepts move."""
        return replace(self, shift=log_priors - log(self.rows / self.rows.sum()))

    def errors(self) -> Floats:
        """(scores, width + 1): standard errors of the coefficients and, last, of the intercepts; zero where dropped."""
        covariance = self._known()
        scores, width = self.coefficients.shape
        blocks = covariance.reshape(scores, width + 1, scores, width + 1)
        if scores > 1 and self.options.penalty != "l1":  # against the average: what moves all alike says nothing
            about = np.eye(scores) - 1.0 / scores
            blocks = np.einsum("ka,aibj,lb->kilj", about, blocks, about)
        own = np.array([blocks[k, :, k] for k in range(scores)])
        back = np.append(-self.design.means, 1.0)  # from the average row to where all columns are zero
        squares = np.diagonal(own, axis1=1, axis2=2).copy()
        squares[:, -1] = np.einsum("j,kjl,l->k", back, own, back)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

    def _known(self) -> Floats:
        if not self.covariance.size:
            hint = Advice("fit with ", Option("method", "newton"), ", which takes longer and finds it by the way")
            message = f"how sure {self.coefficients.size:,} coefficients are was not reckoned"
            raise ModelError("M378", message, place="interval", hint=hint)
        return self.covariance

    def interval(self, block: Block, level: float, rng: np.random.Generator) -> Floats:
        """(rows, classes, 2): of the class probabilities, equal tails, under the normal posterior of the coefficients.

        Of two classes exactly; of more, quantiles over draws.
        """
        rows = np.column_stack([self._away(block), np.ones(block.rows)])
        scores, classes = self.scores(block), len(self.rows)
        if scores.shape[1] == 1:
            reach = ndtri((1 + level) / 2) * np.sqrt(
                np.maximum(np.einsum("ij,jk,ik->i", rows, self._known(), rows), 0.0)
            )
            ends = [self._said(scores + side * reach[:, None], np.empty((block.rows, classes))) for side in (-1.0, 1.0)]
            return np.exp(np.sort(np.stack(ends, axis=-1), axis=-1))
        root = _root(self._known())
        draws = np.empty((COEFFICIENT_DRAWS, block.rows, classes))
        for draw in draws:
            moved = (root @ rng.standard_normal(root.shape[1])).reshape(classes, -1)
            self._said(scores + rows @ moved.T, draw)
        return np.moveaxis(np.exp(np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)), 0, -1)

    def penalised(self) -> float:
        """What the penalty adds to the sum of log losses."""
        if self.options.penalty == "l2":
            return 0.5 * self.options.strength * float((self.coefficients**2).sum())
        return self.options.strength * float(np.abs(self.coefficients).sum()) if self.options.penalty == "l1" else 0.0


def _root(covariance: Floats) -> Array:
    """R with R Rᵀ = covariance, which may be singular."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _two(odds: Floats) -> Floats:
    """(rows, 2): the log probabilities of two classes by the log odds of the second, which may be infinite."""
    return -np.logaddexp(0.0, np.column_stack([odds, -odds]))
