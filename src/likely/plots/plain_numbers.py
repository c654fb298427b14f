"""Numbers at an even axis: in full, with commas from ten thousand on, and no factor at its end."""

from __future__ import annotations

from typing import Any

from matplotlib.ticker import AutoLocator, MaxNLocator, ScalarFormatter

from likely.plots.typeface import FIRST_WITH_COMMAS

MOST_ZEROS = 5  # behind the point: of smaller numbers, as some densities are, a factor is told at the end of the axis
LABEL_LETTER, BETWEEN_LABELS = 0.075, 0.12  # inches
MOST_WHOLE_DIGITS = 13  # before the point


class PlainNumbers(ScalarFormatter):
    """What people write: 120,000 rather than 120000 or 1.2 with 1e5 at the end of the axis."""

    def __init__(self) -> None:
        super().__init__(useOffset=False, useMathText=False)
        self.set_powerlimits((-MOST_ZEROS, MOST_WHOLE_DIGITS))

    def __call__(self, x: float, pos: Any = None) -> str:
        text = super().__call__(x, pos)
        if abs(x) < FIRST_WITH_COMMAS or "e" in text:
            return text
        whole, dot, rest = text.partition(".")
        sign, digits = ("−", whole[1:]) if whole[:1] in "-−" else ("", whole)
        return f"{sign}{int(digits):,}{dot}{rest}" if digits.isdigit() else text


class SpacedLocator(AutoLocator):
    """As many ticks as have room across: numbers in full may be long."""

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """The ticks; of those whose labels would touch, fewer."""
        ticks = super().tick_values(vmin, vmax)
        axis: Any = self.axis
        if axis is None or axis.axis_name != "x":
            return ticks
        letters = max((len(text) for text in axis.get_major_formatter().format_ticks(ticks)), default=1)
        panel = axis.axes.get_window_extent()
        room = panel.width / axis.get_figure(root=True).dpi / (LABEL_LETTER * letters + BETWEEN_LABELS)
        if len(ticks) - 1 <= room:
            return ticks
        return MaxNLocator(max(int(room), 1), steps=[1, 2, 2.5, 5, 10]).tick_values(vmin, vmax)
