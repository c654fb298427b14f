"""Eight words of bits side by side in one register, and 64 bytes compared at once: the instructions of bitmaps."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

WORDS_A_VECTOR = 8
WORD_VECTOR = ir.VectorType(ir.IntType(64), WORDS_A_VECTOR)
BYTE_VECTOR = ir.VectorType(ir.IntType(8), 64)


class BitWords(types.Type):  # type of the register in compiled code; it never reaches Python
    """Eight words of 64 bits."""

    def __init__(self) -> None:
        super().__init__(name="BitWords")


@register_model(BitWords)
class WordsModel(models.PrimitiveModel):
    """Held as one machine vector."""

    def __init__(self, manager: Any, kind: BitWords) -> None:
        super().__init__(manager, kind, WORD_VECTOR)


BIT_WORDS = BitWords()


def place(context: Any, builder: Any, signature: Any, arguments: Any, kind: Any) -> Any:
    """The address of element arguments[1] of the flat array arguments[0]."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.bitcast(builder.gep(array.data, [arguments[1]]), kind.as_pointer())


def spread(builder: Any, x: Any, kind: Any) -> Any:
    """The same element everywhere in a register."""
    whole = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(whole, x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, whole, ir.Constant(ir.VectorType(ir.IntType(32), kind.count), None))


@intrinsic
def none(typing: Any) -> tuple[Any, Callable[..., Any]]:
    """Eight zeros."""
    return BIT_WORDS(), lambda context, builder, signature, arguments: ir.Constant(WORD_VECTOR, None)


@intrinsic
def load(typing: Any, flat: Any, start: Any) -> tuple[Any, Callable[..., Any]]:
    """flat[start : start + 8] of a contiguous array; no bounds are checked."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(place(context, builder, signature, arguments, WORD_VECTOR), align=8)

    return BIT_WORDS(flat, types.uint64), emit


@intrinsic
def store(typing: Any, flat: Any, start: Any, words: Any) -> tuple[Any, Callable[..., Any]]:
    """flat[start : start + 8] = words."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], place(context, builder, signature, arguments, WORD_VECTOR), align=8)
        return context.get_dummy_value()

    return types.void(flat, types.uint64, words), emit


@intrinsic
def subtract(typing: Any, a: Any, b: Any) -> tuple[Any, Callable[..., Any]]:
    """a - b."""
    return BIT_WORDS(a, b), lambda context, builder, signature, arguments: builder.sub(*arguments)


@intrinsic
def tally(typing: Any, counts: Any, word: Any, words: Any) -> tuple[Any, Callable[..., Any]]:
    """Counts + the bits that `word` has in common with each of `words`."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        both = builder.and_(spread(builder, arguments[1], WORD_VECTOR), arguments[2])
        kind = ir.FunctionType(WORD_VECTOR, [WORD_VECTOR])
        count = cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{WORDS_A_VECTOR}i64")
        return builder.add(arguments[0], builder.call(count, [both]))

    return BIT_WORDS(counts, types.uint64, words), emit


@intrinsic
def matches(typing: Any, flat: Any, start: Any, byte: Any) -> tuple[Any, Callable[..., Any]]:
    """One bit each of flat[start : start + 64], a contiguous array of bytes: is it `byte`?"""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        held = builder.load(place(context, builder, signature, arguments, BYTE_VECTOR), align=1)
        same = builder.icmp_unsigned("==", held, spread(builder, arguments[2], BYTE_VECTOR))
        return builder.bitcast(same, ir.IntType(64))

    return types.uint64(flat, types.uint64, types.uint8), emit


@intrinsic
def popcount(typing: Any, word: Any) -> tuple[Any, Callable[..., Any]]:
    """How many bits of a word are set."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), emit
