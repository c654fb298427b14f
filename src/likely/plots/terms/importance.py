"""What columns are worth, as bars: to a model on rows, by what it has learnt, and as coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.core.numerics import Floats
from likely.output.phrases import plural
from likely.plots.named_results import expect
from likely.plots.style import COLOURS, FAINT, FIGURE_WIDTH, INK, Axes, Figure, below, head, picture, place
from likely.plots.typeface import number, shorts, text_width

NO_LOSS = 1e-12  # of a loss, in bits or in standard errors
IMPORTANCE_LETTERS, COEFFICIENT_LETTERS = 32, 12  # of a column, and of its coefficient
BARS_SHOWN = 25  # columns
ROOM_FOR_BARS = 3.9  # inches beside the names


@picture
def importance(found: Any, *, ax: Axes | None = None, columns: int = BARS_SHOWN) -> Figure:
    """By how much the loss rises where a column's values are shuffled, with the spread over the shuffles.

    >>> import likely
    >>> from likely.evaluation import feature_importance
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> figure = importance(feature_importance(likely.NaiveBayes().fit(X, y), X, y))
    >>> figure.axes[0].get_xlabel()
    'rise of the log loss where the column is shuffled'
    """
    expect(found, "baseline", "importance(found)", "what likely.evaluation.feature_importance found")
    figure, ax, left = _bars(ax, found.names, found.means, columns, found.sds)
    ax.set_xlabel(f"rise of the {found.loss} loss where the column is shuffled")
    head(ax, f"Importance of columns ({found.loss} loss {number(found.baseline, 3)} as they are)")
    _note(ax, left)
    return figure


@picture
def profile(found: Any, *, ax: Axes | None = None, columns: int = BARS_SHOWN) -> Figure:
    """How many bits each column by itself tells about the class, as the model believes.

    >>> import likely
    >>> from likely.explanations import profile as told
    >>> rows, y = [["sun", "hot"], ["sun", "mild"], ["rain", "mild"], ["rain", "cold"]], ["out", "out", "in", "in"]
    >>> profile(told(likely.NaiveBayes().fit(rows, y))).axes[0].get_title()
    'What each column tells of the class by itself'
    """
    expect(found, "priors", "profile(found)", "what likely.explanations.profile found")
    names, bits = [one.name for one in found.columns], np.array([one.bits for one in found.columns])
    figure, ax, left = _bars(ax, names, bits, columns)
    shares = found.priors[found.priors > 0]
    ax.set_xlabel(f"bits about the class, of {float(-(shares * np.log2(shares)).sum()):.3g} that it has")
    head(ax, "What each column tells of the class by itself")
    _note(ax, left)
    return figure


@picture
def coefficients(table: Any, *, ax: Axes | None = None, columns: int = BARS_SHOWN) -> Figure:
    """The coefficients of a LinearRegression with their intervals, in standard errors: how far each is from none.

    >>> import likely
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 2.0], [4.0, 0.0]], [1.0, 3.2, 4.8, 7.0, 9.2]
    >>> coefficients(likely.LinearRegression().fit(X, y).coefficients_).axes[0].get_title()
    'Coefficients over their standard errors'
    """
    expect(table, "estimates", "coefficients(table)", "model.coefficients_ of a LinearRegression")
    ratios = np.divide(table.estimates, table.sds, out=np.zeros_like(table.estimates), where=table.sds > 0)[1:]
    order = np.argsort(-np.abs(ratios), kind="stable")
    told = [f" ({number(table.estimates[1:][at])})" for at in order]
    names = shorts([table.names[1:][at] for at in order], IMPORTANCE_LETTERS)
    figure, ax, left = _bars(
        ax, [name + value for name, value in zip(names, told, strict=True)], ratios[order], columns
    )
    reach = float((table.intervals[0, 1] - table.estimates[0]) / table.sds[0]) if table.sds[0] > 0 else 0.0
    if np.isfinite(reach) and reach:
        ax.axvspan(-reach, reach, color=FAINT, alpha=0.15, lw=0, zorder=0)
        left = "\n".join(
            [f"within the band a coefficient may be zero ({100 * table.level:.0f} % interval)", *filter(None, [left])]
        )
    ax.set_xlabel("coefficient / standard error")
    head(ax, "Coefficients over their standard errors")
    _note(ax, left)
    return figure


def _note(ax: Axes, words: str) -> None:
    if words:
        below(ax, words)


def _bars(
    ax: Axes | None, names: Sequence[str], values: Floats, most: int, sds: Floats | None = None
) -> tuple[Figure, Axes, str]:
    """A bar a column, the first on top; of many the first ones, and words that tell what is left out."""
    told = np.maximum(np.abs(values), 0.0 if sds is None else sds) > NO_LOSS
    if told.any():  # a column that says nothing needs no bar
        names, values = [name for name, says in zip(names, told, strict=True) if says], values[told]
        sds = None if sds is None else sds[told]
    kept = max(min(len(names), most), 1)
    labels = shorts(names[:kept], IMPORTANCE_LETTERS + COEFFICIENT_LETTERS)
    broad = max((text_width(label, 8.5) for label in labels), default=0.0)
    figure, ax = place(ax, max(FIGURE_WIDTH, ROOM_FOR_BARS + broad), 1.5 + 0.27 * kept)
    spots = np.arange(len(names[:kept]))
    ax.barh(spots, values[:kept], 0.7, color=COLOURS[0])
    if sds is not None:
        ax.errorbar(values[:kept], spots, xerr=sds[:kept], fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    ax.set_yticks(spots, labels)
    ax.set_ylim(kept - 0.4, -0.6)
    ax.grid(visible=False, axis="y")
    ax.axvline(0, color=INK, lw=0.8)
    left = [(len(names) - kept, "with shorter bars"), (int((~told).sum()) if told.any() else 0, "that tell nothing")]
    words = ", ".join(f"{plural(count, 'column')} {what}" for count, what in left if count > 0)
    return figure, ax, f"not shown: {words}" if words else ""
