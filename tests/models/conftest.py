"""A classifier of dependent levels in plain loops over the rows, and small random tables to try it on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

LEVELS = "abcd"
Given = tuple[tuple[int, Any], ...]  # parents and their values
AVERAGED, GRAPHED = (2.0, 0.25), (5.0, 0.5)  # what the class, and each level, are worth to a cell below it


def log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def log_sum(terms: Sequence[float]) -> float:
    top = max(terms, default=-math.inf)
    return top if math.isinf(top) else top + math.log(sum(math.exp(term - top) for term in terms))


def lean(count: float, whole: float, base: float, worth: float) -> float:
    return (count + worth * base) / (whole + worth) if whole + worth > 0 else base


@dataclass
class Table:
    """Rows of levels, None where missing, their classes and weights; the levels and classes that the model knows."""

    X: list[list[Any]]
    y: list[int]
    weights: list[float] | None
    levels: list[list[str]]
    classes: list[int]
    declared: bool

    @property
    def kinds(self) -> Any:
        return {f"x{at}": list(levels) for at, levels in enumerate(self.levels)} if self.declared else "category"

    def fit(self, model: Any) -> Any:
        model.set_params(kinds=self.kinds)
        return model.partial_fit(self.X, self.y, classes=self.classes, sample_weight=self.weights)


def make_table(
    seed: int,
    rows: int = 20,
    classes: int = 2,
    columns: int = 3,
    holes: float = 0.0,
    weights: str = "none",
    declared: bool = False,
    ghost: bool = False,
) -> Table:
    """Columns of two to four levels (the last may be constant) that lean on the class and on the column before."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    sizes = rng.integers(2, 5, columns)
    if columns > 1 and seed % 5 == 0:
        sizes[-1] = 1
    values = np.zeros((rows, columns), dtype=int)
    for at, size in enumerate(sizes):
        before = values[:, at - 1] if at else 0
        values[:, at] = np.where(rng.random(rows) < 0.5, (y + before) % size, rng.integers(0, size, rows))
    gone = rng.random(values.shape) < holes
    X = [
        [None if hole else LEVELS[v] for v, hole in zip(row, lost, strict=True)]
        for row, lost in zip(values, gone, strict=True)
    ]
    weight = {"none": None, "whole": rng.integers(1, 4, rows), "some": rng.choice([0.5, 1.25, 0.1, 2.0], rows)}[weights]
    known = [list(LEVELS[:size]) for size in sizes]
    if not declared:
        known = [sorted({row[at] for row in X} - {None}) for at in range(columns)]
    present = sorted({int(c) for c in y} | ({7} if ghost else set()))
    told = None if weight is None else [float(w) for w in weight]
    return Table(X, [int(c) for c in y], told, known, present, declared)


