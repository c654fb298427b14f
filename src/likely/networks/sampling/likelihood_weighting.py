"""Rows drawn from a network, parents first; and probabilities from rows weighed by how well they fit findings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.threads import in_threads
from likely.errors import ModelError, SamplingWarning, outside
from likely.errors.advice import Advice, Option, joined
from likely.errors.options import whole
from likely.networks.inference.evidence import Findings
from likely.networks.sampling.ancestral import Forward
from likely.networks.sampling.diagnostics import with_unseen
from likely.networks.sampling.draw_counts import Tracked
from likely.networks.tables.joint import Factored

Tick = Callable[[int], object]
ROWS_OF_A_STREAM = 4096  # rows of one stream of random numbers
FEWEST_STREAMS = 20  # in which even a short run is done, so that it can be watched
FEW_EFFECTIVE_DRAWS = 100.0  # effective draws below which a standard error says little itself


@dataclass(frozen=True, eq=False)
class Sampled:
    """Probabilities estimated from draws, and how far to trust them.

    `probabilities` is the joint table of the targets, `errors` its standard errors; of all nodes at once, there are
    `marginals` and `marginal_errors` instead, an array each. `effective` is the effective sample size, that of the
    worst node where there are several; `rhat` the largest R-hat, of chains only (nan where none of them ever moved);
    `log_evidence` the log probability of the findings and `log_evidence_error` its standard error, of weighted draws
    only.
    """

    draws: int
    effective: float
    probabilities: Floats | None = None
    errors: Floats | None = None
    marginals: tuple[Floats, ...] = ()
    marginal_errors: tuple[Floats, ...] = ()
    rhat: float | None = None
    log_evidence: float | None = None
    log_evidence_error: float | None = None
    notes: tuple[str, ...] = ()

    def holding(self, tracked: Tracked, probabilities: Floats, errors: Floats) -> Sampled:
        """With what was estimated for each cell."""
        tables, spread = tracked.tables(probabilities), tracked.tables(errors)
        if tracked.joint:
            return replace(self, probabilities=tables[0], errors=spread[0])
        return replace(self, marginals=tables, marginal_errors=spread)


def draw(factored: Factored, n: int, seed: int | None = None, tick: Tick | None = None) -> Array:
    """(n, nodes): codes of the levels of rows drawn from the network, column by column in memory.

    The same seed gives the same rows, whatever the number of threads.

    >>> from likely.structures.graph import Graph
    >>> tables = np.array([0.5, 0.5]), np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> pair = Factored(Graph.of({"a": [], "b": ["a"]}), (("no", "yes"), ("no", "yes")), tables)
    >>> rows = draw(pair, 1000, seed=0)
    >>> rows.shape, bool((rows[:, 0] == rows[:, 1]).all())
    ((1000, 2), True)
    """
    rows, entropy = whole(n, "n", "O471"), read_seed(seed)
    forward = Forward.of(factored)
    codes: Array = np.empty((len(factored.sizes), rows), forward.dtype)

    def work(block: tuple[int, int, int]) -> int:
        number, begin, end = block
        forward.fill(codes, begin, end, stream(entropy, number))
        return end - begin

    for done in in_threads(work, blocks(rows)):
        if tick is not None:
            tick(done)
    return codes.T


def weighting(
    factored: Factored,
    findings: Findings,
    targets: tuple[int, ...] | None,
    draws: int = 10_000,
    seed: int | None = None,
    tick: Tick | None = None,
) -> Sampled:
    """Likelihood weighting: rows drawn with the findings held, each weighed by how likely it makes them."""
    rows, entropy = whole(draws, "draws", "O471", least=1), read_seed(seed)
    tracked = Tracked.of(factored, findings, targets)
    forward = Forward.of(factored, findings, targets)

    def work(block: tuple[int, int, int]) -> _Sums:
        number, begin, end = block
        codes, log_weights = forward.draw(end - begin, stream(entropy, number))
        return _Sums.of(tracked, codes, log_weights)

    total: _Sums | None = None
    for part in in_threads(work, blocks(rows)):
        total = part if total is None else total.taking(part)
        if tick is not None:
            tick(part.draws)
    assert total is not None, "there is at least one draw"
    return total.sampled(tracked, findings.log_scale)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Weights and their squares, by cell and in all, divided by exp(top) and its square: nothing overflows."""

    draws: int
    top: float
    weight: float
    square: float
    weights: Floats
    squares: Floats

    @classmethod
    def of(cls, tracked: Tracked, codes: Array, log_weights: Floats) -> _Sums:
        top = float(log_weights.max())
        weights = np.exp(log_weights - top) if top > -np.inf else np.zeros(len(log_weights))
        squares = weights * weights
        by_cell = tracked.count(codes, weights), tracked.count(codes, squares)
        return cls(len(weights), top, float(weights.sum()), float(squares.sum()), *by_cell)

    def taking(self, other: _Sums) -> _Sums:
        top = max(self.top, other.top)
        if top == -np.inf:
            return replace(self, draws=self.draws + other.draws)
        mine, theirs = np.exp(self.top - top), np.exp(other.top - top)
        return _Sums(
            self.draws + other.draws,
            top,
            float(self.weight * mine + other.weight * theirs),
            float(self.square * mine**2 + other.square * theirs**2),
            self.weights * mine + other.weights * theirs,
            self.squares * mine**2 + other.squares * theirs**2,
        )

    def sampled(self, tracked: Tracked, log_scale: float) -> Sampled:
        if self.weight == 0.0:
            raise impossible(self.draws)
        shares = self.weights / self.weight
        # the delta method for a ratio of sums: sum of weight² (indicator - share)²
        variance = (self.squares * (1.0 - 2.0 * shares) + shares**2 * self.square) / self.weight**2
        effective = self.weight**2 / self.square
        errors = with_unseen(np.sqrt(np.maximum(variance, 0.0)), effective)
        relative = np.sqrt(max(self.square / self.weight**2 - 1.0 / self.draws, 0.0))
        found = Sampled(
            self.draws,
            effective,
            log_evidence=float(self.top + np.log(self.weight / self.draws)) + log_scale,
            log_evidence_error=float(relative),
            notes=self._notes(effective),
        )
        return found.holding(tracked, shares, np.where(tracked.settled, 0.0, errors))

    def _notes(self, effective: float) -> tuple[str, ...]:
        if effective >= min(FEW_EFFECTIVE_DRAWS, 0.5 * self.draws):
            return ()
        few = (
            f"the weights of {self.draws:,} draws are worth {effective:.3g} equal ones: few draws fit the findings, "
            "and the standard errors may be too small; draw more, or ask "
        )
        notes = (Advice(few, Option("method", "exact"), " or ", Option("method", "gibbs")),)
        warn(notes)
        return notes


