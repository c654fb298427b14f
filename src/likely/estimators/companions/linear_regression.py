"""Linear regression: the scikit-learn face of a line that learns, merges and forgets by its products."""

from __future__ import annotations

import warnings
from dataclasses import field, fields, replace
from typing import Annotated, Any, Literal, Self

from sklearn.base import clone

from likely.companions.regression.coefficients import Coefficients
from likely.companions.regression.gradient_descent import Path
from likely.companions.regression.linear import Linear
from likely.companions.regression.normal_equations import products
from likely.companions.regression.options import Fitting, read_options
from likely.core.block import Block
from likely.core.numerics import Floats
from likely.core.schema import NUMERIC, SKIP, Column, Schema
from likely.core.state import in_turn, still
from likely.core.unusable_rows import no_rows, refuse_holes, refuse_unlearnt
from likely.data import Source, ask, score
from likely.data.arrays import ArraySource
from likely.errors import DataError, SingularWarning, outside
from likely.errors.advice import Advice, Kind
from likely.errors.options import choose
from likely.estimators.companions.classifier import warn_aside
from likely.estimators.companions.regressor import CompanionRegressor
from likely.estimators.companions.table_in_memory import survey
from likely.estimators.face.options import Limits, check_options, declared
from likely.estimators.face.rows import fitted_now, nothing_left, refuse_merge, warn_of_unlike_readings
from likely.estimators.face.shared_options import Coding, Kinds, LearningRate, MaxIter, MissingInDesign, Penalty
from likely.output.draw import draw
from likely.statistics import Scatter
from likely.statistics.questions import product_bounds

LEAST_SQUARES_SOLVERS = ("exact", "descent")
SPANS = ("amount", "mean")
MOST_NUMBERS = 4096  # numbers of a row: their products fill most of a gigabyte


