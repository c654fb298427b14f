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
    from likely import report as report
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
    from likely.estimators.bayes.bayes_classifier import BayesClassifier as BayesClassifier
    from likely.estimators.bayes.forest import BayesForest as BayesForest
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
    from likely.estimators.comparison import compare as compare
    from likely.estimators.face.sketches import sketch as sketch
    from likely.estimators.fit_and_load import fit as fit
    from likely.estimators.fit_and_load import load as load
    from likely.estimators.inspection import inspect as inspect
    from likely.networks import Network as Network
    from likely.networks import NoisyOr as NoisyOr
    from likely.networks import compare_structures as compare_structures
    from likely.networks import learn_network as learn_network

__version__ = "0.1.0"

# a module -> what is public of it
_HELD = {
    "likely.beliefs": ("Beta", "Dirichlet", "Gamma", "NormalInverseGamma", "NormalInverseWishart", "bayes_rule"),
    "likely.core.schema": ("Parzen", "Text"),
    "likely.errors": ("LikelyError",),
    "likely.estimators.bayes.aode": ("AODE", "AnDE", "SPODE"),
    "likely.estimators.bayes.bayes_classifier": ("BayesClassifier",),
    "likely.estimators.bayes.forest": ("BayesForest",),
    "likely.estimators.bayes.gaussian": ("GaussianBayes",),
    "likely.estimators.bayes.linear_discriminant": ("LinearDiscriminant",),
    "likely.estimators.bayes.naive": ("NaiveBayes",),
    "likely.estimators.bayes.network_classifier": ("NetworkClassifier",),
    "likely.estimators.bayes.parzen": ("ParzenBayes",),
    "likely.estimators.bayes.tan_kdb": ("KDB", "TAN"),
    "likely.estimators.companions.adaboost": ("AdaBoost",),
    "likely.estimators.companions.bagging": ("Bagging",),
    "likely.estimators.companions.decision_tree": ("DecisionTree", "RegressionTree"),
    "likely.estimators.companions.linear_regression": ("LinearRegression",),
    "likely.estimators.companions.logistic_regression": ("LogisticRegression",),
    "likely.estimators.face.sketches": ("sketch",),
    "likely.estimators.comparison": ("compare",),
    "likely.estimators.fit_and_load": ("fit", "load"),
    "likely.estimators.inspection": ("inspect",),
    "likely.networks": ("Network", "NoisyOr", "compare_structures", "learn_network"),
}
_MODULES = ("checks", "decisions", "digits", "evaluation", "explanations", "networks", "plots", "report", "surfaces")
_HOMES = {name: f"likely.{name}" for name in _MODULES} | {name: home for home, names in _HELD.items() for name in names}

__all__ = sorted(_HOMES)


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
