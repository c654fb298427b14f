"""Which rows a model learns from and which it is judged by: folds, groups kept together, the past and the future."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from heapq import heapify, heapreplace
from typing import Any

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array
from likely.core.reading import DATE, TIME, TRUTH, WORDS
from likely.data.readings.misfits import Misfits
from likely.data.readings.text_columns import tell_readings
from likely.data.readings.values import read
from likely.data.targets.label_codes import is_missing, read_column
from likely.errors import DataError, OptionError, SchemaWarning, outside
from likely.evaluation.folds.fold_assignment import deal, read_seed

TIME_FOLDS = 5  # blocks of later rows that are judged, where nobody says how many
ISO_TIME = re.compile(r"\d{4}(-\d\d(-\d\d([T ]\d\d(:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?")


@dataclass(frozen=True, eq=False)
class Splits:
    """`held`: the places of the rows that each fold judges; `learnt`: of those that teach it, None for all others."""

    held: tuple[Array, ...]
    learnt: tuple[Array, ...] | None
    rows: int

    @classmethod
    def of(cls, fold: Array) -> Splits:
        """Folds (rows,) numbered from 0, each judged by a model of all others."""
        order = np.argsort(fold, kind="stable")
        ends = np.cumsum(np.bincount(fold))
        return cls(tuple(np.split(order, ends[:-1])), None, len(fold))

    @cached_property
    def at(self) -> Array:
        """(judged,): the places of the rows that are judged, in their order; one judged twice is there twice."""
        return self._sorted[0]

    @cached_property
    def fold(self) -> Array:
        """(judged,): the fold that judges each."""
        return self._sorted[1]

    @cached_property
    def _sorted(self) -> tuple[Array, Array]:
        places = np.concatenate(self.held)
        fold = np.repeat(np.arange(len(self.held)), [len(part) for part in self.held])
        order = np.argsort(places, kind="stable")
        return places[order], fold[order]

    def taught(self, part: int) -> Array:
        """The places of the rows that teach the model which judges that fold."""
        if self.learnt is not None:
            return self.learnt[part]
        others = np.ones(self.rows, dtype=bool)
        others[self.held[part]] = False
        return np.flatnonzero(others)

    def apart_from(self, groups: Array) -> Splits:
        """The same rows judged, each fold by rows of no group that it judges."""
        learnt = []
        for part, held in enumerate(self.held):
            taught = self.taught(part)
            learnt.append(taught[~np.isin(groups[taught], np.unique(groups[held]))])
        return Splits(self.held, tuple(learnt), self.rows)


def read_splits(
    codes: Array,
    folds: Any = 10,
    seed: int = 0,
    cv: Any = None,
    groups: Any = None,
    times: Any = None,
    X: Any = None,
    y: Any = None,
) -> Splits:
    """The splits of rows with these codes of classes (rows,), as users say them.

    >>> read_splits(np.zeros(4, dtype=int), folds=2, groups=["a", "a", "b", "c"]).fold.tolist()
    [0, 0, 1, 1]
    """
    rows = len(codes)
    if isinstance(cv, Splits):
        return cv
    if cv is not None and not isinstance(cv, int | np.integer):
        if times is not None:
            hint = "leave times= out, or cv=: a splitter such as TimeSeriesSplit takes the rows in their order"
            raise OptionError("O701", "cv= and times= both say how to split", place="cv=", hint=hint)
        return _of_splitter(cv, rows, X, y, groups)
    folds = folds if cv is None else cv
    if (groups is not None or times is not None) and np.ndim(folds):
        hint = "leave groups= and times= out, or say how many folds"
        raise OptionError("O701", "the folds are given already", place="folds=", hint=hint)
    named = None if groups is None else group_codes(groups, rows)
    if times is not None:
        later = time_splits(time_ranks(times, rows), folds)
        return later if named is None else _not_empty(later.apart_from(named))
    if named is not None:
        return Splits.of(group_folds(named, folds, seed))
    return Splits.of(deal(codes, folds, seed))


def group_codes(groups: Any, rows: int, place: str = "groups=") -> Array:
    """(rows,): the number of the group of each row; a row whose group is missing is one by itself.

    >>> group_codes(["b", None, "a", "b", None], 5).tolist()
    [0, 1, 2, 0, 3]
    """
    values = _one_a_row(groups, rows, place)
    known: dict[Any, int] = {}
    codes = np.empty(rows, dtype=np.int64)
    for row, value in enumerate(values):
        codes[row] = known.setdefault(("alone", row) if is_missing(value) else value, len(known))
    return codes


def group_folds(groups: Array, folds: Any, seed: int = 0) -> Array:
    """(rows,): a fold for each row, the rows of a group together, the folds of about as many rows each.

    >>> group_folds(np.array([0, 0, 0, 1, 2, 2]), 2).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    sizes = np.bincount(groups)
    whole = isinstance(folds, int | np.integer) and not isinstance(folds, bool)
    if len(sizes) < 2:
        hint = "name another column or array, of which rows differ"
        raise OptionError("O702", "all rows are of one group", place="groups=", hint=hint)
    if not whole or not 2 <= folds <= len(sizes):
        hint = f"say a whole number from 2 to the number of groups, which is {len(sizes)}"
        raise OptionError("O341", f"folds is {folds!r}", place="folds=", hint=hint)
    order = np.random.default_rng(read_seed(seed)).permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]  # the largest first, into the fold of fewest rows
    filled = [(0, part) for part in range(int(folds))]
    heapify(filled)
    fold = np.empty(len(sizes), dtype=np.int64)
    for group in order:
        rows, part = filled[0]
        fold[group] = part
        heapreplace(filled, (rows + int(sizes[group]), part))
    return np.asarray(fold[groups])


