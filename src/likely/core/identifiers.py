"""Columns whose values name rows, people or things, and measure nothing: told by their names and different values.

What people are told of them stands here, too.
"""

from __future__ import annotations

import re

from likely.errors.advice import Advice, Kind

ENOUGH_VALUES = 30  # values before a column can look like an identifier, or like text
IDENTIFIER_SHARE = 0.9  # share of different values that makes it one
NAMED_IDENTIFIER_SHARE = 0.3  # and where its name says so, as in customer_id
_WORDS_OF_NAMES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LAST_WORDS = {"id", "ids", "uid", "uuid", "guid", "rowid"}
_VERSIONS = {"version", "versions", "ver", "release", "firmware", "revision", "rev"}
_NUMBER_SIGNS = {"No", "no", "Nr", "nr"}  # behind another word, as in "Document No."; NO is a gas
_CHINESE = (  # of orders, pupils, staff, accounts, cards, papers
    "编号",
    "单号",
    "学号",
    "工号",
    "账号",
    "卡号",
    "证号",
)
_WHOLE_NAMES = {"index", "rowname", "rownames", "row names", "unnamed: 0", "nr", "no", "no.", "#"}


def named_as_identifier(name: str) -> bool:
    """Whether a name ends in "id" or "no." as a word of its own, or is what tools call the numbers of rows.

    >>> [named_as_identifier(name) for name in ("customer_id", "orderID", "Unnamed: 0", "bid", "order_no", "订单编号")]
    [True, True, True, False, True, True]
    """
    if name.isascii() and name[-1:].isdigit():
        return name.strip().lower() in _WHOLE_NAMES
    parts = _WORDS_OF_NAMES.findall(name)
    last = parts[-1] if parts else ""
    numbered = len(parts) > 1 and last in _NUMBER_SIGNS
    return (
        name.strip().lower() in _WHOLE_NAMES
        or last.lower() in _LAST_WORDS
        or numbered
        or name.strip().endswith(_CHINESE)
    )


def named_as_version(name: str) -> bool:
    """Whether a word of a name says that its values are versions, of which 1.10 is not 1.1.

    >>> [named_as_version(name) for name in ("version", "appVersion", "os_release", "aversion")]
    [True, True, True, False]
    """
    return not _VERSIONS.isdisjoint(word.lower() for word in _WORDS_OF_NAMES.findall(name)) or "版本" in name


def identifies(name: str, different: int, rows: float) -> bool:
    """Whether a column of words has so many different values in its rows that it tells rows apart, not classes.

    >>> identifies("town", 50, 100), identifies("customer_id", 50, 100), identifies("town", 95, 100)
    (False, True, True)
    """
    share = NAMED_IDENTIFIER_SHARE if named_as_identifier(name) else IDENTIFIER_SHARE
    return rows >= ENOUGH_VALUES and different >= share * rows


def note_aside(name: str, *kinds: str) -> Advice:
    """That a column is set aside, and the kinds to say for it to be used."""
    first, *others = kinds or ("category",)
    text = f"{name!r} looks like an identifier and is set aside; to use it, say "
    return Advice(text, Kind(name, first), *(f" or {one}" for one in others))


def note_counter(name: str) -> Advice:
    """That numbers rise from row to row."""
    return Advice(f"{name!r} counts the rows and looks like an identifier; if so, say ", Kind(name, "skip"))


def note_named(name: str) -> Advice:
    """That the name of a column of numbers is one of identifiers."""
    return Advice(f"{name!r} is named as an identifier; if it is one, say ", Kind(name, "skip"))


def note_long(name: str) -> Advice:
    """That whole numbers have eleven digits or more, and hardly repeat."""
    what = f"{name!r} holds long whole numbers, hardly any of them twice"
    return Advice(f"{what}: identifiers, as of people, phones or cards? if so, say ", Kind(name, "skip"))
