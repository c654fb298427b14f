"""Bayes classifiers: a model is a prior plus a statistic you can add.

Every public name is imported when it is first asked for, so that `import likely` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely import checks as checks
    from likely import decisions as decisions
    from likely import digits as digits
    from likely import evaluation as evaluation
    from likely import explanations as explanations
    from likely import networks as networks
    from likely import plots as plots
    from likely import surfaces as surfaces
    from likely.beliefs import Beta as Beta
    from likely.beliefs import Dirichlet as Dirichlet
    from likely.beliefs import Gamma as Gamma
    from likely.beliefs import NormalInverseGamma as NormalInverseGamma
    from likely.beliefs import NormalInverseWishart as NormalInverseWishart
    from likely.beliefs import bayes_rule as bayes_rule
    from likely.core.schema import Parzen as Parzen
    from likely.core.schema import Text as Text
    from likely.errors import LikelyError as LikelyError
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
    from likely.networks import Network as Network
    from likely.networks import NoisyOr as NoisyOr
    from likely.networks import compare_structures as compare_structures
    from likely.networks import learn_network as learn_network

__version__ = "0.1.0"

# name -> the module that holds it, or that it is
_HOMES = {
    "AODE": "likely.estimators.bayes.aode",
    "AdaBoost": "likely.estimators.companions.adaboost",
    "AnDE": "likely.estimators.bayes.aode",
    "Bagging": "likely.estimators.companions.bagging",
    "Beta": "likely.beliefs",
    "DecisionTree": "likely.estimators.companions.decision_tree",
    "Dirichlet": "likely.beliefs",
    "Gamma": "likely.beliefs",
    "GaussianBayes": "likely.estimators.bayes.gaussian",
    "KDB": "likely.estimators.bayes.tan_kdb",
    "LikelyError": "likely.errors",
    "LinearDiscriminant": "likely.estimators.bayes.linear_discriminant",
    "LinearRegression": "likely.estimators.companions.linear_regression",
    "LogisticRegression": "likely.estimators.companions.logistic_regression",
    "NaiveBayes": "likely.estimators.bayes.naive",
    "Network": "likely.networks",
    "NetworkClassifier": "likely.estimators.bayes.network_classifier",
    "NoisyOr": "likely.networks",
    "NormalInverseGamma": "likely.beliefs",
    "NormalInverseWishart": "likely.beliefs",
    "Parzen": "likely.core.schema",
    "ParzenBayes": "likely.estimators.bayes.parzen",
    "RegressionTree": "likely.estimators.companions.decision_tree",
    "SPODE": "likely.estimators.bayes.aode",
    "TAN": "likely.estimators.bayes.tan_kdb",
    "Text": "likely.core.schema",
    "bayes_rule": "likely.beliefs",
    "checks": "likely.checks",
    "compare_structures": "likely.networks",
    "decisions": "likely.decisions",
    "digits": "likely.digits",
    "evaluation": "likely.evaluation",
    "explanations": "likely.explanations",
    "fit": "likely.estimators.fit_and_load",
    "inspect": "likely.estimators.inspection",
    "learn_network": "likely.networks",
    "load": "likely.estimators.fit_and_load",
    "networks": "likely.networks",
    "plots": "likely.plots",
    "sketch": "likely.estimators.face.sketches",
    "surfaces": "likely.surfaces",
}

__all__ = list(_HOMES)


if not TYPE_CHECKING:  # seeing it, a type checker would accept any name at all

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            from likely.errors import nearest

            # `name=` keeps the interpreter from adding a second "Did you mean" of its own
            raise AttributeError(f"module 'likely' has no attribute {name!r}.{nearest(name, __all__)}", name=name)
        module = import_module(home)
        value = module if home == f"likely.{name}" else getattr(module, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
