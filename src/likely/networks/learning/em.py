"""Tables from rows with missing values: expected counts and tables by turns, until the likelihood rises no more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

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

M = TypeVar("M")  # a model
T = TypeVar("T")  # what is expected under it

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


@dataclass(frozen=True)
class EMOptions:
    """How EM runs: from which random start, until a turn gains less than `tolerance` nats a row, or how many turns."""

    seed: int = 0
    tolerance: float = GAIN_TO_GO_ON
    iterations: int = ITERATIONS


AS_USUAL = EMOptions()


def alternate(
    model: M,
    expect: Callable[[M], tuple[T, float, float]],
    improve: Callable[[T], M],
    weight: float,
    options: EMOptions,
    tick: Callable[[], object] | None = None,
) -> tuple[T, EMReport]:
    """Expectation and maximisation by turns: what is expected at last of rows of this weight, and how it was found.

    `expect` says what is expected under a model, the log likelihood, and the objective, which rises with every turn;
    `improve` gives the model that follows. `tick` is called after each turn. Interrupted by the keyboard, it gives the
    best so far.
    """
    log_likelihoods: list[float] = []
    objectives: list[float] = []
    found: T | None = None
    converged = interrupted = False
    try:
        while not converged and len(objectives) < options.iterations:
            new, log_likelihood, objective = expect(model)
            found = new
            log_likelihoods.append(log_likelihood)
            objectives.append(objective)
            converged = len(objectives) > 1 and objectives[-1] - objectives[-2] <= options.tolerance * weight
            model = improve(found)
            if tick is not None:
                tick()
    except KeyboardInterrupt:
        if found is None:
            raise
        interrupted = True
    assert found is not None, "there is at least one turn"
    return found, EMReport(tuple(log_likelihoods), tuple(objectives), converged, options.tolerance, interrupted)


def fill_in(
    start: Factored,
    codes: Array,
    weights: Floats,
    complete: Sequence[Array],
    added: Sequence[Floats],
    expected: Expected | None = None,
    options: EMOptions = AS_USUAL,
    tick: Callable[[], object] | None = None,
) -> tuple[list[Floats], EMReport]:
    """Expected counts like the tables, and how they were found.

    `codes` (rows, nodes), -1 for a missing value, are the rows that need it; `complete` are the counts of all others,
    `added` the pseudo-counts of the prior. With pseudo-counts the tables are posterior means, which are also the mode
    under a Dirichlet prior with one more in each entry: that objective rises with every turn.
    """

    def expect(tables: Factored) -> tuple[list[Floats], float, float]:
        guessed, log_likelihood = (expected or exact)(tables, codes, weights)
        log_likelihood += _log_likelihood(complete, tables)
        found = [mine + more for mine, more in zip(complete, guessed, strict=True)]
        return found, log_likelihood, log_likelihood + _log_likelihood(added, tables)

    def improve(found: list[Floats]) -> Factored:
        return Factored(start.graph, start.levels, tuple(map(normalised, found, added)))

    weight = float(weights.sum()) + sum(float(mine.sum()) for mine in complete[:1])
    return alternate(start, expect, improve, weight, options, tick)


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
