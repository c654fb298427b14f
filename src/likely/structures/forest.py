"""What a forest has learnt beside counts, as a value to read, to store, and to fit others with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from likely.errors import OptionError
from likely.output.draw import draw
from likely.output.frames import FrameResult
from likely.output.jsonable import to_jsonable
from likely.output.phrases import plural

DENSITIES = ("log", "poisson", "parzen")  # that numbers may have beside a normal
FOREST_ARCS_SHOWN = 20  # of a forest that is printed


@dataclass(frozen=True)
class ForestMember:
    """The parents of each column, the edges between the parts of its numbers, and its weights.

    `weights` are those of what a column says given its parents, `own_weights` of what it says by the class alone, as
    texts do; a column that says nothing in that way has 0. An `informed` member takes a missing value as evidence,
    where missing="informative".
    """

    parents: tuple[tuple[str, ...], ...]
    edges: tuple[tuple[float, ...], ...]
    weights: tuple[float, ...]
    own_weights: tuple[float, ...]
    informed: bool = True


@dataclass(frozen=True, repr=False)
class ForestStructure(FrameResult):
    """The members of a BayesForest: hand it to others as `structure=`, and they can be merged. It holds no rows.

    >>> member = ForestMember(((), ("root",)), ((), (2.5,)), (1.0, 0.8), (0.0, 0.0))
    >>> ForestStructure(("root", "size"), (), "good", (member,))
    forest of 1 member, each of 2 columns given good
    size <- root  in 1 of 1
    """

    columns: tuple[str, ...]
    beside: tuple[str, ...]  # those that speak by the class alone, whatever they say beside
    target: str
    members: tuple[ForestMember, ...]
    densities: tuple[str, ...] = ()  # of each column in each class, where that is no plain normal; none: all are

    kind = "forest"

    def __post_init__(self) -> None:
        many, known = len(self.columns), {*self.columns}
        strange = not known.issuperset(self.beside) or len(self.densities) not in (0, many)
        strange |= not {"", *DENSITIES}.issuperset(self.densities)
        for one in self.members:
            sizes = {len(one.parents), len(one.edges), len(one.weights), len(one.own_weights)}
            strange |= sizes != {many} or not known.issuperset(name for by in one.parents for name in by)
        if strange:
            hint = "give what to_dict() returned, or model.structure_"
            raise OptionError("O389", "this is no structure of a forest", place="ForestStructure", hint=hint)

    @property
    def arcs(self) -> tuple[tuple[str, str, float], ...]:
        """(parent, child, share of the members that have it) of every arc, the most common first."""
        often = Counter(
            (parent, child)
            for one in self.members
            for child, by in zip(self.columns, one.parents, strict=True)
            for parent in by
        )
        ranked = sorted(often.items(), key=lambda item: (-item[1], item[0]))
        return tuple((*arc, times / len(self.members)) for arc, times in ranked)

    @property
    def mean_weights(self) -> dict[str, float]:
        """The mean weight of each column over the members."""
        every = zip(*(one.weights for one in self.members), strict=True)
        return {name: sum(mine) / len(mine) for name, mine in zip(self.columns, every, strict=True)}

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, as every JSON writer takes them."""
        return {"kind": self.kind, **dict(to_jsonable(asdict(self)))}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> ForestStructure:
        """The structure that `to_dict` wrote."""
        try:
            parts = ({name: _tuples(part) for name, part in one.items()} for one in told["members"])
            members = tuple(ForestMember(**one) for one in parts)
            densities = _tuples(told.get("densities", ()))
            return cls(_tuples(told["columns"]), _tuples(told["beside"]), told["target"], members, densities)
        except (TypeError, KeyError, AttributeError) as fault:
            hint = "give what to_dict() returned"
            raise OptionError("O389", "this is no structure of a forest", place="ForestStructure", hint=hint) from fault

    def _page(self) -> Any:
        """A row for each arc."""
        return [{"parent": parent, "child": child, "share": share} for parent, child, share in self.arcs]

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure: the arcs that most members have, as bars."""
        return draw("structure", self, **options)

    def __repr__(self) -> str:
        many = len(self.members)
        head = f"forest of {plural(many, 'member')}, each of {plural(len(self.columns), 'column')} given {self.target}"
        lines = [f"{child} <- {parent}  in {round(share * many)} of {many}" for parent, child, share in self.arcs]
        more = [f"... and {len(lines) - FOREST_ARCS_SHOWN} more"] if len(lines) > FOREST_ARCS_SHOWN else []
        return "\n".join([head, *lines[:FOREST_ARCS_SHOWN], *more])


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value
