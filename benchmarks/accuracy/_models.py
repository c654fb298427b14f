"""The models of the accuracy table by name: each a function from the columns of a table to an estimator to fit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, LabelEncoder, OneHotEncoder, OrdinalEncoder, StandardScaler

import likely

BINS = 5  # the default of scikit-learn's KBinsDiscretizer, of scikit-bayes and of pyAgrum


def _kinds(X: pd.DataFrame) -> tuple[list[str], list[str]]:
    """The nominal columns and the numeric ones."""
    numeric = [name for name in X if pd.api.types.is_numeric_dtype(X[name])]
    return [name for name in X if name not in numeric], numeric


def _encoder(X: pd.DataFrame, *numeric: Any) -> ColumnTransformer:
    """Nominal columns as codes, then numeric ones; what is missing, or a level not seen in learning, is the commonest.

    Numeric columns: the median where missing, then what is given.
    """
    words, numbers = _kinds(X)
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    return ColumnTransformer(
        [
            ("words", make_pipeline(codes, SimpleImputer(strategy="most_frequent", keep_empty_features=True)), words),
            ("numbers", make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), *numeric), numbers),
        ]
    )


def _bins() -> KBinsDiscretizer:
    return KBinsDiscretizer(BINS, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf")


def scikit_naive(X: pd.DataFrame) -> Any:
    """GaussianNB where every column is numeric; elsewhere numeric columns are cut into bins for CategoricalNB."""
    words, _ = _kinds(X)
    return make_pipeline(_encoder(X, _bins()), CategoricalNB()) if words else scikit_gaussian(X)


def scikit_gaussian(X: pd.DataFrame) -> Any:
    return make_pipeline(_encoder(X), GaussianNB())


def scikit_binned(X: pd.DataFrame) -> Any:
    """Every numeric column in bins."""
    return make_pipeline(_encoder(X, _bins()), CategoricalNB())


def scikit_bayes(order: int) -> Callable[[pd.DataFrame], Any]:
    def make(X: pd.DataFrame) -> Any:
        from skbn import AnDE

        words, numbers = _kinds(X)
        places = list(range(len(words))), list(range(len(words), len(words) + len(numbers)))
        model = AnDE(n_dependence=order, categorical_features=places[0], gaussian_features=places[1])
        return make_pipeline(_encoder(X), model)

    return make


def scikit_bayes_binned(order: int) -> Callable[[pd.DataFrame], Any]:
    def make(X: pd.DataFrame) -> Any:
        from skbn import AnDE

        return make_pipeline(_encoder(X, _bins()), AnDE(n_dependence=order, categorical_features=range(X.shape[1])))

    return make


class PyAgrum(ClassifierMixin, BaseEstimator):
    """pyAgrum's TAN on columns of codes.

    As it comes it smooths by 0.01, and bends the posterior of two classes to make its tuned threshold one half; with
    `laplace` it smooths by 1 and the posterior is left as it is.
    """

    def __init__(self, laplace: bool = False) -> None:
        self.laplace = laplace

    def fit(self, X: np.ndarray, y: np.ndarray) -> PyAgrum:
        from pyagrum.skbn import createBNClassifier

        self.classes_, codes = np.unique(y, return_inverse=True)
        prior = {"prior": "Smoothing", "priorWeight": 1.0} if self.laplace else {}
        self.model_ = createBNClassifier(learningMethod="TAN", **prior)
        self.model_.fit(_words(X), np.array([f"class {code:02}" for code in codes]))
        if self.laplace:
            self.model_.threshold_ = 0.5
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return self.model_.predict_proba(_words(X))


def _words(X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({f"x{at}": [f"level {int(code)}" for code in column] for at, column in enumerate(X.T)})


def py_agrum(laplace: bool) -> Callable[[pd.DataFrame], Any]:
    """Numeric columns are cut as for CategoricalNB: its own quantiles refuse a column where they coincide."""
    return lambda X: make_pipeline(_encoder(X, _bins()), PyAgrum(laplace))


def _indicators(X: pd.DataFrame, *numeric: Any) -> ColumnTransformer:
    """One column a level; numeric columns: the median where missing, then what is given."""
    words, numbers = _kinds(X)
    return ColumnTransformer(
        [
            ("words", OneHotEncoder(handle_unknown="ignore", sparse_output=False), words),
            ("numbers", make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), *numeric), numbers),
        ]
    )


def forest(X: pd.DataFrame) -> Any:
    """300 trees on one column a level."""
    return make_pipeline(_indicators(X), RandomForestClassifier(n_estimators=300, random_state=0, n_jobs=1))


class CalibratedForest(ClassifierMixin, BaseEstimator):
    """The forest, recalibrated by isotonic regression over five folds of the rows that it learns.

    The folds are dealt beforehand where a class has fewer than five rows: scikit-learn refuses it elsewise.
    """

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> CalibratedForest:
        rare = np.unique(y, return_counts=True)[1].min() < 5
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cv: Any = list(StratifiedKFold(5).split(X, y)) if rare else 5
        self.model_ = CalibratedClassifierCV(forest(X), method="isotonic", cv=cv).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return self.model_.predict_proba(X)


def forest_calibrated(X: pd.DataFrame) -> Any:
    return CalibratedForest()


def logistic(X: pd.DataFrame) -> Any:
    return make_pipeline(_indicators(X, StandardScaler()), LogisticRegression(max_iter=2000))


def discriminant(quadratic: bool) -> Callable[[pd.DataFrame], Any]:
    """Covariances shrunk as Ledoit and Wolf say: unshrunk, those of indicators of levels cannot be inverted."""

    def make(X: pd.DataFrame) -> Any:
        shrunk: dict[str, Any] = {"solver": "eigen" if quadratic else "lsqr", "shrinkage": "auto"}
        model = QuadraticDiscriminantAnalysis if quadratic else LinearDiscriminantAnalysis
        return make_pipeline(_indicators(X, StandardScaler()), model(**shrunk))

    return make


def boosted(X: pd.DataFrame) -> Any:
    """Histogram gradient boosting, which takes pandas' categories and missing values as they are.

    Columns of which nothing is known are left out: it fails on them.
    """
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
    known = [name for name in X if X[name].notna().any()]
    if len(known) == X.shape[1]:
        return model
    keep = ColumnTransformer([("known", "passthrough", known)], verbose_feature_names_out=False)
    return make_pipeline(keep.set_output(transform="pandas"), model)


class Booster(ClassifierMixin, BaseEstimator):
    """A boosting library on pandas' categories and missing values as they are; classes go in as numbers."""

    def __init__(self, library: str = "lightgbm") -> None:
        self.library = library

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Booster:
        self.encoder_ = LabelEncoder().fit(y)
        self.classes_ = self.encoder_.classes_
        self.model_ = self._model(X).fit(self._table(X), self.encoder_.transform(y))
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return self.model_.predict_proba(self._table(X))

    def _table(self, X: pd.DataFrame) -> pd.DataFrame:
        words = [name for name in X if isinstance(X[name].dtype, pd.CategoricalDtype)]
        if self.library == "catboost":  # it takes words, a missing one among them
            return X.astype(dict.fromkeys(words, object)).fillna(dict.fromkeys(words, "missing"))
        return X.set_axis([f"x{at}" for at in range(X.shape[1])], axis=1)  # names with brackets are refused

    def _model(self, X: pd.DataFrame) -> Any:
        if self.library == "lightgbm":
            from lightgbm import LGBMClassifier

            return LGBMClassifier(random_state=0, n_jobs=1, verbosity=-1)
        if self.library == "xgboost":
            from xgboost import XGBClassifier

            return XGBClassifier(random_state=0, n_jobs=1, enable_categorical=True)
        from catboost import CatBoostClassifier

        words = [name for name in X if isinstance(X[name].dtype, pd.CategoricalDtype)]
        return CatBoostClassifier(
            random_seed=0, thread_count=1, verbose=0, allow_writing_files=False, cat_features=words
        )


