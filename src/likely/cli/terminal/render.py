"""Tables, bars and numbers for a terminal."""

from __future__ import annotations

from typing import Any

from likely.output.display_width import display_width

NO_ARCS = "none: every column depends on the class alone"


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
    if display_width(line) <= most:
        return line
    while display_width(line) >= most:
        line = line[:-1]
    return line + "…"


def in_a_line(structure: Any, most: int = 6) -> str:
    """What columns depend on beside the class, in a few words: the strongest arcs, or the heaviest super-parents.

    >>> from likely.structures import Structure
    >>> in_a_line(Structure(("root", "touch"), ((), ("root",)), ((), (0.21,)), target="good", kind="tree"))
    'tree: root -> touch'
    """
    if structure.kind == "average":
        weights = dict(zip(structure.members, structure.member_weights, strict=True))
        ranked = sorted((by for by in weights if by), key=lambda by: -weights[by])
        even = max(weights.values()) - min(weights.values()) < 1e-9
        names = [" & ".join(by) + ("" if even else f" ({100 * weights[by]:.0f} %)") for by in ranked]
        return f"{len(names)} in turn: {_some(names, most)}" if names else NO_ARCS
    if structure.kind == "super-parent" and structure.arcs:
        return f"{structure.arcs[0][0]}, of all other columns"
    arcs = sorted(structure.arcs, key=lambda arc: -arc[2])
    named = [f"{parent} -> {child}" for parent, child, _ in arcs]
    return f"{structure.kind}: {_some(named, most)}" if named else NO_ARCS


def _some(names: list[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
