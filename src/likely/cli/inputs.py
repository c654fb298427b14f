"""Rows and models that a command line names."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from likely.cli.options import read_priors
from likely.cli.terminal.failures import UsageError
from likely.errors import DataError, LikelyError, ModelError, SchemaError, listed, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from likely.cli.terminal.session import Session
    from likely.core.reading import Reading
    from likely.core.schema import Schema
    from likely.data import ArrowSource


def open_rows(
    session: Session,
    data: str,
    form: str | None,
    target: str | None = None,
    model: Any = None,
    named: Collection[str | None] = (),
    levels: Mapping[str, Sequence[Any]] | None = None,
    kinds: object = None,
) -> ArrowSource:
    """The source of a file, a pattern, or standard input (-); with a target, a file that cannot hold it is refused.

    Cells are read as they look; for a model, as those were read that it has learnt; of columns whose `levels` are
    known, as these are. `named` are other columns that the command line names, which a line of names holds.
    """
    from likely.data.files.column_numbers import are_numbered
    from likely.data.files.formats import FORMAT_ENDINGS
    from likely.data.files.temporary import standard_input
    from likely.data.tables import readings_of_levels

    if not data:
        raise UsageError("U104", "DATA is empty", place="DATA", hint="name a file, or - for standard input")
    if form is not None and f".{form.lower().lstrip('.')}" not in FORMAT_ENDINGS:
        known = [ending.lstrip(".") for ending in FORMAT_ENDINGS]
        hint = f"the file formats are {', '.join(known)}.{nearest(form, known)}"
        raise UsageError("U104", f"there is no file format {form!r}", place="--format", hint=hint)
    schema = None if model is None else inner(model).model_.schema
    learnt = () if schema is None or are_numbered(schema.origins) else (*schema.origins, schema.target.name)
    names = {name for name in (*named, *learnt, *(levels or {})) if name is not None}
    readings = None if levels is None else readings_of_levels(levels)
    if data != "-":
        with session.watch("opening", unit=""):
            return _noted(
                session,
                _opened(session, _with_sheet(data, session.sheet), target, form, schema, names, readings, kinds),
            )
    if sys.stdin is None or sys.stdin.isatty():
        hint = "pipe the rows in, as in: cat new.csv | likely predict model.likely -"
        raise UsageError("U108", "nothing is piped into standard input", place="-", hint=hint)
    with session.watch("reading standard input", unit=""):
        session.spooled = standard_input(sys.stdin.buffer, form)
        source = _opened(
            session, _with_sheet(session.spooled, session.sheet), target, None, schema, names, readings, kinds
        )
        return _noted(session, replace(source, place="standard input"))


def _opened(
    session: Session,
    data: str,
    target: str | None,
    form: str | None,
    schema: Schema | None,
    named: Collection[str],
    readings: Mapping[str, Reading] | None,
    kinds: object,
) -> ArrowSource:
    """The source of a file, read as it looks or is said, or as the rows of a schema."""
    from likely.data.files.column_numbers import opened_as_learnt
    from likely.data.files.source import file_source

    def opened(readings: Mapping[str, Reading] | None = None) -> ArrowSource:
        marks = session.missing_marks
        return file_source(data, target, form, session.header, readings, session.strict, marks, named, kinds)

    return opened(readings) if schema is None else opened_as_learnt(schema, opened)


def inner(model: Any) -> Any:
    """The estimator itself, which may be recalibrated."""
    return model.model if hasattr(model, "maps") else model


def _with_sheet(path: str, sheet: str | None) -> str:
    """A path that says the sheet of an Excel file, too."""
    if sheet is not None and not path.lower().endswith((".xlsx", ".xlsm")):
        hint = "leave --sheet out; of a ZIP archive say archive.zip#table.csv"
        raise UsageError("U104", "only Excel files have sheets", place="--sheet", hint=hint)
    return path if sheet is None else f"{path}#{sheet}"


def _noted(session: Session, source: ArrowSource) -> ArrowSource:
    """A source, after what a person should know of how it is read."""
    if source.nameless and session.header:
        what = "looks like data and is read as a row; columns are called c1, c2, ..."
        session.note(f"the first line of {source.place} {what}")
    for text in source.notes:
        session.note(text.replace(session.spooled, "standard input") if session.spooled else text)
    return source


def target_said(word: str, source: ArrowSource) -> str:
    """The column that --target means, by its name or its number; one that is not there is refused."""
    from likely.data.files.column_numbers import column_said

    name = column_said(word, source.columns)
    check_column(name, source)
    return name


def target_missing(source: ArrowSource, verb: str) -> UsageError:
    """The error where a verb is not told which column to predict."""
    hint = f"say --target COLUMN; the columns are {listed(source.columns)}"
    return UsageError("U103", "--target is missing", place=verb, hint=hint)


def open_table(
    data: str,
    form: str | None,
    target: str,
    session: Session,
    named: Collection[str | None] = (),
    kinds: object = None,
) -> tuple[Any, Any, str]:
    """The columns of a file as a table in memory, its target and its name; for what must see all rows at once."""
    from likely.estimators.streams import watched

    source = open_rows(session, data, form, target, named=named, kinds=kinds)
    target = target_said(target, source)
    with with_labels(session, source, target) as known, session.watch("reading") as tick:
        rows, labels, _ = table_of(watched(known, tick), target, None)
    return rows, labels, target


@contextmanager
def with_labels(session: Session, source: ArrowSource, target: str, classes: Any = None) -> Iterator[ArrowSource]:
    """The rows that have a label, unless --strict refuses others; what was left out is noted once they were read.

    With classes, a label that differs from one of them by case, blanks or a trailing dot is taken for it.
    """
    from likely.data.targets.label_rows import labelled

    if target not in source.columns or (session.strict and classes is None):
        yield source
        return
    known, left = labelled(source, target, classes, session.strict)
    yield known
    for text in left.words:
        session.note(text)


def rows_to_judge(
    session: Session, model: Any, source: ArrowSource, match_labels: bool = False
) -> AbstractContextManager[ArrowSource]:
    """The rows of a source whose labels are known, for a fitted model that is to be judged by them."""
    found = inner(model)
    classes = found.classes_.tolist() if match_labels and hasattr(found, "classes_") else None
    return with_labels(session, source, found.model_.schema.target.name, classes)


def check_column(name: str, source: ArrowSource) -> None:
    """Refuse a column that the source does not have."""
    if name not in source.columns:
        hint = f"the columns are {listed(source.columns)}.{nearest(name, source.columns)}"
        raise SchemaError("S207", f"there is no column {name!r}", place=source.place, hint=hint)


def table_of(source: ArrowSource, target: str, weight: str | None) -> tuple[Any, Any, Any]:
    """The columns of a source as a table in memory, its target, and its weights (rows,) or None."""
    import pyarrow as pa

    table = pa.Table.from_batches(list(source.read()))
    if not table.num_rows:
        raise DataError("D117", "there are no rows", place=source.place, hint="give at least one row")
    weights = None if weight is None else table.column(weight).to_numpy()
    labels = table.column(target).combine_chunks()
    if labels.null_count:
        row = labels.is_null().to_pylist().index(True)
        place, hint = f"{source.place}, target {target!r}, row {row}", "drop such rows first"
        raise DataError("D105", "a label is missing", place=place, hint=hint)
    return table.drop_columns([target, *([] if weight is None else [weight])]), labels, weights


def is_of_amounts(model: Any) -> bool:
    """Whether a fitted model predicts numbers; else it tells classes apart."""
    return not hasattr(model, "predict_proba")


def refuse_for_amounts(model: Any, path: str, **said: bool) -> None:
    """Options about classes are refused of a regression model."""
    odd = [option for option, is_said in said.items() if is_said]
    if odd and is_of_amounts(model):
        what = f"{type(model).__name__} is a regression model, and --{odd[0].replace('_', '-')} is about classes"
        raise UsageError("U133", what, place=path, hint=f"leave --{odd[0].replace('_', '-')} out")


def refuse_amounts(model: Any, path: str, verb: str) -> None:
    """Refuse a regression model where classes are needed."""
    if is_of_amounts(model):
        hint = "likely predict tells the numbers, with --interval where the model knows how sure it is"
        raise UsageError(
            "U134", f"{type(model).__name__} is a regression model: no classes to {verb}", place=path, hint=hint
        )


def open_model(path: str, priors: str | None = None) -> Any:
    """The model of a file, under the class priors that --priors says."""
    from likely.estimators.fit_and_load import load

    found = load(path)
    if priors is None:
        return found
    refuse_for_amounts(found, path, priors=True)
    return found.with_priors(read_priors(priors, found.classes_.tolist()))


def open_plain(path: str, why: str) -> Any:
    """The model of a file for what the maps of a recalibrated one would spoil."""
    found = open_model(path)
    if hasattr(found, "maps"):
        hint = "fit it again, with --recalibrate only at the end"
        raise ModelError("M309", f"this model is recalibrated, and {why}", place=path, hint=hint)
    return found


def refuse_whole(model: Any, verb: str, path: str) -> None:
    """Refuse to merge, or to forget rows with, a model that was made from all rows at once."""
    if not hasattr(model, verb):
        what = f"{type(model).__name__} cannot {verb}: it was made from all its rows at once"
        hint = "only sums can be added and taken back: linear regression and the Bayes classifiers; fit this one again"
        raise UsageError("U137", what, place=path, hint=hint)


def one_row(source: ArrowSource, row: int, model: Any) -> Any:
    """A table of that row alone, with the columns that a model knows; rows are numbered from 0, as in Python."""
    import pyarrow as pa

    names, start = list(model.model_.schema.origins), 0
    source = model._located(source)
    for batch in source.read():
        if start <= row < start + batch.num_rows:
            return pa.Table.from_batches([batch.slice(row - start, 1)]).select(names)
        start += batch.num_rows
    hint = f"there are {start} rows, numbered from 0"
    raise NoRowError("D128", f"there is no row {row}", place=source.place, hint=hint)


def ranges(source: ArrowSource, model: Any) -> dict[str, tuple[float, float]]:
    """{column: (low, high)} of the numbers that there may be, as a file and the model show them."""
    from likely.explanations.columns import possible_ranges

    return possible_ranges(model, dict(zip(source.names, source.look([None] * len(source.names)), strict=True)))


class NoRowError(LikelyError, IndexError):
    """A row beyond the end of a table is asked for (code D128)."""
