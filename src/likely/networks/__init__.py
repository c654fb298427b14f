"""Bayesian networks: graphs with tables, read, learnt, asked and drawn."""

from typing import TYPE_CHECKING

from likely.core.deprecated import old_names
from likely.core.docstrings import describe_public
from likely.networks.examples import asia
from likely.networks.inference.cost import Cost
from likely.networks.inference.evidence import Fixed
from likely.networks.inference.row_answers import Answers, Assignment
from likely.networks.inference.sensitivity import Sensitivity
from likely.networks.methods.distribution import Distribution
from likely.networks.network import Network
from likely.networks.structure.plan import Plan
from likely.networks.structure.search_report import SearchReport
from likely.networks.structure_learning import learn_network
from likely.networks.tables.table import NoisyOr, ProbabilityTable
from likely.networks.trust.arc_directions import Directions
from likely.networks.trust.arc_strength import ArcStrengths
from likely.networks.trust.structure_comparison import StructureComparison, compare_structures

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
    "ProbabilityTable",
    "SearchReport",
    "Sensitivity",
    "StructureComparison",
    "asia",
    "compare_structures",
    "learn_network",
]

describe_public(__name__)

if not TYPE_CHECKING:  # seeing it, a type checker would accept any name at all
    __getattr__ = old_names(__name__)
