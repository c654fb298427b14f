"""Networks learnt from rows: counts that are added, merged and taken back, and the tables that follow from them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.cache import cached_property
from likely.core.numerics import Array, Floats
from likely.core.schema import Column, Level, Schema
from likely.data import Blocks, ask
from likely.data.level_rows import ALL_IN_ONE_CELL, join_equal, source_of
from likely.data.levels.level_text import Levels, declared_levels
from likely.errors import DataError, ModelError, NotLearntError, OptionError, nearest, outside
from likely.errors.advice import Advice, Option
from likely.errors.options import number, whole
from likely.networks.learning.counts import (
    alone_of,
    bundle_of,
    carry,
    counts_of,
    every,
    questions,
    refuse_large_tables,
    spelt_as,
    unite,
    zeros,
)
from likely.networks.learning.em import (
    AS_USUAL,
    GAIN_TO_GO_ON,
    ITERATIONS,
    EMOptions,
    EMReport,
    Expected,
    fill_in,
    first_tables,
)
from likely.networks.tables.estimation import TableEstimate, estimate_tables, pseudo_counts, read_setting
from likely.networks.tables.joint import Factored
from likely.statistics import Bundle, answer
from likely.structures.graph import Graph


@dataclass(frozen=True, eq=False)
class LearntTables:
    """Counts of every node under its parents, and how they become tables.

    `partial_fit`, `merge` and `forget` give new ones. The bundle holds each node's counts by the cells of its parents,
    of the rows that have all of these nodes; and, in one answer, the counts of all nodes by themselves. After EM they
    are expected counts: adding such counts is approximate, as the missing values of either part were filled in by what
    that part knew; taking rows back is refused.
    """

    graph: Graph
    schema: Schema
    bundle: Bundle
    setting: TableEstimate
    report: EMReport | None = None
    search: EMOptions = AS_USUAL

    @property
    def levels(self) -> tuple[tuple[Level, ...], ...]:
        """The levels of each node."""
        return tuple(tuple(column.levels) for column in self.schema.columns)

    @property
    def certain(self) -> bool:
        """Whether the counts are of rows as they were, and not expected ones."""
        return self.report is None

    @property
    def weight(self) -> float:
        """The weight of all rows learnt."""
        return float(every(self.bundle, self.schema).rows.sum())

    @cached_property
    def counts(self) -> tuple[Array, ...]:
        """(levels of parents ..., own levels) for each node."""
        return counts_of(self.bundle, self.graph, self.schema)

    @cached_property
    def _tables(self) -> tuple[tuple[Floats, ...], tuple[str, ...]]:
        return estimate_tables(self.counts, self.graph.nodes, self.setting)

    def factored(self) -> Factored:
        """The tables that the counts and the prior give."""
        return Factored(self.graph, self.levels, self._tables[0])

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of the tables: rows that were never seen, missing values that EM filled in."""
        return (*((repr(self.report),) if self.report else ()), *self._tables[1])

    def partial_fit(
        self,
        data: Any,
        weights: Any = None,
        *,
        expected: Expected | None = None,
        tick: Callable[[], object] | None = None,
    ) -> LearntTables:
        """Learnt from more rows too, which may bring levels of their own where none were declared."""
        known = {column.name: column.levels for column in self.schema.columns}
        said = {column.name: column.declared for column in self.schema.columns}
        rows, schema = source_of(data, self.graph.nodes, said, weights, known=known)
        whole = unite(self.schema, schema)
        before = replace(self, schema=whole, bundle=carry(self.bundle, self.schema, whole))
        return before.taking(rows, expected, tick)

    def taking(
        self, rows: Blocks, expected: Expected | None = None, tick: Callable[[], object] | None = None
    ) -> LearntTables:
        """Learnt from a source of codes too, under the same levels."""
        refuse_large_tables(self.graph, self.schema)
        asked, holes = questions(self.graph), IncompleteRows(self.setting.missing)
        new = ask(rows, self.schema, asked, holes)
        block = holes.block(self.schema)
        if block is None:
            return replace(self, bundle=self.bundle + new).pruned()
        part = Bundle({question: answer(question, self.schema, block) for question in asked})
        return self._fill_in(self.bundle + new, self.bundle + (new - part), block, expected, tick)

    def _fill_in(
        self, seen: Bundle, complete: Bundle, block: Block, expected: Expected | None, tick: Callable[[], object] | None
    ) -> LearntTables:
        """EM over the rows with missing values; it starts from what is seen, and complete rows count as they are."""
        start = counts_of(seen, self.graph, self.schema)
        alone = [alone_of(seen, self.schema, at) for at in range(len(self.graph.nodes))]
        codes = block.codes.astype(np.int32)
        codes[codes == [len(mine) for mine in self.levels]] = -1
        assert block.weights is not None, "equal rows were joined"
        tables = first_tables(self.graph, self.levels, start, alone, self.search.seed)
        counts, report = fill_in(
            tables,
            codes,
            block.weights,
            counts_of(complete, self.graph, self.schema),
            [pseudo_counts(mine, name, self.setting) for mine, name in zip(start, self.graph.nodes, strict=True)],
            expected,
            self.search,
            tick,
        )
        if report.interrupted:
            warnings.warn("EM was interrupted: the tables of its last turn are kept", stacklevel=outside())
        return replace(self, bundle=bundle_of(counts, self.graph, self.schema), report=report).pruned()

    def merge(self, other: LearntTables) -> LearntTables:
        """Learnt from the rows of both; levels are united where they were learnt."""
        if self.graph != other.graph:
            what, hint = "the two networks have different graphs", "fit both with the same nodes and parents, in order"
            raise ModelError("M345", what, place="merge(other)", hint=hint)
        if self.setting != other.setting:
            what = f"the options differ: {self.setting} and {other.setting}"
            raise ModelError("M344", what, place="merge(other)", hint="fit both with the same options")
        whole = unite(self.schema, spelt_as(self.schema, other.schema))
        theirs = carry(other.bundle, spelt_as(self.schema, other.schema), whole)
        bundle = carry(self.bundle, self.schema, whole) + theirs
        return replace(self, schema=whole, bundle=bundle, report=self.report or other.report).pruned()

    def forget(self, data: Any, weights: Any = None) -> LearntTables:
        """As if these rows had never been learnt."""
        if not self.certain:
            hint = "fit again without these rows; with missing='ignore' rows can be taken back"
            what = "missing values were filled in by EM, which cannot be taken back row by row"
            raise ModelError("M342", what, place="forget(data)", hint=hint)
        rows, _ = source_of(data, self.graph.nodes, self.levels, weights)
        holes = IncompleteRows(self.setting.missing)
        rest = self.bundle - ask(rows, self.schema, questions(self.graph), holes)
        if holes.found or not rest.possible():
            hint = "forget takes rows (and weights) exactly as they were learnt; nothing is changed"
            what = "some of these rows were never learnt: what would remain is impossible"
            raise NotLearntError("M341", what, place="forget(data)", hint=hint)
        return replace(self, bundle=rest).pruned()

    def pruned(self) -> LearntTables:
        """Without levels that were not declared and that no row has."""
        columns = []
        for at, column in enumerate(self.schema.columns):
            seen = alone_of(self.bundle, self.schema, at) > 0
            levels = tuple(level for level, has in zip(column.levels, seen, strict=True) if has)
            columns.append(column if column.declared or not levels else replace(column, levels=levels))
        smaller = replace(self.schema, columns=tuple(columns))
        return replace(self, schema=smaller, bundle=carry(self.bundle, self.schema, smaller))


