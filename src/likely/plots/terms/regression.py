"""Regression: a line of one number with its bands, and what each column adds to a prediction."""

from __future__ import annotations

from typing import Any

import numpy as np

from likely.core.block import Block
from likely.core.numerics import Floats
from likely.core.schema import NUMERIC
from likely.errors import ModelError, OptionError
from likely.output.phrases import plural
from likely.plots.named_results import expect
from likely.plots.points import scattered
from likely.plots.style import (
    COLOURS,
    DASHES,
    FAINT,
    FIGURE_WIDTH,
    INK,
    Axes,
    Figure,
    head,
    picture,
    place,
    whole_numbers,
)
from likely.plots.terms.explanation import COLUMN_NAME_LETTERS, label
from likely.plots.terms.importance import ROOM_FOR_BARS
from likely.plots.typeface import number, short, shorts, text_width

LINE_POINTS = 200  # points along the line
FAINT_POINTS_FROM = 2000  # rows from which points are drawn faintly


@picture
def line(model: Any, X: Any = None, y: Any = None, *, level: float = 0.95, ax: Axes | None = None) -> Figure:
    """A LinearRegression of one number: the line, the band of the mean and that of single rows, and rows if given.

    >>> import likely
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0]
    >>> line(likely.LinearRegression().fit(X, y), X, y).axes[0].get_title()
    'y = 1.06 + 1.96 x0 (R² 0.996)'
    """
    expect(model, "coefficients_", "line(model)", "a fitted LinearRegression")
    held = model.model_
    column = held.schema.columns[0]
    if len(held.schema.columns) != 1 or column.kind not in NUMERIC:
        hint = "draw model.explain(X), or fit a model of one column of numbers"
        what = f"a line is drawn over one column of numbers; it has {plural(len(held.schema.columns), 'column')}"
        raise OptionError("O610", what, place="line(model)", hint=hint)
    figure, ax = place(ax)
    low, high = _ends(held) if X is None else (float(np.nanmin(_numbers(X))), float(np.nanmax(_numbers(X))))
    if X is not None and y is not None:
        few = len(_numbers(X)) < FAINT_POINTS_FROM
        look: dict[str, Any] = {"markersize": 4, "alpha": 0.8} if few else {"markersize": 2, "alpha": 0.2}
        ax.plot(scattered(_numbers(X)), _numbers(y), "o", color=INK, label="rows", zorder=1, **look)
    across = np.linspace(low, high, LINE_POINTS)
    rows = Block(LINE_POINTS, np.zeros((LINE_POINTS, 0), dtype=np.uint8), across[:, None])
    _bands(ax, held, rows, level)
    ax.plot(across, held.estimate(rows, np.empty(LINE_POINTS)), color=COLOURS[0], label="line", zorder=3)
    if column.whole:
        whole_numbers(ax.xaxis)
    target = held.schema.target.name
    ax.set(xlabel=short(column.name, 40), ylabel=short(target, 40))
    slope = held.coefficients[0]
    sign = "−" if slope < 0 else "+"
    equation = f"{short(target, 16)} = {number(held.intercept)} {sign} {number(abs(slope))} {short(column.name, 16)}"
    head(ax, f"{equation} (R² {held.determination:.3g})")
    ax.legend(loc="best")
    return figure


def _ends(held: Any) -> tuple[float, float]:
    """Where most of the learnt rows were."""
    middle = float(held.design.means[0])
    reach = 2.5 * float(np.sqrt(held.normal.gram[0, 0] / held.normal.weight)) or 1.0
    return middle - reach, middle + reach


def _bands(ax: Axes, held: Any, rows: Block, level: float) -> None:
    for of, shade, word in (("amount", 0.14, "of a single row"), ("mean", 0.32, "of the mean")):
        try:
            below, above = held.interval(rows, level, of).T
        except ModelError:  # a lasso, or too few rows: there is the line alone
            return
        name = f"{100 * level:.4g} % {word}"
        ax.fill_between(rows.reals[:, 0], below, above, color=COLOURS[0], alpha=shade, linewidth=0, label=name)


def _numbers(values: Any) -> Floats:
    given = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    return np.asarray(given, dtype=np.float64).reshape(-1)


@picture
def regression_explanation(explained: Any, row: int = 0, *, top: int = 14, ax: Axes | None = None) -> Figure:
    """What each column adds to the prediction of one row of an AmountExplanation, from the average to the sum.

    The `top` strongest are shown by themselves and the rest together.

    >>> import likely
    >>> model = likely.LinearRegression().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.2, 4.8, 7.0])
    >>> regression_explanation(model.explain([[3.0]])).axes[0].get_title()
    'Why y is 6.94'
    """
    expect(explained, "prediction", "regression_explanation(explained)", "an AmountExplanation: model.explain(X)")
    ranked = [one for one in explained.ranked(row) if one[1]]  # what adds nothing needs no bar
    names = shorts((explained.names[at] for at, _ in ranked[:top]), COLUMN_NAME_LETTERS)
    labels = [label(name, explained.value_at(row, at)) for name, (at, _) in zip(names, ranked[:top], strict=True)]
    added = [amount for _, amount in ranked[:top]]
    if ranked[top:]:
        labels.append(f"{len(ranked) - top} more")
        added.append(sum(amount for _, amount in ranked[top:]))
    start = float(explained.terms[row, 0])
    ends = start + np.cumsum([0.0, *added])
    named = [explained.names[0], *shorts(labels, 32), "sum"]
    broad = max(text_width(name, 8.5) for name in named)
    figure, ax = place(ax, max(FIGURE_WIDTH, ROOM_FOR_BARS + broad), 1.5 + 0.27 * (len(added) + 2))
    for at, amount in enumerate(added):
        more = amount > 0
        look: dict[str, Any] = {"facecolor": COLOURS[0] if more else COLOURS[1], "hatch": "" if more else "////"}
        ax.barh(at + 1, amount, 0.72, left=ends[at], edgecolor="white", linewidth=0.5, **look)
        _number(ax, ("+" if more else "") + number(amount), max(ends[at], ends[at + 1]), at + 1)
    last = len(added) + 1
    for at, value in ((0, start), (last, float(ends[-1]))):
        ax.plot(value, at, "D", color=INK, markersize=5)
        _number(ax, number(value), value, at)
    ax.axvline(start, color=FAINT, linewidth=0.8, linestyle=DASHES[1])
    low, high = float(ends.min()), float(ends.max())
    reach = high - low or abs(high) or 1.0
    ax.set(xlim=(low - 0.08 * reach, high + 0.24 * reach), ylim=(last + 0.6, -0.6))
    ax.set_yticks(range(last + 1), named)
    ax.grid(False, axis="y")
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(short(explained.target, 40))
    head(ax, f"Why {short(explained.target, 30)} is {number(explained.prediction[row])}")
    return figure


def _number(ax: Axes, text: str, x: float, y: int) -> None:
    spot: dict[str, Any] = {"xytext": (7, 0), "textcoords": "offset points", "va": "center"}
    ax.annotate(text, (x, y), fontsize=8, **spot)
