"""Questions to a network about probabilities: one at a time, many rows at once, exactly or by samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.core.state import still
from likely.data.level_rows import code_rows
from likely.errors import OptionError, nearest
from likely.errors.options import choose, whole
from likely.networks.content import NetworkContent
from likely.networks.inference import elimination
from likely.networks.inference.cost import Cost
from likely.networks.inference.evidence import Findings, known, read_evidence
from likely.networks.inference.exact import check_method
from likely.networks.inference.junction_tree import Tick
from likely.networks.inference.row_answers import Answers, Assignment, labelled, refuse_impossible
from likely.networks.inference.sensitivity import Sensitivity, sensitivity
from likely.networks.methods.distribution import Distribution
from likely.networks.sampling.gibbs import gibbs
from likely.networks.sampling.likelihood_weighting import Sampled, draw, read_seed, weighting
from likely.output.frames import framed

Evidence = Mapping[str, Any] | None
MOST_VALUES_DRAWN = 2.0**33  # values that are drawn at a time
DRAWING = ("draws", "seed", "tick")
SAMPLERS: dict[str, tuple[Callable[..., Sampled], tuple[str, ...]]] = {  # and the options that each takes
    "gibbs": (gibbs, (*DRAWING, "chains", "burn_in", "thin")),
    "weighting": (weighting, DRAWING),
}


class QueryMethods(NetworkContent):
    """Questions about the tables, answered by the exact engine or by samples."""

    def query(
        self, targets: str | Sequence[str], evidence: Evidence = None, method: str = "exact", **options: Any
    ) -> Distribution:
        """P(target | evidence), a mapping from levels; of several targets, from tuples of levels: their joint.

        Evidence is {node: level}; {node: {level: likelihood}} where what was seen makes levels more or less likely;
        {node: [level, level]} for one of these; {node: Fixed({level: probability})} to set a node's probabilities.
        `method` is "exact" (a junction tree or variable elimination, whichever is quicker; either can be named),
        "weighting" or "gibbs", which sample: with `draws`, `seed`, and for chains `chains`, `burn_in` and `thin`.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.query("lung", {"xray": "yes"})
        lung   given xray = yes
          yes  0.488711  ████████████
          no   0.511289  ████████████
        >>> round(net.query(["lung", "tub"], {"xray": "yes"})["yes", "no"], 4)
        0.4836
        """
        self = still(self)
        places = self._targets(targets)
        findings = read_evidence(self.factored, evidence)
        labels = self.graph.named(places), tuple(self.factored.levels[at] for at in places)
        if check_method(method) not in SAMPLERS:
            self._refuse_options(options, method)
            found = self.exact.joint(findings, places, method)
            return Distribution(*labels, found, None, method, known(evidence))
        sampled = self._sampled(findings, places, method, options)
        assert sampled.probabilities is not None, "a sampler answers for its targets"
        told = Distribution(*labels, sampled.probabilities, sampled.errors, method, known(evidence))
        return told.trusted(sampled)

    def marginals(self, evidence: Evidence = None, method: str = "exact", **options: Any) -> dict[str, Distribution]:
        """P(node | evidence) of every node, in one go; the options are those of `query`.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.marginals({"xray": "yes"})
        >>> round(found["lung"]["yes"], 4)
        0.4887
        """
        self = still(self)
        findings, given = read_evidence(self.factored, evidence), known(evidence)
        named = list(zip(self.nodes, self.factored.labels, strict=True))
        if check_method(method) in SAMPLERS:
            sampled = self._sampled(findings, None, method, options)
            pairs = zip(named, sampled.marginals, sampled.marginal_errors, strict=True)
            return {
                node: Distribution(*label, share, error, method, given).trusted(sampled)
                for (node, label), share, error in pairs
            }
        self._refuse_options(options, method)
        if method == "elimination":
            return {node: self.query(node, evidence, method) for node in self.nodes}
        found = zip(named, self.exact.marginals(findings), strict=True)
        return {node: Distribution(*label, values, None, method, given) for (node, label), values in found}

    def _sampled(
        self, findings: Findings, places: tuple[int, ...] | None, method: str, options: dict[str, Any]
    ) -> Sampled:
        if findings.fixed:
            findings = self.exact.settled(findings)
        sampler, takes = SAMPLERS[method]
        self._refuse_options(options, method, takes)
        return sampler(self.factored, findings, places, **options)

    def query_many(
        self,
        data: Any,
        targets: str | Sequence[str] | None = None,
        *,
        impossible: str = "error",
        tick: Tick | None = None,
    ) -> Answers:
        """P(target | row) for every row of evidence, columns being nodes and missing values what is not known.

        Targets are all nodes by default. A row that is impossible is an error, or NaN if `impossible` is "nan".

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.query_many({"xray": ["yes", "no"], "smoke": ["yes", None]}, "lung")
        >>> found["lung"].round(4).tolist()
        [[0.646, 0.354], [0.0012, 0.9988]]
        """
        self = still(self)
        choose(impossible, ("error", "nan"), "impossible", "O478", what="way with impossible rows")
        told = self.factored
        places = tuple(range(len(self.nodes))) if targets is None else self._targets(targets)
        codes = code_rows(data, self.nodes, told.levels)
        found, logs = self.exact.marginals_of_rows(codes, places, tick)
        if impossible == "error":
            refuse_impossible(logs)
        found[np.isneginf(logs)] = np.nan
        ends = np.cumsum([told.sizes[at] for at in places])
        names, levels = tuple(self.nodes[at] for at in places), tuple(told.levels[at] for at in places)
        index = data.index if hasattr(data, "iloc") else None
        return Answers(names, levels, tuple(np.split(found, ends[:-1], axis=1)), logs, index)

    def probability(self, evidence: Evidence) -> float:
        """P(evidence).

        >>> from likely.networks import asia
        >>> net = asia()
        >>> round(net.probability({"smoke": "yes", "lung": "yes"}), 4)
        0.05
        """
        return float(np.exp(self.log_probability(evidence)))

    def log_probability(self, evidence: Evidence) -> float:
        """log P(evidence); -inf where it is impossible.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> round(net.log_probability({"smoke": "yes", "lung": "yes"}), 4)
        -2.9957
        """
        self = still(self)
        return self.exact.log_probability(read_evidence(self.factored, evidence))

    def most_probable(self, evidence: Evidence = None) -> Assignment:
        """The most probable levels of all nodes together, given the evidence.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.most_probable({"dysp": "yes"})
        >>> found["bronc"], round(found.posterior, 4)
        ('yes', 0.4613)
        """
        self = still(self)
        findings = self.exact.settled(read_evidence(self.factored, evidence))
        levels, log_p = self.junction.most_probable(findings)
        self.exact.refuse_impossible(findings, log_p)
        named = {name: self.factored.levels[at][levels[at]] for at, name in enumerate(self.nodes)}
        return Assignment(named, log_p + findings.log_scale, self.exact.log_probability(findings))

    def cost(self, targets: str | Sequence[str] | None = None, evidence: Evidence = None) -> Cost:
        """What exact inference takes: a junction tree for all nodes, or one query by elimination.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.cost("lung")
        4 table entries (32 bytes), width 1
        """
        self = still(self)
        if targets is None:
            findings = read_evidence(self.factored, evidence)
            return self.exact.cost_given(findings) if findings.places else self.exact.cost
        return elimination.cost(self.factored, read_evidence(self.factored, evidence), self._targets(targets))

    def sample(self, n: int, seed: int | None = None, given: Evidence = None, *, tick: Tick | None = None) -> Any:
        """A frame of n rows drawn from the network; `given` evidence, exactly from what it leaves.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.sample(3, seed=0).shape
        (3, 8)
        """
        self = still(self)
        size = float(whole(n, "n", "O471")) * len(self.nodes)
        if size > MOST_VALUES_DRAWN:
            what = f"{n:.3g} rows of {len(self.nodes)} nodes are too many"
            raise OptionError("O499", what, place="n=", hint="draw them in parts, each with its own seed")
        codes = self._drawn(n, seed, given, tick) if known(given) else draw(self.factored, n, seed, tick)
        return framed({name: labelled(codes[:, at], self.factored.levels[at]) for at, name in enumerate(self.nodes)})

    def _drawn(self, n: int, seed: int | None, given: Evidence, tick: Tick | None) -> Array:
        findings = self.exact.settled(read_evidence(self.factored, given))
        codes, log_p = self.junction.draw(findings, n, read_seed(seed), tick)
        self.exact.refuse_impossible(findings, log_p)
        return codes

    def sensitivity(self, target: str, evidence: Evidence = None, level: Any = None) -> Sensitivity:
        """How P(target = level | evidence) would change with each entry of the tables, and without each finding.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> found = net.sensitivity("lung", {"xray": "yes"}, "yes")
        >>> round(found.posterior, 4), round(found.findings[0].posterior, 4)
        (0.4887, 0.055)
        """
        self = still(self)
        return sensitivity(self, target, evidence, level)

    def _targets(self, targets: str | Iterable[str]) -> tuple[int, ...]:
        places = self.graph.several(targets, "targets=")
        if not places:
            hint = "name a node, or several for their joint distribution"
            raise OptionError("O479", "there is no target", place="targets=", hint=hint)
        return places

    def _refuse_options(self, options: Mapping[str, Any], method: str, takes: Sequence[str] = ()) -> None:
        for name in options:
            if name in takes:
                continue
            said = [one for one in takes if one != "tick"]
            hint = f"{method!r} takes {', '.join(said) or 'no options'}.{nearest(name, [*said, 'evidence', 'method'])}"
            if name in self.graph.places:
                hint = f"what is known of nodes is evidence={{{name!r}: ...}}"
            raise OptionError("O468", f"method {method!r} has no option {name!r}", place=f"{name}=", hint=hint)
