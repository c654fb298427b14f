"""The limits of what goes into a belief: errors that say which number, where, and what to do."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.beliefs.forms import Array, floats
from likely.errors import OptionError


def numbers(name: str, value: ArrayLike) -> Array:
    """`value` as a float64 array of finite numbers.

    >>> numbers("count", float("nan"))
    Traceback (most recent call last):
    likely.errors.OptionError: [O202] count must be finite, not nan
      at: count=
      hint: marginalise missing values before they reach a belief
    """
    array = floats(name, value)
    finite = np.isfinite(array)
    if not finite.all():
        what = f"{name} must be finite, not {array[~finite].flat[0]}"
        hint = "marginalise missing values before they reach a belief"
        raise OptionError("O202", what, place=_place(~finite) or f"{name}=", hint=hint)
    return array


def positive(name: str, value: ArrayLike, hint: str = "a proper belief needs it above zero") -> Array:
    """`value` as a float64 array of finite numbers above zero.

    >>> positive("rate", [1.0, 0.0])
    Traceback (most recent call last):
    likely.errors.OptionError: [O203] rate must be positive, not 0.0
      at: index 1
      hint: a proper belief needs it above zero
    """
    array = numbers(name, value)
    wrong = array <= 0
    if wrong.any():
        raise OptionError(
            "O203", f"{name} must be positive, not {array[wrong].flat[0]}", place=_place(wrong) or f"{name}=", hint=hint
        )
    return array


def nonnegative(name: str, value: ArrayLike) -> Array:
    """`value` as a float64 array of finite numbers of zero or more: counts, weights, exposures; fractions are welcome.

    >>> nonnegative("counts", [2, 0.5]).tolist()
    [2.0, 0.5]
    """
    array = numbers(name, value)
    wrong = array < 0
    if wrong.any():
        raise OptionError(
            "O204", f"{name} must not be negative, but one is {array[wrong].flat[0]}", place=_place(wrong) or f"{name}="
        )
    return array


def remaining(name: str, value: ArrayLike) -> Array:
    """`value` if it is still positive after an update: what was never learnt cannot be taken back.

    >>> remaining("a", -1.0)
    Traceback (most recent call last):
    likely.errors.OptionError: [O205] the update would leave a at -1.0, which is no proper belief
      at: a=
      hint: negative amounts take back what an earlier update added, and no more than that
    """
    array = np.asarray(value, dtype=np.float64)
    wrong = ~(array > 0)
    if wrong.any():
        what = f"the update would leave {name} at {array[wrong].flat[0]}, which is no proper belief"
        hint = "negative amounts take back what an earlier update added, and no more than that"
        raise OptionError("O205", what, place=_place(wrong) or f"{name}=", hint=hint)
    return array


def tail(level: float) -> float:
    """The probability left on each side of an equal-tailed interval.

    >>> tail(0.5)
    0.25
    """
    if not 0 < level < 1:
        told = f"level must lie between 0 and 1, not {level}"
        raise OptionError("O207", told, place="level=", hint="0.95 for a 95 % interval")
    return (1.0 - level) / 2.0


def _place(wrong: NDArray[np.bool_]) -> str:
    """Where the first wrong entry stands; nothing to say of a single number."""
    return f"index {', '.join(str(i) for i in np.argwhere(wrong)[0])}" if wrong.ndim else ""
