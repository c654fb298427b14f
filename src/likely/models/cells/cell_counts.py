"""Counts and predictors below the cells of parents: what averages and graphs are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from likely.core.cache import Cache, cached_property
from likely.core.numerics import Array, Floats, log
from likely.core.schema import DISCRETE, NUMERIC, Schema
from likely.families.defaults import groups
from likely.families.draws import Draws
from likely.families.levels import Levels
from likely.families.predictor import CellPredictor, Evidence, Family, Setting
from likely.families.smoothing import smoothed_shares
from likely.kernels.memory import CLASSES_A_VECTOR, pad_classes
from likely.models.alignment import counts_of
from likely.statistics import Bundle, Counts, Pairs, Question, Triples, triple_starts

MOST_TABLE_BYTES_KEPT = 3 << 26  # bytes of tables that are kept between blocks; beyond, they are made anew for each
MOST_BYTES_OF_WHOLE_TABLE = 1 << 24  # bytes of one table that is made whole
BYTES_OF_SMALL_TABLE = 1 << 18  # bytes of one that is made whole for a few rows too
LEVEL_STREAM, NUMBER_STREAM, OWN_STREAM = range(3)  # of what draws are, as streams of random numbers are told apart
# Numbers held of a draw of a numeric column: its parameters, and what they are made on the way
NUMBERS_A_NUMERIC_DRAW = 6
Parents = tuple[int, ...]


def numeric_groups(schema: Schema) -> tuple[tuple[Family, tuple[int, ...]], ...]:
    """The families of the numeric columns, each with its columns."""
    numeric = set(schema.of(*NUMERIC))
    return tuple((family, columns) for family, columns in groups(schema) if numeric.issuperset(columns))


def questions_by(schema: Schema, by: Parents) -> tuple[Question, ...]:
    """What to ask of the numeric columns below the cells of some parents."""
    return tuple(
        Question(question.of, question.columns, by)
        for family, columns in numeric_groups(schema)
        for question in family.questions(columns)
    )


@dataclass(frozen=True, eq=False)
class CellCounts:
    """Counts and predictors below the cells of any parents among the nodes."""

    schema: Schema
    setting: Setting
    bundle: Bundle
    rows: Array
    nodes: tuple[int, ...]

    @cached_property
    def levels(self) -> Levels:
        """The discrete columns by class."""
        sizes = np.array([len(self.schema.columns[at].levels) for at in self.discrete], dtype=np.int64)
        return Levels(counts_of(self.bundle, self.schema).table, self.rows, sizes, self.setting)

    @cached_property
    def discrete(self) -> tuple[int, ...]:
        return self.schema.of(*DISCRETE)

    @cached_property
    def parts(self) -> Array:
        """(nodes,): how many cells each node makes."""
        return self.schema.parts(self.nodes)

    @cached_property
    def starts(self) -> Array:
        """(nodes + 1,): where each node begins in the table of pairs."""
        return np.concatenate([[0], np.cumsum(self.parts)]).astype(np.int64)

    @cached_property
    def pairs(self) -> Array:
        """(classes, parts, parts)."""
        pairs = self.bundle[Question("pairs", self.nodes)]
        assert isinstance(pairs, Pairs)
        return pairs.table

    @cached_property
    def _triples(self) -> tuple[Array, dict[Parents, int]]:
        triples = self.bundle[Question("triples", self.nodes)]
        assert isinstance(triples, Triples)
        starts = triple_starts(self.parts).tolist()
        return triples.table, dict(zip(combinations(range(len(self.nodes)), 3), starts, strict=False))

    def _span(self, at: int) -> slice:
        place = self.nodes.index(at)
        return slice(int(self.starts[place]), int(self.starts[place + 1]))

    @cached_property
    def _children(self) -> Array:
        """(parts,): the discrete columns' places in the table of pairs."""
        spans = [np.arange(span.start, span.stop) for span in map(self._span, self.discrete)]
        return np.concatenate([np.zeros(0, dtype=np.int64), *spans])

    def counts(self, by: Parents, cells: Array | None = None) -> Array | None:
        """(classes, cells, parts): the discrete columns below the cells of some parents, all of them or these."""
        if not by:
            return None
        some = slice(None) if cells is None else cells
        alone = self.bundle.get(Question("counts", self.discrete, by))
        if alone is not None:
            assert isinstance(alone, Counts)
            whole = alone.table.reshape(len(self.rows), -1, alone.table.shape[1])
            return np.asarray(whole[:, some][:, :, self.levels.parts])
        if len(by) == 1:
            return np.asarray(self.pairs[:, self._span(by[0])][:, some][:, :, self._children])
        every = np.arange(int(self.schema.parts(by).prod()))
        return self._below_two(by[0], by[1], every if cells is None else cells)

    def below(self, column: int, by: Parents) -> Array | None:
        """(classes, cells, levels): one discrete column below the cells of some parents."""
        place, counts = self.discrete.index(column), self.counts(by)
        start = self.levels.starts[place]
        return None if counts is None else counts[:, :, start : start + self.levels.levels[place]]

    def _below_two(self, one: int, other: int, cells: Array) -> Array:
        classes, size = len(self.rows), max(self.schema.columns[other].parts, 1)
        out = np.zeros((classes, len(cells), len(self._children)), dtype=self.pairs.dtype)
        table, starts = self._triples
        first_part, second_part = np.divmod(cells, size)
        for at, start, levels in zip(self.discrete, self.levels.starts, self.levels.levels, strict=True):
            if at not in (one, other):
                three = sorted((self.nodes.index(node), node) for node in (one, other, at))
                first = starts[tuple(place for place, _ in three)]
                shape = [self.schema.columns[node].parts for _, node in three]
                box = table[:, first : first + int(np.prod(shape))].reshape(classes, *shape)
                order = [1 + [node for _, node in three].index(node) for node in (one, other, at)]
                out[:, :, start : start + levels] = box.transpose(0, *order)[:, first_part, second_part]
        return out

    @cached_property
    def discrete_pairs(self) -> Floats:
        """(parts, parts): rows with both of two levels, all classes together."""
        return np.ascontiguousarray(self.pairs.sum(axis=0)[np.ix_(self._children, self._children)], dtype=np.float64)

    def cell_rows(self, by: Parents) -> Array:
        """(classes, cells): the rows in each cell of some parents."""
        if len(by) == 1:
            return np.diagonal(self.pairs[:, self._span(by[0]), self._span(by[0])], axis1=1, axis2=2)
        return self.pairs[:, self._span(by[0]), self._span(by[1])].reshape(len(self.rows), -1)

    @cached_property
    def _groups(self) -> tuple[tuple[Family, tuple[int, ...]], ...]:
        return numeric_groups(self.schema)

    @cached_property
    def _numbers(self) -> Cache[Parents, tuple[tuple[tuple[int, ...], CellPredictor], ...]]:
        return Cache()

    def numbers(self, by: Parents) -> tuple[tuple[tuple[int, ...], CellPredictor], ...]:
        """The predictors of the numeric columns below the cells of some parents, each with its columns."""
        return self._numbers.get(by, lambda: tuple(self._predictor(*group, by) for group in self._groups))

    def _predictor(
        self, family: Family, columns: tuple[int, ...], by: Parents
    ) -> tuple[tuple[int, ...], CellPredictor]:
        found = family.predictor(Evidence(self.schema, columns, self.bundle, self.rows, self.setting, by))
        assert isinstance(found, CellPredictor), "numbers may have parents"
        return columns, found

    def number(self, at: int, by: Parents) -> tuple[int, CellPredictor]:
        """The predictor of one numeric column, and its place in it."""
        return next((columns.index(at), found) for columns, found in self.numbers(by) if at in columns)

    def shares(self, at: int) -> Floats:
        """(classes, levels): of a discrete column, in each class."""
        place = self.discrete.index(at)
        start = self.levels.starts[place]
        return self.levels.shares[:, start : start + self.levels.levels[place]]

    def own(self, by: Parents) -> Floats:
        """(cells, classes): log P(cell | class), as far as the parents are discrete."""
        shares = np.ones((len(self.rows), 1))
        for at in by:
            mine = self.shares(at) if at in self.discrete else np.ones((len(self.rows), self.schema.columns[at].parts))
            shares = (shares[:, :, None] * mine[:, None, :]).reshape(len(self.rows), -1)
        if not set(by) <= set(self.discrete):
            return log(shares).T
        counts = self.cell_rows(by)
        return self.joint(counts.T, counts.sum(axis=1), shares.T, self.rows, by)

    def drawn_own(self, by: Parents, draws: Draws) -> Floats:
        """(cells, draws * classes): the same, drawn from its posterior."""
        inside = tuple(at for at in by if at in self.discrete)
        if not inside:
            return np.asarray(draws.repeated(self.own(by)))
        unit = self.setting.smoothing or 1.0  # without pseudo-counts, draws still need a proper prior
        prior = unit * (self.setting.leaning * np.exp(self.own(inside)) if len(inside) == 2 else 1.0)
        masses = self.cell_rows(inside).T + prior
        mass = draws.beside(draws.rng.standard_gamma(masses, (draws.times, *masses.shape)))
        shape = [self.schema.columns[at].parts if at in inside else 1 for at in by]
        own = log(mass / mass.sum(axis=0)).reshape(*shape, mass.shape[1])
        return np.broadcast_to(own, (*self.schema.parts(by), mass.shape[1])).reshape(-1, mass.shape[1])

    def drawn_size(self, cells: float, columns: Sequence[int]) -> float:
        """How many numbers a draw of these columns is, below so many cells; one of windows is large by itself."""
        if self.schema.of("parzen"):
            return np.inf
        numbers = [self.schema.columns[at].slots if at in self.discrete else NUMBERS_A_NUMERIC_DRAW for at in columns]
        return (cells + 1) * sum(numbers) * len(self.rows)

    def joint(self, counts: Array, whole: Array, shares: Floats, rows: Array, by: Parents) -> Floats:
        """(..., classes): log P(cell | class), from the rows of the cell, of all cells, and of the class itself.

        Laplace's estimate is that of class and cell together, (n + s) / (N + s classes cells), over the class's own;
        that of one parent that is not averaged over is its share within the class.
        """
        pseudo, classes = self.setting.pseudo, len(self.rows)
        if self.setting.backoff == "even" and self.setting.joint and pseudo > 0:
            cells = int(self.schema.parts(by).prod())
            together = (counts + pseudo) / (whole.sum(axis=-1, keepdims=True) + pseudo * classes * cells)
            return log(together) - log((rows + pseudo) / (rows.sum(axis=-1, keepdims=True) + pseudo * classes))
        return (
            log(shares) if len(by) == 1 else log(smoothed_shares(counts, whole, shares, self.setting.leaning * pseudo))
        )

    def table(self, by: Parents, cells: Array) -> tuple[Floats, Array]:
        """(cells + 1, slots, padded classes), (rows,): log probabilities of discrete columns, and each row's cell.

        The first discrete parent holds what the cell itself says, where it is seen and where it is imagined; the last
        cell is none. Of a large table only the cells that the rows are in are made.
        """
        table = self._tables.find(by)
        if table is None:
            size = int(self.schema.parts(by).prod()) if by else 0
            room = (
                8
                * (size + 1)
                * int((self.levels.levels + 2).sum())
                * -(-len(self.rows) // CLASSES_A_VECTOR)
                * CLASSES_A_VECTOR
            )
            if room > MOST_BYTES_OF_WHOLE_TABLE or (room > BYTES_OF_SMALL_TABLE and len(cells) < size):
                some, at = np.unique(cells, return_inverse=True)
                known, at = some[some >= 0], np.where(cells < 0, -1, at - (some < 0).any())
                table = self._padded(by, known)
                return table, np.where(at < 0, len(table) - 1, at)
            table = self._tables.get(by, lambda: self._padded(by, np.arange(size)), room)
        return table, np.where(cells < 0, len(table) - 1, cells)

    def _padded(self, by: Parents, cells: Array) -> Floats:
        own = self.own(by)[cells] if by else None
        table = self.finished(by, self.levels.table(self.counts(by, cells)), own, cells)
        size, slots, classes = table.shape
        flat = pad_classes(table.reshape(size * slots, classes))
        return flat.reshape(size, slots, flat.shape[1])

    @cached_property
    def _tables(self) -> Cache[Parents, Floats]:
        return Cache(MOST_TABLE_BYTES_KEPT)

    def finished(self, by: Parents, table: Floats, own: Floats | None, which: Array) -> Floats:
        """A table in which the parents' slots say what the cell itself says, own (cells, classes), once.

        `which` (cells,) are the cells that the table begins with.
        """
        cells = len(which)
        values = np.unravel_index(which, tuple(self.schema.parts(by))) if by else ()
        for at, value in zip(by, values, strict=True):
            if at in self.discrete:
                place = self.discrete.index(at)
                start, levels = self.levels.offsets[place], self.levels.levels[place]
                table[:cells, start : start + levels + 2] = 0.0
                if own is not None:
                    table[np.arange(cells), start + value] = own
                    table[:cells, start + levels] = own
                    own = None
        return table
