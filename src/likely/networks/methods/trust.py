"""How far a learnt graph can be trusted: which arcs come back in bootstrap samples, and which may be turned."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Self

from likely.core.state import still
from likely.data.level_rows import source_of
from likely.errors import DataError, listed
from likely.networks.content import NetworkContent
from likely.networks.learning import learnt_tables
from likely.networks.structure.plan import Plan
from likely.networks.structure.row_codes import Coded, hold
from likely.networks.tables.estimation import TableEstimate
from likely.networks.trust.arc_directions import Directions
from likely.networks.trust.arc_strength import ArcStrengths
from likely.networks.trust.bootstrap import BOOTSTRAP_SAMPLES, bootstrap_arcs
from likely.output.phrases import plural
from likely.structures.search.orientation import class_of
from likely.structures.search.result import Tick


class TrustMethods(NetworkContent):
    """What tells steady arcs from chance ones, and those that may be turned from those that may not."""

    def directions(self) -> Directions:
        """Of each arc, why it points the way it does; or that it may be turned round, and fits rows equally well.

        >>> from likely.networks import asia
        >>> asia().directions().reversible
        (('asia', 'tub'), ('smoke', 'lung'), ('smoke', 'bronc'))
        """
        self = still(self)
        if self._search is None:
            return Directions(self.graph)
        rules = self._search.plan.rules(self.nodes)
        arrows = class_of(self.graph, rules).arrows
        told = {}
        for parent, child in self.edges:
            one, other = self.graph.at(parent), self.graph.at(child)
            if rules.required[one, other]:
                told[parent, child] = "it is required"
            elif not rules.allowed[other, one]:
                told[parent, child] = "the other way is forbidden"
            elif arrows[one, other]:
                told[parent, child] = "it follows from arcs that are required or forbidden"
        return Directions(self.graph, told)

    def arc_strength(
        self,
        data: Any,
        bootstrap: int = BOOTSTRAP_SAMPLES,
        *,
        weights: Any = None,
        seed: int = 0,
        threads: int | None = None,
        tick: Tick | None = None,
        **options: Any,
    ) -> ArcStrengths:
        """How steady each arc is: the share of graphs that have it, each learnt from a bootstrap sample of the rows.

        The graphs are learnt as this one was, or else as `learn_network` does; `options` of it change that (score=,
        search=, required=, ...). `bootstrap` is how many, and `seed` that of the draws, the same whatever the number of
        `threads`. `tick` is called with the `Progress` after each graph. Ctrl-C keeps the graphs so far. Numeric
        columns stay binned as they are.

        >>> from likely import Network
        >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
        >>> found = Network({"rain": (), "wet": ()}).arc_strength(rows, bootstrap=5)
        >>> found["rain", "wet"]
        1.0
        """
        self = still(self)
        plan, coded = self._plan(options), self._coded(data, weights)
        rules = plan.rules(coded.names)
        return bootstrap_arcs(coded, plan.find, rules, bootstrap=bootstrap, seed=seed, threads=threads, tick=tick)

    def consensus(
        self,
        data: Any,
        bootstrap: int = BOOTSTRAP_SAMPLES,
        *,
        threshold: float | None = None,
        weights: Any = None,
        **options: Any,
    ) -> Self:
        """A network of the arcs that most graphs of bootstrap samples have, its tables learnt from all rows.

        `options` are those of `arc_strength`; its result has the graph alone, as `consensus(threshold)`.

        >>> from likely import Network
        >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
        >>> Network({"rain": (), "wet": ()}).consensus(rows, bootstrap=5).edges
        (('rain', 'wet'),)
        """
        self = still(self)
        found = self.arc_strength(data, bootstrap, weights=weights, **options)
        setting = TableEstimate() if self._learnt is None else self._learnt.setting
        prior = dict(setting.own) or setting.prior
        how = (setting.estimate, prior, setting.strength, setting.missing)
        told = learnt_tables.fit(found.consensus(threshold), self._known, data, weights, *how)
        stopped = f", stopped before all {found.asked:,} were learnt" if found.interrupted else ""
        return type(self).of(told, name=self.name, notes=(f"consensus of {plural(found.graphs, 'graph')}{stopped}",))

    def _plan(self, options: dict[str, Any]) -> Plan:
        """How this network was learnt, with some options changed."""
        plan = Plan() if self._search is None else self._search.plan
        names = {field.name for field in fields(Plan)} - {"options"}
        own = {name: value for name, value in options.items() if name not in names}
        before = {} if options.get("search", plan.search) != plan.search else dict(plan.options)
        changed = {name: value for name, value in options.items() if name in names}
        return replace(plan, **changed, options={**before, **own})

    def _coded(self, data: Any, weights: Any) -> Coded:
        """All rows in memory, as places of the levels."""
        rows, schema = source_of(data, self.graph.nodes, self._known, weights)
        hidden = [name for name in self.nodes if name not in rows.names]
        if hidden:
            hint = f"give rows with all nodes: {listed(self.nodes, 12)}"
            raise DataError("D432", f"there is no column {hidden[0]!r}", place="arc_strength(data)", hint=hint)
        return hold(rows, schema)
