"""Gibbs sampling: start from the evidence, then draw each hidden node anew from its Markov blanket, sweep after sweep.

Every few sweeps a chain is offered a fresh start, a row drawn parents first with the evidence held, and takes it by
the rule of Metropolis and Hastings: so tables with zeros cannot lock it for ever, though perhaps for long.
"""

from __future__ import annotations

from threading import Lock

import numpy as np

from likely.core.numerics import Array, Floats
from likely.core.threads import in_threads
from likely.errors import listed
from likely.errors.advice import Advice, Option
from likely.errors.options import whole
from likely.kernels.arithmetic.random_numbers import GOLDEN_GAMMA
from likely.kernels.junction.gibbs import settle, sweep
from likely.networks.inference.evidence import Findings
from likely.networks.sampling.ancestral import Forward, likelihoods_of
from likely.networks.sampling.determinism import ties
from likely.networks.sampling.diagnostics import (
    LARGEST_RHAT,
    LEAST_EFFECTIVE,
    effective_size,
    pooled,
    rhat,
    with_unseen,
)
from likely.networks.sampling.draw_counts import Tracked
from likely.networks.sampling.likelihood_weighting import (
    FEWEST_STREAMS,
    ROWS_OF_A_STREAM,
    Sampled,
    Tick,
    impossible,
    read_seed,
    stream,
    warn,
)
from likely.networks.tables.joint import Factored, starts

FRESH = 8  # sweeps from one offer of a fresh start to the next
MOST_TRIED_BLOCKS = 256  # blocks of rows among which a possible start is looked for
BATCHES = 256  # of each chain, whose counts are kept apart
FEWEST_BATCHES = 16  # batches, where cells are so many that more would take too much memory
MOST_COUNTS_KEPT = 1 << 24  # counts that are kept
FACTORS_BETWEEN_TICKS = 40_000_000  # read before whoever waits is told: about a tenth of a second


