"""All of an evaluation on one page: ROC, precision and recall, calibration, confusion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from likely.plots.curves.calibration import calibration
from likely.plots.curves.confusion import confusion
from likely.plots.curves.precision_recall import precision_recall
from likely.plots.curves.roc import roc
from likely.plots.named_results import expect
from likely.plots.style import FAINT, Axes, Figure, new_figure, picture, place


@picture
def evaluation(found: Any) -> Figure:
    """The four pictures of an Evaluation; a curve that cannot be is replaced by the note that says why.

    >>> from likely.evaluation import evaluate
    >>> proba = [[0.9, 0.1], [0.3, 0.7], [0.6, 0.4], [0.6, 0.4]]
    >>> [ax.get_title() for ax in evaluation(evaluate(["n", "y", "n", "y"], proba, ["n", "y"])).axes][1:3]
    ['Precision and recall of y', 'Calibration of P(y)']
    """
    expect(found, "bayes_error", "evaluation(found)", "an Evaluation of likely.evaluation")
    size = max(9.6, 5.6 + 0.36 * len(found.classes))
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
    low, high = found.accuracy_interval
    figure.suptitle(
        f"{found.rows:,} rows: accuracy {found.accuracy:.3f} (95 % interval {low:.3f} to {high:.3f}), "
        f"log loss {found.log_loss:.3f}, Brier score {found.brier.score:.3f}",
        x=0.01,
        ha="left",
        fontsize=11,
    )
    return figure


def _note(ax: Axes, notes: tuple[str, ...]) -> None:
    ax.set_axis_off()
    ax.text(0.5, 0.5, "\n".join(notes), ha="center", va="center", color=FAINT, wrap=True)
