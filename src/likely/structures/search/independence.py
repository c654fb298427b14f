"""Whether two nodes are independent once others are given: tests of counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

import numpy as np
from scipy.special import chdtrc, gammaln, log1p

from likely.core.numerics import Array, Floats, log
from likely.errors import OptionError
from likely.errors.advice import Advice, Option
from likely.errors.options import choose, share, whole
from likely.kernels.search.independence import departures, shuffles
from likely.structures.search.scorer import Parents, Scorer

INDEPENDENCE_TESTS = ("g2", "mi", "x2", "mi-shrink", "permutation")
RELIABLE_ROWS_A_DEGREE = 5.0  # rows for each degree of freedom, below which the limit of many rows says nothing
SHUFFLES = 1000
MOST_GIVEN = 3  # nodes that a test has given: more of them part few pairs that fewer do not, and take long


class IndependenceTest(Protocol):
    """Says how surprising what two nodes tell of each other would be, were they independent once others are given."""

    def log_p(self, node: int, others: Sequence[int], given: Parents) -> Floats:
        """(others,): the log of the p-value of each; -inf where it cannot be told."""


@dataclass(frozen=True)
class ContingencyTables:
    """Counts of a node and others, side by side, within the cells of those given.

    `counts` is (cells, levels of the node, slots): those of an other begin at its start. Cells never seen may be left
    out, and rows that miss one of the three do not count.
    """

    counts: Array
    starts: Array
    sizes: Array


def crossed(scorer: Scorer, node: int, others: Sequence[int], given: Parents) -> ContingencyTables:
    """The counts of a node and each of some others within the cells of those given."""
    counts, starts = scorer.crossed(node, others, given)
    return ContingencyTables(counts, starts, np.array([scorer.sizes[at] for at in others], dtype=np.int64))


def information(scorer: Scorer, node: int, others: Sequence[int]) -> Floats:
    """(others,): what a node and each of the others tell of each other, in nats (mutual information)."""
    tables = crossed(scorer, node, others, ())
    told, _ = _departures(tables, pearson=False)
    ends = np.concatenate([[0.0], np.cumsum(tables.counts.sum(axis=(0, 1)))])
    rows = ends[tables.starts + tables.sizes] - ends[tables.starts]
    return np.asarray(np.divide(told, 2.0 * rows, out=np.zeros_like(told), where=rows > 0))


@dataclass(frozen=True)
class ChiSquareTest:
    """A test whose statistic has a chi-squared distribution when rows are many.

    "g2": G², twice the log likelihood ratio, with the degrees of freedom that the levels seen in each cell leave;
    "mi": the same number with all degrees of freedom; "x2": Pearson's X², with those of the levels seen; "mi-shrink":
    G² of shares that are shrunk towards equal ones (Hausser and Strimmer 2009), with all degrees of freedom.

    Where rows are too few for the limit to hold, nodes count as dependent: such a test parts nobody.
    """

    scorer: Scorer
    name: str = "g2"

    def log_p(self, node: int, others: Sequence[int], given: Parents) -> Floats:
        """(others,): the log of the p-value of each; -inf where rows are too few to tell."""
        sizes = self.scorer.sizes
        cells = prod(sizes[at] for at in given)
        free = np.array([(sizes[node] - 1) * (sizes[at] - 1) * cells for at in others], dtype=np.float64)
        told = np.full(len(others), -np.inf)
        known = np.flatnonzero(free * RELIABLE_ROWS_A_DEGREE <= self.scorer.weight) if given else np.arange(len(others))
        if len(known):
            told[known] = self._tested(node, [others[at] for at in known.tolist()], given, free[known])
        return told

    def _tested(self, node: int, others: Sequence[int], given: Parents, free: Floats) -> Floats:
        tables = crossed(self.scorer, node, others, given)
        if self.name == "mi-shrink":
            cells = prod(self.scorer.sizes[at] for at in (node, *given))
            return log_tail(_shrunk(tables, cells), free)
        found, seen = _departures(tables, pearson=self.name == "x2")
        return log_tail(found, free if self.name == "mi" else seen)


@dataclass(frozen=True)
class PermutationTest:
    """A test by shuffling one node within the cells of those given: exact, whatever the rows are few.

    It ends early where so many shuffles depart as far as the rows do that p is above `alpha` for sure. Each test has
    random numbers of its own, so that its answer does not depend on what was tested before.
    """

    scorer: Scorer
    alpha: float
    seed: int = 0

    def log_p(self, node: int, others: Sequence[int], given: Parents) -> Floats:
        """(others,): the log of the p-value of each."""
        tables = crossed(self.scorer, node, others, given)
        # Where no shuffle departs as far, the limit of many rows says how much farther the rows are.
        told = np.minimum(log_tail(*_departures(tables, pearson=False)), -math.log(SHUFFLES + 1))
        whole = np.rint(tables.counts).astype(np.int64)
        if not np.allclose(whole, tables.counts, atol=1e-6):
            what, hint = (
                "rows have weights that are not whole, and cannot be shuffled",
                Option("test", INDEPENDENCE_TESTS[0]),
            )
            raise OptionError("O523", what, place=Advice(Option("test", "permutation")), hint=Advice("say ", hint))
        enough = math.ceil(self.alpha * (SHUFFLES + 1))
        for at, other in enumerate(others):
            table = whole[:, :, tables.starts[at] : tables.starts[at] + tables.sizes[at]]
            table = table if node < other else table.transpose(0, 2, 1)  # the same, whichever is asked about
            start = np.random.SeedSequence([self.seed, *sorted((node, other)), *given]).generate_state(1, np.uint64)[0]
            far, done = shuffles(np.ascontiguousarray(table), SHUFFLES, enough, start)
            if far:
                told[at] = math.log(far / done if far == enough else (far + 1) / (done + 1))
        return told


def read_test(scorer: Scorer, test: Any, alpha: Any, seed: int = 0) -> tuple[IndependenceTest, float]:
    """The test that the user named, and the log of the p-value from which on nodes count as independent."""
    hint = "say how often independent nodes may be taken for dependent: between 0 and 1, as in alpha=0.05"
    share(alpha, "alpha", "O521", hint=hint)
    if hasattr(test, "log_p"):
        return test, math.log(alpha)
    choose(test, INDEPENDENCE_TESTS, "test", "O522")
    if test != "permutation":
        return ChiSquareTest(scorer, test), math.log(alpha)
    if alpha * (SHUFFLES + 1) < 1:
        least = f"{SHUFFLES} shuffles tell no p-value below {1 / (SHUFFLES + 1):.2g}"
        hint = Advice(least, ": raise alpha, or say ", Option("test", "g2"))
        raise OptionError("O526", f"alpha is {alpha!r}, too small for test='permutation'", place="alpha=", hint=hint)
    return PermutationTest(scorer, float(alpha), seed), math.log(alpha)


def read_most_given(most: Any) -> int | None:
    """How many nodes a test may have given at most; None for any number."""
    if most is None:
        return None
    whole(most, "max_given", "O524", hint="say a whole number from 0 on, or None for any number")
    return int(most)


def log_tail(found: Floats, free: Floats) -> Floats:
    """The log of the probability that a chi-squared number is larger, however small; 0 where nothing is free.

    >>> log_tail(np.array([3.841459, 5000.0, 1.0]), np.array([1.0, 1.0, 0.0])).round(3).tolist()
    [-2.996, -2504.485, 0.0]
    """
    told = log(chdtrc(np.maximum(free, 1.0), found))
    far = ~np.isfinite(told)
    if far.any():  # beyond the smallest double: the first terms of the expansion
        half, rest = found[far] / 2.0, free[far] / 2.0 - 1.0
        told[far] = rest * np.log(half) - half - gammaln(rest + 1.0) + log1p(rest / half)
    return np.where(free > 0, told, 0.0)


def _departures(tables: ContingencyTables, pearson: bool) -> tuple[Floats, Floats]:
    found, free = np.empty(len(tables.starts)), np.empty(len(tables.starts))
    departures(np.ascontiguousarray(tables.counts), tables.starts, tables.sizes, pearson, found, free)
    return found, free


def _shrunk(tables: ContingencyTables, cells: int) -> Floats:
    """G² of shares shrunk towards equal ones, by as much as their spread says."""
    out = np.empty(len(tables.starts))
    for at, (start, size) in enumerate(zip(tables.starts.tolist(), tables.sizes.tolist(), strict=True)):
        counts = tables.counts[:, :, start : start + size].astype(np.float64)
        rows, entries = counts.sum(), cells * size
        squares = float((counts**2).sum()) / rows**2 if rows else 1.0
        apart = (rows - 1.0) * (squares - 1.0 / entries)  # entries never seen are as far from equal as others
        share = min(1.0, max(0.0, (1.0 - squares) / apart)) if apart > 0 else 1.0
        counts *= 1.0 - share
        counts += share * rows / entries
        found, _ = _departures(ContingencyTables(counts, np.zeros(1, np.int64), np.array([size])), pearson=False)
        out[at] = found[0]
    return out
