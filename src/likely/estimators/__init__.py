"""The scikit-learn face."""

from likely.estimators.inspection import inspect
from likely.estimators.naive import NaiveBayes
from likely.estimators.sources import fit, load

__all__ = ["NaiveBayes", "fit", "inspect", "load"]
