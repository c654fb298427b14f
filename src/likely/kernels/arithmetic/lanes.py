"""Four doubles side by side in one register: for inner loops over classes, too short for the compiler to vectorise."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

DOUBLES_A_VECTOR = 4
DOUBLE_VECTOR = ir.VectorType(ir.DoubleType(), DOUBLES_A_VECTOR)
FUSE = ("contract",)  # a product and a sum may become one instruction, rounded once


class Lanes(types.Type):  # type of the register in compiled code; it never reaches Python
    """Four doubles."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """Held as one machine vector."""

    def __init__(self, manager: Any, kind: Lanes) -> None:
        super().__init__(manager, kind, DOUBLE_VECTOR)


LANES_TYPE = Lanes()


def place(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of element arguments[1] of the flat array arguments[0]."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.bitcast(builder.gep(array.data, [arguments[1]]), DOUBLE_VECTOR.as_pointer())


@intrinsic
def load(typing: Any, flat: Any, start: Any) -> tuple[Any, Callable[..., Any]]:
    """flat[start : start + 4] of a contiguous array; no bounds are checked."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(place(context, builder, signature, arguments), align=8)

    return LANES_TYPE(flat, types.uint64), emit


@intrinsic
def store(typing: Any, flat: Any, start: Any, lanes: Any) -> tuple[Any, Callable[..., Any]]:
    """flat[start : start + 4] = lanes."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], place(context, builder, signature, arguments), align=8)
        return context.get_dummy_value()

    return types.void(flat, types.uint64, lanes), emit


@intrinsic
def spread(typing: Any, x: Any) -> tuple[Any, Callable[..., Any]]:
    """The same double in every lane."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = ir.Constant(DOUBLE_VECTOR, ir.Undefined)
        for k in range(DOUBLES_A_VECTOR):
            lanes = builder.insert_element(lanes, arguments[0], ir.Constant(ir.IntType(32), k))
        return lanes

    return LANES_TYPE(types.float64), emit


@intrinsic
def add(typing: Any, a: Any, b: Any) -> tuple[Any, Callable[..., Any]]:
    """a + b."""
    return LANES_TYPE(a, b), lambda context, builder, signature, arguments: builder.fadd(*arguments, flags=FUSE)


@intrinsic
def subtract(typing: Any, a: Any, b: Any) -> tuple[Any, Callable[..., Any]]:
    """a - b."""
    return LANES_TYPE(a, b), lambda context, builder, signature, arguments: builder.fsub(*arguments, flags=FUSE)


@intrinsic
def multiply(typing: Any, a: Any, b: Any) -> tuple[Any, Callable[..., Any]]:
    """a * b."""
    return LANES_TYPE(a, b), lambda context, builder, signature, arguments: builder.fmul(*arguments, flags=FUSE)
