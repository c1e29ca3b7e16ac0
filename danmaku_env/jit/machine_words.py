"""Machine words for kernels: bits counted, words loaded and stored, memory fetched and copied, each in one instruction of the processor."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(_typing: Any, mask: Any) -> Any:
    """Index of the lowest set bit of a mask that is not 0: one machine instruction."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = context.cast(builder, arguments[0], signature.args[0], numba.int64)
        return builder.cttz(wide, context.get_constant(numba.boolean, True))

    return numba.int64(mask), build


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(_typing: Any, rows: Any, row: Any, offset: Any) -> Any:
    """Ask the processor to fetch the memory line of rows[row, offset]; `rows` is a C-contiguous byte array [B, n]."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = builder.extract_value(array.strides, 0)
        place = builder.add(builder.mul(arguments[1], stride), arguments[2])
        pointer = builder.gep(array.data, [place])
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, word(0), word(3), word(1)])  # for reading, to keep in all caches, as data
        return context.get_dummy_value()

    return numba.void(rows, numba.int64, numba.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def store_word(_typing: Any, row: Any, offset: Any, word: Any) -> Any:
    """Write a word of 64 bits into a C-contiguous byte array, from a byte on, the lowest byte first: one machine instruction."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        wide = ir.IntType(64)
        pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), wide.as_pointer())
        builder.store(arguments[2], pointer).align = 1
        return context.get_dummy_value()

    return numba.void(row, numba.int64, numba.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def copy_start(_typing: Any, target: Any, to: Any, source: Any, place: Any, size: Any) -> Any:
    """Copy the first `size` bytes of source[place] to target[to]; both are C-contiguous byte arrays [B, n]."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        ends = []
        for which in (0, 2):
            array = context.make_array(signature.args[which])(context, builder, arguments[which])
            stride = builder.extract_value(array.strides, 0)
            ends.append(builder.gep(array.data, [builder.mul(arguments[which + 1], stride)]))
        cgutils.raw_memcpy(builder, ends[0], ends[1], arguments[4], 1)
        return context.get_dummy_value()

    return numba.void(target, numba.int64, source, numba.int64, numba.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def load_word(_typing: Any, row: Any, offset: Any) -> Any:
    """The word of 64 bits that begins at a byte of a C-contiguous byte array, the lowest byte first: one machine instruction."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(64).as_pointer())
        word = builder.load(pointer)
        word.align = 1
        return word

    return numba.int64(row, numba.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def count_bits(_typing: Any, mask: Any) -> Any:
    """How many bits are set: one machine instruction."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(context.cast(builder, arguments[0], signature.args[0], numba.int64))

    return numba.int64(mask), build