def time_ranks(times: Any, rows: int, place: str = "times=") -> Array:
    """(rows,): the place of each row's time among all times, -1 where it is missing; texts are read as those of files.

    >>> time_ranks(["2026-03-01", None, "2025-12-31", "2026-03-01"], 4).tolist()
    [1, -1, 0, 1]
    """
    if getattr(getattr(times, "dtype", None), "kind", "") == "M":  # NumPy tells no missing time as a plain value
        dated = np.asarray(times)
        told = dated.astype("datetime64[us]").tolist()
        times = [None if absent else one for one, absent in zip(told, np.isnat(dated).tolist(), strict=True)]
    told = _one_a_row(times, rows, place)
    texts = [value for value in told if isinstance(value, str)]
    if texts and len(texts) == sum(not is_missing(value) for value in told):
        told = _times_of_texts([value if isinstance(value, str) else None for value in told], place)
    values = [_moment(value, place) if isinstance(value, str) else value for value in told]
    known = np.array([not is_missing(value) for value in values])
    held = [value for value, there in zip(values, known, strict=True) if there]
    try:
        order = {value: rank for rank, value in enumerate(sorted(set(held)))}
    except TypeError:
        hint = "give all dates or all numbers"
        raise DataError("D135", "these times cannot be put in order", place=place, hint=hint) from None
    return np.array([order[value] if there else -1 for value, there in zip(values, known, strict=True)], dtype=np.int64)


def _times_of_texts(texts: Sequence[str | None], place: str) -> list[Any]:
    """Times or numbers in the layout that nearly all texts have, as in a column of a file; else the texts."""
    import pyarrow as pa

    cells, misfits = pa.array(texts, pa.string()), Misfits("the rows")
    reading = tell_readings([place], [([place], [[cells]])], None)[place]
    if reading.form in (WORDS, TRUTH):
        return list(texts)
    values = read(cells, reading, partial(misfits.add, place, reading, 0))
    misfits.warn()
    if reading.doubt:
        what = f"{place} is read as {reading}: to say which it is, write times as in 2026-03-01"
        warnings.warn(what, SchemaWarning, stacklevel=outside())
    if reading.form in (DATE, TIME):  # as numbers, which are in order in any year
        values = values.cast(pa.timestamp("us")).cast(pa.int64())
    return list(values.to_pylist())


def _moment(text: str, place: str) -> datetime:
    """A time as it is written, in UTC unless its zone is told: the same one may be written in many ways."""
    word = text.strip()
    try:
        if not ISO_TIME.fullmatch(word):
            raise ValueError("not written as times are")
        found = datetime.fromisoformat(word + {4: "-01-01", 7: "-01"}.get(len(word), ""))
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        hint = "write times as in 2026-03-01 or 2026-03-01 14:30, or as numbers"
        raise DataError("D135", f"{text!r} is no time that can be put in order", place=place, hint=hint) from None


def time_splits(ranks: Array, folds: Any = TIME_FOLDS) -> Splits:
    """The rows in order of time in one block more than folds, each judged by all before it, the first by none.

    Rows of one time stay together; rows without a time neither teach nor are judged.

    >>> later = time_splits(np.array([3, 0, 1, 2]), 3)
    >>> [part.tolist() for part in later.held], [part.tolist() for part in later.learnt]
    ([[2], [3], [0]], [[1], [1, 2], [1, 2, 3]])
    """
    there = np.flatnonzero(ranks >= 0)
    order = there[np.argsort(ranks[there], kind="stable")]
    times = len(np.unique(ranks[there]))
    if not isinstance(folds, int | np.integer) or isinstance(folds, bool) or not 1 <= folds < max(times, 2):
        hint = f"say a whole number from 1 to {times - 1}: there are {times} different times"
        raise OptionError("O341", f"folds is {folds!r}", place="folds=", hint=hint)
    if times < 2:
        hint = "name another column, whose times differ"
        raise OptionError("O702", "all rows are of one time", place="times=", hint=hint)
    wanted = np.arange(1, folds + 1) * len(order) / (folds + 1)
    changes = np.flatnonzero(np.diff(ranks[order])) + 1  # where a new time begins
    starts: list[int] = []
    for at, place in enumerate(wanted):  # each block takes the nearest change that leaves one for each after it
        first = 0 if not starts else int(np.searchsorted(changes, starts[-1], "right"))
        open_ = changes[first : len(changes) - (int(folds) - 1 - at)]
        starts.append(int(open_[np.abs(open_ - place).argmin()]))
    ends = [*starts[1:], len(order)]
    held = tuple(np.sort(order[start:end]) for start, end in zip(starts, ends, strict=True))
    return Splits(held, tuple(np.sort(order[:start]) for start in starts), len(ranks))


