"""What a search must obey: arcs that are required, arcs that are forbidden, tiers, and how many parents a node has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.errors import OptionError, listed, nearest
from likely.errors.options import whole
from likely.structures.graph import Graph

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rules:
    """allowed[parent, child]: whether there may be an arc; required[parent, child]: whether there must be one.

    `most` parents has a node at most. What is required is allowed, has no circle, and keeps to `most`.
    """

    allowed: Flags
    required: Flags
    most: int

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.allowed)

    def start(self) -> list[set[int]]:
        """The parents of each node that are required."""
        return [set(np.flatnonzero(self.required[:, node]).tolist()) for node in range(self.size)]

    def narrowed(self, allowed: Flags) -> Rules:
        """The same rules with fewer arcs allowed; required ones stay."""
        return Rules((self.allowed & allowed) | self.required, self.required, self.most)


def read_rules(
    nodes: Sequence[str],
    required: Any = (),
    forbidden: Any = (),
    tiers: Any = None,
    max_parents: int | None = None,
) -> Rules:
    """The rules in the user's words.

    `required` and `forbidden` are arcs (parent, child), by name, or {child: parents}. `tiers` are groups of nodes, the
    earliest first, or {node: number}, or {number: nodes}: no arc leads from a later tier to an earlier one; nodes that
    are in none are free.

    >>> rules = read_rules(["age", "risk", "claim"], [("age", "risk")], tiers=[["age"], ["risk", "claim"]])
    >>> rules.allowed.astype(int).tolist()
    [[0, 1, 1], [0, 0, 1], [0, 1, 0]]
    """
    size = len(nodes)
    if max_parents is not None:
        hint = "say a whole number from 0 on, or None for as many as pay"
        whole(max_parents, "max_parents", "O504", hint=hint)
    needed = _arcs(nodes, required, "required=")
    banned = _arcs(nodes, forbidden, "forbidden=")
    allowed = ~np.eye(size, dtype=bool)
    early = _tiers(nodes, tiers)
    for one in range(size):
        for other in range(size):
            if early[one] is not None and early[other] is not None and early[one] > early[other]:  # type: ignore[operator]
                allowed[one, other] = False
    for parent, child in needed:
        if not allowed[parent, child]:
            what = f"{nodes[parent]!r} -> {nodes[child]!r} is required, and leads to an earlier tier"
            raise OptionError("O513", what, place="tiers=", hint="change the tiers, or do not require it")
        if (parent, child) in banned:
            what = f"{nodes[parent]!r} -> {nodes[child]!r} is both required and forbidden"
            raise OptionError("O502", what, place="forbidden=", hint="leave it out of one of the two")
    required_ = np.zeros((size, size), dtype=bool)
    for parent, child in banned:
        allowed[parent, child] = False
    for parent, child in needed:
        required_[parent, child] = True
        allowed[child, parent] = False
    _refuse_circle(nodes, needed)
    most = size if max_parents is None else int(max_parents)
    full = np.flatnonzero(required_.sum(axis=0) > most)
    if len(full):
        what = f"{nodes[full[0]]!r} has {int(required_[:, full[0]].sum())} required parents, and may have {most}"
        raise OptionError("O514", what, place="max_parents=", hint="allow more parents, or require fewer")
    return Rules(allowed, required_, most)


def _arcs(nodes: Sequence[str], arcs: Any, place: str) -> dict[tuple[int, int], None]:
    """The arcs by position, each once."""
    if isinstance(arcs, Mapping):  # child -> parents
        lists = {child: [mine] if isinstance(mine, str) else mine for child, mine in arcs.items()}
        arcs = [(parent, child) for child, mine in lists.items() for parent in _several(mine, place)]
    arcs = getattr(arcs, "edges", () if arcs is None else arcs)
    hint = f"give arcs as {place}[('parent', 'child'), ...]"
    if isinstance(arcs, str) or not isinstance(arcs, Iterable):
        raise OptionError("O501", f"these are no arcs: {arcs!r}", place=place, hint=hint)
    places = {name: at for at, name in enumerate(nodes)}
    told: dict[tuple[int, int], None] = {}
    if isinstance(arcs, tuple | list) and len(arcs) == 2 and all(isinstance(name, str) for name in arcs):
        arcs = [arcs]  # a single arc
    for arc in arcs:
        if not isinstance(arc, tuple | list) or len(arc) != 2:
            raise OptionError("O501", f"this is no arc: {arc!r}", place=place, hint=hint)
        arc = tuple(map(str, arc))
        for name in arc:
            if not isinstance(name, str) or name not in places:
                raise _no_column(name, place, nodes)
        if arc[0] == arc[1]:
            raise OptionError("O501", f"an arc from {arc[0]!r} to itself", place=place, hint=hint)
        told[places[arc[0]], places[arc[1]]] = None
    return told


def _no_column(name: Any, place: str, nodes: Sequence[str]) -> OptionError:
    hint = f"the columns are {listed(nodes, 12)}.{nearest(name, nodes)}"
    return OptionError("O509", f"there is no column {name!r}", place=place, hint=hint, about=str(name))


def _several(names: Any, place: str) -> Iterable[Any]:
    if not isinstance(names, Iterable):
        hint = f"give {place}{{'child': ['parent', ...]}}"
        raise OptionError("O501", f"these are no parents: {names!r}", place=place, hint=hint)
    return names


def _tiers(nodes: Sequence[str], tiers: Any) -> list[int | None]:
    """The tier of each node, the earliest 0; None where it is in none."""
    early: list[int | None] = [None] * len(nodes)
    if tiers is None:
        return early
    hint = "give groups of columns, the earliest first, as in tiers=[['age', 'sex'], ['risk']]"
    if isinstance(tiers, str) or not isinstance(tiers, Iterable):
        raise OptionError("O503", f"these are no tiers: {tiers!r}", place="tiers=", hint=hint)
    if isinstance(tiers, Mapping) and all(isinstance(group, list | tuple | set) for group in tiers.values()):
        tiers = [tiers[rank] for rank in sorted(tiers)]
    if isinstance(tiers, Mapping):  # node -> its tier
        if not all(isinstance(rank, int | float | np.number) for rank in tiers.values()):
            raise OptionError("O503", "a tier is no number", place="tiers=", hint=hint)
        ranks = sorted(set(tiers.values()))
        tiers = [[name for name, rank in tiers.items() if rank == one] for one in ranks]
    places = {name: at for at, name in enumerate(nodes)}
    for at, group in enumerate(tiers):
        members = [group] if isinstance(group, str) else group
        if not isinstance(members, Iterable):
            raise OptionError("O503", f"this is no tier: {group!r}", place="tiers=", hint=hint)
        for name in members:
            if not isinstance(name, str) or name not in places:
                raise _no_column(name, "tiers=", nodes)
            if early[places[name]] is not None:
                raise OptionError("O503", f"{name!r} is in two tiers", place="tiers=", hint="name each column once")
            early[places[name]] = at
    return early


def _refuse_circle(nodes: Sequence[str], needed: Iterable[tuple[int, int]]) -> None:
    try:
        Graph.of([(nodes[parent], nodes[child]) for parent, child in needed])
    except OptionError as error:
        what = f"required arcs run in a circle: {error.about}"
        raise OptionError("O512", what, place="required=", hint="leave one of these arcs out") from None