def gibbs(
    factored: Factored,
    findings: Findings,
    targets: tuple[int, ...] | None,
    draws: int = 10_000,
    chains: int = 4,
    burn_in: int | None = None,
    thin: int = 1,
    seed: int | None = None,
    tick: Tick | None = None,
) -> Sampled:
    """Probabilities of the targets, or of every node, from chains that have `draws` draws together.

    The first `burn_in` sweeps of each chain are dropped (a fifth of its length and at least 100, where none is said),
    and of the rest every `thin`-th is kept.
    """
    entropy, many = read_seed(seed), whole(chains, "chains", "O472", least=1)
    length = -(-whole(draws, "draws", "O471", least=1) // many)
    thinned = whole(thin, "thin", "O474", least=1)
    burnt = max(100, length * thinned // 5) if burn_in is None else whole(burn_in, "burn_in", "O473")
    tracked = Tracked.of(factored, findings, targets)
    run = _GibbsRun(Forward.of(factored, findings, targets), findings, tracked, length, thinned)
    spans = _spans(-burnt, length * thinned, run.pace)
    running = [_Chain(run, spans, entropy, number) for number in range(many)]
    for kept in in_threads(_Chain.move, running * len(spans)):
        if tick is not None:
            tick(kept)
    return _judged(run, running)


def _spans(begin: int, end: int, pace: int) -> list[tuple[int, int]]:
    step = max(1, min(pace, -(-(end - begin) // FEWEST_STREAMS)))
    return [(at, min(at + step, end)) for at in range(begin, end, step)]


class _GibbsRun:
    """What all chains share: which nodes are hidden, their tables times the likelihoods, what is counted."""

    def __init__(self, forward: Forward, findings: Findings, tracked: Tracked, length: int, thin: int) -> None:
        factored = forward.factored
        flat, likelihoods = factored.flat, likelihoods_of(factored, findings)
        self.forward, self.findings, self.tracked, self.length, self.thin = forward, findings, tracked, length, thin
        self.hidden = forward.order[findings.hard[forward.order] < 0]
        self.told = np.array(sorted(likelihoods), dtype=np.int64)
        self.values = flat.values.copy()
        for node, likelihood in findings.soft.items():
            start, table = flat.starts[node], factored.tables[node]
            self.values[start : start + table.size] = (table * likelihood).reshape(-1)
        self.children = _among(forward)
        batches = min(BATCHES, max(FEWEST_BATCHES, MOST_COUNTS_KEPT // max(tracked.cells, 1)))
        self.batch = max(1, length // batches)
        below = np.diff(self.children[2])[self.hidden]
        self.pace = int(FACTORS_BETWEEN_TICKS // max(1, int((flat.sizes[self.hidden] * (2 + below)).sum())))

    @property
    def ties(self) -> list[int]:
        """The nodes whose tables have zeros that tie hidden nodes to each other.

        Where the possible combinations of the hidden nodes in every table are all combinations of their possible
        levels, every state can be reached from every other one by moves of single nodes.
        """
        return [int(node) for node in self.forward.order if self._ties(int(node))]

    def _ties(self, node: int) -> bool:
        factored, hard = self.forward.factored, self.findings.hard
        family = (*factored.graph.parent_places[node], node)
        table = factored.tables[node][tuple(slice(None) if hard[at] < 0 else hard[at] for at in family)]
        free = [at for at in family if hard[at] < 0]
        possible = table > 0.0
        for axis, at in enumerate(free):
            if at in self.findings.soft:
                shape = [-1 if place == axis else 1 for place in range(len(free))]
                possible = possible & (self.findings.soft[at] > 0.0).reshape(shape)
        return ties(possible)


def _among(forward: Forward) -> tuple[Array, Array, Array]:
    """children, strides and starts as in `FlatTables`, without children that do not matter: their tables sum to one."""
    flat = forward.factored.flat
    kept = np.isin(flat.children, forward.order)
    return flat.children[kept], flat.child_strides[kept], starts(kept)[flat.child_starts]


class _Chain:
    """One state that moves, and what was counted on its way."""

    def __init__(self, run: _GibbsRun, spans: list[tuple[int, int]], entropy: int, number: int) -> None:
        sizes = run.forward.factored.sizes
        self.run, self.spans, self.lock = run, iter(spans), Lock()
        self.counter = np.array([stream(entropy, number, 0)])
        self.restarts = np.array([stream(entropy, number, 1)])
        self.codes, self.places = self._start(), np.zeros(len(sizes), dtype=np.int64)
        for nodes in (run.hidden, run.told):
            settle(self.codes, nodes, *self._tables(), self.places)
        self.counts = np.zeros((-(-run.length // run.batch), run.tracked.cells), dtype=np.int32)
        self.free = np.zeros(len(sizes), dtype=np.bool_)
        self.offered = self.accepted = 0

    def _start(self) -> Array:
        """The evidence, and levels of all other nodes with which it is possible."""
        for _ in range(MOST_TRIED_BLOCKS):
            codes, log_weights = self._fresh(ROWS_OF_A_STREAM)
            possible = np.flatnonzero(log_weights > -np.inf)
            if len(possible):
                return codes[:, possible[0]].astype(np.int64)
        raise impossible(MOST_TRIED_BLOCKS * ROWS_OF_A_STREAM)

    def _fresh(self, rows: int) -> tuple[Array, Floats]:
        drawn = self.run.forward.draw(rows, self.restarts[0])
        self.restarts += GOLDEN_GAMMA * np.array(
            [rows * len(self.run.forward.order)], dtype=np.uint64
        )  # wraps, as it must
        return drawn

    def _tables(self) -> tuple[Array, Array, Array, Array]:
        flat = self.run.forward.factored.flat
        return flat.starts, flat.parents, flat.parent_strides, flat.parent_starts

    def move(self) -> int:
        """Make the sweeps of the next span; those of numbers below zero are not counted. How many draws were kept."""
        run = self.run
        with self.lock:  # another thread may still be at the span before
            begin, end = next(self.spans)
            fresh = self._fresh(-(-end // FRESH) - -(-begin // FRESH))
            self.offered += len(fresh[1])
            self.accepted += sweep(
                *(end - begin, begin, run.thin, run.batch, FRESH),
                *(run.hidden, run.forward.factored.flat.sizes, run.values, *run.children),
                *(self.codes, self.places, self.counter, *fresh, run.told, run.forward.log_weights, *self._tables()),
                *(run.tracked.nodes, run.tracked.offsets, run.tracked.joint, self.counts, self.free),
            )
        return max(end, 0) // run.thin - max(begin, 0) // run.thin


def _judged(run: _GibbsRun, chains: list[_Chain]) -> Sampled:
    """The shares of the cells, and how far they can be trusted."""
    draws = run.length * len(chains)
    counts = np.array([chain.counts for chain in chains])
    shares = counts.sum(axis=(0, 1)) / draws
    whole_batches = counts[:, : run.length // run.batch]
    apart, sizes = rhat(whole_batches, run.batch), effective_size(whole_batches, run.batch)
    ties, accepted = run.ties, sum(chain.accepted for chain in chains)
    # a level that never changed says nothing of how freely chains move: where zeros may hold it, count the starts
    still = min(float(len(chains) + accepted), draws) if ties else float(draws)
    together = np.nan_to_num(pooled(shares, sizes, run.tracked.begins), nan=still)
    loose = ~run.tracked.settled
    open_ones = together[np.logical_or.reduceat(loose, run.tracked.begins)]
    sizes = np.minimum(np.nan_to_num(sizes, nan=still), np.repeat(together, run.tracked.widths))
    # how long chains take to meet what is rare is told by nodes that move, not by the few visits themselves
    typical = np.minimum(sizes, np.median(open_ones)) if len(open_ones) else sizes
    errors = with_unseen(np.sqrt(shares * (1.0 - shares) / sizes), typical)
    effective = float(open_ones.min(initial=draws))
    told = apart[loose & ~np.isnan(apart)]
    largest = float(told.max()) if len(told) else np.nan  # nothing moved: nobody knows
    notes = (*_tied(run, chains, ties), *_apart(largest, effective, draws))
    warn(notes)
    found = Sampled(draws, effective, rhat=largest, notes=notes)
    return found.holding(run.tracked, shares, np.where(run.tracked.settled, 0.0, errors))


def _tied(run: _GibbsRun, chains: list[_Chain], ties: list[int]) -> tuple[str, ...]:
    """What is to be said of tables with zeros."""
    if not ties:
        return ()
    names = run.forward.factored.graph.nodes
    offered, accepted = sum(chain.offered for chain in chains), sum(chain.accepted for chain in chains)
    still = np.array([~chain.free for chain in chains])
    locked = [names[at] for at in run.hidden if still[:, at].any() and _tied_to(run, int(at), ties)]
    text = (
        f"zeros in the tables of {listed([names[at] for at in ties], 5)} tie hidden nodes together, so that moves of "
        f"single nodes may not reach every state; of {offered:,} fresh starts {accepted:,} were taken"
    )
    if locked:
        text += f"; in some chain {listed(locked, 5)} could never move alone"
    return (Advice(f"{text}; check with ", Option("method", "exact"), " or ", Option("method", "weighting")),)


def _tied_to(run: _GibbsRun, node: int, ties: list[int]) -> bool:
    graph = run.forward.factored.graph
    return node in ties or any(child in ties for child in graph.child_places[node])


def _apart(largest: float, effective: float, draws: int) -> tuple[str, ...]:
    """What is to be said of chains that disagree, or whose draws are worth little."""
    notes: list[str] = []
    if largest > LARGEST_RHAT:
        disagree = f"the chains do not agree: R-hat is {largest:.3g}, above {LARGEST_RHAT}; draw more, or ask "
        notes.append(Advice(disagree, Option("method", "exact")))
    if effective < LEAST_EFFECTIVE:
        notes.append(
            f"{draws:,} draws are worth {effective:.3g} independent ones, below {LEAST_EFFECTIVE:.0f}: the standard "
            "errors may be too small; draw more"
        )
    return tuple(notes)
