"""Titles that end where the next panel begins: what is longer goes on below."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.text import Text

TITLE_GAP = 8.0  # dots between a title and the next panel


class Heading(Text):
    """A title that knows its panel: matplotlib breaks titles at the edge of the figure, and reads $ as formulas."""

    def _get_wrap_line_width(self) -> float:
        if self.axes is None:
            return super()._get_wrap_line_width()  # type: ignore[no-any-return, misc]
        return room_across(self.axes)

    def _get_rendered_text_width(self, text: str) -> int:
        mine: Any = self
        size: tuple[float, float, float] = mine._renderer.get_text_width_height_descent(
            text, self.get_fontproperties(), False
        )
        return math.ceil(size[0])


def room_across(ax: Any) -> float:
    """Dots from the left edge of a panel to the next one beside it, or to the edge of the figure."""
    mine, figure = ax.get_window_extent(), ax.get_figure(root=True)
    beside = [other.get_window_extent() for other in figure.axes if other is not ax and other.get_visible()]
    starts = [box.x0 for box in beside if box.x0 >= mine.x1 - 1 and box.y0 < mine.y1 and box.y1 > mine.y0]
    return float(min([figure.bbox.x1, *(start - TITLE_GAP for start in starts)]) - mine.x0)
