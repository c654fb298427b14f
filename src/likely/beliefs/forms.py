"""The form in which the numbers of a belief are taken, kept and given back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likely.errors import OptionError

Array: TypeAlias = NDArray[np.float64]

# A float where the belief is a single one, a float64 array where it has leading axes. Which of the two is known to
# the caller, not to the type checker; a union would make every caller prove it again, so numpy's own answer: Any.
Numbers: TypeAlias = Any

# What `numpy.random.default_rng` takes; with a seed a sample can be drawn again, without one it is always another.
Seed: TypeAlias = int | np.random.SeedSequence | np.random.Generator | None

_BROADCAST = "leading axes must be equal or 1, as numpy broadcasts"


def stored(array: Array) -> Numbers:
    """What a belief stores: a float, or a read-only copy that no one else holds."""
    if array.ndim == 0:
        return float(array)
    copy = np.array(array, dtype=np.float64)
    copy.flags.writeable = False
    return copy


def plain(array: ArrayLike) -> Numbers:
    """What a belief gives back: a float for no axes, the array otherwise."""
    result = np.asarray(array, dtype=np.float64)
    return float(result) if result.ndim == 0 else result


def together(**arrays: Array) -> tuple[Array, ...]:
    """The arrays, broadcast to one shape.

    >>> together(a=np.ones(2), b=np.ones(3))
    Traceback (most recent call last):
    likely.errors.OptionError: [O206] the shapes do not go together: a (2,), b (3,)
      at: shapes
      hint: leading axes must be equal or 1, as numpy broadcasts
    """
    shape = leading_axes(**{name: array.shape for name, array in arrays.items()})
    return tuple(np.broadcast_to(array, shape) for array in arrays.values())


def floats(name: str, value: ArrayLike) -> Array:
    """`value` as a float64 array; nan is let through."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        told = f"{name} must be a number or an array of numbers: {error}"
        raise OptionError("O201", told, place=f"{name}=", hint="give numbers, or arrays of them") from None


def broadcastable(name: str, value: ArrayLike, shape: tuple[int, ...], own: int = 0) -> Array:
    """`value` as a float64 array that broadcasts against `shape`, of which the `own` last axes must be met exactly.

    >>> broadcastable("counts", [0.0, 1.0], (4, 3), own=1)
    Traceback (most recent call last):
    likely.errors.OptionError: [O206] the shapes do not go together: counts (2,), belief (4, 3)
      at: shapes
      hint: counts must be (..., 3)
    """
    array = floats(name, value)
    last = shape[len(shape) - own :]
    if own and array.shape[-own:] != last:
        hint = f"{name} must be (..., {', '.join(str(size) for size in last)})"
        raise shape_error({name: array.shape, "belief": shape}, hint)
    leading_axes(**{name: array.shape, "belief": shape})
    return array


def leading_axes(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that all the shapes broadcast to.

    >>> leading_axes(count=(3, 1), belief=(2,))
    (3, 2)
    """
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        raise shape_error(shapes) from None


def shape_error(shapes: Mapping[str, tuple[int, ...]], hint: str = _BROADCAST) -> OptionError:
    """The error for shapes that do not go together."""
    listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
    return OptionError("O206", f"the shapes do not go together: {listed}", place="shapes", hint=hint)
