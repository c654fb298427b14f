"""How far a learnt graph is from a known one: arcs right, turned round, missing and extra, and what follows of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from likely.core.cache import cached_property
from likely.errors import OptionError, listed, nearest
from likely.networks import formats
from likely.networks.tables.graph import GraphMethods
from likely.output.draw import draw
from likely.output.frames import framed
from likely.output.jsonable import to_jsonable
from likely.output.phrases import plural
from likely.structures.graph import Graph
from likely.structures.pattern import Pattern

Arc = tuple[str, str]  # parent, child
Arcs = tuple[Arc, ...]
ARCS_OF_A_SORT_PRINTED = 12  # arcs of a sort that are printed


@dataclass(frozen=True)
class Agreement:
    """How many of the pairs that were found are `right`, and how many of those that are there were found.

    `precision` is the share of what was found that is right, `recall` the share of what is there that was found, `f1`
    their harmonic mean. Of nothing, all is right: an empty graph has precision one.

    >>> Agreement(found=4, there=6, right=3)
    Agreement(found=4, there=6, right=3, precision=0.75, recall=0.5, f1=0.6)
    """

    found: int
    there: int
    right: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The share of what is there that was found."""
        return self.right / self.there if self.there else 1.0

    @property
    def f1(self) -> float:
        """Twice what is right, of what was found and what is there together."""
        both = self.found + self.there
        return 2.0 * self.right / both if both else 1.0

    def to_dict(self) -> dict[str, Any]:
        """The shares and what they were made of."""
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {**shares, "found": self.found, "there": self.there, "right": self.right}

    def __repr__(self) -> str:
        counts = f"found={self.found}, there={self.there}, right={self.right}"
        return f"Agreement({counts}, precision={self.precision:.4g}, recall={self.recall:.4g}, f1={self.f1:.4g})"


