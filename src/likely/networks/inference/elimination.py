"""One query by variable elimination: what does not matter is left out, the rest summed away one node at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likely.core.numerics import Floats
from likely.networks.inference.cost import Cost, refuse_large
from likely.networks.inference.evidence import Findings
from likely.networks.inference.factors import TableFactor, factors_of, given, neighbours, relevant, scaled
from likely.networks.tables.joint import Factored
from likely.structures.triangulation import cliques_of, eliminate, table_sizes


def joint(factored: Factored, findings: Findings, targets: Sequence[int]) -> tuple[Floats, float]:
    """P(targets and the evidence that bears on them), an axis a target, as values up to one and the log of their scale.

    Without targets this is the probability of the evidence. A target that is seen has all weight on what was seen.
    """
    open_ = tuple(at for at in targets if findings.hard[at] < 0)
    values, log_scale = _sum_out(_factors(factored, findings, targets), factored.sizes, open_)
    whole = np.zeros([factored.sizes[at] for at in targets])
    whole[tuple(slice(None) if findings.hard[at] < 0 else int(findings.hard[at]) for at in targets)] = values
    return whole, log_scale


def cost(factored: Factored, findings: Findings, targets: Sequence[int]) -> Cost:
    """What that takes."""
    open_ = tuple(at for at in targets if findings.hard[at] < 0)
    return _plan(_factors(factored, findings, targets), factored.sizes, open_)[1]


def _factors(factored: Factored, findings: Findings, targets: Sequence[int]) -> list[TableFactor]:
    """The tables that matter, with the findings put in; without targets, those above what was found."""
    if targets:
        places = relevant(factored, findings, targets)
    else:
        names = [factored.graph.nodes[at] for at in findings.places]
        places = sorted({*findings.places, *map(factored.graph.at, factored.graph.ancestors(names))})
    tables = factors_of(factored, places)
    met = {at for table in tables for at in table.nodes}
    soft = {at: values for at, values in findings.soft.items() if at in met}
    return given(tables, replace(findings, soft=soft))


def _plan(factors: Sequence[TableFactor], sizes: Sequence[int], targets: Sequence[int]) -> tuple[list[int], Cost]:
    """In which order to sum out all nodes but the targets, and what that takes."""
    joined = neighbours([*factors, TableFactor(tuple(targets), np.zeros(0))], len(sizes))
    involved = sorted({at for factor in factors for at in factor.nodes} | set(targets))
    place = {at: where for where, at in enumerate(involved)}
    around = [{place[other] for other in joined[at]} for at in involved]
    small = [sizes[at] for at in involved]
    order = eliminate(around, small, "min-fill" if len(involved) > 2 else "min-size")
    tables = table_sizes(around, small, order)
    width = max(map(len, cliques_of(around, order)), default=1) - 1
    told = [involved[at] for at in order if involved[at] not in targets]
    return told, Cost(float(sum(tables)), max(tables, default=0.0), width)


def _sum_out(factors: Sequence[TableFactor], sizes: Sequence[int], targets: tuple[int, ...]) -> tuple[Floats, float]:
    order, cost = _plan(factors, sizes, targets)
    refuse_large(cost)
    left, log_scale = list(factors), 0.0
    for at in order:
        near = [factor for factor in left if at in factor.nodes]
        left = [factor for factor in left if at not in factor.nodes]
        nodes = tuple(sorted({other for factor in near for other in factor.nodes} - {at}))
        whole, factor = _product(near, (*nodes, at))
        values, told = scaled(whole.sum(axis=-1))
        log_scale += factor + told
        left.append(TableFactor(nodes, values))
    values, told = _product(left, targets)
    shape = [sizes[at] for at in targets]
    return np.broadcast_to(values, shape), log_scale + told


def _product(factors: Sequence[TableFactor], nodes: Sequence[int]) -> tuple[Floats, float]:
    """The product of factors, its largest entry one, and the log of what it was; small factors first."""
    found: Floats = np.ones([1] * len(nodes))
    log_scale = 0.0
    for factor in sorted(factors, key=lambda factor: factor.values.size):
        found, told = scaled(found * factor.over(nodes))  # at each step: of a thousand factors nothing may vanish
        log_scale += told
    return found, log_scale
