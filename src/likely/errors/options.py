"""Declared checks of options: each gives the value back, or says what it cannot be, where, and what to say instead."""

from __future__ import annotations

from collections.abc import Collection
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

from likely.errors import OptionError, nearest

TOO_LARGE = "O393"  # the code of a model that would not fit into memory, where it is left out among others


def choose(
    value: Any, names: Collection[str], option: str, code: str, what: str = "", place: str = "", also: str = ""
) -> str:
    """One of the names; `what` says what they are names of, where that is not the option's own name.

    `also` is what the hint adds to the names.

    >>> choose("gibs", ("exact", "gibbs"), "method", "O467")
    Traceback (most recent call last):
    likely.errors.OptionError: [O467] unknown method 'gibs'
      at: method=
      hint: choose one of 'exact', 'gibbs'. Did you mean 'gibbs'?
    """
    if isinstance(value, str) and value in names:
        return value
    raise unknown(value, names, option, code, what, place, also)


def unknown(
    value: Any, names: Collection[str], option: str, code: str, what: str = "", place: str = "", also: str = ""
) -> OptionError:
    """The error for what is none of the names."""
    hint = f"choose one of {', '.join(map(repr, names))}{also}.{nearest(value, names)}"
    return OptionError(code, f"unknown {what or option} {value!r}", place=place or f"{option}=", hint=hint)


def whole(
    value: Any, option: str, code: str, least: int = 0, most: float = inf, hint: str = "", place: str = ""
) -> int:
    """A whole number from `least` to `most`.

    >>> whole(0, "chains", "O472", least=1)
    Traceback (most recent call last):
    likely.errors.OptionError: [O472] chains is 0
      at: chains=
      hint: say a whole number from 1 on
    """
    if is_whole(value) and least <= value <= most:
        return int(value)
    usual = f"say a whole number from {least} {'on' if most == inf else f'to {most}'}"
    raise OptionError(code, f"{option} is {value!r}", place=place or f"{option}=", hint=hint or usual)


def number(
    value: Any, option: str, code: str, least: float = 0.0, above: float = -inf, most: float = inf, hint: str = ""
) -> float:
    """A finite number from `least` on, above `above` and at most `most`.

    >>> number("much", "strength", "O606")
    Traceback (most recent call last):
    likely.errors.OptionError: [O606] strength is 'much'
      at: strength=
      hint: say a number from 0 on
    """
    if is_number(value) and least <= value <= most and value > above:
        return float(value)
    usual = f"say a number above {above:g}" if above >= least else f"say a number from {least:g} on"
    raise OptionError(code, f"{option} is {value!r}", place=f"{option}=", hint=hint or usual)


def share(value: Any, option: str, code: str, zero: bool = False, one: bool = False, hint: str = "") -> float:
    """A number between 0 and 1; `zero` and `one` say whether the ends are shares too.

    >>> share(0, "alpha", "O521", zero=True)
    0.0
    >>> share(1, "level", "O116")
    Traceback (most recent call last):
    likely.errors.OptionError: [O116] level is 1
      at: level=
      hint: say a share between 0 and 1, as in 0.95
    """
    if is_number(value) and (0 < value < 1 or (zero and value == 0) or (one and value == 1)):
        return float(value)
    usual = "say a share between 0 and 1, as in 0.95"
    raise OptionError(code, f"{option} is {value!r}", place=f"{option}=", hint=hint or usual)


def is_whole(value: Any) -> bool:
    """Whether it is a whole number, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether it is one finite number that a double can hold, and no truth value."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:  # a whole number beyond all doubles
        return False
