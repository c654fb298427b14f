"""Models: families under a structure, learnt, unlearnt and merged as values."""

from likely.models.classifier import Classifier

__all__ = ["Classifier"]
