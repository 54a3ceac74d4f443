"""What threads need to share arrays without locks: atomic words, and the processor's clock.

Numba has no atomics on the CPU, but LLVM has: each function here becomes one instruction on an
element of an array. Plain `+=` from two threads loses additions; these don't.
"""

from __future__ import annotations

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic


def _element(context, builder, array_type, array, index):
    """The address of an element of a flat array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [index])


@intrinsic
def fetch_add(typing_context, array, i, amount):
    """Add to array[i] at once; returns what was there before. Sums wrap round."""

    def generate(context, builder, signature, arguments):
        values, index, value = arguments
        place = _element(context, builder, signature.args[0], values, index)
        return builder.atomic_rmw("add", place, value, ordering="monotonic")

    return array.dtype(array, types.uint64, array.dtype), generate


@intrinsic
def fetch_or(typing_context, array, i, bits):
    """Set bits of array[i] at once; returns what was there before."""

    def generate(context, builder, signature, arguments):
        values, index, value = arguments
        place = _element(context, builder, signature.args[0], values, index)
        return builder.atomic_rmw("or", place, value, ordering="seq_cst")

    return array.dtype(array, types.uint64, array.dtype), generate


@intrinsic
def swap_if(typing_context, array, i, expected, new):
    """If array[i] is what is expected, make it something else at once; returns whether it was."""

    def generate(context, builder, signature, arguments):
        values, index, old, value = arguments
        place = _element(context, builder, signature.args[0], values, index)
        pair = builder.cmpxchg(place, old, value, ordering="seq_cst", failordering="seq_cst")
        return builder.extract_value(pair, 1)

    return types.boolean(array, types.uint64, array.dtype, array.dtype), generate


@intrinsic
def publish(typing_context, array, i, value):
    """Write array[i] so that whoever sees it also sees all that was written before."""

    def generate(context, builder, signature, arguments):
        values, index, new = arguments
        place = _element(context, builder, signature.args[0], values, index)
        builder.atomic_rmw("xchg", place, new, ordering="seq_cst")
        return context.get_dummy_value()

    return types.void(array, types.uint64, array.dtype), generate


@intrinsic
def look(typing_context, array, i):
    """Read array[i] anew, however often it was read before: another thread may have written."""

    def generate(context, builder, signature, arguments):
        values, index = arguments
        place = _element(context, builder, signature.args[0], values, index)
        bytes_ = signature.return_type.bitwidth // 8
        return builder.load_atomic(place, ordering="acquire", align=bytes_)

    return array.dtype(array, types.uint64), generate


@intrinsic
def cycles(typing_context):
    """The processor's cycle counter: only differences mean something, and only as shares."""

    def generate(context, builder, signature, arguments):
        function_type = ir.FunctionType(ir.IntType(64), [])
        function = builder.module.declare_intrinsic("llvm.readcyclecounter", fnty=function_type)
        return builder.call(function, [])

    return types.uint64(), generate