def warn(notes: tuple[str, ...]) -> None:
    """One warning for all that is to be said of a sampler."""
    if notes:
        warnings.warn(joined(notes, ";\n"), SamplingWarning, stacklevel=outside())


def impossible(draws: int) -> ModelError:
    """No draw is possible under the findings."""
    hint = Advice("ask ", Option("method", "exact"), ", which tells the impossible from the rare; or draw more")
    what = f"the evidence is impossible, or too rare: none of {draws:,} draws fits it"
    return ModelError("M331", what, place="evidence=", hint=hint)


def blocks(rows: int) -> Iterator[tuple[int, int, int]]:
    """(number, begin, end) of each block of rows; they depend on nothing but how many there are."""
    size = min(ROWS_OF_A_STREAM, max(ROWS_OF_A_STREAM // 8, -(-rows // FEWEST_STREAMS)))
    for number, begin in enumerate(range(0, rows, size)):
        yield number, begin, min(begin + size, rows)


def stream(entropy: int, *which: int) -> np.uint64:
    """Where the stream of random numbers of a block, or of a chain, starts."""
    return np.uint64(np.random.SeedSequence(entropy, spawn_key=which).generate_state(1, np.uint64)[0])


def read_seed(seed: Any) -> int:
    """The seed of random numbers; a fresh one where none is given."""
    if seed is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    return whole(seed, "seed", "O475")
