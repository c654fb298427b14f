"""A first look at a table: kinds, levels, missing values, class balance, and columns that deserve suspicion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, ClassVar

import numpy as np

from likely.core.deprecated import old_attribute
from likely.core.docstrings import describe
from likely.core.numerics import Array
from likely.core.schema import DISCRETE, SKIP, Column, Schema
from likely.data import ask
from likely.data.levels.column_kinds import Summary
from likely.data.targets.label_rows import labelled
from likely.data.targets.numeric_target import is_numeric_target
from likely.errors.advice import Advice, InPython
from likely.estimators.bayes.described_numbers import with_descriptions
from likely.estimators.fit_and_load import columns_of
from likely.estimators.suspicions import suspicious_columns
from likely.families.predictor import Setting
from likely.models import NaiveModel
from likely.models.alignment import counts_of, questions
from likely.models.notes import Note, notes
from likely.output import frames
from likely.output.class_order import reading_order
from likely.output.frames import FrameResult
from likely.output.notebook import html_table
from likely.output.phrases import plural
from likely.statistics import Moments

NO_TARGET = Column("all rows", "category", ("all rows",), ("all rows",))
RARE_CLASS = 0.05  # a class of less than this share is rare
_FIRST_DAY = date(1970, 1, 1).toordinal()
SHORT_DESCRIPTIONS = {
    "log": "log-normal above zero",
    "zeros": "normal but for zeros",
    "poisson": "Poisson",
    "parzen": "kernel density",
}
DOUBTS_SHOWN = 12  # in a notebook
MOSTLY_MISSING = 0.5  # a column with more missing values than this is mostly missing


@dataclass(frozen=True)
class ColumnReport:
    """`values` in words; `missing` is how many are; `suspicions` say why one should look twice.

    `low`, `high` and `mean` of the days of dates count from 1970.
    """

    name: str
    kind: str
    values: str
    levels: int | None
    missing: int
    low: float | None
    high: float | None
    mean: float | None
    spread: float | None
    counter: bool  # of the rows, as an identifier is
    suspicions: tuple[str, ...]
    origin: str  # the column of which it is a part, or itself
    reading: str = ""  # how its text was read, where that is not plain
    holes = old_attribute("holes", "missing")


@dataclass(frozen=True)
class Inspection(FrameResult):
    """What `inspect` saw: rows, a report a column, {class: rows}, and suspicions about the table as a whole."""

    _frame_of: ClassVar[str] = "columns"

    rows: int
    columns: tuple[ColumnReport, ...]
    target: str | None
    balance: dict[Any, int]
    suspicions: tuple[str, ...]

    def _html(self) -> str:
        shown = [
            {"column": one.name, "kind": one.kind, "values": one.values, "missing": one.missing} for one in self.columns
        ]
        doubts = [*self.suspicions, *(line for one in self.columns for line in one.suspicions)]
        return html_table(frames.columns_of(shown), f"{self.rows:,} rows", doubts[:DOUBTS_SHOWN])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        told = asdict(self)
        balance = [{"class": level, "rows": count} for level, count in self.balance.items()]
        return {**told, "balance": balance}


@describe
def inspect(
    source: Any, target: str | None = None, kinds: Any = "auto", missing_marks: Sequence[str] = ()
) -> Inspection:
    """What is in a file, data frame or relation, before anything is fitted; with a target, also the class balance.

    A numeric target is shown among the columns; there is no balance then.

    >>> import pyarrow as pa
    >>> seen = inspect(pa.table({"age": [31, None, 48], "port": ["S", "C", "S"], "lost": ["no", "yes", "no"]}), "lost")
    >>> [(column.name, column.kind, column.missing) for column in seen.columns], seen.balance
    ([('age', 'real', 1), ('port', 'category', 0)], {'no': 2, 'yes': 1})
    """
    every = columns_of(source, missing_marks=missing_marks, kinds=kinds).kept()
    numeric = target in every.columns and is_numeric_target(every.read(), str(target))
    of_classes, left = None if numeric else target, None
    rows = replace(every, target=of_classes)
    if of_classes in rows.columns:
        rows, left = labelled(rows, str(of_classes))
    schema, summaries = rows.surveyed(kinds)
    without_target = replace(schema, target=NO_TARGET)
    schema = without_target if of_classes is None else with_descriptions(rows, schema, Setting(), "auto")
    bundle = ask(rows, schema, questions(schema))
    model = NaiveModel(schema, Setting(), "smoothed", bundle).pruned()
    schema = model.schema
    seen = dict(zip(rows.names, summaries, strict=False))
    total = int(model.rows.sum())
    told: dict[str, list[Note]] = {}
    for note in notes(model):
        if note.code not in ("described", "read"):
            told.setdefault(note.column, []).append(note)
    counters = tuple(column.name for column in schema.columns if column.counts_rows)
    doubts: dict[str, list[str]] = {}
    for name, why in suspicious_columns(rows, target, counters):
        doubts.setdefault(name, []).append(why)
    masses, moments = _masses(model), _moments(model)
    columns = tuple(
        _report(
            column,
            seen[column.origin or column.name],
            total,
            told.get(column.name, []),
            doubts.get(column.name, []),
            masses.get(at),
            moments.get(at, (None, None)),
        )
        for at, column in enumerate(schema.columns)
    )
    order = reading_order(schema.classes)
    balance = {} if of_classes is None else {schema.classes[at]: int(model.rows[at]) for at in order}
    told_of_all = _of_table(total, columns, schema, model.rows, target)
    return Inspection(total, columns, target, balance, (*(left.words if left is not None else ()), *told_of_all))


def _report(
    column: Column,
    seen: Summary,
    rows: int,
    told: list[Note],
    doubts: list[str],
    masses: Array | None,
    moments: tuple[float | None, float | None],
) -> ColumnReport:
    missing = rows - seen.observed
    suspicions = [note.text for note in told]
    if not told and column.kind in DISCRETE and len(column.levels) > rows / 2 > 10:
        suspicions.append(f"{column.name!r} has {len(column.levels)} levels in {rows} rows: hardly two rows share one")
    if rows and MOSTLY_MISSING * rows < missing < rows:
        suspicions.append(f"{column.name!r} is missing in {missing / rows:.0%} of the rows")
    suspicions += doubts
    if column.date_part == "year":
        seen = replace(seen, low=_date(seen.low).year, high=_date(seen.high).year)
    numeric = (seen.type in ("number", "bool") or column.date_part in ("days", "year")) and np.isfinite(seen.low)
    mean, spread = moments
    return ColumnReport(
        column.name,
        SKIP if any(note.code == "skipped" for note in told) else column.kind,
        _values(column, seen, masses, mean, spread),
        len(column.levels) if column.kind in DISCRETE else None,
        missing,
        seen.low if numeric else None,
        seen.high if numeric else None,
        mean,
        spread,
        any(note.code == "counter" for note in told),
        tuple(suspicions),
        column.origin or column.name,
        "" if column.reading is None else str(column.reading),
    )


def _masses(model: NaiveModel) -> dict[int, Array]:
    """(classes, levels) of each discrete column: rows of each level, without missing and unseen."""
    places = model.schema.of(*DISCRETE)
    if not places:
        return {}
    starts, table = model.schema.offsets(places), counts_of(model.bundle, model.schema).table
    ends = zip(places, starts, starts[1:], strict=False)
    return {at: np.asarray(table[:, start : end - 2]) for at, start, end in ends}


def _moments(model: NaiveModel) -> dict[int, tuple[float, float]]:
    """The mean and the spread of each column of numbers that has some."""
    found: dict[int, tuple[float, float]] = {}
    for question, answer in model.bundle.items():
        if isinstance(answer, Moments) and question.of == "moments" and not question.by:
            whole = answer.pooled()
            count, mean, spread = whole.count[0], whole.mean[0], whole.spread[0]
            for place, at in enumerate(question.columns):
                if count[place]:
                    found[at] = float(mean[place]), float(np.sqrt(spread[place] / count[place]))
    return found


def _values(column: Column, seen: Summary, masses: Array | None, mean: float | None, spread: float | None) -> str:
    if masses is not None and masses.sum():
        rows = masses.sum(axis=0)
        order = np.argsort(-rows, kind="stable")[:3]
        some = ", ".join(f"{column.levels[at]} {_share(rows[at], rows.sum())}" for at in order if rows[at])
        more = int(np.count_nonzero(rows)) - len(order)
        return some + (f", and {more} more" if more > 0 else "")
    if column.date_part == "days" and np.isfinite(seen.low):
        return f"{_date(seen.low)} to {_date(seen.high)}"
    if mean is not None and spread is not None:
        words = {**SHORT_DESCRIPTIONS, "bins": f"{column.parts} bins"}.get(column.described, "")
        described = f", {words}" if words else ""
        return f"{seen.low:.6g} to {seen.high:.6g}, mean {_round(mean)} ± {_round(spread)}{described}"
    if column.kind == "text":
        return f"{len(column.levels):,} different words"
    return {"date": "dates"}.get(seen.type, "")


def _share(rows: float, all_rows: float) -> str:
    """A share in per cent, which is none and all only where it is.

    >>> _share(1, 1000), _share(999, 1000), _share(1, 3), _share(3, 3)
    ('<1%', '>99%', '33%', '100%')
    """
    told = f"{rows / all_rows:.0%}"
    return "<1%" if told == "0%" else ">99%" if told == "100%" and rows < all_rows else told


def _date(days: float) -> date:
    return date.fromordinal(_FIRST_DAY + int(days // 1))


def _round(number: float) -> str:
    """A few digits, and none of them an exponent where that is not needed."""
    return f"{number:.0f}" if 1000 <= abs(number) < 1e9 else f"{number:.4g}"


def _of_table(
    rows: int, columns: tuple[ColumnReport, ...], schema: Schema, masses: Array, target: str | None
) -> list[str]:
    if target is None:
        return ["no target was named: say which column to predict to see the class balance"]
    told: list[str] = []
    if schema.target == NO_TARGET:
        way = InPython("LinearRegression and RegressionTree predict it", "--model linear predicts it")
        told.append(Advice(f"{target!r} is numeric and is shown among the columns; ", way))
    elif np.count_nonzero(masses) < 2:
        told.append(f"{target!r} has one class only: there is nothing to tell apart")
    for level, count in zip(schema.classes, masses, strict=True):
        if rows and count < RARE_CLASS * rows:
            told.append(
                f"class {level!r} is rare: {int(count)} of {rows} rows; judge by log loss and ROC, not accuracy"
            )
    if rows < 10 * len(columns):
        told.append(f"{plural(rows, 'row')} for {plural(len(columns), 'column')} is little: expect wide intervals")
    return told
