"""Grids of small images: digits as they are, or maps of log odds around zero."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isqrt
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from likely.core.numerics import Floats
from likely.errors import OptionError
from likely.plots.style import FAINT, GRID, Axes, Figure, new_figure, picture, tighten
from likely.plots.typeface import short

if TYPE_CHECKING:
    from matplotlib.image import AxesImage

_INCHES = 0.95  # of one image
_TITLE_LETTER = 0.088  # inches of a letter of the title


@picture
def images(
    grid: ArrayLike,
    *,
    labels: Sequence[object] = (),
    columns: int = 10,
    title: str = "",
    unit: str = "",
) -> Figure:
    """A figure of images (n, height, width), or of square ones as rows of pixels (n, pixels), `columns` abreast.

    Images with negative values are maps: blue below and red above zero, with limits as far from zero on both sides,
    so that white is zero. Others are drawn dark on white. All images share one scale; `unit` names it. A pixel that
    is not a number is grey.

    >>> figure = images(np.arange(8.0).reshape(2, 4), labels=["first", "second"])
    >>> [ax.get_title() for ax in figure.axes][:2]
    ['first', 'second']
    """
    pixels, names = _stack(grid), list(labels)
    if names and len(names) != len(pixels):
        what = f"{len(names)} labels for {len(pixels)} images"
        raise OptionError("O581", what, place="images(labels=)", hint="give one label to each image")
    if not isinstance(columns, int | np.integer) or columns < 1:
        what = f"images cannot stand {columns!r} abreast"
        raise OptionError("O582", what, place="images(columns=)", hint="say a whole number from 1 on")
    finite = pixels[np.isfinite(pixels)]
    signed = bool((finite < 0).any())
    most = float(np.abs(finite).max(initial=0.0)) or 1.0
    across = min(int(columns), len(pixels))
    down = ceil(len(pixels) / across)
    tall = _INCHES * pixels.shape[1] / pixels.shape[2] + (0.2 if names else 0.05)
    wide = max(across * (_INCHES + 0.05), 3.2)
    what = ("map" if signed else "image") + ("s" if len(pixels) > 1 else "")
    heading = fill(title or f"{len(pixels)} {what}", int(wide / _TITLE_LETTER))
    room = 0.25 + 0.2 * (1 + heading.count("\n"))
    figure = new_figure(wide, down * tall + room + (0.6 if signed or unit else 0.0))
    tighten(figure)
    axes = figure.subplots(down, across, squeeze=False)
    for ax in axes.flat[len(pixels) :]:
        ax.set_axis_off()
    for at, (ax, image) in enumerate(zip(axes.flat, pixels, strict=False)):
        shown = _draw(ax, np.clip(image, -most, most), -most if signed else 0.0, most)
        if names:
            ax.set_title(short(names[at], 12), fontsize=8.5, loc="center", pad=3)
    if signed or unit:
        bar = figure.colorbar(shown, ax=axes, location="bottom", shrink=min(0.9, 4 / wide), aspect=30, pad=0.03)
        bar.set_label((unit or "log odds (nats)") + ("; striped: below zero" if signed else ""))
        bar.outline.set_visible(False)
    figure.suptitle(heading, x=0.01, ha="left")
    return figure


def _draw(ax: Axes, image: Floats, low: float, high: float) -> AxesImage:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    ax.set(xticks=[], yticks=[])
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set(visible=True, color=FAINT, linewidth=0.4)
    ax.set_facecolor(GRID)  # shows where a pixel is not a number
    against = np.argwhere(image < low / 6) if low < 0 else ()
    # In grey print both ends are dark: what speaks against is struck through.
    pixels = [Rectangle((x - 0.5, y - 0.5), 1, 1) for y, x in against]
    ax.add_collection(PatchCollection(pixels, facecolor="none", edgecolor="#ffffffb0", linewidth=0, hatch="//////"))
    return ax.imshow(np.ma.masked_invalid(image), cmap="RdBu_r" if low < 0 else "Greys", vmin=low, vmax=high)


def _stack(grid: ArrayLike) -> Floats:
    """(n, height, width)."""
    try:
        given = np.asarray(grid, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.zeros(0)
    side = isqrt(given.shape[-1]) if given.ndim == 2 else 0
    if given.ndim == 2 and side * side == given.shape[-1]:
        given = given.reshape(-1, side, side)
    if given.ndim != 3 or 0 in given.shape:
        raise OptionError(
            "O375",
            f"no images of numbers in an array of shape {np.shape(given)}",
            place="images(grid)",
            hint="give (n, height, width), or (n, pixels) where the images are square",
        )
    return given