@dataclass
class IncompleteRows:
    """Sees every block counted, and keeps rows with missing values where EM is to fill them in, equal ones once."""

    missing: str
    found: list[tuple[int, Array, Floats]] = field(default_factory=list)

    def __call__(self, block: Block, schema: Schema) -> None:
        if self.missing == "ignore":
            return
        sizes = np.array([len(column.levels) for column in schema.columns])
        gone = block.codes == sizes
        rows = np.flatnonzero(gone.any(axis=1) & (True if block.weights is None else block.weights > 0))
        if not len(rows):
            return
        if self.missing == "error":
            name = schema.columns[int(gone[rows[0]].argmax())].name
            hint = Advice(
                "say ", Option("missing", "em"), " to fill missing values in, or ", Option("missing", "ignore")
            )
            place = f"column {name!r}, row {block.start + int(rows[0])}"
            raise DataError("D428", "a value is missing", place=place, hint=hint)
        weights = None if block.weights is None else block.weights[rows]
        self.found.append((block.start, *join_equal(block.codes[rows], (sizes + 1).tolist(), weights)))

    def block(self, schema: Schema) -> Block | None:
        """All rows with missing values as one block, if there are any."""
        if not self.found:
            return None
        found = sorted(self.found, key=lambda part: part[0])  # threads hand blocks in as they come
        codes, weights = (np.concatenate(parts) for parts in list(zip(*found, strict=True))[1:])
        codes, weights = join_equal(codes, [len(column.levels) + 1 for column in schema.columns], weights)
        rows = len(codes)
        return Block(rows, codes, np.empty((rows, 0)), (), np.zeros(rows, dtype=np.int32), weights)


