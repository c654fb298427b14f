"""What is wrong with the layout of a figure: texts that are cut off or overlap, legends that hide what is drawn."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text


def texts(figure: Figure) -> list[Text]:
    """All texts that are seen."""
    found: list[Any] = [*figure.texts]
    for box in [*figure.legends, *filter(None, (ax.get_legend() for ax in figure.axes))]:
        found += [*box.get_texts(), box.get_title()]
    for ax in figure.axes:
        found += [*ax.texts, ax.title]
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            found += [axis.label, axis.offsetText, *(tick.label1 for tick in axis._update_ticks())]  # type: ignore[attr-defined]
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def cut_off(figure: Figure) -> list[str]:
    """Texts that leave the figure."""
    figure.draw_without_rendering()
    wide, high = figure.bbox.width, figure.bbox.height
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    return [name for name, box in boxes if box.x0 < -1 or box.y0 < -1 or box.x1 > wide + 1 or box.y1 > high + 1]


def overlapping(figure: Figure) -> list[tuple[str, str]]:
    """Pairs of texts of which one is over the other."""
    figure.draw_without_rendering()
    level = [text for text in texts(figure) if text.get_rotation() % 90 == 0]
    boxes = [(text.get_text(), text.get_window_extent()) for text in level]
    return [
        (one, two) for (one, a), (two, b) in combinations(boxes, 2) if a.shrunk(0.98, 0.8).overlaps(b.shrunk(0.98, 0.8))
    ]


def hidden(figure: Figure) -> int:
    """How many points of lines and how many bars are below a legend; what is drawn as background does not count."""
    figure.draw_without_rendering()
    found = 0
    for ax in figure.axes:
        if (legend := ax.get_legend()) is None:
            continue
        box = legend.get_window_extent()
        for line in ax.lines:
            points = line.get_transform().transform(np.column_stack(line.get_data()).astype(float))
            if line.get_linestyle() != "None":
                points = np.concatenate(
                    [points, *(points[:-1] + step * np.diff(points, axis=0) for step in (0.25, 0.5, 0.75))]
                )
            within = (points > (box.x0, box.y0)).all(axis=1) & (points < (box.x1, box.y1)).all(axis=1)
            found += int(within.sum()) if line.get_zorder() >= 2 else 0
        found += sum(box.overlaps(bar.get_window_extent()) for bar in ax.patches)
    return found
