"""A fitted model in a few lines, for people: as text and as HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from likely.companions.fitted import ClassModel, RegressionModel
from likely.core.schema import ALL_ROWS
from likely.models.notes import Note

NOTES_SHOWN = 5  # notes shown
NAMES_SHOWN = 8  # classes or levels shown
COLUMNS_IN_HTML = 50
LETTERS_IN_HTML = 200  # of a cell or a note


def in_lines(model: Any, notes: Sequence[Note]) -> list[str]:
    """Rows, classes, kinds and notes."""
    schema, rows = model.schema, model.rows
    share = (
        ""
        if schema.classes == ALL_ROWS
        else _some([f"{level!r}: {_number(weight)}" for level, weight in zip(schema.classes, rows, strict=True)])
    )
    kinds = sorted({column.kind for column in schema.columns})
    columns = ", ".join(f"{sum(c.features for c in schema.columns if c.kind == kind)} {kind}" for kind in kinds)
    told = [f"  note: {note.text}" for note in notes]
    more = [f"  and {len(told) - NOTES_SHOWN} more notes in notes_"] if len(told) > NOTES_SHOWN else []
    head = [
        f"  rows {_number(rows.sum())}" + (f" ({share})" if share else ""),
        f"  columns {schema.features} ({columns})",
    ]
    own = [f"  {line}" for line in model.lines()] if isinstance(model, ClassModel | RegressionModel) else []
    return [*head, *own, *told[:NOTES_SHOWN], *more]


def in_html(name: str, model: Any, notes: Sequence[Note]) -> str:
    """The same, with a table of the columns."""
    lines = "".join(f"<li>{html.escape(_cut(line.strip()))}</li>" for line in in_lines(model, notes))
    cells = [(column.name, column.kind, _some(column.levels)) for column in model.schema.columns[:COLUMNS_IN_HTML]]
    rows = "".join(f"<tr>{''.join(f'<td>{html.escape(_cut(cell))}</td>' for cell in row)}</tr>" for row in cells)
    rest = len(model.schema.columns) - COLUMNS_IN_HTML
    more = f"<p>and {rest} more columns</p>" if rest > 0 else ""
    head = "<tr><th>column</th><th>kind</th><th>levels</th></tr>"
    return f"<div><b>{html.escape(_cut(name))}</b><ul>{lines}</ul><table>{head}{rows}</table>{more}</div>"


def _cut(text: str) -> str:
    """Text that has room; a name may be as long as a book."""
    return text if len(text) <= LETTERS_IN_HTML else f"{text[: LETTERS_IN_HTML - 1]}…"


def _number(weight: Any) -> str:
    return str(int(weight)) if float(weight).is_integer() else f"{weight:.6g}"


def _some(names: Sequence[object]) -> str:
    """The first few names, and how many more there are."""
    rest = f", and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(map(str, names[:NAMES_SHOWN])) + rest