def fit(
    graph: Graph,
    levels: Levels,
    data: Any,
    weights: Any = None,
    estimate: str = "bayes",
    prior: str | Mapping[str, Any] = "uniform",
    strength: float = 1.0,
    missing: str = "em",
    tick: Callable[[], object] | None = None,
    *,
    seed: int = 0,
    tolerance: float = GAIN_TO_GO_ON,
    iterations: int = ITERATIONS,
    expected: Expected | None = None,
) -> LearntTables:
    """The tables of a graph, learnt from rows of any origin; the options are those of `Setting`.

    `levels` of all nodes, of some, or None: the others are those that the rows have. `weights` are numbers, one a row,
    or the name of a column. Where there are missing values and missing="em", `tick` is called after each turn of EM,
    which stops when a turn gains less than `tolerance` nats a row, or after `iterations`; `seed` is for nodes never
    observed.

    >>> graph, data = Graph.of({"rain": [], "wet": ["rain"]}), {"rain": [0, 0, 1], "wet": [0, 1, 1]}
    >>> fit(graph, None, data, estimate="mle").factored().tables[1].tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    setting = read_setting(estimate, prior, strength, missing, graph.nodes)
    search = _search(seed, tolerance, iterations)
    rows, schema = source_of(data, graph.nodes, levels, weights)
    refuse_large_tables(graph, schema)
    learnt = unlearnt(graph, schema, setting, search).taking(rows, expected, tick)
    if not learnt.weight:
        raise DataError("D429", "there are no rows to learn from", place="data", hint="give at least one row")
    return learnt


def unlearnt(graph: Graph, schema: Schema, setting: TableEstimate, search: EMOptions | None = None) -> LearntTables:
    """Learnt from no rows yet."""
    return LearntTables(
        graph, schema, bundle_of(zeros(graph, schema), graph, schema), setting, search=search or AS_USUAL
    )


def from_counts(
    graph: Graph,
    levels: Levels,
    counts: Mapping[str, Any],
    estimate: str = "bayes",
    prior: str | Mapping[str, Any] = "uniform",
    strength: float = 1.0,
) -> LearntTables:
    """Learnt from counts (levels of parents ..., own levels) of each node rather than from rows."""
    said = declared_levels(graph.nodes, levels)
    columns = tuple(
        Column(name, "category", said.get(name, ()), said.get(name, ()), fixed=True) for name in graph.nodes
    )
    schema = Schema(columns, ALL_IN_ONE_CELL)
    refuse_large_tables(graph, schema)
    given = []
    for name, like in zip(graph.nodes, zeros(graph, schema), strict=True):
        mine = np.asarray(counts.get(name, np.nan))
        if mine.shape != like.shape or mine.dtype.kind not in "iuf" or not ((mine >= 0) & np.isfinite(mine)).all():
            hint = f"give an array {like.shape} of numbers from 0 on.{nearest(name, counts)}"
            raise OptionError("O490", f"no counts that fit {name!r}", place=f"counts of {name!r}", hint=hint)
        given.append(mine)
    setting = read_setting(estimate, prior, strength, "ignore", graph.nodes)
    return LearntTables(graph, schema, bundle_of(given, graph, schema), setting)


def _search(seed: int, tolerance: float, iterations: int) -> EMOptions:
    turns = whole(iterations, "iterations", "O485", least=1)
    return EMOptions(whole(seed, "seed", "O485"), number(tolerance, "tolerance", "O485"), turns)
