"""Bayesian networks: graphs with tables, read, learnt, asked and drawn."""

from likely.networks.answers import Answers, Assignment
from likely.networks.comparing import StructureComparison, compare_structures
from likely.networks.cost import Cost
from likely.networks.directions import Directions
from likely.networks.distribution import Distribution
from likely.networks.evidence import Fixed
from likely.networks.examples import asia
from likely.networks.network import Network
from likely.networks.plan import Plan
from likely.networks.report import SearchReport
from likely.networks.sensitivity import Sensitivity
from likely.networks.strengths import ArcStrengths
from likely.networks.structure import learn_network
from likely.networks.table import NoisyOr, Table

__all__ = [
    "Answers",
    "ArcStrengths",
    "Assignment",
    "Cost",
    "Directions",
    "Distribution",
    "Fixed",
    "Network",
    "NoisyOr",
    "Plan",
    "SearchReport",
    "Sensitivity",
    "StructureComparison",
    "Table",
    "asia",
    "compare_structures",
    "learn_network",
]
