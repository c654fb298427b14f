"""The text format: an image is `height` lines of blanks, + (grey) and # (black); a label is a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.digits.files import Place, read_text, write_text
from likely.digits.images import Images, check_labels, check_shape, not_a_digit
from likely.errors import DataError

GREY_SIGNS = b" +#"  # grey levels 0, 1, 2
GREY_LEVELS = np.full(256, len(GREY_SIGNS), dtype=np.uint8)
GREY_LEVELS[list(GREY_SIGNS)] = np.arange(len(GREY_SIGNS))


def read_images(path: Place, height: int = 28, width: int = 28) -> Images:
    """The images of a text file: blank is 0, + is 1, # is 2; a pixel is on if it is + or #.

    Every line has `width` characters, blanks at its end included. Line ends may be those of any system, and empty lines
    at the end of the file are no images. Anything else that does not fit is an error that names its line.

    >>> import tempfile
    >>> from pathlib import Path
    >>> images = Images([[0, 2, 0, 0, 1, 0]], height=2, width=3, darkest=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_images(Path(folder) / "ones.txt", images)
    ...     read_images(Path(folder) / "ones.txt", height=2, width=3).grid.tolist()
    [[[0, 2, 0], [0, 1, 0]]]
    """
    check_shape(height, width, "read_images(height=, width=)")
    data = read_text(path).rstrip(b"\n")
    if not data:
        hint = f"an image is {height} lines of {width} characters"
        raise DataError("D402", "there are no images: the file is empty", place=str(path), hint=hint)
    _refuse_odd(data, path)
    lines = data.split(b"\n")
    _refuse_lengths(lines, width, path)
    if len(lines) % height:
        images, rest = divmod(len(lines), height)
        hint = f"an image is {height} lines: {rest} lines too many, or {height - rest} missing"
        said = f"{len(lines)} lines are {images} images and {rest} lines"
        raise DataError("D406", said, place=f"{path}, line {images * height + 1}", hint=hint)
    levels = GREY_LEVELS[np.frombuffer(b"".join(lines), dtype=np.uint8)]
    return Images(levels.reshape(-1, height * width), height, width, darkest=len(GREY_SIGNS) - 1)


def _refuse_odd(data: bytes, path: Place) -> None:
    """An error if a character is no ink, by line and column."""
    codes = np.frombuffer(data, dtype=np.uint8)
    odd = np.flatnonzero((GREY_LEVELS[codes] == len(GREY_SIGNS)) & (codes != ord("\n")))
    if len(odd):
        at = int(odd[0])
        line, column = data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)
        shown = data[at : at + 4].decode(errors="replace")[0]  # no character of UTF-8 is longer
        hint = "an image is made of blanks, + and #"
        raise DataError(
            "D404", f"{shown!r} cannot be a pixel", place=f"{path}, line {line}, column {column}", hint=hint
        )


def _refuse_lengths(lines: Sequence[bytes], width: int, path: Place) -> None:
    """An error if a line is too short or too long."""
    for at, line in enumerate(lines):
        if len(line) != width:
            short = "; blanks at the end of a line count: an editor may have cut them off"
            hint = f"every line has {width} characters{short if len(line) < width else ''}"
            said = f"a line of {len(line)} characters, expected {width}"
            raise DataError("D405", said, place=f"{path}, line {at + 1}", hint=hint)


def write_images(path: Place, images: Images) -> None:
    """Write images as text: # from three quarters of full ink on, + from a half on.

    The bits of any images survive, and all grey levels of images that were read from text.

    >>> import tempfile
    >>> from pathlib import Path
    >>> images = Images([[0, 2, 0, 0, 1, 0]], height=2, width=3, darkest=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_images(Path(folder) / "ones.txt", images)
    ...     (Path(folder) / "ones.txt").read_text().splitlines()
    [' # ', ' + ']
    """
    ink = 4 * images.grid.astype(np.int16)
    levels = (ink >= 2 * images.darkest).astype(np.uint8) + (ink >= 3 * images.darkest)
    lines = np.frombuffer(GREY_SIGNS, dtype=np.uint8)[levels].reshape(-1, images.width)
    write_text(path, "".join(f"{line.tobytes().decode()}\n" for line in lines))


def read_labels(path: Place) -> Array:
    """(labels,): the digits of a text file, one a line.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_labels(Path(folder) / "labels.txt", [3, 7])
    ...     read_labels(Path(folder) / "labels.txt")
    array([3, 7])
    """
    lines = [line.strip() for line in read_text(path).rstrip().split(b"\n")]
    if lines == [b""]:
        raise DataError("D402", "there are no labels: the file is empty", place=str(path), hint="give a label a line")
    for at, line in enumerate(lines):
        if not (len(line) == 1 and line.isdigit()):
            raise not_a_digit(line.decode(errors="replace"), f"{path}, line {at + 1}")
    return np.array(lines).astype(np.int64)


def write_labels(path: Place, labels: Any) -> None:
    """Write labels as text, one a line.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_labels(Path(folder) / "labels.txt", [3, 7])
    ...     (Path(folder) / "labels.txt").read_text().splitlines()
    ['3', '7']
    """
    write_text(path, "".join(f"{label}\n" for label in check_labels(labels)))
