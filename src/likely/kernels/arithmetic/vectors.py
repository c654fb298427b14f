"""Several numbers side by side in one register, and its instructions: where the compiler would make no vectors itself.

Four doubles are for inner loops over classes, which are too short for it; eight for sums that stay in registers; eight
words of bits, and 64 bytes compared at once, for bitmaps.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

DOUBLES_A_VECTOR, DOUBLES_A_WIDE_VECTOR, WORDS_A_VECTOR = 4, 8, 8
BYTE_VECTOR = ir.VectorType(ir.IntType(8), 64)
LAYOUTS = {
    "Lanes": ir.VectorType(ir.DoubleType(), DOUBLES_A_VECTOR),
    "WideLanes": ir.VectorType(ir.DoubleType(), DOUBLES_A_WIDE_VECTOR),
    "BitWords": ir.VectorType(ir.IntType(64), WORDS_A_VECTOR),
}
FUSE = ("contract",)  # a product and a sum may become one instruction, rounded once
Instruction = tuple[Any, Callable[..., Any]]


class Register(types.Type):  # the type in compiled code; it never reaches Python
    """Numbers side by side, laid out as its name says."""


@register_model(Register)
class RegisterModel(models.PrimitiveModel):
    """Held as one machine vector."""

    def __init__(self, manager: Any, kind: Register) -> None:
        super().__init__(manager, kind, LAYOUTS[kind.name])


LANES, WIDE_LANES, BIT_WORDS = Register("Lanes"), Register("WideLanes"), Register("BitWords")


def place(context: Any, builder: Any, signature: Any, arguments: Any, kind: Any) -> Any:
    """The address of element arguments[1] of the flat array arguments[0]."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.bitcast(builder.gep(array.data, [arguments[1]]), kind.as_pointer())


def everywhere(builder: Any, x: Any, kind: Any) -> Any:
    """The same element everywhere in a register."""
    whole = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(whole, x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, whole, ir.Constant(ir.VectorType(ir.IntType(32), kind.count), None))


@intrinsic
def load(typing: Any, flat: Any, start: Any) -> Instruction:
    """As many numbers as fit, from flat[start] of a contiguous array on; no bounds are checked."""
    kind = LANES if flat.dtype == types.float64 else BIT_WORDS

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(place(context, builder, signature, arguments, LAYOUTS[kind.name]), align=8)

    return kind(flat, types.uint64), emit


@intrinsic
def load_wide(typing: Any, flat: Any, start: Any) -> Instruction:
    """Eight doubles, from flat[start] of a contiguous array on; no bounds are checked."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(place(context, builder, signature, arguments, LAYOUTS["WideLanes"]), align=8)

    return WIDE_LANES(flat, types.uint64), emit


@intrinsic
def store(typing: Any, flat: Any, start: Any, numbers: Any) -> Instruction:
    """Write them to flat[start] and what follows."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], place(context, builder, signature, arguments, arguments[2].type), align=8)
        return context.get_dummy_value()

    return types.void(flat, types.uint64, numbers), emit


@intrinsic
def spread(typing: Any, x: Any) -> Instruction:
    """The same double in every lane."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = ir.Constant(LAYOUTS["Lanes"], ir.Undefined)
        for k in range(DOUBLES_A_VECTOR):  # one by one: a shuffle makes the loops over few classes a tenth slower
            lanes = builder.insert_element(lanes, arguments[0], ir.Constant(ir.IntType(32), k))
        return lanes

    return LANES(types.float64), emit


@intrinsic
def spread_wide(typing: Any, x: Any) -> Instruction:
    """The same double in each of eight lanes."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return everywhere(builder, arguments[0], LAYOUTS["WideLanes"])

    return WIDE_LANES(types.float64), emit


@intrinsic
def none(typing: Any) -> Instruction:
    """Eight zeros."""
    return BIT_WORDS(), lambda context, builder, signature, arguments: ir.Constant(LAYOUTS["BitWords"], None)


@intrinsic
def add(typing: Any, a: Any, b: Any) -> Instruction:
    """a + b."""
    return a(a, b), lambda context, builder, signature, arguments: builder.fadd(*arguments, flags=FUSE)


@intrinsic
def subtract(typing: Any, a: Any, b: Any) -> Instruction:
    """a - b."""
    if a == BIT_WORDS:
        return BIT_WORDS(a, b), lambda context, builder, signature, arguments: builder.sub(*arguments)
    return a(a, b), lambda context, builder, signature, arguments: builder.fsub(*arguments, flags=FUSE)


@intrinsic
def multiply(typing: Any, a: Any, b: Any) -> Instruction:
    """a * b."""
    return a(a, b), lambda context, builder, signature, arguments: builder.fmul(*arguments, flags=FUSE)


@intrinsic
def tally(typing: Any, counts: Any, word: Any, words: Any) -> Instruction:
    """Counts + the bits that `word` has in common with each of `words`."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        eight = LAYOUTS["BitWords"]
        both = builder.and_(everywhere(builder, arguments[1], eight), arguments[2])
        kind = ir.FunctionType(eight, [eight])
        count = cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{WORDS_A_VECTOR}i64")
        return builder.add(arguments[0], builder.call(count, [both]))

    return BIT_WORDS(counts, types.uint64, words), emit


@intrinsic
def matches(typing: Any, flat: Any, start: Any, byte: Any) -> Instruction:
    """One bit each of flat[start : start + 64], a contiguous array of bytes: is it `byte`?"""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        held = builder.load(place(context, builder, signature, arguments, BYTE_VECTOR), align=1)
        same = builder.icmp_unsigned("==", held, everywhere(builder, arguments[2], BYTE_VECTOR))
        return builder.bitcast(same, ir.IntType(64))

    return types.uint64(flat, types.uint64, types.uint8), emit


@intrinsic
def popcount(typing: Any, word: Any) -> Instruction:
    """How many bits of a word are set."""
    return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])
