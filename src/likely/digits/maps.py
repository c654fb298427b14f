"""What a model holds of each pixel, laid out as an image."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.digits.images import Images
from likely.errors import DataError


def log_odds_map(model: Any, a: int, b: int, shape: tuple[int, int] | None = None) -> Floats:
    """(height, width): log of P(pixel on | a) / P(pixel on | b): where ink speaks for a (above 0) or for b (below).

    `shape` is (height, width) of the images that the model was trained on, where `likely.digits.train` has not kept it
    in the model and they were not square. The numbers are the terms that the prediction adds up for a pixel that is on.

    >>> import likely
    >>> model = likely.NaiveBayes(kinds="binary").fit([[1, 0], [1, 0], [0, 1], [0, 1]], [4, 4, 9, 9])
    >>> log_odds_map(model, 4, 9, shape=(1, 2)).round(3).tolist()
    [[1.099, -1.099]]
    """
    height, width = shape_of(model) if shape is None else shape
    all_on = Images(np.ones((1, height * width), dtype=np.uint8), height, width)
    check_pixels(model, all_on)
    odds = model.explain(all_on.bits).log_odds(a, b)
    return np.asarray(odds[0, 1:].reshape(height, width))  # the first term is the prior's


def shape_of(model: Any) -> tuple[int, int]:
    """(height, width) of the images that a fitted model was trained on: as it was kept, or else of square ones.

    >>> import likely
    >>> images = likely.digits.Images([[1, 0], [1, 0], [0, 1], [1, 1]], height=1, width=2)
    >>> model = likely.digits.train(likely.NaiveBayes(kinds="binary"), images[:3], [4, 4, 9])
    >>> shape_of(model)
    (1, 2)
    >>> shape_of(likely.NaiveBayes(kinds="binary").fit([[0, 0, 0, 1], [1, 0, 0, 0]], [1, 7]))
    (2, 2)
    """
    kept: tuple[int, int] | None = getattr(model, "image_shape_", None)
    if kept is not None:
        return kept
    pixels = int(model.n_features_in_)
    side = math.isqrt(pixels)
    if side * side != pixels:
        said = f"the model was trained on {pixels} pixels, which are no square"
        hint = "train one with likely digits train, or likely.digits.train, which keep the size of the images"
        raise DataError("D425", said, place=type(model).__name__, hint=hint)
    return side, side


def check_pixels(model: Any, images: Images) -> None:
    """An error if the model was trained on images of another size."""
    pixels = images.height * images.width
    trained, side = getattr(model, "n_features_in_", pixels), math.isqrt(getattr(model, "n_features_in_", pixels))
    shape = getattr(model, "image_shape_", (side, side) if side * side == trained else None)
    if trained != pixels or (hasattr(model, "image_shape_") and shape != (images.height, images.width)):
        of = f" ({shape[0]} × {shape[1]})" if shape else ""
        said = f"these are {images.height} × {images.width} = {pixels} pixels, the model was trained on {trained}{of}"
        raise DataError("D409", said, place=repr(images), hint="give images of the model's size")
