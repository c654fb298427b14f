"""Exact inference by messages in a junction tree: built once for a network, then asked for many rows of evidence."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.threads import cores, in_threads
from likely.kernels.junction import marginals as kernel
from likely.kernels.junction import propagation
from likely.kernels.junction.cliques import CHOSEN, CODE, SOFT, JunctionScratch, RootedTree, new_room
from likely.kernels.junction.marginals import Families, complete_rows
from likely.networks.inference.cost import cost_of, refuse_large
from likely.networks.inference.evidence import Findings
from likely.networks.inference.factors import TableFactor, factors_of, neighbours
from likely.networks.inference.junction_layout import arrays, conditional, homes, positions
from likely.networks.tables.joint import Factored, starts
from likely.structures.graph import Graph
from likely.structures.junction import JunctionTree, junction_tree

Tick = Callable[[int], object]

Lanes = tuple[int, ...] | None  # as many as rows run side by side: None for a single one
LANES_BY_TABLE_ENTRIES = (
    (float(1 << 14), (0,) * 8),
    (float(1 << 22), (0,) * 4),
)  # (entries of tables up to, lanes): caches are small
ROOMS = 1 << 28  # entries that the rooms of all threads may have: 2 GiB
ROWS_BETWEEN_TICKS = 1 << 9  # rows that a thread works on before it looks up
FEW_ROWS = 16  # are asked one after the other, by the loops of single queries: others would have to be compiled
FEWEST_SHARES = 16  # that even few rows are dealt into
BOLD = 4096  # rows that are drawn at a time


@dataclass(frozen=True, eq=False)
class Junction:
    """A junction tree whose tables hold P(what is new in a clique | its separator); log_total is what it all sums to.

    `sets` are the nodes of the factors that it was made of.
    """

    tree: JunctionTree
    arrays: RootedTree
    tables: Floats
    log_total: float
    sets: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, factored: Factored) -> Junction:
        """The junction tree of a network."""
        factors = factors_of(factored)
        return cls.over(factors, factored.sizes, tree_of(factored.graph, factored.sizes))

    @classmethod
    def over(cls, factors: Sequence[TableFactor], sizes: Sequence[int], tree: JunctionTree | None = None) -> Junction:
        """The junction tree of any product of factors."""
        tree = tree or junction_tree(neighbours(factors, len(sizes)), sizes)
        refuse_large(cost_of(tree))
        tables, log_total = conditional(tree, sizes, factors)
        return cls(tree, arrays(tree, sizes), tables, log_total, tuple(factor.nodes for factor in factors))

    def marginals(self, findings: Findings, targets: Sequence[int] | None = None) -> tuple[Floats, float]:
        """(all levels,) P(level | evidence) of the targets, by default of all nodes, and log P(evidence)."""
        places, needed = self._every if targets is None else (positions(targets), self.needed(targets))
        with self._room(None) as room:
            log_p = self._collect(room, findings, needed)
            if len(places):
                propagation.distribute(room.places, room.work, None)
                propagation.marginals(room.places, room.work, places, None)
            return room.likelihoods[:, 0].copy(), log_p

    def marginals_of_rows(
        self, codes: Array, targets: Sequence[int], tick: Tick | None = None
    ) -> tuple[Floats, Floats]:
        """(rows, levels of all targets) P(level | row) and (rows,) log P(row), of rows of codes with -1 where open."""
        first, needed, places = starts(self.arrays.sizes[list(targets)]), self.needed(targets), positions(targets)
        out, scale = np.empty((len(codes), int(first[-1]))), np.full(len(codes), self.log_total)
        codes = np.asarray(codes, dtype=np.int64)
        if len(codes) <= FEW_ROWS:
            for row, seen in enumerate(codes):
                every, scale[row] = self.marginals(Findings(seen), targets)
                for place, target in enumerate(targets):
                    out[row, first[place] : first[place + 1]] = every[self.levels(target)]
                if tick is not None:
                    tick(1)
            return out, scale

        def work(at: Array) -> int:
            found, logs = np.empty((len(at), out.shape[1])), np.zeros(len(at))
            with self._room(self._lanes) as room:
                room.want(needed)
                kernel.marginals_of_rows(
                    room.places, room.work, self.tables, codes[at], places, first, logs, found, self._lanes
                )
            out[at] = found
            scale[at] += logs
            return len(at)

        for done in in_threads(work, self._shares(codes), self._threads):
            if tick is not None:
                tick(done)
        return out, scale

    def expected(self, codes: Array, weights: Floats, tick: Tick | None = None) -> tuple[list[Floats], Floats]:
        """What each table's cells are expected to count in all rows, shaped as the tables; (rows,) log P(row)."""
        families = self._families
        scale, counts = np.full(len(codes), self.log_total), np.zeros(int(families.counts_starts[-1]))
        codes = np.asarray(codes, dtype=np.int64)

        def work(at: Array) -> tuple[Array, Floats, Floats]:
            part, logs = np.zeros(len(counts)), np.zeros(len(at))
            with self._room(self._lanes) as room:
                room.want(True)
                kernel.expected(
                    room.places, room.work, self.tables, codes[at], weights[at], *families, logs, part, self._lanes
                )
            return at, part, logs

        for at, part, logs in in_threads(work, self._shares(codes), self._threads):
            counts += part
            scale[at] += logs
            if tick is not None:
                tick(len(at))
        return self._split(counts), scale

    def families(self, findings: Findings) -> tuple[list[Floats], float]:
        """P(nodes of each table | evidence), shaped as the tables, and log P(evidence)."""
        out = np.zeros(int(self._families.counts_starts[-1]))
        with self._room(None) as room:
            log_p = self._collect(room, findings, self._every[1])
            propagation.distribute(room.places, room.work, None)
            room.scale[0] = 1.0
            kernel.spread(room.places, room.work, *self._families, out, None)
        return self._split(out), log_p

    def most_probable(self, findings: Findings) -> tuple[Array, float]:
        """(nodes,) the levels of the most probable whole that agrees with the evidence, and its log probability."""
        with self._room(None) as room:
            log_p = self._collect(room, findings, every=True, most=True)
            kernel.choose_best(room.places, room.work)
            return room.nodes[:, CHOSEN].copy(), log_p

    def draw(self, findings: Findings, n: int, seed: int | None, tick: Tick | None = None) -> tuple[Array, float]:
        """(n, nodes) levels drawn given the evidence, and log P(evidence)."""
        out = np.empty((n, len(self.arrays.sizes)), dtype=np.min_scalar_type(-int(self.arrays.sizes.max())))
        rng = np.random.default_rng(seed)
        with self._room(None) as room:
            log_p = self._collect(room, findings, every=True)
            for first in range(0, n if log_p > -np.inf else 0, BOLD):
                part = out[first : first + BOLD]
                kernel.draw(room.places, room.work, rng.random((len(part), len(self.arrays.parents))), part)
                if tick is not None:
                    tick(len(part))
        return out, log_p

    def needed(self, targets: Iterable[int]) -> Array:
        """(cliques,): on the way from a root to where the marginal of a target is read."""
        needed = np.zeros(len(self.arrays.parents), dtype=np.bool_)
        for at in targets:
            clique = int(self.arrays.home[at])
            while clique >= 0 and not needed[clique]:
                needed[clique] = True
                clique = int(self.arrays.parents[clique])
        return needed

    def _collect(
        self,
        room: JunctionScratch,
        findings: Findings,
        needed: Array | bool = False,
        every: bool = False,
        most: bool = False,
    ) -> float:
        """Messages up for one lane of evidence; log P(evidence), or, `most`, of what is most probable."""
        room.nodes[:, CODE] = findings.hard
        room.nodes[:, SOFT] = 0
        for at, values in findings.soft.items():
            room.nodes[at, SOFT] = 1
            room.likelihoods[self.levels(at), 0] = values
        room.want(needed, every, most)
        room.scale[0] = self.log_total
        propagation.prepare(room.places, 1)
        propagation.collect(room.places, room.work, self.tables, None)
        return float(room.scale[0])

    def levels(self, at: int) -> slice:
        """Where the levels of a node are among those of all."""
        return slice(int(self.arrays.level_starts[at]), int(self.arrays.level_starts[at + 1]))

    @cached_property
    def _every(self) -> tuple[Array, Array]:
        return np.arange(len(self.arrays.sizes)), np.ones(len(self.arrays.parents), dtype=np.bool_)

    @property
    def _lanes(self) -> Lanes:
        return next((lanes for most, lanes in LANES_BY_TABLE_ENTRIES if self.tree.cost <= most), None)

    @cached_property
    def _weighty(self) -> Array:
        """The nodes, first those that take most of the tables away where they are seen."""
        saved = np.zeros(len(self.arrays.sizes))
        for clique in self.tree.cliques:
            sizes = self.arrays.sizes[list(clique)]
            saved[list(clique)] += sizes.prod(dtype=np.float64) * (1.0 - 1.0 / sizes)
        return np.argsort(-saved, kind="stable")

    @property
    def _threads(self) -> int:
        """Each has a room of its own, as large as all tables."""
        return max(1, min(cores(), ROOMS // max(1, len(self.tables) * width(self._lanes))))

    def _shares(self, codes: Array) -> Iterator[Array]:
        """Rows for one thread after the other; those that have the same values come together, and share their lanes.

        A node that is seen in all lanes is no axis of the tables any more: so what matters most is sorted by first.
        """
        patterns = np.packbits(codes[:, self._weighty] >= 0, axis=1)
        order = np.lexsort(patterns.T[::-1]) if len(codes) else np.zeros(0, dtype=np.int64)
        lanes = width(self._lanes)
        share = min(
            ROWS_BETWEEN_TICKS, -(-len(codes) // (FEWEST_SHARES * lanes)) * lanes
        )  # for any number of threads: parts are added
        for first in range(0, len(order), max(share, 1)):
            yield order[first : first + share]

    def complete(self, codes: Array, draws: Array, counter: np.uint64, out: Array) -> Floats:
        """(rows,) log P(row); fills out (all draws, nodes) with `draws[row]` completions of each row of codes.

        -1 is what is missing. What is drawn depends on where the counter starts and on how many draws there are before,
        not on threads.
        """
        firsts, scale = np.cumsum(draws) - draws, np.full(len(codes), self.log_total)
        lanes, codes = self._lanes, np.asarray(codes, dtype=np.int64)

        def work(at: Array) -> None:
            logs = np.zeros(len(at))
            with self._room(lanes) as room:
                room.want(False, every=True)
                complete_rows(
                    room.places, room.work, self.tables, codes[at], firsts[at], draws[at], counter, logs, out, lanes
                )
            scale[at] += logs

        for _ in in_threads(work, self._shares(codes), self._threads):
            pass
        return scale

    @cached_property
    def _families(self) -> Families:
        shapes = [self.arrays.sizes[list(nodes)] for nodes in self.sets]
        return Families(
            positions([at for nodes in self.sets for at in nodes]),
            positions([int(shape[place + 1 :].prod()) for shape in shapes for place in range(len(shape))]),
            starts([len(nodes) for nodes in self.sets]),
            starts([int(shape.prod()) for shape in shapes]),
            positions(homes(self.tree, self.sets)),
        )

    def _split(self, counts: Floats) -> list[Floats]:
        parts = np.split(counts, self._families.counts_starts[1:-1])
        return [
            part.reshape(self.arrays.sizes[list(nodes)].tolist()) for part, nodes in zip(parts, self.sets, strict=True)
        ]

    @cached_property
    def _free(self) -> dict[int, deque[JunctionScratch]]:
        return {1: deque(), width(self._lanes): deque()}

    @contextmanager
    def _room(self, lanes: Lanes) -> Iterator[JunctionScratch]:
        """A place to work that no other thread uses; it is kept for the next one."""
        free = self._free[width(lanes)]
        try:
            room = free.pop()
        except IndexError:
            room = self._new_room(width(lanes))
        try:
            yield room
        finally:
            free.append(room)

    def _new_room(self, lanes: int) -> JunctionScratch:
        separators = sum(int(self.arrays.sizes[list(mine)].prod()) for mine in self.tree.separators)
        return new_room(self.arrays, len(self.tables), separators, lanes)


def width(lanes: Lanes) -> int:
    """How many rows run side by side."""
    return 1 if lanes is None else len(lanes)


@lru_cache(maxsize=8)
def tree_of(graph: Graph, sizes: tuple[int, ...]) -> JunctionTree:
    """The junction tree of a graph whose nodes have so many levels; kept, as tables change more often than graphs."""
    return junction_tree(graph.moral_graph().neighbour_places, sizes)
