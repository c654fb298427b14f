"""Columns that deserve a second look: copies of others, the target under another name, numbers that only rise."""

from __future__ import annotations

from itertools import islice
from shlex import quote
from typing import Any

import numpy as np

from likely.core.identifiers import ENOUGH_VALUES, IDENTIFIER_SHARE, note_long
from likely.core.numerics import Array, Floats
from likely.data import ArrowSource
from likely.data.arrow_columns import arrow_type, numbers
from likely.errors.advice import Advice, InPython, Kind

FIRST_ROWS, MORE_ROWS = 20_000, 1_000  # rows looked at of the first batch, and of each that follows
MOST_BATCHES = 64  # batches looked at: a large file is not read to its end for this
MOST_VALUES = 2_000_000  # values looked at of the first batch
MOST_COLUMNS_CHECKED = 1_000  # columns beyond which none is looked at
LEAST_OTHERS = 5  # rows that must not have the commonest value, for columns to be copies rather than mostly empty
ENOUGH_ROWS = 20  # rows from which on anything is suspected
LEAK = 0.95  # a column that saves so much of what is not known of the target may have been written down after it
SMALLEST_NORMAL = float(np.finfo(np.float64).smallest_normal)
SHARE_ROUNDING = 1e-9  # what is less than a whole by rounding
MOST_CODES_SHARE = 0.2  # different values per row up to which a column tells of a class by its values
GROUPS = 20  # different values from which on a category may be of groups, such as customers
CODES_OF_NOTHING = (-9.0, -99.0, -999.0, -9999.0, -99999.0)  # what survey tools and instruments write for no value
RISING_ROWS = 30  # rows from which on whole numbers that rise from row to row are suspected
LONG_NUMBER = 10  # digits beyond which whole numbers, hardly any of them twice, name people, phones or cards
USUAL_LENGTHS = 0.95  # share of such numbers of the two commonest lengths; amounts are of more
DIGITS_OF_TIMES = (13, 16, 19)  # of times since 1970 in thousandths of seconds and less, which begin with 1 until 2033


def suspicious_columns(
    source: ArrowSource, target: str | None, counters: tuple[str, ...] = ()
) -> list[tuple[str, str]]:
    """(column, why) of the columns that deserve a second look; `counters` are known to count the rows."""
    if len(source.columns) > MOST_COLUMNS_CHECKED:
        return []
    values, integers = _sample(source)
    rows = len(next(iter(values.values()), ()))
    if rows < ENOUGH_ROWS:
        return []
    names = [name for name in source.names if name != target]
    found = [(name, _rising(name)) for name in names if name not in counters and _rises(values[name])]
    rising = {*counters, *(name for name, _ in found)}
    found += [
        (name, note_long(name)) for name in names if name not in rising and _is_long(values[name], name in integers)
    ]
    found += [(name, _code(name, code)) for name in names if (code := _code_of_nothing(values[name]))]
    found += _copies(values, names)
    if target is not None and target in values:
        found += _leaks(values, names, target)
    return found


