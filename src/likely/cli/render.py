"""Tables, bars and numbers for a terminal."""

from __future__ import annotations

import re
from typing import Any

from likely.widths import width

KINDS = re.compile(r"kinds=\{'(.+?)': '(\w+)'\}")


def table(title: str, *columns: str) -> Any:
    """A table of rich; every column but the first few words of a row is as wide as it needs."""
    from rich import box
    from rich.table import Table

    made = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        made.add_column(name, overflow="fold")
    return made


def bar(share: float, width: int = 24) -> str:
    """A share between 0 and 1 as a bar.

    >>> bar(0.5, 4)
    '██'
    """
    return "█" * round(share * width)


def count(rows: float) -> str:
    """A number of rows; weights may make it a fraction.

    >>> count(1234.0), count(0.5)
    ('1,234', '0.5')
    """
    return f"{int(rows):,}" if float(rows).is_integer() else f"{rows:,.6g}"


def named(target: str, level: object) -> str:
    """A class as a person would say it: a number alone says nothing.

    >>> named("survived", 0), named("species", "Adelie")
    ('survived=0', 'Adelie')
    """
    return level if isinstance(level, str) else f"{target}={level}"


def short(text: str, most: int = 24) -> str:
    """A text on one line, cut to so many places in a terminal.

    >>> short("a text that goes on and on", 10)
    'a text th…'
    """
    line = " ".join(text.split())
    if width(line) <= most:
        return line
    while width(line) >= most:
        line = line[:-1]
    return line + "…"


def as_options(text: str) -> str:
    """Advice for Python as advice for the command line.

    >>> as_options("say kinds={'pclass': 'category'}")
    'say --kind pclass=category'
    """
    return KINDS.sub(lambda found: f"--kind {found[1]}={found[2]}", text)
