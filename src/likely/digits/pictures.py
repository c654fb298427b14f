"""Pictures: PNG and PGM files, an image each."""

from __future__ import annotations

import glob
import os
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from likely.core.numerics import Array
from likely.digits.files import Place, read_head
from likely.digits.images import Images, check_shape
from likely.errors import DataError

PICTURE_FORMATS = ("PNG", "PPM")  # PPM is Pillow's name for PGM and its relatives


def read_pictures(
    places: Place | Iterable[Place], height: int = 28, width: int = 28, dark_ink: bool | None = None
) -> Images:
    """The images of PNG and PGM files, an image each: of one path, of a pattern such as "scans/*.png", or of many.

    Colours become grey; what is transparent becomes white. `dark_ink` says whether the ink is darker than the paper,
    for all pictures; None tells it for each from its border, which is paper.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "one.pgm").write_bytes(b"P5 3 4 255 " + bytes([255, 255, 255, 255, 0, 255] * 2))
    ...     read_pictures(Path(folder) / "one.pgm", height=4, width=3).grid.tolist()
    [[[0, 0, 0], [0, 255, 0], [0, 0, 0], [0, 255, 0]]]
    """
    check_shape(height, width, "read_pictures(height=, width=)")
    paths = find_pictures(places)
    grids = [_ink(_grey(path, height, width), dark_ink) for path in paths]
    return Images(np.stack(grids).reshape(len(paths), height * width), height, width, darkest=255)


def find_pictures(places: Place | Iterable[Place]) -> tuple[str, ...]:
    """The files of a path, of a pattern (in the order of their names), or of many paths and patterns."""
    if isinstance(places, str | os.PathLike):
        place = os.fspath(places)
        if os.path.exists(place) or not glob.has_magic(place):
            return (place,)
        found = tuple(sorted(glob.glob(place)))
    else:
        place, found = "read_pictures(places)", tuple(path for place in places for path in find_pictures(place))
    if not found:
        raise DataError("D402", "there are no pictures", place=place, hint="check the folder and the pattern")
    return found


def _grey(path: str, height: int, width: int) -> Array:
    """(height, width): 0 is black, 255 white."""
    try:
        from PIL import Image
    except ImportError:
        hint = "pip install pillow"
        raise DataError("D420", "pictures are read by Pillow, which is not installed", place=path, hint=hint) from None

    read_head(path)  # a file that is not there is told from one that is no picture
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of huge pictures: their size is looked at before they are unpacked
            with Image.open(path, formats=PICTURE_FORMATS) as picture:
                size = picture.size
                return _levels(picture, Image) if size == (width, height) else _refuse_size(path, size, height, width)
    except DataError:
        raise
    except Exception as error:  # a damaged or hostile file may fail in any way
        said = f"this is not a PNG or PGM picture, or it is damaged ({type(error).__name__})"
        raise DataError("D415", said, place=path, hint="save it again as PNG, in grey") from None


def _levels(picture: Any, image: Any) -> Array:
    if picture.mode.startswith("I"):  # 16 bits a pixel
        return np.asarray(np.asarray(picture).astype(np.int64) // 257, dtype=np.uint8)
    if "A" in picture.getbands() or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        picture = image.alpha_composite(image.new("RGBA", layer.size, "white"), layer)
    return np.asarray(picture.convert("L"), dtype=np.uint8)


def _refuse_size(path: str, size: tuple[int, int], height: int, width: int) -> Array:
    said = f"the picture is {size[1]} × {size[0]} (height × width), expected {height} × {width}"
    raise DataError("D416", said, place=path, hint="cut it to the digit and scale it to that size")


def _ink(grey: Array, dark: bool | None) -> Array:
    """(height, width): 0 is paper, 255 full ink."""
    if dark is None:
        border = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
        dark = bool(np.median(border) >= 128)
    return np.asarray(255 - grey if dark else grey)
