"""What is counted along draws: the cells of a joint table of some nodes, or the levels of every node."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from likely.core.numerics import Array, Floats
from likely.errors import ModelError, listed
from likely.networks.inference.evidence import Findings
from likely.networks.sampling.ancestral import likelihoods_of
from likely.networks.tables.joint import Factored, starts

MOST_JOINT_CELLS = 1 << 18  # cells of a joint table: draws would leave most of more of them empty


@dataclass(frozen=True, eq=False)
class Tracked:
    """`offsets` are strides of the nodes in a joint table, or where the levels of each node begin; settled (cells,):
    what findings about the node itself say for certain."""

    nodes: Array
    offsets: Array
    sizes: tuple[int, ...]
    joint: bool
    settled: Array

    @classmethod
    def of(cls, factored: Factored, findings: Findings, targets: tuple[int, ...] | None) -> Tracked:
        """The joint table of the targets; without targets, every node by itself."""
        joint = targets is not None
        nodes = np.array(range(len(factored.sizes)) if targets is None else targets, dtype=np.int64)
        sizes = tuple(factored.sizes[at] for at in nodes)
        likelihoods = likelihoods_of(factored, findings)
        possible = [likelihoods.get(int(at), np.ones(factored.sizes[at])) > 0.0 for at in nodes]
        if not joint:
            offsets = starts(sizes)[:-1]
            settled = np.concatenate([_settled(one) for one in possible]) if possible else np.zeros(0, dtype=np.bool_)
            return cls(nodes, offsets, sizes, joint, settled)
        _check(factored, nodes, sizes)
        strides = np.array([np.prod(sizes[place + 1 :], dtype=np.int64) for place in range(len(sizes))], dtype=np.int64)
        return cls(nodes, strides, sizes, joint, _settled(reduce(np.multiply.outer, possible).reshape(-1)))

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.settled)

    @property
    def begins(self) -> Array:
        """Where the cells begin that are told apart by one node, or by all together."""
        return np.zeros(1, dtype=np.int64) if self.joint else self.offsets

    @property
    def widths(self) -> Array:
        """How many cells there are from each of these places on."""
        return np.diff(np.append(self.begins, self.cells))

    def count(self, codes: Array, weights: Floats) -> Floats:
        """(cells,): the weights of draws, whose codes (nodes of the network, draws) are given, in each cell."""
        if self.joint:
            cells = sum((stride * codes[node] for node, stride in zip(self.nodes, self.offsets, strict=True)), start=0)
            return np.asarray(np.bincount(np.asarray(cells), weights, self.cells), dtype=np.float64)
        pairs = zip(self.nodes, self.sizes, strict=True)
        return np.concatenate([np.bincount(codes[node], weights, size) for node, size in pairs])

    def tables(self, cells: Floats) -> tuple[Floats, ...]:
        """What is told of each cell, as the joint table or as one array a node."""
        if self.joint:
            return (cells.reshape(self.sizes),)
        return tuple(np.split(cells, self.offsets[1:]))


def _settled(possible: Array) -> Array:
    return np.asarray(~possible | (possible.sum() == 1))


def _check(factored: Factored, nodes: Array, sizes: tuple[int, ...]) -> None:
    cells = float(np.prod(sizes, dtype=np.float64))
    if cells > MOST_JOINT_CELLS:
        names = listed([factored.graph.nodes[at] for at in nodes], 5)
        hint = f"ask for fewer nodes together; at most {MOST_JOINT_CELLS:,} cells can be estimated from draws"
        raise ModelError("M332", f"the joint table of {names} has {cells:,.0f} cells", place="targets=", hint=hint)
