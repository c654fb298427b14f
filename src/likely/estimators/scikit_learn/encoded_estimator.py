"""An estimator of scikit-learn that learns from tables as ours do: its encoding is learnt anew at every fit."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone, is_regressor

from likely.companions.ensembles.foreign_members import takes_weights
from likely.core.numerics import Array, Floats
from likely.data.targets.label_codes import read_codes, read_column, read_levels
from likely.errors import OptionError
from likely.estimators.scikit_learn.table_encoder import TableEncoding, Wants

CALIBRATION_FOLDS = 5


class EncodedEstimator(BaseEstimator):  # type: ignore[misc]
    """What encoded classifiers and regressors share."""

    def __init__(self, estimator: Any, kinds: Any = "auto") -> None:
        self.estimator = estimator
        self.kinds = kinds

    def _learn(self, X: Any, y: Array, sample_weight: Any) -> None:
        self.encoding_ = TableEncoding.learn(X, self.kinds, Wants.of(self.estimator))
        inner = self._prepared(y)
        weighing = {}
        if sample_weight is not None:
            if not takes_weights(inner):
                what = f"{type(self.estimator).__name__} takes no weights"
                raise OptionError("O343", what, place="weights=", hint="leave weights= out, or give another model")
            weighing = {"sample_weight": sample_weight}
        self.estimator_ = inner.fit(self.encoding_.matrix(X), y, **weighing)

    def _prepared(self, y: Array) -> Any:
        """A fresh estimator, told which columns hold levels where it can be."""
        inner, codes = clone(self.estimator), self.encoding_.wants.codes
        if codes == "levels" and inner.get_params()["categorical_features"] == "from_dtype":
            few = [size <= getattr(inner, "max_bins", 255) for size in self.encoding_.sizes]
            inner.set_params(categorical_features=self.encoding_.categorical & np.array(few))
        if codes == "all":
            inner.set_params(min_categories=self.encoding_.sizes)
        return inner


class EncodedClassifier(ClassifierMixin, EncodedEstimator):  # type: ignore[misc]
    """A classifier; one without probabilities has them from its decision function, by Platt's method over folds.

    >>> from sklearn.svm import SVC
    >>> table = [["sun", 20.0], ["rain", None]] * 10
    >>> model = EncodedClassifier(SVC()).fit(table, ["out", "in"] * 10)
    >>> model.predict([["sun", 21.0]]).tolist(), model.predict_proba([["sun", 21.0]]).shape
    (['out'], (1, 2))
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the encoding, then the classifier."""
        self.levels_ = read_levels(read_column(y))
        self._learn(X, read_codes(y, self.levels_), sample_weight)
        return self

    @property
    def classes_(self) -> Array:
        out = np.empty(len(self.levels_), dtype=object)
        out[:] = self.levels_
        return out

    def _prepared(self, y: Array) -> Any:
        inner = super()._prepared(y)
        if hasattr(inner, "predict_proba"):
            return inner
        from sklearn.calibration import CalibratedClassifierCV

        folds = max(2, min(CALIBRATION_FOLDS, int(np.bincount(y).min())))
        return CalibratedClassifierCV(inner, cv=folds, ensemble=False)

    def predict_proba(self, X: Any) -> Floats:
        """(rows, classes): the probabilities, in the order of `classes_`."""
        return np.asarray(self.estimator_.predict_proba(self.encoding_.matrix(X)), dtype=np.float64)

    def predict_log_proba(self, X: Any) -> Floats:
        """(rows, classes): their logarithms, as the classifier itself tells them where it does."""
        rows = self.encoding_.matrix(X)
        with np.errstate(divide="ignore"):
            if hasattr(self.estimator_, "predict_log_proba"):
                return np.asarray(self.estimator_.predict_log_proba(rows), dtype=np.float64)
            return np.log(np.asarray(self.estimator_.predict_proba(rows), dtype=np.float64))

    def predict(self, X: Any) -> Array:
        """(rows,): the classes."""
        return self.classes_[np.asarray(self.estimator_.predict(self.encoding_.matrix(X))).astype(np.intp)]


class EncodedRegressor(RegressorMixin, EncodedEstimator):  # type: ignore[misc]
    """A regressor.

    >>> from sklearn.linear_model import Ridge
    >>> EncodedRegressor(Ridge(alpha=1e-6)).fit([["a", 1.0], ["b", 2.0], ["a", 3.0]], [1.0, 4.0, 3.0]).predict(
    ...     [["b", 2.0]]
    ... ).round(3).tolist()
    [4.0]
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the encoding, then the regressor."""
        self._learn(X, np.asarray(y, dtype=np.float64), sample_weight)
        return self

    def predict(self, X: Any) -> Floats:
        """(rows,): the numbers."""
        return np.asarray(self.estimator_.predict(self.encoding_.matrix(X)), dtype=np.float64).reshape(-1)


def encoded(estimator: Any, kinds: Any = "auto") -> EncodedClassifier | EncodedRegressor:
    """The estimator, which takes tables of any columns."""
    return EncodedRegressor(estimator, kinds) if is_regressor(estimator) else EncodedClassifier(estimator, kinds)
