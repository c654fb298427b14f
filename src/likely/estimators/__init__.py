"""The scikit-learn face."""

from likely.estimators.averages import AODE, SPODE, AnDE
from likely.estimators.directed import KDB, TAN
from likely.estimators.inspection import inspect
from likely.estimators.naive import NaiveBayes
from likely.estimators.sketching import sketch
from likely.estimators.sources import fit, load

__all__ = ["AODE", "KDB", "SPODE", "TAN", "AnDE", "NaiveBayes", "fit", "inspect", "load", "sketch"]
