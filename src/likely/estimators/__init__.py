"""The scikit-learn face; each name is imported when it is first asked for, as each brings loops of its own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.estimators.averages import AODE as AODE
    from likely.estimators.averages import SPODE as SPODE
    from likely.estimators.averages import AnDE as AnDE
    from likely.estimators.bagging import Bagging as Bagging
    from likely.estimators.boosting import AdaBoost as AdaBoost
    from likely.estimators.directed import KDB as KDB
    from likely.estimators.directed import TAN as TAN
    from likely.estimators.discriminant import LinearDiscriminant as LinearDiscriminant
    from likely.estimators.gaussian import GaussianBayes as GaussianBayes
    from likely.estimators.inspection import inspect as inspect
    from likely.estimators.linear import LinearRegression as LinearRegression
    from likely.estimators.logistic import LogisticRegression as LogisticRegression
    from likely.estimators.naive import NaiveBayes as NaiveBayes
    from likely.estimators.network import NetworkClassifier as NetworkClassifier
    from likely.estimators.sketching import sketch as sketch
    from likely.estimators.sources import fit as fit
    from likely.estimators.sources import load as load
    from likely.estimators.tree import DecisionTree as DecisionTree
    from likely.estimators.tree import RegressionTree as RegressionTree
    from likely.estimators.windows import ParzenBayes as ParzenBayes

_HOMES = {  # name -> the module that holds it
    "AODE": "likely.estimators.averages",
    "AdaBoost": "likely.estimators.boosting",
    "AnDE": "likely.estimators.averages",
    "Bagging": "likely.estimators.bagging",
    "DecisionTree": "likely.estimators.tree",
    "GaussianBayes": "likely.estimators.gaussian",
    "KDB": "likely.estimators.directed",
    "LinearDiscriminant": "likely.estimators.discriminant",
    "LinearRegression": "likely.estimators.linear",
    "LogisticRegression": "likely.estimators.logistic",
    "NaiveBayes": "likely.estimators.naive",
    "NetworkClassifier": "likely.estimators.network",
    "ParzenBayes": "likely.estimators.windows",
    "RegressionTree": "likely.estimators.tree",
    "SPODE": "likely.estimators.averages",
    "TAN": "likely.estimators.directed",
    "fit": "likely.estimators.sources",
    "inspect": "likely.estimators.inspection",
    "load": "likely.estimators.sources",
    "sketch": "likely.estimators.sketching",
}

__all__ = sorted(_HOMES)


if not TYPE_CHECKING:  # seeing it, a type checker would accept any name at all

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'likely.estimators' has no attribute {name!r}", name=name)
        globals()[name] = value = getattr(import_module(_HOMES[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
