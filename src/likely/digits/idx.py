"""MNIST's IDX files, plain or compressed by gzip: a header that says the sizes, then a byte a pixel or label."""

from __future__ import annotations

import gzip
import struct
import zlib
from typing import Protocol

import numpy as np

from likely.core.numerics import Array
from likely.digits.files import Place, read_head, unreadable
from likely.digits.images import Images, check_labels, check_shape
from likely.errors import DataError

UNSIGNED_BYTES = 0x08  # IDX's sign for unsigned bytes, the only kind that holds digits
MOST_BYTES_UNPACKED = 1 << 30  # bytes that a file may unpack to
IDX_BYTES_AT_A_TIME = 1 << 20  # bytes read at a time, so that a file that lies about its size costs no memory


class Bytes(Protocol):
    """A file that is open for reading, packed or not."""

    def read(self, size: int, /) -> bytes: ...


def read_idx_images(path: Place) -> Images:
    """The images of an IDX file such as train-images-idx3-ubyte.gz: 0 is paper, 255 full ink.

    >>> import tempfile
    >>> from pathlib import Path
    >>> header = struct.pack(">4B3I", 0, 0, 8, 3, 1, 2, 3)  # bytes, three axes: 1 image of 2 lines of 3 pixels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "images-idx3-ubyte").write_bytes(header + bytes([0, 255, 0, 0, 128, 0]))
    ...     read_idx_images(Path(folder) / "images-idx3-ubyte").bits.tolist()
    [[0, 1, 0, 0, 1, 0]]
    """
    values = _read(path, ("images", "height", "width"))
    _, height, width = values.shape
    return Images(values.reshape(-1, height * width), height, width, darkest=255)


def read_idx_labels(path: Place) -> Array:
    """(labels,): the digits of an IDX file such as train-labels-idx1-ubyte.gz.

    >>> import tempfile
    >>> from pathlib import Path
    >>> header = struct.pack(">4BI", 0, 0, 8, 1, 2)  # bytes, one axis: 2 labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "labels-idx1-ubyte").write_bytes(header + bytes([3, 7]))
    ...     read_idx_labels(Path(folder) / "labels-idx1-ubyte")
    array([3, 7])
    """
    return check_labels(_read(path, ("labels",)), place=str(path))


def _read(path: Place, axes: tuple[str, ...]) -> Array:
    """(sizes of the axes): the bytes of an IDX file that has these axes."""
    packed = read_head(path, 2) == b"\x1f\x8b"
    try:
        with gzip.open(path, "rb") if packed else open(path, "rb") as file:
            sizes = _sizes(file, axes, path)
            wanted = int(np.prod(sizes, dtype=object))
            if wanted > MOST_BYTES_UNPACKED:
                raise _cut(path, sizes, f"a file of digits has {MOST_BYTES_UNPACKED} at most")
            data = _body(file, wanted)
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise DataError("D413", "the compressed file is damaged", place=str(path), hint="fetch it again") from None
    except OSError as error:
        raise unreadable(path, error) from None
    if len(data) != wanted:
        raise _cut(path, sizes, "more bytes follow" if len(data) > wanted else f"only {len(data)} bytes follow")
    return np.frombuffer(data, dtype=np.uint8).reshape(sizes)


def _sizes(file: Bytes, axes: tuple[str, ...], path: Place) -> tuple[int, ...]:
    """The sizes that the header says, one an axis."""
    magic = file.read(4)
    if magic != bytes((0, 0, UNSIGNED_BYTES, len(axes))):
        said = f"this is no IDX file of {axes[0]}: it starts with {magic.hex(' ') or 'nothing'}"
        others = {3: "images", 1: "labels"}
        found = others.get(magic[3]) if len(magic) == 4 and magic[:3] == bytes((0, 0, UNSIGNED_BYTES)) else None
        hint = f"it holds {found}" if found else f"such a file starts with 00 00 08 0{len(axes)}"
        raise DataError("D413", said, place=str(path), hint=hint)
    header = file.read(4 * len(axes))
    if len(header) != 4 * len(axes):
        raise DataError("D413", "the file ends within its header", place=str(path), hint="fetch it again")
    sizes = struct.unpack(f">{len(axes)}I", header)
    if len(axes) == 3:
        check_shape(sizes[1], sizes[2], str(path))
    if sizes[0] == 0:
        raise DataError("D402", f"there are no {axes[0]}", place=str(path), hint="fetch the file again")
    return sizes


def _body(file: Bytes, wanted: int) -> bytes:
    """At most one byte more than is wanted, whatever the file holds."""
    parts, held = [], 0
    while held <= wanted:
        part = file.read(min(IDX_BYTES_AT_A_TIME, wanted + 1 - held))
        if not part:
            break
        parts.append(part)
        held += len(part)
    return b"".join(parts)


def _cut(path: Place, sizes: tuple[int, ...], told: str) -> DataError:
    said = f"the header says {' × '.join(map(str, sizes))} bytes, and {told}"
    return DataError("D414", said, place=str(path), hint="the file is cut off or damaged: fetch it again")
