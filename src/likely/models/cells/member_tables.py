"""Probabilities in a member of a forest: a cell leans on that of its first parent, this on the class, this on all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.families.predictor import Setting
from likely.kernels.memory import pad_classes
from likely.statistics.members import MemberLayout


@dataclass(frozen=True, eq=False)
class MemberTables:
    """counts (classes, width) of a member, as they lie, each column's levels or parts, then missing, then unseen.

    A probability is (n + m P) / (N + m): n and N are those of the cell, P is what it leans on, and m is `strength`.
    What is missing of the parents is summed out of the counts, unless the member is `informed`: then it is a level too.
    """

    layout: MemberLayout
    counts: Array
    setting: Setting
    informed: bool

    @property
    def strength(self) -> float:
        """What the cell that one leans on is worth, in rows."""
        return self.setting.leaning * self.setting.pseudo

    @property
    def breadth(self) -> Floats:
        """(columns,): how many values a column can have, beside one never seen; of one without levels any at all."""
        return np.asarray(np.maximum(self.layout.sizes - 2.0 + self.informed, 1.0))

    @cached_property
    def gone(self) -> Array:
        """(columns,): the slot of a missing value, which says nothing; -1 where it is a value like others."""
        return np.full(len(self.layout.sizes), -1) if self.informed else self.layout.sizes - 2

    @cached_property
    def whole(self) -> tuple[Floats, Floats, Array, Array]:
        """Counts (slots, classes) and their sums (cells, classes) with one more cell a parent, last: of any value.

        And where those of each column begin.
        """
        tables, sums, starts, cells = [], [], [0], [0]
        for place in range(len(self.layout.sizes)):
            table, whole = self._family(place)
            tables.append(table.reshape(-1, table.shape[-1]))
            sums.append(whole.reshape(-1, whole.shape[-1]))
            starts.append(starts[-1] + len(tables[-1]))
            cells.append(cells[-1] + len(sums[-1]))
        classes = len(self.counts)
        empty = [np.zeros((0, classes))]
        return (
            np.concatenate([*tables, *empty]),
            np.concatenate([*sums, *empty]),
            np.array(starts[:-1], dtype=np.int64),
            np.array(cells[:-1], dtype=np.int64),
        )

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """(width, classes), twice: the probability of each slot in its cell, and how many rows it is worth there."""
        classes = len(self.counts)
        found = [self._shares(place) for place in range(len(self.layout.sizes))]
        empty = np.zeros((0, classes))
        share, worth = (np.concatenate([*(one[side].reshape(-1, classes) for one in found), empty]) for side in (0, 1))
        return share, worth

    def terms(self, weights: Floats, reference: Floats) -> Floats:
        """(width, padded classes): what each slot says for a class, weighed, beside what it says for all of them.

        That is log (P^w / sum of reference P^w), the reference being (classes,) log probabilities.
        """
        said = np.log(self.shares[0]) * self.each(weights)[:, None]
        with_reference = said + reference
        top = with_reference.max(axis=1, keepdims=True, initial=-np.inf)
        said -= top + np.log(np.exp(with_reference - top).sum(axis=1, keepdims=True))
        said[self.silent] = 0.0
        return pad_classes(said)

    def each(self, weights: Floats) -> Floats:
        """(width,): the weight of the column of each slot."""
        return np.repeat(weights[: len(self.layout.sizes)], self._widths)

    @cached_property
    def silent(self) -> Array:
        """(width,): the slots of missing values that say nothing."""
        sizes = self.layout.sizes
        slot = np.arange(self.layout.width) - np.repeat(self.layout.starts - self.layout.first, self._widths)
        return np.asarray(slot % np.repeat(sizes, self._widths) == np.repeat(self.gone, self._widths))

    @property
    def _widths(self) -> Array:
        return np.diff(np.append(self.layout.starts, self.layout.stop))

    def _sizes(self, place: int) -> list[int]:
        """How many slots its parents have."""
        return [int(self.layout.sizes[at]) for at in self.layout.parents[place] if at >= 0]

    def _family(self, place: int) -> tuple[Floats, Floats]:
        """(parents' slots and any, ..., slots, classes): counts of a column; without slots, the rows it is known of."""
        start = self.layout.starts[place] - self.layout.first
        table = self.counts[:, start : start + self._widths[place]].T.astype(np.float64)
        shape = self._sizes(place)
        table = table.reshape(*shape, self.layout.sizes[place], len(self.counts))
        for axis in range(len(shape)):
            table = np.concatenate([table, table.sum(axis=axis, keepdims=True)], axis=axis)
        whole = table.sum(axis=-2)
        if self.gone[place] >= 0:
            whole = whole - table[..., self.gone[place], :]
        return table, whole

    def _shares(self, place: int) -> tuple[Floats, Floats]:
        """(parents' slots, ..., slots, classes), twice, of one column: see `shares`."""
        table, whole = self._family(place)
        lean, last = self.strength, (-1,) * (table.ndim - 2)
        pseudo, unseen = self.setting.pseudo, np.arange(table.shape[-2]) == table.shape[-2] - 1
        column = (table[last].sum(axis=-1) + pseudo) / (whole[last].sum() + pseudo * (self.breadth[place] + unseen))
        found = (table[last] + lean * column[:, None]) / (whole[last] + lean)
        worth = np.broadcast_to(whole[last] + lean, found.shape)
        if not last:
            return found, worth
        first: tuple[Any, ...] = (slice(None), *last[1:])
        found, above = (table[first] + lean * found) / (whole[first][:, None] + lean), found
        worth, rows = np.repeat((whole[first] + lean)[:, None], table.shape[-2], axis=1), worth
        found[-1], worth[-1] = above, rows  # of any value of the first parent, the class speaks
        if len(last) > 1:
            ahead: tuple[Any, ...] = (slice(None), *(None,) * (len(last) - 1))
            below = (table + lean * found[ahead]) / (whole[..., None, :] + lean)
            deep = np.repeat((whole + lean)[..., None, :], table.shape[-2], axis=-2)
            below[first], deep[first] = found, worth
            found, worth = below, deep
        seen = np.ix_(*(self._seen(int(at)) for at in self.layout.parents[place] if at >= 0))
        return found[seen], worth[seen]

    def _seen(self, parent: int) -> Array:
        """(slots,): where the cells of a parent's slots stand: of a missing value, those of any."""
        at = np.arange(self.layout.sizes[parent])
        return np.where(at == self.gone[parent], len(at), at)
