"""What is handed in to be compared, as pairs of a name and a thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from likely.errors import OptionError
from likely.plots.lettering import shorts


def named(given: Any, field: str, place: str, title: Callable[[Any], str], most: int = 24) -> list[tuple[str, Any]]:
    """(name, thing) for one thing with that field, a sequence of them, or a mapping from names to them.

    >>> named({"red": 1j, "blue": 2j}, "real", "x", str)
    [('red', 1j), ('blue', 2j)]
    """
    if hasattr(given, field):
        return [(title(given), given)]
    if isinstance(given, Mapping) and given:
        pairs = list(given.items())
    elif isinstance(given, Sequence) and not isinstance(given, str) and given:
        pairs = [(at, thing) for at, thing in enumerate(given, start=1)]
    else:
        pairs = [("", given)]
    for _, thing in pairs:
        expect(thing, field, place, "a result of likely.evaluation, or several by name")
    names = [f"{name}: {title(thing)}" if isinstance(given, Sequence) else name for name, thing in pairs]
    return list(zip(shorts(names, most), (thing for _, thing in pairs), strict=True))


def expect(thing: Any, field: str, place: str, wanted: str) -> None:
    """An error unless the thing has the field that makes it what is wanted."""
    if not hasattr(thing, field):
        what = f"{type(thing).__name__} is not what is drawn or saved here: it has no {field}"
        raise OptionError("O374", what, place=place, hint=f"give {wanted}")
