"""A table of any columns as the matrix of numbers that estimators of scikit-learn take, learnt from the rows at fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Array, Floats
from likely.core.schema import DISCRETE, SKIP, Column, Schema
from likely.core.tokens import Bag
from likely.data import ArrowSource, Source, open_source
from likely.data.blocks import ANY_ROWS
from likely.data.readings.schema_readings import readings_of
from likely.errors import DataError

MOST_TFIDF_WORDS = 2000  # of all texts: those that are in most rows
BINS = 5  # into which numbers are cut for an estimator of categories alone


@dataclass(frozen=True)
class Wants:
    """What an estimator takes: missing numbers, no number below zero, codes of levels, columns that are mostly zero.

    `codes` is "all" where every column has to be a category, "levels" where an estimator is told which ones are, and ""
    where each level is a column of its own.
    """

    missing: bool = False
    positive: bool = False
    codes: str = ""
    sparse: bool = False

    @classmethod
    def of(cls, estimator: Any) -> Self:
        """As the tags of scikit-learn say."""
        tags, options = estimator.__sklearn_tags__().input_tags, estimator.get_params(deep=False)
        codes = "levels" if "categorical_features" in options else "all" if "min_categories" in options else ""
        return cls(tags.allow_nan, tags.positive_only, codes, tags.sparse)


@dataclass(frozen=True, eq=False)
class TableEncoding:
    """How rows become a matrix: numbers first, then what stands for levels, then words.

    Numbers have mean 0 and spread 1 (lie between 0 and 1 where none may be below zero), and a missing one is the
    median. Each level is a column of 0 and 1, of two levels the second alone; so is a missing value where the rows had
    one. Texts are word counts, weighed by how rare a word is, of length 1.

    >>> table = [[20.0, "C"], [None, "S"], [40.0, "Q"]]
    >>> TableEncoding.learn(table, "auto", Wants()).matrix(table).round(2).tolist()
    [[-1.22, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.22, 0.0, 1.0, 0.0]]
    """

    schema: Schema
    wants: Wants
    middle: Floats  # (numbers,) what a missing one is
    shift: Floats
    scale: Floats
    edges: tuple[Floats, ...]  # of bins, where numbers are cut
    gone: Array  # (discrete columns,) whether a value was missing
    words: tuple[tuple[Array, Floats], ...]  # of each text its words, and how rare they are

    @classmethod
    def learn(cls, X: Any, kinds: Any, wants: Wants) -> Self:
        """The encoding that rows teach."""
        source = _opened(X, kinds)
        found = source.survey(kinds)
        schema = replace(found, columns=tuple(_useful(column, _count(X)) for column in found.columns))
        block = _block(source, schema)
        numbers = block.reals
        known = [column[~np.isnan(column)] for column in numbers.T]
        middle = np.array([np.median(values) if len(values) else 0.0 for values in known])
        low = np.array([values.min() if len(values) else 0.0 for values in known])
        high = np.array([values.max() if len(values) else 0.0 for values in known])
        filled = np.where(np.isnan(numbers), middle, numbers)
        shift = low if wants.positive else filled.mean(axis=0) if len(filled) else low
        scale = high - low if wants.positive else filled.std(axis=0) if len(filled) else high
        edges = tuple(np.unique(np.quantile(values, np.arange(1, BINS) / BINS)) for values in known if len(values))
        gone = np.array([(block.codes[:, at] >= len(schema.columns[c].levels)).any() for at, c in _discrete(schema)])
        words = tuple(
            _rarity(bag, len(schema.columns[at].levels)) for bag, at in zip(block.bags, schema.of("text"), strict=True)
        )
        encoding = cls(schema, wants, middle, shift, np.where(scale > 0, scale, 1.0), edges, gone, words)
        if not encoding.width:
            hint = "give the estimator a column with values that differ, or leave it out"
            raise DataError("D137", "no column is left to learn from", place="X", hint=hint)
        return encoding

    @property
    def width(self) -> int:
        """How many columns the matrix has."""
        codes = len(self.gone) if self.wants.codes else sum(map(len, self._slots()))
        return len(self.middle) + codes + sum(len(places) for places, _ in self.words)

    @property
    def categorical(self) -> Array:
        """(width,): whether a column of the matrix holds codes of levels."""
        out = np.zeros(self.width, dtype=bool)
        out[len(self.middle) : len(self.middle) + len(self.gone)] = bool(self.wants.codes)
        return out

    @property
    def sizes(self) -> list[int]:
        """How many codes each column of the matrix may hold, where all are categories: one of them for the unseen."""
        numbers = [len(edges) + 2 for edges in self._edges()]
        return [*numbers, *(len(self.schema.columns[at].levels) + 1 for _, at in _discrete(self.schema)),
                *[2] * sum(len(places) for places, _ in self.words)]  # fmt: skip

    def matrix(self, X: Any) -> Any:
        """(rows, width): the rows; where there are texts, and the estimator takes it, mostly zeros are left out."""
        block = _block(self._opened(X), self.schema)
        parts: list[Any] = [self._numbers(block.reals), self._levels(block.codes)]
        texts = [self._text(bag, *known) for bag, known in zip(block.bags, self.words, strict=True)]
        if texts and self.wants.sparse:
            from scipy.sparse import csr_array, hstack

            found = hstack([*(csr_array(part) for part in parts), *texts], format="csr")
            found.indices, found.indptr = (one.astype(np.int32) for one in (found.indices, found.indptr))  # libsvm's
            return found
        return np.concatenate([*parts, *(text.toarray() for text in texts)], axis=1)

    def _opened(self, X: Any) -> Source:
        source = open_source(_listed(X), readings=readings_of(self.schema))
        if isinstance(source, ArrowSource) and source.named != self.schema.named:
            return source.renamed(self.schema.origins)
        return source

    def _numbers(self, numbers: Floats) -> Floats:
        if self.wants.codes == "all":
            cut = [np.searchsorted(edges, column) for edges, column in zip(self._edges(), numbers.T, strict=True)]
            codes = np.array(cut, dtype=np.float64).T.reshape(numbers.shape)
            return np.where(np.isnan(numbers), [len(edges) + 1.0 for edges in self._edges()], codes)
        filled = numbers if self.wants.missing else np.where(np.isnan(numbers), self.middle, numbers)
        scaled = (filled - self.shift) / self.scale
        return np.clip(scaled, 0.0, 1.0) if self.wants.positive else scaled

    def _edges(self) -> list[Floats]:
        """The edges between the bins of each number; none of a column without numbers."""
        return [*self.edges, *[np.zeros(0)] * (len(self.middle) - len(self.edges))]

    def _levels(self, codes: Array) -> Floats:
        if self.wants.codes:
            out = codes.astype(np.float64)
            for at, column in _discrete(self.schema):
                levels = len(self.schema.columns[column].levels)
                missing = np.nan if self.wants.missing else levels
                out[:, at] = np.where(codes[:, at] >= levels, missing, codes[:, at])
            return out
        blocks = [np.zeros((len(codes), 0))]
        for (at, _), slots in zip(_discrete(self.schema), self._slots(), strict=True):
            blocks.append((codes[:, at, None] == np.array(slots)).astype(np.float64))
        return np.concatenate(blocks, axis=1)

    def _slots(self) -> list[range]:
        """The codes of each column of levels that become columns: all levels, but of two the second; what is missing.

        Of a column that had a missing value that is the code after the last level.
        """
        out = []
        for at, column in _discrete(self.schema):
            levels, gone = len(self.schema.columns[column].levels), int(self.gone[at])
            out.append(range(int(levels == 2 and not gone), levels + gone))
        return out

    def _text(self, bag: Bag, places: Array, rarity: Floats) -> Any:
        """(rows, words) of scipy.sparse."""
        from scipy.sparse import csr_array, diags_array

        wide = max(int(bag.indices.max(initial=-1)), int(places.max(initial=-1))) + 1
        counts = csr_array((bag.data.astype(np.float64), bag.indices, bag.indptr), shape=(len(bag.indptr) - 1, wide))
        if self.wants.codes == "all":
            return (counts[:, places] > 0).astype(np.float64)
        weighed = counts[:, places] * rarity
        lengths = np.sqrt(weighed.power(2).sum(axis=1))
        return csr_array(diags_array(1.0 / np.where(lengths > 0, lengths, 1.0)) @ weighed)


def _opened(X: Any, kinds: Any) -> Source:
    return open_source(_listed(X), kinds=kinds)


def _listed(X: Any) -> Any:
    """A list of rows as an array."""
    return np.array(X, dtype=object) if isinstance(X, list | tuple) else X


def _count(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _block(source: Source, schema: Schema) -> Block:
    return Block.joined([task() for task in source.tasks(schema, False, ANY_ROWS)])


def _useful(column: Column, rows: int) -> Column:
    """The column, set aside where it tells rows apart, as an identifier does."""
    many = column.kind in DISCRETE and not column.fixed and len(column.levels) > rows / 2 > 10
    return Column(column.name, SKIP, origin=column.origin) if many or column.counts_rows else column


def _discrete(schema: Schema) -> Sequence[tuple[int, int]]:
    """The place among codes, and among all columns, of each column of levels."""
    return list(enumerate(schema.of(*DISCRETE)))


def _rarity(bag: Bag, words: int) -> tuple[Array, Floats]:
    """The places of the words that are in most rows, and the inverse document frequency of each, as usual smoothed."""
    rows = len(bag.indptr) - 1
    held = np.bincount(bag.indices, minlength=words)
    places = np.sort(np.argsort(-held, kind="stable")[: min(MOST_TFIDF_WORDS, int((held > 0).sum()))])
    return places, np.log((1 + rows) / (1 + held[places])) + 1.0
