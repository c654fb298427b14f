"""Ship the kernels to the rows: threads over blocks, partial statistics added in the order of the blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Floats
from likely.core.schema import Schema
from likely.core.threads import cores, in_threads
from likely.core.unusable_rows import LARGEST_NUMBER, refuse_large, too_heavy
from likely.statistics import Bundle, Counts, Moments, Points, Question, Scatter, Statistic, answer
from likely.statistics.questions import PRODUCTS, size

LARGEST_WEIGHT = 1e305  # of all rows together: beyond, sums of weights are no longer doubles
ANY_ROWS = 1 << 62  # as many rows in a block as the engine likes, for sums: the same blocks for any number of threads
ROWS_WITH_LARGE_ANSWERS = 1 << 17  # rows of a block where its answers are large tables
LARGE_ANSWER_BYTES = 1 << 27  # bytes of answers of which there should not be one more for each thread
MOST_SUMMED_BLOCKS = 8  # blocks that rows in memory are summed in, at most
VALUES_IN_ONE_BLOCK, VALUES_WORTH_A_THREAD = (
    1 << 14,
    1 << 18,
)  # values of a table that is summed in one block, and of a block that is worth a thread
SCORED_ROWS = 1 << 14  # rows scored at a time: their probabilities stay in the cache until they are normalised
# Answers of rows scored at a time, of so many rows at least: models hold as many again, several times over
SCORED_ANSWERS, LEAST_SCORED_ROWS = 1 << 23, 64
Task = Callable[[], Block]  # encodes a block, in the worker that uses it


class Blocks(Protocol):
    """Rows that are handed out in blocks, and so can be asked."""

    @property
    def rows(self) -> int | None:
        """How many rows there are, where that is known before reading them."""

    def tasks(self, schema: Schema, target: bool, rows: int, least: int = 0) -> Iterator[Task]:
        """The rows under a schema, in order, in blocks of at most so many rows; one empty block if there are none.

        Where rows lie in memory, blocks hold `least` rows, or each thread's share of them; with their target, or
        ANY_ROWS at a time, they go out in blocks that do not depend on the number of threads: sums are the same.
        """


class Source(Blocks, Protocol):
    """Rows of any origin: an engine wraps them, says what is in them, and hands them out."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the input columns."""

    def survey(self, kinds: object, classes: Sequence[object] = ()) -> Schema:
        """The schema of the rows, under what the user said of kinds and classes."""


def ask(
    source: Blocks, schema: Schema, questions: Sequence[Question], check: Callable[[Block, Schema], None] | None = None
) -> Bundle:
    """The answers that all rows give together; `check` may refuse a block."""

    def work(task: Task) -> Bundle:
        block = task()
        if check is not None:
            check(block, schema)
        bundle = Bundle({question: answer(question, schema, block) for question in questions})
        if any(map(_beyond, bundle.values())):
            refuse_large(block, schema)
        return bundle

    total: Bundle | None = None
    large = ("scatter", "quartics", *PRODUCTS)
    dependent = [question for question in questions if question.dependent or question.of in large]
    room = 8 * sum(size(question, schema) for question in dependent)
    least = 0
    if dependent:  # few large blocks, for any number of threads: every one of them answers with large tables
        least = ROWS_WITH_LARGE_ANSWERS
        if source.rows is not None and room <= LARGE_ANSWER_BYTES:
            parts = min(shares(source.rows, len(schema.columns)), LARGE_ANSWER_BYTES // max(room, 1))
            least = min(ROWS_WITH_LARGE_ANSWERS, -(-source.rows // parts))
    for part in in_threads(work, source.tasks(schema, True, ANY_ROWS, least), 1 if room > LARGE_ANSWER_BYTES else None):
        with np.errstate(over="ignore", invalid="ignore"):  # looked at once all is added up
            total = part if total is None else total.taking(part)
    assert total is not None, "a source gives at least one block"
    for question, whole in total.items():
        _refuse_heavy(question, whole, schema)
    return total


def _refuse_heavy(question: Question, whole: Statistic, schema: Schema) -> None:
    """An error if weights, or their sums with squares of numbers, are beyond what two doubles can hold."""
    if isinstance(whole, Counts) and not whole.rows.sum() <= LARGEST_WEIGHT:
        raise too_heavy("sample_weight")
    with np.errstate(over="ignore"):
        if isinstance(whole, Moments):
            if not whole.count.sum(axis=0).max(initial=0.0) <= LARGEST_NUMBER**2:
                raise too_heavy("sample_weight")
            squares = whole.squares.sum(axis=0)
        elif isinstance(whole, Scatter) and question.of == "scatter":
            squares = np.diagonal(whole.product, axis1=1, axis2=2).sum(axis=0)
        elif isinstance(whole, Points):
            values, weight = whole.values.ravel(), whole.weights.sum()
            if weight * (values @ values) <= LARGEST_NUMBER**2:  # as usual: one look at the numbers, none is missing
                return
            squares = np.square(np.fmax.reduce(np.abs(whole.values), initial=0.0)) * weight
        else:
            return
    fit = squares <= LARGEST_NUMBER**2
    if not fit.all():
        raise too_heavy(f"column {schema.columns[question.columns[int(fit.argmin())]].name!r}")


def shares(rows: int, columns: int) -> int:
    """The blocks that rows in memory are summed in: the same to the last bit only in as many, whatever the threads."""
    values = rows * columns
    return 1 if values < VALUES_IN_ONE_BLOCK else max(2, min(MOST_SUMMED_BLOCKS, values // VALUES_WORTH_A_THREAD))


def _beyond(part: Statistic) -> bool:
    """Whether a statistic holds what is infinite, or has a square that is."""
    if isinstance(part, Moments):
        return not (part.squares <= LARGEST_NUMBER**2).all()
    if isinstance(part, Scatter):
        return not (np.abs(part.product) <= LARGEST_NUMBER**2).all()
    return isinstance(part, Points) and bool((np.abs(part.values) > LARGEST_NUMBER).any())


def score(
    source: Source,
    schema: Schema,
    width: int,
    work: Callable[[Block, Floats], object],
    target: bool = False,
    rows: int = SCORED_ROWS,
) -> Floats:
    """(rows, width): what `work` writes for each block of at most `rows` rows, of fewer if wide, in order."""
    whole: Floats | None = None
    rows = min(rows, max(LEAST_SCORED_ROWS, SCORED_ANSWERS // max(width, 1)))
    if source.rows is not None:
        whole, blocks = np.empty((source.rows, width)), -(-source.rows // rows)
        if blocks > 1:  # as many for one thread as for another
            rows = -(-source.rows // (-(-blocks // cores()) * cores()))

    def fill(task: Task) -> Floats:
        block = task()
        out = np.empty((block.rows, width)) if whole is None else whole[block.start : block.start + block.rows]
        work(block, out)
        return out

    parts = list(in_threads(fill, source.tasks(schema, target, rows)))
    return np.concatenate(parts) if whole is None else whole