class Khiops(ClassifierMixin, BaseEstimator):
    """Khiops: naive Bayes of optimal bins, selected and weighed, with ten trees as columns; words go in as they are."""

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Khiops:
        from khiops.sklearn import KhiopsClassifier

        self.model_ = KhiopsClassifier().fit(self._table(X), y.astype(str))
        self.classes_ = np.asarray(self.model_.classes_, dtype=object)
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return self.model_.predict_proba(self._table(X))

    def _table(self, X: pd.DataFrame) -> pd.DataFrame:
        words = [name for name in X if isinstance(X[name].dtype, pd.CategoricalDtype)]
        return X.astype(dict.fromkeys(words, object))


def booster(library: str) -> Callable[[pd.DataFrame], Any]:
    return lambda X: Booster(library)


# Ours take the table as it is: names are looked up late, so that a version without one of them can measure the others.
OURS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "naive": lambda X: likely.NaiveBayes(),
    "spode": lambda X: likely.SPODE(),
    "tan": lambda X: likely.TAN(),
    "kdb2": lambda X: likely.KDB(k=2),
    "bayes-forest": lambda X: likely.BayesForest(),
    "auto": lambda X: likely.BayesClassifier(),
    "auto-best": lambda X: likely.BayesClassifier(pool="best"),
    "auto-companions": lambda X: likely.BayesClassifier(companions=True),
    "aode": lambda X: likely.AODE(),
    "likely-logistic": lambda X: likely.LogisticRegression(),
    "bagging": lambda X: likely.Bagging(),
    "a2de": lambda X: likely.AnDE(order=2),
    "gaussian": lambda X: likely.GaussianBayes("full", shrinkage="ledoit-wolf"),
    "gaussian-shared": lambda X: likely.GaussianBayes("shared", shrinkage="ledoit-wolf"),
}
PEERS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "sk-nb": scikit_naive,
    "sk-nb-bins": scikit_binned,
    "skbn-aode": scikit_bayes(1),
    "skbn-aode-bins": scikit_bayes_binned(1),
    "skbn-a2de": scikit_bayes(2),
    "skbn-a2de-bins": scikit_bayes_binned(2),
    "agrum-tan": py_agrum(laplace=False),
    "agrum-tan-laplace": py_agrum(laplace=True),
    "forest": forest,
    "forest-calibrated": forest_calibrated,
    "logistic": logistic,
    "sk-lda": discriminant(quadratic=False),
    "sk-qda": discriminant(quadratic=True),
    "hist-boosting": boosted,
    "lightgbm": booster("lightgbm"),
    "xgboost": booster("xgboost"),
    "catboost": booster("catboost"),
    "khiops": lambda X: Khiops(),
}