@dataclass(frozen=True, repr=False)
class StructureComparison:
    """A learnt graph beside a known one.

    `right` arcs are in both; `reversed` ones point the other way in the truth (here as they were learnt); `missing`
    ones are only in the truth, and `extra` ones only in the learnt graph, whichever way they point.

    >>> import likely
    >>> found = likely.compare_structures([("a", "b")], [("a", "b"), ("b", "c")])
    >>> found.missing, found.shd
    ((('b', 'c'),), 1)
    """

    learnt: Graph
    truth: Graph

    @cached_property
    def right(self) -> Arcs:
        """The arcs that both have."""
        there = set(self.truth.edges)
        return tuple(arc for arc in self.learnt.edges if arc in there)

    @cached_property
    def reversed(self) -> Arcs:
        """The arcs that point the other way in the truth, as they were learnt."""
        there = set(self.truth.edges)
        return tuple(arc for arc in self.learnt.edges if arc[::-1] in there)

    @cached_property
    def missing(self) -> Arcs:
        """The arcs of the truth whose ends the learnt graph does not join."""
        found = _joined(self.learnt.edges)
        return tuple(arc for arc in self.truth.edges if frozenset(arc) not in found)

    @cached_property
    def extra(self) -> Arcs:
        """The arcs that were learnt and whose ends the truth does not join."""
        there = _joined(self.truth.edges)
        return tuple(arc for arc in self.learnt.edges if frozenset(arc) not in there)

    @property
    def distance(self) -> int:
        """The structural Hamming distance of the two graphs: pairs to join, to part, and to turn round."""
        return len(self.missing) + len(self.extra) + len(self.reversed)

    @property
    def structural_hamming_distance(self) -> int:
        """`distance` by its full name."""
        return self.distance

    @property
    def shd(self) -> int:
        """`distance` by its short name."""
        return self.distance

    @property
    def moral_f1(self) -> float:
        """The F1 of the pairs that the two moral graphs join."""
        return self.moral.f1

    @cached_property
    def class_distance(self) -> int:
        """The structural Hamming distance of the two equivalence classes (CPDAGs).

        The pairs that differ: joined in one only, or pointing one way, the other way, or either way.
        """
        mine, theirs = _marks(self.learnt.equivalence_class()), _marks(self.truth.equivalence_class())
        return sum(mine.get(pair) != theirs.get(pair) for pair in mine.keys() | theirs.keys())

    @property
    def equivalent(self) -> bool:
        """Whether no data could tell the two graphs apart."""
        return self.class_distance == 0

    @cached_property
    def open(self) -> Arcs:
        """The reversed arcs that may point either way in both equivalence classes: no data would have told."""
        both = _joined(self.learnt.equivalence_class().undirected) & _joined(self.truth.equivalence_class().undirected)
        return tuple(arc for arc in self.reversed if frozenset(arc) in both)

    @cached_property
    def arcs(self) -> Agreement:
        """Of arcs, with their directions."""
        return Agreement(len(self.learnt.edges), len(self.truth.edges), len(self.right))

    @cached_property
    def skeleton(self) -> Agreement:
        """Of joined pairs, whichever way they point."""
        return _agreement(self.learnt.edges, self.truth.edges)

    @cached_property
    def moral(self) -> Agreement:
        """Of pairs that the moral graphs join: each node with its Markov blanket."""
        return _agreement(self.learnt.moral_graph().edges, self.truth.moral_graph().edges)

    def frame(self) -> Any:
        """A data frame, one row an arc: from, to, and whether it is right, reversed, missing or extra.

        >>> import likely
        >>> found = likely.compare_structures([("a", "b")], [("a", "b"), ("b", "c")])
        >>> len(found.frame())
        2
        """
        rows = [(*arc, sort) for sort, arcs in self._sorts().items() for arc in arcs]
        return framed({name: [row[at] for row in rows] for at, name in enumerate(("from", "to", "arc"))})

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data.

        >>> import likely
        >>> found = likely.compare_structures([("a", "b")], [("a", "b"), ("b", "c")])
        >>> found.to_dict()["missing"]
        [['b', 'c']]
        """
        distances = {"distance": self.distance, "class_distance": self.class_distance, "equivalent": self.equivalent}
        shares = {name: getattr(self, name).to_dict() for name in ("arcs", "skeleton", "moral")}
        return dict(to_jsonable({**self._sorts(), **distances, **shares}))

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: both graphs in one, arcs that differ in colours and dashes of their own.

        >>> import likely
        >>> figure = likely.compare_structures([("a", "b")], [("a", "b"), ("b", "c")]).plot()
        >>> figure.axes[0].get_title()
        '1 arc right, 0 reversed, 1 missing, 0 extra'
        """
        return draw("structure_comparison", self, **options)

    def _sorts(self) -> dict[str, Arcs]:
        return {"right": self.right, "reversed": self.reversed, "missing": self.missing, "extra": self.extra}

    def __repr__(self) -> str:
        nodes, found, there = len(self.learnt.nodes), len(self.learnt.edges), len(self.truth.edges)
        lines = [f"{plural(found, 'arc')} learnt, {there:,} in the truth, {plural(nodes, 'node')}"]
        wide = max(len(f"{len(arcs):,}") for arcs in self._sorts().values())
        for sort, arcs in self._sorts().items():
            named = f"  {_shown(arcs)}" if arcs and sort != "right" else ""
            lines.append(f"  {sort:<8}  {len(arcs):>{wide},}{named}")
        lines += self._either_way()
        lines.append(f"structural Hamming distance: {self.distance:,} of the graphs, {self._in_words()}")
        shares = {"": None, "arcs": self.arcs, "skeleton": self.skeleton, "moral graph": self.moral}
        return "\n".join([*lines, *(_row(name, one) for name, one in shares.items())])

    def _either_way(self) -> list[str]:
        """Which of the reversed arcs are no fault of the search."""
        told = f"{len(self.open):,} of the {len(self.reversed):,} reversed may point either way: no rows could tell"
        return [f"  {told}"] if self.open else []

    def _in_words(self) -> str:
        return f"{self.class_distance:,} of their equivalence classes" + (" (they are one)" if self.equivalent else "")