@declared
class LinearRegression(CompanionRegressor):
    """A line through the rows: closed form, ridge, lasso, or gradient descent with its path.

    It learns from sums of products, so that parts can be learnt one after the other, merged and forgotten, and files
    may be larger than memory.

    Examples
    --------
    >>> import likely
    >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
    >>> model.coefficients_
               estimate       sd  95% from     to
    intercept      1.06   0.1587     0.377  1.743  more
    x0             1.96  0.08485     1.595  2.325  more
    """

    model_: Linear = field(init=False)
    kinds: Annotated[Kinds, "As in NaiveBayes; columns of 0 and 1 are numbers."] = "auto"
    penalty: Penalty = None
    strength: Annotated[float, Limits(least=0), "Of the penalty: scikit-learn's alpha; 0 is no penalty."] = 1.0
    coding: Coding = "treatment"
    method: Annotated[
        Literal["exact", "descent"],
        Limits(),
        "'exact' (closed form), or 'descent': downhill on half the mean square from zero, which keeps its path.",
    ] = "exact"
    learning_rate: LearningRate = None
    max_iter: MaxIter = 10_000
    tol: Annotated[float, Limits(least=0), "Descent ends where the gradient is below this share of the first."] = 1e-12
    missing: MissingInDesign = "ignore"

    def _learn_first(self, source: Source, classes: tuple[Any, ...] = ()) -> Self:
        check_options(self)
        fitting = self._fitting()
        schema = self._survey(source, self.kinds)
        warn_aside(schema)
        return self._told(Linear.learnt(schema, self._asked(source, schema), fitting))

    def _learn_like(self, other: Self, source: Source) -> Self:
        """Learn first rows by the kinds of columns that another found, so that both can be merged."""
        twin = clone(self).set_params(kinds=other._kinds_so_far())
        return self._told(twin._learn_first(source).model_)

    @in_turn
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows; in whatever parts they come, the model is the one that `fit` gives on all at once.

        A file or relation holds its target in a column: `X` alone.

        Examples
        --------
        >>> import likely
        >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
        >>> model.partial_fit([[4.0]], [9.2]).coef_.round(3).tolist()
        [2.02]
        """
        if not hasattr(self, "model_"):
            fresh = clone(self)
            return self._become(fresh._learn_first(fresh._open(X, y, sample_weight, reset=True)))
        source = self._open(X, y, sample_weight)
        schema = self._like_mine(self._survey(source, self._kinds_so_far()))
        return self._told(self.model_.learn(schema, self._asked(source, schema)))

    def merge(self, other: Self) -> Self:
        """A new model, as if fitted on the rows of both; exact, also where each saw levels of its own.

        Examples
        --------
        >>> import likely
        >>> here, there = ([[0.0], [1.0]], [1.0, 3.0]), ([[2.0], [3.0]], [5.0, 7.0])
        >>> both = likely.LinearRegression().fit(*here).merge(likely.LinearRegression().fit(*there))
        >>> both.coef_.round(3).tolist()
        [2.0]
        """
        self = fitted_now(self)
        refuse_merge(self, other)
        warn_of_unlike_readings(self, other)
        return self._copy(self.model_.merge(other.model_))

    @in_turn
    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Take learnt rows back: the model is as if it had never seen them. In place; a failure changes nothing.

        A file or relation holds its target in a column of the name that the model learnt: `X` alone.

        Examples
        --------
        >>> import likely
        >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
        >>> model.forget([[3.0]], [7.0]).coef_.round(3).tolist()
        [1.9]
        """
        self._refuse_unfitted()
        source, model = self._open(X, y, sample_weight), self.model_
        gone = ask(source, model.schema, [model.question], refuse_unlearnt)[model.question]
        assert isinstance(gone, Scatter), "products are a scatter"
        return self._hold(model.unlearn(gone))

    def interval(self, X: Any, level: float = 0.95, of: str = "amount") -> Floats:
        """(rows, 2): what holds, with that probability, the target of each row, or the mean of all rows like it.

        Examples
        --------
        >>> import likely
        >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
        >>> model.interval([[1.5]]).round(3).tolist(), model.interval([[1.5]], of="mean").round(3).tolist()
        ([[3.087, 4.913]], [[3.592, 4.408]])
        """
        self = still(self)
        choose(of, SPANS, "of", "O609", what="interval of")
        source, model = self._rows(X), self.model_

        def work(block: Block, out: Floats) -> None:
            out[:] = model.interval(block, level, of)

        return score(source, model.schema, 2, work)

    @property
    def coef_(self) -> Floats:
        """(width,): the coefficients of the design columns, named by design_names_."""
        return self._fitted.coefficients

    @property
    def intercept_(self) -> float:
        """What is expected where all design columns are zero."""
        return self._fitted.intercept

    @property
    def design_names_(self) -> tuple[str, ...]:
        """(width,): the design columns, such as `age` and `port[S]`."""
        return self._fitted.design.names

    @property
    def coefficients_(self) -> Coefficients:
        """The intercept and the coefficients as a table, with intervals; `.at(0.9)` has those of another level."""
        return self._fitted.table()

    @property
    def rank_(self) -> int:
        """How many design columns the others do not make up."""
        return self._fitted.solved.rank

    @property
    def r_squared_(self) -> float:
        """The share of the squares about the mean that the line takes away, on the rows it learnt."""
        return self._fitted.determination

    @property
    def residual_sd_(self) -> float:
        """The standard deviation of the target about the line."""
        return self._fitted.spread

    @property
    def path_(self) -> Path | None:
        """The way that gradient descent took, to be drawn; None where none was taken."""
        return self._fitted.path

    @property
    def n_iter_(self) -> int:
        """How many steps were taken: one, in closed form."""
        path = self._fitted.path
        return 1 if path is None else max(path.taken, 1)

    @property
    def converged_(self) -> bool:
        """Whether the coefficients are the best: descent and the lasso search for them, and notes say if in vain."""
        fitted = self._fitted
        return fitted.solved.converged if fitted.path is None else fitted.path.stopped == "converged"

    def penalty_value(self) -> float:
        """What the penalty adds to the mean square.

        Examples
        --------
        >>> import likely
        >>> model = likely.LinearRegression(penalty="ridge").fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
        >>> round(model.penalty_value(), 3)
        0.593
        """
        return self._fitted.penalty_value()

    def plot(self, X: Any = None, y: Any = None, **options: Any) -> Any:
        """A matplotlib figure: of one number the line, its bands and rows that are given; else the coefficients.

        Examples
        --------
        >>> import likely
        >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
        >>> figure = model.plot()
        """
        columns = self._fitted.schema.columns
        single = len(columns) == 1 and columns[0].kind in NUMERIC
        return draw("line", self, X, y, **options) if single else draw("coefficients", self.coefficients_, **options)

    @property
    def _fitted(self) -> Linear:
        self = fitted_now(self)
        self._refuse_empty()
        return self.model_

    def _refuse_empty(self) -> None:
        if not self.model_.rows[0] > 0:
            raise nothing_left(self)

    def _told(self, model: Linear) -> Self:
        told = model.singular()
        if told:
            warnings.warn("\n".join(told), SingularWarning, stacklevel=outside())
        if model.path is not None:
            model.path.warn()
        model.warn()
        return self._hold(model)

    def _survey(self, source: Source, kinds: Any) -> Schema:
        """The schema of rows: numbers need no look at every row; 0 and 1 are numbers, whatever follows them."""
        schema = source.survey({} if kinds == "auto" else kinds) if isinstance(source, ArraySource) else None
        if schema is None or not all(map(_of_numbers, schema.columns)):
            schema = survey(source, kinds, self.missing).schema
        schema = replace(schema, columns=tuple(map(_numbered, schema.columns)))
        width = int(product_bounds(products(schema, self.missing), schema)[-1])
        if width > MOST_NUMBERS:
            most = max(schema.columns, key=lambda column: len(column.levels))
            hint = Advice(f"set {most.name!r} aside (", Kind(most.name, SKIP), "), or join its rare levels")
            what = f"the columns are {width:,} numbers a row, counting each level: more than {MOST_NUMBERS:,}"
            raise DataError("D441", what, place="columns", hint=hint)
        return schema

    def _kind_found(self, column: Column) -> Any:
        return column.kind if column.kind in (*NUMERIC, SKIP) else "category"

    def _asked(self, source: Source, schema: Schema) -> Scatter:
        question = products(schema, self.missing)
        found = ask(source, schema, [question], refuse_holes if self.missing == "error" else None)[question]
        assert isinstance(found, Scatter), "products are a scatter"
        if found.count[0, -1, -1] <= 0:
            raise no_rows("the rows")
        return found

    def _fitting(self) -> Fitting:
        """The options, checked."""
        found = read_options(
            Fitting(**{one.name: getattr(self, one.name) for one in fields(Fitting)}), LEAST_SQUARES_SOLVERS
        )
        if found.method == "descent":
            return found
        return Fitting(found.penalty, found.strength, found.coding, found.missing)  # the rest does not matter


def _of_numbers(column: Column) -> bool:
    return column.kind in (*NUMERIC, SKIP) or (column.kind == "binary" and tuple(column.levels) == (0, 1))


def _numbered(column: Column) -> Column:
    """A column of 0 and 1 as numbers: they are what its contrasts would be, and other numbers may follow."""
    if column.kind == "binary" and _of_numbers(column):
        return Column(column.name, "real", fixed=column.fixed, hint=column.hint, counts_rows=column.counts_rows)
    return replace(column, lone=None)
