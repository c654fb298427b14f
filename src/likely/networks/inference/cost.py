"""What exact inference would take, told before the work is begun."""

from __future__ import annotations

from dataclasses import dataclass

from likely.errors import ModelError
from likely.errors.advice import Advice, Option
from likely.output.phrases import memory_size
from likely.structures.junction import JunctionTree

MOST_INFERENCE_ENTRIES = float(1 << 28)  # entries of all tables together: 2 GiB, and as much again to work in


@dataclass(frozen=True)
class Cost:
    """entries of all tables of the junction tree together, those of the largest, and its width.

    >>> Cost(2.0**40, 2.0**40, 39)
    1.1e+12 table entries (8 TiB), width 39: too large, sample instead
    """

    entries: float
    largest: float
    width: int

    @property
    def gibibytes(self) -> float:
        """What the tables take in memory."""
        return self.entries * 8 / 2**30

    @property
    def feasible(self) -> bool:
        """Whether exact inference is tried at all."""
        return self.entries <= MOST_INFERENCE_ENTRIES

    def __repr__(self) -> str:
        return self.told if self.feasible else f"{self.told}: too large, sample instead"

    @property
    def told(self) -> str:
        """In words."""
        entries = f"{self.entries:,.0f}" if self.entries < 1e6 else f"{self.entries:.2g}"
        return f"{entries} table entries ({memory_size(self.entries * 8)}), width {self.width}"


def cost_of(tree: JunctionTree) -> Cost:
    """What a junction tree takes."""
    return Cost(tree.cost, tree.largest, tree.width)


def refuse_large(cost: Cost) -> None:
    """An error with advice, instead of a memory that overflows."""
    if not cost.feasible:
        weighting, gibbs = Option("method", "weighting"), Option("method", "gibbs")
        hint = Advice("query with ", weighting, " or ", gibbs, ", ask for fewer targets, or give more evidence")
        raise ModelError("M322", f"exact inference would take {cost.told}", place="the network", hint=hint)
