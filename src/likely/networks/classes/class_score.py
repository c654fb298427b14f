"""Arcs looked for by how well they tell the class: each row judged by the counts of all the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from likely.core.numerics import Array, Floats, log_sum_exp
from likely.networks.structure.conditional_likelihood import left_out
from likely.networks.structure.row_codes import Coded
from likely.networks.tables.joint import starts
from likely.structures.graph import reached
from likely.structures.information import conditional_information
from likely.structures.search.rules import Rules
from likely.structures.search.scorer import Parents

CANDIDATE_PARENTS = 8  # of a column: those that tell most about it once the class is known
MOST_BYTES_OF_TERMS = 1 << 28  # bytes of terms that are kept
LEAST_NATS = 2.0  # nats that a change must gain: what tells nothing gains one now and then


@dataclass
class Climb:
    """The class as the root, columns that depend on it, and arcs to these: the best single change, again and again.

    Of two nodes only one may depend on the other, and only what depends on the class may have parents: no other arc
    bears on it.
    """

    rows: Coded
    rules: Rules
    strength: float = 1.0
    parents: list[Parents] = field(default_factory=list)
    terms: dict[tuple[int, Parents], Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.target = len(self.rows.names) - 1
        self.near = _near(self.rows)
        self.own = self.rows.codes[:, self.target].astype(np.int64)
        self.weights = self.rows.each_weight
        self.parents = [tuple(sorted(mine)) for mine in self.rules.start()]
        self.said = sum((self.term(*family) for family in self._families()), start=np.zeros((1, 1)))
        self.loss = self._judged(self.said)

    def _families(self) -> Iterator[tuple[int, Parents]]:
        yield self.target, self.parents[self.target]
        yield from ((node, mine) for node, mine in enumerate(self.parents) if self.target in mine)

    def term(self, node: int, parents: Parents) -> Floats:
        """(rows, classes): what a family says of each class; nothing where a value is missing, or without the class."""
        if node != self.target and self.target not in parents:
            return np.zeros((1, 1))
        if (node, parents) not in self.terms:
            said = left_out(self.rows, node, parents, self.target, self.strength)
            if (len(self.terms) + 1) * said.nbytes > MOST_BYTES_OF_TERMS:
                kept = {*self._families()}
                self.terms = {family: term for family, term in self.terms.items() if family in kept}
            self.terms[node, parents] = np.where(np.isnan(said), 0.0, said)
        return self.terms[node, parents]

    def _judged(self, said: Floats) -> float:
        told = said[np.arange(len(said)), self.own] - log_sum_exp(said)
        return float((self.weights * told).sum())

    def changes(self) -> Iterator[tuple[int, Parents]]:
        """Every column with one parent more or fewer, as far as the rules allow."""
        for node, mine in enumerate(self.parents[:-1]):
            below = self.target in mine
            for other in (self.target, *(self.near[node] if below else ())):
                if other in mine:
                    if not self.rules.required[other, node] and (other != self.target or mine == (other,)):
                        yield node, tuple(at for at in mine if at != other)
                elif self.rules.allowed[other, node] and len(mine) < self.rules.most and not self._above(node, other):
                    yield node, tuple(sorted((*mine, other)))

    def _above(self, node: int, other: int) -> bool:
        """Whether a node is among those that another depends on."""
        return node in reached((other,), self.parents)

    def run(self) -> list[Parents]:
        """The parents of each node when no single change helps any more."""
        while True:
            best = max(((self._gain(*change), change) for change in self.changes()), default=(0.0, None))
            if best[1] is None or best[0] <= LEAST_NATS:
                return self.parents
            node, mine = best[1]
            self.said = self.said - self.term(node, self.parents[node]) + self.term(node, mine)
            self.parents[node], self.loss = mine, self.loss + best[0]

    def _gain(self, node: int, mine: Parents) -> float:
        return self._judged(self.said - self.term(node, self.parents[node]) + self.term(node, mine)) - self.loss


def _near(rows: Coded) -> list[list[int]]:
    """For each column those that tell most about it once the class is known."""
    target, sizes = len(rows.names) - 1, np.array(rows.sizes[:-1], dtype=np.int64)
    begins = starts(sizes)
    table = np.zeros((rows.sizes[target], begins[-1], begins[-1]))
    for one in range(target):
        for other in range(one):
            counts = rows.counts(one, (target, other)).transpose(0, 2, 1)
            mine, theirs = slice(*begins[one : one + 2]), slice(*begins[other : other + 2])
            table[:, mine, theirs], table[:, theirs, mine] = counts, counts.transpose(0, 2, 1)
    told: Array = conditional_information(table, sizes)
    return [[at for at in np.argsort(-row, kind="stable")[:CANDIDATE_PARENTS].tolist() if row[at] > 0] for row in told]
