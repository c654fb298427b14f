"""Scores of families from rows, each counted once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.threads import cores, in_threads
from likely.kernels.counting.joint import joint_sums
from likely.networks.structure.row_codes import Coded
from likely.networks.structure.streamed_rows import Streamed
from likely.networks.tables.table import MOST_TABLE_ENTRIES
from likely.structures.search.evidence import BayesianDirichletScore
from likely.structures.search.scorer import Family, Parents
from likely.structures.search.scores import FamilyScore, LikelihoodScore

MOST_BYTES_OF_SCORES = 1 << 28  # bytes of rows of scores that are kept
MOST_SCORES_KEPT = 1 << 20  # single scores that are kept


@dataclass
class RowScorer:
    """A Scorer of rows, in memory or streamed.

    Where rows have missing values, what parents tell of a node is the score with them less the score without them, both
    of the rows that have all of them, scaled up to all rows; the score of the node alone is added. Scores of different
    rows are so never compared: by chance they differ by more than a parent tells.
    """

    coded: Coded | Streamed
    kind: FamilyScore
    single: dict[Family, float] = field(default_factory=dict)
    rows: OrderedDict[Family, Floats] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.coded.holes  # noqa: B018  counted before threads ask for it, each for itself

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.coded.sizes

    @property
    def weight(self) -> float:
        return self.coded.weight

    @property
    def equivalent(self) -> bool:
        return self.kind.equivalent and not self.coded.holes  # families of different rows do not add up

    @property
    def price(self) -> float | None:
        return None if self.coded.holes else self.kind.price_of(self.weight)

    @cached_property
    def joint(self) -> Callable[[Array], Floats] | None:
        even = isinstance(self.kind, BayesianDirichletScore) and self.kind.added is None
        rows = self.coded
        if not isinstance(rows, Coded) or rows.holes or rows.weights is not None:
            return None
        return partial(self._joint, rows.columns) if even or isinstance(self.kind, LikelihoodScore) else None

    def _joint(self, columns: Array, sets: Array) -> Floats:
        sizes = np.array(self.sizes, dtype=np.int64)
        strength = self.kind.strength if isinstance(self.kind, BayesianDirichletScore) else None
        work = partial(joint_sums, columns, sizes, strength=strength)
        found = np.concatenate(list(in_threads(work, np.array_split(sets, min(len(sets), cores())))))
        found -= work(np.zeros(1, dtype=np.int64))
        if self.price is not None:
            cells = np.where(sets[:, None] >> np.arange(len(sizes)) & 1, sizes.astype(np.float64), 1.0).prod(axis=1)
            found -= self.price * (cells - 1.0)
        return found

    def score(self, node: int, parents: Parents) -> float:
        found = self.single.get((node, parents))
        if found is None:
            found = self._beside(node, parents)
            found = self._scored(node, parents, None) if found is None else found
            self._remember((node, parents), found)
        return found

    def _beside(self, node: int, parents: Parents) -> float | None:
        """The score where it was found already as that of one more parent."""
        for parent in parents:
            row = self.rows.get((node, tuple(at for at in parents if at != parent)))
            if row is not None:
                return float(row[parent])
        return None

    def scores(self, families: Sequence[Family]) -> Floats:
        known = {family: self.single.get(family) for family in families}
        new = [family for family, found in known.items() if found is None]
        self.coded.prepare(new, alone=True)
        for family, found in zip(new, in_threads(lambda family: self._scored(*family, 1), new), strict=True):
            known[family] = found
            self._remember(family, found)
        return np.array([known[family] for family in families])

    def toggled(self, node: int, parents: Parents) -> Floats:
        found = self.rows.get((node, parents))
        if found is None:
            found = self._keep((node, parents), self._toggled(node, parents, None))
        else:
            self.rows.move_to_end((node, parents))
        return found

    def prefetch(self, families: Sequence[Family]) -> None:
        """Count what `toggled` will be asked, on all cores."""
        new = [family for family in families if family not in self.rows]
        self.coded.prepare(new)
        if len(new) > 1:
            for family, found in zip(new, in_threads(lambda family: self._toggled(*family, 1), new), strict=True):
                self._keep(family, found)

    def crossed(self, node: int, others: Sequence[int], given: Parents) -> tuple[Array, Array]:
        table, starts = self.coded.crossed(node, others, given)
        return table.reshape(-1, self.sizes[node], table.shape[1]), starts

    def _remember(self, family: Family, found: float) -> None:
        if len(self.single) >= MOST_SCORES_KEPT:
            self.single.clear()
        self.single[family] = found

    def _keep(self, family: Family, row: Floats) -> Floats:
        row.flags.writeable = False  # it is handed out as it is
        self.rows[family] = row
        while len(self.rows) * len(self.sizes) * 8 > MOST_BYTES_OF_SCORES:
            self.rows.popitem(last=False)
        return row

    def _scored(self, node: int, parents: Parents, threads: int | None) -> float:
        if prod(self.sizes[at] for at in (*parents, node)) > MOST_TABLE_ENTRIES:
            return -np.inf  # a network could not hold the table
        if self.kind.by_cell:
            table = self.coded.counts(node, parents).reshape(-1, self.sizes[node])
        else:
            table = self.coded.seen(node, parents, threads)
        cells = prod(self.sizes[at] for at in parents)
        if not self.coded.holes:
            return self.kind.family(node, parents, table, cells)
        return family_score(self.kind, node, parents, table, cells, self.coded.seen(node, (), 1), self.weight)

    def _toggled(self, node: int, parents: Parents, threads: int | None) -> Floats:
        if self.kind.by_cell:
            others = [tuple(sorted({*parents} ^ {at})) for at in range(len(self.sizes))]
            return np.array([-np.inf if at == node else self.score(node, mine) for at, mine in enumerate(others)])
        above = prod(self.sizes[at] for at in parents)
        found = np.empty(len(self.sizes))
        for columns, table, starts in self.coded.beside(node, parents, threads):
            sizes = np.array([self.sizes[at] for at in columns])
            found[columns] = self._with_each(node, table, starts, sizes, above)
        found[[above * self.sizes[node] * size > MOST_TABLE_ENTRIES for size in self.sizes]] = -np.inf
        for parent in parents:
            found[parent] = self.score(node, tuple(at for at in parents if at != parent))
        found[node] = -np.inf
        return found

    def _with_each(self, node: int, table: Array, starts: Array, sizes: Array, above: int) -> Floats:
        """(columns,): the score with each column as one more parent."""
        levels = self.sizes[node]
        if not self.coded.holes:
            return self.kind.beside(table, levels, starts, sizes, above, np.full(len(sizes), self.weight))
        within = table.reshape(-1, levels, table.shape[1]).sum(axis=0)
        spans = zip(starts.tolist(), sizes.tolist(), strict=True)
        alone = np.stack([within[:, at : at + size].sum(axis=1) for at, size in spans], axis=1)
        has = alone.sum(axis=0).astype(np.float64)
        found = self.kind.beside(table, levels, starts, sizes, above, has)
        ones = np.ones(len(sizes), dtype=np.int64)
        without = self.kind.beside(alone, levels, np.arange(len(sizes)), ones, 1, has)
        scale = np.divide(self.weight, has, out=np.zeros(len(has)), where=has > 0)
        return np.asarray(self.score(node, ()) + (found - without) * scale)


def family_score(
    kind: FamilyScore, node: int, parents: Sequence[int], table: Array, cells: int, alone: Array, weight: float
) -> float:
    """The score of a node from rows of which some have missing values, from counts (cells of its parents, levels).

    What parents tell, of the rows that have them and the node, is scaled up to the weight of all rows and added to what
    the node has without parents: `alone` (1, levels) are the counts of the node by itself.
    """
    has, own = float(table.sum()), float(alone.sum())
    told = kind.family(node, parents, table, cells) - kind.family(node, (), table.sum(axis=0, keepdims=True), 1)
    return kind.family(node, (), alone, 1) * (weight / own if own else 0.0) + told * (weight / has if has else 0.0)
