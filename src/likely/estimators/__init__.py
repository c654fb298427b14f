"""The scikit-learn face."""

from likely.estimators.averages import AODE, SPODE, AnDE
from likely.estimators.bagging import Bagging
from likely.estimators.boosting import AdaBoost
from likely.estimators.directed import KDB, TAN
from likely.estimators.discriminant import LinearDiscriminant
from likely.estimators.gaussian import GaussianBayes
from likely.estimators.inspection import inspect
from likely.estimators.linear import LinearRegression
from likely.estimators.logistic import LogisticRegression
from likely.estimators.naive import NaiveBayes
from likely.estimators.network import NetworkClassifier
from likely.estimators.sketching import sketch
from likely.estimators.sources import fit, load
from likely.estimators.tree import DecisionTree, RegressionTree
from likely.estimators.windows import ParzenBayes

__all__ = [
    "AODE",
    "KDB",
    "SPODE",
    "TAN",
    "AdaBoost",
    "AnDE",
    "Bagging",
    "DecisionTree",
    "GaussianBayes",
    "LinearDiscriminant",
    "LinearRegression",
    "LogisticRegression",
    "NaiveBayes",
    "NetworkClassifier",
    "ParzenBayes",
    "RegressionTree",
    "fit",
    "inspect",
    "load",
    "sketch",
]
