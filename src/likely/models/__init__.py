"""Models: families under a structure, learnt, unlearnt and merged as values."""

from likely.models.average import AverageModel
from likely.models.forest import ForestModel
from likely.models.graph import GraphModel
from likely.models.joint import JointModel
from likely.models.model import Model
from likely.models.naive import NaiveModel
from likely.models.pool import PoolModel

__all__ = ["AverageModel", "ForestModel", "GraphModel", "JointModel", "Model", "NaiveModel", "PoolModel"]
