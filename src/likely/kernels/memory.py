"""Arrays laid out for the kernels."""

import numpy as np
from numpy.typing import DTypeLike

from likely.core.numerics import Array, Floats

CACHE_LINE_BYTES = 64  # bytes in a cache line; a vector that straddles two costs twice
CLASSES_A_VECTOR = 4  # tables are read four classes at a time


def aligned_zeros(shape: tuple[int, ...], dtype: DTypeLike = np.float64) -> Array:
    """Zeros of `shape` that start on a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    room = np.zeros(size + CACHE_LINE_BYTES, np.uint8)
    start = -room.ctypes.data % CACHE_LINE_BYTES
    return room[start : start + size].view(dtype).reshape(shape)


def pad_classes(table: Floats) -> Floats:
    """(..., classes) -> (..., padded): classes padded by zeros to a multiple of four, on a cache line."""
    classes = table.shape[-1]
    padded: Floats = aligned_zeros((*table.shape[:-1], -(-classes // CLASSES_A_VECTOR) * CLASSES_A_VECTOR))
    padded[..., :classes] = table
    return padded


def classes_last(part: Array, classes: int) -> Floats:
    """(classes * cells, columns) -> (cells + 1, columns, classes), the last of which is no cell and zero."""
    cells, columns = len(part) // classes, part.shape[1]
    out = np.zeros((cells + 1, columns, classes))
    out[:-1] = np.moveaxis(part.reshape(classes, cells, columns), 0, 2)
    return out
