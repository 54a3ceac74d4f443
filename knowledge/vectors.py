"""Sixteen 32-bit floats that kernels work on at once: a model's row for one feature.

Numba leaves short loops scalar; these few functions hand LLVM the vector itself, as `lanes.py`
does for words. In a kernel a `Vector` is a value like any other:

    total = no_vector()
    total = plus(total, vector_at(table, 16 * i))     # table is a flat float32 array
    keep_vector(sums, 16 * j, total)
    s = sum_of(total)

Nothing checks that sixteen numbers are there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic, models, register_model

WIDTH = 16
_FLOAT = ir.FloatType()
_VECTOR = ir.VectorType(_FLOAT, WIDTH)
_CACHE_LINE_BYTES = 64


def aligned_rows(count: int, blocks: int = 1) -> np.ndarray:
    """Zeros for so many rows, flat, beginning where a line of the cache does."""
    room = np.zeros((count * blocks + 1) * WIDTH, np.float32)
    start = -room.ctypes.data % _CACHE_LINE_BYTES // room.itemsize
    return room[start : start + count * blocks * WIDTH]


class _VectorType(types.Type):
    """The type of a `Vector` value."""

    def __init__(self) -> None:
        super().__init__(name="Vector16")


_TYPE = _VectorType()


@register_model(_VectorType)
class _VectorModel(models.PrimitiveModel):
    """A `Vector` is one LLVM vector wherever it is kept."""

    def __init__(self, manager: Any, type_: Any) -> None:
        super().__init__(manager, type_, _VECTOR)


def _pointer(context, builder, array_type, array, index):
    """Where the sixteen numbers begin, as the address of a vector."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _everywhere(builder, number):
    """A number in all lanes."""
    first = builder.insert_element(ir.Constant(_VECTOR, None), number, ir.IntType(32)(0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, first, lanes)


@intrinsic
def no_vector(typing_context):
    """Sixteen zeros."""

    def generate(context, builder, signature, arguments):
        return ir.Constant(_VECTOR, None)

    return _TYPE(), generate


@intrinsic
def vector_at(typing_context, numbers, i):
    """The sixteen numbers from i on of a flat array."""

    def generate(context, builder, signature, arguments):
        return builder.load(_pointer(context, builder, signature.args[0], *arguments), align=4)

    return _TYPE(numbers, types.uint64), generate


@intrinsic
def keep_vector(typing_context, numbers, i, vector):
    """Write the sixteen numbers from i on of a flat array."""

    def generate(context, builder, signature, arguments):
        array, index, value = arguments
        builder.store(value, _pointer(context, builder, signature.args[0], array, index), align=4)
        return context.get_dummy_value()

    return types.void(numbers, types.uint64, _TYPE), generate


def _binary(name):
    """An intrinsic for an operation of LLVM's builder on two vectors."""

    @intrinsic
    def operation(typing_context, a, b):
        def generate(context, builder, signature, arguments):
            return getattr(builder, name)(*arguments)

        return _TYPE(_TYPE, _TYPE), generate

    return operation


plus, minus, times = _binary("fadd"), _binary("fsub"), _binary("fmul")


@intrinsic
def scaled(typing_context, vector, number):
    """All lanes times a number."""

    def generate(context, builder, signature, arguments):
        value, number = arguments
        return builder.fmul(value, _everywhere(builder, number))

    return _TYPE(_TYPE, types.float32), generate


@intrinsic
def vector_of(typing_context, first, others):
    """One number in the first lane, another in all others."""

    def generate(context, builder, signature, arguments):
        first, others = arguments
        return builder.insert_element(_everywhere(builder, others), first, ir.IntType(32)(0))

    return _TYPE(types.float32, types.float32), generate


@intrinsic
def first_of(typing_context, vector):
    """The first lane."""

    def generate(context, builder, signature, arguments):
        return builder.extract_element(arguments[0], ir.IntType(32)(0))

    return types.float32(_TYPE), generate


@intrinsic
def sum_of(typing_context, vector):
    """All lanes added up, in whatever order is quickest (always the same one)."""

    def generate(context, builder, signature, arguments):
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(_FLOAT, [_FLOAT, _VECTOR]),
            f"llvm.vector.reduce.fadd.v{WIDTH}f32",
        )
        return builder.call(function, [_FLOAT(-0.0), arguments[0]], fastmath=("reassoc",))

    return types.float32(_TYPE), generate
