"""The members of a forest as values: in each, which columns depend on which, and where their numbers are divided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from likely.core.numerics import Array, Ints
from likely.core.schema import DISCRETE, Schema

MOST_PARENTS = 3  # parents of a column, beside the class
LAYOUTS_KEPT = 8  # of forests that were looked at last


@dataclass(frozen=True)
class Member:
    """The parents of each column, by their places among the columns, and which of its cuts divide it here.

    An `informed` member takes it as evidence that a value is missing, where that may be evidence at all.

    >>> Member(((), (0,)), ((), (1, 4))).parents[1]
    (0,)
    """

    parents: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, ...], ...]
    informed: bool = True

    def order(self) -> tuple[int, ...]:
        """The places of the columns, parents before what depends on them; fewer where parents run in a circle.

        >>> Member(((1,), ()), ((), ())).order()
        (1, 0)
        """
        order: list[int] = []
        known: set[int] = set()
        waiting = list(range(len(self.parents)))
        while ready := [at for at in waiting if known.issuperset(self.parents[at])]:
            order += ready
            known.update(ready)
            waiting = [at for at in waiting if at not in known]
        return tuple(order)


@dataclass(frozen=True, eq=False)
class MemberLayout:
    """Where a member's counts stand, for the kernels.

    `slots` are those of every fine code, column by column from `fine` on; sizes (columns,) are how many slots there
    are: levels or parts, then missing, then unseen. parents (columns, MOST_PARENTS), -1 where there is none. The counts
    of column j begin at starts[j] of the whole, which is `first` onwards and `width` long: those of the first cell of
    its parents, slot by slot, then of the next, the last parent running fastest.
    """

    fine: Ints
    slots: Ints
    parents: Ints
    sizes: Ints
    starts: Ints
    first: int
    width: int

    @property
    def stop(self) -> int:
        """One after the last of its counts."""
        return self.first + self.width

    @property
    def arrays(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """What `count_members` takes."""
        return self.fine, self.slots, self.parents, self.sizes, self.starts


def layouts(members: Sequence[Member], columns: Sequence[int], schema: Schema) -> tuple[MemberLayout, ...]:
    """How the counts of members lie, one after the other."""
    kinds = tuple(schema.columns[at].kind in DISCRETE for at in columns)
    return _layouts(tuple(members), tuple(schema.parts(columns).tolist()), kinds)


@lru_cache(maxsize=LAYOUTS_KEPT)
def _layouts(
    members: tuple[Member, ...], parts: tuple[int, ...], discrete: tuple[bool, ...]
) -> tuple[MemberLayout, ...]:
    found, first = [], 0
    fine = np.concatenate([[0], np.cumsum(np.array(parts, dtype=np.int64) + 2)])[:-1].astype(np.int64)
    for member in members:
        slots = [
            np.arange(many + 2) if whole else _slots(many, edges)
            for many, edges, whole in zip(parts, member.edges, discrete, strict=True)
        ]
        sizes = np.array([one[-1] + 1 for one in slots], dtype=np.int64)
        parents = np.full((len(parts), MOST_PARENTS), -1, dtype=np.int64)
        for place, by in enumerate(member.parents):
            parents[place, : len(by)] = by
        widths = np.array(widths_of(member, sizes.tolist()), dtype=np.int64)
        starts = first + np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        flat = np.concatenate([*slots, np.zeros(0)]).astype(np.int64)
        found.append(MemberLayout(fine, flat, parents, sizes, starts[:-1], first, int(starts[-1]) - first))
        first = int(starts[-1])
    return tuple(found)


def _slots(parts: int, edges: Sequence[int]) -> Array:
    """(parts + 2,): the coarse part of each fine one, then missing, then unseen."""
    coarse = np.searchsorted(np.array(edges, dtype=np.int64), np.arange(parts))
    return np.append(coarse, [len(edges) + 1, len(edges) + 2])


def sizes_of(member: Member, columns: Sequence[int], schema: Schema) -> list[int]:
    """How many slots each column has in a member."""
    of = [schema.columns[at] for at in columns]
    return [
        (one.parts if one.kind in DISCRETE else len(edges) + 1) + 2 for one, edges in zip(of, member.edges, strict=True)
    ]


def widths_of(member: Member, sizes: Sequence[int]) -> list[int]:
    """How many counts each column has in a member, in Python's numbers: they may be any that a file says."""
    out = []
    for size, by in zip(sizes, member.parents, strict=True):
        width = int(size)
        for parent in by:
            width *= int(sizes[parent])
        out.append(width)
    return out


def is_sound(member: Member, columns: Sequence[int], schema: Schema) -> bool:
    """Whether a member, as read from anywhere, is one of these columns, without circles."""
    of, many = [schema.columns[at] for at in columns], len(columns)
    if not len(member.parents) == len(member.edges) == many:
        return False
    for place, (column, by, edges) in enumerate(zip(of, member.parents, member.edges, strict=True)):
        known = len(by) <= MOST_PARENTS and len({*by}) == len(by) and place not in by
        cuts = 0 if column.kind in DISCRETE or column.cuts is None else len(column.cuts)
        rising = all(one < other for one, other in pairwise(edges))
        if not (known and all(0 <= at < many for at in by) and all(0 <= at < cuts for at in edges) and rising):
            return False
    return len(member.order()) == many
