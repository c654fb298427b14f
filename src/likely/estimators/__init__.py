"""The scikit-learn face; each name is imported when it is first asked for, as each brings loops of its own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.estimators.bayes.aode import AODE as AODE
    from likely.estimators.bayes.aode import SPODE as SPODE
    from likely.estimators.bayes.aode import AnDE as AnDE
    from likely.estimators.bayes.gaussian import GaussianBayes as GaussianBayes
    from likely.estimators.bayes.linear_discriminant import LinearDiscriminant as LinearDiscriminant
    from likely.estimators.bayes.naive import NaiveBayes as NaiveBayes
    from likely.estimators.bayes.network_classifier import NetworkClassifier as NetworkClassifier
    from likely.estimators.bayes.parzen import ParzenBayes as ParzenBayes
    from likely.estimators.bayes.tan_kdb import KDB as KDB
    from likely.estimators.bayes.tan_kdb import TAN as TAN
    from likely.estimators.companions.adaboost import AdaBoost as AdaBoost
    from likely.estimators.companions.bagging import Bagging as Bagging
    from likely.estimators.companions.decision_tree import DecisionTree as DecisionTree
    from likely.estimators.companions.decision_tree import RegressionTree as RegressionTree
    from likely.estimators.companions.linear_regression import LinearRegression as LinearRegression
    from likely.estimators.companions.logistic_regression import LogisticRegression as LogisticRegression
    from likely.estimators.face.sketches import sketch as sketch
    from likely.estimators.fit_and_load import fit as fit
    from likely.estimators.fit_and_load import load as load
    from likely.estimators.inspection import inspect as inspect

_HOMES = {  # name -> the module that holds it
    "AODE": "likely.estimators.bayes.aode",
    "AdaBoost": "likely.estimators.companions.adaboost",
    "AnDE": "likely.estimators.bayes.aode",
    "Bagging": "likely.estimators.companions.bagging",
    "DecisionTree": "likely.estimators.companions.decision_tree",
    "GaussianBayes": "likely.estimators.bayes.gaussian",
    "KDB": "likely.estimators.bayes.tan_kdb",
    "LinearDiscriminant": "likely.estimators.bayes.linear_discriminant",
    "LinearRegression": "likely.estimators.companions.linear_regression",
    "LogisticRegression": "likely.estimators.companions.logistic_regression",
    "NaiveBayes": "likely.estimators.bayes.naive",
    "NetworkClassifier": "likely.estimators.bayes.network_classifier",
    "ParzenBayes": "likely.estimators.bayes.parzen",
    "RegressionTree": "likely.estimators.companions.decision_tree",
    "SPODE": "likely.estimators.bayes.aode",
    "TAN": "likely.estimators.bayes.tan_kdb",
    "fit": "likely.estimators.fit_and_load",
    "inspect": "likely.estimators.inspection",
    "load": "likely.estimators.fit_and_load",
    "sketch": "likely.estimators.face.sketches",
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
