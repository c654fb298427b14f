"""likely inspect: a first look at a file."""

from __future__ import annotations

from typing import Any

from likely.cli import options
from likely.cli.terminal.session import Session

EXAMPLE = "likely inspect loans.csv --target default"
MOST_LINES_SHOWN = 1000  # of columns, and of notes about them: laying out a line takes longer than looking at a column


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
    for column in seen.columns[:MOST_LINES_SHOWN]:
        share = f"{column.missing:,} ({column.missing / seen.rows:.0%})" if column.missing and seen.rows else ""
        columns.add_row(column.name, column.kind, column.values, share)
    told: list[Any] = [columns, *_further(len(seen.columns), "column")]
    if seen.balance:
        classes = table(f"the classes of {seen.target!r}", "class", "rows", "share", "")
        for level, rows in seen.balance.items():
            share = rows / max(seen.rows, 1)
            classes.add_row(str(level), f"{rows:,}", f"{share:.1%}", bar(share))
        told.append(classes)
    suspicions = [*seen.suspicions, *(line for column in seen.columns for line in column.suspicions)]
    readings = _readings(session, seen.columns)
    told += [*readings[:MOST_LINES_SHOWN], *_further(len(readings), "reading")]
    told += [f"look twice: {session.words(line)}" for line in suspicions[:MOST_LINES_SHOWN]]
    told += _further(len(suspicions), "suspicion")
    if not missing:
        told.append("nothing is missing")
    return told


def _further(many: int, what: str) -> list[str]:
    """A line that says how many are not shown, if there are more than are."""
    from likely.output.phrases import plural

    more = many - MOST_LINES_SHOWN
    return [f"{plural(more, f'further {what}')} not shown here: --json has all"] if more > 0 else []


def _readings(session: Session, columns: Any) -> list[str]:
    """How columns of text were read, a line for those that are parts of one."""
    found: dict[tuple[str, str], list[str]] = {}
    for column in columns:
        if column.reading:
            found.setdefault((column.origin, column.reading), []).append(column.name)
    return [session.words(f"{', '.join(names)}: read as {reading}") for (_, reading), names in found.items()]
