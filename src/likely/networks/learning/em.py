"""Tables from rows with missing values: expected counts and tables by turns, until the likelihood rises no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import xlogy

from likely.core.numerics import Array, Floats
from likely.core.schema import Level
from likely.networks.tables.estimation import normalised
from likely.networks.tables.joint import Factored
from likely.structures.graph import Graph

GAIN_TO_GO_ON = 1e-7  # nats a row that a turn must gain to be followed by another
ITERATIONS = 500
OBJECTIVE_ROUNDING = 1e-10  # of the objective: what the sum of many logs may lose

# (tables, codes (rows, nodes) with -1 for missing values, weights (rows,)) -> expected counts like the tables, log
# likelihood
Expected = Callable[[Factored, Array, Floats], tuple[Sequence[Floats], float]]


@dataclass(frozen=True)
class EMReport:
    """How the likelihood rose, turn by turn.

    `log_likelihoods` are those of the rows. `objectives` add the logarithm of the prior (pseudo-count × log
    probability, summed over all entries), which is what rises; under maximum likelihood the two are the same.

    >>> EMReport((-12.0, -10.5), (-12.0, -10.5), True)
    EM converged after 2 turns: log likelihood -12 -> -10.5
    """

    log_likelihoods: tuple[float, ...]
    objectives: tuple[float, ...]
    converged: bool
    tolerance: float = GAIN_TO_GO_ON
    interrupted: bool = False

    @property
    def iterations(self) -> int:
        """How many turns there were."""
        return len(self.objectives)

    @property
    def monotone(self) -> bool:
        """Whether the objective never fell, but for rounding."""
        return all(new >= old - OBJECTIVE_ROUNDING * max(1.0, abs(old)) for old, new in pairwise(self.objectives))

    def __repr__(self) -> str:
        how = "was interrupted" if self.interrupted else "converged" if self.converged else "did not converge"
        rise = f"log likelihood {self.log_likelihoods[0]:.8g} -> {self.log_likelihoods[-1]:.8g}"
        fell = "" if self.monotone else "; the objective fell, which points to a fault"
        return f"EM {how} after {self.iterations} turn{'s' * (self.iterations != 1)}: {rise}{fell}"


def exact(tables: Factored, codes: Array, weights: Floats) -> tuple[Sequence[Floats], float]:
    """Expected counts by exact inference, and the log likelihood."""
    from likely.networks.inference.junction_tree import Junction  # late: complete rows need no inference

    counts, logs = Junction.of(tables).expected(codes, weights)
    return counts, float(weights @ logs)


def fill_in(
    start: Factored,
    codes: Array,
    weights: Floats,
    complete: Sequence[Array],
    added: Sequence[Floats],
    expected: Expected,
    *,
    tolerance: float = GAIN_TO_GO_ON,
    iterations: int = ITERATIONS,
    tick: Callable[[], object] | None = None,
) -> tuple[list[Floats], EMReport]:
    """Expected counts like the tables, and how they were found.

    `codes` (rows, nodes), -1 for a missing value, are the rows that need it; `complete` are the counts of all others,
    `added` the pseudo-counts of the prior. With pseudo-counts the tables are posterior means, which are also the mode
    under a Dirichlet prior with one more in each entry: that objective rises with every turn. `tick` is called after
    each turn. Interrupted by the keyboard, it gives the best so far.
    """
    weight = float(weights.sum()) + sum(float(mine.sum()) for mine in complete[:1])
    log_likelihoods: list[float] = []
    objectives: list[float] = []
    found, tables, converged, interrupted = None, start, False, False
    try:
        while not converged and len(objectives) < iterations:
            guessed, log_likelihood = expected(tables, codes, weights)
            found = [mine + more for mine, more in zip(complete, guessed, strict=True)]
            log_likelihoods.append(log_likelihood + _log_likelihood(complete, tables))
            objectives.append(log_likelihoods[-1] + _log_likelihood(added, tables))
            converged = len(objectives) > 1 and objectives[-1] - objectives[-2] <= tolerance * weight
            tables = Factored(start.graph, start.levels, tuple(map(normalised, found, added)))
            if tick is not None:
                tick()
    except KeyboardInterrupt:
        if found is None:
            raise
        interrupted = True
    assert found is not None, "there is at least one turn"
    return found, EMReport(tuple(log_likelihoods), tuple(objectives), converged, tolerance, interrupted)


def _log_likelihood(counts: Sequence[Array], tables: Factored) -> float:
    return float(sum(xlogy(mine, table).sum() for mine, table in zip(counts, tables.tables, strict=True)))


def first_tables(
    graph: Graph, levels: Sequence[Sequence[Level]], counts: Sequence[Array], alone: Sequence[Array], seed: int
) -> Factored:
    """Where EM starts: the counts of rows that have all nodes of a table, and one more in each entry.

    A table of which no row has all nodes, as with a node that is never observed, is drawn around the shares of its
    node by itself (`alone`): if all its rows were the same, they would stay so for ever.
    """
    rng = np.random.default_rng(seed)
    tables = []
    for mine, own in zip(counts, alone, strict=True):
        table = normalised(mine, 1.0)
        if not mine.any():
            table = (normalised(own, 1.0) + rng.dirichlet(np.ones(len(own)), mine.shape[:-1])) / 2.0
        tables.append(table)
    return Factored(graph, tuple(map(tuple, levels)), tuple(tables))


def join_equal(codes: Array, slots: Sequence[int], weights: Floats | None) -> tuple[Array, Floats]:
    """Each different row once, with the weight of all that are equal to it.

    >>> join_equal(np.array([[0, 1], [1, 1], [0, 1]]), [2, 2], None)
    (array([[0, 1], [1, 1]]), array([2., 1.]))
    """
    key, spread = np.zeros(len(codes), dtype=np.int64), 1
    for values, size in zip(codes.T, slots, strict=True):
        if spread > (1 << 62) // size:  # rows are numbered anew before their numbers run over
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            spread = len(codes)
        key, spread = key * size + values, spread * size
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return codes[first], np.bincount(inverse, weights=weights, minlength=len(first)).astype(np.float64)
