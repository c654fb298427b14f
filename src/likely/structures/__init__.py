"""Which column depends on which: learnt from counts of pairs, as trees or with up to k parents each."""

from likely.structures.information import conditional_information, mutual_information
from likely.structures.kdependence import k_dependence
from likely.structures.structure import Structure
from likely.structures.tree import tree

__all__ = ["Structure", "conditional_information", "k_dependence", "mutual_information", "tree"]
