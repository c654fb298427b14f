"""One query by variable elimination: what does not matter is left out, the rest summed away towards the targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likely.core.numerics import Floats, log
from likely.networks.inference.cost import Cost, cost_of, refuse_large
from likely.networks.inference.evidence import Findings
from likely.networks.inference.factors import TableFactor, factors_of, given, neighbours, relevant
from likely.networks.inference.junction_layout import collect, homes
from likely.networks.tables.joint import Factored
from likely.structures.junction import JunctionTree, junction_tree
from likely.structures.triangulation import eliminate


def joint(factored: Factored, findings: Findings, targets: Sequence[int]) -> tuple[Floats, float]:
    """P(targets | the evidence that bears on them), an axis a target, and the log probability of that evidence.

    Without targets this is the probability of all evidence. A target that is seen has all weight on what was seen.
    """
    open_ = tuple(at for at in targets if findings.hard[at] < 0)
    values, log_p = _summed(_factors(factored, findings, targets), factored.sizes, open_)
    whole = np.zeros([factored.sizes[at] for at in targets])
    whole[tuple(slice(None) if findings.hard[at] < 0 else int(findings.hard[at]) for at in targets)] = values
    return whole, log_p


def cost(factored: Factored, findings: Findings, targets: Sequence[int]) -> Cost:
    """What that takes."""
    open_ = tuple(at for at in targets if findings.hard[at] < 0)
    return cost_of(_tree(_factors(factored, findings, targets), factored.sizes, open_)[0])


def _factors(factored: Factored, findings: Findings, targets: Sequence[int]) -> list[TableFactor]:
    """The tables that matter, with the findings put in; without targets, those above what was found."""
    places = relevant(factored, findings, targets) if targets else sorted(factored.graph.upwards(findings.places))
    tables = factors_of(factored, places)
    met = {at for table in tables for at in table.nodes}
    soft = {at: values for at, values in findings.soft.items() if at in met}
    return given(tables, replace(findings, soft=soft))


def _tree(
    factors: Sequence[TableFactor], sizes: Sequence[int], targets: Sequence[int]
) -> tuple[JunctionTree, dict[int, int]]:
    """A junction tree, a root of which holds all targets, as they are taken out last; and each node's place in it."""
    involved = sorted({at for factor in factors for at in factor.nodes} | set(targets))
    place = {at: where for where, at in enumerate(involved)}
    joined = neighbours([*factors, TableFactor(tuple(targets), np.zeros(0))], len(sizes))
    around, small = [{place[other] for other in joined[at]} for at in involved], [sizes[at] for at in involved]
    last = [place[at] for at in targets]
    order = [at for at in eliminate(around, small, "min-fill") if at not in last]
    return junction_tree(around, small, (*order, *last)), place


def _summed(factors: Sequence[TableFactor], sizes: Sequence[int], targets: Sequence[int]) -> tuple[Floats, float]:
    """P(targets), and the log of what the product of all factors sums to."""
    tree, place = _tree(factors, sizes, targets)
    refuse_large(cost_of(tree))
    log_p = float(sum(log(factor.values) for factor in factors if not factor.nodes))
    if not place:
        return np.ones(()), log_p
    moved = [TableFactor(tuple(place[at] for at in one.nodes), one.values) for one in factors if one.nodes]
    small = [sizes[at] for at in place]
    tables = [np.ones([small[at] for at in clique]) for clique in tree.cliques]
    log_p += collect(tree, tables, moved)
    last = tuple(place[at] for at in targets)
    root = homes(tree, [last])[0]
    found = TableFactor(tree.cliques[root], tables[root]).summed(last)
    return found / (found.sum() or 1.0), log_p
