"""Rows too many for memory: counts are asked of the engine, pass by pass, as many in one as fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from likely.core.cache import cached_property
from likely.core.numerics import Array
from likely.core.schema import Level, Schema
from likely.data import Blocks, ask
from likely.errors import ModelError
from likely.errors.advice import Advice, InPython, Option
from likely.networks.structure.row_codes import CountsByColumn
from likely.statistics import Counts, Question
from likely.structures.search.scorer import Family

MOST_COUNTS_OF_A_PASS = 1 << 25  # entries of all counts of one pass


@dataclass(frozen=True, eq=False)
class Streamed:
    """Rows of any engine as what a search asks of them; counts that were prepared wait until they are fetched."""

    rows: Blocks
    schema: Schema
    waiting: dict[Question, Counts] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return tuple(column.name for column in self.schema.columns)

    @property
    def levels(self) -> tuple[tuple[Level, ...], ...]:
        """The levels of each node."""
        return tuple(tuple(column.levels) for column in self.schema.columns)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many levels each node has."""
        return tuple(map(len, self.levels))

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(self._alone.rows.sum())

    @cached_property
    def holes(self) -> bool:
        """Whether any value is missing."""
        return any(self._alone.table[0, start + size] for start, size in zip(self._starts, self.sizes, strict=True))

    @cached_property
    def _alone(self) -> Counts:
        return self._fetched(Question("counts", tuple(range(len(self.sizes)))))

    @cached_property
    def _starts(self) -> Array:
        return self.schema.offsets(range(len(self.sizes)))[:-1]

    def prepare(self, families: Sequence[Family], alone: bool = False) -> None:
        """Count in as few passes as memory allows what `beside` will be asked; or `seen`, of families alone."""
        ask = self._family if alone else self._beside
        self._ask([ask(node, parents) for node, parents in families if parents or not alone])

    def beside(self, node: int, parents: Sequence[int], threads: int | None = None) -> Iterator[CountsByColumn]:
        """The counts of all nodes by the cells of the parents and of the node."""
        counts = self._fetched(self._beside(node, parents))
        yield CountsByColumn(range(len(self.sizes)), counts.table, self._starts)

    def crossed(self, node: int, others: Sequence[int], given: Sequence[int]) -> tuple[Array, Array]:
        """(cells of those given and levels of the node, slots of the others), and where each of the others begins."""
        counts = self._fetched(Question("counts", tuple(others), (*given, node)))
        return counts.table, self.schema.offsets(others)[:-1]

    def counts(self, node: int, parents: Sequence[int]) -> Array:
        """(levels of parents ..., own levels): the rows that have all of them."""
        shape = tuple(self.sizes[at] for at in (*parents, node))
        return self.seen(node, parents).reshape(shape)

    def seen(self, node: int, parents: Sequence[int], threads: int | None = None) -> Array:
        """(cells of the parents, own levels): the same."""
        levels = self.sizes[node]
        if not parents:
            start = self._starts[node]
            return self._alone.table[:, start : start + levels]
        return self._fetched(self._family(node, parents)).table[:, :levels]

    def _family(self, node: int, parents: Sequence[int]) -> Question:
        return Question("counts", (node,), tuple(parents))

    def _beside(self, node: int, parents: Sequence[int]) -> Question:
        return Question("counts", tuple(range(len(self.sizes))), (*parents, node))

    def _fetched(self, question: Question) -> Counts:
        self._ask([question])
        return self.waiting.pop(question)

    def _ask(self, questions: Sequence[Question]) -> None:
        """Ask what does not wait yet."""
        asked: list[Question] = []
        room = 0
        for question in questions:
            if question in self.waiting:
                continue
            entries = self._entries(question)
            if asked and room + entries > MOST_COUNTS_OF_A_PASS:
                self._pass(asked)
                asked, room = [], 0
            asked.append(question)
            room += entries
        if asked:
            self._pass(asked)

    def _pass(self, asked: Sequence[Question]) -> None:
        for question, counts in ask(self.rows, self.schema, asked).items():
            assert isinstance(counts, Counts)
            self.waiting[question] = counts

    def _entries(self, question: Question) -> int:
        entries = prod(self.sizes[at] for at in question.by) * int(self.schema.offsets(question.columns)[-1])
        if entries > MOST_COUNTS_OF_A_PASS:
            names = ", ".join(self.schema.columns[at].name for at in question.by)
            what = f"rows are streamed, and counts by {names} would have {entries:,} entries"
            hint = Advice("say ", Option("max_parents"), ", or learn from a sample that fits into memory")
            raise ModelError("M356", what, place=Advice(InPython("learn_network(data)", "DATA")), hint=hint)
        return entries