def _sample(source: ArrowSource) -> tuple[dict[str, Array], set[str]]:
    """{column: (rows,)} of rows from all over the source: numbers as floats, all else as numbered values.

    And the columns of integers, which are whole also where floats could not be anything else.
    """
    import pyarrow as pa

    parts: dict[str, list[Any]] = {}
    for at, batch in enumerate(islice(source.read(), MOST_BATCHES)):
        most = MORE_ROWS if at else min(FIRST_ROWS, max(MOST_VALUES // len(source.columns), MORE_ROWS))
        some = batch.take(np.arange(0, batch.num_rows, max(1, -(-batch.num_rows // most)))) if batch.num_rows else batch
        for name in source.columns:
            parts.setdefault(name, []).append(some.column(name))
    integers = {name for name, columns in parts.items() if all(pa.types.is_integer(part.type) for part in columns)}
    return {name: _values(columns, name) for name, columns in parts.items()}, integers


def _values(columns: list[Any], name: str) -> Array:
    import pyarrow as pa

    if all(arrow_type(column.type, name) in ("number", "bool", "empty") for column in columns):
        return np.concatenate([numbers(column, name) for column in columns])
    plain = [column.dictionary_decode() if pa.types.is_dictionary(column.type) else column for column in columns]
    try:
        words = pa.chunked_array([column.cast(pa.string()) for column in plain]).combine_chunks()
    except pa.ArrowException:  # a kind of time that has no text
        return np.zeros(sum(map(len, plain)), dtype=np.int64)
    codes = words.dictionary_encode().indices
    return np.asarray(codes.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)


def _codes(values: Array) -> tuple[Array, int]:
    """(rows,): values by the order in which they first appear, missing ones -1; and how many differ."""
    known = values == values if values.dtype == np.float64 else values >= 0
    different, first, inverse = np.unique(values[known], return_index=True, return_inverse=True)
    rank = np.empty(len(different), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(different))
    out = np.full(len(values), -1, dtype=np.int64)
    out[known] = rank[inverse]
    return out, len(different)


def _rises(values: Array) -> bool:
    """Whether whole numbers rise from row to row, as numbers of orders do."""
    if values.dtype != np.float64 or len(values) < RISING_ROWS or np.isnan(values).any():
        return False
    return bool((values == np.floor(values)).all() and (np.diff(values) > 0).all())


def _is_long(values: Array, integers: bool) -> bool:
    """Whether they are whole numbers of eleven digits or more, hardly any of them twice, as of people and phones."""
    if values.dtype != np.float64:
        return False
    known = values[~np.isnan(values)]
    if len(known) < ENOUGH_VALUES or not np.percentile(known, 100 * (1 - USUAL_LENGTHS)) >= 10.0**LONG_NUMBER:
        return False
    if (known < 1).any() or not (integers or (known < 2.0**53).all()) or (known != np.floor(known)).any():
        return False
    lengths = np.floor(np.log10(known)).astype(np.int64) + 1
    commonest = np.sort(np.bincount(lengths))[-2:].sum()
    times = np.isin(lengths, DIGITS_OF_TIMES) & (known < 2 * 10.0 ** (lengths - 1))
    different = len(np.unique(known)) >= IDENTIFIER_SHARE * len(known)
    return different and bool(commonest >= USUAL_LENGTHS * len(known)) and not times.all()


def _code_of_nothing(values: Array) -> float:
    """A number of nines below zero that stands in several rows while none else is below zero; 0 if there is none."""
    if values.dtype != np.float64:
        return 0.0
    below = values[values < 0]
    return float(below[0]) if len(below) > 1 and below[0] in CODES_OF_NOTHING and (below == below[0]).all() else 0.0


def _code(name: str, code: float) -> str:
    mark = f"{code:.0f}"
    way = InPython(f"missing_marks=[{mark!r}] of a file, or put NaN into a frame", f"--missing-mark={mark}")
    return Advice(f"{name!r} is {mark} in several rows and else never below 0: if it stands for no value, say ", way)


def _rising(name: str) -> str:
    return Advice(f"{name!r} rises from row to row: a number of rows, or a time? if so, say ", Kind(name, "skip"))


def _copies(values: dict[str, Array], names: list[str]) -> list[tuple[str, str]]:
    """Columns that hold what another holds, in the same values or in others."""
    seen: dict[bytes, list[str]] = {}
    for name in names:
        codes, different = _codes(values[name])
        if different < 2 or len(codes) - np.bincount(codes + 1).max() < LEAST_OTHERS:
            continue
        if different <= MOST_CODES_SHARE * len(codes):
            seen.setdefault(codes.tobytes(), []).append(name)
        elif values[name].dtype == np.float64:  # of many different numbers, any two columns have the same order
            seen.setdefault(b"=" + (values[name] + 0.0).tobytes(), []).append(name)
    return [(name, _copy(alike[0], name, values)) for alike in seen.values() for name in alike[1:]]


def _copy(first: str, second: str, values: dict[str, Array]) -> str:
    one, other = values[first], values[second]
    same = one.dtype == other.dtype == np.float64 and bool(((one == other) | (np.isnan(one) & np.isnan(other))).all())
    how = f"repeats {first!r}" if same else f"says the same as {first!r} in other words"
    return Advice(f"{second!r} {how}, and counts twice; to leave it out, say ", Kind(second, "skip"))


def _leaks(values: dict[str, Array], names: list[str], target: str) -> list[tuple[str, str]]:
    """Columns that tell the target almost by themselves."""
    classes, many = _codes(values[target])
    if many < 2:
        return []
    numeric = values[target].dtype == np.float64 and many > MOST_CODES_SHARE * len(classes)
    found: list[tuple[str, str]] = []
    for name in names:
        saved = (
            _saved_of_number(values[name], values[target]) if numeric else _saved_of_class(values[name], classes, many)
        )
        if saved < LEAK:
            continue
        almost = "" if saved >= 1.0 - SHARE_ROUNDING else " almost"
        what = f"{name!r} tells {target!r}{almost} by itself: was it written down after {target!r} was known?"
        advice = Advice(f"{what} if so, say ", Kind(name, "skip"))
        if values[name].dtype != np.float64 and _codes(values[name])[1] >= GROUPS:
            way = InPython("give groups= to cross_validate", f"likely fit --groups {quote(name)}")
            advice = Advice(advice, f"; to judge on values of {name!r} never seen, ", way)
        found.append((name, advice))
    return found


def _saved_of_number(values: Array, target: Floats) -> float:
    """The share of the variance of a number that a line over another number takes away."""
    if values.dtype != np.float64:
        return 0.0
    known = np.isfinite(values) & np.isfinite(target)
    if known.sum() < max(ENOUGH_ROWS, len(values) / 2):
        return 0.0
    # In whatever unit they are, their squares are doubles
    x, y = (part[known] / max(np.abs(part[known]).max(), SMALLEST_NORMAL) for part in (values, target))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1] ** 2)


def _saved_of_class(values: Array, classes: Array, many: int) -> float:
    """The share of what is not known of the class that a column tells: by its values, or cut where that tells most."""
    codes, different = _codes(values)
    known = (codes >= 0) & (classes >= 0)
    if known.sum() < max(ENOUGH_ROWS, len(values) / 2) or different < 2:
        return 0.0
    cells, own = codes[known], classes[known]
    saved = _information(cells, own, many) if different <= MOST_CODES_SHARE * len(cells) else 0.0
    if values.dtype != np.float64 or different <= many or saved >= LEAK:
        return saved
    return _saved_by_cuts(values[known], own, many)


def _saved_by_cuts(values: Floats, classes: Array, many: int) -> float:
    """The share of errors that a cut for each class but one takes away, each class being left in one stretch."""
    order = np.argsort(values, kind="stable")
    sorted_values, sorted_classes = values[order], classes[order]
    ends = np.flatnonzero(np.append(np.diff(sorted_values) > 0, True)) + 1
    group = np.searchsorted(ends, np.arange(len(values)), "right")
    table = _table(group, sorted_classes, len(ends), many)
    totals = table.sum(axis=0)
    baseline = len(values) - totals.max()
    if not baseline or many > 2:
        parts = np.searchsorted(np.quantile(values, np.linspace(0, 1, 33)[1:-1]), values)
        return _information(parts, classes, many) if baseline else 0.0
    below = np.vstack([np.zeros(many), np.cumsum(table, axis=0)])
    errors = np.minimum(below[:, 0] + totals[1] - below[:, 1], below[:, 1] + totals[0] - below[:, 0])
    return float(1 - errors.min() / baseline)


def _information(cells: Array, classes: Array, many: int) -> float:
    """The share of the entropy of the classes that the cells take away."""
    table = _table(cells, classes, int(cells.max()) + 1, many)
    table = table[table.sum(axis=1) > 0]
    if len(cells) < 5 * len(table):
        return 0.0
    alone = _entropy(table.sum(axis=0))
    left = _entropy(table.ravel()) - _entropy(table.sum(axis=1))
    return 0.0 if alone <= 0 else 1.0 - left / alone if left > 1e-12 else 1.0


def _table(cells: Array, classes: Array, size: int, many: int) -> Floats:
    """(cells, classes): how many rows."""
    return np.bincount(cells * many + classes, minlength=size * many).reshape(size, many).astype(np.float64)


def _entropy(counts: Array) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())
