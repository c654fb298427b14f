"""What a file says is so, held against what the fields of a class are declared to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from likely.errors import StoreError

T = TypeVar("T")


def damaged(message: str) -> StoreError:
    """The error for what no model holds."""
    return StoreError("F404", message, hint="save the model again")


def checked_value(kind: type[T], parts: Any) -> T:
    """A value of a frozen class from its parts by name, each of the type that its field is declared to have.

    >>> from likely.core.schema import Grid
    >>> checked_value(Grid, {"low": 0.0, "high": 1.0})
    Grid(low=0.0, high=1.0)
    >>> checked_value(Grid, {"low": 0.0, "high": "1"})
    Traceback (most recent call last):
    likely.errors.StoreError: [F404] a Grid is not made of such parts
      hint: save the model again
    """
    wanted, needed = _declared(cast(Any, kind))
    given = isinstance(parts, Mapping) and needed <= {*parts} <= {*wanted}
    if not given or not all(fits(part, wanted[name]) for name, part in parts.items()):
        raise damaged(f"a {kind.__name__} is not made of such parts")
    return kind(**parts)


@cache
def _declared(kind: type[Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """The types of the fields of a class, and those that it cannot be made without."""
    hints = get_type_hints(kind)
    needed = (field.name for field in fields(kind) if field.default is field.default_factory is MISSING)
    return {field.name: hints[field.name] for field in fields(kind)}, frozenset(needed)


def fits(value: Any, wanted: Any) -> bool:
    """Whether a value is of the type that a field is declared to have; numbers of arrays in this machine's order.

    >>> fits((1, 2), tuple[int, ...]), fits(("a", 1), tuple[str, float]), fits(1, float | None), fits(True, int)
    (True, True, True, False)
    """
    if wanted is Any:
        return True
    args, origin = get_args(wanted), get_origin(wanted)
    if origin is np.ndarray:
        number = get_args(args[1])[0]
        known = isinstance(value, np.ndarray) and value.dtype.kind in "fiub" and value.dtype.isnative
        return known and (number is Any or value.dtype == number)
    if origin is Sequence and isinstance(value, range):
        return True
    if origin in (tuple, Sequence):
        if not isinstance(value, tuple):
            return False
        if origin is tuple and args[-1] is not ...:
            return len(value) == len(args) and all(map(fits, value, args))
        return all(fits(part, args[0]) for part in value)
    if args:
        return any(fits(value, one) for one in args)
    if isinstance(value, bool) or wanted is bool:
        return isinstance(value, bool) and wanted is bool
    if isinstance(value, int):
        return (wanted is int and abs(value) < 2**64) or (wanted is float and abs(value) <= 2**53)
    return isinstance(value, wanted)
