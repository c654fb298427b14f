"""A network as what is believed before rows come: pseudo-counts of any family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.data.levels.level_text import place_of, spellings
from likely.errors import OptionError, listed, nearest
from likely.networks.content import NetworkContent
from likely.networks.inference.evidence import Findings
from likely.networks.inference.exact import Exact
from likely.structures.search.evidence import PriorNetworkScore


def expert_of(
    prior: NetworkContent, names: Sequence[str], levels: Sequence[Sequence[Any]], strength: float = 1.0
) -> PriorNetworkScore:
    """The score BDe of rows with these nodes and levels, under a network that stands for `strength` rows."""
    nodes = tuple(_node(prior, name) for name in names)
    places = tuple(_places(prior, name, mine) for name, mine in zip(names, levels, strict=True))
    return PriorNetworkScore("bde", _Believed(prior.exact, nodes, places), strength)


def own_of(prior: Mapping[str, Any], names: Sequence[str], levels: Sequence[Sequence[Any]]) -> PriorNetworkScore:
    """The log evidence under pseudo-counts by node: of each entry, or of each of its levels; 1 where none are said."""
    for name in prior:
        if name not in names:
            hint = f"the nodes are {listed(names, 12)}.{nearest(name, names)}"
            raise OptionError("O570", f"pseudo-counts of {name!r}, which is no node", place="prior=", hint=hint)
    sizes = tuple(map(len, levels))
    told = [_added(name, prior.get(name, 1.0), size) for name, size in zip(names, sizes, strict=True)]
    return PriorNetworkScore("dirichlet", _Own(tuple(told), sizes), even=False)


def _added(name: str, told: Any, size: int) -> Floats:
    told = getattr(told, "concentration", told)  # a likely.Dirichlet
    try:
        values = np.broadcast_to(np.asarray(told, dtype=np.float64), (size,))
    except (TypeError, ValueError):
        values = np.zeros(size)
    if not ((values > 0) & np.isfinite(values)).all():
        hint = f"give a number above 0 for each entry, or {size}, one for each level"
        raise OptionError("O566", f"the pseudo-counts of {name!r} are {told!r}", place=f"prior[{name!r}]", hint=hint)
    return values


@dataclass(frozen=True)
class _Own:
    """Pseudo-counts of any family: those of its node, in each cell of the parents."""

    added: tuple[Floats, ...]
    sizes: tuple[int, ...]

    def __call__(self, family: tuple[int, ...]) -> Floats:
        return np.broadcast_to(self.added[family[-1]], [self.sizes[at] for at in family])


@dataclass(frozen=True)
class _Believed:
    """P(nodes together) as a network believes; what was asked once is kept, whatever the order."""

    exact: Exact
    nodes: tuple[int, ...]  # the network's own numbers of them
    places: tuple[tuple[int, ...], ...]  # and of their levels
    kept: dict[tuple[int, ...], Floats] = field(default_factory=dict, compare=False)

    def __call__(self, family: tuple[int, ...]) -> Floats:
        inside = tuple(sorted(family))
        if inside not in self.kept:
            self.kept[inside] = self._asked(inside)
        return self.kept[inside].transpose([inside.index(at) for at in family])

    def _asked(self, family: tuple[int, ...]) -> Floats:
        nothing = Findings(np.full(len(self.exact.factored.sizes), -1))
        found = self.exact.joint(nothing, [self.nodes[at] for at in family])
        return found[np.ix_(*(self.places[at] for at in family))]


def _node(prior: NetworkContent, name: str) -> int:
    if name not in prior.nodes:
        hint = f"its nodes are {listed(prior.nodes, 12)}.{nearest(name, prior.nodes)}"
        raise OptionError("O565", f"the prior network has no node {name!r}", place="prior=", hint=hint)
    return prior.graph.at(name)


def _places(prior: NetworkContent, name: str, levels: Sequence[Any]) -> tuple[int, ...]:
    """Where the network has each of the levels; all of them, as what is believed must add up to one."""
    theirs = prior.levels(name)
    spelt = spellings(theirs)
    found = tuple(place_of(level, spelt) for level in levels)
    if sorted(found) != list(range(len(theirs))):
        what = f"{name!r} has the levels {listed(levels, 8)}, and in the prior network {listed(theirs, 8)}"
        hint = f"declare them: levels={{{name!r}: {list(theirs)}}}"
        raise OptionError("O574", what, place="prior=", hint=hint)
    return found
