"""Models: families under a structure, learnt, unlearnt and merged as values."""

from likely.models.average import Average
from likely.models.classifier import Classifier
from likely.models.directed import Directed
from likely.models.joint import Joint
from likely.models.model import Model

__all__ = ["Average", "Classifier", "Directed", "Joint", "Model"]
