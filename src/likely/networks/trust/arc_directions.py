"""Which arrows all graphs with the same independences share, and why; the others may be turned round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from likely.core.cache import cached_property
from likely.errors import MissingError, listed
from likely.output.display_width import display_width, padded
from likely.output.frames import framed
from likely.output.phrases import plural
from likely.structures.graph import Graph
from likely.structures.pattern import Pattern

Arc = tuple[str, str]  # parent, child
ARCS_PRINTED_BY_DIRECTION = 60  # arcs that are printed
ASSUMED = (
    "compelled: so in every graph with the same independences; wrong if rows or a hidden cause mislead about these"
)
CAUSES = "an arrow is not a cause: it says what rows look like, not what happens when somebody steps in"


@dataclass(frozen=True, repr=False, eq=False)
class Directions(Mapping[Arc, str]):
    """Of each arc, why it points the way it does, or that it may be turned round.

    Graphs that say the same about independence fit rows equally well. An arc is `compelled` where all of them have it
    pointing this way, and `reversible` where some have it pointing the other way; `ruled` where these break a rule.
    That follows from the graph alone: where it has an independence wrong, or a common cause of two nodes is left out, a
    compelled arc may point the wrong way.

    >>> Directions(Graph.of([("rain", "wet"), ("hose", "wet"), ("season", "rain"), ("wet", "slippery")]))
    4 arcs: 3 compelled, 1 may point either way
      rain -> wet       rain and hose meet in wet, and are not joined
      hose -> wet       hose and rain meet in wet, and are not joined
      wet -> slippery   turned round, slippery and rain would meet in wet
      season - rain     either way: turned round, it fits rows equally well
    compelled: so in every graph with the same independences; wrong if rows or a hidden cause mislead about these
    an arrow is not a cause: it says what rows look like, not what happens when somebody steps in
    """

    graph: Graph
    told: Mapping[Arc, str] = field(default_factory=dict)  # arcs whose direction rules fix, and why

    @cached_property
    def pattern(self) -> Pattern:
        """All graphs that say the same about independence, as one."""
        return self.graph.equivalence_class()

    @cached_property
    def compelled(self) -> tuple[Arc, ...]:
        """The arcs that point this way in every graph with the same independences."""
        return self.pattern.directed

    @cached_property
    def reversible(self) -> tuple[Arc, ...]:
        """The arcs that may point either way, as the graph has them."""
        fixed = {*self.compelled, *self.ruled}
        return tuple(arc for arc in self.graph.edges if arc not in fixed)

    @cached_property
    def ruled(self) -> tuple[Arc, ...]:
        """The arcs that rules alone have pointing this way."""
        return tuple(arc for arc in self.told if arc not in {*self.compelled})

    def __getitem__(self, arc: Arc) -> str:
        if arc not in self._reasons:
            hint = f"arcs are named (parent, child); there are {listed(self.graph.edges, 4)}"
            raise MissingError("O543", f"there is no arc {arc!r}", place="directions()", hint=hint)
        return self._reasons[arc]

    def __iter__(self) -> Iterator[Arc]:
        return iter(self._reasons)

    def __len__(self) -> int:
        return len(self._reasons)

    def frame(self) -> Any:
        """A data frame, one row an arc: from, to, compelled, why.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.directions().frame()["compelled"].tolist().count(True)
        5
        """
        ends = list(zip(*self, strict=True)) or [(), ()]
        fixed = set(self.compelled)
        told = {"from": list(ends[0]), "to": list(ends[1]), "compelled": [arc in fixed for arc in self]}
        return framed({**told, "why": list(self.values())})

    def to_dict(self) -> list[dict[str, Any]]:
        """Each arc as plain data.

        >>> from likely.networks import asia
        >>> net = asia()
        >>> net.directions().to_dict()[0]["compelled"]
        True
        """
        fixed = set(self.compelled)
        return [{"from": arc[0], "to": arc[1], "compelled": arc in fixed, "why": why} for arc, why in self.items()]

    @cached_property
    def _reasons(self) -> dict[Arc, str]:
        told = {arc: self._why(*arc) for arc in self.compelled} | {arc: self.told[arc] for arc in self.ruled}
        return {**told, **dict.fromkeys(self.reversible, "either way: turned round, it fits rows equally well")}

    def _why(self, parent: str, child: str) -> str:
        """The shortest reason why an arc points this way: one of Meek's rules (1995) always gives it."""
        joined, fixed = self._joined, self._into
        for other in self.graph.parents_of(child):
            if other != parent and other not in joined[parent]:
                return f"{parent} and {other} meet in {child}, and are not joined"
        for other in sorted(fixed[parent], key=self.graph.places.__getitem__):
            if other not in joined[child]:
                return f"turned round, {child} and {other} would meet in {parent}"
        for middle in sorted(fixed[child], key=self.graph.places.__getitem__):
            if parent in fixed[middle]:
                return f"turned round, it would close a circle with {parent} -> {middle} -> {child}"
        return f"turned round, other pairs around {parent} would have to meet or to close a circle"

    @cached_property
    def _joined(self) -> dict[str, set[str]]:
        """The parents and children of each node."""
        lists = zip(self.graph.nodes, self.graph.parents, self.graph.children, strict=True)
        return {name: {*above, *below} for name, above, below in lists}

    @cached_property
    def _into(self) -> dict[str, set[str]]:
        """The parents of each node whose arcs are compelled."""
        into: dict[str, set[str]] = {name: set() for name in self.graph.nodes}
        for parent, child in self.compelled:
            into[child].add(parent)
        return into

    def __repr__(self) -> str:
        return "\n".join(in_lines(self, ARCS_PRINTED_BY_DIRECTION))


def in_lines(told: Directions, most: int, beyond: str = "") -> list[str]:
    """How many arcs there are, a line for each of the first, and what to make of them; `beyond`: where the rest is."""
    fixed, free = len(told.compelled), len(told.reversible)
    if not told:
        return ["no arcs: no node tells of another"]
    rules = f"{len(told.ruled):,} fixed by rules, " if told.ruled else ""
    head = f"{plural(len(told), 'arc')}: {fixed:,} compelled, {rules}{free:,} may point either way"
    marks = {arc: (" - " if arc in {*told.reversible} else " -> ").join(arc) for arc in told}
    wide = max(map(display_width, marks.values()))
    lines = [f"  {padded(mark, wide)}   {told[arc]}" for arc, mark in list(marks.items())[:most]]
    more = [f"  ... and {len(told) - most:,} more{beyond}"] if len(told) > most else []
    return [head, *lines, *more, *([ASSUMED] if fixed else []), CAUSES]
