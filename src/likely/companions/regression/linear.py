"""Linear regression from sums of products: they add, and the coefficients follow from them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.beliefs import NormalInverseGamma
from likely.companions.fitted import RegressionModel
from likely.companions.regression.coefficients import Coefficients
from likely.companions.regression.design import Design
from likely.companions.regression.gradient_descent import Loss, Path, descend
from likely.companions.regression.least_squares import (
    LeastSquaresSolution,
    Long,
    NormalEquations,
    absolute,
    describe_combination,
    least_squares,
)
from likely.companions.regression.normal_equations import Equations, carry_products, products
from likely.companions.regression.options import Fitting
from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Floats
from likely.core.schema import NUMERIC, Schema
from likely.core.schema_union import unite
from likely.core.unusable_rows import LARGEST_NUMBER, never_learnt, refuse_large, too_heavy
from likely.errors import ModelError, outside
from likely.errors.advice import Advice, Option
from likely.statistics import Question, Scatter
from likely.statistics.questions import product_bounds

DEPENDENT_COLUMNS_NAMED = 3  # columns made up of others that are told of one by one
SMALLEST_SPREAD = 1e-300  # in place of no spread at all: a belief is never that sure


@dataclass(frozen=True, eq=False)
class Linear(RegressionModel):
    """target = intercept + Σ coefficient · column: an immutable line through rows known by their products alone.

    >>> rows = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]])
    >>> from likely.core.schema import ALL_ROWS, Column
    >>> schema = Schema((Column("x", "real"),), Column("y", "real", ALL_ROWS))
    >>> line = Linear.learnt(schema, Scatter.of(rows), Fitting())
    >>> line.intercept, line.coefficients.tolist()
    (1.0, [2.0])
    """

    scatter: Scatter
    fitting: Fitting
    path: Path | None = None

    @classmethod
    def learnt(cls, schema: Schema, scatter: Scatter, fitting: Fitting) -> Self:
        """The line through rows that gave these answers."""
        line = cls(schema, np.asarray(scatter.count[:, -1, -1], dtype=np.float64), scatter, fitting)
        line._refuse_overflow()
        if fitting.method == "exact" or not line.rows[0] > 0:
            return line
        return replace(line, path=line._descended())

    def _refuse_overflow(self) -> None:
        """An error where the weights, times the squares of the numbers, do not sum to what can be held."""
        if not self.rows[0] <= LARGEST_NUMBER**2:
            raise too_heavy("sample_weight")
        fit = np.diagonal(self.scatter.product[0]) <= LARGEST_NUMBER**2
        if fit.all():
            return
        bounds, columns = product_bounds(self.question, self.schema), self.question.columns
        at = int(np.searchsorted(bounds, fit.argmin(), "right")) - 1
        odd = self.schema.columns[columns[at]] if at < len(columns) else self.schema.target
        raise too_heavy(f"column {odd.name!r}")

    @property
    def question(self) -> Question:
        """What it asks of rows."""
        return products(self.schema, self.fitting.missing)

    def learn(self, schema: Schema, scatter: Scatter) -> Self:
        """The line after more rows, which may have brought levels of their own."""
        whole, missing = unite(self.schema, schema), self.fitting.missing
        mine, more = (
            carry_products(part.scatter, part.schema, whole, missing)
            for part in (self, replace(self, schema=schema, scatter=scatter))
        )
        return self.learnt(whole, mine + more, self.fitting)

    def unlearn(self, scatter: Scatter) -> Self:
        """The line as if these rows, answered under its own schema, had never been learnt."""
        rest = self.scatter - scatter
        if not rest.possible():
            raise never_learnt()
        return self.learnt(self.schema, rest, self.fitting)

    def merge(self, other: Self) -> Self:
        """The line through both lines' rows."""
        if self.fitting != other.fitting:
            what = f"the options differ: {self.fitting.beside(other.fitting)}"
            hint = "fit both with the same penalty, strength, coding, missing and method"
            raise ModelError("M377", what, place="merge(other)", hint=hint)
        return self.learn(other.schema, other.scatter)

    def sound(self) -> bool:
        size = int(product_bounds(self.question, self.schema)[-1]) + 1
        fits = super().sound() and all(
            array.shape == (1, size, size) and bool(np.isfinite(array).all())
            for array in self.scatter.arrays().values()
        )
        fits = fits and self.scatter.possible() and bool((self.rows == self.scatter.count[:, -1, -1]).all())
        return fits and (self.path is None or self.path.sound(1 + self.design.width))

    def lines(self) -> tuple[str, ...]:
        if not self.rows[0] > 0:
            return ()
        if np.isnan(self.determination):
            return ("the target is the same in every row: there is nothing to explain",)
        return (f"R² {self.determination:.4g}, {self.spread:.4g} about the line (standard deviation)",)

    @cached_property
    def equations(self) -> Equations:
        """What the products say of the design."""
        return Equations(self.schema, self.scatter, self.fitting.coding, self.fitting.missing)

    @property
    def design(self) -> Design:
        """How rows become numbers."""
        return self.equations.design

    @property
    def normal(self) -> NormalEquations:
        """The normal equations."""
        return self.equations.normal

    @cached_property
    def solved(self) -> LeastSquaresSolution:
        """The coefficients in closed form."""
        if self.fitting.penalty == "l1":
            return absolute(self.normal, self.fitting.strength)
        return least_squares(self.normal, self.fitting.strength if self.fitting.penalty == "l2" else 0.0)

    @cached_property
    def coefficients(self) -> Floats:
        """(width,): of the design columns."""
        return self.solved.coefficients if self.path is None else self.path.parameters[-1, 1:]

    @cached_property
    def intercept(self) -> float:
        """What is expected where all design columns are zero."""
        if self.path is not None:
            return float(self.path.parameters[-1, 0])
        return float(self.equations.means[-1] - self.equations.means[:-1] @ self.coefficients.astype(Long))

    def _descended(self) -> Path:
        loss, largest = self._loss()
        fitting = self.fitting
        rate = fitting.learning_rate if fitting.learning_rate is not None else 1.0 / largest
        names = ("intercept", *self.design.names)
        path = descend(loss, np.zeros(len(names)), rate, fitting.max_iter, fitting.tol, names, 2.0 / largest)
        return path.charted(loss)

    def _loss(self) -> tuple[Loss, float]:
        """Half the mean square (with its penalty) of parameters, the intercept first; and its largest curvature."""
        normal, weight = self.normal, self.normal.weight
        penalty = self.fitting.strength / weight if self.fitting.penalty == "l2" else 0.0
        means = self.equations.means.astype(np.float64)
        gram, moment = normal.gram.astype(np.float64) / weight, normal.moment.astype(np.float64) / weight
        square, middle, average = float(normal.square) / weight, means[:-1], float(means[-1])
        gram = gram + penalty * np.eye(normal.width)

        def loss(at: Floats) -> tuple[float, Floats]:
            off = at[0] + middle @ at[1:] - average  # about the means, where least is lost
            slope = gram @ at[1:] - moment
            value = (square - at[1:] @ moment + at[1:] @ slope + off * off) / 2
            return float(value), np.concatenate([[off], slope + middle * off])

        curved = np.block([[np.ones((1, 1)), middle[None]], [middle[:, None], gram + np.outer(middle, middle)]])
        return loss, float(np.linalg.eigvalsh(curved)[-1])

    def estimate(self, block: Block, out: Floats) -> Floats:
        out[:] = self.design.matrix(block) @ self.coefficients
        out += self.intercept
        if not np.isfinite(out).all():
            refuse_large(block, self.schema)
        return out

    def terms(self, block: Block) -> Floats:
        matrix = self.design.matrix(block)
        refuse_large(block, self.schema)
        base = np.full((len(matrix), 1), self.intercept + self.design.means @ self.coefficients)
        return np.concatenate([base, self.design.terms(matrix, self.coefficients)], axis=1)

    @cached_property
    def residual(self) -> float:
        """The sum of squares that the line leaves."""
        off = float(
            self.equations.means[-1] - self.equations.means[:-1] @ self.coefficients.astype(Long) - self.intercept
        )
        return self.normal.left(self.coefficients) + float(self.rows[0]) * off * off

    @property
    def determination(self) -> float:
        """R²: the share of the squares about the mean that the line takes away; NaN where there are none."""
        square = float(self.normal.square)
        return 1.0 - self.residual / square if square > 0 else float("nan")

    @property
    def spread(self) -> float:
        """The standard deviation of the target about the line."""
        shape, rate = self._noise
        return float(np.sqrt(rate / shape)) if shape > 0 else float("nan")

    @property
    def _noise(self) -> tuple[float, float]:
        """Shape and rate of the belief about the residual variance: the ridge is a prior, else nothing was known."""
        if self.fitting.penalty == "l2":
            prior = self.fitting.strength * float(self.coefficients @ self.coefficients)
            return (float(self.rows[0]) - 1.0) / 2.0, (self.residual + prior) / 2.0
        free = self.solved.rank if self.fitting.penalty is None else int(np.count_nonzero(self.coefficients))
        return (float(self.rows[0]) - 1.0 - free) / 2.0, self.residual / 2.0

    def _belief(self, mean: Floats, variance: Floats) -> NormalInverseGamma:
        """About what is expected, given its variance in units of the residual variance."""
        shape, rate = self._noise
        if self.fitting.penalty == "l1":
            hint = Advice("say ", Option("penalty", "l2"), " or None, or judge it by folds")
            raise ModelError("M375", "the lasso does not tell how sure it is", place="interval", hint=hint)
        if not shape > 0:
            hint = Advice("give more rows, or say ", Option("penalty", "l2"))
            message = (
                f"{self.rows[0]:g} rows leave nothing to tell the spread about {1 + self.solved.rank} coefficients by"
            )
            raise ModelError("M376", message, place="interval", hint=hint)
        return NormalInverseGamma(mean, 1.0 / np.maximum(variance, SMALLEST_SPREAD), shape, max(rate, SMALLEST_SPREAD))

    @cached_property
    def belief(self) -> NormalInverseGamma:
        """(1 + width,): about the intercept and the coefficients, as far as the rows tell."""
        variance = self._variance
        middle = self.design.means
        first = 1.0 / self.rows[0] + middle @ variance @ middle
        return self._belief(
            np.concatenate([[self.intercept], self.coefficients]), np.concatenate([[first], np.diag(variance)])
        )

    @property
    def _variance(self) -> Floats:
        found = self.solved.variance
        return np.zeros((self.design.width,) * 2) if found is None else found

    def table(self) -> Coefficients:
        """The intercept and the coefficients, with intervals where there are some to tell."""
        names, estimates = ("intercept", *self.design.names), np.concatenate([[self.intercept], self.coefficients])
        try:
            belief = self.belief
        except ModelError:
            return Coefficients(names, estimates, np.full(len(names), np.nan), np.nan)
        sds = np.sqrt(belief.rate / belief.shape / belief.strength)
        return Coefficients(names, estimates, np.asarray(sds), float(2.0 * np.max(belief.shape)))

    def interval(self, block: Block, level: float, of: str) -> Floats:
        """(rows, 2): what holds, so surely, the target of a row like this, or the mean of all such rows."""
        matrix = self.design.matrix(block)
        away = matrix - self.design.means
        variance = 1.0 / self.rows[0] + np.einsum("ij,ij->i", away @ self._variance, away)
        if of == "amount":
            variance += 1.0  # its own, about the mean of such rows
        belief = self._belief(matrix @ self.coefficients + self.intercept, variance)
        return np.column_stack(belief.interval(level))

    def penalty_value(self) -> float:
        """What the penalty adds to the mean square."""
        size = self.coefficients
        if self.fitting.penalty == "l2":
            return float(self.fitting.strength * (size @ size) / self.rows[0])
        return float(2.0 * self.fitting.strength * np.abs(size).sum()) if self.fitting.penalty == "l1" else 0.0

    def remarks(self) -> tuple[str, ...]:
        told = *self._silent(), *self.singular(), *self._slow()
        return (*told, *([] if self.path is None else [f"gradient descent {self.path.words}"]))

    def warn(self) -> None:
        """Where the lasso did not find the best coefficients."""
        from sklearn.exceptions import ConvergenceWarning

        for text in self._slow():
            warnings.warn(text, ConvergenceWarning, stacklevel=outside())

    def _slow(self) -> tuple[str, ...]:
        if self.fitting.penalty != "l1" or not self.rows[0] > 0 or self.solved.converged:
            return ()
        return ("the lasso has not converged: bring the columns to one scale, or leave out those that others make up",)

    def _silent(self) -> tuple[str, ...]:
        """Numbers that are missing everywhere, or never change, where the schema does not say so already."""
        starts, columns = product_bounds(self.question, self.schema), self.schema.columns
        counts, spreads = np.diagonal(self.scatter.count[0]), np.diagonal(self.scatter.centred[0])
        found = []
        for at, start in zip(self.question.columns, starts.tolist(), strict=False):
            name = columns[at].name
            if columns[at].kind not in NUMERIC or columns[at].hint or not self.rows[0] > 0 or spreads[start] > 0:
                continue
            why = "has one value in every row, as far as can be told," if counts[start] else "is missing in every row"
            found.append(f"{name!r} {why} and says nothing")
        return tuple(found)

    def singular(self) -> tuple[str, ...]:
        """Of each column that others make up: which, and how; nothing where a penalty settles it."""
        if self.fitting.penalty is not None or not self.rows[0] > 0 or not len(self.solved.dependent):
            return ()
        solved, names = self.solved, self.design.names
        scale = np.sqrt(np.maximum(np.diag(self.normal.gram), 0)).astype(np.float64)
        kept = tuple(names[at] for at in solved.kept)
        said = []
        for at, parts in list(zip(solved.dependent.tolist(), solved.parts, strict=True))[:DEPENDENT_COLUMNS_NAMED]:
            made = describe_combination(parts, scale[solved.kept], float(scale[at]), kept)
            said.append(
                f"{names[at]} is, but for a constant, {made}: rows cannot tell their coefficients apart, and the "
                "smallest that fit are taken"
            )
        more = len(solved.dependent) - DEPENDENT_COLUMNS_NAMED
        return (*said, *([f"{more} more columns follow from others in the same way"] if more > 0 else []))
