"""Tables over some nodes, before they are multiplied: what a network and its evidence leave to work on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Floats
from likely.networks.inference.evidence import Findings
from likely.networks.tables.joint import Factored
from likely.structures.separation import goes_up, travels


@dataclass(frozen=True, eq=False)
class TableFactor:
    """values: one axis for each of these nodes, in their order."""

    nodes: tuple[int, ...]
    values: Floats

    def over(self, nodes: Sequence[int]) -> Floats:
        """The values with one axis for each of these nodes, in their order; of length one where it has none."""
        order = [self.nodes.index(at) for at in nodes if at in self.nodes]
        shape = iter(self.values.transpose(order).shape)
        return self.values.transpose(order).reshape([next(shape) if at in self.nodes else 1 for at in nodes])

    def summed(self, nodes: Sequence[int]) -> Floats:
        """The sums over all but these nodes, with an axis for each of them, in their order."""
        others = tuple(axis for axis, at in enumerate(self.nodes) if at not in nodes)
        return TableFactor(tuple(at for at in self.nodes if at in nodes), self.values.sum(axis=others)).over(nodes)


def factors_of(factored: Factored, places: Iterable[int] | None = None) -> list[TableFactor]:
    """The tables of these nodes, of all by default: parents, then the node itself."""
    parents = factored.graph.parent_places
    return [
        TableFactor((*parents[at], at), factored.tables[at])
        for at in (range(len(parents)) if places is None else places)
    ]


def given(factors: Iterable[TableFactor], findings: Findings) -> list[TableFactor]:
    """The same with findings put in: what is seen is no axis any more, and likelihoods are factors of their own."""
    told = []
    for factor in factors:
        at = tuple(int(findings.hard[node]) if findings.hard[node] >= 0 else slice(None) for node in factor.nodes)
        told.append(TableFactor(tuple(node for node in factor.nodes if findings.hard[node] < 0), factor.values[at]))
    return told + [TableFactor((node,), values) for node, values in findings.soft.items()]


def relevant(factored: Factored, findings: Findings, targets: Iterable[int]) -> list[int]:
    """The nodes whose tables matter for the targets, given the findings: barren and separated ones do not.

    A table is read where news from the targets goes up from its node; what is left out sums to one, or does not change
    with the targets.
    """
    known = set(np.flatnonzero(findings.hard >= 0).tolist())
    opened = factored.graph.upwards(findings.places)
    states = travels(factored.graph, targets, known, opened)
    return sorted({state >> 1 for state in states if goes_up(state, known, opened)})


def neighbours(factors: Sequence[TableFactor], nodes: int) -> list[set[int]]:
    """The nodes that share a factor with each node."""
    found: list[set[int]] = [set() for _ in range(nodes)]
    for factor in factors:
        for at in factor.nodes:
            found[at].update(factor.nodes)
    for at, mine in enumerate(found):
        mine.discard(at)
    return found


def scaled(values: Floats) -> tuple[Floats, float]:
    """Values whose largest is one, and the log of what they were divided by."""
    top = float(values.max(initial=0.0))
    return (values / top, float(np.log(top))) if top > 0.0 else (values, -np.inf)
