"""Rows below a table that are none of its rows: totals, sources, notes, and rows without a value."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from likely.data.files.layout import is_number, is_ruler

LOOKED_AT = 60  # rows at the end of a table that may be a footer, with those above it
_MOST_ROWS = 20  # rows of a footer
_CONTEXT = 200  # rows that tell which columns always have a value
_ALWAYS = 0.95  # share of rows with a value, from which a column always has one
_FEW = 0.1  # share of rows that may begin like a footer by chance
_MOST_SHOWN = 60  # letters of a footer in a note
_TOTAL = re.compile(
    r"(?:grand |sub|gesamt|over)?-?(?:totale?s?|sum(?:me|a|ma|mary)?|somme|gesamt\w*|insgesamt|totaal|balance|saldo|"
    r"average|mean|mittel(?:wert)?|durchschnitt|moyenne|media|count|anzahl|合计|总计|小计|总和|平均|均值)(?:\W.*|\s.*|)",
    re.IGNORECASE | re.DOTALL,
)
_SOURCE_OR_NOTE = re.compile(
    r"(?:sources?|notes?|quelle|anmerkung|remarks?|legend|stand|data as of|as of|generated|exported|printed|created|"
    r"copyright|fuente|fonte|注|来源|数据来源|资料来源|说明|制表)\b.*|[*†‡©].+|.*:(?:\s.*)?|(?:\S+\s+){4,}\S+",
    re.IGNORECASE | re.DOTALL,
)


def tell_footer(rows: Sequence[Sequence[str]], width: int, whole: bool) -> tuple[int, str]:
    """How many of the last rows of a table are a footer, and a note about them or about a row that may be one.

    `rows` may hold rows without cells, which are blank lines; `whole` is whether there are no others above them.

    >>> tell_footer([["a", "1", "2"], ["b", "3", "4"], ["Total", "", "6"]], 3, True)
    (1, "the last row is a footer and left out: 'Total 6'")
    """
    told = [[cell.strip() for cell in row if cell.strip()] for row in rows[-_MOST_ROWS - 1 :]]
    count = named = 0
    while count < min(_MOST_ROWS, len(rows) - 1):
        mine = told[-1 - count]
        above = told[-2 - count] if count + 2 <= len(told) else ["?"]
        if mine and not _is_footer(rows, len(rows) - 1 - count, mine, not above, width, whole):
            break
        count += 1
        named = count if mine or len(rows[-count]) > 1 else named
    count = named  # blank lines are no rows
    shown = [" ".join(mine) for mine in told[len(told) - count :] if mine]
    if count:
        rows_ = "row is" if count == 1 else f"{count} rows are"
        what = f"a footer and left out: {_shown(shown)}" if shown else "empty and left out"
        return count, f"the last {rows_} {what}"
    last = told[-1] if told else []
    if (
        width > 1
        and last
        and len(rows[-1]) == width
        and _TOTAL.fullmatch(last[0])
        and _is_new(rows, len(rows) - 1, last[0])
    ):
        return 0, f"the last row, {_shown([' '.join(last)])}, may be a total: it is read as a row"
    return 0, ""


def _is_footer(
    rows: Sequence[Sequence[str]], at: int, told: Sequence[str], after_blank: bool, width: int, whole: bool
) -> bool:
    """Whether a row is none of the table: it leaves out what every row has, and says what it is."""
    row, first = rows[at], told[0]
    padded = [*row, *[""] * (width - len(row))]
    total = _TOTAL.fullmatch(first) is not None
    if len(told) == 1 and len(row) < width:
        return after_blank or is_ruler(told) or re.match(r"[^\W\d]|\(.*\)$", first) is not None
    if len(row) < width and told[0].endswith(":"):
        return 2 * len(told) <= width  # what a thing is, and the thing, as instruments write them
    if len(row) > width or width < 2:
        return False
    noted = total or _SOURCE_OR_NOTE.fullmatch(first) is not None
    if not (noted or (after_blank and width > 2)) or not _is_new(rows, at, first):
        return False
    near = [row for row in rows[max(0, at - _CONTEXT) : at] if len(row) == width and sum(map(bool, row)) > 1]
    some = [row for row in near if not _TOTAL.fullmatch(_first(row))]
    if any(_TOTAL.fullmatch(_first(row)) for row in near[: len(some)]) if total else _are_like(some, _SOURCE_OR_NOTE):
        return False  # the others begin in the same way: a value as any other
    filled = [sum(bool(row[place].strip()) for row in some) for place, cell in enumerate(padded) if not cell.strip()]
    if any(share >= _ALWAYS * len(some) for share in filled) and some:
        return True
    if total and after_blank:
        return True
    return total and whole and _adds_up(row, some) and len(some) == sum(map(bool, map(len, rows[:at])))


def _first(row: Sequence[str]) -> str:
    """The first cell that is not empty."""
    return next((cell.strip() for cell in row if cell.strip()), "")


def _are_like(rows: Sequence[Sequence[str]], pattern: re.Pattern[str]) -> bool:
    """Whether more than a few rows begin so."""
    return sum(pattern.fullmatch(_first(row)) is not None for row in rows) > _FEW * len(rows)


def _is_new(rows: Sequence[Sequence[str]], at: int, first: str) -> bool:
    """Whether no row above begins with the same word: else it is a value as any other."""
    return not any(first in map(str.strip, row[:2]) for row in rows[:at])


def _adds_up(row: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether all numbers of a row are the sums of those above them, or all are their means."""
    places = [place for place, cell in enumerate(row) if is_number(cell)]
    columns = [[float(other[place]) for other in rows if is_number(other[place])] for place in places]
    if not places or len(rows) < 2 or not all(columns):  # of one row, each row like it is the sum
        return False
    return any(
        all(
            math.isclose(float(row[place]), math.fsum(column) / share(column), rel_tol=1e-3, abs_tol=1e-9)
            for place, column in zip(places, columns, strict=True)
        )
        for share in (lambda column: 1, len)
    )


def _shown(texts: Sequence[str]) -> str:
    return ", ".join(repr(text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}...") for text in texts[:3])
