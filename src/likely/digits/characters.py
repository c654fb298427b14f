"""Images drawn with characters, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likely.core.numerics import Array
from likely.digits.images import Images

HALF_BLOCKS = " ▄▀█"  # lower half, upper half, both
GAP_BETWEEN_IMAGES = "  "  # between images side by side


def draw(images: Images, ink: str = " .+#", columns: int = 80) -> str:
    """The images, a character a pixel, as many side by side as fit into `columns`; `ink` goes from paper to full ink.

    >>> print(draw(Images([[0, 1, 2, 2, 1, 0], [2, 0, 2, 0, 2, 0]], height=2, width=3, darkest=2)))
     +#  # #
    #+    #
    """
    grey = images.grid.astype(np.int64)
    nearest = (2 * grey * (len(ink) - 1) + images.darkest) // (2 * images.darkest)
    return _beside(nearest, ink, columns)


def draw_small(images: Images, columns: int = 80) -> str:
    """The bits of the images in half blocks, two pixels a character: half as high as `draw`, and upright.

    >>> print(draw_small(Images([[1, 1, 0, 1, 0, 1]], height=3, width=2)))
    ▀█
     ▀
    """
    bits = images.bits.reshape(images.grid.shape).astype(np.int64)
    even = np.pad(bits, ((0, 0), (0, images.height % 2), (0, 0)))
    return _beside(2 * even[:, ::2] + even[:, 1::2], HALF_BLOCKS, columns)


def _beside(levels: Array, ink: str, columns: int) -> str:
    """levels (images, lines, characters) as text: bands of images, an empty line between bands."""
    signs = np.array(list(ink))
    drawn = [["".join(line) for line in signs[image]] for image in levels]
    across = max(1, (columns + len(GAP_BETWEEN_IMAGES)) // (levels.shape[2] + len(GAP_BETWEEN_IMAGES)))
    return "\n\n".join(_band(drawn[at : at + across]) for at in range(0, len(drawn), across))


def _band(drawn: Sequence[Sequence[str]]) -> str:
    return "\n".join(GAP_BETWEEN_IMAGES.join(line).rstrip() for line in zip(*drawn, strict=True))
