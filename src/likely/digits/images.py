"""Images of digits: grey levels, and the bits that a model learns from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.core.cache import cached_property
from likely.core.numerics import Array
from likely.errors import DataError

MOST_PIXELS_A_SIDE = 4096  # pixels along a side: anything larger is a mistake


@dataclass(frozen=True, eq=False)
class Images:
    """pixels (images, height * width): grey levels from 0, no ink, to `darkest`.

    A pixel is on from half of `darkest` on: + and # of the text files, 8 to 16 of scikit-learn's digits, 128 to 255 of
    MNIST. A model learns the bits.

    >>> images = Images([[0, 1, 2, 0, 0, 2]], height=2, width=3, darkest=2)
    >>> images.bits.tolist()
    [[0, 1, 1, 0, 0, 1]]
    >>> images
    1 image of 2 × 3
    """

    pixels: Array
    height: int
    width: int
    darkest: int = 1

    def __post_init__(self) -> None:
        given = np.asarray(self.pixels)
        check_shape(self.height, self.width, "Images(height=, width=)")
        if given.ndim != 2 or given.shape[1] != self.height * self.width:
            hint = f"give (images, {self.height * self.width}): a row an image, its lines one behind the other"
            raise _odd(f"pixels of the shape {given.shape} are no images of {self.height} × {self.width}", hint)
        if given.dtype.kind not in "biu" or not 1 <= self.darkest <= 255:
            raise _odd(f"grey levels are whole numbers from 0 to {self.darkest}", "give bits, or levels up to 255")
        if given.size and (given.min() < 0 or given.max() > self.darkest):
            hint = "say the level of full ink: darkest="
            raise _odd(f"grey levels are from {given.min()} to {given.max()}, not from 0 to {self.darkest}", hint)
        pixels = given.astype(np.uint8, copy=False).view()
        pixels.flags.writeable = False  # a view: the array handed in stays as it is
        object.__setattr__(self, "pixels", pixels)

    @cached_property
    def bits(self) -> Array:
        """(images, height * width): 1 where a pixel is on."""
        return (2 * self.pixels.astype(np.int16) >= self.darkest).astype(np.uint8)

    @property
    def grid(self) -> Array:
        """(images, height, width): the grey levels, as they lie on the paper."""
        return self.pixels.reshape(len(self), self.height, self.width)

    def __len__(self) -> int:
        return len(self.pixels)

    def __getitem__(self, rows: Any) -> Images:
        """Some of the images: by a place, a slice, places or a mask; one image is images too."""
        at: Any = [rows] if isinstance(rows, int | np.integer) else rows
        try:
            return Images(self.pixels[at], self.height, self.width, self.darkest)
        except IndexError:
            last = len(self) - 1
            hint = f"images are counted from 0 to {last}" if len(self) else "there is not a single one"
            raise DataError("D412", f"there is no image {rows}", place=repr(self), hint=hint) from None

    def __iter__(self) -> Iterator[Images]:
        return (self[at] for at in range(len(self)))

    def __repr__(self) -> str:
        return f"{len(self)} image{'s' * (len(self) != 1)} of {self.height} × {self.width}"


def check_shape(height: int, width: int, place: str) -> None:
    """An error unless both are sides that an image can have."""
    for side in (height, width):
        if not isinstance(side, int | np.integer) or not 1 <= side <= MOST_PIXELS_A_SIDE:
            hint = f"a side has 1 to {MOST_PIXELS_A_SIDE} pixels"
            raise DataError("D411", f"an image cannot be {height} × {width}", place=place, hint=hint)


def check_labels(labels: Any, images: int | None = None, place: str = "labels") -> Array:
    """(images,): the labels as whole numbers from 0 to 9, as many as there are images.

    >>> check_labels([3, 7], 2)
    array([3, 7])
    """
    given: Array = np.asarray(labels)
    if given.ndim != 1:
        hint = "give one label an image"
        raise DataError("D408", f"labels of the shape {given.shape}", place=place, hint=hint)
    if given.size and given.dtype.kind not in "iu":
        raise not_a_digit(given.tolist()[0], f"{place}, row 0")
    odd = [(row, label) for row, label in enumerate(given.tolist()) if not 0 <= label <= 9]
    if odd:
        raise not_a_digit(odd[0][1], f"{place}, row {odd[0][0]}")
    if images is not None and len(given) != images:
        hint = "give the label file that belongs to the images: one line an image"
        raise DataError("D408", f"there are {images} images and {len(given)} labels", place=place, hint=hint)
    return given.astype(np.int64)


def not_a_digit(label: object, place: str) -> DataError:
    """The error for a label that is none."""
    shown = repr(label)
    shown = shown if len(shown) <= 40 else f"{shown[:40]}…"
    return DataError("D407", f"{shown} is not a digit", place=place, hint="a label is a whole number from 0 to 9")


def _odd(message: str, hint: str) -> DataError:
    return DataError("D410", message, place="Images(pixels)", hint=hint)
