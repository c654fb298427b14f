"""Confusion matrices: which classes are taken for which."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np

from likely.output.display_width import display_width
from likely.plots.named_results import expect
from likely.plots.style import FAINT, FIGURE_WIDTH, INK, Axes, Figure, head, picture, place, shaded_table
from likely.plots.typeface import shorts

_WORDY = 12  # up to so many classes a cell also tells its share
MOST_CELLS_WITH_NUMBERS = 60  # classes: of more there are colours alone
LABEL_HEIGHT = 0.17  # inches


@picture
def confusion(matrix: Any, *, ax: Axes | None = None) -> Figure:
    """A Confusion as a table of counts, true classes down and decided ones across; darker is a larger share of its row.

    >>> from likely.evaluation import confusion as table
    >>> figure = confusion(table(["a", "b", "b"], ["a", "a", None], ["a", "b"]))
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['a', 'b', 'no decision']
    """
    expect(matrix, "matrix", "confusion(matrix)", "a Confusion of likely.evaluation")
    matrix = matrix.as_read() if hasattr(matrix, "as_read") else matrix
    counts = np.asarray(matrix.matrix, dtype=np.float64)
    down, across = counts.shape
    totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    few = max(down, across) <= _WORDY
    names = shorts(matrix.classes, 18)
    heads = [*names, *["no decision"] * (across - down)]
    cell = _inches(ax, across, few)
    tilted = max(map(display_width, heads)) * 0.085 > cell
    numbers, step = max(down, across) <= MOST_CELLS_WITH_NUMBERS, max(1, ceil(LABEL_HEIGHT / cell))
    figure, ax = place(ax, 2.0 + across * cell, 1.2 + down * min(cell, 0.56) + 0.7 * tilted)
    shaded_table(ax, shares, (names, heads), 1.0, tilted, step)
    texts = [[_text(count) for count in row] for row in counts.tolist()]
    size = min(8.5 if few else 6.5, cell * 105 / max(len(text) for row in texts for text in row))
    for (true, decided), share in np.ndenumerate(shares) if numbers else ():
        count, text = counts[true, decided], texts[true][decided]
        if count or few:
            text += f"\n{100 * share:.0f} %" if few and count else ""
            colour = "white" if share > 0.55 else INK if count else FAINT
            ax.text(decided, true, text, ha="center", va="center", fontsize=size, color=colour, linespacing=1.15)
    if numbers:
        _lines(ax, down, across)
    ax.set(xlabel="predicted class", ylabel="true class")
    head(ax, f"Confusion of {_text(counts.sum())} rows, {100 * matrix.accuracy:.1f} % predicted correctly")
    return figure


def _inches(ax: Axes | None, across: int, few: bool) -> float:
    """The width of a cell."""
    if ax is None:
        widest = 0.36 * min(1.0, MOST_CELLS_WITH_NUMBERS / across)
        return max(0.56 if few else widest, (FIGURE_WIDTH - 2.0) / across)
    return 0.85 * ax.get_position().width * ax.get_figure(root=True).get_figwidth() / across  # type: ignore[union-attr]


def _text(count: float) -> str:
    """Whole numbers whole; sums of weights with four digits."""
    return f"{count:,.0f}" if count == round(count) or count >= 1000 else f"{count:.4g}"


def _lines(ax: Axes, down: int, across: int) -> None:
    """White lines between the cells; a wide one before the rows without a decision."""
    ax.hlines(np.arange(1, down) - 0.5, -0.5, across - 0.5, color="white", linewidth=1)
    ax.vlines(np.arange(1, across) - 0.5, -0.5, down - 0.5, color="white", linewidth=1)
    if across > down:
        ax.axvline(down - 0.5, color="white", linewidth=4)
