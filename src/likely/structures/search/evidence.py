"""Log evidence of rows, tables integrated out: under pseudo-counts in each entry, or those of a prior network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from likely.core.numerics import Array, Floats
from likely.kernels.search.family_scores import family_scores
from likely.structures.search.scores import FamilyScore

Joint = Callable[[tuple[int, ...]], Floats]  # P(nodes together), an axis a node in the order asked


@dataclass(frozen=True)
class BayesianDirichletScore(FamilyScore):
    """The log probability of the rows where each row of a table is Dirichlet.

    `added` pseudo-counts are in each entry ("k2": 1, "jeffreys": 0.5); where it is None, `strength` of them are spread
    evenly over each table ("bdeu").

    >>> k2 = BayesianDirichletScore("k2", added=1.0)
    >>> round(k2.of(np.array([[1, 0]]), 1, 1.0), 6), round(k2.of(np.array([[1, 1]]), 1, 2.0), 6)  # 1/2, 1/2 x 1/3
    (-0.693147, -1.791759)
    """

    added: float | None = None
    strength: float = 1.0

    @property
    def equivalent(self) -> bool:
        return self.added is None

    def of(self, counts: Array, cells: int, weight: float) -> float:
        own = self._own(float(cells) * counts.shape[1])
        return _log_evidence(counts, np.full(counts.shape, own))

    def beside(self, counts: Array, levels: int, starts: Array, sizes: Array, cells: int, weights: Floats) -> Floats:
        own = [self._own(float(cells) * size * levels) for size in sizes.tolist()]
        return np.asarray(family_scores(np.ascontiguousarray(counts), levels, starts, sizes, np.array(own), None))

    def _own(self, entries: float) -> float:
        """The pseudo-counts in each of so many entries."""
        return self.strength / entries if self.added is None else self.added


@dataclass(frozen=True)
class PriorNetworkScore(FamilyScore):
    """The log evidence where a prior network stands for `strength` rows seen before: the score BDe.

    The pseudo-counts of a table are those rows, spread as the network believes: strength x P(parents, node). Every
    graph has so the same prior beliefs, and graphs of one class the same score.
    """

    joint: Joint
    strength: float = 1.0
    even: bool = True  # whether what is believed is of whole rows, so that graphs of one class have the same score

    @property
    def equivalent(self) -> bool:
        return self.even

    @property
    def by_cell(self) -> bool:
        return True

    def of(self, counts: Array, cells: int, weight: float) -> float:
        raise NotImplementedError("what is believed of cells depends on which they are: ask `family`")

    def family(self, node: int, parents: Sequence[int], counts: Array, cells: int) -> float:
        believed = self.strength * np.asarray(self.joint((*parents, node)), dtype=np.float64)
        return _log_evidence(counts, believed.reshape(counts.shape))


def _log_evidence(counts: Array, added: Floats) -> float:
    """Of counts (cells, levels) under so many pseudo-counts; -inf where there is a row that was held impossible."""
    entries = _rising(counts, added).sum()
    return float(entries - _rising(counts.sum(axis=1), added.sum(axis=1)).sum()) if entries > -np.inf else -np.inf


def _rising(counts: Array, added: Floats) -> Floats:
    """log of added (added + 1) (added + 2) ..., as many factors as the counts say; 0 for none."""
    out = np.zeros(counts.shape)
    seen, open_ = counts > 0, added > 0
    at = seen & open_
    out[at] = gammaln(counts[at] + added[at]) - gammaln(added[at])
    out[seen & ~open_] = -np.inf
    return out
