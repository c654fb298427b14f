"""Explanations: the prediction, unsummed."""

from likely.explanations.weights import Explanation

__all__ = ["Explanation"]
