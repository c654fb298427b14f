"""What a model has learnt about which column depends on which, as a value to read, store and draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from likely.core.numerics import Floats
from likely.errors import OptionError, nearest
from likely.errors.options import choose
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.output.jsonable import to_jsonable

STRUCTURE_KINDS = ("tree", "k-dependence", "super-parent", "average", "network")
STRUCTURE_LINES_SHOWN = 60  # of a structure that is printed


@dataclass(frozen=True, repr=False)
class Structure(FrameResult):
    """The parents of each column beside the target, on which all depend, and the information on each arc in nats.

    `weights` are conditional mutual information given the target, one for each parent. An average has `members`: sets
    of super-parents, on which all other columns depend, with `member_weights`. Columns that are `unused` say nothing.
    In a network the target is one of the columns, and not all depend on it.

    >>> Structure(("root", "touch"), ((), ("root",)), ((), (0.21,)), target="good", kind="tree")
    tree of 2 columns, each given good
    root
      touch <- root  0.21 nats
    """

    columns: tuple[str, ...]
    parents: tuple[tuple[str, ...], ...]
    weights: tuple[tuple[float, ...], ...]
    target: str
    kind: str
    members: tuple[tuple[str, ...], ...] = ()
    member_weights: tuple[float, ...] = ()
    unused: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_shape(self)
        _check_names(self.columns, (*self.parents, *self.members, self.unused))
        self._sorted()

    @classmethod
    def of(
        cls, columns: Sequence[str], parents: Sequence[Sequence[int]], information: Floats, target: str, kind: str
    ) -> Structure:
        """The structure of columns whose parents are positions, with the information (columns, columns) on the arcs."""
        names = tuple(tuple(columns[at] for at in mine) for mine in parents)
        weights = tuple(tuple(float(information[at, child]) for at in mine) for child, mine in enumerate(parents))
        return cls(tuple(columns), names, weights, target, kind)

    @property
    def arcs(self) -> tuple[tuple[str, str, float], ...]:
        """(parent, child, nats) of every arc, children in order of the columns."""
        trios = zip(self.columns, self.parents, self.weights, strict=True)
        return tuple(
            (parent, child, nats) for child, mine, told in trios for parent, nats in zip(mine, told, strict=True)
        )

    @property
    def roots(self) -> tuple[str, ...]:
        """The columns that have no parent."""
        return tuple(name for name, mine in zip(self.columns, self.parents, strict=True) if not mine)

    @property
    def order(self) -> tuple[str, ...]:
        """The columns, every parent before its children."""
        return self._sorted()

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, as every JSON writer takes them."""
        return dict(to_jsonable(asdict(self)))

    def _page(self) -> Any:
        """A row for each arc; of an average, for each super-parent."""
        if self.kind == "average":
            pairs = zip(self.members, self.member_weights, strict=True)
            return [{"super_parent": " & ".join(names), "weight": weight} for names, weight in pairs]
        return [{"parent": parent, "child": child, "nats": nats} for parent, child, nats in self.arcs]

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Structure:
        """The structure that `to_dict` wrote."""
        try:
            return cls(**{field: _tuples(value) for field, value in told.items()})
        except TypeError as fault:
            raise _refusal("this is no structure", "give what to_dict() returned") from fault

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: columns as boxes, arcs with their information; of an average, the weights as bars."""
        return draw("structure", self, **options)

    def __repr__(self) -> str:
        if self.kind == "average":
            head = f"average of {len(self.members)} super-parents, each given {self.target}"
            lines = [f"{' & '.join(names) or '(none)'}  {weight:.3g}" for names, weight in ranked(self)]
        else:
            of = f"nodes around {self.target}" if self.kind == "network" else f"columns, each given {self.target}"
            head = f"{self.kind} of {len(self.columns)} {of}"
            lines = [line for line in _lines(self) if line.strip() not in self.unused]
            lines += [f"not used: {', '.join(self.unused)}"] if self.unused else []
        more = [f"... and {len(lines) - STRUCTURE_LINES_SHOWN} more"] if len(lines) > STRUCTURE_LINES_SHOWN else []
        return "\n".join([head, *lines[:STRUCTURE_LINES_SHOWN], *more])

    def _sorted(self) -> tuple[str, ...]:
        try:
            return tuple(TopologicalSorter(dict(zip(self.columns, self.parents, strict=True))).static_order())
        except CycleError as fault:
            what, hint = f"the arcs run in a circle: {' -> '.join(fault.args[1])}", "leave one of these arcs out"
            raise OptionError("O388", what, place="Structure(parents=)", hint=hint) from None


def ranked(structure: Structure) -> list[tuple[tuple[str, ...], float]]:
    """(super-parents, weight) of the members of an average, the heaviest first."""
    pairs = zip(structure.members, structure.member_weights, strict=True)
    return sorted(pairs, key=lambda pair: -pair[1])


def _lines(structure: Structure) -> list[str]:
    """A line a column: a tree with its branches set in, or columns in order where they have several parents."""
    parents = dict(zip(structure.columns, structure.parents, strict=True))
    weights = dict(zip(structure.columns, structure.weights, strict=True))
    depth = dict.fromkeys(structure.columns, 0)
    order: Iterable[str] = structure.order
    if all(len(mine) <= 1 for mine in structure.parents):
        children: dict[str, list[str]] = {name: [] for name in structure.columns}
        for parent, child, _ in structure.arcs:
            children[parent].append(child)
        waiting, order = list(reversed(structure.roots)), []
        while waiting:
            at = waiting.pop()
            order.append(at)
            depth |= dict.fromkeys(children[at], depth[at] + 1)
            waiting += reversed(children[at])
    lines = []
    for name in order:
        numbers = ", ".join(f"{nats:.3g}" for nats in weights[name])
        arc = f" <- {', '.join(parents[name])}  {numbers} nats" if parents[name] else ""
        lines.append("  " * depth[name] + name + arc)
    return lines


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


def _check_shape(structure: Structure) -> None:
    columns, parents, weights = structure.columns, structure.parents, structure.weights
    choose(structure.kind, STRUCTURE_KINDS, "kind", "O389", place="Structure")
    if len(set(columns)) < len(columns):
        raise _refusal("two columns have one name", "give each a name of its own")
    fits = len(columns) == len(parents) == len(weights) and list(map(len, parents)) == list(map(len, weights))
    if not fits or len(structure.members) != len(structure.member_weights):
        raise _refusal(
            "columns, parents and weights do not fit together", "give each column its parents, each of them a weight"
        )


def _refusal(what: str, hint: str) -> OptionError:
    return OptionError("O389", what, place="Structure", hint=hint)


def _check_names(columns: Sequence[str], sets: Iterable[Sequence[str]]) -> None:
    known = set(columns)
    for name in (name for names in sets for name in names):
        if name not in known:
            hint = f"a parent is one of the columns.{nearest(name, columns)}"
            raise OptionError("O387", f"there is no column {name!r}", place="Structure(parents=)", hint=hint)
