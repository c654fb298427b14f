"""Probabilities in a member of a forest: a cell leans on that of its first parent, this on the class, this on all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.families.predictor import Setting
from likely.kernels.memory import pad_classes
from likely.kernels.scoring.forest_tables import add_families, fill_shares
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
        layout, classes = self.layout, len(self.counts)
        cells = np.where(layout.parents >= 0, layout.sizes[layout.parents] + 1, 1).prod(axis=1)
        slots = cells * layout.sizes
        tables, sums = np.zeros((int(slots.sum()), classes)), np.zeros((int(cells.sum()), classes))
        starts, places = np.cumsum(slots) - slots, np.cumsum(cells) - cells
        counts = np.ascontiguousarray(self.counts, dtype=np.float64)
        add_families(
            counts, layout.parents, layout.sizes, layout.starts - layout.first, self.gone, starts, places, tables, sums
        )
        return tables, sums, starts, places

    @cached_property
    def shares(self) -> tuple[Floats, Floats]:
        """(width, classes), twice: the probability of each slot in its cell, and how many rows it is worth there."""
        tables, sums, starts, places = self.whole
        layout, shape = self.layout, (self.layout.width, len(self.counts))
        share, worth = np.empty(shape), np.empty(shape)
        fill_shares(
            tables, sums, layout.parents, layout.sizes, layout.starts - layout.first, self.gone, starts, places,
            self.breadth, self.strength, self.setting.pseudo, share, worth,
        )  # fmt: skip
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
