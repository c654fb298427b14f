"""Columns, their kinds and their levels: the domains that every layer above relies on.

A schema is a value. It is inferred from data or declared by the user, two schemas have a union, and a level that was
only inferred may leave again when no row supports it any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from likely.core.cache import cached_property
from likely.core.docstrings import describe
from likely.core.identifiers import identifies
from likely.core.numerics import Array
from likely.core.reading import Reading
from likely.errors import OptionError, TypeMixError, nearest
from likely.errors.options import choose

Level = str | int | float | bool

KINDS = ("real", "binary", "category", "count", "parzen", "text")
ALL_ROWS: tuple[Level, ...] = ("all rows",)  # the one cell of rows whose target is no class
DISCRETE = ("binary", "category", "cut")  # a cut column holds numbers, and its levels are the parts between its cuts
NUMERIC = ("real", "count", "parzen")
DESCRIPTIONS = ("log", "zeros", "poisson", "parzen", "bins")  # of real columns, beside the normal that they have else
UNLIKE = "unlike"  # a real column of which merged parts had other descriptions, and which is a normal since
SKIP = "skip"  # a column that is set aside: it has a place in the table and says nothing

WORDS_OF_A_TEXT = 6  # words in a value, on average, that make it text

KERNEL_NAMES = ("gaussian", "epanechnikov", "box", "triangular", "biweight")
BANDWIDTHS = ("silverman", "scott", "cv")
BAG_MODELS = ("multinomial", "complement")


@describe
@dataclass(frozen=True)
class Parzen:
    """A real column whose density is a sum of kernels, one on each training value.

    >>> Parzen(kernel="box", bandwidth=0.5)
    Parzen(kernel='box', bandwidth=0.5)
    """

    kernel: str = "gaussian"
    bandwidth: str | float = "silverman"

    def __post_init__(self) -> None:
        choose(self.kernel, KERNEL_NAMES, "kernel", "O101", place="Parzen(kernel=)")
        if isinstance(self.bandwidth, str):
            if self.bandwidth not in BANDWIDTHS:
                hint = (
                    f"choose a positive number or one of {', '.join(BANDWIDTHS)}.{nearest(self.bandwidth, BANDWIDTHS)}"
                )
                raise OptionError(
                    "O102", f"unknown bandwidth {self.bandwidth!r}", place="Parzen(bandwidth=)", hint=hint
                )
        elif not (isinstance(self.bandwidth, float | int | np.number) and 0 < self.bandwidth < np.inf):
            what = f"bandwidth {self.bandwidth} is not a positive number"
            raise OptionError("O102", what, place="Parzen(bandwidth=)", hint="try 'silverman'")
        else:
            object.__setattr__(self, "bandwidth", float(self.bandwidth))  # NumPy's numbers are no JSON


@describe
@dataclass(frozen=True)
class Text:
    """A bag of words: `multinomial`, or `complement` (each class judged by the words of all the others).

    >>> Text("complement")
    Text(bag='complement')
    """

    bag: str = "multinomial"

    def __post_init__(self) -> None:
        choose(self.bag, BAG_MODELS, "bag", "O103", place="Text(bag=)")


@dataclass(frozen=True)
class Grid:
    """The nodes laid over low..high: whole multiples of a power of two, at least NODES of them.

    Such grids nest: the one over a wider range is coarser by whole powers of two, so that counts on a finer grid carry
    over exactly, and parts that saw other ranges can be added.

    >>> Grid(0.0, 1.0).spacing, Grid(0.0, 1.0).nodes
    (0.00048828125, 2050)
    >>> Grid(0.0, 1.0).union(Grid(3.0, 9.0))
    Grid(low=0.0, high=9.0)
    """

    low: float
    high: float

    NODES: ClassVar[int] = 2048

    @property
    def spacing(self) -> float:
        width = self.high - self.low
        if not width > 0:  # one value only: any spacing that a double can resolve will do
            width = max(abs(self.low), 1.0) * 2.0**-20
        width = max(width, 1e-280)
        return float(2.0 ** np.floor(np.log2(width / self.NODES)))

    @property
    def first(self) -> int:
        """The lowest node, counted in spacings from zero."""
        return int(np.floor(self.low / self.spacing))

    @property
    def origin(self) -> float:
        return self.first * self.spacing

    @property
    def nodes(self) -> int:
        return int(np.floor(self.high / self.spacing)) + 2 - self.first

    def union(self, other: Grid) -> Grid:
        return Grid(min(self.low, other.low), max(self.high, other.high))


class Day(float):
    """Days since 1970, shown as the date, with the time of the day where there is one.

    >>> print(Day(20513.5))
    2026-03-01 12:00
    """

    def __str__(self) -> str:
        moment = np.datetime64(round(self * 1440), "m")
        return str(moment.astype("datetime64[D]")) if self.is_integer() else str(moment).replace("T", " ")


@dataclass(frozen=True)
class Column:
    """One column: its name, its kind, and its levels (or words) in order; declared ones first, and they stay."""

    name: str
    kind: str
    levels: Sequence[Level] = ()
    declared: tuple[Level, ...] = ()
    fixed: bool = False  # the user named the kind
    form: Parzen | Text | None = None
    grid: Grid | None = None
    wide: bool = False  # a whole matrix of word counts: the column stands for as many inputs as it has levels
    empty: bool = False  # no value was seen, so that the kind is only a guess
    lone: int | None = None  # real: the only value seen, 0 or 1, which may yet turn out to be binary
    hint: str = ""  # what a person should be asked about this column
    cuts: tuple[float, ...] | None = None  # numeric: the edges between its parts, where it is a parent
    counts_rows: bool = False  # real: each number is one more than the one before, as of an identifier
    whole: bool = False  # numeric: every number seen was whole, and so is what is drawn
    described: str = ""  # real: which of DESCRIPTIONS stands for the normal, in words of `NaiveBayes(descriptions=)`
    reading: Reading | None = None  # how its text was read, where that is not plain from its values
    origin: str = ""  # the column of dates of which it is a part
    date_part: str = ""  # which part: days, year, month, weekday or hour
    span: tuple[float, float] | None = field(default=None, compare=False)  # numeric: the least and the largest seen

    @property
    def family(self) -> str:
        """What it is to the families: its description, where it has one, else its kind."""
        return self.described if self.described in DESCRIPTIONS else self.kind

    def part(self, values: Array) -> Array:
        """(rows,): the part of each number between the cuts, a value on a cut below it; missing after the last."""
        found = np.searchsorted(np.array(self.cuts, dtype=np.float64), values)
        return np.where(np.isnan(values), self.parts, found)

    def rounded(self, values: Array) -> Array:
        """Numbers that were drawn, whole where all that were seen are."""
        return np.rint(values) if self.whole else values

    @cached_property
    def places(self) -> Mapping[Level, int]:
        """The place of each level: made once, as a column may have very many."""
        return {level: place for place, level in enumerate(self.levels)}

    @cached_property
    def worded(self) -> bool:
        """Whether it has levels, and all of them are words."""
        return bool(self.levels) and all(isinstance(level, str) for level in self.levels)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("places", "worded")}

    @property
    def parts(self) -> int:
        """How many cells it makes as a parent: its levels, or the parts that its cuts leave; a text makes none."""
        return len(self.levels) if self.kind in DISCRETE else 0 if self.cuts is None else len(self.cuts) + 1

    @property
    def features(self) -> int:
        """How many inputs the column stands for."""
        return len(self.levels) if self.wide else 1

    @property
    def open(self) -> bool:
        """Whether later rows may still widen the kind."""
        return not self.fixed and (self.empty or self.kind == "binary" or self.lone is not None)

    @property
    def inferred(self) -> bool:
        """Whether it is a category only because it holds words."""
        return self.kind == "category" and not self.fixed

    def identifies(self, counts: Array) -> bool:
        """Whether an inferred category has so many different values that it tells rows apart, not classes.

        >>> Column("id", "category", tuple("abc")).identifies(np.array([20, 1, 1]))
        False
        """
        return self.inferred and bool(identifies(self.name, int(np.count_nonzero(counts)), counts.sum()))

    @property
    def slots(self) -> int:
        """Places in a table of this column: its levels, then missing, then unseen."""
        return len(self.levels) + 2


def as_cut(column: Column, low: float, high: float) -> Column:
    """A numeric column with cuts, whose levels are the parts between them.

    >>> as_cut(Column("x", "real", cuts=(0.5, 2.25)), 0.0, 9.0).levels
    ('≤ 0.5', '0.5 – 2.25', '> 2.25')
    """
    assert column.cuts, "a column is cut somewhere"
    names = edge_names(column.cuts)
    middle = [f"{one} – {other}" for one, other in pairwise(names)]
    levels = (f"≤ {names[0]}", *middle, f"> {names[-1]}")
    return replace(column, kind="cut", levels=levels, declared=levels, grid=Grid(low, high), lone=None)


def edge_names(cuts: Sequence[float]) -> list[str]:
    """Edges in as few digits as tell them apart, from four on.

    >>> edge_names((0.5, 2.25001, 2.25002))
    ['0.5', '2.25001', '2.25002']
    """
    digits = next(n for n in range(4, 18) if len({f"{edge:.{n}g}" for edge in cuts}) == len(cuts))
    return [f"{edge:.{digits}g}" for edge in cuts]


def plain(level: Any) -> Level:
    """A level as a plain Python value; a whole float is the same level as the integer.

    >>> plain(np.float64(3.0)), plain(np.str_("a"))
    (3, 'a')
    """
    value = level.item() if isinstance(level, np.generic) else level
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, str | int | float | bool):
        return value
    return str(value)


def in_order(levels: Iterable[Level], place: str) -> tuple[Level, ...]:
    """Levels sorted; words and numbers in one column do not go together.

    >>> in_order({"b", "a"}, "column 'x'")
    ('a', 'b')
    """
    distinct = set(levels)
    words = {level for level in distinct if isinstance(level, str)}
    if words and words != distinct:
        number = min(distinct - words, key=float)
        what = f"words and numbers in one column, such as {min(words)!r} and {number!r}"
        hint = "make the column all text or all numbers: likely wants each argument to be a string or a number"
        raise TypeMixError("D103", what, place=place, hint=hint)
    return tuple(sorted(distinct, key=str if words else float))


@dataclass(frozen=True)
class Schema:
    """The columns and the target of a table.

    >>> schema = Schema((Column("x", "real"),), Column("y", "category", levels=("no", "yes")))
    >>> schema.features, schema.classes
    (1, ('no', 'yes'))
    """

    columns: tuple[Column, ...]
    target: Column
    named: bool = field(default=False)  # whether the names came with the data or were made up

    @property
    def without_spans(self) -> Schema:
        """The schema that does not know how far numbers went."""
        return replace(self, columns=tuple(replace(column, span=None) for column in self.columns))

    @property
    def classes(self) -> Sequence[Level]:
        return self.target.levels

    @property
    def features(self) -> int:
        """How many input columns the rows have."""
        return sum(column.features for column in self.columns)

    @property
    def origins(self) -> tuple[str, ...]:
        """The columns that rows have: one of dates has several parts here."""
        return tuple(dict.fromkeys(column.origin or column.name for column in self.columns))

    @property
    def inputs(self) -> int:
        """How many columns the rows have, each word of a matrix of words being one."""
        return self.features - len(self.columns) + len(self.origins)

    def of(self, *kinds: str) -> tuple[int, ...]:
        """Positions of the columns of these kinds."""
        return tuple(at for at, kind in enumerate(self._kinds) if kind in kinds)

    def served(self, *families: str) -> tuple[int, ...]:
        """Positions of the columns of these kinds, those with a description by that."""
        return tuple(at for at, family in enumerate(self._families) if family in families)

    def parts(self, columns: Sequence[int]) -> Array:
        """(columns,): how many cells each column makes as a parent."""
        return np.array([self.columns[at].parts for at in columns], dtype=np.int64)

    def offsets(self, columns: Sequence[int]) -> Array:
        """(columns + 1,): where each discrete column begins in a flat table, and the whole width."""
        out = np.zeros(len(columns) + 1, dtype=np.int64)
        np.cumsum(self._slots[list(columns)], out=out[1:])
        return out

    @cached_property
    def _kinds(self) -> tuple[str, ...]:
        """Of each column; schemas of many columns are asked for them again and again."""
        return tuple(column.kind for column in self.columns)

    @cached_property
    def _families(self) -> tuple[str, ...]:
        return tuple(column.family for column in self.columns)

    @cached_property
    def _slots(self) -> Array:
        return np.array([column.slots for column in self.columns], dtype=np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {name: vars(self)[name] for name in ("columns", "target", "named")}
