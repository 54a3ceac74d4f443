"""Calling compiled code by its address, and records that live at an address.

A kernel that contains another is compiled together with it. The search would then be compiled
anew, for most of a minute, for each playout policy and each model of moves. So it calls those by
address: each is compiled and cached by itself, and takes one record that says all it needs.

    @routine
    def solve(address):
        task = record_at(address, TASK)     # a record of dtype TASK, where the answer goes, too

    call(function, task)                    # in a kernel; function is solve.address()

Records refer to other records by their addresses, as numbers; `record_at` goes there. Whoever
makes such a record keeps what it refers to alive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from engine.jit import CACHE

_BYTES = ir.IntType(8).as_pointer()


class Routine:
    """A function that kernels call by address; compiled when the address is first asked for."""

    def __init__(self, function: Callable[[Any], None]) -> None:
        self.function = function
        self._compiled: Any = None

    def address(self) -> int:
        if self._compiled is None:
            self._compiled = numba.cfunc(
                types.void(types.uint64), cache=CACHE is not None, nopython=True,
                boundscheck=False, _nrt=False,
            )(self.function)  # fmt: skip
        return int(self._compiled.address)


def routine(function: Callable[[Any], None]) -> Routine:
    """Make a function of a record's address one that kernels can call by its own address."""
    return Routine(function)


def address_of(array: np.ndarray) -> int:
    """Where an array's elements begin. The array must outlive whoever uses it."""
    return int(array.ctypes.data)


@intrinsic
def call(typing_context, address, record):
    """Call the routine at an address with a record."""

    def generate(context, builder, signature, arguments):
        where, task = arguments
        word = ir.IntType(64)
        function_type = ir.FunctionType(ir.VoidType(), [word])
        function = builder.inttoptr(where, function_type.as_pointer())
        builder.call(function, [builder.ptrtoint(task, word)])
        return context.get_dummy_value()

    return types.void(types.uint64, record), generate


@intrinsic
def record_at(typing_context, address, dtype):
    """The record of a dtype that begins at an address."""

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(signature.return_type)
        return builder.inttoptr(arguments[0], kind)

    return dtype.dtype(types.uint64, dtype), generate


@intrinsic
def array_at(typing_context, address, length, dtype):
    """The flat array of a dtype that begins at an address."""
    kind = types.Array(dtype.dtype, 1, "C")

    def generate(context, builder, signature, arguments):
        array = context.make_array(kind)(context, builder)
        data = builder.inttoptr(arguments[0], context.get_data_type(kind.dtype).as_pointer())
        size = context.get_constant(
            types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype))
        )
        populate_array(
            array, data=data, shape=[arguments[1]], strides=[size], itemsize=size, meminfo=None
        )
        return array._getvalue()

    return kind(types.uint64, types.intp, dtype), generate


@intrinsic
def copy_record(typing_context, target, source):
    """Copy a record over another of the same kind, wherever the two are."""

    def generate(context, builder, signature, arguments):
        size = ir.Constant(ir.IntType(64), signature.args[0].size)
        to, origin = (builder.bitcast(a, _BYTES) for a in arguments)
        cgutils.raw_memcpy(builder, to, origin, size, 1)
        return context.get_dummy_value()

    return types.void(target, target), generate
