"""Logistic regression, as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Annotated, Any, Literal

import numpy as np

from likely.companions.regression.coefficients import read_level
from likely.companions.regression.gradient_descent import Path
from likely.companions.regression.logistic import Logistic
from likely.companions.regression.logistic_fit import learn_logistic
from likely.companions.regression.odds_ratios import OddsTable
from likely.companions.regression.options import LogisticOptions
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.state import still
from likely.estimators.companions.classifier import CompanionClassifier
from likely.estimators.companions.table_in_memory import TableInMemory
from likely.estimators.face.options import Limits, declared
from likely.estimators.face.rows import fitted_now
from likely.estimators.face.shared_options import (
    ClassWeightOfRows,
    Coding,
    Kinds,
    LearningRate,
    MaxIter,
    MissingInDesign,
    Penalty,
)

ROWS_DRAWN_AT_ONCE = 1 << 11  # rows whose draws are held at a time


@declared
class LogisticRegression(CompanionClassifier):
    """Classes by linear scores of the columns: the log odds are sums of what each column adds.

    What is minimised is the sum of the log losses and the penalty; categories enter by contrasts.

    Examples
    --------
    >>> import likely
    >>> hours, passed = [[0.5], [1.0], [1.5], [2.0], [2.5], [3.0]], ["no", "no", "yes", "no", "yes", "yes"]
    >>> model = likely.LogisticRegression(penalty=None).fit(hours, passed)
    >>> model.coef_.round(3).tolist(), model.intercept_.round(3).tolist()
    ([[2.428]], [-4.249])
    >>> model.predict([[1.0], [2.9]]).tolist()
    ['no', 'yes']
    """

    model_: Logistic = field(init=False)
    kinds: Kinds = "auto"
    penalty: Penalty = "l2"
    strength: Annotated[
        float,
        Limits(least=0),
        "Of the penalty, 1 / C of scikit-learn: the sum of the log losses + strength / 2 |coefficients|², or + strength"
        " |coefficients|; intercepts go free.",
    ] = 1.0
    coding: Coding = "treatment"
    method: Annotated[
        Literal["auto", "newton", "lbfgs", "descent"],
        Limits(),
        "'auto' (Newton's method, or L-BFGS where there are many coefficients), 'newton', 'lbfgs', or 'descent', the"
        " textbook's gradient descent of the mean loss, which keeps its path.",
    ] = "auto"
    learning_rate: LearningRate = None
    max_iter: MaxIter = LogisticOptions.max_iter
    tol: Annotated[
        float,
        Limits(least=0),
        "How far the coefficients may be from the best, in standard errors; for descent, the share of the first"
        " gradient at which it ends.",
    ] = LogisticOptions.tol
    missing: MissingInDesign = "ignore"
    class_weight: ClassWeightOfRows = None

    def _learn(self, rows: TableInMemory) -> Logistic:
        options = LogisticOptions(**{one.name: getattr(self, one.name) for one in fields(LogisticOptions)})
        return learn_logistic(rows.schema, rows.block, rows.rows, options)

    @property
    def coef_(self) -> Floats:
        """(1, coefficients) of the log odds of the second of two classes, else (classes, coefficients)."""
        self._refuse_unfitted()
        return self.model_.coefficients

    @property
    def intercept_(self) -> Floats:
        """(1,) or (classes,): the scores where all columns of the design are zero."""
        self._refuse_unfitted()
        return self.model_.intercepts

    @property
    def design_names_(self) -> Array:
        """(coefficients,): what each coefficient belongs to, such as `age` or `port[S]`."""
        self._refuse_unfitted()
        return np.array(self.model_.names, dtype=object)

    @property
    def n_iter_(self) -> Array:
        """(1,): the steps that were taken."""
        self._refuse_unfitted()
        return np.array([self.model_.steps])

    @property
    def converged_(self) -> bool:
        """Whether the search for the best coefficients got there; if not, the notes of the model say why."""
        self._refuse_unfitted()
        return self.model_.stopped in ("converged", "rounding")

    @property
    def path_(self) -> Path | None:
        """The way that gradient descent took, to be drawn; None with other methods."""
        self._refuse_unfitted()
        return self.model_.path

    @property
    def coefficients_(self) -> OddsTable:
        """Log odds, odds ratios and their intervals as a table; `.at(0.9)` has other intervals.

        The intervals are those of the normal posterior about the coefficients (Wald's, where there is no penalty).
        """
        self._refuse_unfitted()
        return OddsTable.of(self.model_)

    def decision_function(self, X: Any) -> Floats:
        """(rows,): the log odds of the second of two classes; else (rows, classes): the scores.

        Examples
        --------
        >>> import likely
        >>> hours, passed = [[0.5], [1.0], [1.5], [2.0]], ["no", "yes", "no", "yes"]
        >>> model = likely.LogisticRegression().fit(hours, passed)
        >>> model.decision_function([[0.5], [2.0]]).round(3).tolist()
        [-0.286, 0.286]
        """
        self = fitted_now(self)
        model, scores = self.model_, len(self.model_.coefficients)

        def work(block: Block, out: Floats) -> None:
            out[:] = model.scores(block)

        found = self._score(X, work, scores)
        return found[:, 0] if scores == 1 else found

    def interval(self, X: Any, level: float = 0.95, seed: int = 0) -> Floats:
        """(rows, classes, 2): of each class probability, equal tails, from the posterior of the coefficients.

        Exact under the normal posterior of two classes; of more, the quantiles over draws.

        Examples
        --------
        >>> import likely
        >>> hours, passed = [[0.5], [1.0], [1.5], [2.0]], ["no", "yes", "no", "yes"]
        >>> model = likely.LogisticRegression().fit(hours, passed)
        >>> model.interval([[2.0]]).shape
        (1, 2, 2)
        """
        self = still(self)
        share, source, model = read_level(level), self._rows(X), self.model_
        tasks = source.tasks(model.schema, False, ROWS_DRAWN_AT_ONCE)
        return np.concatenate([model.interval(task(), share, np.random.default_rng(seed)) for task in tasks])

    def penalty_value(self) -> float:
        """What the penalty adds to the mean log loss of the rows that were learnt.

        Examples
        --------
        >>> import likely
        >>> hours, passed = [[0.5], [1.0], [1.5], [2.0]], ["no", "yes", "no", "yes"]
        >>> model = likely.LogisticRegression().fit(hours, passed)
        >>> round(model.penalty_value(), 4)
        0.0182
        """
        self = fitted_now(self)
        return self.model_.penalised() / float(self.model_.rows.sum())
