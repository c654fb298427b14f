"""Single machine instructions that Python has no operator for."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def fma(typing: Any, a: Any, b: Any, c: Any) -> tuple[Any, Callable[..., Any]]:
    """a * b + c, rounded once: the error of a product is fma(a, b, -(a * b)), exactly."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), emit


@intrinsic
def bits(typing: Any, x: Any) -> tuple[Any, Callable[..., Any]]:
    """The 64 bits of a double, as an integer."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), emit


@intrinsic
def from_bits(typing: Any, n: Any) -> tuple[Any, Callable[..., Any]]:
    """The double that has these 64 bits."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), emit