def held_share(
    codes: Array, share: float, seed: int = 0, groups: Array | None = None, ranks: Array | None = None
) -> Splits:
    """One fold that holds about that share of the rows: at random, of each class alike; whole groups; or the last ones.

    >>> held_share(np.array([0, 0, 1, 1]), 0.5).at.shape
    (2,)
    """
    rows = len(codes)
    if ranks is not None:
        there = np.sort(ranks[ranks >= 0])
        cut = there[min(max(round((1 - share) * len(there)), 1), len(there) - 1)] if len(there) > 1 else 0
        if not cut:  # the first time of all would leave nothing to learn from
            later = there[there > 0]
            cut = later[0] if len(later) else 0
        held, learnt = np.flatnonzero(ranks >= cut), np.flatnonzero((ranks >= 0) & (ranks < cut))
        one = Splits((held,), (learnt,), rows)
        return _not_empty(one if groups is None else one.apart_from(groups))
    rng, wanted = np.random.default_rng(read_seed(seed)), min(max(round(share * rows), 1), rows - 1)
    if groups is not None:
        sizes = np.bincount(groups)
        drawn = rng.permutation(len(sizes))
        before = np.cumsum(sizes[drawn]) - sizes[drawn]
        chosen = drawn[(before < wanted) & (np.arange(len(drawn)) < len(drawn) - 1)]
        held = np.flatnonzero(np.isin(groups, chosen))
    else:
        order = rng.permutation(rows)
        order = order[np.argsort(codes[order], kind="stable")]
        held = np.sort(order[np.diff((np.arange(rows + 1) * wanted + rows // 2) // rows) > 0])
    return _not_empty(Splits((held,), (np.setdiff1d(np.arange(rows), held),), rows))


def _of_splitter(cv: Any, rows: int, X: Any, y: Any, groups: Any) -> Splits:
    """The splits of scikit-learn's splitters, of whatever has their `split`, or of pairs of places."""
    if not hasattr(cv, "split") and (isinstance(cv, str) or not isinstance(cv, Iterable)):
        hint = "say how many folds, a splitter with split(X, y, groups), or pairs (places learnt, places judged)"
        raise OptionError("O703", f"cv cannot be {cv!r}", place="cv=", hint=hint)
    try:
        pairs: Sequence[Any] = list(cv.split(X, y, groups) if hasattr(cv, "split") else cv)
        parts = [(_places(learnt, rows), _places(held, rows)) for learnt, held in pairs]
    except (TypeError, ValueError, IndexError) as error:
        hint = "splitters of groups take groups= too; pairs are of places of rows, counted from 0"
        raise OptionError("O703", f"cv does not split these rows: {error}", place="cv=", hint=hint) from None
    if not parts:
        raise OptionError("O703", "cv gives no split", place="cv=", hint="give at least one pair")
    found = Splits(tuple(held for _, held in parts), tuple(learnt for learnt, _ in parts), rows)
    if np.array_equal(found.at, np.arange(rows)) and all(_others(*part, rows) for part in parts):
        return Splits.of(found.fold)  # each fold by all others: a model that forgets need not be fitted afresh
    return _not_empty(found)


def _others(learnt: Array, held: Array, rows: int) -> bool:
    """Whether the rows learnt are all that are not judged."""
    return len(learnt) + len(held) == rows and not np.isin(learnt, held).any()


def _places(told: Any, rows: int) -> Array:
    places = np.asarray(told)
    if places.dtype.kind == "b" and places.shape == (rows,):
        return np.flatnonzero(places)
    if places.ndim != 1 or (len(places) and places.dtype.kind not in "iu"):
        raise ValueError("a part is no list of places")
    if len(places) and not (places.min() >= 0 and places.max() < rows):
        raise ValueError(f"a place is beyond the {rows} rows")
    return places.astype(np.int64)


def _not_empty(splits: Splits) -> Splits:
    """The splits, unless one has nothing to learn from or nothing to judge."""
    for part, held in enumerate(splits.held):
        for what, places in (("judge", held), ("learn from", splits.taught(part))):
            if not len(places):
                hint = (
                    "use fewer folds, or split by groups or by time alone: every earlier row may be of a group judged"
                )
                raise OptionError("O704", f"split {part} has no row to {what}", place="cv=", hint=hint)
    return splits


def _one_a_row(given: Any, rows: int, place: str) -> list[Any]:
    values = read_column(given, place)
    if len(values) != rows:
        what = f"{place.rstrip('=')} has {len(values)} values, there are {rows} rows"
        raise DataError("D126", what, place=place, hint="give one value a row")
    return values
