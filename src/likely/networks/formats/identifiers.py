"""Identifiers for names that a format cannot hold: letters, digits and underscores, each used once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ODD = re.compile(r"[^A-Za-z0-9_]+")


def identifiers(names: Iterable[str], reserved: Iterable[str] = ()) -> dict[str, str]:
    """An identifier for each name: the name itself where it is one, and else what is left of it.

    >>> identifiers(["age", "blood pressure", "<5", "5", "blood_pressure"])
    {'age': 'age', 'blood pressure': 'blood_pressure_2', '<5': 'x_5', '5': 'x5', 'blood_pressure': 'blood_pressure'}
    """
    given = list(names)
    barred = set(reserved)
    taken = {name for name in given if _IDENTIFIER.fullmatch(name) and name not in barred}
    found = {}
    numbers: dict[str, int] = {}  # counted on, so that a thousand alike names are not tried a thousand times each
    for name in given:
        if name in taken:
            found[name] = name
            continue
        stem = _ODD.sub("_", name)
        start = stem if _IDENTIFIER.match(stem) else f"x{stem}"
        one, number = start, numbers.get(start, 1)
        while one in taken or one in barred:
            number += 1
            one = f"{start}_{number}"
        numbers[start] = number
        taken.add(one)
        found[name] = one
    return found
