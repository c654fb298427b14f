"""Exact answers of a network: the junction tree where there is room for it, variable elimination where there is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.errors import ModelError, OptionError
from likely.errors.advice import Advice, Option
from likely.errors.options import choose
from likely.networks.inference import elimination
from likely.networks.inference.cost import Cost, cost_of
from likely.networks.inference.evidence import Findings
from likely.networks.inference.factors import TableFactor, factors_of, given, neighbours
from likely.networks.inference.junction_tree import Junction, Tick, tree_of
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph
from likely.structures.junction import JunctionTree, junction_tree

QUERY_METHODS = ("exact", "junction", "elimination", "gibbs", "weighting")
QUICK = float(1 << 22)  # entries of a junction tree that is made for a single question too
MOST_FIXING_ROUNDS, FIXED_WITHIN = 10_000, 1e-13  # of fixing probabilities, and how near they must come


@dataclass(frozen=True, eq=False)
class Exact:
    """The exact engine of a network; what it prepares is kept for the next question."""

    factored: Factored

    @cached_property
    def tree(self) -> JunctionTree:
        """The junction tree, without tables: what it costs is known before there is any work."""
        return tree_of(self.factored.graph, self.factored.sizes)

    @property
    def cost(self) -> Cost:
        """What the junction tree takes."""
        return cost_of(self.tree)

    @cached_property
    def junction(self) -> Junction:
        """The junction tree with its tables."""
        return Junction.of(self.factored)

    def joint(self, findings: Findings, targets: Sequence[int], method: str = "exact") -> Floats:
        """P(targets | evidence), an axis a target."""
        findings = self.settled(findings)
        alone = len(targets) == 1
        if method == "junction" and not alone:
            hint = Advice("ask for one target, or say ", Option("method", "elimination"))
            raise OptionError("O476", "a junction tree answers for one node at a time", place="method=", hint=hint)
        if method == "junction" or (alone and method == "exact" and self.tree.cost <= QUICK):
            found, log_p = self.junction.marginals(findings, targets)
            self.refuse_impossible(findings, log_p)
            return found[self.junction.levels(targets[0])]
        values, log_p = elimination.joint(self.factored, findings, targets)
        # what does not bear on the targets may be impossible too
        self.refuse_impossible(findings, log_p if log_p == -np.inf else self._known_probability(findings))
        return np.asarray(values / values.sum())

    def marginals(self, findings: Findings) -> list[Floats]:
        """P(level | evidence) of every node."""
        findings = self.settled(findings)
        junction, left = (self.junction, findings) if self.cost.feasible else self._reduced(findings)
        found, log_p = junction.marginals(left)
        self.refuse_impossible(findings, log_p)
        return [found[first:last] for first, last in pairwise(junction.arrays.level_starts.tolist())]

    def marginals_of_rows(
        self, codes: Array, targets: Sequence[int], tick: Tick | None = None
    ) -> tuple[Floats, Floats]:
        """(rows, levels of all targets) P(level | row) and (rows,) log P(row), of rows of codes with -1 where open.

        Where there is no room for all nodes, those are left out on which neither targets nor what is seen depends.
        """
        if self.cost.feasible:
            return self.junction.marginals_of_rows(codes, targets, tick)
        graph = self.factored.graph
        kept = sorted(graph.upwards([*targets, *np.flatnonzero((codes >= 0).any(axis=0)).tolist()]))
        place = {at: where for where, at in enumerate(kept)}
        less = Graph(graph.named(kept), tuple(graph.parents[at] for at in kept))
        levels = tuple(self.factored.levels[at] for at in kept)
        junction = Junction.of(Factored(less, levels, tuple(self.factored.tables[at] for at in kept)))
        return junction.marginals_of_rows(np.ascontiguousarray(codes[:, kept]), [place[at] for at in targets], tick)

    def cost_given(self, findings: Findings) -> Cost:
        """What a junction tree for this evidence alone takes."""
        return cost_of(junction_tree(neighbours(self._left(findings), len(self.factored.sizes)), self.factored.sizes))

    def _reduced(self, findings: Findings) -> tuple[Junction, Findings]:
        """A junction tree for this evidence alone, where what is seen is cut out of the graph."""
        return Junction.over(self._left(findings), self.factored.sizes), Findings(findings.hard)

    def _left(self, findings: Findings) -> list[TableFactor]:
        factors = given(factors_of(self.factored), findings)
        for at in np.flatnonzero(findings.hard >= 0).tolist():
            factors.append(TableFactor((at,), np.eye(self.factored.sizes[at])[findings.hard[at]]))
        return factors

    def log_probability(self, findings: Findings) -> float:
        """log P(evidence); -inf where it is impossible."""
        if findings.fixed:
            hint = "leave it out: what is fixed has no probability of its own"
            raise OptionError("O477", "evidence that is Fixed", place="evidence=", hint=hint)
        if self.tree.cost <= QUICK:
            return self.junction.marginals(findings, ())[1] + findings.log_scale
        return elimination.joint(self.factored, findings, ())[1] + findings.log_scale

    def _known_probability(self, findings: Findings) -> float:
        """log P(evidence), or zero where it takes too much to know."""
        try:
            return self.log_probability(findings)
        except ModelError:
            return 0.0

    def settled(self, findings: Findings) -> Findings:
        """Likelihoods in place of probabilities that are fixed: turn by turn each is set right, until all are."""
        if not findings.fixed:
            return findings
        soft = {**findings.soft, **{at: (values > 0).astype(np.float64) for at, values in findings.fixed.items()}}
        plain = Findings(findings.hard, soft)
        for _ in range(MOST_FIXING_ROUNDS):
            worst = 0.0
            for at, wanted in findings.fixed.items():
                had = self.joint(plain, (at,))
                if (wanted[had == 0] > 0).any():
                    node, level = (
                        self.factored.graph.nodes[at],
                        self.factored.levels[at][int(((had == 0) & (wanted > 0)).argmax())],
                    )
                    what = f"{node!r} cannot be {level!r} under the other evidence, and is to have a probability there"
                    hint = "take that level out of Fixed({...}), or change the other evidence"
                    raise ModelError("M323", what, place=f"evidence of {node!r}", hint=hint)
                worst = max(worst, float(np.abs(had - wanted).max()))
                likely = plain.soft[at] * np.divide(wanted, had, out=np.zeros(len(had)), where=had > 0)
                if not likely.any():
                    raise _contradiction(worst)
                plain = replace(plain, soft={**plain.soft, at: likely / likely.max()})
            if worst < FIXED_WITHIN:
                return plain
        raise _contradiction(worst)

    def refuse_impossible(self, findings: Findings, log_p: float) -> None:
        """An error that names the finding which cannot be together with those before it."""
        if log_p > -np.inf:
            return
        names = self.factored.graph.nodes
        before: list[str] = []
        hard, soft = np.full_like(findings.hard, -1), {}
        for at in findings.places:
            hard[at] = findings.hard[at]
            if at in findings.soft:
                soft[at] = findings.soft[at]
            level = repr(self.factored.levels[at][int(hard[at])]) if hard[at] >= 0 else "what was said"
            if self._known_probability(Findings(hard, soft)) == -np.inf:
                what = f"the evidence is impossible: {names[at]!r} cannot be {level}"
                if before:
                    what += " where " + " and ".join(before[-3:]) + (" and more" if len(before) > 3 else "")
                hint = "its probability is zero under the tables: correct a finding, or the zeros in a table"
                raise ModelError("M321", what, place=f"evidence of {names[at]!r}", hint=hint)
            before.append(f"{names[at]!r} is {level}")
        raise ModelError("M321", "the evidence is impossible", place="evidence=", hint="correct one of the findings")


def check_method(method: object) -> str:
    """One of the methods that there are."""
    return choose(method, QUERY_METHODS, "method", "O467")


def _contradiction(missed: float) -> ModelError:
    hint = "the fixed probabilities may contradict each other: give fewer"
    return ModelError("M323", f"fixed probabilities are missed by {missed:.2g}", place="evidence=", hint=hint)