def make_strangers(table: Table, seed: int, rows: int = 12, holes: float = 0.0, unseen: float = 0.1) -> list[list[Any]]:
    """Rows to be judged, some of their levels never seen."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(rows):
        row: list[Any] = []
        for levels in table.levels:
            draw = rng.random()
            new = draw < unseen or not levels
            row.append(None if draw > 1 - holes else "z" if new else levels[rng.integers(len(levels))])
        out.append(row)
    return out


@dataclass
class Mixed:
    """Rows of levels and numbers with everything declared that a fit would else learn from them."""

    X: list[list[Any]]
    y: list[int]
    weights: list[float] | None
    kinds: dict[str, Any]
    cuts: dict[str, list[float]]
    classes: list[int]
    numbers: str = "density"

    def fit(self, model: Any, at: Sequence[int] | None = None) -> Any:
        """The model of all rows, or of some of them."""
        at = range(len(self.y)) if at is None else at
        model.set_params(kinds=self.kinds, cuts=self.cuts, numbers=self.numbers)
        weights = None if self.weights is None else [self.weights[row] for row in at]
        X, y = [self.X[row] for row in at], [self.y[row] for row in at]
        return model.partial_fit(X, y, classes=self.classes, sample_weight=weights)


CUTS = {"real": [0.5], "count": [0.0, 2.0], "parzen": [-0.5, 1.0]}


def make_mixed(seed: int, kinds: str, rows: int = 24, holes: float = 0.0, weights: str = "none") -> Mixed:
    """Columns of the kinds that the letters name (l levels, r real, n count, p parzen), leaning on class and neighbour.

    The ends of a parzen column come twice, so that its grid is the same without any one row.
    """
    rng = np.random.default_rng(seed)
    names = {"l": "category", "r": "real", "n": "count", "p": "parzen"}
    y, before = rng.integers(0, 2, rows), np.zeros(rows)
    columns: list[list[Any]] = []
    for letter in kinds:
        push = y + before + rng.normal(0, 0.3, rows)
        if letter == "l":
            codes = np.where(rng.random(rows) < 0.6, np.rint(push).astype(int) % 3, rng.integers(0, 3, rows))
            columns.append([LEVELS[code] for code in codes])
            before = codes % 2
        elif letter == "n":
            counts = rng.poisson(0.7 + 1.2 * np.abs(push))
            columns.append([int(count) for count in counts])
            before = counts > 1
        else:
            values = np.round(rng.normal(push, 1.0), 3)
            if letter == "p":
                values = np.clip(values, -2.0, 3.0)
                values[:2], values[2:4] = -2.0, 3.0
            columns.append([float(value) for value in values])
            before = values > 0.5
    gone = rng.random((rows, len(kinds))) < holes
    for at, letter in enumerate(kinds):
        gone[:4, at] &= letter != "p"
    X = [[None if gone[row, at] else columns[at][row] for at in range(len(kinds))] for row in range(rows)]
    weight = {"none": None, "whole": rng.integers(1, 4, rows), "some": rng.choice([0.5, 1.25, 0.1, 2.0], rows)}[weights]
    kind = {f"x{at}": list("abc") if letter == "l" else names[letter] for at, letter in enumerate(kinds)}
    cuts = {f"x{at}": CUTS[names[letter]] for at, letter in enumerate(kinds) if letter != "l"}
    return Mixed(X, [int(c) for c in y], None if weight is None else [float(w) for w in weight], kind, cuts, [0, 1])


@dataclass
class Brute:
    """Counts taken anew from the rows for every number that is asked."""

    table: Table
    smoothing: float = 1.0
    backoff: str = "class"
    priors: Any = "smoothed"
    without: int | None = None  # the row that was never seen
    single: bool = False  # or only one of it, where its weight says that it is several
    joint: bool = True  # parents are smoothed together with the class, as AODE's are
    known: dict[Any, float] = field(default_factory=dict)

    def weight(self, given: Given, c: int | None = None, present: Sequence[int] = ()) -> float:
        """The weight of the rows (of a class) that have these values, and any value of some columns."""
        key = (given, c, tuple(present))
        if key not in self.known:
            table, total = self.table, 0.0
            weights = table.weights or [1.0] * len(table.y)
            for at, (row, label, w) in enumerate(zip(table.X, table.y, weights, strict=True)):
                fits = all(row[j] == v for j, v in given) and all(row[j] is not None for j in present)
                gone = 0.0 if at != self.without else min(w, 1.0) if self.single else w
                if fits and (c is None or label == c):
                    total += w - gone
            self.known[key] = total
        return self.known[key]

    def size(self, j: int) -> int:
        return len(self.table.levels[j])

    def is_new(self, j: int, v: Any) -> bool:
        return v not in self.table.levels[j]

    def in_column(self, j: int, v: Any) -> float:
        s, k, whole = self.smoothing, self.size(j), self.weight((), None, (j,))
        if self.is_new(j, v):
            return s / (whole + s * (k + 1))
        return (self.weight(((j, v),)) + s) / (whole + s * k) if whole + s > 0 else 1 / k

    def in_class(self, j: int, v: Any, c: int) -> float:
        """P(level | class)."""
        s, k, new, whole = self.smoothing, self.size(j), self.is_new(j, v), self.weight((), c, (j,))
        if new and s == 0:
            return 1.0  # it says nothing
        count = 0.0 if new else self.weight(((j, v),), c)
        if self.backoff == "column":
            return lean(count, whole, self.in_column(j, v), 2 * s)
        return lean(count, whole, 1 / (k + new), s * (k + new))

    def in_cell(self, j: int, v: Any, c: int, given: Given, worth: tuple[float, float]) -> float:
        """P(level | class, values of the parents); `worth`, what the class and each level are to the cell."""
        if not given or any(self.is_new(i, u) for i, u in given):
            return self.in_class(j, v, c)
        s, new, whole = self.smoothing, self.is_new(j, v), self.weight(given, c, (j,))
        k = self.size(j) + new
        if new and s == 0:
            return 1.0
        count = 0.0 if new else self.weight((*given, (j, v)), c)
        if self.backoff == "even":
            return lean(count, whole, 1 / k, s * k)
        if self.backoff == "column":
            return lean(count, whole, self.in_column(j, v), 2 * s)
        leaning, evenly = worth
        base = (leaning * self.in_class(j, v, c) + evenly) / (leaning + evenly * k)
        return lean(count, whole, base, s * (leaning + evenly * k))

    def log_prior(self, c: int) -> float:
        classes = self.table.classes
        if self.priors == "uniform":
            return -math.log(len(classes))
        if isinstance(self.priors, dict):
            return log(self.priors[c] / sum(self.priors.values()))
        s = self.smoothing if self.priors == "smoothed" else 0.0
        return log((self.weight((), c) + s) / (self.weight(()) + s * len(classes)))

    def own(self, given: Given, c: int) -> float:
        """log P(values of the parents | class)."""
        parents, s, classes = [i for i, _ in given], self.smoothing, len(self.table.classes)
        if self.backoff == "even" and self.joint and s > 0:
            cells = math.prod(map(self.size, parents))
            both = (self.weight(given, c) + s) / (self.weight((), None, parents) + s * classes * cells)
            return log(both) - log((self.weight((), c) + s) / (self.weight(()) + s * classes))
        apart = math.prod(self.in_class(i, v, c) for i, v in given)
        if len(given) < 2:
            return log(apart)
        return log(lean(self.weight(given, c), self.weight((), c, parents), apart, AVERAGED[0] * s))

    def member(self, row: Sequence[Any], by: Sequence[int], c: int) -> float:
        """log P(row | class) below one set of super-parents; what is missing of them is summed out."""
        if any(row[i] is not None and self.is_new(i, row[i]) for i in by):
            by = ()
        hidden = [i for i in by if row[i] is None]
        said = []
        for guess in product(*(self.table.levels[i] for i in hidden)):
            full = {**dict(enumerate(row)), **dict(zip(hidden, guess, strict=True))}
            given = tuple((i, full[i]) for i in by)
            rest = [j for j in range(len(row)) if j not in by and row[j] is not None]
            said.append(self.own(given, c) + sum(log(self.in_cell(j, row[j], c, given, AVERAGED)) for j in rest))
        return log_sum(said)

    def average(
        self,
        row: Sequence[Any],
        c: int,
        members: Sequence[tuple[int, ...]],
        support: float = 1.0,
        weights: Sequence[float] | None = None,
    ) -> float:
        """log P(row | class) of the mean of the members that have support, else of those of one parent less."""
        weights = [1.0] * len(members) if weights is None else weights
        speaking = []
        for by, w in zip(members, weights, strict=True):
            new = any(row[i] is not None and self.is_new(i, row[i]) for i in by)
            seen = tuple((i, row[i]) for i in by if row[i] is not None)
            rows = 0.0 if new else self.weight(seen, None, [i for i in by if row[i] is None])
            if w > 0 and (not by or rows >= support) and all(map(self.size, by)):
                speaking.append((by, w))
        if not speaking:
            fewer = list(combinations(range(len(row)), len(members[0]) - 1))
            return self.average(row, c, fewer, support)
        whole = sum(w for _, w in speaking)
        return log_sum([log(w / whole) + self.member(row, by, c) for by, w in speaking])

    def graph(self, row: Sequence[Any], c: int, parents: Sequence[tuple[int, ...]]) -> float:
        """log P(row | class) of a graph, summed over all completions of the row."""
        hidden = [i for i, v in enumerate(row) if v is None and self.size(i)]
        said = []
        for guess in product(*(self.table.levels[i] for i in hidden)):
            full = {**dict(enumerate(row)), **dict(zip(hidden, guess, strict=True))}
            terms = [
                log(self.in_cell(j, v, c, tuple((i, full[i]) for i in parents[j]), GRAPHED))
                for j, v in full.items()
                if v is not None
            ]
            said.append(sum(terms))
        return log_sum(said)

    def log_proba(self, likelihoods: Sequence[float]) -> list[float]:
        """Of one row, from log P(row | class) of each class; the prior where the row cannot be."""
        joint = [self.log_prior(c) + said for c, said in zip(self.table.classes, likelihoods, strict=True)]
        whole = log_sum(joint)
        if math.isinf(whole):
            joint = [self.log_prior(c) for c in self.table.classes]
            whole = log_sum(joint)
        return [term - whole for term in joint]

    def rows(self, X: Sequence[Sequence[Any]], said: Callable[[Sequence[Any], int], float]) -> np.ndarray:
        """(rows, classes)."""
        return np.array([[said(row, c) for c in self.table.classes] for row in X])


def parents_of(model: Any) -> list[tuple[int, ...]]:
    """The parents of each column by position, as the structure of a fitted model names them."""
    structure = model.structure_
    return [tuple(structure.columns.index(name) for name in by) for by in structure.parents]


class Kit:
    """What the tests of this folder share."""

    table = staticmethod(make_table)
    mixed = staticmethod(make_mixed)
    strangers = staticmethod(make_strangers)
    parents = staticmethod(parents_of)
    brute = Brute


@pytest.fixture(scope="session")
def kit() -> type[Kit]:
    return Kit