def compare_structures(learnt: Any, truth: Any) -> StructureComparison:
    """A learnt graph beside a known one: arcs that are right, reversed, missing and extra, and how far that is.

    Each is a `Network`, a `Graph`, a mapping from nodes to their parents, arcs (parent, child), a networkx DiGraph, or
    the path of a network file. Both have the same nodes; arcs alone do not name nodes that are joined to none.

    >>> truth = {"rain": [], "hose": [], "wet": ["rain", "hose"], "slippery": ["wet"]}
    >>> compare_structures([("wet", "rain"), ("hose", "wet"), ("rain", "slippery")], truth)
    3 arcs learnt, 3 in the truth, 4 nodes
      right     1
      reversed  1  wet -> rain
      missing   1  wet -> slippery
      extra     1  rain -> slippery
    structural Hamming distance: 3 of the graphs, 4 of their equivalence classes
                   precision  recall     F1
      arcs             0.333   0.333  0.333
      skeleton         0.667   0.667  0.667
      moral graph      0.667   0.500  0.571
    """
    mine, theirs = _read(learnt, "learnt"), _read(truth, "truth")
    _refuse_others(mine, theirs)
    _refuse_others(theirs, mine)
    nodes = tuple(dict.fromkeys((*mine.graph.nodes, *theirs.graph.nodes)))
    return StructureComparison(_spread(mine.graph, nodes), _spread(theirs.graph, nodes))


@dataclass(frozen=True)
class _Said:
    """A graph as it was given, under which name, and whether it names nodes that are joined to none."""

    graph: Graph
    place: str
    whole: bool


def _read(what: Any, place: str) -> _Said:
    if isinstance(what, GraphMethods):
        return _Said(what.graph, place, True)
    if isinstance(what, str | os.PathLike):
        parts = formats.read(what)
        return _Said(Graph(parts.nodes, parts.parents), place, True)
    if isinstance(what, Graph | Mapping) or hasattr(what, "is_directed"):
        return _Said(Graph.of(what), place, True)
    if isinstance(what, Iterable):
        return _Said(Graph.of(what), place, False)
    hint = "give a network, a graph, arcs [('parent', 'child'), ...], a networkx DiGraph, or the path of a network file"
    raise OptionError("O542", f"a {type(what).__name__} is no graph", place=f"compare_structures({place})", hint=hint)


def _refuse_others(one: _Said, other: _Said) -> None:
    """Refuse nodes that another graph would have to name, and does not."""
    known = set(other.graph.nodes)
    strange = [name for name in one.graph.nodes if name not in known]
    if other.whole and strange:
        what = f"only {one.place!r} has {'the node' if len(strange) == 1 else 'the nodes'} {listed(strange, 8)}"
        near = nearest(strange[0], [name for name in other.graph.nodes if name not in set(one.graph.nodes)])
        hint = f"both graphs must have the same nodes.{near}"
        raise OptionError("O541", what, place=f"compare_structures({one.place})", hint=hint)


def _spread(graph: Graph, nodes: tuple[str, ...]) -> Graph:
    """The same graph with these nodes, in this order; new ones are joined to none."""
    parents = dict(zip(graph.nodes, graph.parents, strict=True))
    return Graph(nodes, tuple(parents.get(name, ()) for name in nodes))


def _joined(arcs: Iterable[Arc]) -> set[frozenset[str]]:
    return set(map(frozenset, arcs))


def _agreement(found: Iterable[Arc], there: Iterable[Arc]) -> Agreement:
    mine, theirs = _joined(found), _joined(there)
    return Agreement(len(mine), len(theirs), len(mine & theirs))


def _marks(pattern: Pattern) -> dict[frozenset[str], Arc | str]:
    """Of each joined pair its arc, or that it may point either way."""
    fixed = {frozenset(arc): arc for arc in pattern.directed}
    return {**fixed, **dict.fromkeys(map(frozenset, pattern.undirected), "either")}


def _shown(arcs: Arcs) -> str:
    more = f" and {len(arcs) - ARCS_OF_A_SORT_PRINTED:,} more" if len(arcs) > ARCS_OF_A_SORT_PRINTED else ""
    return ", ".join(f"{parent} -> {child}" for parent, child in arcs[:ARCS_OF_A_SORT_PRINTED]) + more


def _row(name: str, shares: Agreement | None) -> str:
    """A line of the table of shares; its head where there are none."""
    cells = ("precision", "recall", "F1")
    if shares is not None:
        cells = (f"{shares.precision:.3f}", f"{shares.recall:.3f}", f"{shares.f1:.3f}")
    return f"  {name:<11}" + "".join(f"  {cell:>{wide}}" for cell, wide in zip(cells, (9, 6, 5), strict=True))
