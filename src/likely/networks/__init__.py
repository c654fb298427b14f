"""Bayesian networks: graphs with tables, read, learnt, asked and drawn."""

from likely.networks.answers import Answers, Assignment
from likely.networks.cost import Cost
from likely.networks.distribution import Distribution
from likely.networks.evidence import Fixed
from likely.networks.examples import asia
from likely.networks.network import Network
from likely.networks.sensitivity import Sensitivity
from likely.networks.table import NoisyOr, Table

__all__ = [
    "Answers",
    "Assignment",
    "Cost",
    "Distribution",
    "Fixed",
    "Network",
    "NoisyOr",
    "Sensitivity",
    "Table",
    "asia",
]
