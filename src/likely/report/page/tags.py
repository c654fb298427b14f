"""Pieces of HTML, in which everything that comes from outside is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

MOST_LETTERS_SHOWN = 120  # of a cell
MOST_TABLE_ROWS = 500  # of a data table
UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def number(value: Any) -> str:
    """A number in a few digits; what is undefined is nothing.

    >>> number(0.123456), number(1234), number(None), number("inf"), number(0.0)
    ('0.123', '1,234', '', '∞', '0')
    """
    if value is None or value != value:
        return ""
    if isinstance(value, str):
        return {"inf": "∞", "-inf": "−∞"}.get(value, value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:,.1f}" if abs(value) < 1e9 else f"{value:.3g}"


def percent(value: Any) -> str:
    """A share in per cent."""
    return "" if value is None or isinstance(value, str) else f"{value:.1%}"


def cut(text: Any, letters: int = MOST_LETTERS_SHOWN) -> str:
    """Text that has room."""
    told = str(text)
    return told if len(told) <= letters else f"{told[: letters - 1]}…"


def tag(name: str, *inside: str, **attributes: Any) -> str:
    """An element around HTML; attributes are escaped, and those that are None left out.

    >>> tag("p", "x", class_="a<b", hidden=None)
    '<p class="a&lt;b">x</p>'
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{said}>{''.join(inside)}</{name}>"


def text(name: str, said: Any, **attributes: Any) -> str:
    """An element around text, which is escaped."""
    return tag(name, escape(cut(said, 2000)), **attributes)


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "", first: bool = True) -> str:
    """A table, whose first cells name their rows; wide ones can be scrolled, also by keys."""
    top = tag("tr", *(text("th", head, scope="col") for head in heads))
    body = []
    for row in list(rows)[:MOST_TABLE_ROWS]:
        cells = [cut(one) if isinstance(one, str) else number(one) for one in row]
        name = text("th", cells[0], scope="row") if first else text("td", cells[0])
        body.append(
            tag(
                "tr", name, *(text("td", cell, class_=_kind(one)) for cell, one in zip(cells[1:], row[1:], strict=True))
            )
        )
    told = text("caption", caption) if caption else ""
    inside = tag("table", told, tag("thead", top), tag("tbody", *body))
    return tag("div", inside, class_="wide", tabindex="0", role="region", aria_label=caption or " ".join(heads))


def _kind(value: Any) -> str | None:
    return "n" if isinstance(value, int | float) and not isinstance(value, bool) else None


def details(summary: str, *inside: str) -> str:
    """What is shown on demand."""
    return tag("details", text("summary", summary), *inside)


def as_script(value: Any) -> str:
    """JSON that may stand in a page: nothing in it can end the element or begin another.

    >>> as_script({"a": "</script>"})
    '{"a":"\\\\u003c/script\\\\u003e"}'
    """
    told = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=str)
    return "".join(UNSAFE.get(letter, letter) for letter in told)
