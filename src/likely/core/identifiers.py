"""Names of columns that say that their values name rows, people or things, and measure nothing."""

from __future__ import annotations

import re

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LAST = {"id", "ids", "uid", "uuid", "guid", "rowid"}
_WHOLE = {"index", "rowname", "rownames", "row names", "unnamed: 0", "nr", "no", "no.", "#"}


def named_as_identifier(name: str) -> bool:
    """Whether a name ends in "id" as a word of its own, or is what tools call the numbers of rows.

    >>> [named_as_identifier(name) for name in ("customer_id", "PassengerId", "orderID", "Unnamed: 0", "bid", "index")]
    [True, True, True, True, False, True]
    """
    parts = _PARTS.findall(name)
    return name.strip().lower() in _WHOLE or bool(parts and parts[-1].lower() in _LAST)
