"""What a search asks of the rows: how well parents explain a node, and counts where it tests for independence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from likely.core.numerics import Array, Floats

Parents = tuple[int, ...]  # positions, ascending
Family = tuple[int, Parents]  # a node and its parents


class Scorer(Protocol):
    """Scores of families (a node with parents), the higher the better; the score of a graph is their sum.

    Nodes are positions. What was asked once is kept.
    """

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many levels each node has."""

    @property
    def weight(self) -> float:
        """The weight of all rows."""

    @property
    def equivalent(self) -> bool:
        """Whether graphs that say the same about independence have the same score."""

    @property
    def price(self) -> float | None:
        """What a free number costs, where every score is a log likelihood less a price; else None."""

    @property
    def joint(self) -> Callable[[Array], Floats] | None:
        """Scores of sets of nodes (bits), no arc missing among them; None where only families have scores."""

    def score(self, node: int, parents: Parents) -> float:
        """How well these parents explain the node."""

    def scores(self, families: Sequence[Family]) -> Floats:
        """(families,): the same of many, counted in one pass."""

    def toggled(self, node: int, parents: Parents) -> Floats:
        """(nodes,): the score with each other node added to the parents, or taken from them; -inf for the node."""

    def prefetch(self, families: Sequence[Family]) -> None:
        """What `toggled` will be asked next, so that it may be counted in one pass."""

    def crossed(self, node: int, others: Sequence[int], given: Parents) -> tuple[Array, Array]:
        """(cells given that were seen, levels of the node, slots of the others), and where each of them begins."""
