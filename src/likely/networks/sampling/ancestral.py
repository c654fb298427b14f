"""Rows drawn parents first with the findings held, and what each weighs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.numerics import Array, Floats, log
from likely.errors import ModelError
from likely.errors.advice import Advice, Option
from likely.kernels.junction.ancestral import draw_rows, steps_of
from likely.networks.inference.evidence import Findings
from likely.networks.tables.joint import Factored


@dataclass(frozen=True, eq=False)
class Forward:
    """What the compiled loop reads: the nodes that matter in order, running sums of their tables, log weights of rows.

    A finding multiplies the rows of its node's table by the likelihood of each level (one or zero, where a level was
    seen); the node is drawn from what is left, and the draw weighs what was left of the row.
    """

    factored: Factored
    order: Array
    steps: Floats
    weighed: Array
    log_weights: Floats

    @classmethod
    def of(
        cls, factored: Factored, findings: Findings | None = None, targets: tuple[int, ...] | None = None
    ) -> Forward:
        """For draws of all nodes, or of what the targets and the findings descend from."""
        flat = factored.flat
        likelihoods = {} if findings is None else likelihoods_of(factored, findings)
        start = range(len(factored.sizes)) if targets is None else (*targets, *likelihoods)
        among = factored.graph.upwards(start)
        steps, log_weights = np.empty(len(flat.values)), np.zeros(len(flat.values))
        for node in among:
            table, span = (
                factored.tables[node],
                slice(flat.starts[node], flat.starts[node] + factored.tables[node].size),
            )
            if node in likelihoods:
                table = table * likelihoods[node]
                log_weights[span][:: table.shape[-1]] = log(table.sum(axis=-1)).reshape(-1)
            steps[span] = steps_of(table).reshape(-1)
        weighed = np.zeros(len(factored.sizes), dtype=np.bool_)
        weighed[list(likelihoods)] = True
        return cls(factored, flat.order[np.isin(flat.order, list(among))], steps, weighed, log_weights)

    @property
    def dtype(self) -> type:
        """The smallest that holds every level."""
        most = max(self.factored.sizes, default=0)
        return np.uint8 if most <= 1 << 8 else np.int16 if most <= 1 << 15 else np.int32

    def draw(self, rows: int, counter: np.uint64) -> tuple[Array, Floats]:
        """(nodes, rows) codes, zeros for nodes that do not matter, and (rows,) log weights."""
        codes: Array = np.zeros((len(self.factored.sizes), rows), self.dtype)
        return codes, self.fill(codes, 0, rows, counter)

    def fill(self, codes: Array, begin: int, end: int, counter: np.uint64) -> Floats:
        """Draw rows of codes (nodes, rows) from the stream that starts at the counter; their log weights."""
        flat, totals = self.factored.flat, np.zeros(end - begin)
        tables = flat.sizes, flat.starts, self.steps
        arcs = flat.parents, flat.parent_strides, flat.parent_starts
        draw_rows(self.order, *tables, *arcs, self.weighed, self.log_weights, counter, begin, codes, totals)
        return totals


def likelihoods_of(factored: Factored, findings: Findings) -> dict[int, Floats]:
    """(levels,) of each node that something is known of: how likely each level makes it."""
    if findings.fixed:
        names = ", ".join(repr(factored.graph.nodes[at]) for at in findings.fixed)
        hint = Advice("ask ", Option("method", "exact"), ", or give likelihoods {level: likelihood}")
        raise ModelError("M333", f"draws cannot fix the probabilities of {names}", place="evidence=", hint=hint)
    seen = {int(at): np.eye(factored.sizes[at])[findings.hard[at]] for at in np.flatnonzero(findings.hard >= 0)}
    return {**seen, **findings.soft}
