"""How steady each arc is: in how many of many learnt graphs a pair is joined, and which way it points there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.errors import MissingError, nearest
from likely.errors.options import share
from likely.networks.trust.arc_directions import CAUSES
from likely.output.display_width import display_width, padded
from likely.output.draw import draw
from likely.output.frames import framed
from likely.output.jsonable import to_jsonable
from likely.output.phrases import plural
from likely.structures.graph import Graph
from likely.structures.search.orientation import LEANING_DIRECTION, Partial, apply_meek_rules

ARCS_PRINTED = 40  # arcs that are printed
NEARLY_ALL_GRAPHS, MOST_GRAPHS = 0.95, 0.75  # shares of the graphs from which on an arc is said to be in so many
CLEAR_DIRECTION = 0.95  # and of those that join a pair, from which on a direction is told without a doubt
STEADY = "shares say how steady this score and search are in bootstrap samples of the rows, not that an arc is right"


class ArcStrength(NamedTuple):
    """The `strength` is the share of the graphs that join parent and child; `direction` the share of these that have
    the arc pointing this way, where one that may point either way counts half.
    """

    parent: str
    child: str
    strength: float
    direction: float


@dataclass(frozen=True, repr=False, eq=False)
class ArcStrengths(Mapping[tuple[str, str], float]):
    """A mapping from (parent, child) to the share of learnt graphs in which the two are joined.

    Of `asked` graphs, `graphs` were learnt. `together` (nodes, nodes) counts those that join a pair, and `pointing`
    (nodes, nodes) those in whose equivalence class the arc from row to column is compelled.

    >>> import likely
    >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
    >>> found = likely.Network({"rain": (), "wet": ()}).arc_strength(rows, bootstrap=5)
    >>> found["rain", "wet"], found.direction("rain", "wet")
    (1.0, 0.5)
    """

    nodes: tuple[str, ...]
    together: Array
    pointing: Array
    graphs: int
    asked: int

    @property
    def interrupted(self) -> bool:
        """Whether fewer graphs were learnt than were asked for."""
        return self.graphs < self.asked

    @cached_property
    def joined(self) -> Floats:
        """(nodes, nodes): the share of the graphs that join a pair."""
        return self.together / self.graphs

    @cached_property
    def directions(self) -> Floats:
        """(nodes, nodes): the share of the graphs with a pair that have it from row to column; NaN without any.

        Where the pair may point either way, half of the graph counts for each.
        """
        shares = np.full(self.together.shape, np.nan)
        ahead = self.together + self.pointing - self.pointing.T
        np.divide(ahead, 2 * self.together, out=shares, where=self.together > 0)
        return shares

    @cached_property
    def rows(self) -> tuple[ArcStrength, ...]:
        """Every pair that some graph joins, the strongest first, each the way it points more often."""
        told = [self._row(one, other) for one, other in self._pairs(self.joined > 0)]
        return tuple(sorted(told, key=lambda row: (-row.strength, -row.direction)))

    def direction(self, parent: str, child: str) -> float:
        """The share of the graphs that join the two in which the arc points from parent to child; NaN without any.

        >>> import likely
        >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
        >>> found = likely.Network({"rain": (), "wet": ()}).arc_strength(rows, bootstrap=5)
        >>> found.direction("rain", "wet")
        0.5
        """
        return float(self.directions[self._at((parent, child))])

    @cached_property
    def threshold(self) -> float:
        """The strength above which pairs are taken for real, found from all strengths (Scutari and Nagarajan 2013).

        Were the graphs certain, every pair would have a strength of zero or one. Of the distributions of that kind the
        one nearest to that of the strengths tells how many pairs are real. They are those that most graphs join.
        """
        one, other = np.triu_indices(len(self.nodes), 1)
        return _threshold(self.joined[one, other])

    def consensus(self, threshold: float | None = None) -> Graph:
        """The average of the graphs: the pairs with a strength above `threshold`, which is found where none is given.

        A pair points the way it does in most graphs. Where most say that it may point either way, it is turned so that
        no new parents meet and no circle closes.

        >>> import likely
        >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
        >>> found = likely.Network({"rain": (), "wet": ()}).arc_strength(rows, bootstrap=5)
        >>> found.consensus(0.9).edges
        (('rain', 'wet'),)
        """
        least = self.threshold if threshold is None else _share(threshold)
        linked = (self.joined > least) | (self.joined == 1.0)
        partial = Partial(linked, np.zeros_like(linked))
        pairs = sorted(self._pairs(linked), key=lambda pair: (-self.pointing[pair], -self.directions[pair]))
        either = self.together - self.pointing - self.pointing.T
        for one, other in pairs:
            most = self.pointing[one, other] > max(self.pointing[other, one], either[one, other])
            if most and partial.can_point(one, other):
                partial.arrows[one, other] = True
        apply_meek_rules(partial)
        for one, other in pairs:
            if partial.loose[one, other]:
                ends = (one, other) if partial.can_point(one, other) else (other, one)
                partial.arrows[ends] = True
                apply_meek_rules(partial)
        return Graph.placed(self.nodes, (np.flatnonzero(mine) for mine in partial.arrows.T))

    def frame(self) -> Any:
        """A data frame, one row a pair that some graph joins: from, to, strength, direction.

        >>> import likely
        >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
        >>> found = likely.Network({"rain": (), "wet": ()}).arc_strength(rows, bootstrap=5)
        >>> len(found.frame())
        1
        """
        names = ("from", "to", "strength", "direction")
        return framed({name: [row[at] for row in self.rows] for at, name in enumerate(names)})

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data.

        >>> import likely
        >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
        >>> found = likely.Network({"rain": (), "wet": ()}).arc_strength(rows, bootstrap=5)
        >>> found.to_dict()["nodes"]
        ['rain', 'wet']
        """
        names = ("from", "to", "strength", "direction")
        arcs = [dict(zip(names, row, strict=True)) for row in self.rows]
        head = {"nodes": self.nodes, "graphs": self.graphs, "asked": self.asked, "threshold": self.threshold}
        return {**to_jsonable(head), "arcs": arcs}

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: the nodes, and lines between them as wide as the pairs are strong.

        >>> import likely
        >>> rows = {"rain": ["no", "yes"] * 30, "wet": ["no", "yes"] * 28 + ["yes", "no"] * 2}
        >>> figure = likely.Network({"rain": (), "wet": ()}).arc_strength(rows, bootstrap=5).plot()
        >>> figure.axes[0].get_title()
        'Consensus of 5 graphs, each of a bootstrap sample: 1 arc'
        """
        return draw("arc_strength", self, **options)

    def __getitem__(self, arc: tuple[str, str]) -> float:
        return float(self.joined[self._at(arc)])

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((row.parent, row.child) for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def _pairs(self, which: Array) -> list[tuple[int, int]]:
        """The pairs for which `which` (nodes, nodes) holds, each the way it points more often."""
        pairs = [(int(one), int(other)) for one, other in np.argwhere(np.triu(which, 1))]
        return [pair[::-1] if self.directions[pair] < 0.5 else pair for pair in pairs]

    def _row(self, one: int, other: int) -> ArcStrength:
        shares = float(self.joined[one, other]), float(self.directions[one, other])
        return ArcStrength(self.nodes[one], self.nodes[other], *shares)

    def _at(self, arc: Any) -> tuple[int, int]:
        if not isinstance(arc, tuple) or len(arc) != 2:
            hint = "name a pair of nodes: (parent, child)"
            raise MissingError("O544", f"this is no arc: {arc!r}", place="ArcStrengths", hint=hint)
        for name in arc:
            if name not in self._places:
                hint = f"name two of the nodes.{nearest(name, self.nodes)}"
                raise MissingError("O544", f"there is no node {name!r}", place="ArcStrengths", hint=hint)
        return self._places[arc[0]], self._places[arc[1]]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.nodes)}

    def __repr__(self) -> str:
        told = f"{plural(self.graphs, 'graph')}, each learnt from a bootstrap sample"
        told += f" (stopped before all {self.asked:,} were learnt)" if self.interrupted else ""
        if not self.rows:
            return f"{told}: no arc in any of them"
        cells = [(_mark(row), f"{row.strength:.3f}", f"{row.direction:.3f}", self._words(row)) for row in self.rows]
        table = [("arc", "strength", "direction", ""), *cells[:ARCS_PRINTED]]
        wide = max(display_width(row[0]) for row in table)
        lines = [f"  {padded(row[0], wide)}  {row[1]:>8}  {row[2]:>9}  {row[3]}".rstrip() for row in table]
        more = [f"  ... and {len(cells) - ARCS_PRINTED} more"] if len(cells) > ARCS_PRINTED else []
        kept = sum(row.strength > self.threshold or row.strength == 1.0 for row in self.rows)
        last = f"the consensus has {plural(kept, 'arc')}: those with a strength above {self.threshold:.3g}"
        return "\n".join([told, *lines, *more, last, STEADY, CAUSES])

    def _words(self, row: ArcStrength) -> str:
        if row.strength <= self.threshold and row.strength < 1.0:
            return "too few graphs"
        joined = (
            "nearly all" if row.strength >= NEARLY_ALL_GRAPHS else "most" if row.strength >= MOST_GRAPHS else "some"
        )
        way = (
            "this way"
            if row.direction >= CLEAR_DIRECTION
            else "rather this way"
            if row.direction >= LEANING_DIRECTION
            else "either way"
        )
        return f"{joined} graphs, {way}"


def _mark(row: ArcStrength) -> str:
    return f"{row.parent} {'->' if row.direction >= LEANING_DIRECTION else '-'} {row.child}"


def _threshold(strengths: Floats) -> float:
    """The largest strength that is not above one half; zero where there is none.

    A distribution of zeros and ones alone is flat between them. The height that is nearest on the whole (the least area
    between the two) is the median of the heights of the strengths' own distribution function, which only rises: its
    height at one half.
    """
    return float(strengths[strengths <= 0.5].max(initial=0.0))


def _share(threshold: Any) -> float:
    hint = "say a share of the graphs, from 0 to 1; or None, and it is found from the strengths"
    return share(threshold, "threshold", "O545", zero=True, one=True, hint=hint)
