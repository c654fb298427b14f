"""How the members of an ensemble are learnt, all from the same rows: trees from one sorting, or any estimator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from likely.companions.ensembles.foreign_members import ForeignMembers, as_rows, fitted_copy, shares_of, votes_of
from likely.companions.ensembles.forest import Forest
from likely.companions.trees.grower import Growth, Presorted, grow
from likely.companions.trees.traversal import leaf_values
from likely.companions.trees.tree import Tree
from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import Schema


class Learner(Protocol):
    """How members are learnt from rows under weights."""

    def learn(self, weights: Floats, seed: int) -> Any:
        """A member that learnt from the rows under these weights."""

    def votes(self, member: Any) -> Floats:
        """(rows, classes): 1 for the class that a member decides for, or parts that sum to 1, of the rows learnt."""

    def shares(self, member: Any) -> Floats:
        """(rows, classes): the probabilities that a member gives, of the rows learnt."""

    def together(self, members: Sequence[Any]) -> Forest | ForeignMembers:
        """The members as a value that judges other rows."""


@dataclass(frozen=True, eq=False)
class Grower:
    """Grows trees, from columns that were sorted once."""

    schema: Schema
    block: Block
    presorted: Presorted
    growth: Growth
    smoothing: float
    threads: int | None  # of one tree; None: as many as may run

    @classmethod
    def of(
        cls, schema: Schema, block: Block, growth: Growth, smoothing: float = 0.0, threads: int | None = None
    ) -> Grower:
        return cls(schema, block, Presorted.of(schema, block), growth, smoothing, threads)

    def learn(self, weights: Floats, seed: int) -> Tree:
        return grow(self.presorted, self.block, self.growth, weights, threads=self.threads)

    def votes(self, member: Tree) -> Floats:
        return self._walked(member, member.votes())

    def _walked(self, member: Tree, values: Floats) -> Floats:
        """(rows, classes): the values at the leaves of the rows learnt; one threshold needs no more than its column."""
        at = int(member.column[0])
        if member.nodes == 3 and at in self.presorted.numeric:
            place = self.presorted.numeric.index(at)
            if not self.presorted.holes[at]:
                above = self.presorted.values[place] > member.threshold[0]
                return np.asarray(np.take(values[1:], above.view(np.uint8), axis=0))
        return leaf_values(member, self.schema, self.block, values)

    def shares(self, member: Tree) -> Floats:
        return self._walked(member, member.class_shares(self.smoothing))

    def together(self, members: Sequence[Tree]) -> Forest:
        return Forest.of(self.schema, members, self.smoothing)


@dataclass(frozen=True, eq=False)
class ForeignLearner:
    """Fits copies of an estimator to a table of the rows."""

    schema: Schema
    estimator: Any
    rows: Any
    cells: Array

    @classmethod
    def of(cls, schema: Schema, block: Block, estimator: Any) -> ForeignLearner:
        assert block.cells is not None, "rows to learn from have classes"
        return cls(schema, estimator, as_rows(schema, block), block.cells.astype(np.int64))

    def learn(self, weights: Floats, seed: int) -> Any:
        return fitted_copy(self.estimator, self.rows, self.cells, weights, seed)

    def votes(self, member: Any) -> Floats:
        return votes_of(member, self.rows, len(self.schema.classes))

    def shares(self, member: Any) -> Floats:
        return shares_of(member, self.rows, len(self.schema.classes))

    def together(self, members: Sequence[Any]) -> ForeignMembers:
        return ForeignMembers(self.schema, tuple(members))
