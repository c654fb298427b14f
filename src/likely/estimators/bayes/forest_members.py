"""How the members of a forest are drawn and weighed: from a sample of the rows, each with random numbers of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from likely.core.block import Block, coded
from likely.core.minimization import least_above
from likely.core.numerics import Array, Cells, Floats
from likely.core.schema import DISCRETE, Schema
from likely.core.threads import in_threads
from likely.data import Source
from likely.data.blocks import ANY_ROWS, Task
from likely.families.predictor import own_weights
from likely.kernels.counting.forest import find_slots, tell_about
from likely.kernels.scoring.forest import weighed_loss
from likely.models.forest import ForestModel
from likely.models.priors import log_prior
from likely.statistics.members import Member, MemberLayout, layouts

MOST_SAMPLED_ROWS, LEAST_SAMPLED_ROWS = 20_000, 256  # rows that parents and weights are learnt from
SLOTS_HELD = 1 << 23  # slots of a member that are held while its parents are found: one a row and column
TERMS_HELD = 1 << 22  # terms of a member that are held while its weights are learnt: one a row, column and class
LEAST_MEMBER_BINS, MOST_MEMBER_BINS = 3, 8  # parts of numbers in a member
EDGE_JITTER = 0.4  # of a part: how far an edge may be from its even share
ORDER_NOISE = 0.5  # times a Gumbel number, added to the logarithm of what a column tells: another order in each member
ELIGIBLE_SHARE, MOST_ELIGIBLE = 0.5, 32  # of the columns before it that one may depend on; more are not looked at
MEMBER_WEIGHT_PENALTY = 3.0  # times half the squared distance of a weight from what is usual
# Counts of a column below its parents: of a table of so many rows, and of a forest
COUNTS_A_ROW, LEAST_COUNTS, MOST_COUNTS = 8, 1 << 12, 1 << 24
SMALLEST_WEIGHT_SLOPE = 1e-4  # of the loss a row, where the search ends: a smaller one changes no fourth digit
LEAST_TOLD = 1e-12  # nats: a column that tells nothing comes last


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows spread over a table, with classes and weights, and the weight of all rows that the table has."""

    block: Block
    schema: Schema
    rows: float

    @classmethod
    def of(cls, source: Source, schema: Schema, nodes: int) -> Sample:
        """All rows, or every second, fourth, ...: which these are follows from how many there are and nothing else."""
        most = max(LEAST_SAMPLED_ROWS, min(MOST_SAMPLED_ROWS, SLOTS_HELD // max(1, nodes)))
        step = 1 if source.rows is None else _step(source.rows, most)

        def work(task: Task) -> tuple[int, Block]:
            block = task()
            return block.start + block.rows, block.some(np.arange(-block.start % step, block.rows, step))

        rows, parts, places = 0, [], []
        for stop, part in in_threads(work, source.tasks(schema, True, ANY_ROWS)):
            first = -(-rows // step) * step
            parts.append(part)
            places.append(first + step * np.arange(part.rows))
            rows = stop
            wider = _step(rows, most)
            if wider > step:
                step = wider
                parts = [one.some(np.flatnonzero(at % step == 0)) for one, at in zip(parts, places, strict=True)]
                places = [at[at % step == 0] for at in places]
        block = Block.joined(parts)
        return cls(block, schema, float(own_weights(block)[1].sum()) * step)


def _step(rows: int, most: int) -> int:
    """The least power of two that leaves at most so many rows."""
    return 1 << max(0, int(np.ceil(np.log2(max(rows, 1) / most))))


@dataclass(frozen=True, eq=False)
class MemberDrawing:
    """Draws members from a sample: `nodes` are the columns that can have parents, in the order of their names.

    codes (rows, nodes) are their levels and fine parts.
    """

    sample: Sample
    nodes: tuple[int, ...]
    codes: Array
    most_parents: int
    most_counts: int

    @classmethod
    def of(cls, sample: Sample, nodes: tuple[int, ...], most_parents: int, members: int) -> MemberDrawing:
        """Families are small enough for the rows, and for the memory."""
        room = MOST_COUNTS // max(1, members * len(nodes))
        codes = coded(sample.block, sample.schema, nodes)
        return cls(sample, nodes, codes, most_parents, min(int(COUNTS_A_ROW * sample.rows) + LEAST_COUNTS, room))

    def draw(self, seed: int, member: int) -> Member:
        """A member whose edges are fine parts, and whose parents are places among the nodes."""
        rng = np.random.default_rng([seed, member])
        edges = tuple(self._edges(place, rng) for place in range(len(self.nodes)))
        bare = Member(((),) * len(self.nodes), edges, informed=member % 2 == 0)
        (layout,) = layouts((bare,), self.nodes, self.sample.schema)
        parts = np.empty((len(self.nodes), self.sample.block.rows), dtype=np.int32)
        find_slots(self.codes, 0, layout.fine, layout.slots, parts)
        return replace(bare, parents=self._parents(parts, layout, rng))

    def _edges(self, place: int, rng: np.random.Generator) -> tuple[int, ...]:
        """Where a column of numbers is divided: parts of about equally many rows, moved at random."""
        column = self.sample.schema.columns[self.nodes[place]]
        if column.kind in DISCRETE:
            return ()
        bins = int(rng.integers(LEAST_MEMBER_BINS, MOST_MEMBER_BINS + 1))
        wanted = (np.arange(1, bins) + rng.uniform(-EDGE_JITTER, EDGE_JITTER, bins - 1)) / bins
        _, weights = own_weights(self.sample.block)
        mass = np.bincount(self.codes[:, place], weights, column.parts + 1)[: column.parts]
        if column.parts < 2 or not mass.any():
            return ()
        below = np.cumsum(mass)[:-1] / mass.sum()
        return tuple(np.unique(np.minimum(np.searchsorted(below, wanted), column.parts - 2)).tolist())

    def _parents(self, parts: Cells, layout: MemberLayout, rng: np.random.Generator) -> tuple[tuple[int, ...], ...]:
        own, weights = own_weights(self.sample.block)
        cells, mass = own.astype(np.int32), np.asarray(weights, dtype=np.float64)
        classes, sizes = len(self.sample.schema.classes), layout.sizes
        told = np.array(
            [_information(part, size, cells, mass, classes) for part, size in zip(parts, sizes, strict=True)]
        )
        order = np.argsort(-(np.log(np.maximum(told, LEAST_TOLD)) + ORDER_NOISE * rng.gumbel(size=len(parts))))
        found: list[tuple[int, ...]] = [()] * len(parts)
        room = np.empty(0)
        for place, child in enumerate(order.tolist()):
            able = order[:place][rng.random(place) < ELIGIBLE_SHARE]
            able = rng.permutation(able)[:MOST_ELIGIBLE] if len(able) > MOST_ELIGIBLE else able
            least = 2 if self.most_parents > 1 else 1
            many = int(rng.integers(least, self.most_parents + 1)) if self.most_parents else 0
            able = able[classes * sizes[able] * sizes[child] <= self.most_counts]
            if not len(able) or not many:
                continue
            width = classes * int(sizes[able].max()) * int(sizes[child])
            room = room if len(room) >= width else np.empty(width)
            nats = np.empty(len(able))
            tell_about(parts, cells, mass, child, able, sizes, classes, room, nats)
            ranked, alone = able[np.argsort(-nats, kind="stable")], classes * int(sizes[child])
            found[child] = _best(ranked, sizes, alone, many, self.most_counts)
        return tuple(found)


def _best(ranked: Array, sizes: Array, counts: int, many: int, most: int) -> tuple[int, ...]:
    """The first parents that leave no more counts than there may be."""
    chosen: list[int] = []
    for at in ranked.tolist():
        if len(chosen) < many and counts * int(sizes[at]) <= most:
            chosen.append(at)
            counts *= int(sizes[at])
    return tuple(chosen)


def _information(part: Array, size: int, cells: Array, mass: Floats, classes: int) -> float:
    """Nats that a column tells about the class."""
    table = np.bincount(cells * np.int64(size) + part, mass, classes * size).reshape(classes, size)
    whole = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    ratio = np.divide(table * whole, expected, out=np.ones_like(table), where=table > 0)
    return float((table * np.log(ratio)).sum() / whole) if whole > 0 else 0.0


def with_common_cuts(
    schema: Schema, nodes: Sequence[int], members: Sequence[Member]
) -> tuple[Schema, tuple[Member, ...]]:
    """The schema whose cuts are those that some member has, and the members that have them there."""
    columns, edges = list(schema.columns), [list(one.edges) for one in members]
    for place, at in enumerate(nodes):
        column = columns[at]
        if column.kind in DISCRETE:
            continue
        assert column.cuts is not None, "numbers are cut"
        used = sorted({edge for one in members for edge in one.edges[place]})
        columns[at] = replace(column, cuts=tuple(column.cuts[edge] for edge in used))
        at_now = {edge: now for now, edge in enumerate(used)}
        for mine in edges:
            mine[place] = tuple(at_now[edge] for edge in mine[place])
    moved = (replace(one, edges=tuple(mine)) for one, mine in zip(members, edges, strict=True))
    return replace(schema, columns=tuple(columns)), tuple(moved)


def rows_weighed(columns: int, classes: int) -> int:
    """From how many rows weights are learnt, at most: those whose terms are held."""
    return max(LEAST_SAMPLED_ROWS, TERMS_HELD // (max(1, columns) * max(1, classes)))


def bytes_of_terms(rows: int, nodes: int, beside: int, classes: int) -> int:
    """What learning the weights of one member takes: its terms, and what columns beside it say, which it copies."""
    held = min(rows, rows_weighed(nodes + beside, classes))
    return 8 * held * classes * (nodes + (nodes + 2 * beside if beside else 0))


def learn_weights(model: ForestModel, sample: Sample) -> ForestModel:
    """The model with the weights that lose least on rows of the sample, each left out, drawn a little towards one."""
    held = rows_weighed(len(model.nodes) + len(model.beside), len(model.rows))
    block = sample.block.some(np.arange(0, sample.block.rows, max(1, -(-sample.block.rows // held))))
    own, weights = own_weights(block)
    one = np.minimum(weights, 1.0)  # a row of weight 2 is two rows, of which one is left out
    block = replace(block, weights=one)
    codes, told = coded(block, model.schema, model.nodes), model.told_without(block)
    left = np.broadcast_to(np.asarray(model.rows, dtype=np.float64), (block.rows, len(model.rows))).copy()
    rows = np.arange(block.rows)
    left[rows, own] = np.maximum(left[rows, own] - one, 0.0)
    prior = log_prior("smoothed", left, model.schema.classes, model.setting.smoothing)
    cells, mass = own.astype(np.int32), np.asarray(weights, dtype=np.float64)
    # what a density says was said by the parts already, unless the rows tell otherwise; half of the members hear it
    usual = np.array([1.0] * len(model.nodes) + [float(at not in model.nodes) for at in model.beside])

    def learn(member: int) -> tuple[float, ...]:
        found, heard = np.zeros(len(usual)), (usual > 0) | (member // 2 % 2 == 0)
        terms = model.terms_without(member, block, codes)  # of columns that are always heard
        if len(told):
            terms = np.concatenate([terms, told[heard[len(model.nodes) :]]])
        found[heard] = _least(terms, prior, cells, mass, usual[heard])
        return tuple(found.tolist())

    if len(model.rows) < 2 or not block.rows:
        return model
    return replace(model, weights=tuple(in_threads(learn, range(len(model.members)))))


def _least(terms: Floats, prior: Floats, cells: Cells, mass: Floats, usual: Floats) -> Floats:
    """(columns,): the weights, none below zero, of least loss, drawn towards those that are usual."""

    def loss(at: Floats) -> tuple[float, Floats]:
        slope = np.empty(len(at))
        lost = weighed_loss(terms, prior, cells, mass, at, slope)
        away = at - usual
        return lost + MEMBER_WEIGHT_PENALTY / 2 * float((away**2).sum()), slope + MEMBER_WEIGHT_PENALTY * away

    return least_above(loss, usual, 0.0, SMALLEST_WEIGHT_SLOPE * max(1.0, float(mass.sum())))
