"""The scikit-learn face of the companions that predict a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from likely.companions.fitted import RegressionModel
from likely.core.block import Block, decode
from likely.core.numerics import Floats
from likely.core.state import still
from likely.data import Labels, NumericTarget, score
from likely.estimators.companions.classifier import Companion
from likely.estimators.face.arguments import check_amounts
from likely.estimators.face.predictions import ROWS_EXPLAINED_AT_A_TIME
from likely.estimators.face.rows import fitted_now
from likely.explanations.regression import AmountExplanation


class CompanionRegressor(Companion, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Methods that every companion which predicts a number has."""

    model_: RegressionModel

    def _read_target(self, y: Any, rows: int) -> Labels | NumericTarget:
        return check_amounts(y, type(self).__name__, rows)

    def predict(self, X: Any) -> Floats:
        """(rows,): the number that is expected of each row.

        Examples
        --------
        >>> import likely
        >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
        >>> model.predict([[1.5], [4.0]]).round(2).tolist()
        [4.0, 8.9]
        """
        self = fitted_now(self)
        model = self.model_

        def work(block: Block, out: Floats) -> None:
            model.estimate(block, out[:, 0])

        return score(self._rows(X), model.schema, 1, work)[:, 0]

    def explain(self, X: Any) -> AmountExplanation:
        """The terms of each row's prediction: what is said before any column, then what each adds.

        Examples
        --------
        >>> import likely
        >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
        >>> model.explain([[1.5]]).terms.round(2).tolist()
        [[4.0, 0.0]]
        """
        self = still(self)
        source, model = self._rows(X), self.model_
        parts = [task() for task in source.tasks(model.schema, False, ROWS_EXPLAINED_AT_A_TIME)]
        terms = np.concatenate([model.terms(block) for block in parts])
        values = np.concatenate([decode(block, model.schema) for block in parts])
        names = ("average", *(column.name for column in model.schema.columns))
        return AmountExplanation(terms, names, values, model.schema.target.name)
