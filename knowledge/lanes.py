"""Eight 64-bit words that kernels work on at once, in the processor's vector registers.

Numba turns eight scalar operations into eight instructions; these few functions hand LLVM the
vector itself. In a kernel a `Lanes` is a value like any other:

    h = no_lanes()
    h = h ^ lanes_at(words, i)      # words[i : i + 8] of a flat uint64 array
    k = least_lane(h)               # the least, taken as signed numbers

Nothing checks that eight words are there.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

_VECTOR = ir.VectorType(ir.IntType(64), 8)


class _LanesType(types.Type):
    """The type of a `Lanes` value."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_LANES = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    """A `Lanes` is one LLVM vector wherever it is kept."""

    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _VECTOR)


@intrinsic
def no_lanes(typing_context):
    """Eight zeros."""

    def generate(context, builder, signature, arguments):
        return ir.Constant(_VECTOR, None)

    return _LANES(), generate


def _pointer(context, builder, array_type, array, index):
    """Where the eight words begin, as the address of a vector."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _reduced(builder, operation, lanes):
    """All lanes brought together by one of LLVM's operations."""
    function = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.IntType(64), [_VECTOR]),
        f"llvm.vector.reduce.{operation}.v8i64",
    )
    return builder.call(function, [lanes])


@intrinsic
def lanes_at(typing_context, words, i):
    """The eight words from i on of a flat array."""

    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load(pointer, align=8)

    return _LANES(words, types.uint64), generate


@intrinsic
def keep_lanes(typing_context, words, i, lanes):
    """Write the eight words from i on of a flat array."""

    def generate(context, builder, signature, arguments):
        array, index, value = arguments
        pointer = _pointer(context, builder, signature.args[0], array, index)
        builder.store(value, pointer, align=8)
        return context.get_dummy_value()

    return types.void(words, types.uint64, _LANES), generate


@intrinsic
def least_lane(typing_context, lanes):
    """The least of the eight words, as signed numbers."""

    def generate(context, builder, signature, arguments):
        return _reduced(builder, "smin", arguments[0])

    return types.uint64(_LANES), generate


@intrinsic
def labelled_lane(typing_context, lanes, label):
    """The lower half of the word whose upper half is a label; 0 if no word bears it."""

    def generate(context, builder, signature, arguments):
        lanes, label = arguments
        halfway = ir.Constant(_VECTOR, [32] * 8)
        first = builder.insert_element(ir.Constant(_VECTOR, None), label, ir.IntType(32)(0))
        everywhere = builder.shuffle_vector(
            first, first, ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
        )
        bears = builder.icmp_unsigned("==", builder.lshr(lanes, halfway), everywhere)
        lower = builder.and_(lanes, ir.Constant(_VECTOR, [0xFFFFFFFF] * 8))
        kept = builder.select(bears, lower, ir.Constant(_VECTOR, None))
        return _reduced(builder, "or", kept)

    return types.uint64(_LANES, types.uint64), generate


@type_callable(operator.xor)
def _type_xor(typing_context):
    def typer(a, b):
        return _LANES if isinstance(a, _LanesType) and isinstance(b, _LanesType) else None

    return typer


@lower_builtin(operator.xor, _LanesType, _LanesType)
def _xor(context, builder, signature, arguments):
    return builder.xor(*arguments)
