"""Models: families under a structure, learnt, unlearnt and merged as values."""

from likely.models.average import Average
from likely.models.graph import Directed
from likely.models.joint import Joint
from likely.models.model import Model
from likely.models.naive import Classifier

__all__ = ["Average", "Classifier", "Directed", "Joint", "Model"]
