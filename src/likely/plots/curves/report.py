"""All of an evaluation on one page: ROC, precision and recall, calibration, confusion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from likely.plots.curves.calibration import calibration
from likely.plots.curves.confusion import MOST_CELLS_WITH_NUMBERS, confusion
from likely.plots.curves.precision_recall import precision_recall
from likely.plots.curves.roc import roc
from likely.plots.legends import legend, legend_of_figure
from likely.plots.named_results import expect
from likely.plots.style import FAINT, INK, Axes, Figure, line, new_figure, picture, place
from likely.plots.typeface import short


@picture
def evaluation(found: Any) -> Figure:
    """The four pictures of an Evaluation; a curve that cannot be is replaced by the note that says why.

    >>> from likely.evaluation import evaluate
    >>> proba = [[0.9, 0.1], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> [ax.get_title() for ax in evaluation(evaluate(["n", "y", "n", "y"], proba, ["n", "y"])).axes][1:3]
    ['Precision and recall of y', 'Calibration of P(y): mean gap 0.150, largest 0.300']
    """
    expect(found, "bayes_error", "evaluation(found)", "an Evaluation of likely.evaluation")
    size = max(9.6, 5.6 + 0.36 * min(len(found.classes), MOST_CELLS_WITH_NUMBERS))
    figure = new_figure(size, size * 0.98)
    axes = figure.subplots(2, 2)
    drawings: list[tuple[Callable[..., Figure], Any]] = [
        (roc, found.roc),
        (precision_recall, found.precision_recall),
        (calibration, found.calibration),
        (confusion, found.confusion),
    ]
    for ax, (draw, what) in zip(axes.flat, drawings, strict=True):
        if what is None:
            _note(place(ax)[1], found.notes)
        else:
            draw(what, ax=ax)
    clear = True
    for ax, what, point, corners in (
        (axes.flat[0], found.roc, _alarms, ("lower right",)),
        (axes.flat[1], found.precision_recall, _precision, ("lower left", "lower right", "upper right")),
    ):
        if what is not None:
            clear &= _decided(ax, found, point, corners)
    if not clear and len(found.classes) > 2:
        _together(figure, axes.flat[:2])
    low, high = found.accuracy_interval
    figure.suptitle(
        f"{_headline(found)}{found.rows:,} rows: "
        f"accuracy {found.accuracy:.3f} (95 % interval {low:.3f} to {high:.3f}), "
        f"log loss {found.log_loss:.3f}, Brier score {found.brier.score:.3f}",
        x=0.01,
        ha="left",
        fontsize=11,
    )
    return figure


def _headline(found: Any) -> str:
    """The model, the target and the class that is judged, on a line of their own."""
    of = "" if found.positive is None else f"class {short(found.positive)}"
    told = ", ".join(filter(None, [found.about, of]))
    return f"{told}\n" if found.about else ""


def _decided(ax: Axes, found: Any, point: Callable[[Any, int], tuple[float, float]], corners: Sequence[str]) -> bool:
    """Where the decisions that were taken stand on the curves: of the likeliest class of each row."""
    from matplotlib.lines import Line2D

    before, classes = ax.get_legend(), list(found.classes)
    assert before is not None, "curves have a legend"
    at = range(len(classes)) if found.positive is None else [classes.index(found.positive)]
    look: dict[str, Any] = {"markersize": 7, "markeredgecolor": INK, "markeredgewidth": 1.4, "label": "as decided"}
    for turn, one in enumerate(at):
        filled = line(turn)["color"] if len(at) > 1 else "none"  # which curve a mark belongs to
        ax.plot(*point(found.confusion.matrix, one), "o", markerfacecolor=filled, zorder=5, **look)
    marks = [Line2D([], [], linestyle="", marker="o", markerfacecolor="none", **look)]
    return legend(
        ax,
        [*filter(None, before.legend_handles), *marks],
        labels=[*(text.get_text() for text in before.get_texts()), "as decided: the likeliest class"],
        corners=corners,
        title=before.get_title().get_text(),
    )


def _together(figure: Figure, panels: Any) -> None:
    """One legend for the curves of both panels, below all of them."""
    boxes = [ax.get_legend() for ax in panels]
    told = [[text.get_text().removesuffix(")").rpartition(" (") for text in box.get_texts()] for box in boxes]
    precisions = {name: number for name, _, number in told[1]}
    labels = [
        f"{name} ({number}{', ' * (name in precisions)}{precisions.get(name, '')})" if name else number
        for name, _, number in told[0]
    ]
    handles = list(boxes[0].legend_handles)
    for box in boxes:
        box.remove()
    legend_of_figure(figure, handles, labels, "area under the ROC curve, average precision")


def _alarms(matrix: Any, at: int) -> tuple[float, float]:
    """False and true positive rate of the decisions for a class."""
    hits, mine, said = matrix[at, at], matrix[at].sum(), matrix[:, at].sum()
    others = matrix.sum() - mine
    return (float((said - hits) / others) if others else np.nan), float(hits / mine) if mine else np.nan


def _precision(matrix: Any, at: int) -> tuple[float, float]:
    """Recall and precision of the decisions for a class."""
    hits, mine, said = matrix[at, at], matrix[at].sum(), matrix[:, at].sum()
    return float(hits / mine) if mine else np.nan, float(hits / said) if said else np.nan


def _note(ax: Axes, notes: tuple[str, ...]) -> None:
    ax.set_axis_off()
    ax.text(0.5, 0.5, "\n".join(notes), ha="center", va="center", color=FAINT, wrap=True)
