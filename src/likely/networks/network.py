"""A Bayesian network as users hold it: built by hand, read from a file or learnt; then asked, drawn and sampled."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from likely.core.state import still
from likely.networks import formats
from likely.networks.formats import Parts
from likely.networks.learning import learnt_tables
from likely.networks.methods.fit import LearningMethods
from likely.networks.methods.queries import Evidence, QueryMethods
from likely.networks.methods.trust import TrustMethods
from likely.networks.tables.declaration import build
from likely.networks.tables.joint import Factored
from likely.output.draw import draw
from likely.output.notebook import Shown, html_table
from likely.structures.graph import Graph

NODES_PRINTED = 40  # nodes that are printed


class Network(QueryMethods, LearningMethods, TrustMethods, Shown):
    """Nodes with levels, arcs between them, and for each node a table: P(its levels | those of its parents).

    Written by hand, a node is {level: probability}, or (parents, {their levels: {level: probability}}), or (parents,
    array) with `levels=` named, or a `ProbabilityTable` or `NoisyOr`. A graph without tables, as {node: parents} or a
    list of arcs, answers questions about itself and can be fitted.

    >>> net = Network(
    ...     {
    ...         "rain": {"yes": 0.2, "no": 0.8},
    ...         "wet": (["rain"], {"yes": {"yes": 0.9, "no": 0.1}, "no": {"yes": 0.1, "no": 0.9}}),
    ...     }
    ... )
    >>> net.query("rain", {"wet": "yes"})
    rain   given wet = yes
      yes  0.692308  █████████████████
      no   0.307692  ███████
    >>> net.probability({"wet": "yes"})
    0.26
    """

    def __init__(self, nodes: Any, *, levels: Mapping[str, Sequence[Any]] | None = None, name: str = "") -> None:
        graph, factored, notes = build(nodes, levels)
        self._hold(graph, factored, notes, name, levels if factored is None else factored.levels)

    @classmethod
    def from_networkx(cls, graph: Any) -> Self:
        """The network of a networkx DiGraph, without tables.

        >>> import networkx
        >>> from likely import Network
        >>> Network.from_networkx(networkx.DiGraph([("rain", "wet")])).edges
        (('rain', 'wet'),)
        """
        return cls.of(Graph.of(graph))

    @classmethod
    def from_counts(
        cls,
        nodes: Any,
        counts: Mapping[str, Any],
        levels: Mapping[str, Sequence[Any]],
        *,
        estimate: str = "bayes",
        prior: Any = "uniform",
        strength: float = 1.0,
    ) -> Self:
        """The network of a graph whose tables follow from counts (levels of parents ..., own levels) of each node.

        >>> from likely import Network
        >>> net = Network.from_counts({"coin": ()}, {"coin": [3, 1]}, {"coin": ["heads", "tails"]})
        >>> round(net.query("coin")["heads"], 4)
        0.6667
        """
        return cls.of(learnt_tables.from_counts(Graph.of(nodes), levels, counts, estimate, prior, strength))

    @classmethod
    def read(cls, path: str | os.PathLike[str], format: str | None = None) -> Self:
        """The network in a file: .bif, .xmlbif, .net (Hugin), .xdsl (GeNIe) or .json; `notes` say what was scaled.

        >>> import tempfile
        >>> from pathlib import Path
        >>> from likely import Network
        >>> from likely.networks import asia
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     asia().write(Path(folder, "asia.bif"))
        ...     net = Network.read(Path(folder, "asia.bif"))
        ...
        >>> len(net.nodes)
        8
        """
        parts = formats.read(path, format)
        name = Path(os.fspath(path).removesuffix(formats.PACKED)).stem
        return cls._from(parts if parts.name else replace(parts, name=name))

    @classmethod
    def loads(cls, text: str, format: str) -> Self:
        """The network in a text.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> from likely import Network
        >>> Network.loads(net.dumps("json"), "json").edges == net.edges
        True
        """
        return cls._from(formats.loads(text, format))

    @classmethod
    def _from(cls, parts: Parts) -> Self:
        factored = Factored(Graph(parts.nodes, parts.parents), parts.levels, parts.tables)
        return cls.of(factored, name=parts.name, notes=parts.notes)

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the network to a file, whose ending names the format unless `format` does; whole or not at all.

        >>> import tempfile
        >>> from pathlib import Path
        >>> from likely.networks import asia
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     asia().write(Path(folder, "asia.bif"))
        ...     text = Path(folder, "asia.bif").read_text()
        ...
        >>> text.count("probability")
        8
        """
        formats.write(self._parts(), path, format)

    def dumps(self, format: str) -> str:
        """The network as a text: "bif", "xmlbif", "net", "xdsl" or "json".

        >>> from likely import Network
        >>> print(Network({"rain": {"no": 0.8, "yes": 0.2}}).dumps("bif"))
        network unknown {
        }
        variable rain {
          type discrete [ 2 ] { no, yes };
        }
        probability ( rain ) {
          table 0.8, 0.2;
        }
        """
        return formats.dumps(self._parts(), format)

    def _parts(self) -> Parts:
        self = still(self)
        told = self.factored
        return Parts(told.graph.nodes, told.levels, told.graph.parents, told.tables, self.name)

    def classifier(self, target: str) -> Any:
        """A scikit-learn classifier that predicts a node from the others.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> model = net.classifier("lung")
        >>> model.predict([["no", "no", "yes", "no", "yes", "yes", "yes"]]).tolist()
        ['yes']
        """
        classifier = import_module("likely").NetworkClassifier  # estimators stand on networks
        return classifier.of(self, target)

    def plot(self, evidence: Evidence = None, **options: Any) -> Any:
        """A matplotlib figure: nodes in layers with what is believed of each, evidence highlighted.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> figure = net.plot({"xray": "yes"})
        """
        self = still(self)
        return draw("network", self, evidence, **options)

    def _repr_svg_(self) -> str | None:
        from likely.plots.graphs.network import MOST_NODES_DRAWN
        from likely.plots.picture_files import svg

        return svg(self.plot()) if 0 < len(self.nodes) <= MOST_NODES_DRAWN else None

    def _html(self) -> str:
        self = still(self)
        columns = {"node": self.nodes, "parents": [", ".join(above) for above in self.graph.parents]}
        if self._factored is not None:
            columns["levels"] = [", ".join(map(str, levels[:6])) for levels in self._factored.levels]
        return html_table(columns, repr(self).partition("\n")[0], self.notes)

    def __repr__(self) -> str:
        self = still(self)
        name = f" {self.name!r}" if self.name else ""
        head = f"network{name} of {self.graph.size}"
        if self._factored is None:
            return "\n".join([f"{head}, without tables", *repr(self.graph).split("\n")[1:]])
        lines = [f"{head}, {self.parameters:,} parameters"]
        for node, above, levels in list(zip(self.nodes, self.graph.parents, self._factored.levels, strict=True))[
            :NODES_PRINTED
        ]:
            shown = ", ".join(map(str, levels[:6])) + (", ..." if len(levels) > 6 else "")
            lines.append(f"{node} ({shown})" + (f" <- {', '.join(above)}" if above else ""))
        more = [f"... and {len(self.nodes) - NODES_PRINTED} more"] if len(self.nodes) > NODES_PRINTED else []
        return "\n".join([*lines, *more, *(f"note: {note}" for note in self.notes)])

    def __eq__(self, other: object) -> bool:
        """Whether graph, levels and tables are the same, to the last bit."""
        if not isinstance(other, Network):
            return NotImplemented
        if self._factored is None or other._factored is None:
            return self._factored is other._factored and self.graph == other.graph
        return self._factored.same(other._factored)

    __hash__ = None  # type: ignore[assignment] # fit changes it

    def __copy__(self) -> Self:
        return still(self)

    def __deepcopy__(self, memo: Any) -> Self:
        return self.__copy__()  # what is held never changes
