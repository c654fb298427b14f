"""Terms that add up, as bars to both sides of a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from likely.cli.terminal.session import Session

TOP = 12  # terms shown
Term = tuple[tuple[str, ...], float]  # what the first columns of a line say, and how much it adds


def bars(
    session: Session,
    title: str,
    heads: Sequence[str],
    terms: Sequence[Term],
    total: float,
    form: str = "+.3f",
    start: Term | None = None,
) -> Any:
    """A table of terms, the strongest first, with bars as long as the terminal has room for.

    `start` is what is said before any term and has no bar; `total` is the sum of all.
    """
    from likely.cli.terminal.render import table
    from likely.output.display_width import display_width

    shown, kept, sides = table(title, *heads), terms[:TOP], len(heads) - 2
    most = max((abs(amount) for _, amount in terms if math.isfinite(amount)), default=0.0) or 1.0
    taken = sum(max((display_width(cells[side]) for cells, _ in kept), default=0) for side in range(sides))
    half = max(4, min(14, (session.width - taken - 16 - 3 * sides) // 2))
    longest = half if all(math.isfinite(amount) for _, amount in terms) else half // 2  # of what is finite
    if start is not None:
        shown.add_row(*start[0], f"{start[1]:{form}}", "")
    for cells, amount in kept:
        length = round(longest * abs(amount) / most) if math.isfinite(amount) else half
        left, right = ("█" * length, "") if amount < 0 else ("", "█" * length)
        shown.add_row(*cells, f"{amount:{form}}", f"{left:>{half}}|{right}")
    empty = [""] * (sides - 1)
    if len(terms) > TOP:
        rest = sum(amount for _, amount in terms[TOP:])
        shown.add_row(f"{len(terms) - TOP} more", *empty, f"{rest:{form}}", "")
    shown.add_row("sum", *empty, f"{total:{form}}", "")
    return shown
