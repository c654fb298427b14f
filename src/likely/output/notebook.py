"""Results as notebooks show them: small tables that borrow the colours of the page, light or dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

NOTEBOOK_ROWS = 20  # of a table in a notebook
NOTEBOOK_COLUMNS = 12
NOTEBOOK_LETTERS = 60  # of a cell
MOST_TEXT = 6000  # letters of a text that is shown as it is
_TABLE = "border-collapse:collapse;margin:.4em 0;color:inherit;background:transparent"
_CELL_STYLE = "text-align:left;padding:.15em .7em;border-bottom:1px solid rgba(128,128,128,.4);color:inherit"


class Shown:
    """A result that notebooks show: its `_html`, or its text."""

    def _html(self) -> str:
        return html_text(repr(self))

    def _repr_html_(self) -> str:
        return self._html()


def html_text(text: str) -> str:
    """Text as it is, letters of one width; what is very long is cut off.

    >>> html_text("<b>")
    '<pre style="color:inherit;background:transparent">&lt;b&gt;</pre>'
    """
    shown = text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]} …"
    return f'<pre style="color:inherit;background:transparent">{escape(shown)}</pre>'


def html_table(columns: Mapping[str, Sequence[Any]], caption: str = "", said: Sequence[str] = ()) -> str:
    """Columns as a table of HTML, what is too long or wide left out with a word; sentences come below it.

    >>> html_table({"a": [1.0, None]}).count("<td")
    2
    """
    names = [*columns][:NOTEBOOK_COLUMNS]
    rows = list(zip(*(columns[name] for name in names), strict=True))
    head = "".join(f'<th scope="col" style="{_CELL_STYLE}">{escape(_cell(name))}</th>' for name in names)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL_STYLE}">{escape(_cell(value))}</td>' for value in row) + "</tr>"
        for row in rows[:NOTEBOOK_ROWS]
    )
    title = f'<caption style="text-align:left;color:inherit"><b>{escape(caption)}</b></caption>' if caption else ""
    more = [f"and {len(rows) - NOTEBOOK_ROWS:,} more rows"] if len(rows) > NOTEBOOK_ROWS else []
    more += [f"and {len(columns) - NOTEBOOK_COLUMNS:,} more columns"] if len(columns) > NOTEBOOK_COLUMNS else []
    below = "".join(f"<p>{escape(text)}</p>" for text in (*more, *map(str, said)))
    inside = f"{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div><table style="{_TABLE}">{inside}</table>{below}</div>'


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if len(text) <= NOTEBOOK_LETTERS else f"{text[: NOTEBOOK_LETTERS - 1]}…"
