"""Which nodes can tell of which when others are given: d-separation, and the trail along which news travels."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from likely.errors import OptionError

if TYPE_CHECKING:
    from likely.structures.graph import Graph

Names = str | Iterable[str]


@dataclass(frozen=True, repr=False)
class Trail:
    """Nodes along which news travels from the first to the last, the arrows between them, and why each step is open.

    >>> from likely.structures.graph import Graph
    >>> trail = Graph.of([("rain", "wet"), ("hose", "wet"), ("wet", "slip")]).active_trail("rain", "hose", "slip")
    >>> trail
    rain -> wet <- hose
    >>> trail.reasons
    ('rain and hose meet in wet (collider), and slip below it is given',)
    """

    nodes: tuple[str, ...]
    arrows: tuple[str, ...]
    reasons: tuple[str, ...]

    def __repr__(self) -> str:
        steps = zip(self.arrows, self.nodes[1:], strict=True)
        return self.nodes[0] + "".join(f" {arrow} {name}" for arrow, name in steps)


def separated(graph: Graph, a: Names, b: Names, given: Names = ()) -> bool:
    """Whether no news travels between two groups of nodes when others are given."""
    one, other, known = _asked(graph, a, b, given)
    return not any(state >> 1 in other for state in travels(graph, one, known, graph.upwards(known)))


def active_trail(graph: Graph, a: Names, b: Names, given: Names = ()) -> Trail | None:
    """A shortest trail along which news travels, or None where two groups of nodes are separated."""
    one, other, known = _asked(graph, a, b, given)
    came = travels(graph, one, known, graph.upwards(known))
    state = next((state for state in came if state >> 1 in other), None)  # they are told from near to far
    if state is None:
        return None
    places = [state >> 1]
    while (state := came[state]) >= 0:
        places.append(state >> 1)
    return _told(graph, places[::-1], known)


def connection(graph: Graph, a: str, b: str, c: str) -> str | None:
    """How the middle one of three nodes joins the others: "chain", "fork", "collider", or None where it does not."""
    one, middle, other = graph.at(a), graph.at(b), graph.at(c)
    if len({one, middle, other}) < 3:
        raise OptionError("O458", "three different nodes make a connection", place="connection", hint="name each once")
    return _kind(graph, one, middle, other)


def connections(graph: Graph) -> tuple[tuple[str, str, str, str], ...]:
    """(one, middle, other, kind) of all triples that are joined; chains run along the arrows."""
    nodes, found = graph.nodes, []
    for middle, (above, below) in enumerate(zip(graph.parent_places, graph.child_places, strict=True)):
        found += [(one, middle, other, "chain") for one in sorted(above) for other in below]
        found += [(one, middle, other, "fork") for one, other in combinations(below, 2)]
        found += [(one, middle, other, "collider") for one, other in combinations(sorted(above), 2)]
    return tuple((nodes[one], nodes[middle], nodes[other], kind) for one, middle, other, kind in found)


def _asked(graph: Graph, a: Names, b: Names, given: Names) -> tuple[Sequence[int], set[int], set[int]]:
    """The positions of the three groups, which must be different and the first two not empty."""
    one, other, known = graph.several(a), set(graph.several(b)), set(graph.several(given))
    if not one or not other:
        raise _refusal("no node is asked about", "name one node or more on either side")
    for at in one:
        if at in other:
            what = f"{graph.nodes[at]!r} is on both sides"
            raise _refusal(what, "a node is never independent of itself: name it on one side only")
    for at in (*one, *other):
        if at in known:
            what = f"{graph.nodes[at]!r} is asked about and given at once"
            raise _refusal(what, "what is given is known, and nothing can tell of it: leave it out on one side")
    return one, other, known


def _refusal(what: str, hint: str) -> OptionError:
    return OptionError("O454", what, place="d-separation", hint=hint)


def travels(graph: Graph, start: Iterable[int], given: Collection[int], opened: Collection[int]) -> dict[int, int]:
    """Where news gets to, from near to far, and the state before each (-1 at the start).

    A state is twice the position of a node, plus one where news came down from a parent. News from a parent goes on to
    the children unless the node is given, and up to other parents if it is `opened`, as those are that are given or
    have one below them; news from a child goes everywhere unless the node is given. So a shortest way never meets a
    node twice.
    """
    came = dict.fromkeys((2 * at for at in start), -1)
    waiting = deque(came)
    while waiting:
        state = waiting.popleft()
        at = state >> 1
        above = graph.parent_places[at] if goes_up(state, given, opened) else ()
        below = graph.child_places[at] if at not in given else ()
        for new in (*(2 * parent for parent in above), *(2 * child + 1 for child in below)):
            if new not in came:
                came[new] = state
                waiting.append(new)
    return came


def goes_up(state: int, given: Collection[int], opened: Collection[int]) -> bool:
    """Whether news goes on from a state to parents: then the table of that node bears on what the news is of."""
    return state >> 1 in opened if state & 1 else state >> 1 not in given


def _kind(graph: Graph, one: int, middle: int, other: int) -> str | None:
    above, below = graph.parent_places[middle], graph.child_places[middle]
    if one in above:
        return "collider" if other in above else "chain" if other in below else None
    if one in below:
        return "fork" if other in below else "chain" if other in above else None
    return None


def _told(graph: Graph, places: Sequence[int], given: Collection[int]) -> Trail:
    arrows = tuple("->" if one in graph.parent_places[other] else "<-" for one, other in pairwise(places))
    names = tuple(graph.nodes[at] for at in places)
    if len(places) == 2:
        return Trail(names, arrows, (f"an arc joins {names[0]} and {names[1]}: nothing can block it",))
    trios = zip(places, places[1:], places[2:], strict=False)
    return Trail(names, arrows, tuple(_reason(graph, trio, given) for trio in trios))


def _reason(graph: Graph, trio: tuple[int, int, int], given: Collection[int]) -> str:
    one, middle, other = (graph.nodes[at] for at in trio)
    kind = _kind(graph, *trio)
    if kind == "chain":
        return f"{middle} passes news on between {one} and {other} (chain), and is not given"
    if kind == "fork":
        return f"{middle} is a parent of {one} and {other} (fork), and is not given"
    below = [name for name in graph.descendants(middle) if graph.places[name] in given]
    why = "which is given" if trio[1] in given else f"and {below[0]} below it is given"
    return f"{one} and {other} meet in {middle} (collider), {why}"
