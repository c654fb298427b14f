"""What a network holds: its graph, its tables, and the counts that they follow from where they were learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from likely.core.schema import Level
from likely.core.state import still, swap
from likely.data.levels.level_text import Levels
from likely.errors import ModelError, OptionError
from likely.networks.inference.exact import Exact
from likely.networks.inference.junction_tree import Junction, tree_of
from likely.networks.learning.learnt_tables import LearntTables
from likely.networks.tables.graph import GraphMethods
from likely.networks.tables.joint import Factored
from likely.networks.tables.table import ProbabilityTable
from likely.structures.graph import Graph

if TYPE_CHECKING:
    from likely.networks.structure.search_report import SearchReport


class Clique(NamedTuple):
    """Nodes of a junction tree's clique, those shared with its parent, and the parent's place; -1 of a root."""

    nodes: tuple[str, ...]
    separator: tuple[str, ...]
    parent: int


class NetworkContent(GraphMethods):
    """A graph, with tables or without; what is held is swapped whole, so that a failure changes nothing."""

    graph: Graph
    name: str
    notes: tuple[str, ...]
    _factored: Factored | None
    _said: Levels
    _learnt: LearntTables | None
    _exact: Exact | None
    _search: SearchReport | None = None  # how the graph was found, where a search did

    @classmethod
    def of(cls, what: Graph | Factored | LearntTables, *, name: str = "", notes: tuple[str, ...] = ()) -> Self:
        """The network of a graph, of tables, or of counts that were learnt.

        >>> import likely
        >>> net = likely.Network.of([("cloud", "rain"), ("rain", "wet")], name="weather")
        >>> net.name, net.nodes
        ('weather', ('cloud', 'rain', 'wet'))
        """
        net = cls.__new__(cls)
        if isinstance(what, LearntTables):
            said = {column.name: column.declared for column in what.schema.columns if column.declared}
            return net._hold(what.graph, what.factored(), (*notes, *what.notes), name, said or None, what)
        if isinstance(what, Factored):
            return net._hold(what.graph, what, notes, name, what.levels)
        return net._hold(Graph.of(what), None, notes, name)

    def _hold(
        self,
        graph: Graph,
        factored: Factored | None,
        notes: tuple[str, ...],
        name: str,
        said: Levels = None,
        learnt: LearntTables | None = None,
    ) -> Self:
        """Take a graph, its tables and where they come from; `said` are levels that rows need not tell."""
        if not graph.nodes:
            hint = "name at least one: Network({node: {level: probability}})"
            raise OptionError("O470", "a network without nodes", place="Network", hint=hint)
        new = {
            "graph": graph,
            "name": name,
            "notes": notes,
            "_factored": factored,
            "_said": said,
            "_learnt": learnt,
            "_exact": None if factored is None else Exact(factored),
        }
        return swap(self, new)

    @property
    def factored(self) -> Factored:
        """The tables as one value."""
        if self._factored is None:
            raise _no_tables()
        return self._factored

    @property
    def _known(self) -> Levels:
        """The levels that rows need not tell: of the tables, else those that were said."""
        return self._said if self._factored is None else self._factored.levels

    @property
    def search_(self) -> SearchReport:
        """How the graph was found: the plan, the score, and how it rose."""
        if self._search is None:
            hint = "learn one: likely.learn_network(data)"
            raise ModelError("M355", "the graph of this network was not found by a search", place="Network", hint=hint)
        return self._search

    @property
    def has_tables(self) -> bool:
        """Whether it can be asked for probabilities."""
        return self._factored is not None

    @property
    def exact(self) -> Exact:
        """The exact engine."""
        if self._exact is None:
            raise _no_tables()
        return self._exact

    @property
    def junction(self) -> Junction:
        """The junction tree with its tables."""
        return self.exact.junction

    @property
    def parameters(self) -> int:
        """How many numbers of the tables are free."""
        return self.factored.parameters

    def junction_tree(self) -> tuple[Clique, ...]:
        """The cliques along which beliefs are passed; of a graph without tables, as if every node had two levels.

        >>> from likely.networks import asia
        >>> len(asia().junction_tree())
        6
        """
        self = still(self)
        sizes = (2,) * len(self.nodes) if self._factored is None else self._factored.sizes
        tree = tree_of(self.graph, sizes)
        pairs = zip(tree.cliques, tree.separators, tree.parents, strict=True)
        return tuple(Clique(self.graph.named(nodes), self.graph.named(shared), up) for nodes, shared, up in pairs)

    def levels(self, node: str) -> tuple[Level, ...]:
        """The levels of a node.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.levels("xray")
        ('yes', 'no')
        """
        self = still(self)
        return self.factored.levels[self.graph.at(node)]

    def table(self, node: str) -> ProbabilityTable:
        """P(node | its parents), to be read.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.table("tub")
        P(tub | asia)
        asia |  yes    no
        yes  | 0.05  0.95
        no   | 0.01  0.99
        """
        self = still(self)
        told, at = self.factored, self.graph.at(node)
        above = tuple(told.levels[parent] for parent in self.graph.parent_places[at])
        return ProbabilityTable(node, told.levels[at], self.graph.parents[at], above, told.tables[at])

    @property
    def tables(self) -> dict[str, ProbabilityTable]:
        """The table of every node."""
        self = still(self)
        return {node: self.table(node) for node in self.nodes}

    @property
    def learnt(self) -> LearntTables:
        """The counts that the tables follow from."""
        if self._learnt is None:
            hint = "call fit(data) first: tables that were read or written down have no counts behind them"
            raise ModelError("M325", "this network has not learnt any rows", place="Network", hint=hint)
        return self._learnt


def _no_tables() -> ModelError:
    hint = "call fit(data), or write the tables with the nodes: Network({node: (parents, table)})"
    return ModelError("M324", "this network has no tables yet", place="Network", hint=hint)
