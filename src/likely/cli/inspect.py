"""likely inspect: a first look at a file."""

from __future__ import annotations

from typing import Any

from likely.cli import options
from likely.cli.terminal.session import Session
from likely.errors import DataError

EXAMPLE = "likely inspect loans.csv --target default"
NUMERIC_TARGET = "D120"  # the target is no class


def run(
    session: Session,
    data: options.Data,
    target: options.Target = None,
    kind: options.Kind = None,
    form: options.Format = None,
) -> None:
    """Show kinds, levels, missing values, class balance and suspicious columns of DATA, before anything is fitted."""
    from dataclasses import replace

    from likely.cli.inputs import open_rows
    from likely.data.files.column_numbers import column_said
    from likely.estimators.inspection import inspect
    from likely.estimators.streams import watched
    from likely.estimators.suspicions import suspicious_columns

    source = open_rows(session, data, form, target)
    target = target and column_said(target, source.columns)
    with session.watch("looking") as tick:
        try:
            seen = inspect(watched(source, tick), target, options.read_kinds(kind))
        except DataError as error:
            if error.code != NUMERIC_TARGET:
                raise
            session.note(f"{target!r} is numeric and is shown among the columns; --model linear predicts it")
            seen = inspect(watched(source, tick), None, options.read_kinds(kind))
            known = {line for column in seen.columns for line in column.suspicions}
            more = [why for _, why in suspicious_columns(watched(source, tick), target) if why not in known]
            seen = replace(seen, suspicions=(*more, *(line for line in seen.suspicions if "no target" not in line)))
    session.answer(seen.to_dict())
    session.say(*_tables(session, seen, source.place))


def _tables(session: Session, seen: Any, place: str) -> list[Any]:
    from likely.cli.terminal.render import bar, table

    missing = any(column.missing for column in seen.columns)
    columns = table(f"{place}: {seen.rows:,} rows, {len(seen.columns)} columns", "column", "kind", "values", "missing")
    for column in seen.columns:
        share = f"{column.missing:,} ({column.missing / seen.rows:.0%})" if column.missing and seen.rows else ""
        columns.add_row(column.name, column.kind, column.values, share)
    told: list[Any] = [columns]
    if seen.balance:
        classes = table(f"the classes of {seen.target!r}", "class", "rows", "share", "")
        for level, rows in seen.balance.items():
            share = rows / max(seen.rows, 1)
            classes.add_row(str(level), f"{rows:,}", f"{share:.1%}", bar(share))
        told.append(classes)
    suspicions = [*seen.suspicions, *(line for column in seen.columns for line in column.suspicions)]
    told += _readings(session, seen.columns)
    told += [f"look twice: {session.words(line)}" for line in suspicions]
    if not missing:
        told.append("nothing is missing")
    return told


def _readings(session: Session, columns: Any) -> list[str]:
    """How columns of text were read, a line for those that are parts of one."""
    found: dict[tuple[str, str], list[str]] = {}
    for column in columns:
        if column.reading:
            found.setdefault((column.origin, column.reading), []).append(column.name)
    return [session.words(f"{', '.join(names)}: read as {reading}") for (_, reading), names in found.items()]
