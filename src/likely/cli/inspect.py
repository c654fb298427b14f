"""likely inspect: a first look at a file."""

from __future__ import annotations

from typing import Any

from likely.cli import options
from likely.cli.terminal.session import Session

EXAMPLE = "likely inspect loans.csv --target default"


def run(
    session: Session,
    data: options.Data,
    target: options.Target = None,
    kind: options.Kind = None,
    form: options.Format = None,
) -> None:
    """Show kinds, levels, missing values, class balance and suspicious columns of DATA, before anything is fitted."""
    from likely.cli.inputs import open_rows
    from likely.data.files.column_numbers import column_said
    from likely.estimators.inspection import inspect
    from likely.estimators.streams import watched

    source = open_rows(
        session, data, form, target, named=options.columns_of_kinds(kind), kinds=options.read_kinds(kind)
    ).kept()
    target = target and column_said(target, source.columns)
    with session.watch("looking") as tick:
        seen = inspect(watched(source, tick), target, options.read_kinds(kind))
    session.answer(seen.to_dict())
    session.say(*_tables(session, seen, source.place))


def _tables(session: Session, seen: Any, place: str) -> list[Any]:
    from likely.cli.terminal.render import bar, table
    from likely.output.phrases import plural

    missing = any(column.missing for column in seen.columns)
    sizes = f"{plural(seen.rows, 'row')}, {plural(len(seen.columns), 'column')}"
    columns = table(f"{place}: {sizes}", "column", "kind", "values", "missing")
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
