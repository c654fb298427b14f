"""The scikit-learn face of the companions that predict a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import column_or_1d

from likely.companions.fitted import RegressionModel
from likely.core.block import Block, decode
from likely.core.numerics import Floats
from likely.core.state import still
from likely.data import Labels, NumericTarget, score
from likely.errors import DataError
from likely.estimators.companions.classifier import Companion
from likely.estimators.face.predictions import ROWS_EXPLAINED_AT_A_TIME
from likely.explanations.regression import AmountExplanation


class CompanionRegressor(Companion, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Methods that every companion which predicts a number has."""

    model_: RegressionModel

    def _read_target(self, y: Any, rows: int) -> Labels | NumericTarget:
        name = type(self).__name__
        if y is None:
            what = f"{name} requires y to be passed, but the target y is None"
            raise DataError("D119", what, place="y", hint="say fit(X, y)")
        if not hasattr(y, "shape"):
            y = y if hasattr(y, "type") else np.asarray(y)  # Arrow columns have a type, and no shape
        if len(np.shape(y)) == 2 and np.shape(y)[1] == 1:
            y = column_or_1d(y, warn=True)
        amounts = NumericTarget.read(y)
        if len(amounts.values) != rows:
            what = f"Found input variables with inconsistent numbers of samples: {[rows, len(amounts.values)]}"
            raise DataError("D121", what, place="y", hint="give one number for each row of X")
        return amounts

    def predict(self, X: Any) -> Floats:
        """(rows,): the number that is expected of each row.

        Examples
        --------
        >>> import likely
        >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
        >>> model.predict([[1.5], [4.0]]).round(2).tolist()
        [4.0, 8.9]
        """
        self = still(self)
        self._refuse_unfitted()
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
